"""What about a memory should the person check? Dates that contradict each other, positions that cannot be, copies, damage.

Nothing here changes what is shown: the policy decides, this tells where it had to. A date that the person gave is never doubted,
and what the person dismissed is not told again.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import takewhile

from core.capture.near_duplicates import differing_bits
from core.capture.sphere import km_between
from core.records import CapturedMemory, Doubt, DoubtKind, Origin, Taken
from core.store.doubtful import doubt_key
from core.store.library import Library

_AHEAD = timedelta(hours=26)
_ANOTHER_DAY = timedelta(days=1, hours=14)  # more than two time zones can make
_PRINTED_APART = timedelta(days=7)
_TRUSTED = 0.5
_SAID_BY_PERSON = frozenset({Origin.PERSON, Origin.XMP_SIDECAR, Origin.IMPORTED})
_CAMERA = (Origin.EXIF_ORIGINAL, Origin.EMBEDDED_XMP, Origin.EXIF_DIGITIZED, Origin.TAKEOUT, Origin.VIDEO_CREATION_DATE)
_NEAR_KM, _FAR_KM, _FASTEST_KM_H = 50.0, 200.0, 1_000.0
_NEIGHBOUR = timedelta(hours=6)
_NEIGHBOUR_DAYS = _NEIGHBOUR / timedelta(days=1)
_DAYS = _ANOTHER_DAY / timedelta(days=1) - 0.001
_FAR_DEGREES = 1.0  # of 200 km, some 1.27 are to the north or at least as many to the east
_COPY_BITS = 3
_FEWEST_TELLING = 16
_SHARED_NAME = 5
_BLOCKS = tuple(range(0, 64, 16))
_LARGEST_BLOCK = 200  # a plain picture resembles too many others to say anything
_SAME_SHAPE = 0.02


def review(library: Library, now: datetime, only: str | None = None) -> list[Doubt]:
    """Everything to check that the person has not dismissed, in the order of time; of one memory where `only` names it.

    Args:
        now: wall time.
    """
    doubtful, loaded = library.doubtful, _Loaded(library)
    dated = {only} if only else doubtful.by_date(now + _AHEAD, _DAYS, _CAMERA, _TRUSTED)
    small = doubtful.undated_photos(_TRUSTED)
    near = library.memories.get(only).taken.day if only else None
    found: dict[str, list[Doubt]] = defaultdict(list)
    dates = library.memories.dates_by_origin(sorted(dated))
    for memory in loaded.many(dated):
        found[memory.id] += _of_dates(memory, dates[memory.id], now)
    for memory in loaded.many({only} if only else doubtful.damaged()):
        if memory.media.damaged:
            reason = "Part of its file is missing; what there is is shown."
            found[memory.id].append(Doubt(memory.id, DoubtKind.DAMAGED, reason))
    far = _far_from_neighbours(loaded, doubtful.far_positions(_TRUSTED, _NEIGHBOUR_DAYS, _FAR_DEGREES, near))
    for doubt in (*far, *_smaller_copies(library, loaded, small & {only} if only else small)):
        found[doubt.memory_id].append(doubt)
    dismissed = doubtful.dismissed()
    return [
        doubt
        for memory in loaded.by_time(each for each in found if only in (None, each))
        for doubt in found[memory.id]
        if (doubt.memory_id, doubt_key(doubt)) not in dismissed
    ]


@dataclass(slots=True)
class _Loaded:
    """The memories looked at so far; each is read once."""

    library: Library
    _known: dict[str, CapturedMemory] = field(default_factory=dict)

    def many(self, memory_ids: Iterable[str]) -> list[CapturedMemory]:
        """Those of these ids that there are."""
        ids = sorted(memory_ids)
        for memory in self.library.memories.many([each for each in ids if each not in self._known]):
            self._known[memory.id] = memory
        return [self._known[each] for each in ids if each in self._known]

    def by_time(self, memory_ids: Iterable[str]) -> list[CapturedMemory]:
        """The same, oldest first."""
        return sorted(
            self.many(memory_ids), key=lambda each: (each.taken.wall or datetime.max, each.file_name, each.id)
        )


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


def _placed(memory: CapturedMemory) -> _Placed | None:
    """A memory whose time and position are both good enough to tell how fast somebody went."""
    taken, place = memory.taken, memory.place
    if taken.wall is None or taken.day_only or taken.confidence < _TRUSTED or place is None:
        return None
    if place.latitude is None or place.longitude is None:
        return None
    return _Placed(memory, taken.wall, place.latitude, place.longitude)


def _far_from_neighbours(loaded: _Loaded, between: Sequence[tuple[str, str, str]]) -> Iterator[Doubt]:
    """A position that nobody could have reached from the pictures right before and after, which lie close together."""
    memories = {memory.id: memory for memory in loaded.many({each for ids in between for each in ids})}
    for ids in between:
        before, here, after = (_placed(memories[each]) if each in memories else None for each in ids)
        if before is None or here is None or after is None or here.memory.origins.get("place") == Origin.PERSON:
            continue
        away = min(here.km_to(before), here.km_to(after))
        hours = max((after.wall - before.wall).total_seconds() / 3_600, 1 / 3_600)
        if away > _FAR_KM and 2 * away / hours > _FASTEST_KM_H and before.km_to(after) < _NEAR_KM:
            reason = f"Its position is {away:,.0f} km from where the pictures before and after it were taken."
            yield Doubt(here.memory.id, DoubtKind.FAR_POSITION, reason)


def _smaller_copies(library: Library, loaded: _Loaded, small: Iterable[str]) -> Iterator[Doubt]:
    """Pictures without a time of their own that look like a larger one: two hashes that differ in three bits share a quarter."""
    wanted = sorted(small)
    fingerprints = library.doubtful.photo_fingerprints() if wanted else {}
    quarters = {_quarter(fingerprints[each], shift) for each in wanted for shift in _BLOCKS}
    blocks: dict[tuple[int, int], list[str]] = defaultdict(list)
    for memory_id, fingerprint in fingerprints.items():
        for shift in _BLOCKS:
            if (quarter := _quarter(fingerprint, shift)) in quarters:
                blocks[quarter].append(memory_id)
    for memory in loaded.many(wanted):
        own = fingerprints[memory.id]
        near = {
            other
            for shift in _BLOCKS
            if len(block := blocks[_quarter(own, shift)]) <= _LARGEST_BLOCK
            for other in block
            if other != memory.id and differing_bits(fingerprints[other], own) <= _COPY_BITS
        }
        larger = [other for other in loaded.many(near) if _is_larger(other, memory)]
        original = max(larger, key=lambda other: _likeness(other, memory), default=None)
        if original and (_tells_much(own) or _is_namesake(original, memory)):
            yield Doubt(
                memory.id,
                DoubtKind.SMALLER_COPY,
                f"It looks like a smaller copy of {original.file_name}.",
                original.public_id,
            )


def _quarter(fingerprint: int, shift: int) -> tuple[int, int]:
    return shift, fingerprint >> shift & 0xFFFF


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
