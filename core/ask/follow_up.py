"""What a follow-up question takes over from the question before it."""

import json
import re
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from typing import Any

from core.ask.question_forms import superlative_in
from core.records import AugmentedQuery, DayRange, Intent, MemoryKind, ValueType
from core.store.library import Library

_CONTINUES = re.compile(r"^(?:and|but|or|also|what about|how about|then|so)\b")
_FRAGMENT = re.compile(
    r"^(?:(?:no|yes|and|but|or|ok|okay)\W+)?(?:only|just|without|with|not|except|excluding|in|on|at|from|since|before|after|during|near|"
    r"the (?:first|last|latest|newest|oldest|second|third))\b"
)
"""A piece of a sentence that narrows the question before it: "only those from 2024", "without my sister"."""
_POINTS_BACK = re.compile(
    r"\b(?:with (?:me|us)|(?:came|come|tagged) along|joined (?:me|us)|there|then|else|it|that|this|those|these|them)\b"
)
_BEFORE_THAT = re.compile(r"\b(?:before (?:that|then)|the time before|previously)\b")
_AFTER_THAT = re.compile(r"\b(?:after (?:that|then)|afterwards?|the time after)\b")
_PRONOUN_PERSON = re.compile(r"\b(?:she|he|they|her|him|them)\b")
_PRONOUN_PLACE = re.compile(r"\bthere\b(?! (?:is|are|was|were)\b)|\bthat place\b")
_PRONOUN_TIME = re.compile(r"\b(?:then|that day|that time|that (?:week|month|year))\b")
_PRONOUN_EVENT = re.compile(r"\b(?:it|that (?:trip|event|party|conference|day)|the same)\b")
_OWN_QUESTION = re.compile(
    r"\b(?:who|where|when|what|which|how|why|did|do|have|was|were|am|is|are|show|list|find|compare)\b"
)
_A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Asked:
    """The last turn of a conversation.

    Attributes:
        day: the day that was the answer ("when was I last at the café"); None for another kind of answer.
    """

    query: AugmentedQuery
    day: date | None = None


def last_asked(library: Library, conversation_id: str | None) -> Asked | None:
    """The conversation's last turn; None where there is none."""
    turns = library.conversations.turns(conversation_id) if conversation_id else []
    if not turns:
        return None
    answer: dict[str, Any] = json.loads(turns[-1].answer)
    value = str(answer.get("value"))
    is_day = answer.get("value_type") == ValueType.DATE and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value)
    return Asked(query_from(turns[-1].query), date.fromisoformat(value) if is_day else None)


def inherit(query: AugmentedQuery, asked: Asked, mask: str) -> AugmentedQuery:
    """Fill what a follow-up leaves out; a question that neither continues nor points back stands alone.

    "And in April?" asks the same again of another time, "only those from 2024" narrows what was asked, "who was with me?" after
    a day was the answer is about that day.
    """
    previous, rest = asked.query, _CONTINUES.sub("", mask)
    is_piece = not _OWN_QUESTION.search(rest) and query.intent is not Intent.CHOICE
    continues = bool(_CONTINUES.match(mask)) or (is_piece and _FRAGMENT.match(mask) is not None)
    points_back = _is_bare(query) and _POINTS_BACK.search(mask) is not None
    all_of_it = continues or points_back
    taken: dict[str, Any] = {}  # fields of the record by name
    if not query.time and previous.time and (all_of_it or _PRONOUN_TIME.search(mask)):
        taken["time"] = previous.time
    if not query.places and previous.places and (all_of_it or _PRONOUN_PLACE.search(mask)):
        taken["places"] = previous.places
    if not query.people and previous.people and (all_of_it or _PRONOUN_PERSON.search(mask)):
        taken["people"] = previous.people
    if not query.event_ids and previous.event_ids and (all_of_it or _PRONOUN_EVENT.search(mask)):
        taken |= {"event_ids": previous.event_ids, "event_relation": previous.event_relation}
    if not query.content and previous.content and (points_back or (continues and is_piece)):
        taken |= {"content": previous.content, "search_text": previous.search_text, "statement": previous.statement}
    if not query.kinds and previous.kinds and continues and is_piece:
        taken["kinds"] = previous.kinds
    if continues and is_piece:
        taken |= {
            "intent": previous.intent,
            "unit": previous.unit,
            "order": query.order or superlative_in(rest) or previous.order,
        }
    if asked.day is not None and points_back and not query.time:
        taken |= _around(asked.day, mask)
    if not taken:
        return query
    kept = ", ".join(name for name in ("time", "places", "people", "event_ids", "content", "intent") if name in taken)
    return replace(query, **taken, notes=(*query.notes, f"Taken over from the question before: {kept}."))


def _is_bare(query: AugmentedQuery) -> bool:
    """Whether a question says neither when nor where, who or what: "who was with me?"."""
    conditions = (query.time, query.places, query.people, query.any_people, query.event_ids, query.content, query.kinds)
    return not any((*conditions, query.without_people, query.without_places, query.unknown_names, query.untold))


def _around(day: date, mask: str) -> dict[str, Any]:
    """The time of what is pointed back to: the day that was the answer, what was before it, or what came after."""
    if _BEFORE_THAT.search(mask):
        return {"time": DayRange(None, day - _A_DAY, "before that"), "order": "last"}
    if _AFTER_THAT.search(mask):
        return {"time": DayRange(day + _A_DAY, None, "after that"), "order": "first"}
    return {"time": DayRange(day, day, "that day")}


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
