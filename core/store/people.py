"""People, their groups, the faces found in memories, and what the person said about places in pictures."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import RequestError
from core.records import FaceFound
from core.records.people import Box, Face, FaceMark, Person, PersonKind, Verdict, overlap
from core.store import rows
from core.store.database import Database
from core.text_keys import printable, text_key

FACES_ON = "faces"
"""The note of libraries made before `recognise_faces` was a setting that says `yes` when the person wants it."""
RELEASED = "faces_released"
"""The note of people (JSON ids) whose unconfirmed faces have to find their place again: one of them was somebody else's."""
_SAME_PLACE = 0.4
"""Two boxes that share this much of their area are one face: detectors draw them of different sizes."""
_AMONG = "IN (SELECT value FROM json_each(?))"


class PeopleStore:
    """Reads and writes people and faces. What the person said is replayed into here from the corrections."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # people

    def all(self) -> list[Person]:
        """Everybody with a face, a name or a word of the person: favourites, then those with most memories, first."""
        groups = self._groups()
        sql = (
            "SELECT p.*, count(s.memory_id) AS memories, sum(coalesce(s.faces, 0)) AS faces, min(m.day) AS first, max(m.day) AS last "
            "FROM people p LEFT JOIN ("
            "SELECT person_id, memory_id, sum(faces) AS faces FROM ("
            "SELECT person_id, memory_id, 1 AS faces FROM faces WHERE person_id IS NOT NULL UNION ALL "
            "SELECT person_id, memory_id, 0 FROM face_marks WHERE verdict='is') GROUP BY 1, 2) s ON s.person_id=p.id "
            "LEFT JOIN memories m ON m.id=s.memory_id AND m.forgotten=0 "
            "GROUP BY p.id ORDER BY p.favourite DESC, p.name='', memories DESC, p.id"
        )
        found = [_person(row, groups[row["id"]]) for row in self._database.read().execute(sql)]
        return [person for person in found if person.said or person.faces]

    def get(self, name: str) -> Person:
        """Somebody by id, the beginning of it, or name.

        Raises:
            RequestError: nobody, or several people, are meant.
        """
        everybody = self.all()
        key = text_key(name)
        found = [person for person in everybody if person.id == name]
        found = found or [person for person in everybody if key and text_key(person.name) == key]
        if not found and len(name) >= 4:
            found = [person for person in everybody if person.id.startswith(name.lower())]
        if len(found) == 1:
            return found[0]
        what = f"Several people are called {name!r}." if found else f"There is nobody {name!r}."
        raise RequestError(what, "`madeleine people list` prints names and ids.")

    def groups(self) -> dict[str, tuple[str, ...]]:
        """The names of the members of each group, as the person called it last."""
        rows_found = self._database.read().execute(
            "SELECT g.key, g.name AS label, p.name FROM people_groups g JOIN people p ON p.id=g.person_id "
            "WHERE p.name<>'' ORDER BY g.key, p.favourite DESC, p.name"
        )
        labels: dict[str, str] = {}
        members: dict[str, list[str]] = defaultdict(list)
        for row in rows_found:
            labels[row["key"]] = row["label"]
            members[row["key"]].append(row["name"])
        return {labels[key]: tuple(names) for key, names in members.items()}

    def put(self, people: Iterable[Person]) -> None:
        """Add or replace these, with their groups."""
        with self._database.write() as connection:
            for person in people:
                connection.execute(
                    "INSERT INTO people (id, name, kind, favourite, said) VALUES (?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET "
                    "name=excluded.name, kind=excluded.kind, favourite=excluded.favourite, said=excluded.said",
                    (person.id, printable(person.name), person.kind, person.favourite, person.said),
                )
                connection.execute("DELETE FROM people_groups WHERE person_id=?", (person.id,))
                connection.executemany(
                    "INSERT OR IGNORE INTO people_groups VALUES (?,?,?)",
                    [(person.id, text_key(group), printable(group)) for group in person.groups],
                )

    def remove(self, person_ids: Sequence[str]) -> None:
        """Remove people; their faces are nobody's."""
        with self._database.write() as connection:
            connection.execute(f"DELETE FROM people WHERE id {_AMONG}", (json.dumps(list(person_ids)),))

    def remove_empty(self) -> None:
        """Remove groups that have no face any more and about which the person said nothing."""
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM people WHERE said=0 AND NOT EXISTS (SELECT 1 FROM faces f WHERE f.person_id=people.id)"
            )

    # faces

    def put_faces(self, memory_id: str, space: str, found: Sequence[FaceFound]) -> None:
        """Replace the faces of a memory; a face at the place of a known one stays that person's, whatever found it.

        Args:
            found: with boxes as parts of the picture.
        """
        known = self.faces(memory_ids=[memory_id])
        with self._database.write() as connection:
            connection.execute("DELETE FROM faces WHERE memory_id=?", (memory_id,))
            for face in found:
                at = max(known, key=lambda each: overlap(each.box, face.box), default=None)
                same = at if at is not None and overlap(at.box, face.box) >= _SAME_PLACE else None
                if same is not None:
                    known.remove(same)
                connection.execute(
                    "INSERT INTO faces VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                    (same.id if same else rows.new_id(), memory_id, *face.box, face.confidence, space,
                     np.asarray(face.embedding, dtype="<f4").tobytes(), same.person_id if same else None,
                     same.likeness if same else 0.0, same.by_person if same else False),
                )  # fmt: skip

    def add_faces(self, memory_id: str, space: str, found: Sequence[FaceFound]) -> None:
        """Add faces that came with an import to a memory in which none were found here, or not these."""
        known = self.faces(memory_ids=[memory_id])
        if any(face.space != space for face in known):
            return
        with self._database.write() as connection:
            for face in found:
                if all(overlap(each.box, face.box) < _SAME_PLACE for each in known):
                    connection.execute(
                        "INSERT INTO faces (id, memory_id, x0, y0, x1, y1, confidence, space, vector) VALUES (?,?,?,?,?,?,?,?,?)",
                        (rows.new_id(), memory_id, *face.box, face.confidence, space,
                         np.asarray(face.embedding, dtype="<f4").tobytes()),
                    )  # fmt: skip

    def faces(
        self, *, person_id: str | None = None, memory_ids: Sequence[str] | None = None, loose: bool = False
    ) -> list[Face]:
        """Faces, oldest memory first: all, or those of a person, of memories, or of nobody (`loose`)."""
        where, values = ["m.forgotten=0"], []
        if person_id is not None:
            where.append("f.person_id=?")
            values.append(person_id)
        if memory_ids is not None:
            where.append(f"f.memory_id {_AMONG}")
            values.append(json.dumps(list(memory_ids)))
        if loose:
            where.append("f.person_id IS NULL")
        sql = (
            f"SELECT f.* FROM faces f JOIN memories m ON m.id=f.memory_id WHERE {' AND '.join(where)} "
            "ORDER BY m.wall IS NULL, m.wall, m.seq, f.x0"
        )
        return [_face(row) for row in self._database.read().execute(sql, values)]

    def face(self, face_id: str) -> Face:
        """A face by id or the beginning of it.

        Raises:
            RequestError: there is none, or several.
        """
        cursor = self._database.read().execute(
            "SELECT * FROM faces WHERE substr(id, 1, length(?1))=?1 AND length(?1)>=4 LIMIT 2", (face_id.lower(),)
        )
        found = cursor.fetchall()
        if len(found) != 1:
            raise RequestError(
                f"There is no face {face_id!r}.", "`madeleine people show NAME` prints the ids of faces."
            )
        return _face(found[0])

    def vectors(self, face_ids: Sequence[str] | None = None) -> dict[str, NDArray[np.float32]]:
        """The embeddings of faces by id, of all or of these."""
        sql, values = "SELECT id, vector FROM faces", tuple[str, ...]()
        if face_ids is not None:
            sql, values = f"{sql} WHERE id {_AMONG}", (json.dumps(list(face_ids)),)
        cursor = self._database.read().execute(sql, values)
        return {row["id"]: np.frombuffer(row["vector"], dtype="<f4") for row in cursor}

    def assign(self, faces: Iterable[Face]) -> None:
        """Store whose these faces are."""
        with self._database.write() as connection:
            connection.executemany(
                "UPDATE faces SET person_id=?, likeness=?, by_person=? WHERE id=?",
                [(face.person_id, face.likeness, face.by_person, face.id) for face in faces],
            )

    def take_faces(self, from_id: str, to_id: str) -> None:
        """Give every face of one person to another."""
        with self._database.write() as connection:
            connection.execute("UPDATE faces SET person_id=? WHERE person_id=?", (to_id, from_id))

    def remove_faces(self, face_ids: Iterable[str]) -> None:
        """Remove faces with their vectors."""
        with self._database.write() as connection:
            connection.executemany("DELETE FROM faces WHERE id=?", [(each,) for each in face_ids])

    # what the person said

    def marks(self, memory_ids: Sequence[str] | None = None) -> list[FaceMark]:
        """The person's word about places in pictures, of all memories or of these."""
        sql, values = "SELECT * FROM face_marks", tuple[str, ...]()
        if memory_ids is not None:
            sql, values = f"{sql} WHERE memory_id {_AMONG}", (json.dumps(list(memory_ids)),)
        return [
            FaceMark(row["memory_id"], _box(row), Verdict(row["verdict"]), row["person_id"] or "")
            for row in self._database.read().execute(f"{sql} ORDER BY seq", values)
        ]

    def replace_marks(self, marks: Iterable[FaceMark]) -> None:
        """Make these the person's word; marks in memories that are not there are left out."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM face_marks")
            for mark in marks:
                box = mark.box or (None, None, None, None)
                connection.execute(
                    "INSERT INTO face_marks (memory_id, x0, y0, x1, y1, verdict, person_id) SELECT id, ?,?,?,?,?,? FROM memories "
                    "WHERE id=? AND forgotten=0",
                    (*box, mark.verdict, mark.person_id or None, mark.memory_id),
                )

    def forget_faces(self) -> list[str]:
        """Remove every face, person, group and mark; returns the memories that had any."""
        with self._database.write() as connection:
            touched = connection.execute(
                "SELECT memory_id FROM faces UNION SELECT memory_id FROM face_marks"
            ).fetchall()
            for table in ("face_marks", "faces", "people_groups", "people"):
                connection.execute(f"DELETE FROM {table}")
        return [row["memory_id"] for row in touched]

    def _groups(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for row in self._database.read().execute("SELECT person_id, name FROM people_groups ORDER BY key"):
            found[row["person_id"]].append(row["name"])
        return defaultdict(tuple, {person_id: tuple(names) for person_id, names in found.items()})


def is_same_place(one: Box | None, other: Box | None) -> bool:
    """Whether two boxes of one picture are about the same face; None is the whole memory and only itself."""
    if one is None or other is None:
        return one is other
    return overlap(one, other) >= _SAME_PLACE


def _person(row: sqlite3.Row, groups: tuple[str, ...]) -> Person:
    return Person(
        id=row["id"],
        name=row["name"],
        kind=PersonKind(row["kind"]),
        favourite=bool(row["favourite"]),
        groups=groups,
        said=bool(row["said"]),
        faces=row["faces"] or 0,
        memories=row["memories"],
        first_day=rows.day_of(row["first"]),
        last_day=rows.day_of(row["last"]),
    )


def _face(row: sqlite3.Row) -> Face:
    return Face(
        id=row["id"],
        memory_id=row["memory_id"],
        box=(row["x0"], row["y0"], row["x1"], row["y1"]),
        confidence=row["confidence"],
        space=row["space"],
        person_id=row["person_id"],
        likeness=row["likeness"],
        by_person=bool(row["by_person"]),
    )


def _box(row: sqlite3.Row) -> Box | None:
    return None if row["x0"] is None else (row["x0"], row["y0"], row["x1"], row["y1"])
