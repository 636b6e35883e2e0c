"""Opens the one SQLite file, hands out connections, and runs transactions.

Guarantees: one writer at a time; a read inside a transaction sees the transaction's own writes; a foreign SQLite error reaches
callers as a `StoreError` that says what to do.
"""

import logging
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import RequestError, StoreDamagedError, StoreError, StoreFullError, StoreLockedError, StoreTooNewError
from core.store import migrations
from core.store.soundness import is_lost
from core.text_keys import printable

log = logging.getLogger(__name__)

_BUSY_MS = 5_000
_BACKUPS_KEPT = 3


class Database:
    """The library's SQLite file. Safe to use from several threads: each has its own connection."""

    def __init__(self, path: Path, backups: Path) -> None:
        """Open, check and migrate the file, creating it when new; a backup is taken before any migration.

        Raises:
            StoreTooNewError: written by a newer version.
            StoreDamagedError: fails SQLite's quick_check.
            StoreLockedError, StoreFullError: as SQLite says.
        """
        self.path = path
        self._backups = backups
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._write_lock = threading.RLock()
        try:
            self._check(self.read())
            self._migrate(self.read())
        except BaseException:
            self.close()
            raise

    def read(self) -> sqlite3.Connection:
        """This thread's connection."""
        connection: _Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            with translated(self.path):
                connection = sqlite3.connect(
                    self.path,
                    timeout=_BUSY_MS / 1000,
                    isolation_level=None,
                    check_same_thread=False,
                    factory=_Connection,
                )
                connection.path = self.path
                self._connections.append(connection)
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute("PRAGMA foreign_keys=ON")
                # what is forgotten is overwritten; builds of SQLite differ in the default
                connection.execute("PRAGMA secure_delete=ON")
            self._local.connection = connection
        return connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it or nothing. Nested uses join the outer one."""
        with self._write_lock:
            connection = self.read()
            if connection.in_transaction:
                yield connection
                return
            with translated(self.path):
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    _roll_back(connection)
                    raise

    def back_up(self, label: str) -> Path:
        """Copy the database as it is now into the backups folder, keep the newest three of that label; return the copy."""
        self._backups.mkdir(parents=True, exist_ok=True)
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        copy = self._backups / f"{label}-{stamp}.sqlite"
        if shutil.disk_usage(self._backups).free < self.path.stat().st_size * 2:
            raise full(self.path)
        # under another name first: a kill must not leave half a copy that looks like a whole one
        partial = copy.with_name(copy.name + ".part")
        with translated(self.path):
            target = sqlite3.connect(partial)
            try:
                self.read().backup(target)
            finally:
                target.close()
        partial.replace(copy)
        for old in sorted(self._backups.glob(f"{label}-*.sqlite"))[:-_BACKUPS_KEPT]:
            old.unlink()
        return copy

    def fold(self) -> None:
        """Fold the write-ahead log into the file: what was overwritten lies in no old page of it any more."""
        with translated(self.path):
            self.read().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close every thread's connection; the write-ahead log is folded into the file."""
        for connection in self._connections:
            connection.close()
        self._connections.clear()
        self._local = threading.local()

    def _check(self, connection: sqlite3.Connection) -> None:
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise damaged(self.path)
        if is_lost(connection, self._backups):
            raise StoreDamagedError(
                f"The library {self.path} has lost its content, or is another program's file.", _how_to_mend(self.path)
            )

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > migrations.LATEST:
            raise StoreTooNewError(
                f"The library {self.path.name} was written by a newer Madeleine (format {version}, this one knows {migrations.LATEST}).",
                "Install the newer version, or choose another library with --home.",
            )
        if 0 < version < migrations.LATEST:
            self.back_up(f"before-format-{migrations.LATEST}")
        for number, migration in enumerate(migrations.ALL[version:], start=version + 1):
            with self.write() as writing:
                migration(writing)
                writing.execute(f"PRAGMA user_version={number}")


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:  # a full disk has rolled back already
        connection.execute("ROLLBACK")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ones a person can act on."""
    try:
        yield
    except UnicodeEncodeError as error:  # bytes of an argument that are no UTF-8 reach Python as lone surrogates
        raise RequestError(
            f"“{printable(str(error.object))[:80]}” holds signs that are no text.", "Write it in UTF-8."
        ) from error
    except sqlite3.DatabaseError as error:
        known = _as_store_error(error, path)
        if known is None:
            raise
        raise known from error


class _Connection(sqlite3.Connection):
    """A connection whose reads, too, fail with errors a person can act on."""

    path: Path

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:  # whatever SQLite can bind
        with translated(self.path):
            return super().execute(sql, parameters)


def _as_store_error(error: sqlite3.DatabaseError, path: Path) -> StoreError | None:
    """The error for the person; None for one that is a bug of ours."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code is not None else None
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLockedError(
            f"The library {path} is in use by another program.",
            "Close the other program and try again.",
            retryable=True,
        )
    if primary == sqlite3.SQLITE_FULL:
        return full(path)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(path)
    if primary in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM):
        return StoreError(
            f"The library {path} cannot be opened for writing ({error}).", "Check the folder's permissions and disk."
        )
    return None


def full(path: Path) -> StoreFullError:
    """The error for a full disk."""
    return StoreFullError(
        f"The disk that holds {path} is full.",
        "Free some space and start again; nothing that was stored is lost.",
        retryable=True,
    )


def damaged(path: Path) -> StoreDamagedError:
    """The error for a failed integrity check."""
    return StoreDamagedError(
        f"The library {path} is damaged.",
        _how_to_mend(path),
    )


def _how_to_mend(path: Path) -> str:
    return f"Run `madeleine doctor --repair`, or copy the newest file from {path.parent / 'backups'} over it."
