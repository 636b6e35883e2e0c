"""Which events does the library show? The derived ones with the person's corrections replayed over them.

Only what a change can reach is replayed: the derived events that changed, those of the days that corrections speak of, and
what lies inside or around either. So the cost of a change does not grow with the library.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.augment.gist import Gist, gist
from core.augment.replay import NEAR_DAYS, GistOf, replay
from core.augment.snapshots import Fields, event_packed, event_unpacked, unpacked
from core.records import Correction, Event, EventStatus
from core.retrieve.embed import EVENT, drop_owners
from core.store.derived import UNDATED, DerivedEvent
from core.store.library import Library

PROMPT_FAMILY = "events-"
"""How the prompt version of every event that this room derives begins; others were imported."""
ABSORBED = "absorbed"
"""Who made a derived event that is not shown: what tells of another event, kept so that the next run finds it."""
_MOST_ROUNDS = 6


def derived_events(library: Library) -> list[Event]:
    """The events as last derived, before any correction, and those that came with an import."""
    adopt_imported(library)
    return [event_unpacked(row.fields) for row in library.derived.events()]


def adopt_imported(library: Library) -> list[Event]:
    """Take events that came with an import for derived ones from now on; returns them."""
    made = _named_in(library.corrections.all("event"))
    strange = library.events.many([each for each in library.derived.strange_events() if each not in made])
    if strange:
        library.derived.replace_events((), [row_of(event) for event in strange])
    return strange


def is_imported(event: Event) -> bool:
    """Whether an event was derived by another program: a re-run does not derive it and does not lose it."""
    return not (event.provenance and event.provenance.prompt_version.startswith(PROMPT_FAMILY))


def row_of(event: Event) -> DerivedEvent:
    """A derived event as it is kept."""
    first, last = (edge.date().isoformat() if edge else UNDATED for edge in (event.start, event.end))
    return DerivedEvent(event.id, first, last, event_packed(event))


def show_events(library: Library, derived: Sequence[Event] | None = None) -> list[str]:
    """Show the events of the whole library; returns the ids of those that are gone (`drop_vectors` takes them).

    Args:
        derived: what to replace the derived events by; None keeps those.
    """
    before = [event.id for event in derived_events(library)]
    if derived is not None:
        library.derived.replace_events(before, [row_of(event) for event in derived])
    return _show(library, library.derived.events(), before, is_run=derived is not None)


def show_changed(
    library: Library, gone: Sequence[str] = (), fresh: Sequence[Event] = (), *, is_run: bool = False
) -> list[str]:
    """Show what follows from derived events that are gone and fresh, and from the corrections; returns ids as `show_events`.

    Args:
        is_run: whether a run has just derived everything anew that had changed, so that nothing is stale any more.
    """
    if not is_run:  # a run has begun with it
        adopt_imported(library)
    corrections = library.corrections.all("event")
    old = library.derived.events_named([*gone, *(event.id for event in fresh)])
    reach = _Reach(library)
    reach.take(old)
    library.derived.replace_events(gone, [row_of(event) for event in fresh])
    reach.take(row_of(event) for event in fresh)
    reach.take(library.derived.events_named(sorted(_named_in(corrections))))
    reach.take_days(library.derived.days_of(sorted(_members_in(corrections))))
    reach.take_days(_days_in(corrections))
    return _show(library, reach.settled(), gone, is_run=is_run)


def drop_vectors(library: Library, event_ids: Sequence[str]) -> None:
    """Forget the vectors of events that are gone; after the transaction, for an index cannot be rolled back."""
    if event_ids:
        drop_owners(library, EVENT, list(event_ids))


@dataclass(slots=True)
class _Reach:
    """The derived events that a change can reach, as stretches of days that grow until nothing sticks out of them."""

    library: Library
    _spans: list[tuple[str, str]] | None = None
    _undated: bool = False

    def take(self, rows: Iterable[DerivedEvent]) -> None:
        for row in rows:
            if row.first_day:
                self._add(row.first_day, row.last_day)
            else:
                self._undated = True

    def take_days(self, days: Iterable[str]) -> None:
        for day in days:
            if day:  # an event of the days around may be the corrected one in other words
                middle = date.fromisoformat(day).toordinal()
                self._add(*(date.fromordinal(max(1, middle + step)).isoformat() for step in (-NEAR_DAYS, NEAR_DAYS)))
            else:
                self._undated = True

    def settled(self) -> list[DerivedEvent]:
        rows: dict[str, DerivedEvent] = {}
        for _ in range(_MOST_ROUNDS):
            spans = _joined(self._spans or [])
            rows = {row.id: row for first, last in spans for row in self.library.derived.events_between(first, last)}
            before = len(spans), spans
            self.take(rows.values())
            self._spans = _joined(self._spans or [])
            if (len(self._spans), self._spans) == before:
                break
        undated = self.library.derived.undated_events() if self._undated else []
        return [*rows.values(), *undated]

    def _add(self, first: str, last: str) -> None:
        self._spans = [*(self._spans or []), (first, last)]


def _joined(spans: list[tuple[str, str]]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for first, last in sorted(set(spans)):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def _show(library: Library, rows: Sequence[DerivedEvent], gone: Sequence[str], *, is_run: bool) -> list[str]:
    """Replay the corrections over these rows and write what differs from what is shown."""
    corrections = library.corrections.all("event")
    base = [event_unpacked(row.fields) for row in rows]
    named = _named_in(corrections)
    mentioned = _members_in(corrections).union(*(event.member_ids for event in base))
    living = frozenset(library.derived.living(sorted(mentioned)))
    owner = library.stages.note("owner")

    def gist_of(member_ids: Sequence[str]) -> Gist:
        return gist(library.memories.many(member_ids), owner)

    alive = [_living_only(event, living, gist_of) for event in base]
    changed = [row_of(event) for event, was in zip(alive, base, strict=True) if event is not was and event.member_ids]
    empty = [event.id for event in alive if not event.member_ids]
    standing = [each for each in corrections if not each.undone_at]
    board = [event for event in alive if event.member_ids and not is_absorbed(event)]
    after = replay(board, standing, living, gist_of)
    with library.database.write():
        library.derived.replace_events(empty, changed)
        before = {event.id: event for event in library.events.many([*gone, *(row.id for row in rows), *sorted(named)])}
        left = [event_id for event_id in before if event_id not in after]
        library.events.remove(left)
        for event in _parents_first(after):
            known = before.get(event.id)
            if not is_run and known is not None and known.stale:
                event = replace(event, stale=True)  # only a new run makes it fresh
            if known != event:
                library.events.put(event)
    return left


def is_absorbed(event: Event) -> bool:
    """Whether a derived event only tells of another one and is not shown."""
    return event.provenance is not None and event.provenance.model_revision == ABSORBED


def _named_in(corrections: Iterable[Correction]) -> set[str]:
    """Ids of events that corrections speak of or made; undone corrections count too."""
    found: set[str] = set()
    for correction in corrections:
        before, after = unpacked(correction.before), unpacked(correction.after)
        found.add(correction.target_id)
        for fields in (before, after, *_inner(before), *_inner(after)):
            found |= {
                fields[key]
                for key in ("id", "other_id", "to_id", "from_id", "parent_id")
                if isinstance(fields.get(key), str)
            }
    return found


def _members_in(corrections: Iterable[Correction]) -> set[str]:
    """Ids of memories that corrections speak of."""
    found: set[str] = set()
    for correction in corrections:
        before, after = unpacked(correction.before), unpacked(correction.after)
        for fields in (before, after, *_inner(before), *_inner(after)):
            found |= set(fields.get("member_ids", ()))
    return found


def _days_in(corrections: Iterable[Correction]) -> set[str]:
    """First and last days of the events that corrections speak of, as they were then."""
    found: set[str] = set()
    for correction in corrections:
        before, after = unpacked(correction.before), unpacked(correction.after)
        for fields in (before, after, *_inner(before), *_inner(after)):
            found |= {fields[edge][:10] for edge in ("start", "end") if fields.get(edge)}
    return found


def _inner(fields: Fields) -> list[Fields]:
    return [value for value in fields.values() if isinstance(value, dict)]


def _living_only(event: Event, living: frozenset[str], gist_of: GistOf) -> Event:
    members = tuple(member for member in event.member_ids if member in living)
    if members == event.member_ids:
        return event
    found = gist_of(members)
    is_told = event.status is not EventStatus.LIVED  # its day is the one that is told, not its memories'
    return replace(
        event,
        member_ids=members,
        start=event.start if is_told else found.start,
        end=event.end if is_told else found.end,
        place=found.place,
        summary=found.summary,
        stale=True,
    )


def _parents_first(events: dict[str, Event]) -> list[Event]:
    ordered: dict[str, Event] = {}

    def place(event: Event) -> None:
        if event.parent_id and event.parent_id not in ordered:
            place(events[event.parent_id])
        ordered[event.id] = event

    for event in events.values():
        if event.id not in ordered:
            place(event)
    return list(ordered.values())
