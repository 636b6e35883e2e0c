"""Changes one memory inside one transaction, and keeps what is shown and what is searched in step with it."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.records import (
    ORIGIN_RANK,
    AtomicContext,
    Field,
    Media,
    MemoryKind,
    Origin,
    Place,
    Provenance,
    Stage,
    Taken,
    Transcript,
)
from core.store import rows
from core.store.forget import forget
from core.store.transcripts import transcript_value
from core.store.withhold import is_withheld, withhold
from core.text_keys import printable, text_key

_PLACE_LEVELS = ("name", "street", "district", "city", "region", "country")


class MemoryEdit:
    """The open transaction of `MemoryStore.edit`."""

    def __init__(self, connection: sqlite3.Connection, memory_id: str) -> None:
        self._connection = connection
        self.memory_id = memory_id
        self._changed: set[Field] = set()
        self._words_changed = False

    @property
    def has_changed(self) -> bool:
        """Whether anything said so far differs from what was stored."""
        return bool(self._changed) or self._words_changed

    def set_text(
        self, field: Field, text: str, origin: Origin, provenance: Provenance | None = None, confidence: float = 1.0
    ) -> None:
        """Set title, caption, visible text or speech as this origin knows it; an empty text takes it back."""
        text = printable(text).strip()
        self._set(field, json.dumps(text, ensure_ascii=False) if text else None, origin, provenance, confidence)

    def set_transcript(self, transcript: Transcript, provenance: Provenance) -> None:
        """Set what a model heard: the text that is shown and searched, and when each part of it is said; nothing takes it back."""
        self.set_text(Field.SPEECH, transcript.text, Origin.MODEL, provenance)
        value = transcript_value(transcript) if transcript.segments else None
        self._set(Field.SEGMENTS, value, Origin.MODEL, provenance, 1.0)

    def set_taken(self, taken: Taken, provenance: Provenance | None = None) -> None:
        """Set the time as `taken.origin` knows it; of a bare day the hour, which means nothing, is dropped, as an export does."""
        if taken.wall and taken.day_only:
            taken = replace(taken, wall=taken.wall.replace(hour=0, minute=0, second=0, microsecond=0))
        self._set(Field.TAKEN, rows.taken_value(taken), taken.origin, provenance, taken.confidence)

    def set_place(
        self, place: Place | None, origin: Origin, provenance: Provenance | None = None, confidence: float = 1.0
    ) -> None:
        """Set the place as this origin knows it; None takes it back."""
        self._set(
            Field.PLACE, rows.place_value(_printable_place(place)) if place else None, origin, provenance, confidence
        )

    def set_kind(self, kind: MemoryKind, origin: Origin) -> None:
        """Set what it is."""
        self._set(Field.KIND, json.dumps(kind), origin, None, 1.0)

    def set_media(self, media: Media) -> None:
        """Set size and length."""
        self._set(Field.MEDIA, rows.media_value(media), Origin.RULE, None, 1.0)

    def set_favourite(self, favourite: bool, origin: Origin) -> None:
        """Mark as favourite or not."""
        self._set(Field.FAVOURITE, json.dumps(favourite), origin, None, 1.0)

    def set_rating(self, rating: int | None, origin: Origin) -> None:
        """Set the rating (1 to 5)."""
        self._set(Field.RATING, None if rating is None else json.dumps(rating), origin, None, 1.0)

    def set_keywords(self, keywords: Sequence[str], origin: Origin) -> None:
        """Set the keywords."""
        self._set(
            Field.KEYWORDS,
            rows.strings_value([text for word in keywords if (text := printable(word).strip())]),
            origin,
            None,
            1.0,
        )

    def set_document(self, document: Mapping[str, str], origin: Origin, provenance: Provenance | None = None) -> None:
        """Set the fields of a recognised document; empty takes them back."""
        safe = {printable(key): printable(value) for key, value in document.items()}
        self._set(Field.DOCUMENT, rows.document_value(safe) if safe else None, origin, provenance, 1.0)

    def take_back(self, field: Field, origin: Origin) -> None:
        """Forget what this origin said about a field."""
        self._set(field, None, origin, None, 1.0)

    def set_file_name(self, file_name: str) -> None:
        """Set the name shown (the path is an attribute of the source file)."""
        self._words_changed = True
        self._connection.execute("UPDATE memories SET file_name=? WHERE id=?", (printable(file_name), self.memory_id))

    def set_fingerprint(self, fingerprint: int | None, representative_id: str | None) -> None:
        """Set the perceptual hash (64 bits, signed) and the memory it is a near-duplicate of."""
        self._connection.execute(
            "UPDATE memories SET fingerprint=?, representative_id=? WHERE id=?",
            (fingerprint, representative_id, self.memory_id),
        )

    def set_contexts(
        self,
        origin: Origin,
        contexts: Iterable[AtomicContext],
        *,
        made_by: str | None = None,
        family: str | None = None,
    ) -> None:
        """Replace the contexts of this origin by these.

        Args:
            made_by: only those of this model or rule.
            family: only those of prompt versions `family/…`, whichever model made them: a new model's never mix with the old one's.
        """
        self._words_changed = True
        self._connection.execute(
            "DELETE FROM contexts WHERE memory_id=?1 AND origin=?2 AND (?3 IS NULL OR made_by=?3) "
            "AND (?4 IS NULL OR substr(prompt_version, 1, length(?4) + 1) = ?4 || '/')",
            (self.memory_id, origin, made_by, family),
        )
        for context in contexts:
            value = printable(context.value).strip()
            if text_key(value):
                self._connection.execute(
                    "INSERT OR REPLACE INTO contexts VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                    (self.memory_id, context.kind, value, text_key(value), origin, context.confidence, printable(context.why),
                     *rows.made(context.provenance)),
                )  # fmt: skip

    def stage(self, stage: Stage, key: str, state: str = "done", reason: str = "") -> None:
        """Record a stage's end. `state`: done, nothing (looked, found nothing: a result), or failed (with its reason)."""
        self._connection.execute(
            "INSERT INTO stages (memory_id, stage, key, state, reason, made_at) VALUES (?,?,?,?,?,?) ON CONFLICT (memory_id, stage) "
            "DO UPDATE SET attempts=CASE WHEN key=excluded.key THEN attempts+1 ELSE 1 END, key=excluded.key, state=excluded.state, "
            "reason=excluded.reason, made_at=excluded.made_at",
            (self.memory_id, stage, key, state, printable(reason), rows.now()),
        )

    def forget(self) -> None:
        """Leave only hashes of content and id, so that neither a rescan nor an import brings the memory back."""
        forget(self._connection, self.memory_id)
        self._changed.clear()

    def show_again(self) -> None:
        """Show what is stored as if all of it had just been said: a memory that was private may be seen again."""
        self._changed |= set(Field)

    def finish(self) -> None:
        """Refresh what is shown and the word index; called by `MemoryStore.edit`."""
        row = self._connection.execute("SELECT forgotten FROM memories WHERE id=?", (self.memory_id,)).fetchone()
        if row is None or row["forgotten"]:
            return
        for field in self._changed:
            self._show(field)
        if is_withheld(self._connection, self.memory_id):
            withhold(self._connection, self.memory_id)  # whoever wrote it: nothing of a private memory stays
            return
        if self.has_changed or not self._is_indexed():
            self._index_words()

    def _set(
        self, field: Field, value: str | None, origin: Origin, provenance: Provenance | None, confidence: float
    ) -> None:
        key = (self.memory_id, field, origin)
        stored = self._connection.execute(
            "SELECT value, confidence, made_by, model_revision, prompt_version FROM memory_values "
            "WHERE memory_id=? AND field=? AND origin=?",
            key,
        ).fetchone()
        made = rows.made(provenance)
        if (tuple(stored) if stored else None) == (None if value is None else (value, confidence, *made[:3])):
            return  # said before: nothing changes, its date of making neither
        self._changed.add(field)
        if value is None:
            self._connection.execute("DELETE FROM memory_values WHERE memory_id=? AND field=? AND origin=?", key)
        else:
            self._connection.execute(
                "INSERT OR REPLACE INTO memory_values VALUES (?,?,?,?,?,?,?,?,?)", (*key, value, confidence, *made)
            )

    def _show(self, field: Field) -> None:
        best = max(
            self._connection.execute(
                "SELECT origin, value FROM memory_values WHERE memory_id=? AND field=?", (self.memory_id, field)
            ).fetchall(),
            key=lambda row: ORIGIN_RANK[Origin(row["origin"])],
            default=None,
        )
        value = best["value"] if best else None
        if field is Field.SEGMENTS:
            return  # read from its value alone
        if field is Field.TAKEN:
            taken = rows.taken_from(value, Origin(best["origin"])) if best and value else Taken()
            self._update(wall=rows.wall_text(taken.wall), utc_offset=taken.utc_offset_minutes, date_origin=taken.origin,
                         date_confidence=taken.confidence, day_only=int(taken.day_only))  # fmt: skip
        elif field is Field.PLACE:
            self._show_place(rows.place_from(value))
        elif field in (Field.TITLE, Field.CAPTION, Field.VISIBLE_TEXT, Field.SPEECH):
            self._update(**{field.value: json.loads(value) if value else ""})
        elif field is Field.KIND:
            self._update(kind=json.loads(value) if value else MemoryKind.PHOTO)
        elif field is Field.FAVOURITE:
            self._update(favourite=int(json.loads(value)) if value else 0)
        elif field is Field.RATING:
            self._update(rating=json.loads(value) if value else None)
        else:  # keywords, document and media are stored as they are shown
            self._update(**{field.value: value or ("[]" if field is Field.KEYWORDS else "{}")})

    def _show_place(self, place: Place | None) -> None:
        self._connection.execute("DELETE FROM memory_places WHERE memory_id=?", (self.memory_id,))
        if place is None:
            self._update(place=None, latitude=None, longitude=None)
            return
        self._update(place=rows.place_value(place), latitude=place.latitude, longitude=place.longitude)
        for level in _PLACE_LEVELS:
            value = getattr(place, level)
            if text_key(value):
                self._connection.execute(
                    "INSERT INTO memory_places VALUES (?,?,?,?)",
                    (self.memory_id, level, printable(value), text_key(value)),
                )

    def _update(self, **columns: object) -> None:
        names = ", ".join(f"{name}=?" for name in columns)
        self._connection.execute(f"UPDATE memories SET {names} WHERE id=?", (*columns.values(), self.memory_id))

    def _is_indexed(self) -> bool:
        return (
            self._connection.execute(
                "SELECT 1 FROM memory_words WHERE rowid=(SELECT seq FROM memories WHERE id=?)", (self.memory_id,)
            ).fetchone()
            is not None
        )

    def _index_words(self) -> None:
        row = self._connection.execute("SELECT * FROM memories WHERE id=?", (self.memory_id,)).fetchone()
        contexts = self._connection.execute(
            "SELECT DISTINCT kind, value FROM contexts WHERE memory_id=? ORDER BY kind, value", (self.memory_id,)
        ).fetchall()
        places = self._connection.execute(
            "SELECT value FROM memory_places WHERE memory_id=?", (self.memory_id,)
        ).fetchall()
        people = [context["value"] for context in contexts if context["kind"] == "person"]
        names = " \n".join(
            [
                row["title"],
                row["file_name"],
                *people,
                *(place["value"] for place in places),
                *json.loads(row["keywords"]),
            ]
        )
        rest = " \n".join(context["value"] for context in contexts if context["kind"] != "person")
        self._connection.execute("DELETE FROM memory_words WHERE rowid=?", (row["seq"],))
        self._connection.execute("DELETE FROM memory_letters WHERE rowid=?", (row["seq"],))
        self._connection.execute(
            "INSERT INTO memory_words (rowid, names, caption, visible_text, speech, contexts) VALUES (?,?,?,?,?,?)",
            (row["seq"], names, row["caption"], row["visible_text"], row["speech"], rest),
        )
        letters = " \n".join([names, row["caption"], row["visible_text"], row["speech"], rest])
        self._connection.execute("INSERT INTO memory_letters (rowid, text) VALUES (?,?)", (row["seq"], letters))


def _printable_place(place: Place) -> Place:
    name, street, district, city, region, country = (
        printable(getattr(place, level)).strip() for level in _PLACE_LEVELS
    )
    return Place(name, street, district, city, region, country, place.latitude, place.longitude)
