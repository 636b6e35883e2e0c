"""Reads one line of the interchange format: checked field by field, so that a bad field spoils only itself."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import TypeVar

from core.records import ContextKind, Field, MemoryKind, Origin, Place, Taken
from core.store.json_lines import BadLineError
from core.text_keys import printable, text_key

Value = TypeVar("Value")
Default = TypeVar("Default")

TEXTS: Mapping[str, Field] = {
    "title": Field.TITLE,
    "caption": Field.CAPTION,
    "visible_text": Field.VISIBLE_TEXT,
    "speech": Field.SPEECH,
}
CONTEXTS: Mapping[str, ContextKind] = {
    "people": ContextKind.PERSON,
    "visual_elements": ContextKind.VISUAL_ELEMENT,
    "activities": ContextKind.ACTIVITY,
    "environment": ContextKind.ENVIRONMENT,
    "emotion": ContextKind.EMOTION,
}
_OFFSET = re.compile(r"([+-])(\d{1,2}):?(\d{2})")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST_MINUTES = 24 * 60 - 1
_KNOWN_ORIGINS = frozenset(Origin) - {Origin.UNKNOWN}


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A file that a line names: it may lie on another machine."""

    name: str = ""
    sha256: str = ""
    size_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLine:
    """What one line says; None and empty mean that it says nothing.

    Attributes:
        origins: by key of the line, where its value came from; `imported` where the line does not say.
        problems: fields that could not be read, one sentence each.
    """

    public_id: str
    kind: MemoryKind | None = None
    taken: Taken | None = None
    place: Place | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    contexts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    favourite: bool | None = None
    rating: int | None = None
    keywords: tuple[str, ...] = ()
    document: Mapping[str, str] = field(default_factory=dict)
    file_name: str = ""
    files: tuple[ForeignFile, ...] = ()
    origins: Mapping[str, Origin] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def value(self, key: str) -> object:
        """What the line says under a key (`taken` for everything about the date)."""
        if key in TEXTS:
            return self.texts.get(key)
        return self.contexts.get(key) if key in CONTEXTS else getattr(self, key)

    def origin(self, key: str) -> Origin:
        """Where the value of a key came from."""
        if key == "taken" and self.taken is not None:
            return self.taken.origin
        return self.origins.get(key, Origin.IMPORTED)


def read_line(record: object) -> MemoryLine:
    """Check a parsed line.

    Raises:
        BadLineError: it is no object or has no usable id.
    """
    if not isinstance(record, dict):
        raise BadLineError("it is not a JSON object")
    public_id = record.get("id")
    if isinstance(public_id, bool) or not isinstance(public_id, (str, int)) or not printable(str(public_id)).strip():
        raise BadLineError("it has no id")
    reader = _Reader(record)
    origins = reader.read("origins", _read_origins, {})
    return MemoryLine(
        public_id=printable(str(public_id)).strip(),
        kind=reader.read("kind", lambda value: MemoryKind(str(value)), None),
        taken=_read_taken(reader),
        place=reader.read("place", _read_place, None),
        texts={key: text for key in TEXTS if (text := reader.read(key, _read_text, "").strip())},
        contexts={key: values for key in CONTEXTS if (values := _distinct(reader.read(key, _read_strings, ())))},
        favourite=reader.read("favourite", _read_bool, None),
        rating=reader.read("rating", _read_int, None),
        keywords=reader.read("keywords", _read_strings, ()),
        document=reader.read("document", _read_document, {}),
        file_name=reader.read("file_name", _read_text, ""),
        files=reader.read("files", _read_files, ()),
        origins=origins,
        problems=tuple(reader.problems),
    )


def in_order(values: tuple[str, ...]) -> list[str]:
    """Sort names, so that the same memory gives the same line in every library (the store keeps no order)."""
    return sorted(values, key=lambda value: (text_key(value), value))


class _Reader:
    """Reads the fields of one line; what does not fit becomes a problem and the default."""

    def __init__(self, record: Mapping[str, object]) -> None:
        self.record = record
        self.problems: list[str] = []

    def read(self, key: str, convert: Callable[[object], Value], default: Default) -> Value | Default:
        """The converted value of a key, or the default where it is absent or bad."""
        value = self.record.get(key)
        if value is None or value == "":
            return default
        try:
            return convert(value)
        except (ValueError, TypeError, OverflowError):
            self.problems.append(f"{key} {_shortened(value)} cannot be read and is left out")
            return default


def _read_taken(reader: _Reader) -> Taken | None:
    """The time with its offset; a line without a time may still say that the person knows it to be unknown."""
    offset = reader.read("utc_offset", _read_offset, None)
    when = reader.read("taken_at", lambda value: _read_time(value, offset), None)
    origin = reader.read("date_origin", lambda value: Origin(str(value)), None)
    confidence = reader.read("date_confidence", _read_share, 1.0)
    if when is None:
        is_undated = origin is not None and not reader.record.get("taken_at")
        return Taken(None, offset, origin, confidence) if is_undated and origin is not None else None
    return replace(when, origin=origin or Origin.IMPORTED, confidence=confidence)


def _read_time(value: object, offset: int | None) -> Taken:
    """The wall time of a text; `offset` is the zone named beside it."""
    if not isinstance(value, str):
        raise TypeError(value)
    text = value.strip()
    if len(text) <= len("2025-01-01"):
        day = date.fromisoformat(text)
        return Taken(datetime(day.year, day.month, day.day), offset, day_only=True)
    moment = datetime.fromisoformat(text)
    wall, written = moment.replace(tzinfo=None, microsecond=0), moment.utcoffset()
    if written is None:
        return Taken(wall, offset)
    minutes = round(written.total_seconds() / 60)
    if offset is None:
        return Taken(wall, minutes)
    return Taken(wall + timedelta(minutes=offset - minutes), offset)  # `…Z` with a zone beside it: that wall's clock


def _read_offset(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        minutes = value
    elif (text := _plain(value).strip()) in ("Z", "z"):
        minutes = 0
    else:
        match = _OFFSET.fullmatch(text)
        if match is None:
            raise ValueError(text)
        minutes = (int(match[2]) * 60 + int(match[3])) * (-1 if match[1] == "-" else 1)
    if abs(minutes) > _MOST_MINUTES:
        raise ValueError(minutes)
    return minutes


def _read_place(value: object) -> Place | None:
    if isinstance(value, str):
        return Place(name=printable(value).strip())
    parts = _object(value)
    names = {
        key: printable(_plain(parts[key])).strip()
        for key in ("name", "street", "district", "city", "region", "country")
        if parts.get(key) is not None
    }
    latitude, longitude = (_degrees(parts.get(key), most) for key, most in (("latitude", 90.0), ("longitude", 180.0)))
    if (latitude is None) != (longitude is None):
        raise ValueError("half a position")
    place = Place(**names, latitude=latitude, longitude=longitude)
    return None if place == Place() else place


def _degrees(value: object, most: float) -> float | None:
    if value is None or value == "":
        return None
    degrees = _number(value)
    if abs(degrees) > most:
        raise ValueError(degrees)
    return degrees


def _read_origins(value: object) -> dict[str, Origin]:
    return {key: Origin(str(name)) for key, name in _object(value).items() if name in _KNOWN_ORIGINS}


def _read_text(value: object) -> str:
    return printable(_plain(value))


def _read_strings(value: object) -> tuple[str, ...]:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        value = [value]
    if not isinstance(value, list):
        raise TypeError(value)
    return tuple(text for each in value if each is not None and (text := printable(_plain(each)).strip()))


def _read_bool(value: object) -> bool:
    if not isinstance(value, bool) and value not in (0, 1):
        raise TypeError(value)
    return bool(value)


def _read_int(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(value)
    if abs(value) > 100:
        raise ValueError(value)
    return value


def _read_share(value: object) -> float:
    share = _number(value)
    if not 0.0 <= share <= 1.0:
        raise ValueError(share)
    return share


def _read_document(value: object) -> dict[str, str]:
    return {printable(str(key)): printable(_plain(each)) for key, each in _object(value).items() if each is not None}


def _read_files(value: object) -> tuple[ForeignFile, ...]:
    if not isinstance(value, list):
        raise TypeError(value)
    files = []
    for each in value:
        parts = _object(each)
        sha256 = _plain(parts.get("sha256", "")).lower()
        if not _SHA256.fullmatch(sha256):
            continue  # without its hash a file cannot be recognised again
        files.append(
            ForeignFile(printable(_plain(parts.get("name", ""))), sha256, max(0, int(_number(parts.get("bytes", 0)))))
        )
    return tuple(files)


def _distinct(values: tuple[str, ...]) -> tuple[str, ...]:
    """As they can be stored: one a key, those of punctuation alone left out."""
    by_key = {text_key(value): value for value in reversed(values)}
    return tuple(in_order(tuple(value for key, value in by_key.items() if key)))


def _plain(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError(value)
    return str(value)


def _number(value: object) -> float:
    number = float(_plain(value))
    if not math.isfinite(number):
        raise ValueError(value)
    return number


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError(value)
    return value


def _shortened(value: object) -> str:
    text = printable(repr(value))
    return text if len(text) <= 60 else text[:57] + "…"
