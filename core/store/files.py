"""Roots and source files: what lies on disk and which memory each file belongs to."""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from core.records import FileRole, FileState, Problem, Root, SourceFile, Stage
from core.store import rows
from core.store.database import Database
from core.text_keys import printable

_STATES = {state.value: state for state in FileState}
# written as in the partial indexes, so that the few rows are found without a look at all others
_WITH_PROBLEMS, _FAILED = "state IN ('unreadable', 'ignored')", "state='failed'"
# nobody can do anything about content that no file holds any more, as of a download looked at halfway
_STILL_HELD = (
    "(stage NOT IN ('metadata', 'thumbnails', 'near_duplicates', 'text', 'faces', 'scenes', 'speech') "
    "OR EXISTS (SELECT 1 FROM files h WHERE h.memory_id=stages.memory_id) "
    "OR EXISTS (SELECT 1 FROM file_parts h WHERE h.memory_id=stages.memory_id))"
)


class KnownFile(NamedTuple):
    """As much of a file as tells whether it changed; a scan reads those of a whole root at once.

    Attributes:
        is_settled: its content is known, or the reason why it cannot be.
    """

    id: str
    size_bytes: int
    modified_ns: int
    state: FileState
    is_settled: bool


class FileStore:
    """Reads and writes roots and source files. Paths are stored as the system's bytes, so every name survives."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_root(self, path: str) -> Root:
        """Add a folder; adding it again returns the root that is there."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO roots (id, path, added_at) VALUES (?,?,?) ON CONFLICT (path) DO NOTHING",
                (rows.new_id(), os.fsencode(path), rows.now()),
            )
        return next(root for root in self.roots() if root.path == path)

    def roots(self) -> list[Root]:
        """Every root, in the order they were added."""
        return [
            Root(row["id"], os.fsdecode(row["path"]), bool(row["online"]))
            for row in self._database.read().execute("SELECT * FROM roots ORDER BY added_at, path")
        ]

    def set_online(self, root_id: str, online: bool) -> None:
        """Record whether the root can be reached; its memories stay either way."""
        with self._database.write() as connection:
            connection.execute("UPDATE roots SET online=? WHERE id=?", (int(online), root_id))

    def counts(self, root_id: str) -> dict[FileState, int]:
        """How many files of a root are in which state."""
        cursor = self._database.read().execute(
            "SELECT state, count(*) AS n FROM files WHERE root_id=? GROUP BY state", (root_id,)
        )
        return {FileState(row["state"]): row["n"] for row in cursor}

    def only_in(self, root_id: str) -> list[str]:
        """Memories all of whose files lie in a root."""
        cursor = self._database.read().execute(
            "WITH held AS (SELECT memory_id, root_id FROM files WHERE memory_id IS NOT NULL UNION "
            "SELECT p.memory_id, f.root_id FROM file_parts p JOIN files f ON f.id=p.file_id) "
            "SELECT memory_id FROM held GROUP BY memory_id HAVING min(root_id)=?1 AND max(root_id)=?1",
            (root_id,),
        )
        return [row["memory_id"] for row in cursor]

    def remove_root(self, root_id: str) -> None:
        """Take a root and its files out of the library; of each memory stays which file it was, so that it is known again."""
        with self._database.write() as connection:
            for file in self.of_root(root_id):
                if file.memory_id is not None and file.sha256:
                    connection.execute(
                        "INSERT OR IGNORE INTO foreign_files VALUES (?,?,?,?)",
                        (file.memory_id, file.sha256, printable(os.path.basename(file.path)), file.size_bytes),
                    )
            connection.execute(
                "DELETE FROM sidecar_notes WHERE folder IN (SELECT path FROM folders WHERE root_id=?)", (root_id,)
            )
            connection.execute("DELETE FROM roots WHERE id=?", (root_id,))

    def relocate_root(self, root_id: str, path: str, moved: Callable[[str], str]) -> int:
        """Give a root and all that is known to lie in it new paths, all or nothing; returns how many files.

        A path that a file of another root has stays that file's own.
        """
        with self._database.write() as connection:
            files = connection.execute("SELECT id, path FROM files WHERE root_id=?", (root_id,)).fetchall()
            # Old and new paths may overlap (a folder moved into itself), so every row first leaves its path.
            connection.execute(
                "UPDATE files SET path=CAST(x'00' || CAST(id AS BLOB) AS BLOB) WHERE root_id=?", (root_id,)
            )
            connection.executemany(
                "UPDATE OR IGNORE files SET path=? WHERE id=?",
                ((os.fsencode(moved(os.fsdecode(row["path"]))), row["id"]) for row in files),
            )
            connection.execute("DELETE FROM files WHERE root_id=? AND substr(path, 1, 1)=x'00'", (root_id,))
            _relocate_sidecars(connection, root_id, moved)
            connection.execute("UPDATE roots SET path=?, online=1 WHERE id=?", (os.fsencode(path), root_id))
        return len(files)

    def by_path(self, path: str) -> SourceFile | None:
        """The file last seen at a path."""
        row = self._database.read().execute("SELECT * FROM files WHERE path=?", (os.fsencode(path),)).fetchone()
        return _file(row) if row else None

    def of_memory(self, memory_id: str) -> list[SourceFile]:
        """The files of a memory, present ones first, originals before other versions, of copies the one with the shortest path.

        A memory that is a part of a file has that file, under the hash of the part.
        """
        cursor = self._database.read().execute(
            "SELECT f.*, m.content_key AS part_key FROM files f LEFT JOIN file_parts p ON p.file_id=f.id AND p.memory_id=?1 "
            "LEFT JOIN memories m ON m.id=p.memory_id WHERE f.memory_id=?1 "
            "OR f.id IN (SELECT file_id FROM file_parts WHERE memory_id=?1) "
            "GROUP BY f.id ORDER BY state='present' DESC, role<>'original', length(f.path), f.path",
            (memory_id,),
        )
        return [
            replace(_file(row), memory_id=memory_id, sha256=row["part_key"]) if row["part_key"] else _file(row)
            for row in cursor
        ]

    def parts(self, file_id: str) -> dict[str, str]:
        """By label, the memories that are parts of a file."""
        cursor = self._database.read().execute("SELECT label, memory_id FROM file_parts WHERE file_id=?", (file_id,))
        return {row["label"]: row["memory_id"] for row in cursor}

    def part_label(self, file_id: str, memory_id: str) -> str:
        """The label under which a memory is a part of a file; empty when it is none."""
        row = (
            self._database.read()
            .execute("SELECT label FROM file_parts WHERE memory_id=? AND file_id=? LIMIT 1", (memory_id, file_id))
            .fetchone()
        )
        return row["label"] if row else ""

    def put_parts(self, file_id: str, parts: Mapping[str, str]) -> None:
        """Replace the parts of a file (memories by label); the file itself is then no memory of its own."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM file_parts WHERE file_id=?", (file_id,))
            connection.executemany(
                "INSERT INTO file_parts VALUES (?,?,?)",
                [(file_id, label, memory_id) for label, memory_id in parts.items()],
            )
            if parts:
                connection.execute("UPDATE files SET memory_id=NULL WHERE id=?", (file_id,))

    def of_root(self, root_id: str) -> Iterator[SourceFile]:
        """Every file known under a root."""
        for row in self._database.read().execute("SELECT * FROM files WHERE root_id=?", (root_id,)).fetchall():
            yield _file(row)

    def known_in_root(self, root_id: str) -> dict[str, KnownFile]:
        """By path, every file known under a root."""
        cursor = self._database.read().cursor()
        cursor.row_factory = None
        cursor.execute(
            "SELECT path, id, size_bytes, modified_ns, state, sha256<>'' OR reason<>'' FROM files WHERE root_id=?",
            (root_id,),
        )
        encoding, errors = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()  # as os.fsdecode, once for all
        return {
            path.decode(encoding, errors): KnownFile(file_id, size_bytes, modified_ns, _STATES[state], bool(settled))
            for path, file_id, size_bytes, modified_ns, state, settled in cursor
        }

    def known_content(self, sha256: str) -> tuple[str, FileRole] | None:
        """The memory that a clip, raw file or edited version of this content belongs to, and which of these it is."""
        row = (
            self._database.read()
            .execute(
                "SELECT memory_id, role FROM files WHERE sha256=? AND memory_id IS NOT NULL AND role<>'original' LIMIT 1",
                (sha256,),
            )
            .fetchone()
        )
        return (row["memory_id"], FileRole(row["role"])) if row else None

    def put(self, file: SourceFile) -> None:
        """Add or replace the file at its path (the path is the key; the id of a known path is kept)."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO files VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (path) DO UPDATE SET root_id=excluded.root_id, "
                "memory_id=excluded.memory_id, sha256=excluded.sha256, size_bytes=excluded.size_bytes, "
                "modified_ns=excluded.modified_ns, state=excluded.state, reason=excluded.reason, attempts=excluded.attempts, "
                "role=excluded.role",
                (file.id, file.root_id, os.fsencode(file.path), file.memory_id, file.sha256, file.size_bytes, file.modified_ns,
                 file.state, printable(file.reason), file.attempts, file.role),
            )  # fmt: skip

    def set_state(self, file_id: str, state: FileState, reason: str = "") -> None:
        """Record what the last scan saw."""
        with self._database.write() as connection:
            connection.execute("UPDATE files SET state=?, reason=? WHERE id=?", (state, printable(reason), file_id))

    def foreign(self, memory_id: str) -> list[tuple[str, str, int]]:
        """(name, sha256, bytes) of files an import named for a memory: they lie elsewhere, and may turn up in a scan."""
        cursor = self._database.read().execute(
            "SELECT name, sha256, size_bytes FROM foreign_files WHERE memory_id=? ORDER BY name, sha256", (memory_id,)
        )
        return [(row["name"], row["sha256"], row["size_bytes"]) for row in cursor]

    def put_foreign(self, memory_id: str, name: str, sha256: str, size_bytes: int) -> None:
        """Remember a file that an import named, unless it is one we have seen ourselves."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO foreign_files SELECT ?1, ?2, ?3, ?4 "
                "WHERE NOT EXISTS (SELECT 1 FROM files WHERE memory_id=?1 AND sha256=?2)",
                (memory_id, sha256, printable(name), size_bytes),
            )

    def problems(self, most: int = -1) -> list[Problem]:
        """Files that could not be read and stages that failed, by path; at most so many of either, open ones first."""
        found = [
            Problem(
                os.fsdecode(row["path"]),
                row["reason"],
                Stage.SCAN,
                row["attempts"],
                row["memory_id"],
                row["state"] == FileState.IGNORED,
            )
            for row in self._database.read().execute(
                f"SELECT * FROM files WHERE {_WITH_PROBLEMS} ORDER BY state='ignored', path LIMIT ?", (most,)
            )
        ]
        for row in self._database.read().execute(
            "SELECT s.*, m.file_name, "
            "(SELECT path FROM files f WHERE f.memory_id=s.memory_id ORDER BY "
            "state='present' DESC, role<>'original', length(path), path LIMIT 1) AS path "
            f"FROM (SELECT * FROM stages WHERE {_FAILED} AND {_STILL_HELD} ORDER BY ignored LIMIT ?) s "
            "JOIN memories m ON m.id=s.memory_id ORDER BY m.file_name, s.stage",
            (most,),
        ):
            path = os.fsdecode(row["path"]) if row["path"] else row["file_name"]
            found.append(
                Problem(
                    path, row["reason"], Stage(row["stage"]), row["attempts"], row["memory_id"], bool(row["ignored"])
                )
            )
        found += [
            Problem(os.fsdecode(row["path"]), row["reason"], Stage.SCAN, 1, None, bool(row["ignored"]))
            for row in self._database.read().execute(
                "SELECT * FROM sidecar_notes ORDER BY ignored, path LIMIT ?", (most,)
            )
        ]
        return found

    def count_problems(self) -> int:
        """How many problems the person has not taken off the list."""
        row = (
            self._database.read()
            .execute(
                f"SELECT (SELECT count(*) FROM files WHERE {_WITH_PROBLEMS} AND state='unreadable') + "
                f"(SELECT count(*) FROM stages WHERE {_FAILED} AND ignored=0 AND {_STILL_HELD}) + "
                "(SELECT count(*) FROM sidecar_notes WHERE ignored=0)"
            )
            .fetchone()
        )
        return int(row[0])

    def ignored_because(self, reason: str) -> list[str]:
        """The paths that are left alone for this reason."""
        rows = self._database.read().execute(
            f"SELECT path FROM files WHERE {_WITH_PROBLEMS} AND state='ignored' AND reason=? ORDER BY path", (reason,)
        )
        return [os.fsdecode(row["path"]) for row in rows]

    def retry(self, path: str | None) -> int:
        """Clear the problems of a path (of all when None), so that the next run tries again; returns how many."""
        with self._database.write() as connection:
            # A file that becomes a memory only now finds its sidecars again, though nothing in its folder changed.
            connection.execute("DELETE FROM folders")
        return self._settle(path, "UPDATE files SET state='missing', size_bytes=-1, attempts=0, reason='' WHERE state='unreadable'",
                            "DELETE FROM stages WHERE state='failed'", "UPDATE sidecar_notes SET ignored=0 WHERE ignored=1")  # fmt: skip

    def ignore(self, path: str | None) -> int:
        """Keep the problems of a path (of all when None) out of the list's open ones; returns how many."""
        return self._settle(
            path,
            "UPDATE files SET state='ignored' WHERE state='unreadable'",
            "UPDATE stages SET ignored=1 WHERE state='failed'",
            "UPDATE sidecar_notes SET ignored=1 WHERE ignored=0",
        )

    def _settle(self, path: str | None, of_files: str, of_stages: str, of_sidecars: str) -> int:
        value = os.fsencode(path) if path is not None else None
        with self._database.write() as connection:
            stages = connection.execute(
                of_stages + " AND (?1 IS NULL OR memory_id IN (SELECT memory_id FROM files WHERE path=?1))", (value,)
            ).rowcount
            stages += connection.execute(of_sidecars + " AND (?1 IS NULL OR path=?1)", (value,)).rowcount
            return stages + connection.execute(of_files + " AND (?1 IS NULL OR path=?1)", (value,)).rowcount


def _file(row: sqlite3.Row) -> SourceFile:
    return SourceFile(
        id=row["id"],
        root_id=row["root_id"],
        path=os.fsdecode(row["path"]),
        memory_id=row["memory_id"],
        sha256=row["sha256"],
        size_bytes=row["size_bytes"],
        modified_ns=row["modified_ns"],
        state=FileState(row["state"]),
        reason=row["reason"],
        attempts=row["attempts"],
        role=FileRole(row["role"]),
    )


def _relocate_sidecars(connection: sqlite3.Connection, root_id: str, moved: Callable[[str], str]) -> None:
    """Move what is known of the sidecars in the folders of a root, and of the folders."""
    folders = [
        row["path"] for row in connection.execute("SELECT path FROM folders WHERE root_id=?", (root_id,)).fetchall()
    ]
    for table in ("sidecars", "sidecar_notes"):
        known = [
            dict(row)
            for folder in folders
            for row in connection.execute(f"SELECT * FROM {table} WHERE folder=?", (folder,)).fetchall()
        ]
        connection.executemany(f"DELETE FROM {table} WHERE folder=?", [(folder,) for folder in folders])
        for row in known:
            row |= {name: os.fsencode(moved(os.fsdecode(row[name]))) for name in ("path", "folder")}
            marks = ",".join("?" * len(row))
            connection.execute(f"INSERT OR IGNORE INTO {table} ({','.join(row)}) VALUES ({marks})", tuple(row.values()))
    digests = connection.execute("SELECT * FROM folders WHERE root_id=?", (root_id,)).fetchall()
    connection.execute("DELETE FROM folders WHERE root_id=?", (root_id,))
    connection.executemany(
        "INSERT OR IGNORE INTO folders (path, root_id, digest, bare, orphans) VALUES (?,?,?,?,?)",
        [
            (os.fsencode(moved(os.fsdecode(row["path"]))), root_id, row["digest"], row["bare"], row["orphans"])
            for row in digests
        ],
    )
