"""Turns records into columns and columns into records, in one function each, and names new things."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime

from core.records import Media, Origin, Place, Provenance, Taken


def new_id() -> str:
    """A full random id (128 bits)."""
    return secrets.token_hex(16)


def new_public_id() -> str:
    """A short random id for people and files (50 bits, letters and digits that cannot be mistaken for each other)."""
    alphabet = "23456789abcdefghjkmnpqrstuvwxyz"
    return "".join(secrets.choice(alphabet) for _ in range(10))


def now() -> str:
    """UTC now, as stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def wall_text(wall: datetime | None) -> str | None:
    """Wall time as stored: ISO 8601 without zone, sortable."""
    return wall.replace(tzinfo=None).isoformat(timespec="seconds") if wall else None


def wall_time(text: str | None) -> datetime | None:
    """Wall time as a record."""
    return datetime.fromisoformat(text) if text else None


def day_text(day: date | None) -> str | None:
    """A day as stored."""
    return day.isoformat() if day else None


def day_of(text: str | None) -> date | None:
    """A day as a record."""
    return date.fromisoformat(text) if text else None


def taken_value(taken: Taken) -> str:
    """A `Taken` as the JSON of a stored value; its origin is stored beside it."""
    return json.dumps([wall_text(taken.wall), taken.utc_offset_minutes, taken.confidence, taken.day_only])


def taken_from(text: str, origin: Origin) -> Taken:
    """The `Taken` of a stored value."""
    wall, offset, confidence, day_only = json.loads(text)
    return Taken(wall_time(wall), offset, origin, confidence, bool(day_only))


def place_value(place: Place | None) -> str:
    """A place as the JSON of a stored value."""
    return json.dumps(
        {key: value for key, value in asdict(place).items() if value not in ("", None)} if place else None
    )


def place_from(text: str | None) -> Place | None:
    """The place of a stored value."""
    parts = json.loads(text) if text else None
    return Place(**parts) if parts else None


def media_value(media: Media) -> str:
    """Size and length as the JSON of a stored value."""
    return json.dumps(asdict(media))


def media_from(text: str) -> Media:
    """Size and length of a stored value."""
    return Media(**json.loads(text))


def strings_value(strings: Sequence[str]) -> str:
    """A list of strings as JSON."""
    return json.dumps(list(strings), ensure_ascii=False)


def document_value(document: Mapping[str, str]) -> str:
    """The fields of a document as JSON."""
    return json.dumps(dict(document), ensure_ascii=False)


def made(provenance: Provenance | None) -> tuple[str, str, str, str]:
    """The four provenance columns, `made_at` filled in."""
    if provenance is None:
        return ("", "", "", now())
    return (provenance.made_by, provenance.model_revision, provenance.prompt_version, provenance.made_at or now())
