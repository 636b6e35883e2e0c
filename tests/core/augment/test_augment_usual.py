"""Where somebody lives is where most weeks and nights were spent, and before that where a place is called home."""

from datetime import datetime, timedelta

from core.augment.usual import Seen, homes, seen
from core.records import Place

OFFICE_TOWN = Place("Office", city="Lund", country="Sweden")
VILLAGE = Place(city="Höör", country="Sweden")


def sights(place: Place, hour: int, every: int, weeks: int = 12) -> list[Seen]:
    start = datetime(2024, 3, 4, hour)
    return [seen(start + timedelta(days=day), place, day_only=False) for day in range(0, weeks * 7, every)]


def test_home_is_where_most_weeks_were_spent() -> None:
    found = homes([*sights(OFFICE_TOWN, 10, 2), *sights(VILLAGE, 12, 14)])
    assert {home.name for home in found.values()} == {"Lund"}


def test_nights_tell_more_than_days() -> None:
    found = homes([*sights(OFFICE_TOWN, 10, 2), *sights(VILLAGE, 22, 6)])
    assert {home.name for home in found.values()} == {"Höör"}


def test_a_place_that_is_called_home_decides_though_fewer_pictures_were_taken_there() -> None:
    named = Place("Home", city="Höör", country="Sweden")
    found = homes([*sights(OFFICE_TOWN, 10, 2), *sights(named, 12, 14)])
    assert {home.name for home in found.values()} == {"Höör"}
