"""Takes back what was drawn from memories that became private: events, facts and graph, vectors, remembered replies, small pictures.

What the person said stays, and so does the memory: when it is private no more, the next run draws from it again.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.augment.forget import without_its_words
from core.augment.shown import derived_events, drop_vectors, show_events
from core.augment.snapshots import Fields, packed, unpacked
from core.records import KnowledgeState
from core.retrieve.embed import CONTEXT, EVENT, KNOWLEDGE, MEMORY, PICTURE, drop_owners
from core.store.library import Library
from core.store.private import Private
from core.store.withhold import UNDERSTANDING
from core.text_keys import text_key

_HIDDEN, _ERASED = "Private", "erased"
_WORDS = ("name", "summary", "why", "place")


def withdraw(library: Library) -> list[Private]:
    """Settle every memory that became private since the last time; returns them. Safe to stop and to repeat."""
    found = library.private.unsettled()
    if not found:
        return found
    ids = {each.memory_id for each in found}
    holding = [event.id for event in library.events.all() if ids & set(event.member_ids)]
    unfounded = [
        item.id
        for item in library.knowledge.all(with_rejected=True)
        if item.state is KnowledgeState.INFERRED and ids & set(item.evidence_ids)
    ]
    pictures = [
        file.sha256
        for each in found
        if each.level == UNDERSTANDING
        for file in library.files.of_memory(each.memory_id)
        if file.sha256
    ]
    # vectors first: an index cannot be rolled back, but what is missing in it is made again
    withheld = [each.memory_id for each in found if each.level == UNDERSTANDING]
    for kind in (MEMORY, PICTURE):
        drop_owners(library, kind, withheld)
    drop_owners(library, EVENT, holding)
    drop_owners(library, KNOWLEDGE, unfounded)
    with library.database.write():
        derived = derived_events(library)
        for memory_id in ids:
            derived = [without_its_words(library.for_chat(), event, memory_id) for event in derived]
        for each in found:
            if each.level == UNDERSTANDING:
                _hide_in_corrections(library, each.memory_id)
        for item in unfounded:
            library.corrections.redact(item)
        library.private.settle(found)
        library.events.replace_moments([moment for moment in library.events.moments() if moment.member_ids])
        gone = show_events(library, derived)
    drop_vectors(library, gone)
    _drop_unused_words(library)
    for sha256 in pictures:
        for path in library.home.thumbnails.rglob(f"{sha256}*"):
            path.unlink(missing_ok=True)
    return found


def erase(library: Library, memory_ids: Sequence[str]) -> None:
    """Forget many memories at once, without a trace: unlike `forget`, a file that is added again is read as a new one."""
    with library.database.write():
        for memory_id in memory_ids:
            library.private.mark(memory_id, _ERASED, UNDERSTANDING)
    withdraw(library)
    with library.database.write():
        for memory_id in memory_ids:
            library.corrections.redact(memory_id)
            library.memories.delete(memory_id)


def _drop_unused_words(library: Library) -> None:
    """The vectors of context values that no memory has any more."""
    words = library.memories.vocabulary()
    values = {"activity": words.activities, "visual_element": words.visual_elements, "environment": words.environments}
    used = {f"{kind}:{text_key(value)}" for kind, counted in values.items() for value in counted}
    for model_id in library.embeddings.models(CONTEXT):
        drop_owners(library, CONTEXT, sorted(library.embeddings.owner_ids(CONTEXT, model_id) - used))


def _hide_in_corrections(library: Library, memory_id: str) -> None:
    """What an event was called before a correction may be made of the memory's words; what the person said stays."""
    for correction in library.corrections.all("event"):
        if memory_id in correction.before:
            hidden = packed(_without_words(unpacked(correction.before), memory_id))
            library.corrections.rewrite(replace(correction, before=hidden))


def _without_words(fields: Fields, memory_id: str) -> Fields:
    found: Fields = {
        key: _without_words(value, memory_id) if isinstance(value, dict) else value for key, value in fields.items()
    }
    if memory_id in fields.get("member_ids", ()):
        found |= {key: _HIDDEN if key == "name" else "" for key in _WORDS if key in found}
    return found
