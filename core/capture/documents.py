"""Recognises what kind of document a picture shows by the words in it, and reads its fields. Rules, no model."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.capture import receipts
from core.capture.amounts import amounts_in
from core.capture.printed_days import days_in
from core.capture.private_documents import private_kind
from core.records import CapturedMemory, MemoryKind

RULES_VERSION = "documents/2"

RECEIPT, BOARDING_PASS, TRAIN_TICKET, TICKET, MENU = "receipt", "boarding_pass", "train_ticket", "ticket", "menu"
WIFI_SIGN, BUSINESS_CARD, CHAT, WHITEBOARD, BADGE = "wifi_sign", "business_card", "chat", "whiteboard", "badge"
POSTER, PROGRAMME, CHECK_IN, EMAIL, SLIDE = "poster", "programme", "check_in", "email", "slide"


@dataclass(frozen=True, slots=True)
class Document:
    """A recognised document: its kind, the fields read, and the words it was recognised by."""

    kind: str
    why: str
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def stored(self) -> dict[str, str]:
        """The fields as kept with the memory."""
        return {"kind": self.kind, **self.fields}


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", re.IGNORECASE)


_MOST_TEXT = 20_000
_PAYING = _words(
    r"receipt|invoice|subtotal|sub total|vat|gst|tax|cash|change|visa|mastercard|card|rounding|qty|cashier|"
    r"table \d+|rechnung|bon|kasse|mwst|tva|ticket no"
)
_CLOCK = re.compile(r"\b(?:[01]?\d|2[0-3])[:.][0-5]\d\b")
_EMAIL_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,60}\.[\w.]{1,60}")
_PHONE = re.compile(
    r"(?:\+|\b(?:tel|phone|mobile|mob|fon)\b\.?:? ?)[\d ()/-]{6,20}|\b\d{3}[ -]\d{3,4}(?:[ -]\d{3,4})?\b", re.IGNORECASE
)
_ROUTE = re.compile(r"\b([A-Z]{3})\b\W+(?:to\W+)?([A-Z]{3})\b")
_FLIGHT = re.compile(r"\b([A-Z][A-Z0-9] ?\d{2,4})\b")
_NAME_LIKE = re.compile(r"^[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,2}$")
_HEADINGS = (
    "messages chats today yesterday menu settings home search photos back edit done cancel new all online calls contacts notifications "
    "inbox mail calendar clock maps music news store wallet health notes reminders"
)
_NOT_A_NAME = frozenset(_HEADINGS.split())
_SPOKEN_END = re.compile(r"[?!.…)]\s*$|[?!]")
_CHAT_WORDS = _words(
    r"type a message|message|last seen|delivered|read|typing|online|imessage|text message|nachricht|"
    r"schreibe eine nachricht"
)


def recognise(memory: CapturedMemory) -> Document | None:
    """The document that a memory shows, by its visible text; None when it is none that we know."""
    lines = [line.strip() for line in memory.visible_text[:_MOST_TEXT].splitlines() if line.strip()]
    if not lines:
        return None
    for rule in _RULES:
        found = rule(lines, memory)
        if found is not None:
            return found
    return None


def _boarding_pass(lines: list[str], memory: CapturedMemory) -> Document | None:
    text = "\n".join(lines)
    hits = _hits(text, r"boarding pass|boarding|gate|seat|flight|passenger|bordkarte|departure")
    if len(hits) < 3 and not _words("boarding pass|bordkarte").search(text):
        return None
    route, flight = _ROUTE.search(text), _FLIGHT.search(text)
    fields = {"route": f"{route[1]} to {route[2]}" if route else "", "flight": flight[1] if flight else ""}
    return _document(BOARDING_PASS, hits, fields | _day_field(text, memory))


def _train_ticket(lines: list[str], memory: CapturedMemory) -> Document | None:
    text = "\n".join(lines)
    hits = _hits(text, r"train|rail|railway|coach|platform|departs|railcard|bahn|zug|gleis|carriage|return")
    if len(hits) < 2 or not _words(r"train|rail\w*|bahn|zug|platform|gleis|coach").search(text):
        return None
    if not _words(r"ticket|seat|single|return|departs|fahrkarte|price|class").search(text):
        return None
    return _document(TRAIN_TICKET, hits, _day_field(text, memory))


def _wifi_sign(lines: list[str], memory: CapturedMemory) -> Document | None:
    text = "\n".join(lines)
    name = re.search(r"(?:wi-?fi|wlan|ssid|network)(?: name| network)?\s*[:=]\s*([^\n]+)", text, re.IGNORECASE)
    hits = _hits(text, r"wi-?fi|wlan|ssid|network|password|passwort|passcode|mot de passe|contraseña|pass")
    if len(hits) < 2 or not _words(r"wi-?fi|wlan|ssid").search(text) or len(lines) > 12:
        return None
    return _document(WIFI_SIGN, hits, {"network": name[1].strip() if name else ""})


def _check_in(lines: list[str], memory: CapturedMemory) -> Document | None:
    hits = _hits(
        "\n".join(lines),
        r"checked in|check-?in (?:successful|complete|confirmed)|you.re in|visit \d+ of \d+|eingecheckt",
    )
    if not hits or len(lines) > 15:
        return None
    return _document(CHECK_IN, hits, {"merchant": _first_name(lines)} | _day_field("\n".join(lines), memory))


def _email(lines: list[str], memory: CapturedMemory) -> Document | None:
    hits = _hits(
        "\n".join(lines),
        r"dear|subject|from:|to:|kind regards|best regards|sincerely|confirmed|confirmation|unsubscribe|"
        r"betreff|liebe grüße",
    )
    return _document(EMAIL, hits, {"subject": _title(lines)}) if len(hits) >= 2 and _is_screen(memory) else None


def _badge(lines: list[str], memory: CapturedMemory) -> Document | None:
    roles = re.compile(
        r"attendee|speaker|delegate|exhibitor|volunteer|participant|visitor|staff|press|organi[sz]er|teilnehmer(?:in)?",
        re.IGNORECASE,
    )
    hits = [line for line in lines if roles.fullmatch(line)]
    return _document(BADGE, hits, {"event": _title(lines)}) if hits and len(lines) <= 12 else None


def _private(lines: list[str], memory: CapturedMemory) -> Document | None:
    found = private_kind(lines)
    return _document(found[0], found[1], {}) if found else None


def _receipt(lines: list[str], memory: CapturedMemory) -> Document | None:
    total = receipts.total_of(lines)
    amounts = [amount for line in lines for amount in amounts_in(line)]
    text = "\n".join(lines)
    hits = _hits(text, _PAYING.pattern)
    if total is None or len(amounts) < 2 or (len(amounts) < 3 and not hits):
        return None
    fields = {
        "merchant": receipts.merchant_of(lines),
        "total": total.amount,
        "currency": receipts.currency_in(lines, total),
        "date": receipts.day_of(text, memory),
    }
    return _document(RECEIPT, [total.line, *hits], fields)


def _ticket(lines: list[str], memory: CapturedMemory) -> Document | None:
    text = "\n".join(lines)
    hits = _hits(
        text,
        r"admission|admit one|row|seat|screen|standing|stalls|ticket|doors|adults?|entry|eintritt|live|museum|"
        r"cinema|kino|theatre|theater|concert",
    )
    dated = bool(_CLOCK.search(text)) or any(True for _ in days_in(text, memory.taken.day))
    priced = any(amounts_in(line) for line in lines)
    if len(hits) < 2 or not (dated or priced) or len(lines) > 20:
        return None
    if not _words(r"admission|admit one|row|seat|screen|standing|stalls|ticket|adults?|eintritt|doors").search(text):
        return None
    return _document(TICKET, hits, {"event": _title(lines)} | _day_field(text, memory))


def _programme(lines: list[str], memory: CapturedMemory) -> Document | None:
    timed = [line for line in lines if _CLOCK.search(line)]
    hits = _hits(
        "\n".join(lines), r"program(?:me)?|schedule|agenda|session|keynote|opening|closing|timetable|workshop|programm"
    )
    return _document(PROGRAMME, hits, {"event": _title(lines)}) if len(timed) >= 3 and len(hits) >= 2 else None


def _menu(lines: list[str], memory: CapturedMemory) -> Document | None:
    text = "\n".join(lines)
    priced = [line for line in lines if amounts_in(line)]
    hits = _hits(
        text,
        r"menu|starters?|mains?|desserts?|drinks|soups?|salads?|speisekarte|vorspeisen|carte|entrées|plats|"
        r"prices in|ice cream|coffee|tea|cake|breakfast|lunch|dinner",
    )
    if (len(priced) >= 3 and hits) or (len(hits) >= 3 and _words("menu|speisekarte|carte").search(text)):
        return _document(MENU, hits, {"merchant": _first_name(lines)})
    return None


def _poster(lines: list[str], memory: CapturedMemory) -> Document | None:
    hits = _hits(
        "\n".join(lines),
        r"poster session|abstract|introduction|background|methods?|results?|conclusions?|references|"
        r"research question|question|discussion",
    )
    if _words("poster session").search("\n".join(lines)) or len(hits) >= 3:
        return _document(POSTER, hits, {"title": _title(lines)}) if not _is_screen(memory) else None
    return None


def _slide(lines: list[str], memory: CapturedMemory) -> Document | None:
    hits = _hits("\n".join(lines), r"keynote|lecture|talk|slide \d+|thank you for|questions\?|prof|outline")
    return (
        _document(SLIDE, hits, {"title": _title(lines)})
        if _words("keynote|lecture|slide").search("\n".join(lines)) and hits
        else None
    )


def _business_card(lines: list[str], memory: CapturedMemory) -> Document | None:
    text = "\n".join(lines)
    email, phone = _EMAIL_ADDRESS.search(text), _PHONE.search(text)
    if len(lines) > 10 or _is_screen(memory) or not email or not (phone or len(lines) <= 6):
        return None
    return _document(BUSINESS_CARD, [email[0]], {"name": _first_name(lines), "email": email[0]})


def _chat(lines: list[str], memory: CapturedMemory) -> Document | None:
    """A screenshot that starts with a name and goes on as people talk."""
    if memory.kind is not MemoryKind.SCREENSHOT or len(lines) < 3:
        return None
    name = next((bare for bare in map(_without_avatar, lines[:4]) if _is_name(bare)), None)
    rest = "\n".join(lines[1:])
    clocks, spoken = len(_CLOCK.findall(rest)), [line for line in lines[1:] if _SPOKEN_END.search(line)]
    sentences = [line for line in lines[1:] if len(line.split()) >= 3 and not amounts_in(line)]
    talks = len(spoken) >= 2 or clocks >= 2 or (spoken and (len(sentences) >= 3 or _CHAT_WORDS.search(rest)))
    if name is None or not talks:
        return None
    return _document(CHAT, [name], {"with": name})


def _whiteboard(lines: list[str], memory: CapturedMemory) -> Document | None:
    if _is_screen(memory):
        return None
    numbered = [line for line in lines if re.match(r"^(?:\d[.)]|[-•*→]) ?\w", line)]
    hits = _hits(
        "\n".join(lines),
        r"next steps?|to ?do|workshop|project|budget|prototype|brainstorm|action items?|demo|user test|"
        r"milestones?|ideas",
    )
    return (
        _document(WHITEBOARD, hits or numbered[:2], {"title": _title(lines)})
        if len(hits) >= 3 or (hits and len(numbered) >= 2)
        else None
    )


_RULES: tuple[Callable[[list[str], CapturedMemory], Document | None], ...] = (
    _boarding_pass, _private, _wifi_sign, _check_in, _email, _badge, _train_ticket, _receipt, _programme, _ticket, _menu, _poster, _slide,
    _business_card, _chat, _whiteboard,
)  # fmt: skip


def _document(kind: str, hits: list[str], fields: Mapping[str, str]) -> Document:
    said = ", ".join(f"“{hit}”" for hit in hits[:3])
    return Document(kind, f"the picture says {said}", {name: value for name, value in fields.items() if value})


def _hits(text: str, pattern: str) -> list[str]:
    """The different words of the pattern that the text has."""
    compiled = re.compile(pattern, re.IGNORECASE) if pattern.startswith("(?<!") else _words(pattern)
    return list(dict.fromkeys(match.lower() for match in compiled.findall(text)))


def _day_field(text: str, memory: CapturedMemory) -> dict[str, str]:
    return {"date": receipts.day_of(text, memory)}


def _title(lines: list[str]) -> str:
    """The first line that is made of words: a screen starts with a clock, a photo with a smudge."""
    return next((line[:80] for line in lines if sum(char.isalpha() for char in line) >= max(3, len(line) // 3)), "")


def _without_avatar(line: str) -> str:
    """A chat's head without the round picture before the name, which is read as its initial or as a digit."""
    first, _, rest = line.partition(" ")
    return rest if len(first) == 1 and rest and (not first.isalpha() or first == rest[0]) else line


def _first_name(lines: list[str]) -> str:
    """The first line that can be a name: mostly letters, not a greeting or a heading."""
    for line in lines[:4]:
        letters = sum(char.isalpha() for char in line)
        if (
            letters >= 3
            and letters * 2 > len(line)
            and not _words("receipt|invoice|welcome|tax invoice|menu|rechnung|copy").fullmatch(line)
        ):
            return line[:80]
    return ""


def _is_name(line: str) -> bool:
    return (
        len(line) <= 30
        and bool(_NAME_LIKE.match(line))
        and all(word[0].isupper() or not word[0].isascii() for word in line.split())
        and line.casefold() not in _NOT_A_NAME
        and not line.isupper()
    )


def _is_screen(memory: CapturedMemory) -> bool:
    return memory.kind is MemoryKind.SCREENSHOT
