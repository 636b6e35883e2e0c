"""Which memories may be worth the person's eye? SQL finds them among 100,000 without loading one; what is wrong is told elsewhere.

Each query may name too many, never too few. Also: which doubts the person has dismissed.
"""

import hashlib
import json
from collections.abc import Collection
from datetime import date, datetime

from core.records import Doubt, Origin
from core.store.database import Database

DOUBT = "doubt"
"""The target kind of corrections that dismiss a doubt about a memory."""


def doubt_key(doubt: Doubt) -> str:
    """What makes a doubt the same after every run, without the words that may have to be forgotten."""
    return hashlib.blake2b(f"{doubt.kind}\0{doubt.suggestion}".encode(), digest_size=8).hexdigest()


class DoubtfulStore:
    """Finds memories to look at. What is private is among them: the list is shown to the person only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def dismissed(self) -> frozenset[tuple[str, str]]:
        """Each dismissed doubt, as the memory's id and the doubt's key."""
        rows = self._database.read().execute(
            "SELECT target_id, after FROM corrections WHERE target_kind=? AND undone_at=''", (DOUBT,)
        )
        return frozenset((row["target_id"], str(json.loads(row["after"])["key"])) for row in rows)

    def damaged(self) -> set[str]:
        """Memories part of whose file is missing."""
        return self._ids("json_extract(m.media, '$.damaged')")

    def by_date(self, latest: datetime, days_apart: float, camera: Collection[Origin], trusted: float) -> set[str]:
        """Memories dated after `latest`, at an hour that no clock shows, or otherwise than another source or a print says."""
        origins = json.dumps([origin.value for origin in camera])
        named = (
            "EXISTS (SELECT 1 FROM memory_values n JOIN memory_values c ON c.memory_id=n.memory_id AND c.field='taken' "
            "AND c.origin IN (SELECT value FROM json_each(?2)) WHERE n.memory_id=m.id AND n.field='taken' "
            f"AND n.origin='file_name' AND {_days_between(_wall_of('c'), _wall_of('n'))}>?3)"
        )
        fixed = (
            "EXISTS (SELECT 1 FROM memory_values g WHERE g.memory_id=m.id AND g.field='taken' AND g.origin='gps' "
            f"AND {_days_between(_wall_of('g'), 'm.wall')}>?3)"
        )
        impossible = "m.day_only AND m.date_confidence<?4 AND m.date_origin IN (SELECT value FROM json_each(?2))"
        printed = "json_extract(m.document, '$.date')<>''"
        where = f"m.wall>?1 OR ({impossible}) OR {printed} OR {fixed} OR {named}"
        return self._ids(where, latest.isoformat(), origins, days_apart, trusted)

    def far_positions(
        self, trusted: float, neighbour_days: float, far_degrees: float, near: date | None = None
    ) -> list[tuple[str, str, str]]:
        """Memories that lie far from the one before: each between those taken right before and right after it.

        Args:
            near: only those of this day and the days around it.
        """
        rows = self._database.read().execute(
            "WITH placed AS (SELECT id, latitude, longitude, "
            "lag(id) OVER w AS before_id, lag(wall) OVER w AS before_wall, lag(latitude) OVER w AS before_latitude, "
            "lag(longitude) OVER w AS before_longitude, lead(id) OVER w AS after_id, lead(wall) OVER w AS after_wall "
            "FROM memories WHERE forgotten=0 AND wall IS NOT NULL AND NOT day_only AND date_confidence>=?1 "
            "AND latitude IS NOT NULL AND longitude IS NOT NULL "
            "AND (?4 IS NULL OR day BETWEEN date(?4, '-1 day') AND date(?4, '+1 day')) WINDOW w AS (ORDER BY wall, seq)) "
            "SELECT before_id, id, after_id FROM placed WHERE before_id IS NOT NULL AND after_id IS NOT NULL "
            "AND julianday(after_wall)-julianday(before_wall)<=?2 "
            "AND (abs(latitude-before_latitude)>?3 OR abs(longitude-before_longitude)>?3)",
            (trusted, neighbour_days, far_degrees, near.isoformat() if near else None),
        )
        return [(row["before_id"], row["id"], row["after_id"]) for row in rows]

    def undated_photos(self, trusted: float) -> set[str]:
        """Photos with a fingerprint but without a time to rely on, that no other picture stands for."""
        return self._ids(
            "m.kind='photo' AND m.fingerprint IS NOT NULL AND m.representative_id IS NULL "
            "AND (m.wall IS NULL OR m.date_confidence<?1)",
            trusted,
        )

    def photo_fingerprints(self) -> dict[str, int]:
        """The perceptual hash of every photo that has one, by id."""
        rows = self._database.read().execute(
            "SELECT id, fingerprint FROM memories WHERE kind='photo' AND fingerprint IS NOT NULL AND forgotten=0"
        )
        return {row["id"]: row["fingerprint"] for row in rows}

    def _ids(self, where: str, *values: str | float) -> set[str]:
        cursor = self._database.read().execute(f"SELECT m.id FROM memories m WHERE m.forgotten=0 AND ({where})", values)
        return {row["id"] for row in cursor}


def _wall_of(value: str) -> str:
    return f"json_extract({value}.value, '$[0]')"


def _days_between(one: str, other: str) -> str:
    return f"abs(julianday({one}) - julianday({other}))"
