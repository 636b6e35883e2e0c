"""Finds the faces of a memory, and then, over the whole library, whose they are."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from core.capture import face_groups
from core.capture.face_groups import GroupFace
from core.capture.stage_results import NOTHING, StageResult, Subject, Work
from core.errors import JobCancelled
from core.ports import Faces, Pixels
from core.records import CapturedMemory, FaceFound, MemoryKind, Progress, Stage
from core.records.people import Face, FaceMark, Person, frame_of, in_frame
from core.store import rows
from core.store.face_names import apply_marks, is_face, is_forgotten, not_of, show_names
from core.store.library import Library
from core.store.memory_edit import MemoryEdit
from core.store.people import RELEASED

FACE_EDGE = 1280
MOST_SCENES = 6
"""Frames of a video that are looked at beside the picture that stands for it: 0.1 s each with the fast detector."""
_PICTURES = frozenset({MemoryKind.PHOTO, MemoryKind.VIDEO})
"""Not screenshots and scans: the faces on them are other people's profiles and stamps."""
_KEY_NOTE = "faces_grouped"
_BATCH = 200
_YEAR_DAYS = 365.25


def faces_key(work: Work) -> str | None:
    """Model, revision and version; None while the person has not turned faces on, or there is no model for them."""
    model = work.models.faces
    if model is None or not work.with_faces():
        return None
    return f"{space_of(model)}/2"


def space_of(model: Faces) -> str:
    """The embedding space of a model: only vectors of one are compared."""
    return f"{model.model_id}@{model.revision}"


def find_faces(work: Work, subject: Subject) -> StageResult:
    """The faces in the picture, or in the scenes of a video, each person once; their boxes as parts of the upright picture."""
    model, memory = work.models.faces, subject.memory
    if model is None or memory.kind not in _PICTURES:
        return NOTHING
    _make_sure_it_is_on(work)
    likely = _people_are_likely(work.library, memory)
    found: list[FaceFound] = []
    for frame, picture in enumerate(_pictures(work, subject)):
        if work.interrupted():
            raise JobCancelled
        faces = model.find(picture, likely=likely and frame == 0)  # looking longer takes seconds a picture
        found += _new(found, [_in_parts(face, picture, frame) for face in faces], model.same_at)

    _make_sure_it_is_on(work)  # else what was forgotten while the model looked would be back

    def write(editing: MemoryEdit) -> None:
        said = work.library.people.marks([editing.memory_id])
        kept = [
            face for face in found if not is_forgotten(face.box, said)
        ]  # of what is forgotten not even a vector is kept
        work.library.people.put_faces(editing.memory_id, space_of(model), kept)
        apply_marks(work.library, [editing.memory_id])

    return StageResult(write, "done" if found else "nothing")


def _pictures(work: Work, subject: Subject) -> tuple[Pixels, ...]:
    """What is looked at: the picture, and of a video also a frame of each of its longest scenes."""
    picture = work.decoder.picture(subject.path, FACE_EDGE)
    if subject.memory.kind is not MemoryKind.VIDEO:
        return (picture,)
    return (picture, *work.decoder.frames(subject.path, FACE_EDGE, MOST_SCENES))


def _in_parts(face: FaceFound, picture: Pixels, frame: int) -> FaceFound:
    height, width = picture.shape[:2]
    left, top, right, bottom = face.box
    return replace(face, box=in_frame((left / width, top / height, right / width, bottom / height), frame))


def _new(known: Sequence[FaceFound], faces: Sequence[FaceFound], same_at: float) -> list[FaceFound]:
    """The faces of a frame that no frame before it showed; each face seen before is one face of this frame at most."""
    if not known or not faces:
        return list(faces)
    alike = np.array([face.embedding for face in faces]) @ np.array([face.embedding for face in known]).T
    seen = set()
    while alike.max() >= same_at:
        face, before = np.unravel_index(alike.argmax(), alike.shape)
        seen.add(int(face))
        alike[face], alike[:, before] = -1.0, -1.0
    return [face for number, face in enumerate(faces) if number not in seen]


def _make_sure_it_is_on(work: Work) -> None:
    """The person may turn faces off in the middle of a run.

    Raises:
        JobCancelled: they did.
    """
    if not work.with_faces():
        raise JobCancelled


def _people_are_likely(library: Library, memory: CapturedMemory) -> bool:
    """Somebody is named in it, the person loves it, or a shot of the same scene has faces."""
    if memory.people or memory.favourite:
        return True
    stands_for_it = memory.representative_id
    return stands_for_it is not None and bool(library.people.faces(memory_ids=[stands_for_it]))


def group_faces(work: Work) -> Iterator[Progress]:
    """Let new faces join the people they belong to, or each other; the names of those that did are written."""
    library, model = work.library, work.models.faces
    if faces_key(work) is None or model is None:
        return
    yield Progress(Stage.FACES, 0, 1)  # before anything is read: what the person says here must not meet old faces
    _make_sure_it_is_on(work)
    faces = [face for face in library.people.faces() if face.space == space_of(model)]
    marks = defaultdict(list)
    for mark in library.people.marks():
        marks[mark.memory_id].append(mark)
    people = library.people.all()
    key = _input_of(faces, people, [mark for each in marks.values() for mark in each], library)
    if library.stages.note(_KEY_NOTE) == key:
        return
    with library.database.write():
        _group(library, model, _released(library, faces), marks, people)
        library.stages.set_note(RELEASED, "")
    grouped = _input_now(library, model)
    touched = sorted({face.memory_id for face in library.people.faces()} | set(marks))
    for start in range(0, len(touched), _BATCH):
        with library.database.write():
            show_names(library, touched[start : start + _BATCH])
        yield Progress(Stage.FACES, min(start + _BATCH, len(touched)), len(touched))
        if work.interrupted():
            raise JobCancelled
    if _input_now(library, model) == grouped:  # else the person said something meanwhile: the next run groups again
        library.stages.set_note(_KEY_NOTE, grouped)


def _group(
    library: Library, model: Faces, faces: list[Face], marks: dict[str, list[FaceMark]], people: list[Person]
) -> None:
    faces = [face for face in faces if is_face(face.box, marks[face.memory_id])]
    taken = {each.id: each.taken.wall for each in library.memories.many(sorted({face.memory_id for face in faces}))}
    members = [
        GroupFace(
            face.id,
            f"{face.memory_id} {frame_of(face.box)}",  # the same person may be in two frames of a video
            _years(taken.get(face.memory_id)),
            face.person_id,
            not_of(face, marks[face.memory_id]),
        )
        for face in faces
    ]
    vectors = library.people.vectors([face.id for face in faces])
    matrix = np.stack([vectors[face.id] for face in faces]) if faces else np.zeros((0, 1), np.float32)
    settled = frozenset(person.id for person in people if person.said)
    joined = face_groups.grouped(members, matrix, model.same_at, settled, iter(rows.new_id, ""))
    known = {person.id for person in people}
    new = sorted({each.person_id for each in joined.values()} - known)
    library.people.put(Person(id=person_id) for person_id in new)
    library.people.assign(
        replace(face, person_id=joined[face.id].person_id, likeness=joined[face.id].likeness)
        if face.id in joined
        else face
        for face in faces
    )
    library.people.remove_empty()


def _released(library: Library, faces: list[Face]) -> list[Face]:
    """The faces, those that nobody confirmed of people who were taken apart being nobody's for now."""
    released = set(json.loads(library.stages.note(RELEASED) or "[]"))
    return [
        replace(face, person_id=None, likeness=0.0) if face.person_id in released and not face.by_person else face
        for face in faces
    ]


def _years(wall: datetime | None) -> float | None:
    return wall.toordinal() / _YEAR_DAYS if wall else None


def _input_now(library: Library, model: Faces) -> str:
    faces = [face for face in library.people.faces() if face.space == space_of(model)]
    return _input_of(faces, library.people.all(), library.people.marks(), library)


def _input_of(faces: list[Face], people: list[Person], marks: list[FaceMark], library: Library) -> str:
    """Everything that grouping reads, as one short text."""
    said = [
        face_groups.VERSION,
        [(face.id, face.person_id) for face in faces],
        [(person.id, person.name, person.said) for person in people],
        [(mark.memory_id, mark.box, mark.verdict, mark.person_id) for mark in marks],
        library.stages.note(RELEASED),
    ]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
