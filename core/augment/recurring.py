"""Which events come back again and again? Outings of one name in at least four weeks are a recurring activity."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from core.records import Event, EventStatus
from core.text_keys import text_key

_FEWEST_WEEKS = 4
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_WEEKDAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")


@dataclass(frozen=True, slots=True)
class Series:
    """Events of one name.

    Attributes:
        weekday: the day of the week on which most of them were ("Tuesdays"); empty where there is none.
    """

    name: str
    event_ids: tuple[str, ...]
    weeks: int
    weekday: str
    first: date
    last: date


def recurring(events: Iterable[Event]) -> list[Series]:
    """Every recurring activity, the most frequent first."""
    by_name: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        is_outing = event.start and event.end and (event.end - event.start).days < 1
        if event.status is EventStatus.LIVED and is_outing:
            by_name[text_key(_YEAR.sub("", event.name))].append(event)
    found = [_series(alike) for alike in by_name.values()]
    return sorted((each for each in found if each.weeks >= _FEWEST_WEEKS), key=lambda each: (-each.weeks, each.name))


def _series(alike: list[Event]) -> Series:
    days = sorted(event.start.date() for event in alike if event.start)
    weekday, most = Counter(day.weekday() for day in days).most_common(1)[0]
    return Series(
        name=alike[0].name,
        event_ids=tuple(event.id for event in alike),
        weeks=len({day.isocalendar()[:2] for day in days}),
        weekday=_WEEKDAYS[weekday] if most * 2 > len(days) else "",
        first=days[0],
        last=days[-1],
    )
