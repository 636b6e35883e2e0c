"""The interchange format: how a memory is written as one JSON object that anyone can read without us."""

from dataclasses import asdict
from pathlib import PurePath

from core.records import ORIGIN_RANK, CapturedMemory, ContextKind, Field, Origin, Taken
from core.store.interchange_line import CONTEXTS, TEXTS, in_order
from core.store.library import Library
from core.text_keys import printable

_ONE_VALUE = frozenset({"environment", "emotion"})
_ORDER = ("id", "kind", "taken_at", "utc_offset", "date_origin", "date_confidence", "file_name", "title", "caption", "people",
          "visual_elements", "activities", "environment", "emotion", "visible_text", "speech", "place", "favourite", "rating",
          "keywords", "document", "files", "origins")  # fmt: skip


def memory_line(library: Library, memory: CapturedMemory) -> dict[str, object]:
    """A memory as a line of the interchange format; what is unknown is left out."""
    taken, place = memory.taken, memory.place
    is_dated = taken.wall is not None or taken.origin is not Origin.UNKNOWN
    line: dict[str, object] = {
        "id": memory.public_id,
        "kind": memory.kind.value,
        "taken_at": _taken_text(taken),
        "utc_offset": offset_text(taken.utc_offset_minutes) if is_dated else None,
        "date_origin": taken.origin.value if is_dated else None,
        "date_confidence": taken.confidence if is_dated else None,
        "file_name": memory.file_name,
        **{key: getattr(memory, key) for key in TEXTS},
        **{key: getattr(memory, key) if key in _ONE_VALUE else in_order(getattr(memory, key)) for key in CONTEXTS},
        "place": {key: value for key, value in asdict(place).items() if value not in ("", None)} if place else None,
        "favourite": memory.favourite if memory.favourite or Field.FAVOURITE in memory.origins else None,
        "rating": memory.rating,
        "keywords": list(memory.keywords),
        "document": dict(memory.document),
        "files": _files(library, memory),
        "origins": _origins(library, memory),
    }
    return {key: line[key] for key in _ORDER if line[key] not in ("", None, [], {})}


def offset_text(minutes: int | None) -> str:
    """An offset from UTC as `+08:00`; empty when unknown."""
    if minutes is None:
        return ""
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _taken_text(taken: Taken) -> str:
    if taken.wall is None:
        return ""
    return taken.wall.date().isoformat() if taken.day_only else taken.wall.isoformat(timespec="seconds")


def _files(library: Library, memory: CapturedMemory) -> list[dict[str, object]]:
    """The files seen here and those that an import named; the one whose content identifies the memory first."""
    known = {
        file.sha256: {"name": printable(PurePath(file.path).name), "sha256": file.sha256, "bytes": file.size_bytes}
        for file in reversed(library.files.of_memory(memory.id))
    }
    for name, sha256, size_bytes in library.files.foreign(memory.id):
        known.setdefault(sha256, {"name": name, "sha256": sha256, "bytes": size_bytes})
    main = library.memories.content_key(memory.id)
    return sorted(known.values(), key=lambda file: (file["sha256"] != main, str(file["name"]), str(file["sha256"])))


def _origins(library: Library, memory: CapturedMemory) -> dict[str, str]:
    """By key of the line, where the value shown came from. A list of several origins has that of highest rank."""
    found = {key: str(origin) for key, origin in memory.origins.items() if key not in (Field.TAKEN, Field.MEDIA)}
    by_kind: dict[ContextKind, Origin] = {}
    for context in library.memories.contexts(memory.id):
        best = by_kind.get(context.kind, Origin.UNKNOWN)
        by_kind[context.kind] = max(best, context.origin, key=lambda origin: ORIGIN_RANK[origin])
    found.update({key: by_kind[kind].value for key, kind in CONTEXTS.items() if kind in by_kind})
    return dict(sorted(found.items()))
