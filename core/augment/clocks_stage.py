"""Which clocks have to be looked at again? Those of days with changes, and of the same days a year away."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from core.augment.clocks import (
    NUMBERED,
    Shot,
    by_camera_and_day,
    contradicted_clock,
    each_number_once,
    is_reset_day,
    jumped_clocks,
    reset_clock,
    shots,
    trusted_more,
)
from core.augment.snapshots import unpacked
from core.records import Clock, MemoryFilter
from core.store.derived import UNDATED
from core.store.library import Library

_AROUND = timedelta(days=1)
_YEARS = (-1, 0, 1)
_ALONE = timedelta(days=60)
_NUMBERS = 40


def look_at_clocks(library: Library, days: Sequence[str] | None) -> set[str]:
    """Find wrong clocks again, around these days (everywhere when None); returns the days whose clocks are judged anew."""
    known = library.derived.clocks()
    if days is None:
        found = _found(library, shots(library.memories.matching()), None)
        kept: list[Clock] = []
    else:
        due = {day for each in days if each != UNDATED for day in _reached(date.fromisoformat(each))}
        around = {day + step for day in due for step in (-_AROUND, timedelta(0), _AROUND)}
        seen = shots(library.memories.bare(library.derived.memories_on(sorted(day.isoformat() for day in around))))
        found = _found(library, seen, due)
        held = {member for clock in found for member in clock.member_ids}
        gone = {shot.memory.id for shot in seen if shot.wall.date() in due}
        kept = [clock for clock in known if not held & set(clock.member_ids) and not gone & set(clock.member_ids)]
    now = _each_memory_once([*found, *kept])
    if set(now) == set(known):
        return set()
    library.derived.replace_clocks(now)
    members = [member for clock in set(now) ^ set(known) for member in clock.member_ids]
    return set(library.derived.days_of(members)) - {UNDATED}


def open_clocks(library: Library) -> list[Clock]:
    """Wrong clocks that the person has not spoken of yet; days of one camera that are wrong alike are one."""
    decided: set[str] = set()
    for correction in library.corrections.standing("clock"):
        decided |= set(unpacked(correction.after).get("member_ids", ()))
    found: list[Clock] = []
    due = [clock for clock in library.derived.clocks() if not decided & set(clock.member_ids)]
    first = {memory.id: memory.taken.wall for memory in library.memories.many([clock.member_ids[0] for clock in due])}
    due = [clock for clock in due if first.get(clock.member_ids[0])]
    for clock in sorted(due, key=lambda each: (each.camera, str(first[each.member_ids[0]]), each.id)):
        last = found[-1] if found else None
        if last and clock.shift_s is not None and (last.camera, last.shift_s) == (clock.camera, clock.shift_s):
            found[-1] = Clock(last.id, last.camera, last.shift_s, last.why, (*last.member_ids, *clock.member_ids))
        else:
            found.append(clock)
    return found


def _reached(day: date) -> set[date]:
    """A day, its neighbours and the same in the years around: a change on it may speak about a clock on any of them."""
    found = set()
    for years in _YEARS:
        year = day.year + years
        if 1 < year < 9999:
            middle = day.replace(year=year, day=28 if (day.month, day.day) == (2, 29) else day.day)
            found |= {middle + timedelta(days=step) for step in range(-1, 2)}
    return found


def _found(library: Library, seen: Sequence[Shot], due: set[date] | None) -> list[Clock]:
    runs = by_camera_and_day(seen)
    on_day: dict[date, list[Shot]] = {}
    for shot in seen:
        on_day.setdefault(shot.wall.date(), []).append(shot)
    clocks: list[Clock] = []
    for (camera, day), run in sorted(runs.items()):
        if due is not None and day not in due:
            continue
        clock = _reset(library, day, run) if is_reset_day(day) else None
        clock = clock or contradicted_clock(run, trusted_more(camera, _near(on_day, day)))
        if clock:
            clocks.append(clock)
    cameras: dict[str, list[Shot]] = {}
    for shot in seen:
        if shot.number is not None and (due is None or shot.wall.date() in due):
            cameras.setdefault(shot.camera, []).append(shot)
    for _, numbered in sorted(cameras.items()):
        clocks += jumped_clocks(each_number_once(numbered if due is None else _numbered(library, numbered)))
    return clocks


def _near(on_day: Mapping[date, Sequence[Shot]], day: date) -> list[Shot]:
    return [shot for each in sorted(_reached(day)) for shot in on_day.get(each, ())]


def _reset(library: Library, day: date, run: Sequence[Shot]) -> Clock | None:
    wanted = MemoryFilter(first_day=_moved(day, -_ALONE), last_day=_moved(day, _ALONE))
    others = set(library.memories.ids_matching(wanted)) - {shot.memory.id for shot in run}
    numbered = [shot for shot in run if shot.number is not None]
    neighbours = [shot for shot in _numbered(library, numbered) if not is_reset_day(shot.wall.date())]
    return reset_clock(run, neighbours, is_alone=not others)


def _numbered(library: Library, some: Sequence[Shot]) -> list[Shot]:
    """Shots of a camera with the numbers of some of its shots, and those around them."""
    ids: set[str] = set()
    for shot in some:
        match = NUMBERED.match(shot.memory.file_name)
        if match and shot.memory.id not in ids:
            ids |= set(
                library.derived.memories_numbered(match["camera"], int(match["number"]), len(match["number"]), _NUMBERS)
            )
    camera = {shot.camera for shot in some}
    return [shot for shot in shots(library.memories.bare(sorted(ids))) if shot.camera in camera]


def _each_memory_once(clocks: Iterable[Clock]) -> list[Clock]:
    held: set[str] = set()
    kept: dict[str, Clock] = {}
    for clock in sorted(clocks, key=lambda each: (each.shift_s is None, -len(each.member_ids), each.id)):
        if not held & set(clock.member_ids) and clock.id not in kept:
            kept[clock.id] = clock
            held |= set(clock.member_ids)
    return list(kept.values())


def _moved(day: date, step: timedelta) -> date:
    return date.fromordinal(max(1, day.toordinal() + step.days))
