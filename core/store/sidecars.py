"""Which sidecars describe which memory, which of them are doubtful, and which folders were looked through for them."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.store.database import Database
from core.text_keys import printable


@dataclass(frozen=True, slots=True)
class SidecarOf:
    """A sidecar that describes a memory. `stamp` changes with the sidecar's content (its size and time)."""

    memory_id: str
    path: str
    stamp: str


class SidecarStore:
    """Reads and writes what a scan found out about sidecars, folder by folder."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def digests(self, root_id: str) -> dict[str, str]:
        """By folder of a root: the digest of the names it held when it was last looked through."""
        cursor = self._database.read().execute("SELECT path, digest FROM folders WHERE root_id=?", (root_id,))
        return {os.fsdecode(row["path"]): row["digest"] for row in cursor}

    def of_memory(self, memory_id: str) -> list[str]:
        """Paths of the sidecars of a memory, by name."""
        cursor = self._database.read().execute(
            "SELECT path FROM sidecars WHERE memory_id=? ORDER BY path", (memory_id,)
        )
        return [os.fsdecode(row["path"]) for row in cursor]

    def in_folder(self, folder: str) -> list[SidecarOf]:
        """What is known of the sidecars in a folder."""
        cursor = self._database.read().execute("SELECT * FROM sidecars WHERE folder=?", (os.fsencode(folder),))
        return [SidecarOf(row["memory_id"], os.fsdecode(row["path"]), row["stamp"]) for row in cursor]

    def stamps(self, memory_id: str) -> frozenset[str]:
        """Name and stamp of each sidecar of a memory: the same after a folder was moved."""
        cursor = self._database.read().execute("SELECT path, stamp FROM sidecars WHERE memory_id=?", (memory_id,))
        return frozenset(f"{row['stamp']} {os.path.basename(os.fsdecode(row['path']))}" for row in cursor)

    def folders_using(self, path: str) -> list[str]:
        """The folders in which a sidecar describes something."""
        cursor = self._database.read().execute(
            "SELECT DISTINCT folder FROM sidecars WHERE path=?", (os.fsencode(path),)
        )
        return [os.fsdecode(row["folder"]) for row in cursor]

    def left_over(self) -> tuple[int, int]:
        """How many files of exports have no details, and how many sidecars belong to no file."""
        row = self._database.read().execute("SELECT sum(bare) AS bare, sum(orphans) AS orphans FROM folders").fetchone()
        return row["bare"] or 0, row["orphans"] or 0

    def put_folder(
        self,
        root_id: str,
        folder: str,
        digest: str,
        found: Iterable[SidecarOf],
        notes: Mapping[str, str],
        left_over: tuple[int, int] = (0, 0),
    ) -> None:
        """Replace everything known about a folder.

        What was noted on reading a sidecar stays for as long as the sidecar does.

        Args:
            notes: paths with what is wrong with them, in words.
            left_over: how many of its files have no details, and how many of its sidecars no file.
        """
        found = list(found)
        known = {(each.path, each.stamp) for each in self.in_folder(folder)}
        read_before = {each.path for each in found if (each.path, each.stamp) in known}
        with self._database.write() as connection:
            kept = {path: reason for path, reason in self._notes(folder).items() if path in read_before}
            ignored = self._ignored(folder)
            self.drop_folder(folder)
            key = os.fsencode(folder)
            connection.execute("INSERT INTO folders VALUES (?,?,?,?,?)", (key, root_id, digest, *left_over))
            connection.executemany(
                "INSERT OR REPLACE INTO sidecars VALUES (?,?,?,?)",
                [(each.memory_id, os.fsencode(each.path), key, each.stamp) for each in found],
            )
            for path, reason in {**kept, **notes}.items():
                self.note(path, folder, reason)
            connection.executemany(
                "UPDATE sidecar_notes SET ignored=1 WHERE path=? AND reason=?",
                [(os.fsencode(path), reason) for path, reason in ignored.items()],
            )

    def drop_folder(self, folder: str) -> None:
        """Forget everything about a folder that is gone."""
        with self._database.write() as connection:
            for statement in (
                "DELETE FROM sidecars WHERE folder=?",
                "DELETE FROM sidecar_notes WHERE folder=?",
                "DELETE FROM folders WHERE path=?",
            ):
                connection.execute(statement, (os.fsencode(folder),))

    def note(self, path: str, folder: str, reason: str) -> None:
        """Say what is wrong with a sidecar; an empty reason takes it back."""
        with self._database.write() as connection:
            if not reason:
                connection.execute("DELETE FROM sidecar_notes WHERE path=?", (os.fsencode(path),))
                return
            connection.execute(
                "INSERT INTO sidecar_notes (path, folder, reason) VALUES (?,?,?) "
                "ON CONFLICT (path) DO UPDATE SET reason=excluded.reason",
                (os.fsencode(path), os.fsencode(folder), printable(reason)),
            )

    def give(self, memory_id: str, to_memory_id: str) -> None:
        """Let the sidecars of one memory describe another."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE OR REPLACE sidecars SET memory_id=? WHERE memory_id=?", (to_memory_id, memory_id)
            )

    def _notes(self, folder: str) -> dict[str, str]:
        cursor = self._database.read().execute(
            "SELECT path, reason FROM sidecar_notes WHERE folder=?", (os.fsencode(folder),)
        )
        return {os.fsdecode(row["path"]): row["reason"] for row in cursor}

    def _ignored(self, folder: str) -> dict[str, str]:
        cursor = self._database.read().execute(
            "SELECT path, reason FROM sidecar_notes WHERE folder=? AND ignored=1", (os.fsencode(folder),)
        )
        return {os.fsdecode(row["path"]): row["reason"] for row in cursor}
