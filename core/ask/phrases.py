"""Puts what code computed into plain sentences: times, people and places as a person would say them."""

import calendar
from collections.abc import Sequence
from datetime import date, timedelta

from core.records import AugmentedQuery, CapturedMemory, DayRange, MemoryKind

_HOURS = {(5, 11): "in the morning", (12, 17): "in the afternoon", (18, 22): "in the evening"}
_KIND_WORDS = {MemoryKind.PHOTO: "photo", MemoryKind.SCREENSHOT: "screenshot", MemoryKind.VIDEO: "video",
               MemoryKind.RECORDING: "recording", MemoryKind.DOCUMENT: "document", MemoryKind.NOTE: "note"}  # fmt: skip


def spoken_day(day: date) -> str:
    """8 March 2025."""
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def spoken_range(days: DayRange) -> str:
    """A time range with its preposition: "on 8 March 2025", "in March 2025", "from March to May 2025", "since 2024"."""
    first, last = days.first_day, days.last_day
    stretches = [(None if begin == date.min else begin, end) for begin, end in days.apart]
    parts = [listed([_range(*stretch) for stretch in stretches])] if stretches else []
    if (first or last) and not parts:
        parts.append(_range(first, last))
    if days.weekdays:
        parts.append("on " + listed([f"{calendar.day_name[weekday]}s" for weekday in days.weekdays], "or"))
    if days.hours:
        parts.append(_HOURS.get(days.hours, f"between {days.hours[0]}:00 and {days.hours[1]}:59"))
    return " ".join(parts)


def listed(names: Sequence[str], word: str = "and") -> str:
    """A, B and C."""
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if len(names) > 1 else "".join(names)


def conditions(query: AugmentedQuery, place_groups: Sequence[Sequence[str]], content: Sequence[str] = ()) -> str:
    """The conditions of a question as they are said: "with Ana at the Harbour in May 2025", with a blank in front."""
    parts = []
    if query.people:
        parts.append("with " + listed(query.people))
    if query.any_people:
        parts.append("with " + listed(query.any_people[:6], "or"))
    if query.without_people:
        parts.append("without " + listed(query.without_people, "or"))
    for group in place_groups:
        parts.append("at " + listed([quoted(name) for name in group[:3]], "or"))
    if query.without_places:
        parts.append("not at " + listed([quoted(name) for name in query.without_places[:3]], "or"))
    if query.time:
        parts.append(spoken_range(query.time))
    if content:
        parts.append(f"(found by {listed([f'“{word}”' for word in content])})")
    return "".join(f" {part}" for part in parts if part)


def quoted(name: str) -> str:
    """A place's name as it stands in a sentence: without a full stop of its own."""
    return name.strip().rstrip(".,;")


def moment_of(memory: CapturedMemory) -> str:
    """When and where a memory was captured, as far as known: "On 8 March 2025 at the Harbour"."""
    when = f"On {spoken_day(memory.taken.day)}" if memory.taken.day else "At a time that is not known"
    return f"{when} at {quoted(memory.place.label)}" if memory.place and memory.place.label else when


def kind_word(memory: CapturedMemory) -> str:
    """A photo, screenshot, video and so on, by its kind."""
    return _KIND_WORDS[memory.kind]


def _range(first: date | None, last: date | None) -> str:
    if first and last:
        if first == last:
            return f"on {spoken_day(first)}"
        starts_month, ends_month = first.day == 1, (last + timedelta(days=1)).day == 1
        if starts_month and ends_month:
            return _months(first, last)
        return f"from {spoken_day(first)} to {spoken_day(last)}"
    return f"since {spoken_day(first)}" if first else f"until {spoken_day(last)}" if last else ""


def _months(first: date, last: date) -> str:
    start, end = calendar.month_name[first.month], calendar.month_name[last.month]
    if (first.month, last.month) == (1, 12):
        return f"in {first.year}" if first.year == last.year else f"from {first.year} to {last.year}"
    if first.year != last.year:
        return f"from {start} {first.year} to {end} {last.year}"
    return f"in {start} {first.year}" if first.month == last.month else f"from {start} to {end} {first.year}"
