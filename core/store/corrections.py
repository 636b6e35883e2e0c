"""What the person changed: an append-only history that no re-run touches."""

from collections.abc import Iterable
from dataclasses import replace

from core.errors import RequestError
from core.records import Correction
from core.store import rows
from core.store.database import Database

_SHOWN = "id, target_kind, target_id, action, before, after, why, made_at, undone_at, who"


class CorrectionStore:
    """Reads and writes corrections."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, correction: Correction) -> Correction:
        """Record a correction; id and time are filled in where empty."""
        kept = replace(correction, id=correction.id or rows.new_id(), made_at=correction.made_at or rows.now())
        with self._database.write() as connection:
            if not correction.made_at and not kept.who:  # made here and now, not read from a file
                owner = connection.execute("SELECT value FROM meta WHERE key='owner'").fetchone()
                kept = replace(kept, who=owner["value"] if owner else "")
            connection.execute(
                "INSERT INTO corrections (id, seq, target_kind, target_id, action, before, after, why, made_at, undone_at, who) "
                "VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM corrections), ?,?,?,?,?,?,?,?,?)",
                (
                    kept.id,
                    kept.target_kind,
                    kept.target_id,
                    kept.action,
                    kept.before,
                    kept.after,
                    kept.why,
                    kept.made_at,
                    kept.undone_at,
                    kept.who,
                ),
            )
        return kept

    def all(self, target_kind: str | None = None) -> list[Correction]:
        """Every correction in the order made, undone ones included."""
        sql = f"SELECT {_SHOWN} FROM corrections WHERE ?1 IS NULL OR target_kind=?1 ORDER BY seq"
        return [Correction(**dict(row)) for row in self._database.read().execute(sql, (target_kind,))]

    def standing(self, target_kind: str | None = None) -> list[Correction]:
        """Those not undone."""
        return [correction for correction in self.all(target_kind) if not correction.undone_at]

    def rewrite(self, correction: Correction) -> None:
        """Replace what a correction says, for words that have to be forgotten; its place in the history stays."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE corrections SET before=?, after=?, why=? WHERE id=?",
                (correction.before, correction.after, correction.why, correction.id),
            )

    def redact(self, target_id: str) -> None:
        """Forget what the corrections of a target said; that there were some stays."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE corrections SET before='', after='', why='', undone_at=CASE WHEN undone_at='' THEN ?1 ELSE undone_at END "
                "WHERE target_id=?2",
                (rows.now(), target_id),
            )

    def forget(self, correction_ids: Iterable[str]) -> None:
        """Forget that corrections were ever made: what they were about is forgotten."""
        with self._database.write() as connection:
            connection.executemany("DELETE FROM corrections WHERE id=?", [(each,) for each in correction_ids])

    def mark_undone(self, correction_id: str) -> None:
        """Record that the person took a correction back.

        Raises:
            RequestError: there is no such standing correction.
        """
        with self._database.write() as connection:
            changed = connection.execute(
                "UPDATE corrections SET undone_at=? WHERE id=? AND undone_at=''", (rows.now(), correction_id)
            ).rowcount
        if not changed:
            raise RequestError("There is nothing to undo.")
