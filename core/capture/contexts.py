"""Draws the first atomic contexts of a memory by rule: from the words in it, what was said, its place and its time.

Each says which words it was read from and is marked with its rule, so that the person can see why and a model can do better.
A screenshot never says where the person was.
"""

import re
from collections.abc import Iterable, Iterator

from core.capture import documents
from core.capture.documents import Document
from core.capture.word_rules import WORD_RULES
from core.records import AtomicContext, CapturedMemory, ContextKind, MemoryKind, Origin, Provenance

RULES_VERSION = "contexts/1"

_ENVIRONMENT, _ACTIVITY, _PERSON, _ELEMENT = (
    ContextKind.ENVIRONMENT, ContextKind.ACTIVITY, ContextKind.PERSON, ContextKind.VISUAL_ELEMENT,
)  # fmt: skip
_CONFERENCE = re.compile(
    r"\b(?:conference|symposium|forum|summit|congress|convention|keynote|poster session|proceedings|konferenz|"
    r"tagung|kongress)\b"
    r"|\b[A-Z][A-Za-z]*[A-Z]+[a-z]* ?['’]?(?:20)?\d\d\b",
    re.IGNORECASE,
)
_ACRONYM_YEAR = re.compile(r"\b[A-Z]{2,8}[ '’]{1,2}(?:20)?[0-4]\d\b")
_OF_A_CONFERENCE = frozenset(
    {documents.WIFI_SIGN, documents.BADGE, documents.PROGRAMME, documents.POSTER, documents.SLIDE, documents.WHITEBOARD}
)
_FOOD = (
    r"soup|salad|pizza|pasta|risotto|burger|steak|schnitzel|goulash|strudel|coffee|cappuccino|espresso|latte|"
    r"tea|beer|wine|dessert|"
    r"tiramisu|starter|main|chips|curry|noodles|ramen|sushi|sandwich|breakfast|brunch|dinner|lunch|table \d+|"
    r"guests?|restaurant|"
    r"trattoria|gasthaus|bistro|cafe|café|bar|grill|kitchen|mineral water|soda|tart|mackerel|herring|tip|"
    r"service charge|kopitiam"
)
_GROCERIES = (
    r"milk|bread|bananas?|apples?|eggs?|cheese|cheddar|yogh?urt|potatoes|onions?|lentils|oats|"
    r"spinach|supermarket|grocery|groceries|mart|market|basket|cat food|detergent"
)


_TICKETS = (
    ("cinema", r"cinema|kino|screen \d+|film|movie|imax", "watching a film", "cinema"),
    ("museum", r"museum|gallery|exhibition|admission", "visiting a museum", "museum"),
    ("theatre", r"theatre|theater|opera|ballet|stalls|play", "going to the theatre", "theatre"),
    ("concert", r"concert|live|standing|tour|band|doors|festival|hall", "attending a concert", "concert hall"),
    ("match", r"match|stadium|arena|league|fc", "watching a match", "stadium"),
)


def contexts_of(memory: CapturedMemory, document: Document | None) -> tuple[AtomicContext, ...]:
    """Every context that a rule sees, each value once (the surest)."""
    found: dict[tuple[ContextKind, str], AtomicContext] = {}
    for context in (
        *(of_document(memory, document) if document else ()),
        *_of_words(memory, document),
        *_of_place(memory),
        *_of_time(memory),
        *_of_sound(memory),
    ):
        known = found.get((context.kind, context.value))
        if known is None or known.confidence < context.confidence:
            found[context.kind, context.value] = context
    return tuple(found.values())


def _context(kind: ContextKind, value: str, confidence: float, why: str, rule: str) -> AtomicContext:
    return AtomicContext(
        kind, value, confidence, Origin.RULE, why, Provenance(f"rule:{rule}", prompt_version=RULES_VERSION)
    )


def _present(memory: CapturedMemory) -> bool:
    """Whether the person was where the words are."""
    return memory.kind in (MemoryKind.PHOTO, MemoryKind.VIDEO)


def of_document(memory: CapturedMemory, document: Document) -> Iterator[AtomicContext]:
    """What a document says about where the person was and what they did."""
    yield _context(_ELEMENT, document.kind.replace("_", " "), 0.8, document.why, f"document-{document.kind}")
    pairs: Iterable[tuple[ContextKind, str, float, str]] = ()
    if document.kind == documents.RECEIPT:
        pairs = _of_receipt(memory)
    elif document.kind == documents.MENU:
        pairs = ((_ENVIRONMENT, "restaurant", 0.7, "a menu"), (_ACTIVITY, "eating out", 0.7, "a menu"))
    elif document.kind == documents.BOARDING_PASS:
        pairs = ((_ACTIVITY, "flying", 0.85, "a boarding pass"),)
    elif document.kind == documents.TRAIN_TICKET:
        pairs = ((_ACTIVITY, "travelling by train", 0.8, "a train ticket"),)
    elif document.kind == documents.TICKET:
        pairs = _of_ticket(memory)
    elif document.kind == documents.CHECK_IN:
        pairs = _of_check_in(memory)
    elif document.kind == documents.CHAT:
        name = document.fields.get("with", "")
        pairs = ((_ACTIVITY, "chatting", 0.85, "a chat"), (_PERSON, name, 0.7, f"the chat is headed “{name}”"))
    elif document.kind in _OF_A_CONFERENCE and (sign := _conference_sign(memory.visible_text)):
        pairs = (
            (_ENVIRONMENT, "conference venue", 0.8, f"{document.kind.replace('_', ' ')} that says “{sign}”"),
            (_ACTIVITY, "attending a conference", 0.75, f"{document.kind.replace('_', ' ')} that says “{sign}”"),
        )
    elif document.kind == documents.WHITEBOARD:
        workshop = _first("workshop", memory.visible_text)
        pairs = ((_ACTIVITY, f"attending a {workshop.lower()}" if workshop else "working", 0.55, "a whiteboard"),)
    for kind, value, confidence, why in pairs:
        if value and (kind is not _ENVIRONMENT or _present(memory)):
            yield _context(kind, value, confidence, why, f"document-{document.kind}")


def _conference_sign(text: str) -> str:
    found = _CONFERENCE.search(text) or _ACRONYM_YEAR.search(text)
    return found[0] if found else ""


def _of_receipt(memory: CapturedMemory) -> Iterator[tuple[ContextKind, str, float, str]]:
    text = memory.visible_text
    if hotel := _first(r"hotel|nights?|room \d+|hostel|guest house", text):
        yield _ACTIVITY, "staying at a hotel", 0.7, f"a bill that says “{hotel}”"
        yield _ENVIRONMENT, "hotel", 0.7, f"a bill that says “{hotel}”"
        return
    food, groceries = _all(_FOOD, text), _all(_GROCERIES, text)
    if food and len(food) >= len(groceries):
        yield _ACTIVITY, "eating out", 0.75, f"a receipt that says “{food[0]}”"
        yield _ENVIRONMENT, "restaurant", 0.6, f"a receipt that says “{food[0]}”"
        return
    yield _ACTIVITY, "shopping", 0.75, "a receipt"
    if groceries:
        yield _ENVIRONMENT, "supermarket", 0.6, f"a receipt that says “{groceries[0]}”"
    elif pharmacy := _first(r"pharmacy|apotheke|drugstore|chemist", text):
        yield _ENVIRONMENT, "pharmacy", 0.7, f"a receipt that says “{pharmacy}”"


def _of_ticket(memory: CapturedMemory) -> Iterator[tuple[ContextKind, str, float, str]]:
    for _, pattern, activity, environment in _TICKETS:
        if word := _first(pattern, memory.visible_text):
            yield _ACTIVITY, activity, 0.75, f"a ticket that says “{word}”"
            yield _ENVIRONMENT, environment, 0.6, f"a ticket that says “{word}”"
            return
    yield _ACTIVITY, "going to an event", 0.5, "a ticket"


def _of_check_in(memory: CapturedMemory) -> Iterator[tuple[ContextKind, str, float, str]]:
    if word := _first(r"climbing|boulder\w*|kletter\w*", memory.visible_text):
        yield _ACTIVITY, "climbing", 0.9, f"a check-in that says “{word}”"
        yield _ACTIVITY, "exercising", 0.6, f"a check-in that says “{word}”"
    elif word := _first(r"gym|fitness|swim\w*|pool|yoga|crossfit|sports?", memory.visible_text):
        yield (
            _ACTIVITY,
            "swimming" if word.lower().startswith(("swim", "pool")) else "exercising",
            0.85,
            f"a check-in that says “{word}”",
        )
    elif word := _first(r"hotel|hostel|room", memory.visible_text):
        yield _ACTIVITY, "staying at a hotel", 0.7, f"a check-in that says “{word}”"


def _of_words(memory: CapturedMemory, document: Document | None) -> Iterator[AtomicContext]:
    """Single words of signs and of speech; the words of a long document or a chat are about something else."""
    telling = document is None or document.kind in (documents.POSTER, documents.WIFI_SIGN)
    for words, source, factor in (
        (memory.visible_text if telling and len(memory.visible_text) < 400 else "", "the picture says", 1.0),
        (memory.speech, "somebody says", 0.8),
    ):
        for rule in WORD_RULES:
            found = rule.pattern.search(words)
            if found is None or (rule.needs_presence and not _present(memory)):
                continue
            for kind, value in rule.contexts:
                yield _context(kind, value, rule.confidence * factor, f"{source} “{found[0]}”", rule.name)


def _of_place(memory: CapturedMemory) -> Iterator[AtomicContext]:
    if memory.place is not None and memory.place.label:
        yield _context(ContextKind.PLACE, memory.place.label, 0.9, "the position in the file", "place")


def _of_time(memory: CapturedMemory) -> Iterator[AtomicContext]:
    wall = memory.taken.wall
    if wall is None or memory.taken.day_only or memory.taken.confidence < 0.5:
        return
    part = (
        "night"
        if wall.hour < 5 or wall.hour >= 22
        else "morning"
        if wall.hour < 12
        else "afternoon"
        if wall.hour < 18
        else "evening"
    )
    yield _context(ContextKind.TIME, part, 0.9, f"taken at {wall:%H:%M}", "part-of-day")


def _of_sound(memory: CapturedMemory) -> Iterator[AtomicContext]:
    if memory.speech and memory.kind is MemoryKind.RECORDING:
        yield _context(_ACTIVITY, "recording a voice note", 0.6, "a recording with speech", "voice-note")


def _first(pattern: str, text: str) -> str:
    found = _all(pattern, text)
    return found[0] if found else ""


def _all(pattern: str, text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", text, re.IGNORECASE)))
