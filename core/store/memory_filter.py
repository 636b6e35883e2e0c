"""Turns a `MemoryFilter` into the SQL condition that every search applies before it ranks."""

import json

from core.records import MemoryFilter
from core.text_keys import text_key

_AMONG = "IN (SELECT value FROM json_each(?))"
# where the person has said who is in a memory, what a model or an import said does not count
_SHOWN_PERSON = (
    "(SELECT c.memory_id FROM contexts c WHERE c.kind='person' AND c.key=? AND (c.origin='person' OR NOT EXISTS "
    "(SELECT 1 FROM contexts o WHERE o.memory_id=c.memory_id AND o.kind='person' AND o.origin='person')))"
)

_SHOWN_ANY = _SHOWN_PERSON.replace("c.key=?", f"c.key {_AMONG}")


def condition(wanted: MemoryFilter) -> tuple[str, list[object]]:
    """The condition on `memories m`, made of constants only, and its values; forgotten memories never match."""
    parts: list[str] = ["m.forgotten=0"]
    values: list[object] = []

    def add(sql: str, *bound: object) -> None:
        parts.append(sql)
        values.extend(bound)

    if wanted.first_day:
        add("m.day >= ?", wanted.first_day.isoformat())
    if wanted.last_day:
        add("m.day <= ?", wanted.last_day.isoformat())
    for person in wanted.people:
        add(f"m.id IN {_SHOWN_PERSON}", text_key(person))
    for group in wanted.any_people:
        add(f"m.id IN {_SHOWN_ANY}", json.dumps([text_key(person) for person in group]))
    for person in wanted.without_people:
        add(f"m.id NOT IN {_SHOWN_PERSON}", text_key(person))
    if wanted.places:
        add(
            f"m.id IN (SELECT memory_id FROM memory_places WHERE key {_AMONG})",
            json.dumps([text_key(place) for place in wanted.places]),
        )
    if wanted.kinds:
        add(f"m.kind {_AMONG}", json.dumps(list(wanted.kinds)))
    if wanted.date_origins:
        add(f"m.date_origin {_AMONG}", json.dumps(list(wanted.date_origins)))
    if wanted.event_ids:
        add(
            f"m.id IN (SELECT memory_id FROM event_members WHERE event_id {_AMONG})", json.dumps(list(wanted.event_ids))
        )
    if wanted.ids is not None:
        add(f"m.id {_AMONG}", json.dumps(list(wanted.ids)))
    if wanted.hours:
        first, last = wanted.hours
        hour = "CAST(substr(m.wall, 12, 2) AS INTEGER)"
        both = f"({hour} BETWEEN ? AND ?)" if first <= last else f"({hour} >= ? OR {hour} <= ?)"
        add(f"m.wall IS NOT NULL AND m.day_only=0 AND {both}", first, last)
    if wanted.weekdays:
        # strftime's %w counts from Sunday, ours from Monday as Python does
        add(
            f"m.wall IS NOT NULL AND ((CAST(strftime('%w', m.day) AS INTEGER) + 6) % 7) {_AMONG}",
            json.dumps(list(wanted.weekdays)),
        )
    return " AND ".join(parts), values
