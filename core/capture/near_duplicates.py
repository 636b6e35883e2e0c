"""Stacks shots of one scene: alike and close in time, or one burst by name. One of a stack stands for the others."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta

from core.records import CapturedMemory, MemoryKind

KEY = "dhash64/2"
_BURST = re.compile(r"BURST(\d{13,})|^(IMG_\d{8}_\d{6})_BURST\d{3}(?!\d)|^(\d{8}_\d{6})_\d{3}(?=\.)", re.IGNORECASE)
"""Nexus, Pixel and Sony name a burst by its time, Huawei and Samsung by the time of its first shot before a number."""

_COVER = re.compile(r"_COVER(?![a-z])", re.IGNORECASE)
_CLOSE = timedelta(seconds=15)
_ALIKE_BITS = 8
_DATED = 0.5


def differing_bits(first: int, second: int) -> int:
    """How many of the 64 bits differ."""
    return ((first ^ second) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def representatives(
    memories: Iterable[CapturedMemory],
    fingerprints: Mapping[str, int],
    alike: Callable[[str, str], bool | None] | None = None,
) -> dict[str, str]:
    """For each memory that is a near-duplicate, the id of the one that stands for it.

    Only photos with a trustworthy time are stacked: screenshots of one program look alike and say different things, and a
    smaller copy without a date is a suggestion for the person, not a stack.

    Args:
        memories: oldest first.
        alike: a model's word on two memories; where it has none (None), the 64 bits decide.
    """
    memories = list(memories)
    bursts = _bursts(memories)
    found: dict[str, str] = {}
    first: CapturedMemory | None = None
    last: CapturedMemory | None = None
    for memory in memories:
        if memory.id in bursts or not _may_be_stacked(memory, fingerprints):
            continue
        if first is not None and last is not None and _continues(memory, first, last, fingerprints, alike):
            found[memory.id] = first.id
        else:
            first = memory
        last = memory
    return found | {shot: found.get(cover, cover) for shot, cover in bursts.items()}


def _bursts(memories: Sequence[CapturedMemory]) -> dict[str, str]:
    """For each further shot of a burst that the camera marked or named as one, its cover: the camera's choice, else the first."""
    shots: dict[str, list[CapturedMemory]] = defaultdict(list)
    for memory in memories:
        name = _BURST.search(memory.file_name)
        mark = memory.media.burst or (next(part for part in name.groups() if part) if name else "")
        if mark and memory.kind is MemoryKind.PHOTO:
            shots[mark].append(memory)
    found = {}
    for burst in shots.values():
        cover = next((shot for shot in burst if _COVER.search(shot.file_name)), burst[0])
        found.update({shot.id: cover.id for shot in burst if shot is not cover})
    return found


def _may_be_stacked(memory: CapturedMemory, fingerprints: Mapping[str, int]) -> bool:
    return (
        memory.kind is MemoryKind.PHOTO
        and memory.id in fingerprints
        and memory.taken.wall is not None
        and not memory.taken.day_only
        and memory.taken.confidence >= _DATED
    )


def _continues(
    memory: CapturedMemory,
    first: CapturedMemory,
    last: CapturedMemory,
    fingerprints: Mapping[str, int],
    alike: Callable[[str, str], bool | None] | None,
) -> bool:
    if memory.taken.wall is None or last.taken.wall is None or memory.taken.wall - last.taken.wall > _CLOSE:
        return False
    same_shape = (memory.media.width > memory.media.height) == (first.media.width > first.media.height)
    if not same_shape:
        return False
    told = alike(first.id, memory.id) if alike else None
    return told if told is not None else _alike(fingerprints[memory.id], fingerprints[first.id])


def _alike(one: int, other: int) -> bool:
    """Few bits differ, also in proportion: a picture with much plain sky has few telling bits, so fewer may differ."""
    telling = ((one | other) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()
    return differing_bits(one, other) <= min(_ALIKE_BITS, telling // 4)
