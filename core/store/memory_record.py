"""Turns a memory's row, with what belongs to it, into the record that leaves the store."""

import json
import sqlite3
from collections.abc import Mapping, Sequence

from core.records import CapturedMemory, ContextKind, MemoryKind, Origin, Taken
from core.store import rows


def memory_from(
    row: sqlite3.Row,
    contexts: Mapping[str, list[str]],
    events: Sequence[str | bytes],
    files: Sequence[str | bytes],
    origins: Mapping[str, str],
) -> CapturedMemory:
    """A memory as it is shown.

    Args:
        row: its row in `memories`, with `private`.
        contexts: values by kind of atomic context.
        files: paths as they are stored; bytes where they are no UTF-8.
        origins: where each shown value comes from, by field.
    """
    wall = rows.wall_time(row["wall"])
    return CapturedMemory(
        id=row["id"],
        public_id=row["public_id"],
        kind=MemoryKind(row["kind"]),
        taken=Taken(wall, row["utc_offset"], Origin(row["date_origin"]), row["date_confidence"], bool(row["day_only"])),
        place=rows.place_from(row["place"]),
        title=row["title"],
        caption=row["caption"],
        visible_text=row["visible_text"],
        speech=row["speech"],
        people=tuple(contexts[ContextKind.PERSON]),
        visual_elements=tuple(contexts[ContextKind.VISUAL_ELEMENT]),
        activities=tuple(contexts[ContextKind.ACTIVITY]),
        environment=", ".join(contexts[ContextKind.ENVIRONMENT]),
        emotion=", ".join(contexts[ContextKind.EMOTION]),
        keywords=tuple(json.loads(row["keywords"])),
        favourite=bool(row["favourite"]),
        rating=row["rating"],
        document=json.loads(row["document"]),
        media=rows.media_from(row["media"]),
        file_name=row["file_name"],
        files=tuple(_path_text(path) for path in files),
        origins=origins,
        event_ids=tuple(str(event) for event in events),
        representative_id=row["representative_id"],
        private=row["private"] or "",
        is_missing=bool(row["is_missing"]),
    )


def _path_text(path: str | bytes) -> str:
    return path.decode("utf-8", "surrogateescape") if isinstance(path, bytes) else path
