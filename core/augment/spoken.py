"""How does the person say each value of a memory? Reads, stores and writes one field of a correction."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from typing import Any

from core.errors import RequestError
from core.records import AtomicContext, CapturedMemory, ContextKind, Field, MemoryKind, Origin, Place, Provenance, Taken
from core.store.library import Library
from core.store.memory_edit import MemoryEdit
from core.store.rows import taken_from
from core.text_keys import printable, text_key

Value = Any  # what JSON can hold; None: the person has said nothing

# each name is understood on its own: thousands of them would take minutes and help nobody
_MOST_NAMES, _LONGEST_NAME, _LONGEST_TEXT = 100, 200, 20_000


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """One field the person may change.

    Attributes:
        read: what they wrote, as the value kept in the correction.
        stored: the person's value that the memory holds now; None when there is none.
        write: makes a value the person's; None takes their word back.
    """

    read: Callable[[str, CapturedMemory], Value]
    stored: Callable[[Library, str], Value]
    write: Callable[[MemoryEdit, Value], None]


def edit_of(field: str) -> FieldEdit:
    """How a field is edited.

    Raises:
        RequestError: there is no such field.
    """
    if field not in _EDITS:
        raise RequestError(f"A memory has no {field!r} to edit.", f"Choose one of {', '.join(_EDITS)}.")
    return _EDITS[field]


def _text_edit(field: Field) -> FieldEdit:
    def write(editing: MemoryEdit, value: Value) -> None:
        editing.set_text(field, value or "", Origin.PERSON)

    return FieldEdit(
        lambda value, _: _short_enough(printable(value).strip(), _LONGEST_TEXT), _stored_json(field), write
    )


def _context_edit(kind: ContextKind, *, several: bool) -> FieldEdit:
    # one maker a kind: replacing the people leaves the person's activities alone
    made = Provenance(f"person:{kind}")

    def read(value: str, _: CapturedMemory) -> Value:
        parts = value.split(",") if several else [value]
        names = [printable(part).strip() for part in parts if text_key(part)]
        if not names:
            raise RequestError(f"That names no {kind.replace('_', ' ')}.", "Write names with commas between them.")
        if len(names) > _MOST_NAMES:
            raise RequestError(f"Those are more than {_MOST_NAMES} names.", "Leave some out.")
        return [_short_enough(name, _LONGEST_NAME) for name in names]

    def stored(library: Library, memory_id: str) -> Value:
        contexts = library.memories.contexts(memory_id)
        names = [each.value for each in contexts if each.kind is kind and each.origin is Origin.PERSON]
        return names or None

    def write(editing: MemoryEdit, value: Value) -> None:
        contexts = [AtomicContext(kind, name, 1.0, Origin.PERSON, "You said so.", made) for name in value or ()]
        editing.set_contexts(Origin.PERSON, contexts, made_by=made.made_by)

    return FieldEdit(read, stored, write)


def _short_enough(text: str, longest: int) -> str:
    if len(text) > longest:
        raise RequestError(f"That is longer than {longest} letters.", "Shorten it.")
    return text


def _read_date(value: str, memory: CapturedMemory) -> Value:
    """A day keeps the time of day that is known; a time replaces it."""
    text = value.strip()
    try:
        if "T" in text or " " in text:
            return [datetime.fromisoformat(text).replace(tzinfo=None).isoformat(timespec="seconds"), False]
        day = date.fromisoformat(text)
    except ValueError as error:
        raise RequestError(f"{value!r} is no day or time.", "Write 2025-03-14 or 2025-03-14 18:30.") from error
    known = memory.taken.wall
    if known is None or memory.taken.day_only:
        return [datetime.combine(day, time(12)).isoformat(timespec="seconds"), True]
    return [datetime.combine(day, known.time()).isoformat(timespec="seconds"), False]


def _stored_date(library: Library, memory_id: str) -> Value:
    text = _stored_text(library, memory_id, Field.TAKEN)
    if text is None:
        return None
    taken = taken_from(text, Origin.PERSON)
    return [taken.wall.isoformat(timespec="seconds"), taken.day_only] if taken.wall else None


def _write_date(editing: MemoryEdit, value: Value) -> None:
    if value is None:
        editing.take_back(Field.TAKEN, Origin.PERSON)
        return
    wall, day_only = value
    editing.set_taken(Taken(datetime.fromisoformat(wall), None, Origin.PERSON, 1.0, day_only))


def _read_place(value: str, memory: CapturedMemory) -> Value:
    """A name alone stays in the known city; "name, city, country" says all."""
    parts = [_short_enough(printable(part).strip(), _LONGEST_NAME) for part in value.split(",") if part.strip()]
    if not parts or len(parts) > 3:
        raise RequestError(f"{value!r} is no place.", "Write its name, or: name, city, country.")
    known = memory.place or Place()
    if len(parts) == 1:
        place = Place(
            parts[0], "", known.district, known.city, known.region, known.country, known.latitude, known.longitude
        )
    else:
        same_city = text_key(parts[1]) == text_key(known.city)
        place = Place(
            name=parts[0],
            city=parts[1],
            region=known.region if same_city else "",
            country=parts[2] if len(parts) == 3 else known.country if same_city else "",
            latitude=known.latitude if same_city else None,
            longitude=known.longitude if same_city else None,
        )
    return {key: part for key, part in asdict(place).items() if part not in ("", None)}


def _write_place(editing: MemoryEdit, value: Value) -> None:
    editing.set_place(Place(**value) if value else None, Origin.PERSON)


def _read_kind(value: str, _: CapturedMemory) -> Value:
    if value not in tuple(MemoryKind):
        raise RequestError(f"{value!r} is no kind of memory.", f"It is one of {', '.join(MemoryKind)}.")
    return value


def _write_kind(editing: MemoryEdit, value: Value) -> None:
    if value is None:
        editing.take_back(Field.KIND, Origin.PERSON)
    else:
        editing.set_kind(MemoryKind(value), Origin.PERSON)


def _read_yes(value: str, _: CapturedMemory) -> Value:
    word = value.strip().casefold()
    if word not in ("yes", "no"):
        raise RequestError(f"{value!r} is neither yes nor no.", "Write yes or no.")
    return word == "yes"


def _write_favourite(editing: MemoryEdit, value: Value) -> None:
    if value is None:
        editing.take_back(Field.FAVOURITE, Origin.PERSON)
        return
    editing.set_favourite(bool(value), Origin.PERSON)


def _read_keywords(value: str, _: CapturedMemory) -> Value:
    words = list(
        dict.fromkeys(
            _short_enough(printable(part).strip(), _LONGEST_NAME) for part in value.split(",") if part.strip()
        )
    )
    if len(words) > _MOST_NAMES:
        raise RequestError(f"Those are more than {_MOST_NAMES} keywords.", "Leave some out.")
    return words


def _write_keywords(editing: MemoryEdit, value: Value) -> None:
    if value is None:
        editing.take_back(Field.KEYWORDS, Origin.PERSON)
        return
    editing.set_keywords(value, Origin.PERSON)


def _stored_json(field: Field) -> Callable[[Library, str], Value]:
    def stored(library: Library, memory_id: str) -> Value:
        text = _stored_text(library, memory_id, field)
        return None if text is None else json.loads(text)

    return stored


def _stored_text(library: Library, memory_id: str, field: Field) -> str | None:
    found = [
        each.value for each in library.memories.values(memory_id) if (each.field, each.origin) == (field, Origin.PERSON)
    ]
    return found[0] if found else None


_EDITS: Mapping[str, FieldEdit] = {
    "caption": _text_edit(Field.CAPTION),
    "title": _text_edit(Field.TITLE),
    "visible_text": _text_edit(Field.VISIBLE_TEXT),
    "speech": _text_edit(Field.SPEECH),
    "date": FieldEdit(_read_date, _stored_date, _write_date),
    "place": FieldEdit(_read_place, _stored_json(Field.PLACE), _write_place),
    "kind": FieldEdit(_read_kind, _stored_json(Field.KIND), _write_kind),
    "favourite": FieldEdit(_read_yes, _stored_json(Field.FAVOURITE), _write_favourite),
    "keywords": FieldEdit(_read_keywords, _stored_json(Field.KEYWORDS), _write_keywords),
    "people": _context_edit(ContextKind.PERSON, several=True),
    "activities": _context_edit(ContextKind.ACTIVITY, several=True),
    "visual_elements": _context_edit(ContextKind.VISUAL_ELEMENT, several=True),
    "environment": _context_edit(ContextKind.ENVIRONMENT, several=False),
    "emotion": _context_edit(ContextKind.EMOTION, several=False),
}
EDITABLE = tuple(_EDITS)
"""The fields that the person may change."""
