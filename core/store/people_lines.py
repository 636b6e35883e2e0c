"""How people travel in `X.people.jsonl`: names, groups, and examples of their faces with the embeddings."""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.records import Correction, FaceFound
from core.records.people import Box, Person, PersonKind
from core.store.json_lines import BadLineError
from core.store.library import Library
from core.store.portraits import portraits
from core.store.sibling_lines import Named
from core.text_keys import text_key

_EXAMPLES = 24
_DIGITS = 5
_MOST_DIMENSIONS = 4_096


@dataclass(frozen=True, slots=True)
class Example:
    """A face by which somebody is known; its box in parts of the picture."""

    memory_id: str
    space: str
    face: FaceFound


def people_lines(library: Library, public: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """One line for everybody with a name or a word of the person, the owner marked; groups without a name stay here."""
    owner = library.stages.note("owner")
    people = [person for person in library.people.all() if person.said]
    if owner and text_key(owner) not in {text_key(person.name) for person in people}:
        yield {"name": owner, "is_owner": True}
    for person in people:
        yield {
            "id": person.id,
            "name": person.name,
            "is_owner": bool(owner) and text_key(person.name) == text_key(owner),
            "kind": person.kind.value,
            "favourite": person.favourite,
            "groups": list(person.groups),
            "examples": list(_examples(library, person, public)),
        }


def read_person_line(line: Named, memory_ids: Mapping[str, str]) -> tuple[Correction | None, list[Example]]:
    """The word that brings somebody in, and their faces; no word for a line that only names the owner.

    Raises:
        BadLineError: a field does not fit.
    """
    person_id, name = line.text("id"), line.text("name")
    if not person_id:
        return None, []
    examples = [found for each in line.parts("examples") if (found := _read_example(each, memory_ids)) is not None]
    after = {
        "name": name,
        "kind": line.choice("kind", PersonKind.PERSON).value,
        "favourite": line.yes("favourite"),
        "groups": line.texts("groups"),
        "faces": [{"memory": each.memory_id, "box": list(each.face.box)} for each in examples],
    }
    word = Correction(
        # the same line read twice is the same word
        id=hashlib.sha256(f"imported person {person_id}".encode()).hexdigest()[:32],
        target_kind="person",
        target_id=person_id,
        action="import",
        after=json.dumps(after, ensure_ascii=False),
        why="It came with an import.",
    )
    return word, examples


def land_examples(library: Library, examples: list[Example]) -> None:
    """Keep faces that came with an import, in memories in which none were found here."""
    by_memory: dict[str, list[Example]] = {}
    for example in examples:
        by_memory.setdefault(example.memory_id, []).append(example)
    for memory_id, found in by_memory.items():
        library.people.add_faces(
            memory_id, found[0].space, [each.face for each in found if each.space == found[0].space]
        )


def _examples(library: Library, person: Person, public: Mapping[str, str]) -> Iterator[dict[str, object]]:
    faces = [face for face in portraits(library, person.id, _EXAMPLES) if face.memory_id in public]
    vectors = library.people.vectors([face.id for face in faces])
    for face in faces:
        yield {
            "memory": public[face.memory_id],
            "box": [round(edge, _DIGITS) for edge in face.box],
            "confidence": round(face.confidence, 3),
            "space": face.space,
            "embedding": [round(float(number), _DIGITS) for number in vectors[face.id]],
        }


def _read_example(line: Named, memory_ids: Mapping[str, str]) -> Example | None:
    """An example; None for one of a memory that is not here."""
    memory_id = memory_ids.get(line.text("memory", needed=True))
    box, embedding = line.numbers("box"), line.numbers("embedding")
    if len(box) != 4 or not (box[0] < box[2] and box[1] < box[3]):
        raise BadLineError("an example's box is none")
    if not 0 < len(embedding) <= _MOST_DIMENSIONS or not any(embedding):
        raise BadLineError("an example's embedding is none")
    length = math.sqrt(sum(number * number for number in embedding))
    place: Box = (box[0], box[1], box[2], box[3])
    face = FaceFound(place, line.number("confidence", 0.9), tuple(number / length for number in embedding))
    return Example(memory_id, line.text("space", needed=True), face) if memory_id else None
