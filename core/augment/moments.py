"""Which memories were taken in one go? Cuts the stream of memories into moments by time, distance and what they show; no model.

A pause cuts when it is long against three hours, made longer or shorter by the evidence around it: the local rhythm, the
distance travelled, and how alike the words on its two sides are. Measured by `tests/bench/segment.py`; the settings below are
one set for every library.
"""

import hashlib
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from core.augment.places import km_between
from core.augment.wording import WordsAround, alike, words
from core.records import CapturedMemory, Moment, Place
from core.text_keys import text_key

VERSION = "moments-2"
REACH = 200
"""How many memories on each side of a pause tell how rare a word is."""
_USUAL_PAUSE_S = 3 * 3600
_NEVER_CUTS_S = 60
_ALWAYS_CUTS_S = 36 * 3600
_LONGEST_PAUSE_S = 48 * 3600
_RHYTHM_REACH = 3
_RHYTHM_WEIGHT = 0.1
_WORDS_REACH = 3
_WORDS_WEIGHT = 24.0
_USUAL_LIKENESS = 0.2
_WORDS_FOR_FULL_WEIGHT = 25


def cut(memories: Sequence[CapturedMemory]) -> list[Moment]:
    """Cut memories into moments. Undated ones belong to none; the order given does not matter."""
    dated = in_order(memories)
    return moments_of(dated, ends(dated, 0, len(dated) - 1))


def in_order(memories: Iterable[CapturedMemory]) -> list[CapturedMemory]:
    """The dated ones in the order in which they are cut."""
    dated = (memory for memory in memories if memory.taken.wall)
    return sorted(dated, key=lambda memory: (memory.taken.wall, memory.public_id))


def moments_of(dated: Sequence[CapturedMemory], is_end: Sequence[bool]) -> list[Moment]:
    """The moments between pauses that end one; `is_end` has an entry for each pause between neighbours."""
    groups: list[list[CapturedMemory]] = []
    for memory, begins in zip(dated, [True, *is_end], strict=False):
        if begins:
            groups.append([])
        groups[-1].append(memory)
    return [_moment(group) for group in groups]


def ends(dated: Sequence[CapturedMemory], first: int, last: int) -> list[bool]:
    """For each pause from position `first` to before `last`, whether it ends a moment.

    Pause 0 is the one after memory 0. Only memories within `REACH` of a pause have a say in it, so a memory that is added
    changes nothing further away.
    """
    texts = [words(f"{memory.title} {memory.caption}") for memory in dated]
    pauses = [_pause_s(before, after) for before, after in pairwise(dated)]
    said = WordsAround(texts)
    found = []
    for at in range(first, last):
        pause_s = pauses[at]
        if pause_s <= _NEVER_CUTS_S or pause_s > _ALWAYS_CUTS_S:
            found.append(pause_s > _ALWAYS_CUTS_S)
            continue
        near = frozenset().union(*texts[max(0, at + 1 - _WORDS_REACH) : at + 1 + _WORDS_REACH])
        score = math.log(min(pause_s, _LONGEST_PAUSE_S) / _USUAL_PAUSE_S)
        score += _rhythm(pauses, at) + _travel(dated[at].place, dated[at + 1].place)
        found.append(score - _scene(texts, at, said.rarity(near, at + 1 - REACH, at + 1 + REACH)) > 0)
    return found


def _pause_s(before: CapturedMemory, after: CapturedMemory) -> float:
    if before.taken.wall is None or after.taken.wall is None:
        return math.inf
    return (after.taken.wall - before.taken.wall).total_seconds()


def _rhythm(pauses: Sequence[float], at: int) -> float:
    """Positive where the pause is long for its surroundings."""
    around = [*pauses[max(0, at - _RHYTHM_REACH) : at], *pauses[at + 1 : at + 1 + _RHYTHM_REACH]]
    if not around:
        return 0.0
    usual = sum(math.log(pause + 60) for pause in around) / len(around)
    return _RHYTHM_WEIGHT * (math.log(pauses[at] + 60) - usual)


def _travel(before: Place | None, after: Place | None) -> float:
    """Positive where the place changed, a little negative where it stayed."""
    if before is None or after is None:
        return 0.0
    km = km_between(before, after)
    if km is not None:
        return 1.5 * math.log1p(km / 0.5) - 0.5
    if before.name and after.name:
        if text_key(before.name) == text_key(after.name):
            return -0.5
        return 3.0 if text_key(before.city) != text_key(after.city) else 1.5
    return 0.0


def _scene(texts: Sequence[frozenset[str]], at: int, weight: dict[str, float]) -> float:
    """Positive where the words on both sides are more alike than usual; near 0 where there are few words to judge by."""
    near = alike([texts[at]], [texts[at + 1]], weight)
    wide = alike(texts[max(0, at + 1 - _WORDS_REACH) : at + 1], texts[at + 1 : at + 1 + _WORDS_REACH], weight)
    trust = min(1.0, min(len(texts[at]), len(texts[at + 1])) / _WORDS_FOR_FULL_WEIGHT)
    return trust * _WORDS_WEIGHT * (near + wide - _USUAL_LIKENESS)


def _moment(members: Sequence[CapturedMemory]) -> Moment:
    walls = [memory.taken.wall for memory in members if memory.taken.wall]
    labels = [memory.place.label for memory in members if memory.place and memory.place.label]
    return Moment(
        id=hashlib.sha256(f"moment {members[0].id}".encode()).hexdigest()[:32],
        start=walls[0],
        end=walls[-1],
        place=max(labels, key=labels.count) if labels else "",
        member_ids=tuple(memory.id for memory in members),
    )
