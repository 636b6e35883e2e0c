"""Copies every row of a damaged database into a new one, when every row can still be read.

Damage often lies in an index or in the word index, which are derived: then nothing is lost. `VACUUM` and `REINDEX` cannot be
used for it, both read the damaged pages.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from core.store import migrations
from core.store.soundness import is_sound

_OURS = (
    "SELECT name FROM main.sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%' "
    "AND name NOT LIKE 'memory_words%' AND name NOT LIKE 'memory_letters%'"
)


def copied_whole(damaged: Path, copy: Path) -> bool:
    """Whether `copy` now holds every row of `damaged`; the word indexes are empty. A failed copy is to be deleted."""
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            for migration in migrations.ALL:
                migration(connection)
            connection.execute(f"PRAGMA user_version={migrations.LATEST}")
            connection.execute("ATTACH ? AS damaged", (str(damaged),))
            if connection.execute("PRAGMA damaged.user_version").fetchone()[0] != migrations.LATEST:
                return False
            connection.execute("BEGIN")
            for (table,) in connection.execute(_OURS).fetchall():
                _copy_rows(connection, table)
            connection.execute("COMMIT")
            if connection.execute("PRAGMA main.foreign_key_check").fetchone() is not None:
                return False
    except sqlite3.DatabaseError:
        return False
    return is_sound(copy)


def _copy_rows(connection: sqlite3.Connection, table: str) -> None:
    """Without an index, and without SQLite's shortcut of copying pages (a WHERE clause forbids it)."""
    connection.execute(f"DELETE FROM main.{table}")  # triggers may have noted the copying of other tables here
    columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
    connection.execute(
        f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM damaged.{table} NOT INDEXED WHERE 1"
    )
