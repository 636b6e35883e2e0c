"""Copies a value out of text in a picture: a password, a seat, a gate, an amount; by pattern, never by guess."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.ask.dates import find_days
from core.ask.evidence import said_in
from core.ask.money import Sum, amount_of
from core.records import CapturedMemory, DayRange


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that pictures of signs, tickets and receipts say: how people ask for it and how it is written."""

    name: str
    asked: re.Pattern[str]
    written: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value as it is written in a memory's text."""

    attribute: str
    value: str
    memory: CapturedMemory


def _asked(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


def _labelled(labels: str, value: str) -> re.Pattern[str]:
    """A label in any case, perhaps "number" or "no.", perhaps a colon or a new line, then the value in its own case."""
    number = r"(?i:\s*(?:number|no|nr|code|id|ref|reference|#)\.?(?![a-z]))?"
    return re.compile(rf"(?i:\b(?:{labels})\b)\.?{number}[^\S\n]*[:：=#\-–]?[^\S\n]*\n?[^\S\n]*({value})")


_LIKELY = 4
_LINES_APART = 2
_KINDS_OF_DATE = frozenset(
    ("appointment", "meeting", "reservation", "booking", "visit", "session", "checkup", "date", "due")
)
"""What a question calls a day ("my dentist appointment") and the paper that names it does not."""
_SECRETS = (
    "(?:wi-?fi )?(?:password|passcode|pass ?phrase|pass|pwd?|key)",
    "network key",
    "kennwort",
    "passwort",
    "contraseña",
    "mot de passe",
    "密码",
)
_BOOKING_LABELS = (
    "booking|reservation|confirmation|order|reference|ref|pnr|ticket|tracking|invoice|serial|member(?:ship)?"
)
_BOOKING_WORDS = "booking|reservation|confirmation|order|reference|ticket|tracking|invoice|serial|membership"

ATTRIBUTES = (
    Attribute(
        "password",
        _asked(
            r"wi-?\s?fi (?:pass\w*|code|key|pw)",
            "pass(?:word|code|phrase)",
            "network key",
            r"code (?:of|for) the wi-?\s?fi",
        ),
        _labelled("|".join(_SECRETS), r"\S{4,40}"),
    ),
    Attribute(
        "network",
        _asked(r"wi-?\s?fi (?:name|network|ssid)", "ssid", "network name", r"(?:which|what) (?:wi-?\s?fi|network)"),
        re.compile(r"(?i:\b(?:ssid|network(?: name)?|wi-?fi(?: name| network)?)\b)[^\S\n]*[:：=][^\S\n]*([^\n]{2,40})"),
    ),
    Attribute(
        "seat",
        _asked("(?:what|which|my) seats?", "seats? (?:number|did|was|do)"),
        _labelled("seat|sitz|asiento|siège|座位", r"\d{1,3}\s?[A-Z]\b|[A-Z]{1,2}[-\s]?\d{1,3}\b|\d{1,3}\b"),
    ),
    Attribute(
        "gate",
        _asked("(?:what|which|my) gate", "gate (?:number|did|was|do)"),
        _labelled("gate", r"[A-Z]?\d{1,3}[A-Z]?\b"),
    ),
    Attribute(
        "row",
        _asked("(?:what|which|my) row", "row (?:number|did|was)"),
        _labelled("row|reihe|fila", r"[A-Z]{1,2}\b|\d{1,3}\b"),
    ),
    Attribute(
        "flight",
        _asked("flight (?:number|no)", "(?:which|what) flight"),
        re.compile(r"\b([A-Z]{2}\s?\d{2,4})\b"),
    ),
    Attribute(
        "platform",
        _asked("(?:what|which|my) (?:platform|track)", "platform (?:number|did|was)"),
        _labelled("platform|track|gleis|andén|voie", r"\d{1,2}[A-Za-z]?\b"),
    ),
    Attribute(
        "booking reference",
        _asked(rf"(?:{_BOOKING_WORDS}) (?:number|code|reference|id|no)", "pnr", "record locator"),
        _labelled(_BOOKING_LABELS, r"(?=[A-Z\-]*\d|[A-Z]{5,7}\b)[A-Z0-9][A-Z0-9\-]{3,20}\b"),
    ),
    Attribute(
        "room",
        _asked("(?:what|which) room", "room number"),
        _labelled("room|zimmer|habitación|chambre|房间", r"[A-Z]?-?\d{1,4}[A-Za-z]?\b|[A-Z]\d?\b"),
    ),
    Attribute(
        "phone number",
        _asked("(?:phone|telephone|mobile|contact) number"),
        re.compile(r"(\+?\d[\d ().\-/]{6,18}\d)"),
    ),
    Attribute("e-mail address", _asked("e-?mail(?: address)?"), re.compile(r"([\w.+\-]+@[\w\-]+\.[\w.\-]+\w)")),
    Attribute("web address", _asked("web ?site", "web address", "url"), re.compile(r"((?:https?://|www\.)\S{4,80})")),
    Attribute(
        "licence plate",
        _asked("(?:licen[cs]e|number) plate", "plate number"),
        re.compile(r"\b((?=[A-Z\s\-·]*\d)[A-Z]{1,3}[\s\-·]?[A-Z0-9]{1,4}[\s\-·]?[A-Z0-9]{2,5})\b"),
    ),
    Attribute(
        "licence number",
        _asked("(?:driver'?s? )?licen[cs]e number", "passport number", "id number", "card number"),
        _labelled("licen[cs]e|passport|id|card|dl|document", r"(?=[A-Z\-\s]*\d)[A-Z0-9][A-Z0-9\-\s]{4,20}[A-Z0-9]\b"),
    ),
)
_OPENINGS = (
    r"^(?:and |so |hey |please |can you (?:tell me |find )?|do you (?:know|remember) )*"
    r"(?:what|which|tell|find|give|show|do|did|where|on|from|in|at|i|the|my|wi-?fi|how)\b"
)
_OPENS_LIKE_A_QUESTION = re.compile(_OPENINGS, re.IGNORECASE)
_PAID = re.compile(r"\bhow much (?:did|was|were|is|do|does)\b|\b(?:price|cost|total|bill)\b", re.IGNORECASE)
_PRICED = re.compile(r"(?:\d+\s?[x×]\s?)?(\D.*?)\s+(?:[€$£¥]\s?|[A-Z]{3}\s)?\d+[.,]\d{2}(?:\s?(?:[€$£¥]|[A-Z]{3}))?$")
_NO_ITEM = re.compile(
    r"(?i)\b(?:sub-?total|total|sum|tax|vat|mwst|tip|service|cash|card|change|visa|paid|due|balance|discount)\b"
)
_PRICE = re.compile(r"[€$£¥]?\s?\d+[.,]\d{2}\b(?:\s?[€$£¥])?")


def attribute_asked(question: str) -> Attribute | None:
    """The attribute a question asks for; None when it asks for something that is not written by a pattern."""
    if not _OPENS_LIKE_A_QUESTION.match(question):
        return None
    return next((each for each in ATTRIBUTES if each.asked.search(question)), None)


def asks_amount(question: str) -> bool:
    """Whether the question wants what something cost."""
    return bool(_PAID.search(question))


def find_value(attribute: Attribute, memories: Sequence[CapturedMemory]) -> FoundValue | None:
    """The first memory, best first, whose visible text (else caption or speech) holds the attribute."""
    for memory in memories:
        for text in (memory.visible_text, memory.caption, memory.speech):
            match = _below_its_label(attribute, text) or attribute.written.search(text)
            if match:
                return FoundValue(attribute.name, match.group(1).strip().rstrip(".,;"), memory)
    return None


def _below_its_label(attribute: Attribute, text: str) -> re.Match[str] | None:
    """Tickets are tables: under the line "Seat Gate" stands "14C B9", the second word under the second label."""
    lines = [line.split() for line in text.splitlines()]
    for labels, values in itertools.pairwise(lines):
        if 1 < len(labels) == len(values) and all(len(label) > 1 and label.isalpha() for label in labels):
            for label, value in zip(labels, values, strict=True):
                match = attribute.written.fullmatch(f"{label} {value}")
                if match:
                    return match
    return None


def find_day(memories: Sequence[CapturedMemory], asked_on: date, content: Sequence[str]) -> FoundValue | None:
    """A day that a text names beside the words asked for ("My birthday is on 21 June"), as it is written."""
    telling = [word for word in content if word not in _KINDS_OF_DATE] or list(content)
    stems = [word[:5].casefold() for word in telling]
    for memory in memories:
        whole = f"{memory.visible_text}\n{memory.speech}\n{memory.caption}".casefold()
        if not all(stem in whole for stem in stems):
            continue
        lines = (*memory.visible_text.splitlines(), *memory.speech.split(". "))
        naming = [at for at, line in enumerate(lines) if any(stem in line.casefold() for stem in stems)]
        dated = [
            (at, day) for at, line in enumerate(lines) for day in find_days(line, asked_on) if _is_written_day(day)
        ]
        near = [(min(abs(at - other) for other in naming), at, day) for at, day in dated] if naming else []
        distance, _, found = min(near, key=lambda each: each[:2], default=(_LINES_APART + 1, 0, DayRange()))
        if distance <= _LINES_APART:
            return FoundValue("date", re.sub(r"^(?:on|at|in) ", "", found.words), memory)
    return None


def _is_written_day(day: DayRange) -> bool:
    return bool(day.words) and (day.first_day == day.last_day or "20" in day.words) and day.first_day is not None


def items_of(memory: CapturedMemory) -> list[str]:
    """What a receipt lists: the words before each price, without totals, taxes and payments."""
    if memory.document.get("kind") != "receipt":
        return []
    priced = (_PRICED.match(line.strip()) for line in memory.visible_text.splitlines())
    return [match[1].strip(" .:-*x") for match in priced if match and not _NO_ITEM.search(match[1])]


def _said_in(memory: CapturedMemory) -> str:
    return f"{said_in(memory)} {memory.environment}".casefold()


def direction(memory: CapturedMemory, question: str) -> int:
    """1 where a ticket goes the way the question says ("to Vienna"), -1 where it goes back, 0 where that cannot be told."""
    wanted = re.search(r"\b(to|from) ([A-Z][\w'-]+)", question)
    if not wanted:
        return 0
    for line in memory.visible_text.splitlines():
        words = re.findall(r"[^\W\d_]+", line)
        if 2 <= len(words) <= 5 and words[0] != words[-1] and wanted[2] in (words[0], words[-1]):
            return 1 if (words[-1] == wanted[2]) == (wanted[1] == "to") else -1
    return 0


def find_amount(memories: Sequence[CapturedMemory], things: Sequence[str]) -> FoundValue | None:
    """What was paid: the price on the line that names the thing, else the total of what speaks of it, else of the first receipt.

    An amount stands on nearly everything, so only the best few may give it where nothing speaks of the thing.
    """
    stems = [thing[:5] for thing in things if len(thing) > 2]
    likely = memories[:_LIKELY]
    for memory in likely:
        for line in memory.visible_text.splitlines():
            price = _PRICE.search(line)
            if price and any(stem in line.casefold() for stem in stems):
                return FoundValue("price", price.group().strip(), memory)
    told = (memory for memory in memories if stems and all(stem in _said_in(memory) for stem in stems))
    for memory in (*told, *likely):
        amount = amount_of(memory)
        if amount:
            return FoundValue("total", Sum(amount.number, amount.currency).spoken, memory)
    return None
