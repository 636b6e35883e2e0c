"""Which stage is done for which memory: the record that lets a killed run go on where it was."""

import json
from collections.abc import Mapping, Sequence

from core.records import Stage
from core.store import rows
from core.store.database import Database
from core.text_keys import printable

IMPORTED = "imported"
"""The key of stages whose result came with an import: nothing to do until the memory's own file turns up."""


class StageStore:
    """A stage is due for a memory when it was never done with the current key (content, model and prompt version)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self, stage: Stage, key: str, *, after: Stage | None = None, max_attempts: int = 2) -> list[str]:
        """Memory ids for which the stage has to run, newest first, favourites before others.

        Args:
            key: model id, revision and prompt version; a stage done with another key is due again.
            after: only memories for which this stage has ended (done or nothing).
            max_attempts: a stage that failed this often with the same key waits for the person's retry.
        """
        sql = (
            "SELECT m.id FROM memories m LEFT JOIN stages s ON s.memory_id=m.id AND s.stage=?1 WHERE m.forgotten=0 "
            # of what may not be understood only the date is read
            "AND (?1='metadata' OR NOT EXISTS (SELECT 1 FROM private v WHERE v.memory_id=m.id AND v.level='understanding')) "
            "AND (s.memory_id IS NULL OR (s.state='failed' AND s.attempts<?3 AND s.ignored=0) OR (s.key<>?2 AND NOT "
            f"(s.key='{IMPORTED}' AND NOT EXISTS (SELECT 1 FROM files f WHERE f.memory_id=m.id) "
            "AND NOT EXISTS (SELECT 1 FROM file_parts f WHERE f.memory_id=m.id)))) "
            "AND (?4 IS NULL OR EXISTS (SELECT 1 FROM stages p WHERE p.memory_id=m.id AND p.stage=?4 AND p.state<>'failed')) "
            "ORDER BY m.favourite DESC, m.wall IS NULL, m.wall DESC, m.seq DESC"
        )
        return [row["id"] for row in self._database.read().execute(sql, (stage, key, max_attempts, after))]

    def counts(self) -> dict[Stage, dict[str, int]]:
        """By stage: how many memories are done, nothing, failed, and total of memories."""
        total = self._database.read().execute("SELECT count(*) FROM memories WHERE forgotten=0").fetchone()[0]
        found: dict[Stage, dict[str, int]] = {
            stage: {"done": 0, "nothing": 0, "failed": 0, "total": total} for stage in Stage
        }
        for row in self._database.read().execute(
            "SELECT stage, state, count(*) AS n FROM stages GROUP BY 1, 2"  # a forgotten memory has none
        ):
            found[Stage(row["stage"])][row["state"]] = row["n"]
        return found

    def state(self, memory_id: str, stage: Stage) -> tuple[str, str] | None:
        """(state, key) of a stage for a memory, or None when it never ran."""
        row = (
            self._database.read()
            .execute("SELECT state, key FROM stages WHERE memory_id=? AND stage=?", (memory_id, stage))
            .fetchone()
        )
        return (row["state"], row["key"]) if row else None

    def keys(self, stage: Stage, memory_ids: Sequence[str], *, with_failed: bool = False) -> dict[str, str]:
        """By memory, of these: the key with which a stage last ended well, or at all."""
        cursor = self._database.read().execute(
            "SELECT memory_id, key FROM stages WHERE stage=?1 AND (?3 OR state<>'failed') "
            "AND memory_id IN (SELECT value FROM json_each(?2))",
            (stage, json.dumps(list(memory_ids)), with_failed),
        )
        return {row["memory_id"]: row["key"] for row in cursor}

    def record(self, stage: Stage, keys: Mapping[str, str]) -> None:
        """Record that a stage ended well for memories, each with a key of its own."""
        with self._database.write() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO stages (memory_id, stage, key, state, made_at) VALUES (?,?,?,'done',?)",
                [(memory_id, stage, key, rows.now()) for memory_id, key in keys.items()],
            )

    def record_failed(self, stage: Stage, keys: Mapping[str, str], reason: str) -> None:
        """Record that a stage could not be done for memories, each with a key of its own."""
        with self._database.write() as connection:
            connection.executemany(
                "INSERT INTO stages (memory_id, stage, key, state, reason, made_at) VALUES (?,?,?,'failed',?,?) "
                "ON CONFLICT (memory_id, stage) DO UPDATE SET attempts=CASE WHEN state='failed' THEN attempts+1 ELSE 1 END, "
                "key=excluded.key, state='failed', reason=excluded.reason, made_at=excluded.made_at",
                [(memory_id, stage, key, printable(reason), rows.now()) for memory_id, key in keys.items()],
            )

    def renew(self, stage: Stage, key: str, memory_ids: list[str]) -> None:
        """Say that how a stage ended for these memories also holds for another key."""
        with self._database.write() as connection:
            connection.executemany(
                "UPDATE stages SET key=? WHERE stage=? AND memory_id=?", [(key, stage, each) for each in memory_ids]
            )

    def reset(self, stage: Stage, memory_ids: list[str] | None = None) -> None:
        """Make a stage due again, for these memories or for all."""
        with self._database.write() as connection:
            if memory_ids is None:
                connection.execute("DELETE FROM stages WHERE stage=?", (stage,))
            else:
                connection.executemany(
                    "DELETE FROM stages WHERE stage=? AND memory_id=?", [(stage, each) for each in memory_ids]
                )

    def note(self, key: str) -> str:
        """A fact about the whole library ("owner", "paused", "events_key" …); empty when unset."""
        row = self._database.read().execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return row["value"] if row else ""

    def set_note(self, key: str, value: str) -> None:
        """Set a fact about the whole library."""
        with self._database.write() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))

    def cached_reply(self, key: str) -> str | None:
        """What a model answered to exactly this prompt before (key: hash of prompt, model and revision)."""
        row = self._database.read().execute("SELECT text FROM replies WHERE key=?", (key,)).fetchone()
        return row["text"] if row else None

    def cache_reply(self, key: str, text: str, prompt_tokens: int, completion_tokens: int) -> None:
        """Remember a reply, so that a re-run of unchanged input costs nothing."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO replies VALUES (?,?,?,?,?)",
                (key, text, prompt_tokens, completion_tokens, rows.now()),
            )

    def record_all(self, stage: Stage, key: str, failed: Mapping[str, str]) -> None:
        """Record the end of a stage that looks at the whole library: done for every memory, failed (with reasons) for these."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM stages WHERE stage=? AND (state<>'failed' OR key<>?)", (stage, key))
            connection.execute(
                "DELETE FROM stages WHERE stage=?1 AND memory_id NOT IN (SELECT value FROM json_each(?2))",
                (stage, json.dumps(list(failed))),
            )
            connection.executemany(
                "INSERT INTO stages (memory_id, stage, key, state, reason, made_at) VALUES (?,?,?,'failed',?,?) "
                "ON CONFLICT (memory_id, stage) DO UPDATE SET attempts=attempts+1, reason=excluded.reason, made_at=excluded.made_at",
                [(memory_id, stage, key, printable(reason), rows.now()) for memory_id, reason in failed.items()],
            )
            connection.execute(
                "INSERT OR IGNORE INTO stages (memory_id, stage, key, state, made_at) "
                "SELECT id, ?, ?, 'done', ? FROM memories WHERE forgotten=0",
                (stage, key, rows.now()),
            )

    def record_missing(
        self, stage: Stage, key: str, failed: Mapping[str, str], days: Sequence[str] | None, *, had_failed: bool = False
    ) -> None:
        """As `record_all`, at the cost of what is new: for memories that the stage was never recorded for, and the failed ones.

        Args:
            days: looks only at memories of these days ("" for undated ones); at all when None.
            had_failed: whether some are recorded as failed that are not any more.
        """
        on_days = "1" if days is None else "(m.day IN (SELECT value FROM json_each(?4)) OR (?5 AND m.wall IS NULL))"
        with self._database.write() as connection:
            if had_failed:
                connection.execute(
                    "UPDATE stages SET state='done', key=?1, reason='', made_at=?2 WHERE stage=?3 AND state='failed' "
                    "AND memory_id NOT IN (SELECT value FROM json_each(?4))",
                    (key, rows.now(), stage, json.dumps(list(failed))),
                )
            connection.executemany(
                "INSERT INTO stages (memory_id, stage, key, state, reason, made_at) VALUES (?,?,?,'failed',?,?) ON CONFLICT "
                "(memory_id, stage) DO UPDATE SET key=excluded.key, attempts=CASE WHEN state='failed' THEN attempts+1 ELSE 1 END, "
                "state='failed', reason=excluded.reason, made_at=excluded.made_at",
                [(memory_id, stage, key, printable(reason), rows.now()) for memory_id, reason in failed.items()],
            )
            bound = () if days is None else (json.dumps(list(days)), "" in days)
            connection.execute(
                "INSERT INTO stages (memory_id, stage, key, state, made_at) SELECT id, ?1, ?2, 'done', ?3 FROM memories m "
                f"WHERE {on_days} AND forgotten=0 AND NOT EXISTS (SELECT 1 FROM stages s WHERE s.memory_id=m.id AND s.stage=?1)",
                (stage, key, rows.now(), *bound),
            )
