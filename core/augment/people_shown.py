"""Whom does the library show? What was recognised, with everything the person said laid over it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from core.augment.people_board import PERSON, Board, board_of, read_places
from core.augment.relations import Relations
from core.augment.snapshots import unpacked
from core.records import Correction
from core.records.people import Face, Person
from core.store.face_names import apply_marks, effective_names, show_names
from core.store.library import Library
from core.store.people import is_same_place


def show_people(library: Library, undone: Correction | None = None) -> None:
    """Write people, marks, owners of faces and names, in one transaction.

    Args:
        undone: a correction taken back just now: its faces are whose they were before.
    """
    board = board_of(library.corrections.standing(PERSON))
    with library.database.write():
        before = effective_names(library)
        touched = {mark.memory_id for mark in library.people.marks()}
        _write_people(library, board)
        library.people.replace_marks(board.marks)
        if undone is not None:
            _restore(library, board, undone)
        touched |= {mark.memory_id for mark in library.people.marks()}
        touched |= {face.memory_id for face in library.people.faces() if face.by_person}
        apply_marks(library, sorted(touched))
        library.people.remove_empty()
        after = effective_names(library)
        changed = [each for each in sorted({*before, *after}) if before.get(each) != after.get(each)]
        show_names(library, changed)
        Relations(library).show()


def _write_people(library: Library, board: Board) -> None:
    known = {person.id: person for person in library.people.all()}
    without_word = [person for person in known.values() if person.said and person.id not in board.people]
    library.people.put(Person(id=person.id) for person in without_word)
    library.people.put(replace(person, said=True) for person in board.people.values())
    for gone in board.merged:
        library.people.take_faces(gone, board.id_of(gone))
    library.people.remove([gone for gone in board.merged if board.id_of(gone) != gone])


def _restore(library: Library, board: Board, undone: Correction) -> None:
    """Faces about which nothing stands any more are whose they were before the correction."""
    said = read_places(unpacked(undone.before))
    faces = _by_memory(library.people.faces(memory_ids=sorted({memory_id for memory_id, _, _ in said})))
    restored = []
    for memory_id, box, place in said:
        person_id = board.id_of(str(place.get("person", "")))
        for face in faces.get(memory_id, ()):
            if is_same_place(face.box, box):
                likeness = float(place.get("likeness", 0.0))
                restored.append(replace(face, person_id=person_id or None, likeness=likeness, by_person=False))
    known = {person.id for person in library.people.all()}
    library.people.put(Person(id=each) for each in sorted({face.person_id or "" for face in restored} - known - {""}))
    library.people.assign(restored)


def _by_memory(faces: Iterable[Face]) -> Mapping[str, list[Face]]:
    found: dict[str, list[Face]] = {}
    for face in faces:
        found.setdefault(face.memory_id, []).append(face)
    return found
