"""The life graph's nodes and edges, walked by index."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence

from core.records import Attributes, Concept, Edge, Node, ToldRelation, Triple
from core.store import rows
from core.store.database import Database
from core.text_keys import printable, text_key

PERSON, EVENT, DATE, LOCATION, ACTIVITY, OBJECT = "PersonAnimal", "Event", "Date", "Location", "Activity", "Object"
KINDS = (PERSON, EVENT, DATE, LOCATION, ACTIVITY, OBJECT)
_NODE = "id, kind, name, ref"
UNUSED_NODE = (
    "NOT EXISTS (SELECT 1 FROM edges e WHERE e.source_id=nodes.id) AND NOT EXISTS (SELECT 1 FROM edges e WHERE e.target_id=nodes.id) "
    "AND NOT EXISTS (SELECT 1 FROM told_relations t WHERE t.source_id=nodes.id) "
    "AND NOT EXISTS (SELECT 1 FROM told_relations t WHERE t.target_id=nodes.id)"
)
"""The condition of a node that nothing states any more."""


class GraphStore:
    """Reads and writes the graph. Every edge carries the memories it was read from, so forgetting a memory removes its edges.

    What the person told lies on top: a relation they told is an edge without memories, one they took away is not shown.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, triples: Iterable[Triple]) -> None:
        """Make these the derived graph, in one transaction; what the person told stays."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM edges")
            self.add(triples)
            connection.execute(f"DELETE FROM nodes WHERE {UNUSED_NODE}")

    def put(self, memory_ids: Collection[str], triples: Iterable[Triple], *, by_model: bool = False) -> None:
        """Make these all that rules (or a model) read from these memories, in one transaction."""
        maker = "<>" if by_model else "="
        with self._database.write() as connection:
            touched: set[str] = set()
            for memory_id in memory_ids:
                where = f"FROM edges WHERE memory_id=? AND made_by{maker}'rule'"
                for row in connection.execute(f"SELECT source_id, target_id {where}", (memory_id,)):
                    touched.update(row)
                connection.execute(f"DELETE {where}", (memory_id,))
            self.add(triples)
            self._sweep(connection, touched)

    def add(self, triples: Iterable[Triple]) -> None:
        """Add edges to the graph, in one transaction; those that are there stay."""
        with self._database.write() as connection:
            ids: dict[tuple[str, str], str] = {}
            for triple in triples:
                source, target = (_node_id(connection, end, ids) for end in (triple.source, triple.target))
                connection.execute(
                    "INSERT OR IGNORE INTO edges VALUES (?,?,?,?,?,?)",
                    (source, printable(triple.relation), target, triple.memory_id, attributes_text(triple.attributes), triple.made_by),
                )  # fmt: skip

    def tell(self, relations: Iterable[ToldRelation]) -> None:
        """Make these all that the person told, in one transaction; a later one of the same ends and relation counts."""
        with self._database.write() as connection:
            before = {
                end for row in connection.execute("SELECT source_id, target_id FROM told_relations") for end in row
            }
            connection.execute("DELETE FROM told_relations")
            ids: dict[tuple[str, str], str] = {}
            for each in relations:
                source, target = (_node_id(connection, end, ids) for end in (each.source, each.target))
                connection.execute(
                    "INSERT OR REPLACE INTO told_relations VALUES (?,?,?,?,?,?)",
                    (source, printable(each.relation), target, each.holds, attributes_text(each.attributes), each.correction_id),
                )  # fmt: skip
            self._sweep(connection, before)

    def told(self) -> list[ToldRelation]:
        """Everything the person told, in a fixed order."""
        cursor = self._database.read().execute(
            "SELECT s.kind AS sk, s.name AS sn, s.ref AS sr, t.relation, e.kind AS ek, e.name AS en, e.ref AS er, t.holds, "
            "t.attributes, t.correction_id FROM told_relations t JOIN nodes s ON s.id=t.source_id JOIN nodes e ON e.id=t.target_id "
            "ORDER BY s.kind, s.key, t.relation, e.kind, e.key, e.ref"
        )
        return [
            ToldRelation(
                source=Concept(row["sk"], row["sn"], row["sr"]),
                relation=row["relation"],
                target=Concept(row["ek"], row["en"], row["er"]),
                holds=bool(row["holds"]),
                attributes=attributes_of(row["attributes"]),
                correction_id=row["correction_id"],
            )
            for row in cursor
        ]

    def find(self, name: str, kind: str | None = None) -> list[Node]:
        """Nodes of a name; an event also by its id."""
        cursor = self._database.read().execute(
            f"SELECT {_NODE} FROM nodes WHERE (key=?1 OR (kind='{EVENT}' AND identity=?1)) AND (?2 IS NULL OR kind=?2) "
            "ORDER BY kind, ref",
            (text_key(name), kind),
        )
        return [Node(*row) for row in cursor]

    def nodes(self, node_ids: Sequence[str]) -> dict[str, Node]:
        """Nodes by id."""
        cursor = self._database.read().execute(
            f"SELECT {_NODE} FROM nodes WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(node_ids)),)
        )
        return {row["id"]: Node(*row) for row in cursor}

    def edges_at(self, node_id: str, *, with_removed: bool = False) -> list[Edge]:
        """Edges that begin or end at a node, those the person told first, then those with most memories.

        Args:
            with_removed: also those that the person took away.
        """
        read = self._database.read()
        grouped: dict[tuple[str, str, str], list[sqlite3.Row]] = {}
        for row in read.execute("SELECT * FROM edges WHERE source_id=?1 OR target_id=?1", (node_id,)):
            grouped.setdefault((row["source_id"], row["relation"], row["target_id"]), []).append(row)
        edges = {ends: _edge(ends, found) for ends, found in grouped.items()}
        for row in read.execute("SELECT * FROM told_relations WHERE source_id=?1 OR target_id=?1", (node_id,)):
            ends = (row["source_id"], row["relation"], row["target_id"])
            if row["holds"]:
                memories = edges[ends].memory_ids if ends in edges else ()
                edges[ends] = Edge(*ends, memories, attributes_of(row["attributes"]), "person")
            elif not with_removed:
                edges.pop(ends, None)
        return sorted(
            edges.values(),
            key=lambda edge: (edge.made_by != "person", -len(edge.memory_ids), edge.relation, edge.target_id),
        )

    def sources(self, node_id: str, limit: int = 50) -> list[str]:
        """The memories a node was read from, newest first."""
        cursor = self._database.read().execute(
            "SELECT m.id FROM memories m WHERE m.id IN (SELECT memory_id FROM edges WHERE source_id=?1 "
            "UNION SELECT memory_id FROM edges WHERE target_id=?1) ORDER BY m.wall IS NULL, m.wall DESC, m.seq LIMIT ?2",
            (node_id, limit),
        )
        return [row["id"] for row in cursor]

    def nodes_of(self, memory_id: str) -> list[Node]:
        """What a memory states something about."""
        cursor = self._database.read().execute(
            f"SELECT {_NODE} FROM nodes WHERE id IN (SELECT source_id FROM edges WHERE memory_id=?1 "
            "UNION SELECT target_id FROM edges WHERE memory_id=?1)",
            (memory_id,),
        )
        return [Node(*row) for row in cursor]

    def all(self) -> Iterator[Triple]:
        """Every derived triple that the person did not take away, in a fixed order."""
        cursor = self._database.read().execute(
            "SELECT s.kind, s.name, s.ref, e.relation, t.kind, t.name, t.ref, e.memory_id, e.attributes, e.made_by "
            "FROM edges e JOIN nodes s ON s.id=e.source_id JOIN nodes t ON t.id=e.target_id JOIN memories m ON m.id=e.memory_id "
            "WHERE NOT EXISTS (SELECT 1 FROM told_relations n WHERE n.source_id=e.source_id AND n.relation=e.relation "
            "AND n.target_id=e.target_id AND n.holds=0) "
            "ORDER BY s.kind, s.key, s.ref, e.relation, t.kind, t.key, t.ref, m.wall IS NULL, m.wall, m.seq"
        )
        for row in cursor:
            yield Triple(
                source=Concept(*row[0:3]),
                relation=row[3],
                target=Concept(*row[4:7]),
                memory_id=row[7],
                attributes=attributes_of(row[8]),
                made_by=row[9],
            )

    def counts(self) -> tuple[int, int]:
        """How many nodes and edges there are, an edge for each memory that states it."""
        row = (
            self._database.read()
            .execute(
                "SELECT (SELECT count(*) FROM nodes), (SELECT count(*) FROM edges) + "
                "(SELECT count(*) FROM told_relations WHERE holds=1)"
            )
            .fetchone()
        )
        return row[0], row[1]

    def _sweep(self, connection: sqlite3.Connection, node_ids: Iterable[str]) -> None:
        connection.executemany(f"DELETE FROM nodes WHERE id=? AND {UNUSED_NODE}", [(each,) for each in node_ids])


def attributes_text(attributes: Attributes) -> str:
    """Attributes as stored; empty for none."""
    return json.dumps([[role, list(values)] for role, values in attributes], ensure_ascii=False) if attributes else ""


def attributes_of(text: str) -> Attributes:
    """The attributes of a stored text."""
    return tuple((role, tuple(values)) for role, values in json.loads(text)) if text else ()


def joined(several: Iterable[Attributes]) -> Attributes:
    """Attributes of several sources together: by role, each value once."""
    found: dict[str, dict[str, None]] = {}
    for attributes in several:
        for role, values in attributes:
            found.setdefault(role, {}).update(dict.fromkeys(values))
    return tuple((role, tuple(values)) for role, values in found.items())


def _node_id(connection: sqlite3.Connection, concept: Concept, ids: dict[tuple[str, str], str]) -> str:
    """The id of a concept's node, made where there is none; an event that was renamed has its new name."""
    key = text_key(concept.name)
    identity = concept.ref or key
    if (concept.kind, identity) not in ids:
        row = connection.execute(
            "SELECT id, key FROM nodes WHERE kind=? AND identity=?", (concept.kind, identity)
        ).fetchone()
        if row is None:
            node_id = rows.new_id()
            connection.execute(
                "INSERT INTO nodes VALUES (?,?,?,?,?,?)",
                (node_id, concept.kind, printable(concept.name), key, concept.ref, identity),
            )
        else:
            node_id = row["id"]
            if row["key"] != key:
                connection.execute("UPDATE nodes SET name=?, key=? WHERE id=?", (printable(concept.name), key, node_id))
        ids[(concept.kind, identity)] = node_id
    return ids[(concept.kind, identity)]


def _edge(ends: tuple[str, str, str], found: Sequence[sqlite3.Row]) -> Edge:
    return Edge(
        *ends,
        tuple(row["memory_id"] for row in found),
        joined(attributes_of(row["attributes"]) for row in found if row["attributes"]),
        min((row["made_by"] for row in found), key=lambda maker: maker != "rule"),
    )
