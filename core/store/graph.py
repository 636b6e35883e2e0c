"""The life graph's nodes and edges, walked by index."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.records import Edge, Node
from core.store import rows
from core.store.database import Database
from core.text_keys import printable, text_key


class GraphStore:
    """Reads and writes the graph. Every edge carries the memory it was read from, so forgetting a memory removes its edges."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, edges: Iterable[tuple[tuple[str, str], str, tuple[str, str], str]]) -> None:
        """Make these the graph, in one transaction. An edge is ((kind, name), relation, (kind, name), memory id)."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM edges")
            connection.execute("DELETE FROM nodes")
            self.add(edges)

    def add(self, edges: Iterable[tuple[tuple[str, str], str, tuple[str, str], str]]) -> None:
        """Add edges to the graph, in one transaction; those that are there stay."""
        with self._database.write() as connection:
            ids = {
                (row["kind"], row["key"]): row["id"] for row in connection.execute("SELECT id, kind, key FROM nodes")
            }
            for source, relation, target, memory_id in edges:
                for kind, name in (source, target):
                    key = (kind, text_key(name))
                    if key not in ids:
                        ids[key] = rows.new_id()
                        connection.execute(
                            "INSERT INTO nodes VALUES (?,?,?,?)", (ids[key], kind, printable(name), key[1])
                        )
                ends = [ids[(kind, text_key(name))] for kind, name in (source, target)]
                connection.execute(
                    "INSERT OR IGNORE INTO edges VALUES (?,?,?,?)", (ends[0], relation, ends[1], memory_id)
                )

    def find(self, name: str, kind: str | None = None) -> list[Node]:
        """Nodes of a name."""
        cursor = self._database.read().execute(
            "SELECT id, kind, name FROM nodes WHERE key=?1 AND (?2 IS NULL OR kind=?2)", (text_key(name), kind)
        )
        return [Node(row["id"], row["kind"], row["name"]) for row in cursor]

    def nodes(self, node_ids: Sequence[str]) -> dict[str, Node]:
        """Nodes by id."""
        cursor = self._database.read().execute(
            "SELECT id, kind, name FROM nodes WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(node_ids)),),
        )
        return {row["id"]: Node(row["id"], row["kind"], row["name"]) for row in cursor}

    def edges_at(self, node_id: str) -> list[Edge]:
        """Edges that begin or end at a node, those with most memories first."""
        grouped: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for row in self._database.read().execute("SELECT * FROM edges WHERE source_id=?1 OR target_id=?1", (node_id,)):
            grouped[(row["source_id"], row["relation"], row["target_id"])].append(row["memory_id"])
        edges = [
            Edge(source, relation, target, tuple(memories)) for (source, relation, target), memories in grouped.items()
        ]
        return sorted(edges, key=lambda edge: (-len(edge.memory_ids), edge.relation, edge.target_id))

    def all(self) -> list[tuple[tuple[str, str], str, tuple[str, str], str]]:
        """Every edge as `replace` takes it, in a fixed order."""
        cursor = self._database.read().execute(
            "SELECT s.kind, s.name, e.relation, t.kind, t.name, e.memory_id FROM edges e JOIN nodes s ON s.id=e.source_id "
            "JOIN nodes t ON t.id=e.target_id JOIN memories m ON m.id=e.memory_id "
            "ORDER BY s.kind, s.key, e.relation, t.kind, t.key, m.wall IS NULL, m.wall, m.seq"
        )
        return [((row[0], row[1]), row[2], (row[3], row[4]), row[5]) for row in cursor]

    def counts(self) -> tuple[int, int]:
        """How many nodes and edges there are."""
        row = (
            self._database.read()
            .execute("SELECT (SELECT count(*) FROM nodes), (SELECT count(*) FROM edges)")
            .fetchone()
        )
        return row[0], row[1]
