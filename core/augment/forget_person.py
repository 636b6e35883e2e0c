"""What has to go when the person says "forget this person"? The name, the faces, their vectors, and every word about them.

What the person typed into a single memory, and names that stand in files (a sidecar, a tag), are those memories' own and stay.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.augment.people_board import PERSON, board_of, places
from core.augment.people_shown import show_people
from core.augment.snapshots import packed, unpacked
from core.records import Correction, Field, KnowledgeState, Origin
from core.records.people import Person
from core.retrieve.embed import CONTEXT, EVENT, KNOWLEDGE, MEMORY, drop_owners
from core.store.face_names import show_names
from core.store.library import Library
from core.store.told import RELATION
from core.text_keys import text_key


def forget_person(library: Library, person: Person) -> None:
    """Forget somebody; where their faces are is kept, so that they are not found there again, but not who it was."""
    faces = library.people.faces(person_id=person.id)
    marked = [mark.memory_id for mark in library.people.marks() if mark.person_id == person.id]
    memory_ids = sorted({face.memory_id for face in faces} | set(marked))
    facts = _facts_about(library, person.name)
    # vectors first: an index cannot be rolled back, but what is missing in it is made again
    drop_owners(library, MEMORY, memory_ids)
    drop_owners(library, EVENT, _events_with(library, memory_ids))
    drop_owners(library, KNOWLEDGE, facts)
    drop_owners(library, CONTEXT, [person.name, text_key(person.name), f"person:{text_key(person.name)}"])
    with library.database.write():
        forgotten = [{"memory": each["memory"], "box": each["box"]} for each in places(faces)]
        _forget_words(library, person)
        library.corrections.add(
            Correction(
                id="", target_kind=PERSON, target_id=person.id, action="forget", after=packed({"faces": forgotten})
            )
        )
        library.people.remove([person.id])
        library.people.remove_faces([face.id for face in faces])
        show_people(library)
        show_names(library, memory_ids)
        for fact in facts:
            library.corrections.redact(fact)
            library.knowledge.remove(fact)
        library.graph.put(memory_ids, ())
        library.graph.put(memory_ids, (), by_model=True)
        _forget_text(library, memory_ids, person.name)


def _facts_about(library: Library, name: str) -> list[str]:
    """Inferred statements that name somebody; the next run infers anew what holds without them."""
    key = text_key(name)
    return [
        fact.id
        for fact in library.knowledge.all(with_rejected=True)
        if key and fact.state is KnowledgeState.INFERRED and key in text_key(f"{fact.subject} {fact.statement}")
    ]


def _events_with(library: Library, memory_ids: Sequence[str]) -> list[str]:
    wanted = set(memory_ids)
    return [event.id for event in library.events.all() if wanted & set(event.member_ids)]


def _forget_words(library: Library, person: Person) -> None:
    """Every correction that names them, about them or about others; those about others lose only what named them."""
    corrections = library.corrections.all(PERSON)
    board = board_of(each for each in corrections if not each.undone_at)
    gone = [each.id for each in corrections if board.id_of(each.target_id) == person.id]
    for each in corrections:
        if each.id not in gone and person.id in each.before:
            before = unpacked(each.before)
            for place in before.get("faces", ()):
                if board.id_of(str(place.get("person", ""))) == person.id:
                    place["person"] = ""
            library.corrections.rewrite(replace(each, before=packed(before)))
    key = text_key(person.name)
    if key:
        told = library.corrections.all(RELATION)
        gone += [each.id for each in told if key in text_key(f"{each.target_id} {each.before} {each.after}")]
    library.corrections.forget(gone)


def _forget_text(library: Library, memory_ids: Sequence[str], name: str) -> None:
    """Captions that name them go until they are written anew; so do remembered replies and answers."""
    key = text_key(name)
    if not key:
        return
    for memory in library.memories.many(memory_ids):
        if key in text_key(memory.caption):
            with library.memories.edit(memory.id) as editing:
                for origin in (Origin.RULE, Origin.MODEL):
                    editing.take_back(Field.CAPTION, origin)
    library.conversations.forget_name(name)
