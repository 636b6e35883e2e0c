"""What is wrong in the tables of people and faces, and how is it mended? What the person said stands in the corrections and stays."""

from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np

from core.records import Stage
from core.store.library import Library

_GONE_MEMORY = "memory_id NOT IN (SELECT id FROM memories WHERE forgotten=0)"
_GONE_PERSON = "person_id IS NOT NULL AND person_id NOT IN (SELECT id FROM people)"
_LEFT_OVER = (
    ("faces of memories that are gone", "faces", _GONE_MEMORY),
    ("words about faces in memories that are gone", "face_marks", _GONE_MEMORY),
    ("words about people who are gone", "face_marks", _GONE_PERSON),
    ("groups of people who are gone", "people_groups", _GONE_PERSON),
)
_UNIT = 0.01


def people_faults(library: Library) -> list[str]:
    """Each fault in words; empty when there is none."""
    connection = library.database.read()
    counts = {
        what: connection.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0]
        for what, table, where in (*_LEFT_OVER, ("faces of people who are gone", "faces", _GONE_PERSON))
    }
    counts["faces without a vector that can be compared"] = len(_broken_vectors(library))
    return [f"{what[0].upper()}{what[1:]}: {count}" for what, count in counts.items() if count]


def mend_people(library: Library) -> list[str]:
    """Take away what points at nothing; pictures whose faces cannot be compared are looked at again. Returns what was done."""
    done = []
    with library.database.write() as connection:
        for what, table, where in _LEFT_OVER:
            if removed := connection.execute(f"DELETE FROM {table} WHERE {where}").rowcount:
                done.append(f"Removed {what}: {removed}")
        released = f"UPDATE faces SET person_id=NULL, likeness=0, by_person=0 WHERE {_GONE_PERSON}"
        if freed := connection.execute(released).rowcount:
            done.append(f"Faces of people who are gone that are nobody's now: {freed}")
        if broken := _broken_vectors(library):
            library.people.remove_faces(broken)
            library.stages.reset(Stage.FACES, sorted(set(broken.values())))
            done.append(f"Removed faces without a vector, to be found again by `madeleine process`: {len(broken)}")
    return done


def _broken_vectors(library: Library) -> Mapping[str, str]:
    """Memories by ids of faces whose vector is missing, no vector of unit length, or of another length than its model's others."""
    sizes: dict[str, Counter[int]] = defaultdict(Counter)
    broken: dict[str, str] = {}
    held: dict[str, tuple[str, str, int]] = {}
    for row in library.database.read().execute("SELECT id, memory_id, space, vector FROM faces"):
        if not _is_unit(row["vector"]):
            broken[row["id"]] = row["memory_id"]
        else:
            sizes[row["space"]][len(row["vector"])] += 1
            held[row["id"]] = row["memory_id"], row["space"], len(row["vector"])
    usual = {space: counts.most_common(1)[0][0] for space, counts in sizes.items()}
    return broken | {face: memory for face, (memory, space, size) in held.items() if size != usual[space]}


def _is_unit(vector: bytes) -> bool:
    if not vector or len(vector) % 4:
        return False
    return bool(abs(float(np.linalg.norm(np.frombuffer(vector, dtype="<f4"))) - 1.0) < _UNIT)
