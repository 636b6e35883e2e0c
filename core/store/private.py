"""Which memories does the person keep out of chat, or out of understanding, and what is left to be withdrawn for it?"""

import os
from dataclasses import dataclass

from core.store import withhold
from core.store.database import Database
from core.store.withhold import UNDERSTANDING


@dataclass(frozen=True, slots=True)
class Private:
    """That a memory is kept private.

    Attributes:
        domain: the privacy domain, with a hash where the person's own words would stand.
        level: `chat` or `understanding`.
    """

    memory_id: str
    domain: str
    level: str


class PrivateStore:
    """Reads and writes which memories are private."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, Private]:
        """Every private memory by its id."""
        cursor = self._database.read().execute("SELECT memory_id, domain, level FROM private")
        return {row["memory_id"]: Private(row["memory_id"], row["domain"], row["level"]) for row in cursor}

    def of(self, memory_id: str) -> Private | None:
        """How a memory is private; None when it is not."""
        row = (
            self._database.read()
            .execute("SELECT memory_id, domain, level FROM private WHERE memory_id=?", (memory_id,))
            .fetchone()
        )
        return Private(row["memory_id"], row["domain"], row["level"]) if row else None

    def is_withheld(self, memory_id: str) -> bool:
        """Whether nothing may be understood of a memory."""
        return withhold.is_withheld(self._database.read(), memory_id)

    def mark(self, memory_id: str, domain: str, level: str) -> None:
        """Keep a memory private, at once; what was drawn from it is then unsettled."""
        with self._database.write() as connection:
            withhold.mark(connection, memory_id, domain, level)

    def release(self, memory_id: str) -> None:
        """Let a memory be understood and used again; the next run reads it anew where nothing was left of it."""
        with self._database.write() as connection:
            if withhold.is_withheld(connection, memory_id):
                withhold.release(connection, memory_id)
            else:
                connection.execute("DELETE FROM private WHERE memory_id=?", (memory_id,))
            withhold.note_day(connection, memory_id)

    def unsettled(self) -> list[Private]:
        """Private memories from which something may still be drawn."""
        cursor = self._database.read().execute("SELECT memory_id, domain, level FROM private WHERE settled=0")
        return [Private(row["memory_id"], row["domain"], row["level"]) for row in cursor]

    def settle(self, found: list[Private]) -> None:
        """Take away what was drawn from these, and all remembered replies of models, which may quote them."""
        with self._database.write() as connection:
            for each in found:
                withhold.withdraw(connection, each.memory_id, each.level)
            if any(each.level == UNDERSTANDING for each in found):
                withhold.merge_words(connection)
            connection.execute("DELETE FROM replies")
            connection.executemany(
                "UPDATE private SET settled=1 WHERE memory_id=?", [(each.memory_id,) for each in found]
            )

    def in_folder(self, folder: str) -> set[str]:
        """Memories of which a file lies in a folder, or in one inside it; where it lay counts while it lies nowhere."""
        beginning = os.fsencode(os.path.join(folder, ""))
        cursor = self._database.read().execute(
            "WITH held AS (SELECT memory_id, path, state FROM files WHERE memory_id IS NOT NULL UNION ALL "
            "SELECT p.memory_id, f.path, f.state FROM file_parts p JOIN files f ON f.id=p.file_id) "
            "SELECT DISTINCT h.memory_id FROM held h WHERE substr(h.path, 1, ?1)=?2 AND (h.state<>'missing' OR NOT EXISTS "
            "(SELECT 1 FROM held o WHERE o.memory_id=h.memory_id AND o.state<>'missing'))",
            (len(beginning), beginning),
        )
        return {row["memory_id"] for row in cursor}
