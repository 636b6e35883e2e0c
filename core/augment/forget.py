"""What has to go when the person says "forget this"? Every trace of a memory, in every table, index and folder."""

from collections.abc import Sequence
from dataclasses import replace

from core.augment.gist import days_text
from core.augment.relations import Relations
from core.augment.shown import drop_vectors, show_changed
from core.augment.snapshots import Fields, event_unpacked, packed, unpacked
from core.augment.wording import words
from core.records import Correction, Event, KnowledgeState, Node
from core.retrieve.embed import CONTEXT, EVENT, KNOWLEDGE, MEMORY, drop_owners
from core.store.library import Library
from core.store.told import RELATION, UNRELATE, told_by
from core.text_keys import text_key

_FORGOTTEN = "A memory of it was forgotten."


def forget(library: Library, memory_id: str) -> None:
    """Forget a memory: what the store holds of it, its vectors, its thumbnails, and what was derived from it alone.

    Only hashes stay, so that a rescan does not bring the memory back.
    """
    values = context_values(library, memory_id)
    hashes = {file.sha256 for file in library.files.of_memory(memory_id) if file.sha256}
    holding = list(library.memories.get(memory_id).event_ids)
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
        forget_moment(library, memory_id)
        for item in unfounded:
            library.corrections.redact(item)
        stated = library.graph.nodes_of(memory_id)
        with library.memories.edit(memory_id) as editing:
            editing.forget()
        forget_denied(library, stated)
        library.corrections.add(Correction(id="", target_kind="memory", target_id=memory_id, action="forget"))
        forget_in_corrections(library, memory_id)
        derived = (event_unpacked(row.fields) for row in library.derived.events_holding(memory_id))
        gone = show_changed(library, fresh=[without_its_words(library, event, memory_id) for event in derived])
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


def context_values(library: Library, memory_id: str) -> list[tuple[str, str]]:
    """The names under which the vocabulary of a memory may own vectors, each with the value's key."""
    return [
        (name, text_key(each.value))
        for each in library.memories.contexts(memory_id)
        for name in (each.value, text_key(each.value), f"{each.kind}:{text_key(each.value)}")
    ]


def forget_denied(library: Library, stated: Sequence[Node]) -> None:
    """A relation that the person denied names what only the forgotten memory stated: that word goes too."""
    gone = {(node.kind, node.ref or text_key(node.name)) for node in stated if not library.graph.sources(node.id, 1)}
    for correction in library.corrections.standing(RELATION):
        if correction.action != UNRELATE:
            continue
        told = told_by(correction)[0]
        if any((end.kind, end.ref or text_key(end.name)) in gone for end in (told.source, told.target)):
            library.corrections.redact(correction.target_id)
    Relations(library).show()


def forget_moment(library: Library, memory_id: str) -> None:
    """A moment's place is a name that the memory may have given: the next run cuts the moment of the others anew."""
    library.events.change_moments([moment.id for moment in library.events.moments_of([memory_id])], [])


def without_its_words(library: Library, event: Event, memory_id: str) -> Event:
    """The derived event with a plain name where its name may have come from the memory; the next run finds a better one."""
    if memory_id not in event.member_ids:
        return event
    members = library.memories.many([member for member in event.member_ids if member != memory_id])
    left = text_key(
        " ".join(
            f"{each.title} {each.caption} {each.visible_text} {each.speech} {' '.join(each.people)} "
            f"{' '.join(each.visual_elements)} {' '.join(each.activities)} {each.place.label if each.place else ''}"
            for each in members
        )
    )
    if all(word in left for word in words(event.name)):
        why = event.why if all(word in left for word in words(event.why)) else _FORGOTTEN
        return replace(event, why=why, stale=True)
    days = [memory.taken.day for memory in members if memory.taken.day]
    return replace(event, name=days_text(days[0], days[-1]) if days else "Undated", why=_FORGOTTEN, stale=True)


def forget_in_corrections(library: Library, memory_id: str) -> None:
    """Snapshots of events lose the memory and the names it may have given."""
    for correction in library.corrections.all("event"):
        before, after = unpacked(correction.before), unpacked(correction.after)
        if memory_id in correction.before or memory_id in correction.after:
            cleaned = _cleaned(before, memory_id, with_names=False), _cleaned(after, memory_id, with_names=True)
            library.corrections.rewrite(replace(correction, before=packed(cleaned[0]), after=packed(cleaned[1])))


def _cleaned(fields: Fields, memory_id: str, *, with_names: bool) -> Fields:
    """What was before a correction may be a name made of the memory; what is after it is the person's own."""
    found: Fields = {}
    for key, value in fields.items():
        if isinstance(value, dict):
            found[key] = _cleaned(value, memory_id, with_names=with_names)
        elif key == "member_ids":
            found[key] = [member for member in value if member != memory_id]
        else:
            found[key] = value
    if memory_id in fields.get("member_ids", ()) and "name" in fields and not with_names:
        found["name"] = "Forgotten"
    return found
