"""Who is who, by everything the person said? Replays the standing corrections about people, oldest first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from core.augment.snapshots import Fields, unpacked
from core.records import Correction
from core.records.people import Box, Face, FaceMark, Person, PersonKind, Verdict
from core.store.people import is_same_place
from core.text_keys import printable, text_key

PERSON = "person"
"""The target kind of corrections about people."""
ACTIONS = frozenset(
    {"name", "assign", "split", "merge", "not_this", "not_a_face", "group", "ungroup", "favourite", "kind", "import", "forget"}
)  # fmt: skip
_DIGITS = 5


@dataclass(slots=True)
class Board:
    """What follows from the corrections.

    Attributes:
        merged: ids of people who are another one now.
        marks: the last word about each place stands after the earlier ones.
    """

    people: dict[str, Person] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    marks: list[FaceMark] = field(default_factory=list)

    def id_of(self, person_id: str) -> str:
        """Who somebody is after every merge."""
        seen: set[str] = set()
        while person_id in self.merged and person_id not in seen:
            seen.add(person_id)
            person_id = self.merged[person_id]
        return person_id


def board_of(corrections: Iterable[Correction]) -> Board:
    """Replay corrections about people.

    Raises:
        KeyError, ValueError, TypeError: one of them holds something else than its action needs.
    """
    board = Board()
    for correction in corrections:
        if correction.action not in ACTIONS:
            raise ValueError(correction.action)
        _replay(board, correction, unpacked(correction.after))
    board.marks = [replace(mark, person_id=board.id_of(mark.person_id)) for mark in board.marks]
    return board


def places(faces: Iterable[Face]) -> list[Fields]:
    """Faces as a correction remembers them: where they are, and whose they were."""
    return [
        {
            "memory": face.memory_id,
            "box": [round(edge, _DIGITS) for edge in face.box],
            "person": face.person_id or "",
            "likeness": face.likeness,
        }
        for face in faces
    ]


def read_places(fields: Fields) -> list[tuple[str, Box | None, Fields]]:
    """The places a correction is about: memory, box (None: the whole memory), and the rest of what it remembers.

    Raises:
        KeyError, ValueError, TypeError: they are no places.
    """
    found = []
    for place in fields.get("faces", ()):
        box = place["box"]
        if not isinstance(place["memory"], str):
            raise TypeError("memory")
        found.append((place["memory"], None if box is None else _box(box), place))
    return found


def _box(edges: Sequence[float]) -> Box:
    left, top, right, bottom = (float(edge) for edge in edges)
    if not (left < right and top < bottom):
        raise ValueError("box")
    return left, top, right, bottom


def _replay(board: Board, correction: Correction, after: Fields) -> None:
    action, target = correction.action, board.id_of(correction.target_id)
    if action == "not_a_face":
        _mark(board, after, Verdict.NO_FACE, "")
    elif action == "forget":
        board.people.pop(target, None)
        board.marks = [mark for mark in board.marks if board.id_of(mark.person_id) != target]
        _mark(board, after, Verdict.FORGOTTEN, "")
    elif action == "merge":
        _merge(board, target, board.id_of(after["other_id"]))
    else:
        person = board.people.get(target, Person(id=target, said=True))
        board.people[target] = _changed(person, action, after)
        _mark(board, after, Verdict.NOT if action == "not_this" else Verdict.IS, target)


def _changed(person: Person, action: str, after: Fields) -> Person:
    if action in ("name", "split"):
        return replace(person, name=_name(after["name"]))
    if action == "favourite":
        return replace(person, favourite=after["favourite"] is True)
    if action == "kind":
        return replace(person, kind=PersonKind(after["kind"]))
    if action in ("group", "ungroup"):
        group = _name(after["group"])
        others = [each for each in person.groups if text_key(each) != text_key(group)]
        return replace(person, groups=(*others, group) if action == "group" else tuple(others))
    if action == "import":
        return replace(
            person,
            name=_name(after["name"]),
            kind=PersonKind(after["kind"]),
            favourite=after["favourite"] is True,
            groups=tuple(_name(group) for group in after["groups"]),
        )
    return person


def _merge(board: Board, kept: str, gone: str) -> None:
    if kept == gone:
        return
    board.merged[gone] = kept
    one, other = board.people.get(kept, Person(id=kept, said=True)), board.people.pop(gone, Person(id=gone))
    keys = {text_key(group) for group in one.groups}
    board.people[kept] = replace(
        one,
        name=one.name or other.name,
        favourite=one.favourite or other.favourite,
        groups=(*one.groups, *(group for group in other.groups if text_key(group) not in keys)),
    )


def _mark(board: Board, after: Fields, verdict: Verdict, person_id: str) -> None:
    """Put the newest word about each place last, and take away what it contradicts."""
    for memory_id, box, _ in read_places(after):
        board.marks = [
            mark
            for mark in board.marks
            if mark.memory_id != memory_id
            or not is_same_place(mark.box, box)
            or not _contradicts(board, mark, verdict, person_id)
        ]
        board.marks.append(FaceMark(memory_id, box, verdict, person_id))


def _contradicts(board: Board, mark: FaceMark, verdict: Verdict, person_id: str) -> bool:
    is_same_person = board.id_of(mark.person_id) == person_id
    if verdict is Verdict.NOT:
        return mark.verdict is Verdict.IS and is_same_person
    if verdict is Verdict.IS and mark.verdict is Verdict.NOT:
        return is_same_person
    if verdict is Verdict.IS and mark.box is None:
        return is_same_person  # several pets may be in one picture
    return True


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("name")
    return printable(value)
