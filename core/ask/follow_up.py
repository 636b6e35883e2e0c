"""What a follow-up question takes over from the question before it."""

import json
import re
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from core.records import AugmentedQuery, DayRange, Intent, MemoryKind
from core.store.library import Library

_CONTINUES = re.compile(r"^(?:and|but|or|also|what about|how about|then|so)\b")
_PRONOUN_PERSON = re.compile(r"\b(?:she|he|they|her|him|them)\b")
_PRONOUN_PLACE = re.compile(r"\bthere\b(?! (?:is|are|was|were)\b)|\bthat place\b")
_PRONOUN_TIME = re.compile(r"\b(?:then|that day|that time|that (?:week|month|year))\b")
_PRONOUN_EVENT = re.compile(r"\b(?:it|that (?:trip|event|party|conference|day)|the same)\b")
_OWN_QUESTION = re.compile(r"\b(?:who|where|when|what|which|how|why|did|was|show|list|find)\b")


def last_query(library: Library, conversation_id: str | None) -> AugmentedQuery | None:
    """The query of the conversation's last turn; None where there is none."""
    turns = library.conversations.turns(conversation_id) if conversation_id else []
    return query_from(turns[-1].query) if turns else None


def inherit(query: AugmentedQuery, previous: AugmentedQuery, mask: str) -> AugmentedQuery:
    """Fill what a follow-up leaves out; a question that neither continues nor points back stands alone."""
    continues = bool(_CONTINUES.match(mask))
    taken: dict[str, Any] = {}  # fields of the record by name
    if not query.time and previous.time and (continues or _PRONOUN_TIME.search(mask)):
        taken["time"] = previous.time
    if not query.places and previous.places and (continues or _PRONOUN_PLACE.search(mask)):
        taken["places"] = previous.places
    if not query.people and previous.people and (continues or _PRONOUN_PERSON.search(mask)):
        taken["people"] = previous.people
    if not query.event_ids and previous.event_ids and (continues or _PRONOUN_EVENT.search(mask)):
        taken |= {"event_ids": previous.event_ids, "event_relation": previous.event_relation}
    rest = re.sub(r"^(?:and|but|or|also|what about|how about|then|so)\b", "", mask)
    if continues and not _OWN_QUESTION.search(rest) and query.intent is not Intent.CHOICE:
        taken |= {"intent": previous.intent, "unit": previous.unit, "order": previous.order}
    if not taken:
        return query
    kept = ", ".join(name for name in ("time", "places", "people", "event_ids", "intent") if name in taken)
    return replace(query, **taken, notes=(*query.notes, f"Taken over from the question before: {kept}."))


def query_text(query: AugmentedQuery) -> str:
    """A query as JSON, as a turn stores it."""
    return json.dumps(asdict(query), default=str, ensure_ascii=False)


def query_from(text: str) -> AugmentedQuery:
    """The query of a stored turn."""
    stored: dict[str, Any] = json.loads(text)  # JSON of `query_text`
    stored |= {key: tuple(value) for key, value in stored.items() if isinstance(value, list)}
    stored["asked_on"] = date.fromisoformat(stored["asked_on"])
    stored["intent"] = Intent(stored["intent"])
    stored["kinds"] = tuple(MemoryKind(kind) for kind in stored["kinds"])
    stored["time"] = _range_from(stored["time"]) if stored["time"] else None
    return AugmentedQuery(**stored)


def _range_from(stored: dict[str, Any]) -> DayRange:
    first, last = (date.fromisoformat(day) if day else None for day in (stored["first_day"], stored["last_day"]))
    hours = (stored["hours"][0], stored["hours"][1]) if stored["hours"] else None
    apart = tuple((date.fromisoformat(start), date.fromisoformat(end)) for start, end in stored.get("apart", ()))
    return DayRange(first, last, stored["words"], hours, tuple(stored["weekdays"]), apart)
