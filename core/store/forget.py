"""Removes every trace of one memory, inside the transaction of its edit."""

import hashlib
import sqlite3

from core.store import rows
from core.store.graph import UNUSED_NODE

OF_MEMORY = ("memory_values", "contexts", "memory_places", "stages", "files", "file_parts", "foreign_files", "sidecars", "event_members",
              "moment_members", "clock_members", "knowledge_evidence", "edges", "faces", "face_marks")  # fmt: skip


SOMETHING_FORGOTTEN = ""
"""Stands among changed memories for those that were forgotten."""


def forgotten_name(public_id: str) -> str:
    """What is kept in place of a forgotten memory's public id: a person may have chosen words for it."""
    return "forgotten:" + hashlib.sha256(public_id.encode()).hexdigest()


def forget(connection: sqlite3.Connection, memory_id: str) -> None:
    """Leave only hashes of content and public id.

    Events and knowledge that were drawn from it are marked stale or, where nothing else supports them, removed, unless they
    have the person's word. Answers that cited it go, and so do all remembered replies, which may quote it.
    """
    row = connection.execute("SELECT public_id, forgotten FROM memories WHERE id=?", (memory_id,)).fetchone()
    if row is None or row["forgotten"]:
        return
    forget_derived(connection, memory_id)
    _forget_spoken(connection, memory_id)
    _forget_other_files(connection, memory_id)
    for table in OF_MEMORY:
        connection.execute(f"DELETE FROM {table} WHERE memory_id=?", (memory_id,))
    for index in ("memory_words", "memory_letters"):
        connection.execute(f"DELETE FROM {index} WHERE rowid=(SELECT seq FROM memories WHERE id=?)", (memory_id,))
        connection.execute(
            f"INSERT INTO {index}({index}) VALUES ('optimize')"
        )  # deleted words stay in the index until merged
    connection.execute(
        "UPDATE memories SET forgotten=1, public_id=?, kind='photo', wall=NULL, utc_offset=NULL, date_origin='unknown', "
        "date_confidence=0, day_only=0, place=NULL, place_keys='', latitude=NULL, longitude=NULL, title='', caption='', "
        "visible_text='', speech='', favourite=0, rating=NULL, keywords='[]', document='{}', media='{}', file_name='', "
        "representative_id=NULL, fingerprint=NULL WHERE id=?",
        (forgotten_name(row["public_id"]), memory_id),
    )
    # the triggers noted its id; what was inferred from it has to be inferred from the rest
    connection.execute("DELETE FROM changed_memories WHERE memory_id=?", (memory_id,))
    connection.execute("INSERT OR IGNORE INTO changed_memories VALUES ('knowledge', ?)", (SOMETHING_FORGOTTEN,))


def _forget_other_files(connection: sqlite3.Connection, memory_id: str) -> None:
    """The clip or the edited version of a forgotten photo must not come back as a memory of its own."""
    connection.execute(
        "DELETE FROM sidecar_notes WHERE path IN (SELECT path FROM sidecars WHERE memory_id=?)", (memory_id,)
    )
    others = connection.execute(
        "SELECT DISTINCT sha256 FROM files WHERE memory_id=? AND sha256<>'' "
        "AND sha256 NOT IN (SELECT content_key FROM memories WHERE content_key IS NOT NULL)",
        (memory_id,),
    ).fetchall()
    for (sha256,) in others:
        connection.execute(
            "INSERT INTO memories (id, public_id, content_key, created_at, forgotten) VALUES (?,?,?,?,1)",
            (rows.new_id(), forgotten_name(sha256), sha256, rows.now()),
        )


def forget_derived(connection: sqlite3.Connection, memory_id: str, *, with_vectors: bool = True) -> None:
    """Take away what was drawn from a memory; its own vectors stay when they are still searched."""
    connection.execute(
        "UPDATE events SET stale=1 WHERE id IN (SELECT event_id FROM event_members WHERE memory_id=?)", (memory_id,)
    )
    connection.execute(
        "DELETE FROM events WHERE corrected=0 AND id IN (SELECT event_id FROM event_members WHERE memory_id=?1) "
        "AND NOT EXISTS (SELECT 1 FROM event_members em WHERE em.event_id=events.id AND em.memory_id<>?1)",
        (memory_id,),
    )
    connection.execute(
        "DELETE FROM clocks WHERE NOT EXISTS (SELECT 1 FROM clock_members WHERE clock_id=clocks.id AND memory_id<>?)",
        (memory_id,),
    )
    connection.execute(
        "DELETE FROM knowledge WHERE state='inferred' AND id IN "
        "(SELECT knowledge_id FROM knowledge_evidence WHERE memory_id=?)",
        (memory_id,),
    )
    connection.execute("UPDATE memories SET representative_id=NULL WHERE representative_id=?", (memory_id,))
    connection.execute("DELETE FROM edges WHERE memory_id=?", (memory_id,))
    connection.execute(f"DELETE FROM nodes WHERE {UNUSED_NODE}")
    if with_vectors:
        connection.execute("DELETE FROM embedded WHERE owner_id=?", (memory_id,))
    connection.execute(
        "DELETE FROM embedded WHERE (kind='event' AND owner_id NOT IN (SELECT id FROM events)) "
        "OR (kind='knowledge' AND owner_id NOT IN (SELECT id FROM knowledge))"
    )
    connection.execute(
        "DELETE FROM vectors WHERE NOT EXISTS "
        "(SELECT 1 FROM embedded e WHERE e.text_hash=vectors.text_hash AND e.model_id=vectors.model_id)"
    )


def _forget_spoken(connection: sqlite3.Connection, memory_id: str) -> None:
    connection.execute("DELETE FROM replies")
    connection.execute("DELETE FROM turns WHERE instr(answer, ?1) OR instr(query, ?1)", (memory_id,))
    connection.execute(
        "DELETE FROM corrections WHERE target_kind IN ('memory', 'answer', 'doubt') AND target_id=?", (memory_id,)
    )
