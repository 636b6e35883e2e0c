"""Captured memories: their values by origin, their contexts, and what is shown of them.

Every value is kept once per origin in `memory_values`; the columns of `memories` show the origin of highest rank. So a re-run
replaces what it made and never what the person said, and undoing a correction brings the derived value back.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from core.errors import RequestError
from core.records import (
    ORIGIN_RANK,
    AtomicContext,
    CapturedMemory,
    ContextKind,
    Field,
    MemoryFilter,
    MemoryKind,
    Origin,
    Place,
    Provenance,
    Taken,
)
from core.store import rows
from core.store.database import Database
from core.store.forget import forgotten_name
from core.store.memory_edit import MemoryEdit
from core.store.memory_filter import condition
from core.store.memory_record import memory_from
from core.store.withhold import UNDERSTANDING
from core.text_keys import printable, text_key

_CHUNK = 900
MOST_RANKED = 4_000
"""Ranking a memory by its words takes 4 µs: so many are ranked while a person types (tests/bench/latency.py)."""
_NOT_PRIVATE = "NOT EXISTS (SELECT 1 FROM private v WHERE v.memory_id=m.id)"


@dataclass(frozen=True, slots=True)
class StoredValue:
    """One value of a memory with where it came from, for "why do you think so"."""

    field: Field
    origin: Origin
    value: str
    confidence: float
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names the library knows, each with the number of memories that carry it.

    Attributes:
        places: by level (name, street, district, city, region, country), then value.
    """

    people: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    activities: Mapping[str, int] = field(default_factory=dict)
    visual_elements: Mapping[str, int] = field(default_factory=dict)
    environments: Mapping[str, int] = field(default_factory=dict)


class MemoryStore:
    """Reads and writes captured memories.

    Attributes:
        guard: told, inside the transaction, that a memory has changed; it may keep it private.
    """

    def __init__(
        self,
        database: Database,
        *,
        with_private: bool = True,
        counted: "dict[bool, tuple[int, Vocabulary]] | None" = None,
    ) -> None:
        self._database = database
        self._with_private = with_private
        self._counted = {} if counted is None else counted
        self._visible = "m.forgotten=0" if with_private else f"m.forgotten=0 AND {_NOT_PRIVATE}"
        self.guard: Callable[[str], None] | None = None

    def without_private(self) -> "MemoryStore":
        """The same memories but for those that the person keeps out of chat or understanding."""
        return MemoryStore(self._database, with_private=False, counted=self._counted)

    def create(
        self,
        *,
        kind: MemoryKind,
        file_name: str,
        content_key: str | None,
        public_id: str | None = None,
        kind_origin: Origin = Origin.RULE,
    ) -> str:
        """Add an empty memory and return its id.

        Args:
            content_key: sha256 of the content; at most one memory has it. None for a memory without a file.
            public_id: kept on import; a new one otherwise.
        """
        memory_id = rows.new_id()
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO memories (id, public_id, content_key, kind, file_name, created_at) VALUES (?,?,?,?,?,?)",
                (memory_id, public_id or rows.new_public_id(), content_key, kind, printable(file_name), rows.now()),
            )
            # kept as a value too, so that undoing a correction of the kind brings it back
            MemoryEdit(connection, memory_id).set_kind(kind, kind_origin)
        return memory_id

    @contextmanager
    def edit(self, memory_id: str) -> Iterator[MemoryEdit]:
        """Change one memory in one transaction; what is shown and the word index are refreshed at its end."""
        with self._database.write() as connection:
            editing = MemoryEdit(connection, memory_id)
            yield editing
            editing.finish()
            if self.guard is not None and editing.has_changed:
                self.guard(memory_id)

    def id_of_content(self, content_key: str) -> str | None:
        """The memory that holds this content, forgotten ones included."""
        row = self._one("SELECT id FROM memories WHERE content_key=?", content_key)
        return row["id"] if row else None

    def content_key(self, memory_id: str) -> str | None:
        """The sha256 that identifies a memory; None for one that never had a file."""
        row = self._one("SELECT content_key FROM memories WHERE id=?", memory_id)
        return row["content_key"] if row else None

    def set_content_key(self, memory_id: str, content_key: str) -> None:
        """Say that a memory now has another content: a note that was edited is still the same note."""
        with self._database.write() as connection:
            connection.execute("UPDATE memories SET content_key=? WHERE id=?", (content_key, memory_id))

    def ids_by_public_id(self) -> dict[str, str]:
        """Memory ids by public id, forgotten ones left out."""
        return {
            row["public_id"]: row["id"]
            for row in self._all(f"SELECT m.id, m.public_id FROM memories m WHERE {self._visible}")
        }

    def was_forgotten(self, public_id: str) -> bool:
        """Whether a memory of this public id was forgotten: of a forgotten one only the hash of the id is left."""
        return self._one("SELECT 1 FROM memories WHERE public_id=?", forgotten_name(public_id)) is not None

    def is_forgotten(self, memory_id: str) -> bool:
        """Whether the person told us to forget it."""
        row = self._one("SELECT forgotten FROM memories WHERE id=?", memory_id)
        return bool(row and row["forgotten"])

    def resolve(self, name: str) -> str:
        """The id of a public id (or of a full id).

        Raises:
            RequestError: no memory has it.
        """
        row = self._one(f"SELECT m.id FROM memories m WHERE (m.public_id=?1 OR m.id=?1) AND {self._visible}", name)
        if row is None:
            raise RequestError(f"There is no memory {name!r}.", "`madeleine search` and `madeleine list` print ids.")
        return str(row["id"])

    def get(self, memory_id: str) -> CapturedMemory:
        """One memory by id.

        Raises:
            RequestError: it does not exist.
        """
        found = self.many([memory_id])
        if not found:
            raise RequestError(f"There is no memory {memory_id!r}.")
        return found[0]

    def many(self, memory_ids: Sequence[str]) -> list[CapturedMemory]:
        """Memories in the order of the ids; unknown and forgotten ones are left out."""
        by_id: dict[str, CapturedMemory] = {}
        for start in range(0, len(memory_ids), _CHUNK):
            by_id.update(self._load(json.dumps(list(memory_ids[start : start + _CHUNK]))))
        return [by_id[memory_id] for memory_id in memory_ids if memory_id in by_id]

    def bare(self, memory_ids: Sequence[str]) -> list[CapturedMemory]:
        """As `many`, without contexts, files, origins and events: at a third of the cost, for looking at times and captions."""
        by_id: dict[str, CapturedMemory] = {}
        for start in range(0, len(memory_ids), _CHUNK):
            ids = json.dumps(list(memory_ids[start : start + _CHUNK]))
            sql = (
                "SELECT m.*, '' AS private, 0 AS is_missing FROM memories m "
                f"WHERE {self._visible} AND m.id IN (SELECT value FROM json_each(?))"
            )
            by_id |= {row["id"]: memory_from(row, defaultdict(list), [], [], {}) for row in self._all(sql, ids)}
        return [by_id[memory_id] for memory_id in memory_ids if memory_id in by_id]

    def matching(self, wanted: MemoryFilter | None = None) -> list[CapturedMemory]:
        """Every memory that matches, oldest first, undated last."""
        return self.many(self.ids_matching(wanted))

    def ids_matching(
        self,
        wanted: MemoryFilter | None = None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[str]:
        """Ids of every memory that matches, by time, undated last."""
        where, values = self._where(wanted)
        # descending, SQLite puts what has no time last by itself, and the index on time then gives the order without sorting
        order = "m.wall DESC, m.seq DESC" if newest_first else "m.wall IS NULL, m.wall, m.seq"
        sql = f"SELECT m.id FROM memories m WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?"
        return [row["id"] for row in self._all(sql, *values, -1 if limit is None else limit, offset)]

    def count(self, wanted: MemoryFilter | None = None) -> int:
        """How many memories match."""
        where, values = self._where(wanted)
        row = self._one(f"SELECT count(*) AS n FROM memories m WHERE {where}", *values)
        return int(row["n"]) if row else 0

    def by_words(self, match: str, k: int, wanted: MemoryFilter | None = None) -> list[tuple[str, float]]:
        """The k best memories for an FTS5 match expression, as (id, bm25 with larger = better); filters apply first.

        Names weigh three times a caption word, visible text and speech once. Without a condition, and where more memories match
        than can be ranked while a person types, those added last are ranked, unless more are asked for.
        """
        where, values = self._where(wanted)
        is_open = (wanted is None or wanted.is_empty) and k <= MOST_RANKED
        first = self._first_ranked(match) if is_open else 0
        sql = (
            "SELECT m.id, -bm25(memory_words, 3.0, 2.0, 1.0, 1.0, 2.0) AS score FROM memory_words JOIN memories m "
            f"ON m.seq = memory_words.rowid WHERE memory_words MATCH ? AND memory_words.rowid >= ? AND {where} ORDER BY score DESC LIMIT ?"
        )
        return [(row["id"], row["score"]) for row in self._all(sql, match, first, *values, k)]

    def _first_ranked(self, match: str) -> int:
        """The number of the first memory that is ranked; 0 where all that match are few enough."""
        sql = "SELECT rowid AS seq FROM memory_words WHERE memory_words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
        row = self._one(sql, match, MOST_RANKED)
        return int(row["seq"]) + 1 if row else 0

    def is_ranked_in_part(self, match: str, wanted: MemoryFilter | None = None) -> bool:
        """Whether so many memories match that `by_words` ranks only those added last."""
        return (wanted is None or wanted.is_empty) and self._first_ranked(match) > 0

    def by_letters(self, piece: str, k: int, wanted: MemoryFilter | None = None) -> list[str]:
        """Ids of memories whose words, text or names contain the piece as it is (case-blind), newest first."""
        where, values = self._where(wanted)
        source, first = ("memory_letters MATCH ?", '"' + piece.replace('"', '""') + '"')
        if len(piece) < 3:  # the trigram index cannot see shorter pieces
            source, first = ("memory_letters.text LIKE ? ESCAPE '\\'", "%" + _escaped(piece) + "%")
        elif self._is_frequent(first):
            sql = (
                f"SELECT m.id FROM memories m INDEXED BY memories_by_time WHERE {where} AND m.seq IN "
                "(SELECT rowid FROM memory_letters WHERE memory_letters MATCH ?) ORDER BY m.wall DESC LIMIT ?"
            )
            return [row["id"] for row in self._all(sql, *values, first, k)]
        sql = (
            "SELECT m.id FROM memory_letters JOIN memories m ON m.seq = memory_letters.rowid "
            f"WHERE {source} AND {where} ORDER BY m.wall IS NULL, m.wall DESC LIMIT ?"
        )
        return [row["id"] for row in self._all(sql, first, *values, k)]

    def _is_frequent(self, match: str) -> bool:
        """Whether so many texts hold a piece that walking back through time meets k of them sooner than sorting them all."""
        sql = "SELECT count(*) AS n FROM (SELECT 1 FROM memory_letters WHERE memory_letters MATCH ? LIMIT ?)"
        row = self._one(sql, match, MOST_RANKED)
        return row is not None and row["n"] >= MOST_RANKED

    def vocabulary(self) -> Vocabulary:
        """Every name the library knows, most frequent first; counted again only when a name has come or gone."""
        row = self._one("SELECT version FROM names_version")
        version = int(row["version"]) if row else 0
        known = self._counted.get(self._with_private)
        if known is not None and known[0] == version:
            return known[1]
        vocabulary = self._count_names()
        if not self._database.read().in_transaction:  # what is rolled back gives its number to something else
            self._counted[self._with_private] = (version, vocabulary)
        return vocabulary

    def _count_names(self) -> Vocabulary:
        # by index alone: joining every context to its memory took four times as long
        hidden = "SELECT id FROM memories WHERE forgotten=1"
        if not self._with_private:
            hidden += " UNION SELECT memory_id FROM private"
        by_kind: dict[str, dict[str, int]] = defaultdict(dict)
        for row in self._all(
            "SELECT g.kind, g.n, (SELECT value FROM contexts v WHERE v.kind=g.kind AND v.key=g.key AND v.memory_id=g.first LIMIT 1) "
            "AS value FROM (SELECT kind, key, count(DISTINCT memory_id) AS n, min(memory_id) AS first FROM contexts "
            f"WHERE memory_id NOT IN ({hidden}) GROUP BY kind, key) g ORDER BY g.n DESC"
        ):
            by_kind[row["kind"]][row["value"]] = row["n"]
        places: dict[str, dict[str, int]] = defaultdict(dict)
        for row in self._all(
            f"SELECT level, value, count(*) AS n FROM memory_places WHERE memory_id NOT IN ({hidden}) "
            "GROUP BY level, key ORDER BY n DESC"
        ):
            places[row["level"]][row["value"]] = row["n"]
        return Vocabulary(
            by_kind[ContextKind.PERSON],
            dict(places),
            by_kind[ContextKind.ACTIVITY],
            by_kind[ContextKind.VISUAL_ELEMENT],
            by_kind[ContextKind.ENVIRONMENT],
        )

    def contexts(self, memory_id: str) -> list[AtomicContext]:
        """Every atomic context of a memory, of all origins, most confident first."""
        return [
            AtomicContext(
                ContextKind(row["kind"]), row["value"], row["confidence"], Origin(row["origin"]), row["why"],
                Provenance(row["made_by"], row["model_revision"], row["prompt_version"], row["made_at"]),
            )
            for row in self._all("SELECT * FROM contexts WHERE memory_id=? ORDER BY confidence DESC, kind, key", memory_id)
        ]  # fmt: skip

    def values(self, memory_id: str) -> list[StoredValue]:
        """Every stored value of a memory, of all origins."""
        return [
            StoredValue(
                Field(row["field"]), Origin(row["origin"]), row["value"], row["confidence"],
                Provenance(row["made_by"], row["model_revision"], row["prompt_version"], row["made_at"]),
            )
            for row in self._all("SELECT * FROM memory_values WHERE memory_id=? ORDER BY field, origin", memory_id)
        ]  # fmt: skip

    def positions(self) -> list[tuple[str, float, float]]:
        """(id, latitude, longitude) of every memory whose shown place has coordinates."""
        return [
            (row["id"], row["latitude"], row["longitude"])
            for row in self._all(
                f"SELECT m.id, m.latitude, m.longitude FROM memories m WHERE m.latitude IS NOT NULL AND {self._visible}"
            )
        ]

    def places_by_origin(self, memory_ids: Sequence[str]) -> dict[str, dict[Origin, Place]]:
        """Every place that is known of these memories, by memory and origin."""
        found: dict[str, dict[Origin, Place]] = {memory_id: {} for memory_id in memory_ids}
        sql = "SELECT memory_id, origin, value FROM memory_values WHERE field='place' AND memory_id IN (SELECT value FROM json_each(?))"
        for row in self._all(sql, json.dumps(list(memory_ids))):
            if (place := rows.place_from(row["value"])) is not None:
                found[row["memory_id"]][Origin(row["origin"])] = place
        return found

    def dates_by_origin(self, memory_ids: Sequence[str]) -> dict[str, dict[Origin, Taken]]:
        """Every date that is known of these memories, by memory and origin."""
        found: dict[str, dict[Origin, Taken]] = {memory_id: {} for memory_id in memory_ids}
        sql = "SELECT memory_id, origin, value FROM memory_values WHERE field='taken' AND memory_id IN (SELECT value FROM json_each(?))"
        for row in self._all(sql, json.dumps(list(memory_ids))):
            origin = Origin(row["origin"])
            found[row["memory_id"]][origin] = rows.taken_from(row["value"], origin)
        return found

    def ids_with_origin(self, field: Field, origin: Origin) -> list[str]:
        """Memories of which an origin has said something about a field."""
        sql = "SELECT memory_id FROM memory_values WHERE field=? AND origin=?"
        return [row["memory_id"] for row in self._all(sql, field, origin)]

    def fingerprints(self) -> dict[str, int]:
        """Perceptual hashes by memory id, of memories that have one."""
        return {
            row["id"]: row["fingerprint"]
            for row in self._all(
                f"SELECT m.id, m.fingerprint FROM memories m WHERE m.fingerprint IS NOT NULL AND {self._visible}"
            )
        }

    def delete(self, memory_id: str) -> None:
        """Remove a memory and every trace of it in the database (its vectors are removed by `EmbeddingStore.sweep`)."""
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM memory_words WHERE rowid=(SELECT seq FROM memories WHERE id=?)", (memory_id,)
            )
            connection.execute(
                "DELETE FROM memory_letters WHERE rowid=(SELECT seq FROM memories WHERE id=?)", (memory_id,)
            )
            connection.execute("DELETE FROM memories WHERE id=?", (memory_id,))

    def _load(self, ids: str) -> dict[str, CapturedMemory]:
        among = "IN (SELECT value FROM json_each(?))"
        contexts = self._contexts_by_memory(ids, among)
        events = self._grouped(
            f"SELECT memory_id, event_id AS v FROM event_members WHERE memory_id {among} ORDER BY event_id", ids
        )
        files = self._grouped(
            "SELECT memory_id, v FROM (SELECT memory_id, path AS v, state, role, id FROM files "
            "WHERE memory_id IN (SELECT value FROM json_each(?1)) UNION "
            "SELECT p.memory_id, f.path, f.state, f.role, f.id FROM file_parts p JOIN files f ON f.id=p.file_id "
            "WHERE p.memory_id IN (SELECT value FROM json_each(?1))) "
            "ORDER BY state='present' DESC, role<>'original', length(v), v",
            ids,
        )
        origins: dict[str, dict[str, str]] = defaultdict(dict)
        for row in self._all(f"SELECT memory_id, field, origin FROM memory_values WHERE memory_id {among}", ids):
            known = origins[row["memory_id"]].get(row["field"])
            if known is None or ORIGIN_RANK[Origin(row["origin"])] > ORIGIN_RANK[Origin(known)]:
                origins[row["memory_id"]][row["field"]] = row["origin"]
        return {
            row["id"]: memory_from(
                row,
                contexts["" if row["private"] == UNDERSTANDING else row["id"]],
                events[row["id"]],
                files[row["id"]],
                origins[row["id"]],
            )
            for row in self._all(
                "SELECT m.*, v.level AS private, EXISTS (SELECT 1 FROM files f WHERE f.memory_id=m.id) AND NOT EXISTS "
                "(SELECT 1 FROM files f WHERE f.memory_id=m.id AND f.state<>'missing') AS is_missing "
                "FROM memories m LEFT JOIN private v ON v.memory_id=m.id "
                f"WHERE {self._visible} AND m.id {among}",
                ids,
            )
        }

    def _contexts_by_memory(self, ids: str, among: str) -> dict[str, dict[str, list[str]]]:
        """Values by kind; where the person has spoken about a kind, only theirs."""
        found: dict[str, dict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
        sql = (
            f"SELECT memory_id, kind, value, origin FROM contexts WHERE memory_id {among} ORDER BY confidence DESC, key"
        )
        for row in self._all(sql, ids):
            found[row["memory_id"]][row["kind"]].append((row["value"], row["origin"]))
        shown: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for memory_id, kinds in found.items():
            for kind, values in kinds.items():
                own = [value for value, origin in values if origin == Origin.PERSON]
                shown[memory_id][kind] = _without_repeats(own or [value for value, _ in values])
        return shown

    def _grouped(self, sql: str, ids: str) -> dict[str, list[str | bytes]]:
        found: dict[str, list[str | bytes]] = defaultdict(list)
        for row in self._all(sql, ids):
            found[row["memory_id"]].append(row["v"])
        return found

    def _where(self, wanted: MemoryFilter | None) -> tuple[str, list[object]]:
        where, values = condition(wanted or MemoryFilter())
        return f"{where} AND {self._visible}", values

    def _all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        return self._database.read().execute(sql, values).fetchall()

    def _one(self, sql: str, *values: object) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._database.read().execute(sql, values).fetchone()
        return row


def _escaped(piece: str) -> str:
    return piece.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _without_repeats(values: list[str]) -> list[str]:
    seen: dict[str, str] = {}
    for value in values:
        seen.setdefault(text_key(value), value)
    return list(seen.values())
