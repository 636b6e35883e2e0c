"""Does the doctor see what points at nothing among people and faces, mend it, and leave what the person said?"""

import sqlite3
from contextlib import closing

import pytest

from core.augment.people import People
from core.paths import Home
from core.records import FaceFound, MemoryKind, Stage
from core.store.doctor import examine, repair
from core.store.exact_index import ExactIndexes
from core.store.library import open_library

DAMAGE = {
    "Faces of memories that are gone: 1": "UPDATE memories SET forgotten=1 WHERE id='TWO'",
    "Words about faces in memories that are gone: 1": "INSERT INTO face_marks (memory_id, verdict) VALUES ('x', 'no_face')",
    "Words about people who are gone: 1": (
        "INSERT INTO face_marks (memory_id, verdict, person_id) VALUES ('ONE', 'is', 'nobody')"
    ),
    "Groups of people who are gone: 1": "INSERT INTO people_groups VALUES ('nobody', 'friends', 'Friends')",
    "Faces of people who are gone: 1": "UPDATE faces SET person_id='nobody' WHERE memory_id='TWO'",
    "Faces without a vector that can be compared: 1": "UPDATE faces SET vector=x'00' WHERE memory_id='TWO'",
    "Faces without a vector that can be compared: 2": "UPDATE faces SET vector=zeroblob(32) WHERE memory_id<>'ONE'",
    "Faces without a vector that can be compared: 1, too short": (
        "UPDATE faces SET vector=x'0000803f' WHERE memory_id='TWO'"
    ),
    "Faces without a vector that can be compared: 1, no number": (
        "UPDATE faces SET vector=x'0000c07f00000000' WHERE memory_id='TWO'"
    ),
}


@pytest.fixture
def ids(home: Home) -> dict[str, str]:
    """Three memories with a face each; the person named that of the first, and put her into a group."""
    library = open_library(home, ExactIndexes())
    found = {}
    for number, word in enumerate(("ONE", "TWO", "THREE")):
        found[word] = library.memories.create(kind=MemoryKind.PHOTO, file_name=f"{word}.jpg", content_key=None)
        face = FaceFound((0.1, 0.1, 0.3, 0.4), 0.9, (0.6, 0.8) if number else (1.0, 0.0))
        library.people.put_faces(found[word], "fake@1", [face])
        with library.memories.edit(found[word]) as editing:
            editing.stage(Stage.FACES, "fake@1/2", "done", "")
    people = People(library)
    people.split("", library.people.faces(memory_ids=[found["ONE"]]), "Anna")
    people.put_in_group("Anna", "Friends from school")
    library.close()
    return found


@pytest.mark.parametrize("fault", DAMAGE)
def test_what_points_at_nothing_is_told_and_taken_away(home: Home, ids: dict[str, str], fault: str) -> None:
    statement = DAMAGE[fault]
    for word, memory_id in ids.items():
        statement = statement.replace(f"'{word}'", f"'{memory_id}'")
    with closing(sqlite3.connect(home.database)) as connection, connection:
        connection.execute(statement)
    library = open_library(home, ExactIndexes())
    try:
        said = [finding.what for finding in examine(library)]
        assert f"{fault.partition(',')[0]}." in said
        assert repair(library)
        assert examine(library) == []
        anna = library.people.get("Anna")
        assert (anna.faces, anna.groups) == (1, ("Friends from school",))
        if "vector" in fault:
            assert ids["TWO"] in library.stages.due(Stage.FACES, "fake@1/2")
    finally:
        library.close()


def test_people_who_are_well_are_left_alone(home: Home, ids: dict[str, str]) -> None:
    library = open_library(home, ExactIndexes())
    assert examine(library) == []
    repair(library)
    assert len(library.people.faces()) == 3
    library.close()
