"""What do faces and the person's word about them say of a memory? Applies the marks to the faces and writes the names.

Both the finding of faces and the person's corrections end here, so that a name is always a person context with its reason.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.records import AtomicContext, ContextKind, Origin, Provenance, Stage
from core.records.people import Box, Face, FaceMark, Person, Verdict
from core.store.library import Library
from core.store.people import is_same_place

VERSION = "faces/1"
"""Marks the contexts that come from faces, whatever model found them."""
_FROM_NAMES = (Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)
_SAID = Provenance("person:faces", prompt_version=VERSION)


def apply_marks(library: Library, memory_ids: Sequence[str]) -> None:
    """Let the faces of these memories be whose the person said, also faces that were found only now."""
    marks = _by_memory(library.people.marks(memory_ids))
    changed = []
    faces = defaultdict(list)
    for face in library.people.faces(memory_ids=memory_ids):
        faces[face.memory_id].append(face)
    for memory_id, found in faces.items():
        for before in found:
            after = _as_said(before, marks[memory_id])
            if after != before:
                changed.append(after)
    library.people.assign(changed)


def is_face(box: Box, marks: Iterable[FaceMark]) -> bool:
    """Whether nobody said that there is no face here, or that it must not be recognised."""
    verdicts = [mark.verdict for mark in marks if is_same_place(mark.box, box)]
    return not verdicts or verdicts[-1] not in (Verdict.NO_FACE, Verdict.FORGOTTEN)


def is_forgotten(box: Box, marks: Iterable[FaceMark]) -> bool:
    """Whether the person told us to forget whose face is here."""
    verdicts = [mark.verdict for mark in marks if is_same_place(mark.box, box)]
    return bool(verdicts) and verdicts[-1] is Verdict.FORGOTTEN


def not_of(face: Face, marks: Iterable[FaceMark]) -> frozenset[str]:
    """The people that the person said this face is not of."""
    here = [mark for mark in marks if mark.verdict is Verdict.NOT and is_same_place(mark.box, face.box)]
    return frozenset(mark.person_id for mark in here)


def show_names(library: Library, memory_ids: Sequence[str]) -> list[str]:
    """Write the names of the people in these memories; returns those where something changed.

    What is made of names (caption, contexts, vectors) is due again there, and events and facts of them are stale.
    """
    named = {person.id: person for person in library.people.all() if person.name}
    faces = defaultdict(list)
    for face in library.people.faces(memory_ids=memory_ids):
        faces[face.memory_id].append(face)
    marks = _by_memory(library.people.marks(memory_ids))
    changed = []
    for memory_id in memory_ids:
        wanted = _contexts(faces[memory_id], marks[memory_id], named)
        shown = [each for each in library.memories.contexts(memory_id) if _is_ours(each)]
        if _said_by(wanted) == _said_by(shown):
            continue
        makers = {each.provenance.made_by for each in (*wanted, *shown) if each.provenance}
        with library.memories.edit(memory_id) as editing:
            for maker in makers:
                kept = [each for each in wanted if each.provenance and each.provenance.made_by == maker]
                editing.set_contexts(Origin.MODEL, kept, made_by=maker)
        changed.append(memory_id)
    for stage in _FROM_NAMES:
        library.stages.reset(stage, changed)
    library.events.mark_stale(changed)
    return changed


def effective_names(library: Library) -> dict[str, frozenset[tuple[str, str, float]]]:
    """Who is in each memory, by faces and the person's word: id, name and how sure; what changed shows in a comparison."""
    names = {person.id: person.name for person in library.people.all()}
    found: dict[str, set[tuple[str, str, float]]] = defaultdict(set)
    for face in library.people.faces():
        if face.person_id is not None:
            found[face.memory_id].add((face.person_id, names.get(face.person_id, ""), face.likeness))
    for mark in library.people.marks():
        if mark.verdict is Verdict.IS:
            found[mark.memory_id].add((mark.person_id, names.get(mark.person_id, ""), 1.0))
    return {memory_id: frozenset(who) for memory_id, who in found.items()}


def _as_said(face: Face, marks: Sequence[FaceMark]) -> Face:
    """The face with the owner that the last mark at its place gives or takes."""
    here = [mark for mark in marks if is_same_place(mark.box, face.box)]
    owners = [mark.person_id for mark in here if mark.verdict is Verdict.IS]
    if owners:
        return replace(face, person_id=owners[-1], likeness=1.0, by_person=True)
    is_nobodys = not is_face(face.box, here) or face.person_id in not_of(face, here)
    if is_nobodys:
        return replace(face, person_id=None, likeness=0.0, by_person=False)
    return replace(face, by_person=False)


def _contexts(faces: Sequence[Face], marks: Sequence[FaceMark], named: dict[str, Person]) -> list[AtomicContext]:
    """One context a person: by the person's word where there is one, else by the surest face."""
    said = {mark.person_id for mark in marks if mark.verdict is Verdict.IS}
    found = {
        person_id: AtomicContext(
            ContextKind.PERSON, named[person_id].name, 1.0, Origin.MODEL, "You said who this is.", _SAID
        )
        for person_id in sorted(said)
        if person_id in named
    }
    for face in sorted(faces, key=lambda each: -each.likeness):
        if face.person_id in named and face.person_id not in found:
            model, _, revision = face.space.partition("@")
            found[face.person_id] = AtomicContext(
                ContextKind.PERSON,
                named[face.person_id].name,
                face.likeness,
                Origin.MODEL,
                f"The face looks like {named[face.person_id].name}'s.",
                Provenance(model, revision, VERSION),
            )
    return list(found.values())


def _is_ours(context: AtomicContext) -> bool:
    return context.provenance is not None and context.provenance.prompt_version == VERSION


def _said_by(contexts: Iterable[AtomicContext]) -> set[tuple[str, float, str, str]]:
    return {
        (each.value, each.confidence, each.provenance.made_by, each.provenance.model_revision)
        for each in contexts
        if each.provenance
    }


def _by_memory(marks: Iterable[FaceMark]) -> dict[str, list[FaceMark]]:
    found: dict[str, list[FaceMark]] = defaultdict(list)
    for mark in marks:
        found[mark.memory_id].append(mark)
    return found
