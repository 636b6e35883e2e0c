"""Reads the filters a person types into the search box: `in:` event, `on:` date, `with:` person, `at:` place, `type:` kind."""

import calendar
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from core.records import DayRange, MemoryFilter, MemoryKind
from core.retrieve.names import NameIndex, person_names, place_names, tokens_of
from core.store.library import Library
from core.text_keys import text_key

DayReader = Callable[[str, date], Sequence[DayRange]]

_PART = re.compile(r"(?<!\S)(-?)(in|on|with|at|type):(?:\"([^\"]*)\"|“([^”]*)”|(\S+))", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$")
_KIND_WORDS = {
    "picture": MemoryKind.PHOTO,
    "image": MemoryKind.PHOTO,
    "movie": MemoryKind.VIDEO,
    "clip": MemoryKind.VIDEO,
    "audio": MemoryKind.RECORDING,
    "voice": MemoryKind.RECORDING,
    "screen": MemoryKind.SCREENSHOT,
} | {kind.value: kind for kind in MemoryKind}


def parse_search(
    text: str, library: Library, today: date, read_days: DayReader | None = None
) -> tuple[str, MemoryFilter]:
    """Split what was typed into the words to search for and the conditions.

    A filter that names nothing of the library matches nothing, rather than being dropped silently; one whose value cannot be
    read at all (`on:` something that is no date, `type:` something that is no kind) stays among the words.

    Args:
        read_days: reads dates in words; without it ISO dates, `today` and `yesterday` are known.
    """
    wanted = MemoryFilter()
    rest: list[str] = []
    last = 0
    for match in _PART.finditer(text):
        minus, key, *values = match.groups()
        value = next((each for each in values if each is not None), "").strip()
        narrowed = _narrow(wanted, key.lower(), value, bool(minus), library, today, read_days or _plain_days)
        rest.append(text[last : match.start()])
        if narrowed is None:
            rest.append(match.group())
        else:
            wanted = narrowed
        last = match.end()
    rest.append(text[last:])
    return " ".join("".join(rest).split()), wanted


def places_called(library: Library, typed: str) -> tuple[str, ...]:
    """The library's names for a place, typed whole in any of its names; what was typed when it knows none (it then matches nothing)."""
    tokens = tokens_of(typed)
    for mention in place_names(library.memories.vocabulary().places).find(tokens):
        if (mention.start, mention.end) == (tokens[0].start, tokens[-1].end):
            return mention.names
    return (typed,)


def _narrow(
    wanted: MemoryFilter, key: str, value: str, minus: bool, library: Library, today: date, read_days: DayReader
) -> MemoryFilter | None:
    """The filter with one more condition; None when the value cannot be read."""
    if not value or (minus and key != "with"):
        return None
    if key == "with":
        return with_person(library, wanted, value, minus=minus)
    if key == "at":
        names = _names(place_names(library.memories.vocabulary().places), value)
        return replace(wanted, places=(*wanted.places, *names))
    if key == "in":
        ids = _events_named(library, value)
        return replace(wanted, event_ids=(*wanted.event_ids, *ids)) if ids else replace(wanted, ids=())
    if key == "type":
        kind = _KIND_WORDS.get(text_key(value)) or _KIND_WORDS.get(text_key(value).removesuffix("s"))
        return replace(wanted, kinds=(*wanted.kinds, kind)) if kind else None
    days = read_days(value.replace("_", " "), today)
    if not days:
        return None
    return replace(
        wanted, first_day=days[0].first_day, last_day=days[0].last_day, hours=days[0].hours, weekdays=days[0].weekdays
    )


def with_person(library: Library, wanted: MemoryFilter, value: str, *, minus: bool = False) -> MemoryFilter:
    """The filter with somebody, or somebody of one of the person's groups, or (minus) without them all."""
    known = library.memories.vocabulary().people
    key = text_key(value.replace("_", " "))
    group = next((names for name, names in library.people.groups().items() if text_key(name) == key), ())
    if group and key not in {text_key(name) for name in known}:
        if minus:
            return replace(wanted, without_people=(*wanted.without_people, *group))
        return replace(wanted, any_people=(*wanted.any_people, group))
    person = _names(person_names(known), value)[0]
    if minus:
        return replace(wanted, without_people=(*wanted.without_people, person))
    return replace(wanted, people=(*wanted.people, person))


def _names(index: NameIndex, value: str) -> tuple[str, ...]:
    """The library's names for what was typed; the words themselves when it knows none (they then match nothing)."""
    value = value.replace("_", " ")
    found = index.find(tokens_of(value))
    return found[0].names if found else index.near(value)[:1] or (value,)


def _events_named(library: Library, value: str) -> list[str]:
    key = text_key(value.replace("_", " "))
    events = library.events.all()
    exact = [event.id for event in events if text_key(event.name) == key or event.id == value]
    return exact or [event.id for event in events if key and key in text_key(event.name)]


def _plain_days(text: str, today: date) -> tuple[DayRange, ...]:
    named = {"today": today, "yesterday": today - timedelta(days=1)}.get(text_key(text))
    if named:
        return (DayRange(named, named, text),)
    match = _ISO.match(text.strip())
    if not match:
        return ()
    year, month, day = (int(part) if part else None for part in match.groups())
    if not year or not 1 <= (month or 1) <= 12:
        return ()
    last_month = month or 12
    last = calendar.monthrange(year, last_month)[1]
    if day is not None and not 1 <= day <= last:
        return ()
    return (DayRange(date(year, month or 1, day or 1), date(year, last_month, day or last), text),)
