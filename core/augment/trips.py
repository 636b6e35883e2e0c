"""When was the person away from home, for a night or more or for a day?"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from core.augment.places import area_key, city_called
from core.augment.usual import SURE, Home, Homes
from core.records import CapturedMemory
from core.text_keys import text_key

GAP_DAYS = 2
_FEWEST_ON_A_DAY = 2
_LONGEST_DESTINATION = 40
_TRAVEL_WORDS = (
    "boarding",
    "flight",
    "airport",
    "train",
    "ticket",
    "gate",
    "departure",
    "suitcase",
    "luggage",
    "station",
)


@dataclass(frozen=True, slots=True)
class Trip:
    """Memories of one journey, in time order, and what to call where it went.

    Attributes:
        overnight: False for a journey of one day.
    """

    destination: str
    members: tuple[CapturedMemory, ...]
    overnight: bool
    home: str


def trips(memories: Sequence[CapturedMemory], homes: Homes) -> list[Trip]:
    """Every journey: days away with at most two days without a memory between, and no memory at home.

    A journey without a night counts where two memories or more were taken away from home.
    """
    dated = sorted((each for each in memories if each.taken.wall), key=lambda each: (each.taken.wall, each.public_id))
    runs: list[list[CapturedMemory]] = []
    away: list[CapturedMemory] = []
    for memory in dated:
        home = homes.at(_day(memory))
        if home is None or memory.taken.confidence < SURE:
            continue
        is_away = home.is_away(memory.place)
        if not is_away and not area_key(memory.place):
            continue
        if not is_away or (away and _day(memory) - _day(away[-1]) > timedelta(days=GAP_DAYS + 1)):
            runs.append(away)
            away = []
        if is_away:
            away.append(memory)
    runs.append(away)
    return [
        trip
        for run in runs
        if run and (trip := _trip(run, dated, homes)) and (trip.overnight or len(run) >= _FEWEST_ON_A_DAY)
    ]


def _trip(run: Sequence[CapturedMemory], dated: Sequence[CapturedMemory], homes: Homes) -> Trip:
    """With what was captured on the way: memories without a place in between, and travel papers of the first day."""
    first, last = run[0], run[-1]
    on_the_way = dated[_from(dated, _day(first)) : _from(dated, _day(last) + timedelta(days=1))]
    away = {memory.id for memory in run}
    members = [
        memory
        for memory in on_the_way
        if memory.id in away
        or (not area_key(memory.place) and _within(memory, first, last))
        or (_day(memory) == _day(first) and _shows_travel(memory))
    ]
    home = homes.at(_day(first)) or Home("")
    return Trip(_destination(run, {home.country}), tuple(members), _day(last) > _day(first), home.name)


def _from(dated: Sequence[CapturedMemory], day: date) -> int:
    return bisect_left(dated, day, key=_day)


def _destination(run: Sequence[CapturedMemory], home_countries: set[str]) -> str:
    """The city; two cities that both matter; or the foreign country of three and more."""
    days = Counter(area for area, _ in {(area_key(memory.place), _day(memory)) for memory in run})
    if len(days) > 1:
        days.pop("", None)  # of a country alone
    main = [area for area, n in days.most_common() if n * 3 >= days.most_common(1)[0][1]]
    names = {area_key(memory.place): _name(memory) for memory in reversed(run)}
    countries = Counter(memory.place.country for memory in run if memory.place and memory.place.country)
    if len(main) >= 3 and len(countries) == 1 and next(iter(countries)) not in home_countries:
        return next(iter(countries))
    both = " and ".join(names[area] for area in main[:2])
    return both if len(both) <= _LONGEST_DESTINATION else names[main[0]]


def _name(memory: CapturedMemory) -> str:
    if memory.place is None:
        return ""
    return city_called(memory.place) or memory.place.name or "somewhere else"


def _shows_travel(memory: CapturedMemory) -> bool:
    text = text_key(" ".join((memory.title, memory.caption, memory.visible_text, " ".join(memory.visual_elements))))
    return sum(word in text for word in _TRAVEL_WORDS) >= 2 or "boarding pass" in text


def _within(memory: CapturedMemory, first: CapturedMemory, last: CapturedMemory) -> bool:
    walls = memory.taken.wall, first.taken.wall, last.taken.wall
    return all(walls) and walls[1] <= walls[0] <= walls[2]  # type: ignore[operator]  # all are dated


def _day(memory: CapturedMemory) -> date:
    return memory.taken.day or date.min
