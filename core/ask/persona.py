"""Answers about tastes, habits and character from knowledge and counts, with evidence, and says that it infers."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.ask.compute import on_days, spot
from core.ask.phrases import listed
from core.ask.plan import Plan
from core.ask.turn import Draft, Turn, not_found
from core.counted import counted
from core.records import CapturedMemory, Intent, Knowledge, KnowledgeState, MemoryFilter, Outcome, ValueType
from core.retrieve.match_words import words_of
from core.text_keys import text_key

_TASTES = re.compile(
    r"\bmy (?:hobb(?:y|ies)|habits?|routines?|interests?|tastes?|preferences?|lifestyle|personality|passions?)\b|"
    r"\bwhat (?:kinds?|sorts?|types?) of \w+(?: \w+)? (?:do|would|might|does) (?:i|we|\{person\}) (?:like|love|prefer|enjoy)\b|"
    r"\bwhat (?:do|does|would) (?:i|\{person\}) (?:like|love|prefer|enjoy)\b|"
    r"\bwhat (?:kind|sort|type) of person (?:am i|is \{person\})\b|"
    r"\bdescribe (?:me|my life|\{person\})\b|\bwhat am i like\b|"
    r"\bdo(?:es)? (?:i|\{person\}) (?:usually |often |really )?(?:like|prefer|enjoy)\b"
)
_ADVICE = re.compile(
    r"\b(?:gift|present)\b.*\b(?:for|to)\b|\bwhat (?:should|could|can|might) (?:i|we)\b|\bwhere (?:should|could|might) (?:i|we)\b|"
    r"\b(?:recommend|suggest)\b|\bwould (?:i|\{person\}) (?:like|enjoy)\b"
)
_FRAMING = """
    hobby hobbies habit habits routine routines interest interests taste tastes preference preferences lifestyle personality passion
    passions kind kinds sort sorts type types like likes love prefer enjoy describe gift present good would should could recommend
    suggest suitable best usually often really me life buy give next idea ideas nice think suit suits
"""
_FRAME = frozenset(_FRAMING.split())
_KINDS = ("favourite", "habit", "fact", "companion", "home", "first")
_MOST_STATEMENTS, _MOST_HABITS, _EVIDENCE = 5, 3, 4
_TOO_SELDOM = 2
_INFERRED = 0.5


@dataclass(frozen=True, slots=True)
class Clue:
    """One thing that speaks for an answer, and the memories it was seen in."""

    says: str
    memory_ids: tuple[str, ...]


def answer(turn: Turn, plan: Plan) -> Draft | None:
    """What is inferred of the person's tastes; None where the question asks for something else."""
    mask = plan.understood.mask
    if not (_TASTES.search(mask) or _ADVICE.search(mask)) or plan.query.intent not in (
        Intent.WHAT,
        Intent.WHERE,
        Intent.FIND,
        Intent.LIST,
    ):
        return None
    wanted = [word for word in plan.understood.content if word not in _FRAME]
    held = turn.library.memories.matching(plan.exact)
    clues = [*_known(turn, plan, wanted), *(_habits(held) if not wanted else _about(turn, plan, wanted))]
    if not clues:
        return not_found(
            "Your memories do not say enough to infer that.", f"All knowledge, and {counted(len(held), 'memory')}."
        )
    shown = clues[: _MOST_STATEMENTS + _MOST_HABITS]
    cited = list(dict.fromkeys(each for clue in shown for each in clue.memory_ids[:_EVIDENCE]))
    turn.note_retrieved(cited, "evidence of what is inferred")
    lead = "I infer this from your memories; nobody told me"
    if _ADVICE.search(mask):
        lead = "I can only infer: this is what your memories show, and what would fit it"
    said = listed([clue.says for clue in shown])
    return Draft(outcome=Outcome.ANSWERED, text=f"{lead}: {said}.", value=said, value_type=ValueType.TEXT, cited=tuple(cited),
                 confidence=_INFERRED, how="Inferred from knowledge and from how often things come back")  # fmt: skip


def _known(turn: Turn, plan: Plan, wanted: Sequence[str]) -> list[Clue]:
    """Statements about the person asked for, or the owner, that share a word with what is asked."""
    named = {part for name in plan.query.people for part in words_of(name)}
    found: list[Knowledge] = []
    for item in turn.library.knowledge.all():
        said = set(words_of(f"{item.statement} {item.subject}"))
        fits = (
            all(_shares(word, said) for word in wanted)
            if wanted
            else item.kind in ("favourite", "habit") or bool(named)
        )
        if item.state is not KnowledgeState.REJECTED and fits and bool(named & said) == bool(named):
            found.append(item)
    found.sort(
        key=lambda item: (item.state is KnowledgeState.INFERRED, _KINDS.index(item.kind) if item.kind in _KINDS else 9)
    )
    return [Clue(item.statement.rstrip("."), item.evidence_ids) for item in found[:_MOST_STATEMENTS]]


def _shares(word: str, said: set[str]) -> bool:
    return any(other[:4] == word[:4] for other in said)


def _habits(held: Sequence[CapturedMemory]) -> list[Clue]:
    """Activities and places that come back on several days."""
    clues: list[Clue] = []
    for values, verb in (
        ([(each, memory) for memory in held for each in memory.activities], ""),
        ([(spot(memory), memory) for memory in held if spot(memory)], "at "),
    ):
        groups: dict[str, list[CapturedMemory]] = {}
        shown: dict[str, str] = {}
        for value, memory in values:
            groups.setdefault(shown.setdefault(text_key(value), value), []).append(memory)
        counts = Counter({name: len(on_days(group)) for name, group in groups.items()})
        for name, days in counts.most_common(_MOST_HABITS):
            if days >= _TOO_SELDOM:
                clues.append(
                    Clue(
                        f"{verb}{name} on {counted(days, 'day')}",
                        tuple(memory.id for memory in on_days(groups[name]).values()),
                    )
                )
    return clues


def _about(turn: Turn, plan: Plan, wanted: Sequence[str]) -> list[Clue]:
    """Memories that say the words themselves ("food"), told by where they were."""
    held = [
        memory_id
        for memory_id, _ in turn.library.memories.by_words(" OR ".join(f'"{word}"' for word in wanted), 60, plan.exact)
    ]
    return _habits(turn.library.memories.matching(MemoryFilter(ids=tuple(held)))) if held else []
