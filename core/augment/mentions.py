"""Which events does a memory only tell of: a flyer, a ticket, a chat, a talk? Found by rule, from its words alone.

What is found depends on the one memory, so it stays the same whatever else the library holds. The words are quoted, never
obeyed; a name must say what kind of occasion it is.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from core.augment.signs import occasion_names, says_occasion
from core.records import CapturedMemory, EventStatus, MemoryKind
from core.text_keys import text_key

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = "(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_ORDINAL = r"(?:st|nd|rd|th)?"
_DAYS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})\b",
        rf"\b(?P<day>\d{{1,2}}){_ORDINAL}\.? (?:of )?{_MONTH}\.?,?(?: (?P<year>\d{{4}}))?\b",
        rf"\b{_MONTH}\.? (?P<day>\d{{1,2}}){_ORDINAL}\b(?:,? (?P<year>\d{{4}}))?",
        r"\b(?P<day>\d{1,2})\.(?P<number>\d{1,2})\.(?P<year>\d{4})\b",
    )
)
_TOLD_NAME = re.compile(
    r"\b(?:[Tt]he|[Oo]ur|[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[A-Z]\w+['’]s) "
    r"((?:[\w&'’-]+ ){0,3}?(?:trip|wedding|festival|concert|conference|retreat|reunion|birthday party|birthday|graduation|party|"
    r"tour|cruise|camp|holiday|vacation|marathon|exhibition|forum|summit|funeral|baby shower|housewarming|anniversary)"
    r"(?: (?:to|in|at|for) [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)?)"
)
_BACK = re.compile(
    r"\b(?:last (?:year|month|week|summer|winter|spring|autumn|fall|weekend|night)|(?:a|two|three|\d+) (?:years?|months?|weeks?) ago|"
    r"remember|back then|was so|was great|went to|had been|photos? from|back from|missed)\b"
)
_AHEAD = re.compile(
    r"\b(?:next (?:year|month|week|weekend|summer|winter|spring|autumn|fall|mon|tue|wed|thu|fri|sat|sun)|tomorrow|tonight|upcoming|"
    r"will be|going to|invited|invitation|rsvp|save the date|looking forward|join us|tickets? (?:on sale|available)|coming up|soon|"
    r"can't wait|planning|register)\b"
)
_FEWEST_LETTERS, _MOST = 5, 3
_TELLING_KINDS = frozenset(
    (MemoryKind.SCREENSHOT, MemoryKind.DOCUMENT, MemoryKind.NOTE, MemoryKind.RECORDING, MemoryKind.VIDEO)
)
_TELLING_PAPERS = re.compile(
    r"\b(?:flyer|poster|invitation|ticket|program|programme|agenda|calendar|chat|message|email|mail|letter|card)\b"
)
_THERE_WITHIN = timedelta(days=2)
_NOT_TOO_FAR = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class Mention:
    """An event that a memory tells of.

    Attributes:
        day: the day that is said; None where none is.
        words: the line it was read from.
    """

    name: str
    status: EventStatus
    day: date | None
    memory: CapturedMemory
    words: str


def mentions(memory: CapturedMemory) -> list[Mention]:
    """What a memory tells of, at most three events; nothing for a photo in which words only happen to be seen."""
    if memory.taken.day is None or not _tells(memory):
        return []
    found: dict[str, Mention] = {}
    for text, is_talk in ((memory.visible_text, False), (memory.speech, True), (memory.caption, True)):
        for name, words in _names(text, memory, is_talk=is_talk):
            key = text_key(name)
            if key not in found and len(found) < _MOST and len(key) >= _FEWEST_LETTERS:
                day = day_said(words, memory.taken.day) or (None if is_talk else day_said(text, memory.taken.day))
                found[key] = Mention(name, _status(words, text, day, memory.taken.day), day, memory, words[:120])
    return list(found.values())


def is_elsewhere(memory: CapturedMemory, name: str) -> bool:
    """Whether a memory tells of an occasion on another day than its own."""
    key = text_key(name)
    days = [each.day for each in mentions(memory) if text_key(each.name) == key and each.day]
    return any(memory.taken.day and abs(day - memory.taken.day) > _THERE_WITHIN for day in days)


def _tells(memory: CapturedMemory) -> bool:
    if memory.speech or memory.kind in _TELLING_KINDS:
        return True
    shown = text_key(
        " ".join((memory.document.get("kind", "").replace("_", " "), *memory.visual_elements, memory.caption))
    )
    return bool(memory.visible_text) and _TELLING_PAPERS.search(shown) is not None


def _names(text: str, memory: CapturedMemory, *, is_talk: bool) -> Iterator[tuple[str, str]]:
    """Names with the sentence or line that gives them."""
    if not text.strip():
        return
    if not is_talk:
        lines = text.splitlines()
        for name in occasion_names(CapturedMemory(id="", public_id="", visible_text=text)):
            yield name, next((line for line in lines if text_key(name) in text_key(line)), text)
    if is_talk or memory.kind in (MemoryKind.SCREENSHOT, MemoryKind.NOTE):
        for sentence in _sentences(text):
            for match in _TOLD_NAME.finditer(sentence):
                name = match[1].strip()
                if says_occasion(name) and (
                    _BACK.search(sentence.casefold()) or _AHEAD.search(sentence.casefold()) or _has_name(name)
                ):
                    yield _with_owner(match[0], name), sentence


def _with_owner(whole: str, name: str) -> str:
    """Whose it is stays ("Anna's wedding"), an article goes."""
    owner = whole.split(" ", 1)[0]
    text = f"{owner} {name}" if owner[:1].isupper() and owner[-2:] in ("'s", "’s") else name
    return text[:1].upper() + text[1:]


def _has_name(name: str) -> bool:
    return any(word[:1].isupper() for word in name.split())


def _sentences(text: str) -> Iterable[str]:
    return (part for part in re.split(r"(?<=[.!?])\s+|\n", text[:5000]) if part.strip())


def _status(words: str, text: str, day: date | None, told_on: date) -> EventStatus:
    """By the day that is said; else by words such as "next month" and "last year"."""
    if day is not None:
        return EventStatus.PLANNED if day >= told_on else EventStatus.PAST
    for said in (words.casefold(), text.casefold()):
        ahead, back = _AHEAD.search(said), _BACK.search(said)
        if ahead and not back:
            return EventStatus.PLANNED
        if back and not ahead:
            return EventStatus.PAST
    return EventStatus.MENTIONED


def day_said(text: str, told_on: date) -> date | None:
    """The first day in a text; one without a year is the next of its kind, or the last where that is far nearer."""
    for pattern in _DAYS:
        for match in pattern.finditer(text.casefold()):
            parts = match.groupdict()
            month = int(parts["number"]) if parts.get("number") else _month(parts.get("month") or "")
            year = int(parts["year"]) if parts.get("year") else None
            day = _as_day(year, month, int(parts["day"]), told_on)
            if day and abs(day - told_on) <= _NOT_TOO_FAR:
                return day
    return None


def _month(beginning: str) -> int:
    return next(at for at, name in enumerate(_MONTHS, start=1) if name.startswith(beginning))


def _as_day(year: int | None, month: int, day: int, told_on: date) -> date | None:
    if not 1 <= month <= 12:
        return None
    years = [year] if year else [told_on.year, told_on.year + 1, told_on.year - 1]
    possible = [date(each, month, day) for each in years if 1 < each < 9999 and 1 <= day <= monthrange(each, month)[1]]
    ahead = [each for each in possible if each >= told_on - timedelta(days=60)]
    return ahead[0] if ahead else possible[0] if possible else None
