"""Vectors as BLOBs, keyed by the text they were made of and the model that made them: the truth behind every index."""

import hashlib
import json
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.store.database import Database


def text_hash(text: str) -> str:
    """The key of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


class EmbeddingStore:
    """Reads and writes vectors and which owner (a memory, event, statement or context value) has which.

    `model_id` is the model's id and revision together (`ID@REVISION`): vectors of two revisions never meet.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def missing(self, kind: str, model_id: str, texts: Mapping[str, str]) -> dict[str, str]:
        """Of these texts by owner, those whose owner has no vector of exactly this text yet."""
        known = {
            row["owner_id"]: row["text_hash"]
            for row in self._database.read().execute(
                "SELECT owner_id, text_hash FROM embedded WHERE kind=? AND model_id=?", (kind, model_id)
            )
        }
        return {owner: text for owner, text in texts.items() if known.get(owner) != text_hash(text)}

    def known(self, model_id: str, texts: Sequence[str]) -> set[str]:
        """Of these texts, those that have a vector already (of whatever owner)."""
        read = self._database.read()
        return {
            text
            for text in texts
            if read.execute(
                "SELECT 1 FROM vectors WHERE text_hash=? AND model_id=?", (text_hash(text), model_id)
            ).fetchone()
        }

    def put(
        self, kind: str, model_id: str, texts: Mapping[str, str], vectors: Mapping[str, NDArray[np.float32]]
    ) -> None:
        """Store which text each owner has, and the vectors by text (those known already may be left out), in one transaction.

        The vector of an owner's former text goes when nobody else has that text: it may be a text the person corrected away.
        """
        with self._database.write() as connection:
            former = connection.execute(
                "SELECT DISTINCT text_hash FROM embedded WHERE kind=? AND model_id=? "
                "AND owner_id IN (SELECT value FROM json_each(?))",
                (kind, model_id, json.dumps(list(texts))),
            ).fetchall()
            for text, vector in vectors.items():
                connection.execute(
                    "INSERT OR REPLACE INTO vectors VALUES (?,?,?)",
                    (text_hash(text), model_id, vector.astype("<f4").tobytes()),
                )
            connection.executemany(
                "INSERT OR REPLACE INTO embedded VALUES (?,?,?,?)",
                [(kind, owner, model_id, text_hash(text)) for owner, text in texts.items()],
            )
            connection.executemany(
                "DELETE FROM vectors WHERE text_hash=?1 AND model_id=?2 AND NOT EXISTS "
                "(SELECT 1 FROM embedded e WHERE e.text_hash=?1 AND e.model_id=?2)",
                [(row["text_hash"], model_id) for row in former],
            )

    def owned(self, kind: str, model_id: str, owner_ids: Sequence[str] | None = None) -> dict[str, NDArray[np.float32]]:
        """Vectors by owner, of all owners of a kind or of these."""
        among = "" if owner_ids is None else " AND e.owner_id IN (SELECT value FROM json_each(?3))"
        values = (kind, model_id) if owner_ids is None else (kind, model_id, json.dumps(list(owner_ids)))
        return {
            row["owner_id"]: np.frombuffer(row["vector"], dtype="<f4")
            for row in self._database.read().execute(
                "SELECT e.owner_id, v.vector FROM embedded e JOIN vectors v ON v.text_hash=e.text_hash AND v.model_id=e.model_id "
                f"WHERE e.kind=?1 AND e.model_id=?2{among}",
                values,
            )
        }

    def owner_ids(self, kind: str, model_id: str) -> frozenset[str]:
        """Owners of a kind that have a vector."""
        cursor = self._database.read().execute(
            "SELECT owner_id FROM embedded WHERE kind=? AND model_id=?", (kind, model_id)
        )
        return frozenset(row["owner_id"] for row in cursor)

    def remove(self, kind: str, owner_ids: Sequence[str]) -> None:
        """Forget owners, and vectors that no owner has any more."""
        with self._database.write() as connection:
            connection.executemany(
                "DELETE FROM embedded WHERE kind=? AND owner_id=?", [(kind, owner) for owner in owner_ids]
            )
            connection.execute(
                "DELETE FROM vectors WHERE NOT EXISTS "
                "(SELECT 1 FROM embedded e WHERE e.text_hash=vectors.text_hash AND e.model_id=vectors.model_id)"
            )

    def spaces(self) -> list[tuple[str, str, int]]:
        """(kind, model id, dimensions) of every kind that has vectors."""
        cursor = self._database.read().execute(
            "SELECT e.kind, e.model_id, max(length(v.vector)) / 4 AS dimensions FROM embedded e "
            "JOIN vectors v ON v.text_hash=e.text_hash AND v.model_id=e.model_id GROUP BY 1, 2 ORDER BY 1, 2"
        )
        return [(row["kind"], row["model_id"], row["dimensions"]) for row in cursor]

    def counts(self, kind: str) -> dict[str, int]:
        """By model id, how many owners of a kind have a vector."""
        cursor = self._database.read().execute(
            "SELECT model_id, count(*) AS n FROM embedded WHERE kind=? GROUP BY 1", (kind,)
        )
        return {row["model_id"]: row["n"] for row in cursor}

    def drop_space(self, kind: str, model_id: str) -> None:
        """Forget every vector of a kind that a model made."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM embedded WHERE kind=? AND model_id=?", (kind, model_id))
            connection.execute(
                "DELETE FROM vectors WHERE model_id=?1 AND NOT EXISTS "
                "(SELECT 1 FROM embedded e WHERE e.text_hash=vectors.text_hash AND e.model_id=?1)",
                (model_id,),
            )

    def models(self, kind: str) -> list[str]:
        """Model ids that have vectors of a kind."""
        cursor = self._database.read().execute(
            "SELECT DISTINCT model_id FROM embedded WHERE kind=? ORDER BY 1", (kind,)
        )
        return [row["model_id"] for row in cursor]
