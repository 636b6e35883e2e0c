"""Moments and events, their members, and the links back from each memory."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.errors import RequestError
from core.records import Event, EventStatus, Moment, Provenance
from core.store import rows
from core.store.database import Database
from core.text_keys import printable, text_key


class EventStore:
    """Reads and writes moments and events. A parent's members include those of its children."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace_moments(self, moments: Iterable[Moment]) -> None:
        """Make these the moments of the library, in one transaction."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM moments")
            self._add_moments(connection, moments)

    def change_moments(self, gone: Iterable[str], fresh: Sequence[Moment]) -> None:
        """Remove some moments and add others, in one transaction; a memory that is in a fresh one leaves its old one."""
        with self._database.write() as connection:
            connection.executemany("DELETE FROM moments WHERE id=?", [(each,) for each in gone])
            members = json.dumps([member for moment in fresh for member in moment.member_ids])
            connection.execute(
                "DELETE FROM moment_members WHERE memory_id IN (SELECT value FROM json_each(?))", (members,)
            )
            self._add_moments(connection, fresh)

    @staticmethod
    def _add_moments(connection: sqlite3.Connection, moments: Iterable[Moment]) -> None:
        for moment in moments:
            connection.execute(
                "INSERT INTO moments VALUES (?,?,?,?)",
                (moment.id, rows.wall_text(moment.start), rows.wall_text(moment.end), printable(moment.place)),
            )
            connection.executemany(
                "INSERT INTO moment_members VALUES (?,?)", [(member, moment.id) for member in moment.member_ids]
            )

    def moments(self) -> list[Moment]:
        """Every moment in time order."""
        return self._moments("1")

    def moments_of(self, memory_ids: Sequence[str]) -> list[Moment]:
        """The moments that hold any of these memories, whole, in time order."""
        held = "SELECT moment_id FROM moment_members WHERE memory_id IN (SELECT value FROM json_each(?))"
        return self._moments(f"mo.id IN ({held})", json.dumps(list(memory_ids)))

    def moments_between(self, first_day: str, last_day: str) -> list[Moment]:
        """The moments with a time on any day of an inclusive range of ISO days, whole, in time order."""
        return self._moments("mo.started <= ?2 || 'T99' AND mo.ended >= ?1", first_day, last_day)

    def days_with_moments(self, day: str, number: int, *, later: bool) -> list[str]:
        """The days of the next so many moments that begin before (or after) a day, nearest first."""
        order, sign = ("ASC", ">") if later else ("DESC", "<")
        bound = f"{day}T99" if later else day
        sql = (
            f"SELECT substr(started, 1, 10) AS day FROM moments WHERE started {sign} ? ORDER BY started {order} LIMIT ?"
        )
        return [row["day"] for row in self._database.read().execute(sql, (bound, number))]

    def _moments(self, where: str, *values: str) -> list[Moment]:
        read = self._database.read()
        found = read.execute(f"SELECT mo.* FROM moments mo WHERE {where} ORDER BY mo.started, mo.id", values).fetchall()
        among = "1" if where == "1" else "mm.moment_id IN (SELECT value FROM json_each(?))"
        members = self._members(
            "SELECT mm.moment_id AS owner, mm.memory_id FROM moment_members mm JOIN memories m ON m.id=mm.memory_id "
            f"WHERE {among} ORDER BY m.wall, m.public_id",
            *(() if where == "1" else (json.dumps([row["id"] for row in found]),)),
        )
        moments = []
        for row in found:
            start, end = rows.wall_time(row["started"]), rows.wall_time(row["ended"])
            if start and end:
                moments.append(
                    Moment(id=row["id"], start=start, end=end, place=row["place"], member_ids=members[row["id"]])
                )
        return moments

    def put(self, event: Event) -> None:
        """Add or replace an event and its members, in one transaction."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET name=excluded.name, "
                "key=excluded.key, started=excluded.started, ended=excluded.ended, place=excluded.place, summary=excluded.summary, "
                "importance=excluded.importance, parent_id=excluded.parent_id, status=excluded.status, confidence=excluded.confidence, "
                "why=excluded.why, made_by=excluded.made_by, model_revision=excluded.model_revision, "
                "prompt_version=excluded.prompt_version, made_at=excluded.made_at, corrected=excluded.corrected, stale=excluded.stale",
                (event.id, printable(event.name), text_key(event.name), rows.wall_text(event.start), rows.wall_text(event.end),
                 printable(event.place), printable(event.summary), event.importance, event.parent_id, event.status, event.confidence,
                 printable(event.why), *rows.made(event.provenance), int(event.corrected), int(event.stale)),
            )  # fmt: skip
            connection.execute("DELETE FROM event_members WHERE event_id=?", (event.id,))
            connection.executemany(
                "INSERT INTO event_members VALUES (?,?)",
                [(event.id, member) for member in dict.fromkeys(event.member_ids)],
            )

    def remove(self, event_ids: Sequence[str]) -> None:
        """Remove events; their memories stay, their children lose their parent."""
        with self._database.write() as connection:
            connection.executemany("DELETE FROM events WHERE id=?", [(event_id,) for event_id in event_ids])

    def all(self) -> list[Event]:
        """Every event, oldest first, undated last."""
        return self._load("1", ())

    def many(self, event_ids: Sequence[str]) -> list[Event]:
        """Events in time order."""
        return self._load("e.id IN (SELECT value FROM json_each(?))", (json.dumps(list(event_ids)),))

    def get(self, event_id: str) -> Event:
        """One event by id or by its unambiguous beginning (at least four letters).

        Raises:
            RequestError: none or several have it.
        """
        found = self._load("e.id = ?1 OR (length(?1) >= 4 AND substr(e.id, 1, length(?1)) = ?1)", (event_id,))
        exact = [event for event in found if event.id == event_id] or found
        if len(exact) != 1:
            problem = "There is no event" if not exact else "Several events begin with"
            raise RequestError(f"{problem} {event_id!r}.", "`madeleine events list` prints ids.")
        return exact[0]

    def mark_stale(self, memory_ids: Sequence[str]) -> None:
        """Mark every event that holds one of these memories as derived from something that has changed."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE events SET stale=1 WHERE id IN "
                "(SELECT event_id FROM event_members WHERE memory_id IN (SELECT value FROM json_each(?)))",
                (json.dumps(list(memory_ids)),),
            )

    def _load(self, where: str, values: tuple[str, ...]) -> list[Event]:
        found = (
            self._database.read()
            .execute(
                f"SELECT e.* FROM events e WHERE {where} ORDER BY e.started IS NULL, e.started, e.importance DESC, e.id",
                values,
            )
            .fetchall()
        )
        members = self._members(
            "SELECT em.event_id AS owner, em.memory_id FROM event_members em JOIN memories m ON m.id=em.memory_id "
            "WHERE em.event_id IN (SELECT value FROM json_each(?)) ORDER BY m.wall IS NULL, m.wall, m.seq",
            json.dumps([row["id"] for row in found]),
        )
        return [_event(row, members[row["id"]]) for row in found]

    def _members(self, sql: str, *values: str) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for row in self._database.read().execute(sql, values):
            found[row["owner"]].append(row["memory_id"])
        return defaultdict(tuple, {owner: tuple(members) for owner, members in found.items()})


def _event(row: sqlite3.Row, members: tuple[str, ...]) -> Event:
    return Event(
        id=row["id"],
        name=row["name"],
        start=rows.wall_time(row["started"]),
        end=rows.wall_time(row["ended"]),
        place=row["place"],
        summary=row["summary"],
        importance=row["importance"],
        parent_id=row["parent_id"],
        member_ids=members,
        status=EventStatus(row["status"]),
        confidence=row["confidence"],
        why=row["why"],
        provenance=Provenance(row["made_by"], row["model_revision"], row["prompt_version"], row["made_at"]),
        corrected=bool(row["corrected"]),
        stale=bool(row["stale"]),
    )
