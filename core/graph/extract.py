"""Which concepts and relations do memories and events state? Built by code; every edge carries the memory it was read from."""

from collections.abc import Iterable, Iterator, Sequence

from core.records import CapturedMemory, Event, EventStatus

VERSION = "graph-1"
PERSON, EVENT, DATE, LOCATION, ACTIVITY, OBJECT = "PersonAnimal", "Event", "Date", "Location", "Activity", "Object"

GraphEdge = tuple[tuple[str, str], str, tuple[str, str], str]
"""((kind, name), relation, (kind, name), memory id), as `GraphStore.replace` takes it."""


def edges(memories: Iterable[CapturedMemory], events: Sequence[Event]) -> Iterator[GraphEdge]:
    """Every edge: with (person-person), at, on, doing, saw, during (person or activity-event), part of, in (place-city)."""
    events_of: dict[str, list[Event]] = {}
    for event in events:
        for member in event.member_ids:
            events_of.setdefault(member, []).append(event)
    by_id = {event.id: event for event in events}
    for memory in memories:
        yield from _of_memory(memory)
        for event in events_of.get(memory.id, ()):
            yield from _of_event(memory, event, by_id)


def _of_memory(memory: CapturedMemory) -> Iterator[GraphEdge]:
    people = [(PERSON, name) for name in memory.people]
    location = _location(memory)
    day = (DATE, memory.taken.day.isoformat()) if memory.taken.day else None
    doing = [(ACTIVITY, activity) for activity in memory.activities]
    seen = [(OBJECT, element) for element in memory.visual_elements]
    for at, person in enumerate(people):
        for other in people[at + 1 :]:
            yield person, "with", other, memory.id
        for relation, target in (("at", location), ("on", day)):
            if target:
                yield person, relation, target, memory.id
        for activity in doing:
            yield person, "doing", activity, memory.id
    for thing in (*doing, *seen):
        if location:
            yield thing, "at", location, memory.id
        if day:
            yield thing, "on", day, memory.id
    if memory.place and location and memory.place.city and memory.place.city != location[1]:
        yield location, "in", (LOCATION, memory.place.city), memory.id


def _of_event(memory: CapturedMemory, event: Event, by_id: dict[str, Event]) -> Iterator[GraphEdge]:
    node = (EVENT, event.name)
    relation = "during" if event.status is EventStatus.LIVED else "mentioned with"
    for name in memory.people:
        yield (PERSON, name), relation, node, memory.id
    for activity in memory.activities:
        yield (ACTIVITY, activity), relation, node, memory.id
    for element in memory.visual_elements:
        yield node, "saw", (OBJECT, element), memory.id
    if event.status is EventStatus.LIVED:
        if location := _location(memory):
            yield node, "at", location, memory.id
        if memory.taken.day:
            yield node, "on", (DATE, memory.taken.day.isoformat()), memory.id
    if event.parent_id in by_id:
        yield node, "part of", (EVENT, by_id[event.parent_id].name), memory.id


def _location(memory: CapturedMemory) -> tuple[str, str] | None:
    place = memory.place
    name = (
        (place.name or place.street or place.district or place.city or place.region or place.country) if place else ""
    )
    return (LOCATION, name) if name else None
