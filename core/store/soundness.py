"""Can a database file be trusted, which copy of it can, and is a file without content a new library or a lost one?"""

import sqlite3
from contextlib import closing
from pathlib import Path

from core.store import migrations


def newest_good_backup(backups: Path) -> Path | None:
    """The newest copy that passes SQLite's integrity check and that this version can read."""
    by_age = sorted(backups.glob("*.sqlite"), key=lambda copy: copy.name.rpartition("-")[2], reverse=True)
    return next((copy for copy in by_age if is_sound(copy)), None)


def is_sound(path: Path) -> bool:
    """Whether a file is a database of ours that passes SQLite's integrity check."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            return bool(
                0 < version <= migrations.LATEST
                and connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            )
    except sqlite3.DatabaseError:
        return False


def is_lost(connection: sqlite3.Connection, backups: Path) -> bool:
    """Whether a file without our format stands where a library was, or belongs to another program.

    A lost library must not be taken for a new one: its empty copies would push the good backups out.
    """
    if connection.execute("PRAGMA user_version").fetchone()[0]:
        return False
    has_content = connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone() is not None
    return has_content or newest_good_backup(backups) is not None
