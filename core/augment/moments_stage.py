"""Which moments have to be cut anew? Those around the days on which memories changed; the rest stays as it is."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise

from core.augment.moments import REACH, VERSION, cut, ends, in_order, moments_of
from core.augment.taught import carry_out
from core.records import CapturedMemory, MemoryFilter, Moment, Progress, Stage
from core.store.derived import UNDATED
from core.store.library import Library

READER = "moments"
"""Who is told of changed days by the database's triggers."""
_NOTE = "moments_input"
_MARGIN = REACH + 8


def bring_up_to_date(library: Library) -> Iterator[Progress]:
    """Cut what changed; tells the events stage of the days on which anything is different now."""
    carry_out(library)  # the person's rules first: what they change is cut and derived with the rest
    days = library.derived.changed_days(READER)
    is_new = library.stages.note(_NOTE) != VERSION
    if not days and not is_new:
        return
    total = library.memories.count()
    yield Progress(Stage.MOMENTS, 0, total)
    stretches = _stretches(days)
    with library.database.write():
        if is_new or is_quicker_whole(len(stretches), total):
            touched = _changed(library.events.moments(), fresh := cut(library.memories.matching()))
            library.events.replace_moments(fresh)
        else:
            touched = [moment for first, last in stretches for moment in _recut(library, first, last)]
        library.derived.note_days("events", {*days, *(day for moment in touched for day in _days(moment))})
        library.derived.seen_days(READER)
        library.stages.record_missing(Stage.MOMENTS, VERSION, {}, None if is_new else days)
        library.stages.set_note(_NOTE, VERSION)
    yield Progress(Stage.MOMENTS, total, total)


def is_quicker_whole(stretches: int, memories: int) -> bool:
    """Whether to cut the whole library anew instead of so many stretches of it."""
    return stretches * 4 * _MARGIN > memories


def _recut(library: Library, first: date, last: date) -> list[Moment]:
    """Cut around some days; returns the moments that are gone or new."""
    old, fresh = _stretch(library, first, last)
    touched = _changed(old, fresh)
    before = {moment.id for moment in old}
    library.events.change_moments(
        [moment.id for moment in touched if moment.id in before], [moment for moment in fresh if moment in touched]
    )
    return touched


def _changed(old: Sequence[Moment], fresh: Sequence[Moment]) -> list[Moment]:
    return list(set(old) ^ set(fresh))


def _days(moment: Moment) -> Iterator[str]:
    for day in range(moment.start.toordinal(), moment.end.toordinal() + 1):
        yield date.fromordinal(day).isoformat()


def _stretches(days: Sequence[str]) -> list[tuple[date, date]]:
    """Days that lie near each other, together; what is undated is in no moment."""
    found: list[tuple[date, date]] = []
    for day in (date.fromisoformat(day) for day in sorted(days) if day != UNDATED):
        if found and (day - found[-1][1]).days <= 2:
            found[-1] = (found[-1][0], day)
        else:
            found.append((day, day))
    return found


def _stretch(library: Library, first: date, last: date) -> tuple[list[Moment], list[Moment]]:
    """The moments around some days as they are kept, and as they are now; both begin and end with whole moments."""
    dated, old = _loaded(library, first, last)
    if not dated:
        return old, []
    kept = {member: moment.id for moment in old for member in moment.member_ids}
    inside = [
        at
        for at, memory in enumerate(dated)
        if memory.id not in kept or (memory.taken.day and first <= memory.taken.day <= last)
    ]
    if inside:
        low, high = max(0, inside[0] - _MARGIN), min(len(dated) - 1, inside[-1] + _MARGIN)
    else:  # memories are gone from these days: what is cut anew is the gap they left
        at = next((at for at, memory in enumerate(dated) if (memory.taken.day or date.max) > last), len(dated))
        low, high = max(0, at - _MARGIN), min(len(dated) - 1, at + _MARGIN)
    kept_end = [kept.get(one.id) != kept.get(other.id) for one, other in pairwise(dated)]
    is_end = [*kept_end[:low], *ends(dated, low, high), *kept_end[high:]]
    return old, moments_of(dated, is_end)


def _loaded(library: Library, first: date, last: date) -> tuple[list[CapturedMemory], list[Moment]]:
    """The memories of some days with enough around them to judge by, and the moments that hold them."""
    number = 2 * _MARGIN
    start, after = first.isoformat(), (last + timedelta(days=1)).isoformat()
    ids = [
        *library.derived.neighbours(start, number, later=False),
        *library.memories.ids_matching(MemoryFilter(first_day=first, last_day=last)),
        *library.derived.neighbours(after, number, later=True),
    ]
    old = {moment.id: moment for moment in library.events.moments_between(start, last.isoformat())}
    old |= {moment.id: moment for moment in library.events.moments_of(ids)}
    held = dict.fromkeys([*ids, *(member for moment in old.values() for member in moment.member_ids)])
    return in_order(library.memories.bare(list(held))), list(old.values())
