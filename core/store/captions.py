"""What was written about other memories: the captions just before one, and who else has the same."""

import json

from core.records import Field, Origin
from core.store.database import Database


def captions_before(database: Database, memory_id: str, most: int, hours: float) -> list[str]:
    """The captions of the last memories taken before this one, nearest first, within so many hours."""
    rows = database.read().execute(
        "SELECT m.caption FROM memories m JOIN memories t ON t.id=?1 WHERE m.wall<t.wall "
        "AND m.wall>=strftime('%Y-%m-%dT%H:%M:%S', t.wall, ?3) "
        "AND m.forgotten=0 AND m.caption<>'' AND m.id IS NOT t.representative_id ORDER BY m.wall DESC LIMIT ?2",
        (memory_id, most, f"-{hours} hours"),
    )
    return [row["caption"] for row in rows]


def others_with_caption(database: Database, memory_id: str, caption: str, made_by: str) -> list[str]:
    """Memories of other stacks for which the same model wrote the same caption."""
    rows = database.read().execute(
        "SELECT v.memory_id FROM memory_values v JOIN memories m ON m.id=v.memory_id JOIN memories t ON t.id=?1 "
        "WHERE v.field=?2 AND v.origin=?3 AND v.value=?4 AND v.made_by=?5 AND m.forgotten=0 "
        "AND coalesce(m.representative_id, m.id)<>coalesce(t.representative_id, t.id)",
        (memory_id, Field.CAPTION, Origin.MODEL, json.dumps(caption, ensure_ascii=False), made_by),
    )
    return [row["memory_id"] for row in rows]
