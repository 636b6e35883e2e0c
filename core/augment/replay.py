"""What do the person's corrections make of the derived events? A pure replay, in the order the corrections were made.

What is shown is always `replay(derived, standing corrections)`: so a re-run keeps every correction, and undoing one is the
same replay without it. A correction names its event by id; where a re-run no longer has that id, the event with most members
in common takes its place, and where there is none, the event is brought back as the person left it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time

from core.augment.gist import Gist
from core.augment.snapshots import Fields, event_from, unpacked
from core.augment.wording import jaccard, overlap
from core.records import Correction, Event

GistOf = Callable[[Sequence[str]], Gist]
"""The gist of some memory ids; ids of memories that no longer exist are left out."""

_SAME_MEMBERS = 0.5
_SAME_WORDS = 0.6
NEAR_DAYS = 2


def replay(
    derived: Iterable[Event], corrections: Iterable[Correction], living: frozenset[str], gist_of: GistOf
) -> dict[str, Event]:
    """The events to show, by id; every member is living, every parent exists and holds its children's members."""
    board = _Board(derived, living)
    for correction in corrections:
        if correction.target_kind == "event":
            board.apply(correction)
    return board.finished(gist_of)


def is_same_event(one: Event, other: Event) -> bool:
    """Whether two events are one in other words: half of the members shared, or the same meaning at the same time."""
    if jaccard(one.member_ids, other.member_ids) >= _SAME_MEMBERS:
        return True
    return _days_touch(one, other) and overlap(one.name, other.name) >= _SAME_WORDS


class _Board:
    """The events while corrections are laid over them."""

    def __init__(self, derived: Iterable[Event], living: frozenset[str]) -> None:
        self._living = living
        self._events: dict[str, Event] = {}
        for event in derived:
            self._events[event.id] = replace(event, member_ids=self._alive(event.member_ids), corrected=False)
        self._alias: dict[str, str] = {}
        self._changed: set[str] = set()
        self._own_dates: dict[str, tuple[datetime, datetime]] = {}
        self._own_places: dict[str, str] = {}

    def apply(self, correction: Correction) -> None:
        before, after = unpacked(correction.before), unpacked(correction.after)
        actions: Mapping[str, Callable[[str, Fields, Fields], None]] = {
            "rename": self._rename,
            "redate": self._redate,
            "replace": self._replace,
            "importance": self._importance,
            "move": self._move,
            "merge": self._merge,
            "split": self._split,
            "confirm": self._confirm,
            "lock": self._lock,
            "delete": self._delete,
            "add": self._add,
        }
        actions[correction.action](correction.target_id, before, after)

    def finished(self, gist_of: GistOf) -> dict[str, Event]:
        self._join_children()
        self._drop_absorbed()
        for event_id in self._changed & self._events.keys():
            event = self._events[event_id]
            found = gist_of(event.member_ids)
            self._events[event_id] = replace(
                event, start=found.start, end=found.end, place=found.place, summary=found.summary
            )
        for event_id, (start, end) in self._own_dates.items():
            self._update(event_id, start=start, end=end)
        for event_id, place in self._own_places.items():
            self._update(event_id, place=place)
        shown = {event.id: event for event in self._events.values() if event.member_ids}
        return {
            event_id: event if event.parent_id in shown else replace(event, parent_id=None)
            for event_id, event in shown.items()
        }

    def _rename(self, target: str, before: Fields, after: Fields) -> None:
        self._update(self._found(target, before), name=str(after["name"]), corrected=True)

    def _redate(self, target: str, before: Fields, after: Fields) -> None:
        event_id = self._found(target, before)
        first, last = date.fromisoformat(after["first_day"]), date.fromisoformat(after["last_day"])
        self._own_dates[event_id] = (datetime.combine(first, time.min), datetime.combine(last, time(23, 59, 59)))
        self._update(event_id, corrected=True)

    def _replace(self, target: str, before: Fields, after: Fields) -> None:
        event_id = self._found(target, before)
        self._own_places[event_id] = str(after["place"])
        self._update(event_id, corrected=True)

    def _importance(self, target: str, before: Fields, after: Fields) -> None:
        self._update(self._found(target, before), importance=int(after["importance"]), corrected=True)

    def _confirm(self, target: str, before: Fields, after: Fields) -> None:
        kept = event_from(after["event"])
        event_id = self._found(target, before)
        members = (*self._events[event_id].member_ids, *self._alive(kept.member_ids))
        self._set_members(event_id, members)
        self._update(event_id, name=kept.name, importance=kept.importance, confidence=1.0, corrected=True)

    def _lock(self, target: str, before: Fields, after: Fields) -> None:
        """Everything as it was then, whatever a run finds; only the person's later words change it."""
        kept = event_from(after["event"])
        event_id = self._found(target, before)
        self._set_members(event_id, self._alive(kept.member_ids))
        if kept.start and kept.end:
            self._own_dates[event_id] = (kept.start, kept.end)
        self._own_places[event_id] = kept.place
        self._update(event_id, name=kept.name, importance=kept.importance, confidence=1.0, corrected=True)

    def _add(self, target: str, before: Fields, after: Fields) -> None:
        event = event_from(after["event"])
        self._events[target] = replace(event, member_ids=self._alive(event.member_ids), corrected=True)
        self._changed.add(target)

    def _split(self, target: str, before: Fields, after: Fields) -> None:
        event_id = self._found(target, before)
        part = event_from(after["event"])
        members = self._alive(part.member_ids)
        parent = self._events[event_id].parent_id
        self._take_out(event_id, members)
        self._events[part.id] = replace(part, member_ids=members, parent_id=parent, corrected=True)
        self._changed.add(part.id)
        self._update(event_id, corrected=True)

    def _merge(self, target: str, before: Fields, after: Fields) -> None:
        event_id, other_id = self._found(target, before["keep"]), self._found(after["other_id"], before["other"])
        if event_id == other_id:
            self._update(event_id, corrected=True)
            return
        other = self._events.pop(other_id)
        self._alias[other_id] = event_id
        for child in [each for each in self._events.values() if each.parent_id == other_id]:
            self._update(child.id, parent_id=event_id if child.id != event_id else other.parent_id)
        self._set_members(event_id, (*self._events[event_id].member_ids, *other.member_ids))
        self._update(event_id, corrected=True)

    def _move(self, target: str, before: Fields, after: Fields) -> None:
        members = self._alive(after["member_ids"])
        to_id = self._found(after["to_id"], before.get("to")) if after["to_id"] else None
        stays = set(self._line(to_id)) if to_id else set()
        if after["from_id"]:
            from_id = self._found(after["from_id"], before.get("from"))
            leaves = {from_id, *self._below(from_id)}
            if to_id:  # moved to another trip: it leaves this one too
                leaves |= set(self._line(from_id))
            self._update(from_id, corrected=True)
        else:
            leaves = set(self._events)
        for event_id in sorted(leaves - stays):
            self._take_out(event_id, members)
        if to_id:
            self._set_members(to_id, (*self._events[to_id].member_ids, *members))
            self._update(to_id, corrected=True)

    def _delete(self, target: str, before: Fields, after: Fields) -> None:
        gone = event_from(before)
        kept = set(after.get("kept_ids", ()))
        for event in list(self._events.values()):
            is_it = event.id == self._alias.get(target, target)
            if is_it or (not event.corrected and event.id not in kept and is_same_event(event, gone)):
                del self._events[event.id]
                for child in [each for each in self._events.values() if each.parent_id == event.id]:
                    self._update(child.id, parent_id=event.parent_id)

    def _found(self, event_id: str, snapshot: Fields | None) -> str:
        """The id on the board of the event a correction means; brings it back from its snapshot where it is gone."""
        event_id = self._alias.get(event_id, event_id)
        if event_id in self._events or not snapshot:
            return event_id
        meant = event_from(snapshot)
        alike = [(jaccard(meant.member_ids, event.member_ids), event.id) for event in self._events.values()]
        best, best_id = max(alike, default=(0.0, ""))
        if best >= _SAME_MEMBERS:
            self._alias[event_id] = best_id
            return best_id
        self._events[event_id] = replace(meant, id=event_id, member_ids=self._alive(meant.member_ids), corrected=True)
        self._changed.add(event_id)
        return event_id

    def _update(self, event_id: str, **changes: object) -> None:
        if event_id in self._events:
            self._events[event_id] = replace(self._events[event_id], **changes)  # type: ignore[arg-type]  # named fields

    def _set_members(self, event_id: str, members: Iterable[str]) -> None:
        event = self._events[event_id]
        self._events[event_id] = replace(event, member_ids=tuple(dict.fromkeys(members)))
        self._changed.add(event_id)

    def _take_out(self, event_id: str, members: Iterable[str]) -> None:
        leaving = set(members) & set(self._events[event_id].member_ids)
        if leaving:
            self._set_members(event_id, [each for each in self._events[event_id].member_ids if each not in leaving])
            self._update(event_id, corrected=True)

    def _line(self, event_id: str | None) -> list[str]:
        """An event and what it is part of, innermost first."""
        line: list[str] = []
        while event_id in self._events and event_id not in line:
            line.append(event_id)
            event_id = self._events[event_id].parent_id
        return line

    def _below(self, event_id: str) -> list[str]:
        return [each for each in self._events if event_id in self._line(each)[1:]]

    def _join_children(self) -> None:
        """A parent's members include its children's; a parent that is its own descendant is none."""
        for event in list(self._events.values()):
            line = self._line(event.id)
            if line and self._events[line[-1]].parent_id in line:
                self._update(line[-1], parent_id=None)
        for event in list(self._events.values()):
            for above in self._line(event.id)[1:]:
                have = self._events[above].member_ids
                if missing := [member for member in event.member_ids if member not in set(have)]:
                    self._set_members(above, (*have, *missing))

    def _drop_absorbed(self) -> None:
        """A derived event that lies wholly inside a corrected one, and is no part of it, says nothing new."""
        corrected = [event for event in self._events.values() if event.corrected]
        for event in [each for each in self._events.values() if not each.corrected and each.member_ids]:
            line = self._line(event.id)
            for big in corrected:
                inside = set(event.member_ids) <= set(big.member_ids)
                if inside and big.id not in line and event.id not in self._line(big.id):
                    self._events.pop(event.id, None)

    def _alive(self, members: Iterable[str]) -> tuple[str, ...]:
        return tuple(member for member in members if member in self._living)


def _days_touch(one: Event, other: Event) -> bool:
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return one.start == other.start
    gap = max(one.start, other.start) - min(one.end, other.end)
    return gap.days < NEAR_DAYS
