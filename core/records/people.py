"""People and pets as the person knows them, and the faces by which they are recognised."""

import math
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

Box = tuple[float, float, float, float]
"""Left, top, right, bottom as parts (0 to 1) of the upright picture: the same for every size it is decoded at.

The frames of a video lie below one another, each one high: the picture that stands for it, then those of its scenes. So boxes of
two frames never share a place. `frame_of` and `within_frame` take them apart.
"""


class PersonKind(StrEnum):
    """Whom a name belongs to."""

    PERSON = "person"
    PET = "pet"


class Verdict(StrEnum):
    """What the person said of a place in a picture."""

    IS = "is"
    NOT = "not"
    NO_FACE = "no_face"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A face in a memory.

    Attributes:
        confidence: of the detector, 0 to 1.
        space: model and revision of the embedding; faces of two spaces are never compared.
        likeness: how sure it is that the face is that person's, 0 to 1; 1 where the person said so.
        by_person: the person said whose face it is.
    """

    id: str
    memory_id: str
    box: Box
    confidence: float = 1.0
    space: str = ""
    person_id: str | None = None
    likeness: float = 0.0
    by_person: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person or pet: named by the person, or a group of faces that waits for a name.

    Attributes:
        name: empty for a group that nobody has named yet.
        groups: such as "friends from summer school".
        said: the person has said something about them; a re-run never takes such a one away.
        faces, memories: how many.
        first_day, last_day: of the dated memories.
    """

    id: str
    name: str = ""
    kind: PersonKind = PersonKind.PERSON
    favourite: bool = False
    groups: tuple[str, ...] = ()
    said: bool = False
    faces: int = 0
    memories: int = 0
    first_day: date | None = None
    last_day: date | None = None


@dataclass(frozen=True, slots=True)
class FaceMark:
    """The person's word about a place in a picture; it outlives every detector.

    Attributes:
        box: None where the whole memory is meant (a pet, or somebody whose face is not to be seen).
        person_id: empty for `NO_FACE` and `FORGOTTEN`.
    """

    memory_id: str
    box: Box | None
    verdict: Verdict
    person_id: str = ""


def frame_of(box: Box) -> int:
    """Which frame of a video a box lies in; 0 is the picture that stands for it, and any other picture."""
    return max(0, math.floor((box[1] + box[3]) / 2))


def within_frame(box: Box) -> Box:
    """A box in parts of its own frame."""
    return in_frame(box, -frame_of(box))


def in_frame(box: Box, frame: int) -> Box:
    """A box in parts of a picture as it lies among the frames of a video."""
    return box[0], box[1] + frame, box[2], box[3] + frame


def overlap(one: Box, other: Box) -> float:
    """The share of the area of two boxes that they have in common, 0 to 1."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return common / (areas - common)
