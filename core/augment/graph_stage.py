"""Which memories have to be read into the life graph anew? Only those whose own values, events or stated facts changed."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from core.augment.relations import Relations
from core.graph.extract import VERSION, of_memory
from core.records import CapturedMemory, Event, Progress, Stage
from core.store.library import Library

_BATCH = 500


def bring_up_to_date(library: Library, memories: Sequence[CapturedMemory]) -> Iterator[Progress]:
    """Read changed memories into the graph, a batch a transaction; safe to stop at any yield."""
    Relations(library).show()  # people may have been renamed or merged since
    events = {event.id: event for event in library.events.all()}
    events_of: dict[str, list[Event]] = defaultdict(list)
    for event in events.values():
        for member in event.member_ids:
            events_of[member].append(event)
    known = library.stages.keys(Stage.GRAPH)
    keys = {memory.id: _key(memory, events_of[memory.id], events) for memory in memories}
    due = [memory for memory in memories if known.get(memory.id) != keys[memory.id]]
    if not due:
        return
    yield Progress(Stage.GRAPH, 0, len(due))
    for start in range(0, len(due), _BATCH):
        batch = due[start : start + _BATCH]
        with library.database.write():
            library.graph.put(
                [memory.id for memory in batch],
                (triple for memory in batch for triple in of_memory(memory, events_of[memory.id], events)),
            )
            library.stages.record(Stage.GRAPH, {memory.id: keys[memory.id] for memory in batch})
        yield Progress(Stage.GRAPH, start + len(batch), len(due))


def _key(memory: CapturedMemory, events: Sequence[Event], parents: Mapping[str, Event]) -> str:
    """A hash of everything that `of_memory` reads."""
    held = [
        (
            event.id,
            event.name,
            event.status,
            parent.id if (parent := parents.get(event.parent_id or "")) else "",
            parent and parent.name,
        )
        for event in sorted(events, key=lambda event: event.id)
    ]
    read = (VERSION, memory.taken.day, memory.place, memory.people, memory.activities, memory.visual_elements, held)
    return hashlib.blake2b(repr(read).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
