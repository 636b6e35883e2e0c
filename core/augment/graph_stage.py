"""Which memories have to be read into the life graph anew? Those whose own values, events or text changed, and no others."""

import hashlib
import logging
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from core.augment.relations import Relations
from core.errors import ModelError, ReplyError
from core.graph import extract, from_text
from core.jobs import Steps
from core.ports import ChatModel, Interrupted, ModelSet
from core.records import CapturedMemory, Event, Progress, Stage
from core.store.library import Library

log = logging.getLogger(__name__)

_BATCH = 500
_UNREAD = "unread"
"""In a memory's key: no model could read its text; asked again when another model is there."""


def bring_up_to_date(
    library: Library, models: ModelSet, memories: Sequence[CapturedMemory], interrupted: Interrupted
) -> Steps:
    """Read changed memories into the graph, a batch a transaction; safe to stop at any yield."""
    Relations(library).show()  # people may have been renamed or merged since
    events = {event.id: event for event in library.events.all()}
    events_of: dict[str, list[Event]] = defaultdict(list)
    for event in events.values():
        for member in event.member_ids:
            events_of[member].append(event)
    known = {memory_id: key.partition(".") for memory_id, key in library.stages.keys(Stage.GRAPH).items()}
    keys = {memory.id: _key(memory, events_of[memory.id], events) for memory in memories}
    due = [memory for memory in memories if known.get(memory.id, ("",))[0] != keys[memory.id]]
    if due:
        yield Progress(Stage.GRAPH, 0, len(due))
    for start in range(0, len(due), _BATCH):
        batch = due[start : start + _BATCH]
        with library.database.write():
            library.graph.put(
                [memory.id for memory in batch],
                (triple for memory in batch for triple in extract.of_memory(memory, events_of[memory.id], events)),
            )
            read = {memory.id: known.get(memory.id, ("", "", ""))[2] for memory in batch}
            library.stages.record(Stage.GRAPH, {each: f"{keys[each]}.{read[each]}" for each in read})
        yield Progress(Stage.GRAPH, start + len(batch), len(due))
    if models.chat:
        yield from _texts(library, models.chat, memories, keys, interrupted)


def _texts(
    library: Library,
    chat: ChatModel,
    memories: Sequence[CapturedMemory],
    keys: Mapping[str, str],
    interrupted: Interrupted,
) -> Iterator[Progress]:
    """Let the model read texts that name somebody, in small batches; a batch it cannot read is left until another model is there."""
    people = from_text.people_by_part(library)
    read = {memory_id: key.partition(".")[2] for memory_id, key in library.stages.keys(Stage.GRAPH).items()}
    text_keys = {
        memory.id: _text_key(memory, chat) for memory in memories if from_text.is_worth_reading(memory, people)
    }
    due = [
        memory
        for memory in memories
        if memory.id in text_keys and _is_due(read.get(memory.id, ""), text_keys[memory.id])
    ]
    began = time.monotonic()
    done = 0
    for batch in from_text.batches(due):
        left = (time.monotonic() - began) / done * (len(due) - done) if done else None
        yield Progress(Stage.GRAPH, done, len(due), "relations that texts state", left)
        mark = ""
        try:
            triples = from_text.triples_in(library, chat, batch, people, interrupted)
        except ReplyError as error:
            log.info("relations of %d texts could not be read: %s", len(batch), error.message)
            triples, mark = [], f"{_UNREAD} "
        except ModelError as error:
            log.info("relations of texts are left for another time: %s", error.message)
            return
        with library.database.write():
            library.graph.put([memory.id for memory in batch], triples, by_model=True)
            library.stages.record(
                Stage.GRAPH, {memory.id: f"{keys[memory.id]}.{mark}{text_keys[memory.id]}" for memory in batch}
            )
        done += len(batch)
    _take_back(library, read, text_keys, keys)


def _is_due(read: str, text_key: str) -> bool:
    return read.removeprefix(f"{_UNREAD} ") != text_key


def _take_back(library: Library, read: Mapping[str, str], wanted: Mapping[str, str], keys: Mapping[str, str]) -> None:
    """What was read from texts that name nobody any more, or were corrected away, goes."""
    gone = [memory_id for memory_id, key in read.items() if key and memory_id not in wanted and memory_id in keys]
    if gone:
        with library.database.write():
            library.graph.put(gone, [], by_model=True)
            library.stages.record(Stage.GRAPH, {memory_id: f"{keys[memory_id]}." for memory_id in gone})


def _key(memory: CapturedMemory, events: Sequence[Event], parents: Mapping[str, Event]) -> str:
    """A hash of everything that `of_memory` reads."""
    held = []
    for event in sorted(events, key=lambda each: each.id):
        parent = parents.get(event.parent_id or "")
        held.append((event.id, event.name, event.status, (parent.id, parent.name) if parent else ()))
    shown = (memory.taken.day, memory.place, memory.people, memory.activities, memory.visual_elements)
    read = (extract.VERSION, shown, held)
    return _hash(repr(read))


def _text_key(memory: CapturedMemory, chat: ChatModel) -> str:
    return _hash(repr((from_text.VERSION, chat.model_id, chat.revision, from_text.text_of(memory))))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
