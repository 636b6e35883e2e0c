"""What has to go when the person says "forget this"? Every trace of a memory, in every table, index and folder."""

from core.augment.shown import drop_vectors, show_events
from core.records import Correction, KnowledgeState
from core.retrieve.embed import CONTEXT, EVENT, KNOWLEDGE, MEMORY, drop_owners
from core.store.library import Library
from core.text_keys import text_key


def forget(library: Library, memory_id: str) -> None:
    """Forget a memory: what the store holds of it, its vectors, its thumbnails, and what was derived from it alone.

    Only hashes stay, so that a rescan does not bring the memory back.
    """
    values = _context_values(library, memory_id)
    hashes = {file.sha256 for file in library.files.of_memory(memory_id) if file.sha256}
    holding = [event.id for event in library.events.all() if memory_id in event.member_ids]
    unfounded = [
        item.id
        for item in library.knowledge.all(with_rejected=True)
        if memory_id in item.evidence_ids and item.state is KnowledgeState.INFERRED
    ]
    # vectors first: an index cannot be rolled back, but what is missing in it is made again
    drop_owners(library, MEMORY, [memory_id])
    drop_owners(library, EVENT, holding)
    drop_owners(library, KNOWLEDGE, unfounded)
    with library.database.write():
        _forget_moment(library, memory_id)
        for item in unfounded:
            library.corrections.redact(item)
        with library.memories.edit(memory_id) as editing:
            editing.forget()
        library.corrections.add(Correction(id="", target_kind="memory", target_id=memory_id, action="forget"))
        gone = show_events(library)
    drop_vectors(library, gone)
    left = library.memories.vocabulary()
    known = {
        text_key(value)
        for group in (left.people, left.activities, left.visual_elements, left.environments)
        for value in group
    }
    drop_owners(library, CONTEXT, [name for name, key in values if key not in known])
    for sha256 in hashes:
        for path in library.home.thumbnails.rglob(f"{sha256}*"):
            path.unlink(missing_ok=True)


def _context_values(library: Library, memory_id: str) -> list[tuple[str, str]]:
    """The names under which the vocabulary of a memory may own vectors, each with the value's key."""
    return [
        (name, text_key(each.value))
        for each in library.memories.contexts(memory_id)
        for name in (each.value, text_key(each.value), f"{each.kind}:{text_key(each.value)}")
    ]


def _forget_moment(library: Library, memory_id: str) -> None:
    """A moment's place is a name: it goes with the last memory that gave it."""
    moments = library.events.moments()
    if any(memory_id in moment.member_ids and len(moment.member_ids) == 1 for moment in moments):
        library.events.replace_moments(moment for moment in moments if moment.member_ids != (memory_id,))
