"""Which events does the library show? The derived ones with the person's corrections replayed over them, written as a whole."""

from collections.abc import Sequence
from dataclasses import replace

from core.augment.gist import Gist, gist
from core.augment.replay import GistOf, replay
from core.augment.snapshots import event_from, events_packed, events_unpacked, unpacked
from core.records import Event
from core.retrieve.embed import EVENT, drop_owners
from core.store.library import Library

_DERIVED_NOTE = "derived_events"
PROMPT_FAMILY = "events-"
"""How the prompt version of every event that this room derives begins; others were imported."""


def derived_events(library: Library) -> list[Event]:
    """The events as last derived, before any correction, and those that came with an import."""
    known = events_unpacked(library.stages.note(_DERIVED_NOTE))
    accounted = {event.id for event in known} | _made_by_corrections(library)
    return [*known, *(event for event in library.events.all() if event.id not in accounted)]


def imported_events(library: Library) -> list[Event]:
    """Events that came with an import: a re-run does not derive them and does not lose them."""
    return [
        event
        for event in derived_events(library)
        if not (event.provenance and event.provenance.prompt_version.startswith(PROMPT_FAMILY))
    ]


def show_events(library: Library, derived: Sequence[Event] | None = None) -> list[str]:
    """Write the events to show, in one transaction; returns the ids of those that are gone (`drop_vectors` takes them).

    Args:
        derived: newly derived events that replace the last ones; None keeps those.
    """
    living = frozenset(library.for_chat().memories.ids_matching())  # what is kept private is in no event
    owner = library.stages.note("owner")

    def gist_of(member_ids: Sequence[str]) -> Gist:
        return gist(library.memories.many(member_ids), owner)

    base = [_living_only(event, living, gist_of) for event in (derived_events(library) if derived is None else derived)]
    base = [event for event in base if event.member_ids]
    with library.database.write():
        before = {event.id: event for event in library.events.all()}
        after = replay(base, library.corrections.standing("event"), living, gist_of)
        gone = [event_id for event_id in before if event_id not in after]
        library.events.remove(gone)
        for event in _parents_first(after):
            known = before.get(event.id)
            if derived is None and known is not None and known.stale:
                event = replace(event, stale=True)  # only a new run makes it fresh
            if known != event:
                library.events.put(event)
        library.stages.set_note(_DERIVED_NOTE, events_packed(base))
    return gone


def drop_vectors(library: Library, event_ids: Sequence[str]) -> None:
    """Forget the vectors of events that are gone; after the transaction, for an index cannot be rolled back."""
    if event_ids:
        drop_owners(library, EVENT, list(event_ids))


def _made_by_corrections(library: Library) -> set[str]:
    """Ids of events that exist, or existed, because the person made them; undone corrections count too."""
    made: set[str] = set()
    for correction in library.corrections.all("event"):
        if correction.action == "add":
            made.add(correction.target_id)
        if correction.action == "split":
            made.add(event_from(unpacked(correction.after)["event"]).id)
    return made


def _living_only(event: Event, living: frozenset[str], gist_of: GistOf) -> Event:
    members = tuple(member for member in event.member_ids if member in living)
    if members == event.member_ids:
        return event
    found = gist_of(members)
    return replace(
        event,
        member_ids=members,
        start=found.start,
        end=found.end,
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
