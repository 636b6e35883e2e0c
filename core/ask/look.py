"""Looks at the pictures themselves where no text about them can tell: the brand on a shirt, a colour, what somebody wears."""

import re
from collections.abc import Generator, Sequence

from core.ask.evidence import Evidence, line_of, words_held
from core.ask.phrases import moment_of
from core.ask.plan import Plan
from core.ask.tools import Toolbox
from core.ask.turn import Draft, Turn
from core.errors import ReplyError
from core.records import AskStep, CapturedMemory, MemoryKind, Outcome, ValueType
from core.retrieve.match_words import words_of

_LOOKS = re.compile(
    r"\b(?:brands?|logos?|make of|colou?rs?|patterns?|shape|wearing|wore|dressed|outfit|label|printed|tattoo|gestures?|holding|"
    r"look(?:s|ed)? like|facial expression|smiling)\b",
    re.IGNORECASE,
)
_LOOKS_WORDS = frozenset(
    ("brand", "brands", "logo", "logos", "color", "colour", "colors", "colours", "pattern", "shape", "wearing", "wore", "dressed",
     "outfit", "label", "printed", "look", "looks", "looked", "holding", "kind", "type")
)  # fmt: skip
_COLOURS_SAID = (
    "red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ea]y|beige|golden|silver|turquoise|navy|"
    "maroon|striped|checked"
)
_OF_COLOUR = re.compile(r"\bcolou?r", re.IGNORECASE)
_CANNOT_TELL = re.compile(
    r"\b(?:can(?:not|'t|’t)|could not|unable|not (?:visible|clear|shown|possible|sure|identifiable|legible|enough)|unclear|unknown|"
    r"no (?:visible|clear|brand|logo|text)|(?:does|do)(?: not|n't|n’t) (?:show|say|contain))\b",
    re.IGNORECASE,
)
_NO_PIXELS = frozenset((MemoryKind.NOTE, MemoryKind.RECORDING))
_LOOKED_AT = 3
_SEEN = 0.5


def asks_looks(question: str) -> bool:
    """Whether a question is about how something looks, which texts seldom say."""
    return _LOOKS.search(question) is not None


def is_told(plan: Plan, memory: CapturedMemory) -> bool:
    """Whether the texts of a memory may tell how something looks: its writing, a colour beside the thing, or the word asked for."""
    question, said = plan.query.question, f"{line_of(memory)} {memory.visible_text}"
    if _OF_COLOUR.search(question):
        things = "|".join(re.escape(word[:5]) for word in plan.understood.content if word not in _LOOKS_WORDS) or r"\w"
        after = rf"\b(?:{things})\w* (?:is|was|are|were) (?:{_COLOURS_SAID})\b"
        beside = rf"(?i)\b(?:{_COLOURS_SAID})\b(?:\W+\w+){{0,2}}?\W+(?:{things})|{after}"
        return re.search(beside, said) is not None
    asked = {word for word in words_of(question) if word in _LOOKS_WORDS}
    return bool(memory.visible_text.strip()) or bool(asked & set(words_of(said, 400)))


def answer(turn: Turn, plan: Plan, evidence: Evidence) -> Generator[AskStep, None, Draft | None]:
    """What a vision model sees on the closest pictures, one after the other; None without one, or where none of them shows it."""
    candidates = _candidates(plan, evidence)
    if turn.captioner is None or turn.load_picture is None or not candidates:
        return None
    box = Toolbox(
        turn.library, captioner=turn.captioner, load_picture=turn.load_picture, interrupted=turn.talk.interrupted
    )
    for number, memory in enumerate(candidates, start=1):
        yield AskStep(doing=f"Looking at picture {number} of {len(candidates)}")
        try:
            seen = box.view([box.memories.of(memory.id)], plan.query.question)
        except ReplyError:
            continue
        if seen.is_refused or _CANNOT_TELL.search(seen.text):
            continue
        how = f"No text says it, so {turn.captioner.model_id} looked at {number} of the closest pictures"
        return Draft(outcome=Outcome.ANSWERED, text=f"{moment_of(memory)}: {seen.text}", value=seen.text, value_type=ValueType.TEXT,
                     cited=(memory.id,), confidence=_SEEN, how=how)  # fmt: skip
    return None


def _candidates(plan: Plan, evidence: Evidence) -> Sequence[CapturedMemory]:
    """The closest pictures that speak of at least half of what is asked for: a look at any other could only mislead."""
    content = [word for word in plan.understood.content if word not in _LOOKS_WORDS]
    pictures = [memory for memory in evidence.memories if memory.kind not in _NO_PIXELS]
    if not content:
        return pictures[:_LOOKED_AT] if plan.names_something or plan.query.time else ()
    fitting = [(words_held(memory, content), memory) for memory in pictures]
    fitting = [pair for pair in fitting if 2 * pair[0] >= len(content)]
    fitting.sort(key=lambda pair: -pair[0])
    return [memory for _, memory in fitting[:_LOOKED_AT]]
