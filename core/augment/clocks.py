"""Which cameras had a wrong clock? Found by what contradicts them; never put right without the person's word.

Three signs: a day on which cameras begin to count when their battery was out; numbers of files whose dates jump away and come
back; and another camera that saw the same things at another hour or in another year. Each day of a camera is judged for
itself, from what lies within a day of it (or of the same day a year away), so one more memory changes little.
"""

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise

from core.augment.places import city_key, km_between
from core.records import CapturedMemory, Clock, MemoryKind, Origin, Place
from core.text_keys import text_key

_RESET_DAYS = frozenset(
    [*((year, 1, 1) for year in (1904, 1970, 1980, 1990, 1999, 2000, 2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008, 2010)),
     (1903, 12, 31), (1969, 12, 31), (1979, 12, 31), (1999, 12, 31)]
)  # fmt: skip
_NO_DIGITAL_CAMERA = 1990
"""Before this year a clock that stands on a day of reset is wrong, whatever else the library holds."""
_ALONE_DAYS = 60
_HOURS = tuple(timedelta(minutes=30 * step) for step in (*range(-28, 0), *range(1, 29), -48, 48))
_SAME_TIME, _SAME_HALF_DAY = timedelta(minutes=10), timedelta(hours=12)
_SAME_PLACE_KM, _ELSEWHERE_KM, _FAR_KM = 0.3, 1.5, 100.0
_FEWEST, _SHARE = 3, 0.5
NUMBERED = re.compile(r"^(?P<camera>[^\d]*)(?P<number>\d{3,6})\.\w+$")
_PREFIX = re.compile(r"^[^\d]*")
_NUMBERS_AROUND, _NEAR_IN_NUMBER = 3, 12
_BETWEEN = timedelta(days=14)
_JUMP = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Shot:
    """A memory with what tells about its clock."""

    memory: CapturedMemory
    wall: datetime
    camera: str
    number: int | None

    @property
    def place(self) -> Place | None:
        """Where it was."""
        return self.memory.place


def shots(memories: Iterable[CapturedMemory]) -> list[Shot]:
    """Photos and videos with a time that a camera gave, in time order; a time that the person gave is right."""
    found = []
    for memory in memories:
        wall, origin = memory.taken.wall, memory.taken.origin
        told = origin in (Origin.PERSON, Origin.XMP_SIDECAR, Origin.TAKEOUT) or memory.taken.day_only
        if wall and not told and memory.kind in (MemoryKind.PHOTO, MemoryKind.VIDEO):
            match = NUMBERED.match(memory.file_name)
            prefix = _PREFIX.match(memory.file_name)
            camera = memory.media.camera or (prefix[0].strip("_- ").upper() if prefix else "")
            found.append(Shot(memory, wall, camera, int(match["number"]) if match else None))
    return sorted(found, key=lambda shot: (shot.wall, shot.memory.public_id))


def is_reset_day(day: date) -> bool:
    """Whether cameras without a battery begin to count on this day."""
    return (day.year, day.month, day.day) in _RESET_DAYS


def reset_clock(run: Sequence[Shot], neighbours: Sequence[Shot], *, is_alone: bool) -> Clock | None:
    """The clock of shots on one day of reset, if it is wrong.

    Args:
        neighbours: shots of the same camera with numbers just before and after.
        is_alone: whether nothing else in the library was taken within two months.
    """
    if not is_alone and run[0].wall.year >= _NO_DIGITAL_CAMERA:
        return None
    why = f"The clock stood on {_day_text(run[0].wall)}, where cameras begin to count when their battery was out."
    numbers = [shot.number for shot in run if shot.number is not None]
    before = [each for each in neighbours if numbers and each.number is not None and each.number < min(numbers)]
    after = [each for each in neighbours if numbers and each.number is not None and each.number > max(numbers)]
    shift: timedelta | None = None
    if before:
        one = max(before, key=lambda each: each.number or 0)
        shift = one.wall + timedelta(minutes=1) - run[0].wall
        why += f" By its number it follows {one.memory.file_name} of {_day_text(one.wall)}."
    elif after:
        one = min(after, key=lambda each: each.number or 0)
        shift = one.wall - timedelta(minutes=1) - run[-1].wall
        why += f" By its number it comes before {one.memory.file_name} of {_day_text(one.wall)}."
    return _clock(run, shift, why)


def jumped_clocks(numbered: Sequence[Shot]) -> list[Clock]:
    """Clocks of one camera whose dates jump away and come back while the numbers go on.

    Args:
        numbered: its shots in the order of their numbers, each number once.
    """
    found = []
    pieces: list[list[Shot]] = []
    for shot in numbered:
        last = pieces[-1][-1] if pieces else None
        goes_on = (
            last
            and (shot.number or 0) - (last.number or 0) <= _NEAR_IN_NUMBER
            and -_JUMP <= shot.wall - last.wall <= _BETWEEN
        )
        if goes_on:
            pieces[-1].append(shot)
        else:
            pieces.append([shot])
    for before, piece, after in zip(pieces, pieces[1:], pieces[2:], strict=False):
        joined = (piece[0].number or 0) - (before[-1].number or 0) <= _NEAR_IN_NUMBER and (
            (after[0].number or 0) - (piece[-1].number or 0) <= _NEAR_IN_NUMBER
        )
        in_order = timedelta(0) <= after[0].wall - before[-1].wall <= _BETWEEN
        if not joined or not in_order or len(piece) > 500:
            continue
        for shift in _calendar_shifts(piece[0].wall):
            if before[-1].wall - _JUMP <= piece[0].wall + shift and piece[-1].wall + shift <= after[0].wall + _JUMP:
                why = (
                    f"By their numbers these lie between {before[-1].memory.file_name} of {_day_text(before[-1].wall)} and "
                    f"{after[0].memory.file_name} of {_day_text(after[0].wall)}, but they are dated {_day_text(piece[0].wall)}."
                )
                found.append(_clock(piece, shift, why))
                break
    return found


def trusted_more(camera: str, near: Sequence[Shot]) -> list[Shot]:
    """Shots of cameras whose clock is more to be trusted: two that disagree cannot both be wrong.

    A phone is set by its network, and names its files by the time; else the camera that was used more that day is believed.
    """
    count = Counter(shot.camera for shot in near)
    dated = Counter(shot.camera for shot in near if f"{shot.wall:%Y%m%d}" in shot.memory.file_name.replace("-", ""))
    rank = {each: (dated[each] * 2 > n, n, each) for each, n in count.items()}
    return [shot for shot in near if rank[shot.camera] > rank.get(camera, (False, 0, ""))]


def contradicted_clock(run: Sequence[Shot], others: Sequence[Shot]) -> Clock | None:
    """The clock of one camera on one day, if other cameras saw the same things at another time.

    Args:
        others: shots of other cameras in time order, those of the days a year away included.
    """
    placed = [shot for shot in run if shot.place]
    if len(placed) < _FEWEST or not others:
        return None
    walls = [shot.wall for shot in others]
    found: list[tuple[float, float, timedelta, int]] = []
    for shifts, tolerance, far in (
        (_HOURS, _SAME_TIME, _ELSEWHERE_KM),
        (_calendar_shifts(run[0].wall), _SAME_HALF_DAY, _FAR_KM),
    ):
        now = _agreement(placed, timedelta(0), others, walls, tolerance, far)
        for shift in shifts:
            then = _agreement(placed, shift, others, walls, tolerance, far)
            gain = then.matched - then.contradicted - now.matched + now.contradicted
            is_clear = now.contradicted >= _FEWEST - 1 or then.places >= 2
            enough = max(_FEWEST, _SHARE * len(placed))
            if is_clear and gain >= enough and then.matched >= enough and then.contradicted * 4 <= then.matched:
                found.append((-gain, abs(shift.total_seconds()), shift, then.matched))
    if not found:
        return None
    _, _, shift, matched = min(found)
    camera = run[0].camera or "This camera"
    why = f"{matched} of {len(placed)} memories of {_day_text(run[0].wall)} show where other cameras were {_shift_text(shift)}."
    return _clock(run, shift, f"{camera}: {why}")


@dataclass(frozen=True, slots=True)
class _Agreement:
    """How many shots, moved by a shift, have another camera at the same place at that time, or elsewhere only."""

    matched: int
    contradicted: int
    places: int


def _agreement(
    run: Sequence[Shot],
    shift: timedelta,
    others: Sequence[Shot],
    walls: Sequence[datetime],
    tolerance: timedelta,
    far_km: float,
) -> _Agreement:
    matched = contradicted = 0
    places: set[str] = set()
    for shot in run:
        wall = shot.wall + shift
        near = others[bisect_left(walls, wall - tolerance) : bisect_right(walls, wall + tolerance)]
        near = [each for each in near if each.place]
        if any(_same_place(shot.place, each.place) for each in near):
            matched += 1
            places.add(text_key(shot.place.label) if shot.place else "")
        elif near and all(_is_elsewhere(shot.place, each.place, far_km) for each in near):
            contradicted += 1
    return _Agreement(matched, contradicted, len(places))


def _same_place(one: Place | None, other: Place | None) -> bool:
    if one is None or other is None:
        return False
    km = km_between(one, other)
    if km is not None:
        return km <= _SAME_PLACE_KM
    return bool(one.name) and text_key(one.name) == text_key(other.name) and city_key(one) == city_key(other)


def _is_elsewhere(one: Place | None, other: Place | None, far_km: float) -> bool:
    if one is None or other is None:
        return False
    km = km_between(one, other)
    if km is not None:
        return km >= far_km
    cities = city_key(one), city_key(other)
    if all(cities) and cities[0] != cities[1]:
        return True
    return far_km < _FAR_KM and bool(one.name and other.name) and text_key(one.name) != text_key(other.name)


def _calendar_shifts(wall: datetime) -> list[timedelta]:
    """To the same day of the years around, of the months around, and by half and whole days."""
    found = []
    for years in (1, -1):
        day = 28 if (wall.month, wall.day) == (2, 29) else wall.day
        if 1 < wall.year + years < 9999:
            found.append(wall.replace(year=wall.year + years, day=day) - wall)
    for months in (1, -1):
        month = wall.month + months
        if 1 <= month <= 12 and wall.day <= 28:
            found.append(wall.replace(month=month) - wall)
    return [*found, timedelta(days=1), timedelta(days=-1), timedelta(hours=12), timedelta(hours=-12)]


def by_camera_and_day(found: Iterable[Shot]) -> dict[tuple[str, date], list[Shot]]:
    """Shots of each camera on each day."""
    runs: dict[tuple[str, date], list[Shot]] = defaultdict(list)
    for shot in found:
        runs[(shot.camera, shot.wall.date())].append(shot)
    return runs


def each_number_once(found: Iterable[Shot]) -> list[Shot]:
    """Shots in the order of their numbers, without numbers that came twice: those say nothing of the order."""
    numbered = sorted((shot for shot in found if shot.number is not None), key=lambda shot: shot.number or 0)
    twice = {one.number for one, other in pairwise(numbered) if one.number == other.number}
    return [shot for shot in numbered if shot.number not in twice]


def _clock(run: Sequence[Shot], shift: timedelta | None, why: str) -> Clock:
    seconds = None if shift is None else round(shift.total_seconds())
    named = f"{run[0].camera} {run[0].wall.date()} {run[0].memory.public_id}"
    return Clock(
        hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32],
        run[0].camera, seconds, why, tuple(shot.memory.id for shot in run),
    )  # fmt: skip


def _day_text(wall: datetime) -> str:
    return f"{wall.day} {wall:%B} {wall.year}"


def _shift_text(shift: timedelta) -> str:
    """How much later or earlier, in words."""
    later = "later" if shift > timedelta(0) else "earlier"
    size = abs(shift)
    if size >= timedelta(days=360):
        years = round(size.days / 365.25)
        return f"{years} year{'s' if years > 1 else ''} {later}"
    if size >= timedelta(days=1):
        return f"{size.days} day{'s' if size.days > 1 else ''} {later}"
    hours = size.total_seconds() / 3600
    return f"{hours:g} hour{'s' if hours != 1 else ''} {later}"
