"""Which occasions did a sign announce that the person was at? A poster taken in at the hour and on the day it names.

The sign says what and when, the clock of the picture says that the person was there then. Each finding rests on the sign and
on the pictures of the next hours, so it stays the same whatever else the library holds.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from core.augment.mentions import day_said
from core.augment.moments import in_order
from core.augment.places import area_key
from core.augment.signs import says_occasion
from core.augment.wording import words
from core.records import CapturedMemory, MemoryKind
from core.text_keys import text_key

_TIME = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-3])(?:[:.h](?P<minute>[0-5]\d)\b|(?= ?[ap]m\b))(?: ?(?P<half>[ap])m\b)?", re.IGNORECASE
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)})[a-z]*\b", re.IGNORECASE)
_EARLY, _LATE = timedelta(minutes=45), timedelta(hours=4)
_FEWEST_LETTERS, _LONGEST_NAME, _MOST_LINES = 5, 50, 12
_SMALL_WORDS = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))


@dataclass(frozen=True, slots=True)
class Announced:
    """An occasion with the pictures taken at it.

    Attributes:
        sign: the memory that shows the words.
        members: the sign and what was captured there until four hours after the beginning, in time order.
    """

    name: str
    starts: datetime
    sign: CapturedMemory
    members: tuple[CapturedMemory, ...]


def announced(memories: Sequence[CapturedMemory]) -> list[Announced]:
    """Every occasion that a sign announced for the time at which the sign was captured.

    A screenshot of an invitation is no proof of having been there, and neither is a timetable that names many hours.
    """
    dated = [memory for memory in in_order(memories) if not memory.taken.day_only]
    walls = [memory.taken.wall for memory in dated if memory.taken.wall]
    found: dict[tuple[str, datetime], Announced] = {}
    for sign in dated:
        announcement = _announcement(sign)
        if announcement is None:
            continue
        name, starts = announcement
        first, last = bisect_left(walls, starts - _EARLY), bisect_right(walls, starts + _LATE)
        members = tuple(each for each in dated[first:last] if each is sign or _is_at_it(each, sign, name))
        found.setdefault((text_key(name), starts), Announced(name, starts, sign, members))
    return list(found.values())


def _announcement(sign: CapturedMemory) -> tuple[str, datetime] | None:
    """What a sign announces for the hour at which it was captured, and from when."""
    wall = sign.taken.wall
    if wall is None or sign.kind is not MemoryKind.PHOTO or not sign.visible_text:
        return None
    lines = [" ".join(line.split()) for line in sign.visible_text.splitlines() if line.strip()][:_MOST_LINES]
    times = {said for line in lines if (said := _time_said(line)) is not None}
    day = day_said(sign.visible_text, wall.date())
    weekday = _WEEKDAY.search(sign.visible_text)
    is_its_day = day == wall.date() or (
        day is None and weekday is not None and _WEEKDAYS[wall.weekday()] == weekday[1][:3].casefold()
    )
    if len(times) != 1 or not is_its_day:
        return None
    starts = datetime.combine(wall.date(), times.pop())
    if not starts - _EARLY <= wall <= starts + _LATE:
        return None
    name = next((_quiet(line) for line in lines if _is_name(line)), "")
    return (name, starts) if name else None


def _time_said(line: str) -> time | None:
    match = _TIME.search(line)
    if match is None:
        return None
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].casefold() == "p" else 0)
    return time(hour, int(match["minute"] or 0))


def _is_name(line: str) -> bool:
    """A short line of its own that says what kind of occasion it is, without year, day or hour."""
    return _FEWEST_LETTERS <= len(line) <= _LONGEST_NAME and not re.search(r"\d", line) and says_occasion(line)


def _is_at_it(memory: CapturedMemory, sign: CapturedMemory, name: str) -> bool:
    """Taken in the same town by a camera, or about the same words."""
    if memory.kind is MemoryKind.SCREENSHOT or area_key(memory.place) != area_key(sign.place):
        return False
    if memory.place and sign.place and memory.place.name and sign.place.name:
        return text_key(memory.place.name) == text_key(sign.place.name)
    shown = " ".join((memory.caption, memory.visible_text, *memory.activities, memory.environment))
    return bool(words(name) & words(shown)) or memory.place == sign.place


def _quiet(name: str) -> str:
    """A name in capitals as one would write it: "Karaoke Night"; short words of capitals stay, they are often initials."""
    if not name.isupper():
        return name
    return " ".join(
        word.casefold() if at and word.casefold() in _SMALL_WORDS else word if len(word) <= 3 else word.capitalize()
        for at, word in enumerate(name.split())
    )
