"""Says which time zone a position lies in, from the principal places of the time zone database; no network, no polygons."""

import re
import zoneinfo
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cache
from importlib import resources
from pathlib import Path

from core.capture.sphere import km_between
from core.errors import SettingsError

_POSITION = re.compile(r"^([+-])(\d{2})(\d{2})(\d{2})?([+-])(\d{3})(\d{2})(\d{2})?$")


@dataclass(frozen=True, slots=True)
class _Principal:
    country_code: str
    latitude: float
    longitude: float
    name: str


def library_zone(name: str | None) -> tzinfo | None:
    """The zone of an IANA name; None stays None.

    Raises:
        SettingsError: there is no such zone.
    """
    if not name:
        return None
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SettingsError(
            f"There is no time zone {name!r}.", "Use a name like Europe/Lisbon, or leave the setting empty."
        ) from error


def offset_minutes(latitude: float, longitude: float, country_code: str, wall: datetime) -> int | None:
    """Minutes east of UTC at a position on a wall time; None where the country is unknown.

    The zone is the one of the country whose principal place is nearest: exact for countries with one zone, right but near the
    border between two for the others.
    """
    places = [each for each in _principal_places() if each.country_code == country_code]
    if not places:
        return None
    nearest = min(places, key=lambda each: km_between(latitude, longitude, each.latitude, each.longitude))
    try:
        offset = wall.replace(tzinfo=zoneinfo.ZoneInfo(nearest.name)).utcoffset()
    except (zoneinfo.ZoneInfoNotFoundError, OSError):
        return None
    return None if offset is None else round(offset.total_seconds() / 60)


@cache
def _principal_places() -> tuple[_Principal, ...]:
    found = []
    for line in _zone_tab().splitlines():
        columns = line.split("\t")
        position = _POSITION.match(columns[1]) if not line.startswith("#") and len(columns) > 2 else None
        if position:
            latitude = _signed(position[1], position[2], position[3], position[4])
            longitude = _signed(position[5], position[6], position[7], position[8])
            found.append(_Principal(columns[0], latitude, longitude, columns[2].strip()))
    return tuple(found)


def _signed(sign: str, degrees: str, minutes: str, seconds: str | None) -> float:
    value = int(degrees) + int(minutes) / 60 + int(seconds or 0) / 3600
    return -value if sign == "-" else value


def _zone_tab() -> str:
    """The system's table, else the one of the `tzdata` package (Windows has none of its own)."""
    for folder in zoneinfo.TZPATH:
        path = Path(folder) / "zone.tab"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    try:
        return (resources.files("tzdata") / "zoneinfo" / "zone.tab").read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return ""
