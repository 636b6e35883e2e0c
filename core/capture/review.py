"""What about a memory should the person check? Dates that contradict each other, positions that cannot be, copies, damage.

Nothing here changes what is shown: the policy decides, this tells where it had to. A date that the person gave is never doubted.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import takewhile

from core.capture.near_duplicates import differing_bits
from core.capture.sphere import km_between
from core.records import CapturedMemory, Doubt, DoubtKind, MemoryFilter, MemoryKind, Origin, Taken
from core.store.library import Library

_AHEAD = timedelta(hours=26)
_ANOTHER_DAY = timedelta(days=1, hours=14)  # more than two time zones can make
_PRINTED_APART = timedelta(days=7)
_TRUSTED = 0.5
_SAID_BY_PERSON = frozenset({Origin.PERSON, Origin.XMP_SIDECAR, Origin.IMPORTED})
_CAMERA = (Origin.EXIF_ORIGINAL, Origin.EMBEDDED_XMP, Origin.EXIF_DIGITIZED, Origin.TAKEOUT, Origin.VIDEO_CREATION_DATE)
_NEAR_KM, _FAR_KM, _FASTEST_KM_H = 50.0, 200.0, 1_000.0
_NEIGHBOUR = timedelta(hours=6)
_COPY_BITS = 3
_FEWEST_TELLING = 16
_SHARED_NAME = 5
_BLOCKS = tuple(range(0, 64, 16))
_LARGEST_BLOCK = 200  # a plain picture resembles too many others to say anything
_SAME_SHAPE = 0.02


def review(library: Library, now: datetime, only: str | None = None) -> list[Doubt]:
    """Everything to check, in the order of time; of one memory where `only` names it.

    Args:
        now: wall time.
    """
    fingerprints = library.memories.fingerprints()
    memories = library.memories.matching() if only is None else _around(library, only, fingerprints)
    asked = [memory for memory in memories if only in (None, memory.id)]
    dates = library.memories.dates_by_origin([memory.id for memory in asked])
    found: dict[str, list[Doubt]] = defaultdict(list)
    for memory in asked:
        found[memory.id] += _of_dates(memory, dates[memory.id], now)
        if memory.media.damaged:
            found[memory.id].append(
                Doubt(memory.id, DoubtKind.DAMAGED, "Part of its file is missing; what there is is shown.")
            )
    for doubt in (*_far_from_neighbours(memories), *_smaller_copies(memories, fingerprints)):
        if only in (None, doubt.memory_id):
            found[doubt.memory_id].append(doubt)
    return [doubt for memory in asked for doubt in found[memory.id]]


def _around(library: Library, memory_id: str, fingerprints: Mapping[str, int]) -> list[CapturedMemory]:
    """A memory with those that can cast a doubt on it, in the order of time: of the days around it, and those that look like it."""
    memory = library.memories.get(memory_id)
    ids = {memory_id}
    if (own := fingerprints.get(memory_id)) is not None:
        ids.update(each for each, other in fingerprints.items() if differing_bits(own, other) <= _COPY_BITS)
    if memory.taken.day is not None:
        one_day = timedelta(days=1)
        days = MemoryFilter(first_day=memory.taken.day - one_day, last_day=memory.taken.day + one_day)
        ids.update(library.memories.ids_matching(days))
    return sorted(library.memories.many(sorted(ids)), key=lambda each: each.taken.wall or datetime.max)


def _of_dates(memory: CapturedMemory, known: Mapping[Origin, Taken], now: datetime) -> Iterator[Doubt]:
    taken = memory.taken
    if taken.origin in _SAID_BY_PERSON:
        return
    if taken.wall is not None and taken.wall > now + _AHEAD:
        yield Doubt(memory.id, DoubtKind.FUTURE_DATE, f"Its date, {_day(taken.wall)}, is in the future.")
    if taken.day_only and taken.origin in _CAMERA and taken.confidence < _TRUSTED:
        yield Doubt(
            memory.id, DoubtKind.IMPOSSIBLE_TIME, "The camera wrote a time that no clock shows; only its day is used."
        )
    name, camera = known.get(Origin.FILE_NAME), next((known[each] for each in _CAMERA if each in known), None)
    if camera is not None and name is not None and _apart(camera, name) > _ANOTHER_DAY:
        yield Doubt(
            memory.id, DoubtKind.DATE_CONFLICT,
            f"It is dated {_day(camera.wall)}, but its file's name says {_day(name.wall)}.", _day(name.wall),
        )  # fmt: skip
    fix = known.get(Origin.GPS)
    if fix is not None and taken.origin is not Origin.GPS and _apart(taken, fix) > _ANOTHER_DAY:
        yield Doubt(
            memory.id, DoubtKind.STALE_POSITION,
            f"Its position was measured on {_day(fix.wall)}; it may be another place's.", _day(fix.wall),
        )  # fmt: skip
    printed = _printed(memory)
    if printed is not None and (
        taken.wall is None or taken.confidence < _TRUSTED or abs(taken.wall.date() - printed) > _PRINTED_APART
    ):
        yield Doubt(
            memory.id,
            DoubtKind.PRINTED_DATE,
            f"{_day(printed)} is printed on it; that may be when it was.",
            _day(printed),
        )


def _printed(memory: CapturedMemory) -> date | None:
    try:
        return date.fromisoformat(memory.document.get("date", ""))
    except ValueError:
        return None


def _apart(one: Taken, other: Taken) -> timedelta:
    return abs(one.wall - other.wall) if one.wall and other.wall else timedelta()


def _day(moment: date | None) -> str:
    """Its day in ISO form, as every command takes it."""
    return moment.isoformat()[:10] if moment else ""


@dataclass(frozen=True, slots=True)
class _Placed:
    memory: CapturedMemory
    wall: datetime
    latitude: float
    longitude: float

    def km_to(self, other: "_Placed") -> float:
        return km_between(self.latitude, self.longitude, other.latitude, other.longitude)


def _placed(memories: Iterable[CapturedMemory]) -> Iterator[_Placed]:
    """The memories whose time and position are both good enough to tell how fast somebody went."""
    for memory in memories:
        taken, place = memory.taken, memory.place
        if taken.wall is None or taken.day_only or taken.confidence < _TRUSTED or place is None:
            continue
        if place.latitude is not None and place.longitude is not None:
            yield _Placed(memory, taken.wall, place.latitude, place.longitude)


def _far_from_neighbours(memories: Iterable[CapturedMemory]) -> Iterator[Doubt]:
    """A position that nobody could have reached from the pictures right before and after, which lie close together."""
    placed = list(_placed(memories))
    for before, here, after in zip(placed, placed[1:], placed[2:], strict=False):
        if here.memory.origins.get("place") == Origin.PERSON or after.wall - before.wall > _NEIGHBOUR:
            continue
        away = min(here.km_to(before), here.km_to(after))
        hours = max((after.wall - before.wall).total_seconds() / 3_600, 1 / 3_600)
        if away > _FAR_KM and 2 * away / hours > _FASTEST_KM_H and before.km_to(after) < _NEAR_KM:
            reason = f"Its position is {away:,.0f} km from where the pictures before and after it were taken."
            yield Doubt(here.memory.id, DoubtKind.FAR_POSITION, reason)


def _smaller_copies(memories: Iterable[CapturedMemory], fingerprints: Mapping[str, int]) -> Iterator[Doubt]:
    """Pictures without a time of their own that look like a larger one: two hashes that differ in three bits share a quarter."""
    photos = [memory for memory in memories if memory.kind is MemoryKind.PHOTO and memory.id in fingerprints]
    blocks: dict[tuple[int, int], list[CapturedMemory]] = defaultdict(list)
    for memory in photos:
        for shift in _BLOCKS:
            blocks[shift, fingerprints[memory.id] >> shift & 0xFFFF].append(memory)
    for memory in photos:
        if memory.representative_id or (memory.taken.wall and memory.taken.confidence >= _TRUSTED):
            continue
        near = {
            other.id: other
            for shift in _BLOCKS
            if len(block := blocks[shift, fingerprints[memory.id] >> shift & 0xFFFF]) <= _LARGEST_BLOCK
            for other in block
            if _is_larger(other, memory)
            and differing_bits(fingerprints[other.id], fingerprints[memory.id]) <= _COPY_BITS
        }
        original = max(near.values(), key=lambda other: _likeness(other, memory), default=None)
        if original and (_tells_much(fingerprints[memory.id]) or _is_namesake(original, memory)):
            yield Doubt(
                memory.id,
                DoubtKind.SMALLER_COPY,
                f"It looks like a smaller copy of {original.file_name}.",
                original.public_id,
            )


def _is_larger(one: CapturedMemory, other: CapturedMemory) -> bool:
    """Whether a picture has more pixels in the same shape, to a pixel's rounding."""
    large, small = one.media, other.media
    if not (small.height and large.height and large.width > small.width and large.height > small.height):
        return False
    return (
        abs(large.width / large.height - small.width / small.height)
        <= _SAME_SHAPE * large.width / large.height + 1 / small.height
    )


def _tells_much(fingerprint: int) -> bool:
    """Whether the hash has bits enough on both sides to tell pictures apart; before a plain ground most are the same."""
    telling = (fingerprint & 0xFFFF_FFFF_FFFF_FFFF).bit_count()
    return _FEWEST_TELLING <= telling <= 64 - _FEWEST_TELLING


def _is_namesake(original: CapturedMemory, copy: CapturedMemory) -> bool:
    is_beside, shared, _ = _likeness(original, copy)
    return is_beside and shared >= min(_SHARED_NAME, len(os.path.splitext(original.file_name)[0]))


def _likeness(original: CapturedMemory, copy: CapturedMemory) -> tuple[bool, int, int]:
    """The same folder first, then the longer beginning that the names share, then the size."""
    folders = {os.path.dirname(path) for path in copy.files}
    pairs = zip(original.file_name.casefold(), copy.file_name.casefold(), strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    is_beside = any(os.path.dirname(path) in folders for path in original.files)
    return is_beside, shared, original.media.width * original.media.height
