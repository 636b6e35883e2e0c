"""What has to go when the person says "forget this"? Every trace of a memory, in every table, index and folder."""

from dataclasses import replace

from core.augment.shown import drop_vectors, show_events
from core.augment.windows import reply_family, windows_of_day
from core.records import CapturedMemory, Correction, KnowledgeState
from core.retrieve.embed import CONTEXT, EVENT, KNOWLEDGE, MEMORY, drop_owners
from core.store.library import Library
from core.text_keys import text_key

_ENOUGH_EVIDENCE = 2


def forget(library: Library, memory_id: str) -> None:
    """Forget a memory: rows, values, contexts, words, vectors, edges, replies, corrections' texts, and its thumbnails.

    Statements left with too little evidence and events left empty go too. Only the content's hash stays, so that a rescan
    does not bring the memory back.
    """
    memory = library.memories.get(memory_id)
    values = _context_values(library, memory_id)
    hashes = {file.sha256 for file in library.files.of_memory(memory_id) if file.sha256}
    holding = [event.id for event in library.events.all() if memory_id in event.member_ids]
    with library.database.write():
        _forget_moment(library, memory_id)
        unfounded = _forget_evidence(library, memory_id)
        _forget_replies(library, memory)
        library.corrections.redact(memory_id)
        with library.memories.edit(memory_id) as editing:
            editing.forget()
        library.graph.prune()
        library.corrections.add(Correction(id="", target_kind="memory", target_id=memory_id, action="forget"))
        gone = show_events(library)
        _mark_stale(library, [event_id for event_id in holding if event_id not in gone])
    drop_owners(library, MEMORY, [memory_id])
    drop_owners(library, KNOWLEDGE, unfounded)
    drop_owners(library, EVENT, holding)
    drop_vectors(library, gone)
    left = library.memories.vocabulary()
    known = {
        text_key(value)
        for group in (left.people, left.activities, left.visual_elements, left.environments)
        for value in group
    }
    drop_owners(library, CONTEXT, [value for value in values if text_key(value.rpartition(":")[2]) not in known])
    _forget_thumbnails(library, hashes)


def _context_values(library: Library, memory_id: str) -> list[str]:
    """The names under which the vocabulary of a memory may own vectors."""
    contexts = library.memories.contexts(memory_id)
    return [
        name for each in contexts for name in (each.value, text_key(each.value), f"{each.kind}:{text_key(each.value)}")
    ]


def _forget_moment(library: Library, memory_id: str) -> None:
    moments = [
        replace(moment, member_ids=tuple(member for member in moment.member_ids if member != memory_id))
        for moment in library.events.moments()
    ]
    library.events.replace_moments(moment for moment in moments if moment.member_ids)


def _forget_evidence(library: Library, memory_id: str) -> list[str]:
    """Take the memory out of every statement's evidence; statements with too little left go, the person's own stay."""
    unfounded = []
    for item in library.knowledge.all(with_rejected=True):
        if memory_id not in item.evidence_ids:
            continue
        left = tuple(each for each in item.evidence_ids if each != memory_id)
        needed = _ENOUGH_EVIDENCE if item.state is KnowledgeState.INFERRED else 1
        if len(left) < needed and item.state is not KnowledgeState.OWN:
            library.knowledge.remove(item.id)
            library.corrections.redact(item.id)
            unfounded.append(item.id)
        else:
            library.knowledge.put(replace(item, evidence_ids=left))
    return unfounded


def _forget_replies(library: Library, memory: CapturedMemory) -> None:
    """What a model said about the weeks that held the memory."""
    if memory.taken.day:
        for first_day in windows_of_day(memory.taken.day):
            library.stages.forget_replies(reply_family(first_day))


def _mark_stale(library: Library, event_ids: list[str]) -> None:
    """The names of events that held the memory are found anew at the next run; their summaries already are."""
    library.events.mark_stale([member for event in library.events.many(event_ids) for member in event.member_ids])


def _forget_thumbnails(library: Library, hashes: set[str]) -> None:
    for sha256 in hashes:
        for path in library.home.thumbnails.rglob(f"{sha256}*"):
            path.unlink(missing_ok=True)
