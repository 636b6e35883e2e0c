"""A drawn year in the interchange format with everything known exactly: homes, trips, day trips, false clocks."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

GRAZ = {"city": "Graz", "country": "Austria", "latitude": 47.07, "longitude": 15.44}
VIENNA = {"city": "Vienna", "country": "Austria", "latitude": 48.21, "longitude": 16.37}
AWAY = {
    "Porto": {"city": "Porto", "country": "Portugal", "latitude": 41.15, "longitude": -8.61},
    "Rome": {"city": "Rome", "country": "Italy", "latitude": 41.90, "longitude": 12.50},
    "Bergen": {"city": "Bergen", "country": "Norway", "latitude": 60.39, "longitude": 5.32},
    "Salzburg": {"city": "Salzburg", "country": "Austria", "latitude": 47.80, "longitude": 13.04},
    "Maribor": {"city": "Maribor", "country": "Slovenia", "latitude": 46.55, "longitude": 15.65},
    "Hallstatt": {"city": "Hallstatt", "country": "Austria", "latitude": 47.56, "longitude": 13.65},
}
SIGHTS = ("Old Bridge", "Market Hall", "Castle", "River Bank", "Museum Garden")
YEAR = 2024
MOVED_ON = date(YEAR, 8, 1)


@dataclass
class DrawnYear:
    """What was drawn.

    Attributes:
        trips: (city, first day, last day) of every journey with a night.
        day_trips: (city, day).
        clocks: by what is wrong, the public ids and the seconds to be added (None where nobody can know).
    """

    lines: list[dict[str, Any]] = field(default_factory=list)
    trips: list[tuple[str, date, date]] = field(default_factory=list)
    day_trips: list[tuple[str, date]] = field(default_factory=list)
    clocks: dict[str, tuple[set[str], int | None]] = field(default_factory=dict)

    def write(self, path: Path) -> Path:
        """As an interchange file."""
        path.write_text("\n".join(json.dumps(line) for line in self.lines), encoding="utf-8")
        return path


def draw(seed: int) -> DrawnYear:
    """Draw a year: home in Graz, from August in Vienna; journeys and false clocks at random days."""
    chance = random.Random(seed)  # noqa: S311 - drawn data, not secrets
    year = DrawnYear()
    days = [date(YEAR, 1, 1) + timedelta(days=step) for step in range(366)]
    busy: set[date] = set()
    for city, nights in (("Porto", 6), ("Rome", 3), ("Bergen", 9), ("Salzburg", 1)):
        first = _free(chance, days, busy, nights + 1)
        year.trips.append((city, first, first + timedelta(days=nights)))
    for city in ("Maribor", "Hallstatt", "Salzburg"):
        year.day_trips.append((city, _free(chance, days, busy, 1)))
    away: dict[date, str] = {day: city for city, day in year.day_trips}
    for city, first, last in year.trips:
        away |= {first + timedelta(days=step): city for step in range((last - first).days + 1)}
    gaps = _gaps(chance, year)
    numbers = iter(range(20_000, 99_999))
    for day in days:
        if day in away:
            if day not in gaps:
                year.lines += _day_away(chance, day, away[day], numbers)
        elif chance.random() < 0.8:
            year.lines += _day_at_home(chance, day, numbers)
    _false_clocks(chance, year, days, set(away))
    chance.shuffle(year.lines)
    return year


def _free(chance: random.Random, days: list[date], busy: set[date], length: int) -> date:
    """The first of some free days that lie apart from every other journey and from the move."""
    while True:
        first = chance.choice(days[10 : -length - 10])
        taken = {first + timedelta(days=step) for step in range(-6, length + 6)}
        if not taken & busy and MOVED_ON not in taken:
            busy |= taken
            return first


def _gaps(chance: random.Random, year: DrawnYear) -> set[date]:
    """Two days without a memory in the middle of the longest journey."""
    _, first, _ = max(year.trips, key=lambda trip: trip[2] - trip[1])
    start = first + timedelta(days=chance.randint(2, 4))
    return {start, start + timedelta(days=1)}


def _day_at_home(chance: random.Random, day: date, numbers: Iterator[int]) -> list[dict[str, Any]]:
    city = GRAZ if day < MOVED_ON else VIENNA
    hours = [8, chance.choice([12, 13, 17]), 21]
    return [_line(chance, day, hour, _near(chance, city, 0.02), f"home {day} {hour}", numbers) for hour in hours]


def _day_away(chance: random.Random, day: date, city: str, numbers: Iterator[int]) -> list[dict[str, Any]]:
    return [
        _line(
            chance,
            day,
            hour,
            _near(chance, AWAY[city], 0.02) | {"name": chance.choice(SIGHTS)},
            f"away {day} {hour}",
            numbers,
        )
        for hour in (9, 11, 14, 16, 19)
    ]


def _false_clocks(chance: random.Random, year: DrawnYear, days: list[date], away: set[date]) -> None:
    """A camera a year behind on one journey, an hour behind on another, one without a battery, and one that jumped."""
    (_, first, last), (_, other, _) = year.trips[0], year.trips[2]
    behind = first.replace(year=first.year - 1)
    ids = set()
    for step in range((last - first).days + 1):
        for line in _on(year, first + timedelta(days=step)):
            ids.add(_beside(year, line, "CANON", (behind - first).days * 86400, chance))
    year.clocks["a year behind"] = ids, (first - behind).days * 86400
    ids = set()
    for step in (0, 1):
        for line in _on(year, other + timedelta(days=step)):
            ids.add(_beside(year, line, "NIKON", -3600, chance))
    year.clocks["an hour behind"] = ids, 3600
    ids = set()
    for number in range(3):
        when = datetime(2000, 1, 1, 0, 2 + number)
        ids.add(_append(year, f"reset{number}", when, f"SONY_{501 + number:04}.JPG", None))
    year.clocks["no battery"] = ids, None
    quiet = next(day for day in days[70:] if not away & {day + timedelta(days=step) for step in range(-4, 26)})
    ids = set()
    for number in range(24):
        when = datetime.combine(quiet + timedelta(days=number), time(12, 30))
        wrong = 8 <= number < 14
        shown = when.replace(year=when.year - 1) if wrong else when
        name = _append(year, f"jump{number}", shown, f"LEICA_{number + 100:04}.JPG", None)
        if wrong:
            ids.add(name)
    year.clocks["jumped"] = ids, 366 * 86400


def _on(year: DrawnYear, day: date) -> list[dict[str, Any]]:
    return [
        line
        for line in list(year.lines)
        if line["taken_at"].startswith(day.isoformat()) and line["id"].startswith("away")
    ]


def _beside(year: DrawnYear, line: dict[str, Any], camera: str, shift_s: int, chance: random.Random) -> str:
    when = datetime.fromisoformat(line["taken_at"]) + timedelta(minutes=chance.randint(-3, 3), seconds=shift_s)
    name = f"{camera} {line['id']}"
    return _append(year, name, when, f"{camera}_{len(year.lines):05}.JPG", line["place"])


def _append(year: DrawnYear, name: str, when: datetime, file_name: str, place: dict[str, Any] | None) -> str:
    line = {
        "id": name.replace(" ", "-"),
        "kind": "photo",
        "taken_at": when.isoformat(),
        "file_name": file_name,
        "caption": "A view",
    }
    year.lines.append(line | ({"place": place} if place else {}))
    return str(line["id"])


def _near(chance: random.Random, place: dict[str, Any], spread: float) -> dict[str, Any]:
    return place | {
        "latitude": round(place["latitude"] + chance.uniform(-spread, spread), 5),
        "longitude": round(place["longitude"] + chance.uniform(-spread, spread), 5),
    }


def _line(
    chance: random.Random, day: date, hour: int, place: dict[str, Any], name: str, numbers: Iterator[int]
) -> dict[str, Any]:
    when = datetime.combine(day, time(hour, chance.randint(0, 59)))
    return {
        "id": name.replace(" ", "-"), "kind": "photo", "taken_at": when.isoformat(),
        "file_name": f"PXL_{day:%Y%m%d}_{next(numbers)}00.jpg", "caption": "A view", "place": place,
    }  # fmt: skip
