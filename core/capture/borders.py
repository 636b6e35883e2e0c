"""In which country does a position lie? The borders of country-coder, version 5.6.1, unchanged, read by ourselves.

They are true to some hundred metres on land and coarse at sea; where a border is disputed they show who holds the land.
"""

import gzip
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ring = NDArray[np.float64]
"""Corners as (longitude, latitude), the first one again at the end."""
_MAINLAND = {"FX": "FR"}
"""Codes of parts that no table of countries knows."""
_NO_COUNTRY = frozenset({"EU", "UN"})


@dataclass(frozen=True, slots=True)
class _Area:
    code: str
    outline: Ring
    holes: tuple[Ring, ...]

    def holds(self, longitude: float, latitude: float) -> bool:
        return _is_inside(self.outline, longitude, latitude) and not any(
            _is_inside(hole, longitude, latitude) for hole in self.holes
        )


@dataclass(frozen=True)
class Borders:
    """The areas of countries and of territories with a code of their own.

    Attributes:
        codes: the codes that count; an area that has none of them belongs to the territory or country it is part of.
    """

    codes: Collection[str]

    def country_at(self, latitude: float, longitude: float) -> str:
        """The code of the country at a position; empty on the high seas and on nobody's land."""
        west, south, east, north = self._boxes.T
        near = np.flatnonzero((west <= longitude) & (longitude <= east) & (south <= latitude) & (latitude <= north))
        found = (area.code for area in map(self._areas.__getitem__, near) if area.holds(longitude, latitude))
        return next(found, "")

    @cached_property
    def _areas(self) -> tuple[_Area, ...]:
        with gzip.open(Path(__file__).with_name("borders.json.gz")) as file:
            features = json.load(file)["features"]
        return tuple(
            _Area(code, np.array(outline), tuple(np.array(hole) for hole in holes))
            for feature in features
            if feature["geometry"] and (code := self._code_of(feature["properties"]))
            for outline, *holes in feature["geometry"]["coordinates"]
        )

    @cached_property
    def _boxes(self) -> NDArray[np.float64]:
        """West, south, east and north of each area."""
        return np.array([[*area.outline.min(axis=0), *area.outline.max(axis=0)] for area in self._areas])

    def _code_of(self, said: Mapping[str, Any]) -> str:  # as in the file
        own = said.get("iso1A2", "")
        wider = (each for each in said.get("groups", ()) if each in self.codes and each not in _NO_COUNTRY)
        return _MAINLAND.get(own, own if own in self.codes else next(wider, str(said.get("country", ""))))


def _is_inside(ring: Ring, longitude: float, latitude: float) -> bool:
    """Whether a line from the position to the east crosses the ring an odd number of times."""
    (first_x, first_y), (next_x, next_y) = ring[:-1].T, ring[1:].T
    crosses = (first_y > latitude) != (next_y > latitude)
    x, y = first_x[crosses], first_y[crosses]
    at = x + (next_x[crosses] - x) * (latitude - y) / (next_y[crosses] - y)
    return bool(np.count_nonzero(at > longitude) % 2)
