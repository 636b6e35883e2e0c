"""Where somebody lives is where most weeks and nights were spent, and before that where a place is called home."""

from datetime import datetime, timedelta

from core.augment.usual import Seen, homes, seen
from core.records import Origin, Place, Taken
from core.store.library import Library
from tests.core.augment.life import remember, run, shown

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


def test_pictures_of_which_only_the_time_of_their_copy_is_known_make_no_event(library: Library) -> None:
    copied = Taken(datetime(2026, 12, 1, 4, 36), None, Origin.FILE_TIME, 0.2)
    for name in ("Marie Curie", "Pierre Curie", "Jonas Weber", "Ana Reis"):
        memory_id = remember(library, None, "A birthday party with a cake", people=(name,), place=VILLAGE)
        with library.memories.edit(memory_id) as edit:
            edit.set_taken(copied)
    run(library)
    assert shown(library) == []
