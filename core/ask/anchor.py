"""Resolves "after the rocket launch": finds the memory that shows the anchor, and limits the question to the hours around it."""

import re
from dataclasses import replace
from datetime import timedelta

from core.ask.phrases import moment_of
from core.records import MemoryFilter
from core.retrieve.match_words import match_all, words_of
from core.store.library import Library

_ANCHOR = re.compile(
    r"\b(after|before|following)\s+(?:i |we )?(?:saw |seeing |watching |attending |visiting )?(?:the|my|our|that|this|a|an)\s+"
    r"([^{}?,.;]{3,80}?)\s*(?:[?.,;]|$)"
)
_HOURS = 30
"""How far "after" reaches: the evening and the next day."""


def anchor_in(mask: str) -> tuple[str, str] | None:
    """("after", "rocket launch") where a masked question is placed in time by something that is no known place, event or day."""
    match = _ANCHOR.search(mask)
    if not match or not words_of(match[2]):
        return None
    return ("before" if match[1] == "before" else "after"), match[2].strip()


def around_anchor(library: Library, scope: MemoryFilter, relation: str, words: str) -> tuple[MemoryFilter, str]:
    """The scope limited to the hours after (or before) the memory that holds all the anchor's words, and how that was found.

    Where no memory holds them the scope stays as it is.
    """
    hits = library.memories.by_words(match_all(words_of(words)), 20, scope)
    held = [memory for memory in library.memories.many([memory_id for memory_id, _ in hits]) if memory.taken.wall]
    lived = [memory for memory in held if memory.place or memory.kind.value in ("photo", "video")] or held
    if not lived:
        return scope, ""
    day = lived[0].taken.day
    moments = [memory.taken.wall for memory in lived if memory.taken.wall and memory.taken.day == day]
    if relation == "after":
        start, end = max(moments), max(moments) + timedelta(hours=_HOURS)
    else:
        start, end = min(moments) - timedelta(hours=_HOURS), min(moments)
    near = library.memories.matching(replace(scope, first_day=start.date(), last_day=end.date()))
    ids = tuple(
        memory.id
        for memory in near
        if memory.taken.wall and start <= memory.taken.wall <= end and memory.taken.wall not in moments
    )
    note = f"Took “{words}” to be {moment_of(lived[0])[0].lower()}{moment_of(lived[0])[1:]}."
    return (replace(scope, ids=ids), note) if ids else (scope, "")
