"""Where does the person live, and where do they usually go, month by month? Learned from the weeks in which places come back.

Each month looks three months back and ahead, so a move shows in its month and a long journey is no move. Weeks are counted,
not pictures: three weeks of holiday with a thousand pictures are three weeks.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any

from core.augment.places import area_key, is_home_like, km_between
from core.records import CapturedMemory, Place
from core.text_keys import text_key

SURE = 0.5
"""Below this confidence a date says nothing about where somebody was."""
MONTHS_AROUND = 3
_NIGHT_FROM, _NIGHT_UNTIL = time(20), time(8)
_FEWEST_DAYS, _HOME_SHARE = 3, 0.3
_USUAL_WEEKS, _USUAL_SHARE, _USUAL_SPAN_WEEKS = 4, 0.25, 8
_AWAY_KM = 40
_BY_DAY, _AT_NIGHT, _AT_HOME = 0, 1, 2
"""What tells most of where somebody was on a day; a place that is called home, by the person most of all, counts most."""


@dataclass(frozen=True, slots=True)
class Seen:
    """That the person was somewhere."""

    wall: datetime
    is_night: bool
    place: Place

    @property
    def month(self) -> int:
        """The month's number, counted through the years."""
        return month_of(self.wall.date())


@dataclass(frozen=True, slots=True)
class Home:
    """Where a month is at home: an area, its rough middle, its country, and other areas that are everyday ones too."""

    area: str
    name: str = ""
    country: str = ""
    latitude: float | None = None
    longitude: float | None = None
    usual: tuple[str, ...] = ()

    def is_away(self, place: Place | None) -> bool:
        """Whether a place is neither here nor usual, and far enough where coordinates tell; False when it is not known."""
        area = area_key(place)
        if place is not None and not area:
            return bool(place.country and self.country) and text_key(place.country) != text_key(self.country)
        if place is None or area == self.area or area in self.usual or is_home_like(place):
            return False
        km = km_between(place, Place(latitude=self.latitude, longitude=self.longitude))
        return km is None or km >= _AWAY_KM


class Homes:
    """The home of every month; a month that shows none has that of the nearest month that does."""

    def __init__(self, own: Mapping[int, Home]) -> None:
        self.own = dict(own)
        self._known = sorted(own)

    def at(self, day: date) -> Home | None:
        """The home on a day; None when nothing is known."""
        month = month_of(day)
        if month in self.own or not self._known:
            return self.own.get(month)
        return self.own[min(self._known, key=lambda known: (abs(known - month), known))]

    def packed(self) -> str:
        """As text."""
        return json.dumps({month: asdict(home) for month, home in self.own.items()}, ensure_ascii=False)

    @staticmethod
    def unpacked(text: str) -> "Homes":
        """Of a text."""
        fields = json.loads(text) if text else {}
        return Homes({int(month): Home(**{**home, "usual": tuple(home["usual"])}) for month, home in fields.items()})

    def periods(self) -> list[tuple[date, date, Home]]:
        """First day, last day and home of each stretch of months in one area."""
        found: list[tuple[date, date, Home]] = []
        for month in self._known:
            home, first, after = self.own[month], first_day(month), first_day(month + 1)
            last = date.fromordinal(after.toordinal() - 1)
            if found and found[-1][2].area == home.area:
                both = tuple(sorted({*found[-1][2].usual, *home.usual}))
                found[-1] = (
                    found[-1][0],
                    last,
                    Home(home.area, home.name, home.country, home.latitude, home.longitude, both),
                )
            else:
                found.append((first, last, home))
        return found


def month_of(day: date) -> int:
    """A month's number, counted through the years."""
    return day.year * 12 + day.month - 1


def first_day(month: int) -> date:
    """The first day of a month by its number, held within the calendar."""
    return date(min(max(month // 12, 1), 9998), month % 12 + 1, 1)


Digest = dict[
    str, dict[str, list[Any]]
]  # by area and day: name, country, latitude, longitude, what tells of being there
"""What a month says of where the person was, as JSON can hold it: a month is read once, however often it is looked at."""


def digests(sights: Iterable[Seen]) -> dict[int, Digest]:
    """What sights say, by month; the order of the sights does not matter."""
    found: dict[int, Digest] = {}
    for sight in sorted(sights, key=lambda each: (each.wall, each.place.label)):
        place, area = sight.place, _area(sight.place)
        if area:
            days = found.setdefault(sight.month, {}).setdefault(area, {})
            named = [place.city or place.region or place.label, place.country, place.latitude, place.longitude, _BY_DAY]
            day = days.setdefault(sight.wall.date().isoformat(), named)
            day[4] = max(day[4], _AT_HOME if is_home_like(place) else _AT_NIGHT if sight.is_night else _BY_DAY)
    return found


def seen_in(memories: Iterable[CapturedMemory]) -> Iterator[Seen]:
    """Where memories say that the person was."""
    for memory in memories:
        taken = memory.taken
        if taken.wall and taken.confidence >= SURE and memory.place:
            yield seen(taken.wall, memory.place, day_only=taken.day_only)


def homes(sights: Iterable[Seen]) -> dict[int, Home]:
    """The home of every month that shows one."""
    return homes_of(digests(sights))


def seen(wall: datetime, place: Place, *, day_only: bool) -> Seen:
    """One sight of the person."""
    is_night = not day_only and (wall.time() >= _NIGHT_FROM or wall.time() < _NIGHT_UNTIL)
    return Seen(wall, is_night, place)


def homes_of(by_month: Mapping[int, Digest], months: Iterable[int] | None = None) -> dict[int, Home]:
    """The home of each of these months (all that were seen, when None) that shows one."""
    found = {}
    for month in sorted(by_month if months is None else set(months) & by_month.keys()):
        near = (by_month.get(each, {}) for each in range(month - MONTHS_AROUND, month + MONTHS_AROUND + 1))
        home = _home(near)
        if home:
            found[month] = home
    return found


def _home(around: Iterable[Digest]) -> Home | None:
    weeks: dict[str, set[int]] = defaultdict(set)
    nights: dict[str, set[int]] = defaultdict(set)
    named_home: dict[str, set[int]] = defaultdict(set)
    places: dict[str, list[list[Any]]] = defaultdict(list)
    for month in around:
        for area, days in month.items():
            for day, place in days.items():
                week = (date.fromisoformat(day).toordinal() - 1) // 7
                weeks[area].add(week)
                places[area].append(place)
                if place[4] >= _AT_NIGHT:
                    nights[area].add(week)
                if place[4] >= _AT_HOME:
                    named_home[area].add(week)
    votes = Counter({area: len(seen) + len(nights[area]) + 2 * len(named_home[area]) for area, seen in weeks.items()})
    area = max(votes, key=lambda each: (votes[each], len(places[each]), each), default="")
    if not area or len(places[area]) < _FEWEST_DAYS or votes[area] < _HOME_SHARE * votes.total():
        return None
    every_week = len(set().union(*weeks.values()))
    usual = (each for each in weeks if each != area and _is_usual(weeks[each], every_week))
    name, country = Counter((place[0], place[1]) for place in places[area]).most_common(1)[0][0]
    return Home(area, name, country, *_middle(places[area]), tuple(sorted(usual)))


def _is_usual(weeks: set[int], every_week: int) -> bool:
    return len(weeks) >= max(_USUAL_WEEKS, _USUAL_SHARE * every_week) and max(weeks) - min(weeks) >= _USUAL_SPAN_WEEKS


def _middle(places: list[list[Any]]) -> tuple[float | None, float | None]:
    """The middle to a tenth of a degree: one more picture should not move it."""
    placed = [(place[2], place[3]) for place in places if place[2] is not None and place[3] is not None]
    if not placed:
        return None, None
    latitudes, longitudes = (sorted(axis) for axis in zip(*placed, strict=True))
    return round(latitudes[len(placed) // 2], 1), round(longitudes[len(placed) // 2], 1)


@lru_cache(maxsize=20_000)
def _area(place: Place) -> str:
    return area_key(place)
