"""Takes away what was understood of one memory and keeps that there is such a file: for what the person keeps private."""

import sqlite3

from core.store.forget import OF_MEMORY, forget_derived

CHAT, UNDERSTANDING = "chat", "understanding"
"""What a memory may be kept out of; what is kept out of understanding is kept out of chat too."""
_KEPT = ("files", "file_parts", "foreign_files", "sidecars", "face_marks", "memory_values", "contexts", "stages")
"""What says which file it is, what the person said, and what is thinned out below instead of emptied."""
_INDEXES = ("memory_words", "memory_letters")
_DRAWN_FROM = ("event_members", "moment_members", "knowledge_evidence", "edges")


def is_withheld(connection: sqlite3.Connection, memory_id: str) -> bool:
    """Whether nothing may be understood of a memory."""
    found = connection.execute("SELECT 1 FROM private WHERE memory_id=? AND level=?", (memory_id, UNDERSTANDING))
    return found.fetchone() is not None


def mark(connection: sqlite3.Connection, memory_id: str, domain: str, level: str) -> None:
    """Keep a memory private from now on; what was drawn from it stays due to be withdrawn."""
    connection.execute("INSERT OR REPLACE INTO private VALUES (?,?,?,0)", (memory_id, domain, level))
    note_day(connection, memory_id)
    if level == UNDERSTANDING:
        withhold(connection, memory_id)


def withhold(connection: sqlite3.Connection, memory_id: str) -> None:
    """Leave of a memory its files, kind, date and size, and the person's own words, which are neither shown nor searched."""
    connection.execute(
        "DELETE FROM memory_values WHERE memory_id=? AND origin<>'person' AND field NOT IN ('kind', 'taken', 'media')",
        (memory_id,),
    )
    connection.execute("DELETE FROM contexts WHERE memory_id=? AND origin<>'person'", (memory_id,))
    connection.execute(
        "DELETE FROM stages WHERE memory_id=? AND (stage NOT IN ('scan', 'metadata') OR state='failed')", (memory_id,)
    )
    for table in OF_MEMORY:
        if table not in _KEPT:
            connection.execute(f"DELETE FROM {table} WHERE memory_id=?", (memory_id,))
    for index in _INDEXES:
        connection.execute(f"DELETE FROM {index} WHERE rowid=(SELECT seq FROM memories WHERE id=?)", (memory_id,))
    connection.execute(
        "UPDATE memories SET place=NULL, place_keys='', latitude=NULL, longitude=NULL, title='', caption='', visible_text='', "
        "speech='', keywords='[]', document='{}', representative_id=NULL, fingerprint=NULL WHERE id=?",
        (memory_id,),
    )


def note_day(connection: sqlite3.Connection, memory_id: str) -> None:
    """Let moments and events of a memory's day be found anew: it joins them or leaves them."""
    connection.execute(
        "INSERT OR IGNORE INTO changed_days SELECT 'moments', coalesce(day, '') FROM memories WHERE id=?", (memory_id,)
    )


def withdraw(connection: sqlite3.Connection, memory_id: str, level: str) -> None:
    """Take away what was drawn from a memory: its place in events, facts and graph, answers that cite it.

    Its vectors go too where it may not be understood.
    """
    forget_derived(connection, memory_id, with_vectors=level == UNDERSTANDING)
    for table in _DRAWN_FROM:
        connection.execute(f"DELETE FROM {table} WHERE memory_id=?", (memory_id,))
    connection.execute("DELETE FROM turns WHERE instr(answer, ?1) OR instr(query, ?1)", (memory_id,))


def release(connection: sqlite3.Connection, memory_id: str) -> None:
    """Let a memory be understood again: every stage but the scan is due."""
    connection.execute("DELETE FROM private WHERE memory_id=?", (memory_id,))
    connection.execute("DELETE FROM stages WHERE memory_id=? AND stage<>'scan'", (memory_id,))


def merge_words(connection: sqlite3.Connection) -> None:
    """Deleted words stay in the word index until it is merged."""
    for index in _INDEXES:
        connection.execute(f"INSERT INTO {index}({index}) VALUES ('optimize')")
