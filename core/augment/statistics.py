"""Which lasting statements do counts give? How often, with whom, where, since when, firsts, favourites; each with its evidence."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

from core.augment.places import area_key
from core.augment.signs import gathering
from core.augment.usual import Homes, homes, seen_in
from core.records import CapturedMemory, Knowledge, Provenance
from core.text_keys import text_key

VERSION = "knowledge-2"
MOST_EVIDENCE = 50
_HABIT_DAYS, _HABIT_WEEKS = 5, 4
_COMPANION_DAYS, _FAVOURITE_DAYS, _HOME_NIGHTS, _FIRST_DAYS = 4, 3, 3, 2
_MOST_OF_A_KIND = 8
_WEEKDAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
_OF_EVERY_DAY = frozenset(("home", "house", "office", "work", "apartment"))

ByName = dict[str, tuple[str, list[CapturedMemory]]]
"""Memories by the key of a name, with the name as it was first written."""


def counted_statements(dated: Sequence[CapturedMemory], owner: str) -> Iterator[Knowledge]:
    """Everything that counts give, over memories with a sure day, oldest first."""
    living = Homes(homes(seen_in(dated)))
    yield from _homes(dated, living)
    yield from _companions(dated, owner)
    yield from _favourites(dated, owner)
    yield from _habits(dated, owner)
    yield from _firsts(dated)
    yield from _first_visits(dated, living)


def _homes(dated: Sequence[CapturedMemory], living: Homes) -> Iterator[Knowledge]:
    """Where the person lived, one statement a stretch of time; the last one may still hold."""
    periods = living.periods()
    months_matter = any(one[1].year == other[0].year for one, other in pairwise(periods))
    runs: Counter[str] = Counter()
    for at, (first, last, home) in enumerate(periods):
        own = [
            each
            for each in dated
            if each.taken.day and first <= each.taken.day <= last and area_key(each.place) == home.area
        ]
        nights = {each.taken.day for each in own if each.taken.wall and not 8 <= each.taken.wall.hour < 20}
        if len(nights) < _HOME_NIGHTS:
            continue
        runs[home.area] += 1
        days = _days(own)
        span = _months(first, last) if months_matter else _years(days[0].year, days[-1].year)
        again = f" ({runs[home.area]})" if runs[home.area] > 1 else ""
        after = f" Before that: {periods[at - 1][2].name}." if at else ""
        yield statement(
            "home", home.name + again, f"Lived in {home.name} ({span}).", ids_of(own), 0.5 + 0.4 * min(1.0, len(nights) / 30),
            f"{len(nights)} nights and {len(days)} days were spent there, more than anywhere else.{after}",
            days[0] if months_matter else date(days[0].year, 1, 1),
            None if at == len(periods) - 1 else last,
        )  # fmt: skip


def _companions(dated: Sequence[CapturedMemory], owner: str) -> Iterator[Knowledge]:
    by_person = by_name(dated, lambda memory: memory.people)
    by_person.pop(text_key(owner), None)
    for rank, (name, members) in enumerate(_most_days(by_person, _COMPANION_DAYS)):
        days = _days(members)
        often = "Most often together with" if rank == 0 else "Often together with"
        yield statement(
            "companion", name,
            f"{often} {name}: on {len(days)} days between {_month(days[0])} and {_month(days[-1])}{_mostly_at(members)}.", ids_of(members),
            min(0.95, 0.5 + len(days) / 40), f"{name} is in {len(members)} memories of {len(days)} days.", days[0], days[-1],
        )  # fmt: skip


def _favourites(dated: Sequence[CapturedMemory], owner: str) -> Iterator[Knowledge]:
    by_place = by_name(dated, lambda memory: (memory.place.name,) if memory.place else ())
    outside = {key: value for key, value in by_place.items() if not _OF_EVERY_DAY & set(key.split())}
    for name, members in _most_days(outside, _FAVOURITE_DAYS):
        days = _days(members)
        yield statement(
            "favourite", name,
            f"Goes to {name} often: {len(days)} days between {_month(days[0])} and {_month(days[-1])}{_mostly_with(members, owner)}.",
            ids_of(members), min(0.95, 0.5 + len(days) / 30), f"{len(members)} memories of {len(days)} days were taken there.",
            days[0], days[-1],
        )  # fmt: skip


def _habits(dated: Sequence[CapturedMemory], owner: str) -> Iterator[Knowledge]:
    for name, members in _most_days(by_name(dated, _done), _HABIT_DAYS):
        days = _days(members)
        weeks = {day.isocalendar()[:2] for day in days}
        if len(weeks) < _HABIT_WEEKS:
            continue
        weekday, most = Counter(day.weekday() for day in days).most_common(1)[0]
        on = f", mostly on {_WEEKDAYS[weekday]}" if most * 2 > len(days) else ""
        subject = name[:1].lower() + name[1:] if not name[1:2].isupper() else name
        yield statement(
            "habit", name, f"Regular activity: {subject}, {_frequency(days)}{on}{_mostly_at(members)}{_mostly_with(members, owner)}.",
            ids_of(members), min(0.95, 0.45 + len(days) / 40), f"Seen on {len(days)} days in {len(weeks)} weeks.", days[0], days[-1],
        )  # fmt: skip


def _firsts(dated: Sequence[CapturedMemory]) -> Iterator[Knowledge]:
    """The first time of something that was done again later."""
    for name, members in _most_days(by_name(dated, _done), _FAVOURITE_DAYS):
        days = _days(members)
        if _is_news(dated, days):
            yield statement(
                "first", name, f"First time of {name.lower()} in these memories: {_day(days[0])}.", ids_of(members), 0.6,
                f"No earlier memory shows it; {len(days) - 1} later days do.", days[0], None,
            )  # fmt: skip


def _first_visits(dated: Sequence[CapturedMemory], living: Homes) -> Iterator[Knowledge]:
    """The first time in a country that is no home."""
    home_countries = {text_key(home.country) for home in living.own.values()}
    by_country = by_name(dated, lambda memory: (memory.place.country,) if memory.place else ())
    for key in home_countries:
        by_country.pop(key, None)
    for name, members in _most_days(by_country, _FIRST_DAYS):
        days = _days(members)
        if _is_news(dated, days):
            yield statement(
                "first", f"in {name}", f"First time in {name} in these memories: {_day(days[0])}.", ids_of(members), 0.6,
                f"No earlier memory was taken there; {len(days)} days are known.", days[0], None,
            )  # fmt: skip


def _is_news(dated: Sequence[CapturedMemory], days: Sequence[date]) -> bool:
    """Whether enough was captured before to say that it is the first."""
    return days[0] - (dated[0].taken.day or days[0]) >= timedelta(days=30)


def _done(memory: CapturedMemory) -> tuple[str, ...]:
    """What was done: labelled activities, else the kind of outing that the memory shows."""
    outing = gathering([memory])
    return memory.activities or ((outing,) if outing else ())


def _mostly_at(members: Sequence[CapturedMemory]) -> str:
    """The place (", mostly at the Harbour") where more than half of the days were there; nothing for a single day."""
    name = _on_most_days(members, lambda memory: (memory.place.name,) if memory.place else ())
    return f", mostly at {name}" if name and not _OF_EVERY_DAY & set(text_key(name).split()) else ""


def _mostly_with(members: Sequence[CapturedMemory], owner: str) -> str:
    name = _on_most_days(members, lambda memory: [each for each in memory.people if text_key(each) != text_key(owner)])
    return f", mostly with {name}" if name else ""


def _on_most_days(members: Sequence[CapturedMemory], names: Callable[[CapturedMemory], Iterable[str]]) -> str:
    by_each = by_name(members, names)
    name, held = max(by_each.values(), key=lambda each: (len(_days(each[1])), each[0]), default=("", []))
    days = len(_days(held))
    return name if days >= _FAVOURITE_DAYS and days * 2 > len(_days(members)) else ""


def by_name(memories: Iterable[CapturedMemory], names: Callable[[CapturedMemory], Iterable[str]]) -> ByName:
    """Memories by the key of a name."""
    found: ByName = {}
    for memory in memories:
        for name in dict.fromkeys(names(memory)):
            if key := text_key(name):
                found.setdefault(key, (name, []))[1].append(memory)
    return found


def _most_days(
    by_each: Mapping[str, tuple[str, list[CapturedMemory]]], fewest: int
) -> Iterator[tuple[str, list[CapturedMemory]]]:
    ranked = sorted(by_each.items(), key=lambda item: (-len(_days(item[1][1])), item[0]))
    for _, (name, members) in ranked[:_MOST_OF_A_KIND]:
        if len(_days(members)) >= fewest:
            yield name, members


def on_most_days(by_each: ByName, fewest: int) -> Iterator[tuple[str, list[CapturedMemory], list[date]]]:
    """Names with their memories and days, those of most days first, with at least so many days."""
    for name, members in _most_days(by_each, fewest):
        yield name, members, _days(members)


def _days(members: Iterable[CapturedMemory]) -> list[date]:
    return sorted({memory.taken.day for memory in members if memory.taken.day})


def ids_of(members: Sequence[CapturedMemory]) -> list[str]:
    """One memory a day first, then the others: the best evidence spans the days."""
    first = {memory.taken.day: memory.id for memory in reversed(members)}
    return list(dict.fromkeys([*reversed(list(first.values())), *(memory.id for memory in members)]))


def statement(
    kind: str, subject: str, text: str, evidence: Sequence[str], confidence: float, why: str,
    first: date | None = None, last: date | None = None,
) -> Knowledge:  # fmt: skip
    """An inferred statement; its id is given later."""
    return Knowledge(
        id="",
        statement=text,
        kind=kind,
        subject=subject,
        evidence_ids=tuple(dict.fromkeys(evidence))[:MOST_EVIDENCE],
        valid_from=first,
        valid_to=last,
        confidence=round(confidence, 2),
        why=why,
        provenance=Provenance(f"rule:{kind}", "", VERSION),
    )


def _frequency(days: Sequence[date]) -> str:
    weeks = max(1.0, (days[-1] - days[0]).days / 7)
    a_week = len(days) / weeks
    if a_week >= 0.8:
        return "about once a week" if a_week < 1.5 else f"about {round(a_week)} times a week"
    a_month = a_week * 52 / 12
    if a_month < 1.5:
        return "about once a month"
    return "about twice a month" if a_month < 2.5 else f"about {round(a_month)} times a month"


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _month(day: date) -> str:
    return f"{day:%B %Y}"


def _months(first: date, last: date) -> str:
    return (
        _month(first) if (first.year, first.month) == (last.year, last.month) else f"{_month(first)} – {_month(last)}"
    )


def _years(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"
