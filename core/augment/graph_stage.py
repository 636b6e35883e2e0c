"""Which memories have to be read into the life graph anew? Those whose own values, events or text changed, and no others."""

import hashlib
import json
import logging
import time
from collections.abc import Collection, Iterator, Mapping, Sequence

from core.augment.relations import Relations
from core.errors import ModelError, ModelNotInstalledError, ModelUnreadableError, NotEnoughRamError, ReplyError
from core.graph import extract, from_text
from core.jobs import Steps
from core.ports import ChatModel, Interrupted, ModelSet
from core.records import CapturedMemory, Event, Progress, Stage
from core.store.library import Library

log = logging.getLogger(__name__)

READER, TEXT_READER = "graph", "graph texts"
"""Who is told of changed memories: by the database's triggers, and by what was read of them here."""
_NOTE, _TEXT_NOTE = "graph_input", "graph_texts_input"
_BATCH = 500
_UNREAD, _UNREAD_NOTE = "unread", "graph_unread"
"""In a memory's key: the model could not read its text; asked again when another model is there, or the person says so."""
_UNREAD_SAYS = "How the people in this text are related could not be read by the language model"
_MOST_CRASHES = 3
"""So many calls that fail one after the other are the model's fault, not the texts'."""
_OF_THE_MODEL = (ModelNotInstalledError, ModelUnreadableError, NotEnoughRamError)


def bring_up_to_date(library: Library, models: ModelSet, interrupted: Interrupted) -> Steps:
    """Read changed memories into the graph, a batch a transaction; safe to stop at any yield."""
    Relations(library).show()  # people may have been renamed or merged since
    _note_retried(library)
    due = library.derived.changed_memories(READER)
    if library.stages.note(_NOTE) != extract.VERSION:
        due = library.memories.ids_matching()
    for start in range(0, len(due), _BATCH):
        yield Progress(Stage.GRAPH, start, len(due))
        _read(library, due[start : start + _BATCH])
    library.stages.set_note(_NOTE, extract.VERSION)
    if models.chat:
        yield from _texts(library, models.chat, interrupted)


def _read(library: Library, memory_ids: Sequence[str]) -> None:
    """Read a batch whose values or events may have changed; what reads as before is left as it is."""
    memories = library.memories.many(memory_ids)
    held = {
        event.id: event for event in library.events.many([each for memory in memories for each in memory.event_ids])
    }
    parents = held | {
        event.id: event for event in library.events.many([each.parent_id for each in held.values() if each.parent_id])
    }
    events_of = {memory.id: [held[each] for each in memory.event_ids if each in held] for memory in memories}
    known = _keys(library, memory_ids)
    keys = {memory.id: _key(memory, events_of[memory.id], parents) for memory in memories}
    fresh = [memory for memory in memories if known.get(memory.id, ("",))[0] != keys[memory.id]]
    with library.database.write():
        library.graph.put(
            [memory.id for memory in fresh],
            (triple for memory in fresh for triple in extract.of_memory(memory, events_of[memory.id], parents)),
        )
        read = {memory.id: known.get(memory.id, ("", "", ""))[2] for memory in fresh}
        read = {memory_id: "" if key.startswith(_UNREAD) else key for memory_id, key in read.items()}  # tried again
        library.stages.record(Stage.GRAPH, {each: f"{keys[each]}.{read[each]}" for each in read})
        library.derived.note_memories(TEXT_READER, keys)
        library.derived.seen_memories(READER, memory_ids)


def _texts(library: Library, chat: ChatModel, interrupted: Interrupted) -> Iterator[Progress]:
    """Let the model read texts that name somebody, in small batches; a batch it cannot read is a problem to be retried."""
    asked = f"{chat.model_id}@{chat.revision} {from_text.VERSION}"
    if library.stages.note(_TEXT_NOTE) != asked:
        library.derived.note_memories(TEXT_READER, library.memories.ids_matching())
        library.stages.set_note(_TEXT_NOTE, asked)
    changed = library.derived.changed_memories(TEXT_READER)
    if not changed:
        return
    people, owner = from_text.people_by_part(library), library.stages.note("owner")
    keys = _keys(library, changed)
    wanted = [memory for memory in library.memories.many(changed) if from_text.is_worth_reading(memory, people, owner)]
    due = [memory for memory in wanted if _is_due(keys.get(memory.id, ("", "", ""))[2], _text_key(memory, chat))]
    _take_back(library, {memory_id: key for memory_id, key in keys.items() if key[2]}, {memory.id for memory in wanted})
    library.derived.seen_memories(TEXT_READER, set(changed) - {memory.id for memory in due})
    began, done, crashes = time.monotonic(), 0, 0
    for batch in from_text.batches(due):
        left = (time.monotonic() - began) / done * (len(due) - done) if done else None
        yield Progress(Stage.GRAPH, done, len(due), "relations that texts state", left)
        trouble = ""
        try:
            triples = from_text.triples_in(library, chat, batch, people, interrupted)
            crashes = 0
        except (ReplyError, ModelError) as error:
            crashes += isinstance(error, ModelError)
            if isinstance(error, _OF_THE_MODEL) or crashes == _MOST_CRASHES:
                log.info("relations of texts are left for another time: %s", error.message)
                return
            triples, trouble = [], f"{_UNREAD_SAYS}: {error.message}"
        read = {memory.id: (keys[memory.id][0], _text_key(memory, chat)) for memory in batch if memory.id in keys}
        ids = [memory.id for memory in batch]
        with library.database.write():
            library.graph.put(ids, triples, by_model=True)
            _record(library, read, trouble)
            library.derived.seen_memories(TEXT_READER, ids)
        done += len(batch)


def _record(library: Library, read: Mapping[str, tuple[str, str]], trouble: str) -> None:
    """What was read with which keys of values and text; with a trouble, what could not be read."""
    if not trouble:
        library.stages.record(Stage.GRAPH, {each: f"{values}.{text}" for each, (values, text) in read.items()})
        return
    log.info("relations of %d texts could not be read", len(read))
    keys = {each: f"{values}.{_UNREAD} {text}" for each, (values, text) in read.items()}
    library.stages.record_failed(Stage.GRAPH, keys, trouble)
    unread = set(json.loads(library.stages.note(_UNREAD_NOTE) or "[]")) | set(read)
    library.stages.set_note(_UNREAD_NOTE, json.dumps(sorted(unread)))


def _note_retried(library: Library) -> None:
    """What could not be read and has no record any more is read again: the person said so under Problems."""
    unread = json.loads(library.stages.note(_UNREAD_NOTE) or "[]")
    if not unread:
        return
    recorded = _keys(library, unread)
    retried = [each for each in unread if each not in recorded]
    kept = [each for each, key in recorded.items() if key[2].startswith(_UNREAD)]
    with library.database.write():
        for reader in (READER, TEXT_READER):
            library.derived.note_memories(reader, [memory.id for memory in library.memories.many(retried)])
        library.stages.set_note(_UNREAD_NOTE, json.dumps(kept) if kept else "")


def _keys(library: Library, memory_ids: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """By memory: the key of its values, a dot, and that of its text."""
    known = library.stages.keys(Stage.GRAPH, memory_ids, with_failed=True)
    return {memory_id: key.partition(".") for memory_id, key in known.items()}


def _is_due(read: str, text_key: str) -> bool:
    return read.removeprefix(f"{_UNREAD} ") != text_key


def _take_back(library: Library, read: Mapping[str, tuple[str, str, str]], wanted: Collection[str]) -> None:
    """What was read from texts that name nobody any more, or were corrected away, goes."""
    gone = [memory_id for memory_id in read if memory_id not in wanted]
    if gone:
        with library.database.write():
            library.graph.put(gone, [], by_model=True)
            library.stages.record(Stage.GRAPH, {memory_id: f"{read[memory_id][0]}." for memory_id in gone})


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
