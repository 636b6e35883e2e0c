"""What augmenting keeps for its next run: derived events before any correction, days that changed, clocks that look wrong."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.records import Clock
from core.store.database import Database
from core.text_keys import printable

UNDATED = ""
"""Stands for the day of what has none."""


@dataclass(frozen=True, slots=True)
class DerivedEvent:
    """An event as it was derived, as JSON text, with its first and last day in ISO form (`UNDATED` where it has none)."""

    id: str
    first_day: str
    last_day: str
    fields: str


class DerivedStore:
    """Reads and writes them. Triggers of the database note for the reader "moments" each day on which a memory changed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # derived events

    def events(self) -> list[DerivedEvent]:
        """Every derived event, by day."""
        return self._events("1")

    def events_between(self, first_day: str, last_day: str) -> list[DerivedEvent]:
        """Derived events with a day in an inclusive range; undated ones are in none."""
        return self._events("first_day > '' AND first_day <= ?2 AND last_day >= ?1", first_day, last_day)

    def undated_events(self) -> list[DerivedEvent]:
        """Derived events without a day."""
        return self._events("first_day=''")

    def events_named(self, event_ids: Sequence[str]) -> list[DerivedEvent]:
        """Derived events by id; unknown ones are left out."""
        return self._events("id IN (SELECT value FROM json_each(?))", json.dumps(list(event_ids)))

    def events_holding(self, memory_id: str) -> list[DerivedEvent]:
        """Derived events that a memory is in."""
        return self._events("instr(fields, ?)", memory_id)

    def events_without_vector(self, model_id: str) -> list[str]:
        """Ids of shown events that have no vector of a model yet."""
        sql = "SELECT id FROM events WHERE id NOT IN (SELECT owner_id FROM embedded WHERE kind='event' AND model_id=?)"
        return [row["id"] for row in self._database.read().execute(sql, (model_id,))]

    def days_with_memories(self) -> list[str]:
        """Every day on which a memory was taken."""
        sql = "SELECT DISTINCT day FROM memories WHERE forgotten=0 AND day IS NOT NULL ORDER BY day"
        return [row["day"] for row in self._database.read().execute(sql)]

    def strange_events(self) -> list[str]:
        """Ids of shown events that were not derived here: corrections made them, or an import brought them."""
        sql = "SELECT id FROM events WHERE id NOT IN (SELECT id FROM derived_events)"
        return [row["id"] for row in self._database.read().execute(sql)]

    def living(self, memory_ids: Sequence[str]) -> list[str]:
        """Those of the memories that are neither forgotten nor kept private."""
        sql = (
            "SELECT id FROM memories m WHERE forgotten=0 AND id IN (SELECT value FROM json_each(?)) "
            "AND NOT EXISTS (SELECT 1 FROM private v WHERE v.memory_id=m.id)"
        )
        return [row["id"] for row in self._database.read().execute(sql, (json.dumps(list(memory_ids)),))]

    def days_of(self, memory_ids: Sequence[str]) -> list[str]:
        """The days on which memories were taken; `UNDATED` where one has none."""
        sql = "SELECT DISTINCT coalesce(day, '') AS day FROM memories WHERE id IN (SELECT value FROM json_each(?))"
        return [row["day"] for row in self._database.read().execute(sql, (json.dumps(list(memory_ids)),))]

    def replace_events(self, gone: Iterable[str], fresh: Iterable[DerivedEvent]) -> None:
        """Remove some, then add or replace others, in one transaction."""
        with self._database.write() as connection:
            connection.executemany("DELETE FROM derived_events WHERE id=?", [(each,) for each in gone])
            connection.executemany(
                "INSERT OR REPLACE INTO derived_events VALUES (?,?,?,?)",
                [(each.id, each.first_day, each.last_day, each.fields) for each in fresh],
            )

    def _events(self, where: str, *values: str) -> list[DerivedEvent]:
        sql = f"SELECT id, first_day, last_day, fields FROM derived_events WHERE {where} ORDER BY first_day, id"
        return [DerivedEvent(*row) for row in self._database.read().execute(sql, values)]

    # neighbours in time

    def neighbours(self, wall: str, number: int, *, later: bool) -> list[str]:
        """Ids of so many memories taken before (or not before) a wall time, in time order."""
        order, sign = ("ASC", ">=") if later else ("DESC", "<")
        sql = f"SELECT id FROM memories WHERE forgotten=0 AND wall {sign} ? ORDER BY wall {order}, public_id {order} LIMIT ?"
        found = [row["id"] for row in self._database.read().execute(sql, (wall, number))]
        return found if later else found[::-1]

    def memories_on(self, days: Sequence[str]) -> list[str]:
        """Ids of memories taken on any of these days."""
        sql = "SELECT id FROM memories WHERE forgotten=0 AND day IN (SELECT value FROM json_each(?)) ORDER BY wall, public_id"
        return [row["id"] for row in self._database.read().execute(sql, (json.dumps(list(days)),))]

    def memories_numbered(self, prefix: str, number: int, digits: int, around: int) -> list[str]:
        """Ids of memories whose file name is a prefix and a number of so many digits, not further than `around` away."""
        low, high = max(0, number - around), min(10**digits - 1, number + around)
        sql = (
            "SELECT id FROM memories WHERE forgotten=0 AND wall IS NOT NULL AND file_name >= ?1 AND file_name < ?2 "
            "AND substr(file_name, ?3, 1) = '.'"
        )
        bounds = f"{prefix}{low:0{digits}}", f"{prefix}{high:0{digits}}/", len(prefix) + digits + 1
        return [row["id"] for row in self._database.read().execute(sql, bounds)]

    def memories_showing(self, key: str) -> list[str]:
        """Ids of memories with an activity or a visual element of this key."""
        sql = "SELECT DISTINCT memory_id FROM contexts WHERE kind IN ('activity', 'visual_element') AND key=?"
        return [row["memory_id"] for row in self._database.read().execute(sql, (key,))]

    def memories_made_by(self, maker: str) -> list[str]:
        """Ids of memories with the person's word from one maker."""
        sql = "SELECT DISTINCT memory_id FROM contexts WHERE kind='person' AND origin='person' AND made_by=?"
        return [row["memory_id"] for row in self._database.read().execute(sql, (maker,))]

    def places_seen(self, first_day: str, last_day: str) -> list[tuple[str, str, bool, str]]:
        """(id, wall time, whether only its day is known, place as JSON) of memories that are surely dated and have a place."""
        sql = (
            "SELECT id, wall, day_only, place FROM memories WHERE forgotten=0 AND day BETWEEN ? AND ? AND place IS NOT NULL "
            "AND date_confidence >= 0.5 ORDER BY wall"
        )
        return [
            (row[0], row[1], bool(row[2]), row[3]) for row in self._database.read().execute(sql, (first_day, last_day))
        ]

    # days that changed

    def changed_days(self, reader: str) -> list[str]:
        """Days on which something changed since the reader last said that it had seen them, in order."""
        sql = "SELECT day FROM changed_days WHERE reader=? ORDER BY day"
        return [row["day"] for row in self._database.read().execute(sql, (reader,))]

    def note_days(self, reader: str, days: Iterable[str]) -> None:
        """Tell a reader that something changed on these days."""
        with self._database.write() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO changed_days VALUES (?,?)", [(reader, day) for day in set(days)]
            )

    def seen_days(self, reader: str) -> None:
        """The reader has dealt with every day that it was told of."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM changed_days WHERE reader=?", (reader,))

    # changed memories

    def changed_memories(self, reader: str) -> list[str]:
        """Ids of memories that changed since the reader last saw them, forgotten ones included."""
        sql = "SELECT memory_id FROM changed_memories WHERE reader=? ORDER BY memory_id"
        return [row["memory_id"] for row in self._database.read().execute(sql, (reader,))]

    def note_memories(self, reader: str, memory_ids: Iterable[str]) -> None:
        """Tell a reader that these changed."""
        with self._database.write() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO changed_memories VALUES (?,?)", [(reader, each) for each in memory_ids]
            )

    def seen_memories(self, reader: str, memory_ids: Iterable[str] | None = None) -> None:
        """The reader has dealt with these memories, or with all that it was told of."""
        with self._database.write() as connection:
            if memory_ids is None:
                connection.execute("DELETE FROM changed_memories WHERE reader=?", (reader,))
            else:
                connection.executemany(
                    "DELETE FROM changed_memories WHERE reader=? AND memory_id=?",
                    [(reader, each) for each in memory_ids],
                )

    # clocks

    def clocks(self) -> list[Clock]:
        """Clocks that look wrong, with the memories of each in time order."""
        members: dict[str, list[str]] = defaultdict(list)
        read = self._database.read()
        for row in read.execute(
            "SELECT c.clock_id, c.memory_id FROM clock_members c CROSS JOIN memories m ON m.id=c.memory_id ORDER BY m.wall, m.seq"
        ):
            members[row["clock_id"]].append(row["memory_id"])
        return [
            Clock(row["id"], row["camera"], row["shift_s"], row["why"], tuple(members[row["id"]]))
            for row in read.execute("SELECT id, camera, shift_s, why FROM clocks ORDER BY id")
        ]

    def replace_clocks(self, clocks: Iterable[Clock]) -> None:
        """Make these the clocks that look wrong, in one transaction."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM clocks")
            for clock in clocks:
                connection.execute(
                    "INSERT INTO clocks VALUES (?,?,?,?)",
                    (clock.id, printable(clock.camera), clock.shift_s, printable(clock.why)),
                )
                connection.executemany(
                    "INSERT INTO clock_members VALUES (?,?)", [(clock.id, member) for member in clock.member_ids]
                )
