"""What is wrong with a library, and mending it without losing what the person said."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.counted import counted
from core.errors import StoreDamagedError
from core.paths import Home
from core.store.chroma_index import ChromaIndexes
from core.store.home_place import doubts
from core.store.library import Library, open_library
from core.store.migrations import word_indexes
from core.store.people_health import mend_people, people_faults
from core.store.reconcile import reconcile
from core.store.salvage import copied_whole
from core.store.soundness import is_lost, newest_good_backup

_REPAIR = "Run `madeleine doctor --repair`."
_INDEXES = ("memory_words", "memory_letters")
_UNFINISHED = "*.part"
_ORPHAN_VECTORS = (
    "NOT EXISTS (SELECT 1 FROM embedded e WHERE e.text_hash=vectors.text_hash AND e.model_id=vectors.model_id)"
)
_EMPTY_EVENTS = (
    "corrected=0 AND NOT EXISTS (SELECT 1 FROM event_members em WHERE em.event_id=events.id) "
    "AND NOT EXISTS (SELECT 1 FROM events child WHERE child.parent_id=events.id)"
)
_LOST_OWNERS = (
    "(kind='memory' AND owner_id NOT IN (SELECT id FROM memories WHERE forgotten=0)) "
    "OR (kind='event' AND owner_id NOT IN (SELECT id FROM events)) "
    "OR (kind='knowledge' AND owner_id NOT IN (SELECT id FROM knowledge)) "
    "OR NOT EXISTS (SELECT 1 FROM vectors v WHERE v.text_hash=embedded.text_hash AND v.model_id=embedded.model_id)"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, or that was mended; `hint` says what the person can do."""

    what: str
    hint: str = ""


def examine(library: Library) -> list[Finding]:
    """Everything that is wrong with an open library; empty when it is healthy. Changes nothing but the vector index."""
    found: list[Finding] = []
    for check in (_place, _integrity, _foreign_keys, _words, _vectors, _events, _people):
        found += check(library)
    built = {kind for kind, _, _ in library.indexes.spaces()}
    unmade = [kind for kind, _, _ in library.embeddings.spaces() if kind not in built]
    reconcile(library, unmade)  # they are made at first use: that is no fault
    counts = reconcile(library, sorted(built), compare_vectors=True)
    if counts.put or counts.removed:
        what = f"The search index lacked {counts.put} vectors and held {counts.removed} too many"
        found.append(Finding(f"{what}: mended from the database."))
    if unfinished := _unfinished(library.home):
        found.append(
            Finding(f"{len(unfinished)} unfinished files of an earlier run lie in {library.home.folder}.", _REPAIR)
        )
    return found


def repair(library: Library) -> list[Finding]:
    """Mend what is derived, from what is not: word index, vectors, empty events, unfinished files; returns what was done."""
    done: list[Finding] = []
    with library.database.write() as connection:
        if _words(library):
            _rebuild_words(library, connection)
            done.append(Finding("The word index was built anew."))
        for what, table, where in (
            ("vectors of things that are gone", "embedded", _LOST_OWNERS),
            ("vectors that nothing uses", "vectors", _ORPHAN_VECTORS),
            ("events without memories", "events", _EMPTY_EVENTS),
        ):
            if removed := connection.execute(f"DELETE FROM {table} WHERE {where}").rowcount:
                done.append(Finding(f"{removed} {what} were removed."))
    done += [Finding(f"{what}.") for what in mend_people(library)]
    built = {kind for kind, _, _ in library.indexes.spaces()}
    unmade = [kind for kind, _, _ in library.embeddings.spaces() if kind not in built]
    reconcile(library, unmade)  # they are made at first use: that is no fault
    counts = reconcile(library, sorted(built), compare_vectors=True)
    if counts.put or counts.removed:
        done.append(Finding(f"The search index was mended: {counts.put} vectors put, {counts.removed} removed."))
    if unfinished := _unfinished(library.home):
        for path in unfinished:
            path.unlink(missing_ok=True)
        done.append(Finding(f"{len(unfinished)} unfinished files were removed."))
    return done


def repair_home(home: Home) -> list[Finding]:
    """As `repair`, and a damaged database is mended or replaced by its newest good backup first.

    The caller holds the home's lock and has nothing open. The damaged file is kept beside the new one.

    Raises:
        StoreDamagedError: there is no good backup.
    """
    done: list[Finding] = []
    if not _opens(home):
        done.append(_restore(home))
    library = open_library(home, ChromaIndexes(home.vectors))
    try:
        return done + repair(library)
    finally:
        library.close()


def _place(library: Library) -> list[Finding]:
    return [Finding(said) for said in doubts(library.home)]


def _integrity(library: Library) -> list[Finding]:
    rows = library.database.read().execute("PRAGMA integrity_check(5)").fetchall()
    return [Finding(f"The database is damaged: {row[0]}.", _REPAIR) for row in rows if row[0] != "ok"]


def _foreign_keys(library: Library) -> list[Finding]:
    rows = library.database.read().execute("PRAGMA foreign_key_check").fetchall()
    return [Finding(f"{len(rows)} rows of the database point at nothing (the first in {rows[0][0]}).")] if rows else []


def _words(library: Library) -> list[Finding]:
    """The word index must hold exactly the memories that are not forgotten, with their words of today."""
    connection = library.database.read()
    shown = {row[0] for row in connection.execute("SELECT seq FROM memories WHERE forgotten=0")}
    for index in _INDEXES:
        try:
            held = {row[0] for row in connection.execute(f"SELECT rowid FROM {index}")}
            damaged = False
        except (StoreDamagedError, sqlite3.DatabaseError):
            held, damaged = set(), True
        if damaged or held != shown:
            return [
                Finding(
                    f"The word index lacks {len(shown - held)} memories and holds {len(held - shown)} too many.",
                    _REPAIR,
                )
            ]
    changed = connection.execute(
        "SELECT count(*) FROM memories m JOIN memory_words w ON w.rowid=m.seq "
        "WHERE m.caption<>w.caption OR m.visible_text<>w.visible_text OR m.speech<>w.speech"
    ).fetchone()[0]
    return [Finding(f"The word index holds old words of {changed} memories.", _REPAIR)] if changed else []


def _rebuild_words(library: Library, connection: sqlite3.Connection) -> None:
    for index in _INDEXES:
        connection.execute(f"DROP TABLE IF EXISTS {index}")  # a damaged one cannot be emptied
    for statement in word_indexes():
        connection.execute(statement)
    for row in connection.execute("SELECT id FROM memories WHERE forgotten=0").fetchall():
        with library.memories.edit(row["id"]):
            pass  # a memory without its words is indexed at the end of an edit


def _vectors(library: Library) -> list[Finding]:
    return _counted(library, "vector", "without owner", "vectors", _ORPHAN_VECTORS) + _counted(
        library, "vector", "of memories, events or facts that are gone", "embedded", _LOST_OWNERS
    )


def _events(library: Library) -> list[Finding]:
    return _counted(library, "event", "without memories", "events", _EMPTY_EVENTS)


def _people(library: Library) -> list[Finding]:
    return [Finding(f"{what}.", _REPAIR) for what in people_faults(library)]


def _counted(library: Library, noun: str, what: str, table: str, where: str) -> list[Finding]:
    count = library.database.read().execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0]
    return [Finding(f"{counted(count, noun)} {what}.", _REPAIR)] if count else []


def _unfinished(home: Home) -> list[Path]:
    found = [*home.folder.glob(_UNFINISHED), *home.backups.glob(_UNFINISHED), *home.thumbnails.rglob(_UNFINISHED)]
    return sorted(found)


def _opens(home: Home) -> bool:
    """Whether the database passes the check; one from a newer version does, and is refused elsewhere with its own words."""
    if not home.database.exists():
        return newest_good_backup(home.backups) is None
    try:
        with closing(sqlite3.connect(home.database)) as connection:
            sound = connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            return sound and not is_lost(connection, home.backups)
    except sqlite3.DatabaseError:
        return False


def _restore(home: Home) -> Finding:
    """Put a sound database in place of the damaged one: its own rows where all can be read, else the newest good backup."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    candidate = home.folder / f"repaired-{stamp}.sqlite.part"
    source = "its own rows, none lost"
    if not copied_whole(home.database, candidate):
        candidate.unlink(missing_ok=True)
        backup = newest_good_backup(home.backups)
        if backup is None:
            raise StoreDamagedError(
                f"The library {home.database} is damaged and there is no good backup in {home.backups}.",
                "Move the file away to start a new library from your folders; your pictures are not touched.",
            )
        candidate.write_bytes(backup.read_bytes())
        source = f"the backup {backup.name}"
    kept = home.database.with_name(f"{home.database.name}.damaged-{stamp}")
    for suffix in ("", "-wal", "-shm"):
        part = home.database.with_name(home.database.name + suffix)
        if part.exists():
            part.rename(kept.with_name(kept.name + suffix))
    candidate.replace(home.database)
    return Finding(
        f"The database was damaged and has been restored from {source}.", f"The damaged file is kept as {kept.name}."
    )
