"""Joins ranked lists from different searches into one list, by rank and not by their incomparable scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.records import CapturedMemory

# How fast trust falls with rank. Cormack (2009) proposes 60 for lists of thousands; on lists of one month 20 finds more
# (recall@10 0.66 against 0.64, tests/bench/retrieval.py).
_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Ranked:
    """One search's result: ids best first, how much its opinion counts, and why each id is in it."""

    ids: Sequence[str]
    weight: float
    why: str = ""


def fuse(lists: Sequence[Ranked]) -> list[tuple[str, float]]:
    """Reciprocal-rank fusion: (id, score) best first; 1 is an id that leads every list."""
    most = sum(each.weight for each in lists) / (_DEPTH + 1)
    scores: dict[str, float] = {}
    for each in lists:
        for rank, item in enumerate(dict.fromkeys(each.ids), start=1):
            scores[item] = scores.get(item, 0.0) + each.weight / (_DEPTH + rank)
    return sorted(((item, score / most) for item, score in scores.items()), key=lambda pair: -pair[1]) if most else []


def without_repeats(memories: Sequence[CapturedMemory]) -> list[CapturedMemory]:
    """The same order with near-duplicates collapsed: one of a stack, and one of those that say the same on the same day."""
    seen: set[object] = set()
    kept: list[CapturedMemory] = []
    for memory in memories:
        stack = memory.representative_id or memory.id
        words = (memory.taken.day, memory.title, memory.caption, memory.visible_text, memory.speech)
        says_something = any(words[2:])
        if stack in seen or (says_something and words in seen):
            continue
        seen.update((stack, words) if says_something else (stack,))
        kept.append(memory)
    return kept
