"""Semantic knowledge and its evidence."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from core.errors import RequestError
from core.records import Knowledge, KnowledgeState, Provenance
from core.store import rows
from core.store.database import Database
from core.text_keys import printable


class KnowledgeStore:
    """Reads and writes statements. What the person confirmed, rejected or wrote is never touched by `replace_inferred`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, item: Knowledge) -> None:
        """Add or replace a statement and its evidence, in one transaction."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM knowledge WHERE id=?", (item.id,))
            connection.execute(
                "INSERT INTO knowledge VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (item.id, printable(item.statement), item.kind, printable(item.subject), rows.day_text(item.valid_from),
                 rows.day_text(item.valid_to), item.confidence, item.state, printable(item.why), *rows.made(item.provenance)),
            )  # fmt: skip
            connection.executemany(
                "INSERT INTO knowledge_evidence VALUES (?,?,?)",
                [(item.id, memory_id, rank) for rank, memory_id in enumerate(dict.fromkeys(item.evidence_ids))],
            )

    def replace_inferred(self, items: Sequence[Knowledge]) -> None:
        """Make these the inferred statements, in one transaction; those with the person's word stay."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM knowledge WHERE state=?", (KnowledgeState.INFERRED,))
            for item in items:
                self.put(item)

    def all(self, *, with_rejected: bool = False) -> list[Knowledge]:
        """Every statement, most confident first."""
        found = self._database.read().execute("SELECT * FROM knowledge ORDER BY confidence DESC, statement").fetchall()
        evidence: dict[str, list[str]] = defaultdict(list)
        for row in self._database.read().execute("SELECT * FROM knowledge_evidence ORDER BY rank"):
            evidence[row["knowledge_id"]].append(row["memory_id"])
        return [
            _knowledge(row, tuple(evidence[row["id"]]))
            for row in found
            if with_rejected or row["state"] != KnowledgeState.REJECTED
        ]

    def get(self, knowledge_id: str) -> Knowledge:
        """One statement by id or by its unambiguous beginning (at least four letters).

        Raises:
            RequestError: none or several have it.
        """
        everything = self.all(with_rejected=True)
        found = [item for item in everything if item.id == knowledge_id] or [
            item for item in everything if len(knowledge_id) >= 4 and item.id.startswith(knowledge_id)
        ]
        if len(found) != 1:
            raise RequestError(f"There is no single fact {knowledge_id!r}.", "`madeleine facts list` prints ids.")
        return found[0]

    def remove(self, knowledge_id: str) -> None:
        """Remove a statement."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM knowledge WHERE id=?", (knowledge_id,))


def _knowledge(row: sqlite3.Row, evidence: tuple[str, ...]) -> Knowledge:
    return Knowledge(
        id=row["id"],
        statement=row["statement"],
        kind=row["kind"],
        subject=row["subject"],
        evidence_ids=evidence,
        valid_from=rows.day_of(row["valid_from"]),
        valid_to=rows.day_of(row["valid_to"]),
        confidence=row["confidence"],
        state=KnowledgeState(row["state"]),
        why=row["why"],
        provenance=Provenance(row["made_by"], row["model_revision"], row["prompt_version"], row["made_at"]),
    )
