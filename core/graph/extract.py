"""Which concepts and relations do a memory, its events and stated facts hold? By code; every edge carries the memory it was read from."""

from collections.abc import Iterator, Mapping, Sequence

from core.records import Attributes, CapturedMemory, Concept, Event, EventStatus, Triple
from core.store.graph import ACTIVITY, DATE, EVENT, LOCATION, OBJECT, PERSON

VERSION = "graph-2"
_MOST_NAMED = 12
"""Of a crowd, so that one group picture does not make hundreds of edges."""


def of_memory(memory: CapturedMemory, events: Sequence[Event], parents: Mapping[str, Event]) -> Iterator[Triple]:
    """Every triple of one memory: with, at, on, doing, saw, during, activity, part of, in.

    An n-ary fact is one edge: event, activity, what was done, with attendees, objects and place as attributes.

    Args:
        events: those that hold the memory.
        parents: events by id, for "part of".
    """
    people = [Concept(PERSON, name) for name in memory.people[:_MOST_NAMED]]
    location = location_of(memory)
    day = Concept(DATE, memory.taken.day.isoformat()) if memory.taken.day else None
    doing = [Concept(ACTIVITY, activity) for activity in memory.activities]
    seen = [Concept(OBJECT, element) for element in memory.visual_elements]

    def triple(source: Concept, relation: str, target: Concept, attributes: Attributes = ()) -> Triple:
        return Triple(
            source=source, relation=relation, target=target, memory_id=memory.id, attributes=attributes, made_by="rule"
        )

    for at, person in enumerate(people):
        for other in people[at + 1 :]:
            yield triple(person, "with", other)
        for relation, where in (("at", location), ("on", day)):
            if where:
                yield triple(person, relation, where)
        for activity in doing:
            yield triple(person, "doing", activity, _arguments(people, seen, location, without=person))
    for thing in (*doing, *seen):
        for relation, where in (("at", location), ("on", day)):
            if where:
                yield triple(thing, relation, where)
    if memory.place and location and memory.place.city and memory.place.city != location.name:
        yield triple(location, "in", Concept(LOCATION, memory.place.city))
    for event in events:
        node = Concept(EVENT, event.name, event.id)
        is_lived = event.status is EventStatus.LIVED
        for person in people:
            yield triple(person, "during" if is_lived else "mentioned with", node)
        for activity in doing:
            yield triple(
                node,
                "activity" if is_lived else "mentions",
                activity,
                _arguments(people, seen, location if is_lived else None),
            )
        for thing in seen:
            yield triple(node, "saw" if is_lived else "mentions", thing)
        if is_lived and location:
            yield triple(node, "at", location)
        if is_lived and day:
            yield triple(node, "on", day)
        if parent := parents.get(event.parent_id or ""):
            yield triple(node, "part of", Concept(EVENT, parent.name, parent.id))


def location_of(memory: CapturedMemory) -> Concept | None:
    """The most exact name of where a memory was captured."""
    place = memory.place
    name = (
        (place.name or place.street or place.district or place.city or place.region or place.country) if place else ""
    )
    return Concept(LOCATION, name) if name else None


def _arguments(
    people: Sequence[Concept], objects: Sequence[Concept], location: Concept | None, without: Concept | None = None
) -> Attributes:
    named = (
        ("attendee", tuple(person.name for person in people if person != without)),
        ("object", tuple(thing.name for thing in objects)),
        ("place", (location.name,) if location else ()),
    )
    return tuple((role, names) for role, names in named if names)
