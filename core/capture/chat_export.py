"""Reads the text that chat programs export (WhatsApp, Signal, iMessage): one note a day, with who wrote and when it began."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby, islice, pairwise

from core.capture.note import MOST_CHARS, MOST_NOTES, Note, names_of, one_line

_TIME = r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?:\s?(?P<half>[AaPp])\.?\s?[Mm]\.?)?"
_DAY = r"(?P<a>\d{1,4})(?P<mark>[/.\-])\s?(?P<b>\d{1,2})(?P=mark)\s?(?P<c>\d{2,4})"
_SENDER = r"(?P<sender>[^:\n]{1,80}): ?(?P<said>.*)"
_MESSAGE = re.compile(rf"^\[?{_DAY},?\s{{1,3}}{_TIME}(?:\]|\s[-\u2013])\s(?:{_SENDER}|(?P<notice>.*))$")
_SPOKEN_DATE = re.compile(
    rf"^(?P<month>[A-Z][a-z]{{2}}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}})\s{{1,3}}{_TIME}(?:\s\(.*\))?$"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_INVISIBLE = re.compile("[\u200e\u200f\u202a-\u202e\ufeff]")
_OTHER_BLANKS = re.compile("[\u00a0\u202f]")
_LOOKED_AT = 60
_MOST_MESSAGES = 500_000


@dataclass(slots=True)
class _Message:
    """One message; `day` are its numbers in the order and with the mark of the file until the file's order is known."""

    at: datetime
    sender: str
    said: list[str]


@dataclass(frozen=True, slots=True)
class _Written:
    """How a file writes its days."""

    day_first: bool

    def date_of(self, found: re.Match[str]) -> date | None:
        first, second, third = int(found["a"]), int(found["b"]), int(found["c"])
        if len(found["a"]) == 4:
            return _date(first, second, third)
        year = third + 2000 if third < 100 else third
        return _date(year, second, first) if self.day_first else _date(year, first, second)


def is_chat(text: str) -> bool:
    """Whether a text is such an export: its first line is a message, and more follow."""
    lines = [line for line in islice((_clean(line) for line in text[:50_000].splitlines()), _LOOKED_AT) if line]
    if not lines:
        return False
    found = sum(bool(_MESSAGE.match(line)) for line in lines)
    return (bool(_MESSAGE.match(lines[0])) and found >= 2) or (bool(_SPOKEN_DATE.match(lines[0])) and len(lines) >= 3)


def notes_of(text: str, name: str) -> Iterator[Note]:
    """One note a day. `name` is the file's; it may say whom the chat is with."""
    messages = list(islice(_messages(text), _MOST_MESSAGES))
    everyone = names_of(sorted({message.sender for message in messages if message.sender}))
    title = _title(name, everyone)
    days = groupby(messages, key=lambda message: message.at.date())
    for day, said in islice(days, MOST_NOTES):
        of_day = list(said)
        lines = [f"{each.at:%H:%M} {each.sender}: {chr(10).join(each.said)}" for each in of_day if each.sender]
        if not lines:
            continue
        senders = names_of([each.sender for each in of_day])
        yield Note(
            label=f"{title} {day.isoformat()}",
            title=title,
            text="\n".join(lines)[:MOST_CHARS],
            wall=next(each.at for each in of_day if each.sender),
            people=everyone if len(everyone) <= 2 else senders,  # of two, both were there; of a group, who wrote
        )


def _messages(text: str) -> Iterator[_Message]:
    lines = [_clean(line) for line in text.splitlines()]
    first = next((line for line in lines if line), "")
    return _spoken(lines) if _SPOKEN_DATE.match(first) else _bracketed(lines)


def _bracketed(lines: list[str]) -> Iterator[_Message]:
    """WhatsApp (with brackets from an iPhone, a dash from Android) and Signal: a line begins with day, time and sender."""
    written = _order([found for line in lines if (found := _MESSAGE.match(line))])
    current: _Message | None = None
    for line in lines:
        found = _MESSAGE.match(line)
        at = _moment(written.date_of(found), found) if found else None
        if found is None or at is None:
            if current is not None and len(current.said) < 2_000:
                current.said.append(line)
            continue
        if current is not None:
            yield current
        # A notice ("Ann joined") has no sender; it begins a message of nobody, so that it is not glued to the one before.
        current = _Message(at, (found["sender"] or "").strip(), [found["said"] or found["notice"] or ""])
    if current is not None:
        yield current


def _spoken(lines: list[str]) -> Iterator[_Message]:
    """iMessage: a line with day and time, a line with the sender, then what they wrote."""
    current: _Message | None = None
    for line in lines:
        found = _SPOKEN_DATE.match(line)
        if found and found["month"] in _MONTHS:
            if current is not None:
                yield current
            day = _date(int(found["year"]), _MONTHS.index(found["month"]) + 1, int(found["day"]))
            at = _moment(day, found)
            current = _Message(at, "", []) if at else None
        elif current is not None and not current.sender:
            current.sender = one_line(line, 80)
        elif current is not None and line and len(current.said) < 2_000:
            current.said.append(line)
    if current is not None:
        yield current


def _order(found: list[re.Match[str]]) -> _Written:
    """Day before month or after: what makes every date real, else what keeps them in order, else what the marks suggest."""
    readings = {}
    for day_first in (True, False):
        dates = [_Written(day_first).date_of(each) for each in found]
        real = [each for each in dates if each]
        backwards = sum(later < earlier for earlier, later in pairwise(real))
        readings[day_first] = (len(dates) - len(real), backwards)
    if readings[True] != readings[False]:
        return _Written(readings[True] < readings[False])
    american = any(each["half"] and each["mark"] == "/" and len(each["c"]) == 2 for each in found[:1])
    return _Written(not american)


def _moment(day: date | None, found: re.Match[str]) -> datetime | None:
    if day is None:
        return None
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return datetime(day.year, day.month, day.day, hour, int(found["minute"]), int(found["second"] or 0))
    except ValueError:
        return None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _title(name: str, everyone: tuple[str, ...]) -> str:
    stem = name.rsplit(".", 1)[0].strip("_ ")
    return one_line(stem) if " " in stem else f"Chat of {', '.join(everyone[:4])}" if everyone else one_line(stem)


def _clean(line: str) -> str:
    return _OTHER_BLANKS.sub(" ", _INVISIBLE.sub("", line)).strip()
