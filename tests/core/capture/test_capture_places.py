"""Positions: rows 17 and 18 of the table of inputs, cities and their parts, and time zones."""

import math
from datetime import datetime
from pathlib import Path

import pytest

from core.capture.places import Gazetteer, usable_position
from core.capture.zones import library_zone, offset_minutes
from core.errors import SettingsError
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing

BORDER_POINTS = Path(__file__).with_name("border_points.tsv")
"""Well-known spots beside borders: name, latitude, longitude, the code of the country."""


@pytest.fixture(scope="module")
def gazetteer() -> Gazetteer:
    return Gazetteer()


@pytest.mark.parametrize(
    ("latitude", "longitude", "city", "country"),
    [
        (48.85341, 2.3488, "Paris", "France"),
        (52.52437, 13.41053, "Berlin", "Germany"),
        (40.71427, -74.00597, "New York City", "United States"),
        (-18.5454, -70.3312, "Arica", "Chile"),
        (41.2203, -96.071625, "Ralston", "United States"),
        (39.115, -108.400968, "Palisade", "United States"),
        (55.7047, 13.1910, "Lund", "Sweden"),
        (35.6586, 139.7454, "Tokyo", "Japan"),
    ],
)
def test_a_position_gets_the_city_a_person_would_name(
    gazetteer: Gazetteer, latitude: float, longitude: float, city: str, country: str
) -> None:
    place = gazetteer.locate(latitude, longitude).place

    assert (place.city, place.country) == (city, country)
    assert (place.latitude, place.longitude) == (latitude, longitude)


TOO_NEAR_TO_TELL = {"Niagara Falls, Terrapin Point", "Iguacu, Hotel das Cataratas"}
"""Some hundred metres from a border in the middle of a river."""


def test_a_position_beside_a_border_lies_in_its_own_country(gazetteer: Gazetteer) -> None:
    points = [row.split("\t") for row in BORDER_POINTS.read_text("utf-8").splitlines()]
    wrong = {
        name
        for name, latitude, longitude, code in points
        if gazetteer.locate(float(latitude), float(longitude)).country_code != code
    }

    assert len(points) > 200
    assert wrong <= TOO_NEAR_TO_TELL


@pytest.mark.parametrize(
    ("latitude", "longitude", "city", "country"),
    [
        (32.5445, -117.0295, "Imperial Beach", "United States"),  # San Ysidro; the next town is Tijuana
        (43.0790, -79.0787, "Niagara Falls", "Canada"),  # its namesake over the river is nearer
        (45.0130, -72.0990, "Coaticook", "Canada"),
        (41.9031, 12.4663, "Rome", "Italy"),  # and not the Vatican
        (44.95, 34.1, "Simferopol", "Ukraine"),  # disputed: the table decides, for all of it alike
        (65.848, 24.146, "Tornio", "Finland"),  # nearer to the border than the border is true
        (34.59, 32.97, "", "United Kingdom"),  # a base without a town: no town next door is borrowed
        (28.1, -15.4, "Las Palmas de Gran Canaria", "Spain"),
        (35.889, -5.316, "Ceuta", "Spain"),
        (49.19, -2.11, "Saint Helier", "Jersey"),
        (-20.9, 55.5, "Sainte-Marie", "Reunion"),
    ],
)
def test_the_town_named_is_one_of_the_country(
    gazetteer: Gazetteer, latitude: float, longitude: float, city: str, country: str
) -> None:
    place = gazetteer.locate(latitude, longitude).place

    assert (place.city, place.country) == (city, country)


def test_a_part_of_a_large_city_becomes_its_district(gazetteer: Gazetteer) -> None:
    place = gazetteer.locate(52.5200, 13.3889).place

    assert (place.district, place.city) == ("Mitte", "Berlin")


@pytest.mark.parametrize(
    ("latitude", "longitude", "city", "region", "country"),
    [
        (47.5596, 7.5886, "Basel", "Basel-City", "Switzerland"),  # three countries within five kilometres
        (47.5935, 7.6111, "Weil am Rhein", "Baden-Wurttemberg", "Germany"),
        (47.5880, 7.5620, "Saint-Louis", "Grand Est", "France"),
        (43.0896, -79.0849, "Niagara Falls", "Ontario", "Canada"),
        (37.7412, -25.6756, "Ponta Delgada", "Azores", "Portugal"),
        (21.3069, -157.8583, "Honolulu", "Hawaii", "United States"),
        (78.2200, 15.6500, "Longyearbyen", "Svalbard", "Svalbard and Jan Mayen"),
        (-43.9500, -176.5600, "Waitangi", "Chatham Islands", "New Zealand"),
        (-16.8500, -179.9500, "", "Northern", "Fiji"),  # both sides of the date line
        (-16.8500, 179.9800, "", "Northern", "Fiji"),
        (-90.0, 0.0, "", "", ""),
        (90.0, 10.0, "", "", ""),
    ],
)
def test_borders_islands_poles_and_the_date_line(
    gazetteer: Gazetteer, latitude: float, longitude: float, city: str, region: str, country: str
) -> None:
    place = gazetteer.locate(latitude, longitude).place

    assert (place.city, place.region, place.country) == (city, region, country)


@pytest.mark.parametrize(("latitude", "longitude"), [(0.5, -30.0), (-60.0, 179.999), (89.99, 0.0), (59.9, -179.99)])
def test_the_middle_of_the_sea_has_coordinates_and_no_names(
    gazetteer: Gazetteer, latitude: float, longitude: float
) -> None:
    place = gazetteer.locate(latitude, longitude).place

    assert place.label == ""
    assert place.latitude == latitude


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [(0.0, 0.0), (math.nan, 5.0), (91.0, 5.0), (45.0, 181.0), (None, 5.0), (5.0, None), (math.inf, 0.0)],
)
def test_what_no_position_can_be_is_no_place(latitude: float | None, longitude: float | None) -> None:
    assert usable_position(latitude, longitude) is None


def test_southern_and_western_references_are_honoured(capture: Capturing, album: Path) -> None:
    drawn.jpeg(album / "a.jpg", 1, drawn.exif(gps=(-18.5454, -70.3312)))
    drawn.jpeg(album / "null.jpg", 2, drawn.exif(gps=(0.0, 0.0)))
    drawn.jpeg(album / "no_refs.jpg", 3, drawn.exif(gps=(48.2, 16.3), refs=False))
    capture()

    place = capture.named("a.jpg").place

    assert place is not None
    assert place.country == "Chile"
    assert place.latitude == pytest.approx(-18.5454, abs=1e-4)
    assert capture.named("null.jpg").place is None
    assert capture.named("no_refs.jpg").place is None


@pytest.mark.parametrize(
    "changed",
    [
        {1: "E", 3: "N"},
        {1: "X", 3: "E"},
        {2: (91.0, 0.0, 0.0), 1: "N", 3: "E"},
        {4: (200.0, 0.0, 0.0), 1: "N", 3: "E"},
        {2: (48.0,), 4: (), 1: "N", 3: "E"},
    ],
)
def test_a_position_whose_parts_make_no_sense_is_no_place(
    capture: Capturing, album: Path, changed: dict[int, object]
) -> None:
    block = drawn.exif(gps=(48.2, 16.3))
    block[0x8825] = {**block[0x8825], **changed}
    drawn.jpeg(album / "a.jpg", 1, block)
    capture()

    assert capture.named("a.jpg").place is None


@pytest.mark.parametrize(
    ("position", "code", "wall", "minutes"),
    [
        ((48.2, 16.3), "AT", datetime(2024, 7, 1, 12), 120),
        ((48.2, 16.3), "AT", datetime(2024, 1, 1, 12), 60),
        ((41.2, -96.0), "US", datetime(2019, 3, 21, 11), -300),
        ((34.0, -118.2), "US", datetime(2019, 3, 21, 11), -420),
        ((-18.5, -70.3), "CL", datetime(2021, 5, 5, 10), -240),
        ((28.6, 77.2), "IN", datetime(2021, 5, 5, 10), 330),
        ((0.0, -30.0), "", datetime(2021, 5, 5, 10), None),
    ],
)
def test_a_position_gives_the_offset_of_its_day(
    position: tuple[float, float], code: str, wall: datetime, minutes: int | None
) -> None:
    assert offset_minutes(*position, code, wall) == minutes


def test_an_unknown_library_zone_is_told() -> None:
    with pytest.raises(SettingsError, match="Middle-earth"):
        library_zone("Middle-earth/Shire")
    assert library_zone(None) is None
