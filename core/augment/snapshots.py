"""How are events and statements kept as JSON, in corrections and as the derived base that corrections are replayed over?"""

import json
from dataclasses import asdict, replace
from datetime import date, datetime
from typing import Any

from core.records import Event, EventStatus, Knowledge, KnowledgeState, Provenance

Fields = dict[str, Any]  # one JSON object; its values are checked where they are read


def event_fields(event: Event) -> Fields:
    """An event as JSON fields."""
    fields = asdict(event)
    fields["start"] = event.start.isoformat() if event.start else None
    fields["end"] = event.end.isoformat() if event.end else None
    return fields


def event_snapshot(event: Event) -> Fields:
    """An event as a correction remembers it: without the texts computed from its memories, for those may be forgotten."""
    return event_fields(replace(event, summary="", why="You corrected this event."))


def event_from(fields: Fields) -> Event:
    """The event of JSON fields."""
    made = fields["provenance"]
    return Event(
        **{
            **fields,
            "start": datetime.fromisoformat(fields["start"]) if fields["start"] else None,
            "end": datetime.fromisoformat(fields["end"]) if fields["end"] else None,
            "member_ids": tuple(fields["member_ids"]),
            "status": EventStatus(fields["status"]),
            "provenance": Provenance(**made) if made else None,
        }
    )


def knowledge_fields(item: Knowledge) -> Fields:
    """A statement as JSON fields."""
    fields = asdict(item)
    fields["valid_from"] = item.valid_from.isoformat() if item.valid_from else None
    fields["valid_to"] = item.valid_to.isoformat() if item.valid_to else None
    return fields


def knowledge_from(fields: Fields) -> Knowledge:
    """The statement of JSON fields."""
    made = fields["provenance"]
    return Knowledge(
        **{
            **fields,
            "valid_from": date.fromisoformat(fields["valid_from"]) if fields["valid_from"] else None,
            "valid_to": date.fromisoformat(fields["valid_to"]) if fields["valid_to"] else None,
            "evidence_ids": tuple(fields["evidence_ids"]),
            "state": KnowledgeState(fields["state"]),
            "provenance": Provenance(**made) if made else None,
        }
    )


def packed(fields: Fields | list[Fields]) -> str:
    """Fields as text."""
    return json.dumps(fields, ensure_ascii=False, default=str)


def unpacked(text: str) -> Fields:
    """The fields of a text; empty for an empty text."""
    found = json.loads(text) if text else {}
    return found if isinstance(found, dict) else {}


def event_packed(event: Event) -> str:
    """A derived event as text."""
    return packed(event_fields(event))


def event_unpacked(text: str) -> Event:
    """The derived event of a text."""
    return event_from(json.loads(text))
