"""What one turn of asking works with, and the draft of its answer while it is being made."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from core.ask.talk import Talk
from core.ports import Captioner, ImageEmbedder, Pixels, TextEmbedder
from core.records import CapturedMemory, Outcome, Proposal, Question, TraceStep, ValueType
from core.store.library import Library

Value = int | float | str | tuple[str, ...] | None


@dataclass(slots=True)
class Turn:
    """One question on its way to an answer.

    Attributes:
        retrieved: every memory that a search or computation of this turn returned; only these may be cited.
        limits: what of the search was cut short, as sentences.
        first_pictures_s: seconds until pictures could be shown first.
    """

    library: Library
    embedder: TextEmbedder | None
    talk: Talk
    question: Question
    eyes: ImageEmbedder | None = None
    captioner: Captioner | None = None
    load_picture: Callable[[CapturedMemory], Pixels] | None = None
    trace: tuple[TraceStep, ...] = ()
    started: float = field(default_factory=perf_counter)
    retrieved: dict[str, str] = field(default_factory=dict)
    limits: list[str] = field(default_factory=list)
    first_pictures_s: float | None = None

    def seconds(self) -> float:
        """Since the question was asked."""
        return perf_counter() - self.started

    def note_retrieved(self, memory_ids: Sequence[str], why: str = "") -> tuple[str, ...]:
        """Remember what was retrieved, and when there was something to show first; returns the ids for showing."""
        for memory_id in memory_ids:
            self.retrieved.setdefault(memory_id, why)
        if memory_ids and self.first_pictures_s is None:
            self.first_pictures_s = self.seconds()
        return tuple(memory_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An answer before it is checked: citations are memory ids in order of support."""

    outcome: Outcome
    text: str
    value: Value = None
    value_type: ValueType = ValueType.NONE
    cited: tuple[str, ...] = ()
    confidence: float = 0.0
    explanation: str = ""
    how: str = ""
    searched: str = ""
    readings: tuple[str, ...] = ()
    proposal: Proposal | None = None


def not_found(text: str, searched: str, how: str = "") -> Draft:
    """Nothing supports an answer: no pictures, but what was looked through."""
    return Draft(outcome=Outcome.NOT_FOUND, text=text, searched=searched, how=how)
