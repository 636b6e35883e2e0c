"""Which events was the person at: "what social events did I attend during the conference", "which parties did I go to in May"?

The events are those that were inferred or corrected; code lists every one that fits the question's time, people and places.
"""

import re
from collections.abc import Sequence

from core.ask.phrases import conditions, listed
from core.ask.plan import Plan
from core.ask.turn import Draft, Turn
from core.counted import counted
from core.records import Event, EventStatus, Intent, Outcome, ValueType
from core.text_keys import text_key

_ASKED = re.compile(
    r"\b(?P<kind>\w+ )??(?<!\{)(?P<noun>events?|occasions?|gatherings?|get-togethers?|celebrations?|part(?:y|ies)|functions?|festivities)\b"
    r"(?= (?:did|have|had|was|were|that|i|we|took|happened|with|during|in|at|on|from|since|of)\b|\W*$)"
)
_WANTS_NAMES = re.compile(r"\b(?:what|which|list|name|tell me|all|how many)\b")
_OPEN_KINDS = frozenset(
    ("", "what", "which", "the", "all", "my", "other", "big", "special", "many", "kind", "of", "these", "those")
)
_SOCIAL = re.compile(
    r"\b(?:reception|part(?:y|ies)|karaoke|banquet|drinks?|picnic|barbecue|bbq|birthday|wedding|anniversary|reunion|gala|ball|mixer|meetup|"
    r"night|quiz|tasting|brunch|celebration|farewell|christmas|thanksgiving|easter|halloween|new year|festival|engagement|shower|"
    r"graduation|housewarming|happy hour|game|get together|social)\b"
)
_KINDS = {
    "social": _SOCIAL,
    "cultural": re.compile(r"\b(?:museum|exhibition|expo|concert|opera|theatre|theater|musical|cinema|film|screening|festival|recital|"
                           r"galler(?:y|ies)|premiere|ballet|reading)\b"),
    "sport": re.compile(r"\b(?:marathon|race|match|tournament|cup|championship|game|hike|hiking|climbing|ski\w*|swim\w*|cycling|sailing|"
                        r"football|tennis|run)\b"),
    "work": re.compile(r"\b(?:conference|forum|workshop|summit|seminar|symposium|congress|talk|keynote|lecture|meeting|session|retreat|"
                       r"convention|hackathon|expo|training|poster)\b"),
    "party": re.compile(r"\b(?:part(?:y|ies)|birthday|karaoke|reception|celebration|shower|housewarming|farewell|ball|gala|new year)\b"),
    "celebration": re.compile(r"\b(?:celebration|birthday|wedding|anniversary|graduation|christmas|new year|thanksgiving|easter|festival|"
                              r"engagement|party)\b"),
}  # fmt: skip
_SAME_KIND = {
    "social": "social", "sociable": "social", "gathering": "social", "gatherings": "social", "festivities": "social",
    "cultural": "cultural", "culture": "cultural", "sports": "sport", "sport": "sport", "sporting": "sport", "athletic": "sport",
    "work": "work", "professional": "work", "academic": "work", "business": "work", "scientific": "work", "party": "party",
    "parties": "party", "celebration": "celebration", "celebrations": "celebration",
}  # fmt: skip
_MEAL = re.compile(r"\b(?:dinner|lunch|breakfast|meal|coffee|tea)\b")
_FRAMES = frozenset(("rule:trip", "rule:day_trip", "rule:day"))
"""A journey and its days hold events; nobody attends them."""
_CITED_OF_EACH = 3
_SURE, _BY_WORDS = 0.9, 0.75


def answer(turn: Turn, plan: Plan) -> Draft | None:
    """The events with their pictures; None where the question asks for something else or no event is known that fits."""
    asked = _ASKED.search(plan.understood.mask)
    is_about_many = plan.query.intent in (Intent.WHAT, Intent.LIST, Intent.FIND, Intent.COUNT)
    if asked is None or not is_about_many or not _WANTS_NAMES.search(plan.understood.mask):
        return None
    kind = _kind(asked)
    held = frozenset(turn.library.memories.ids_matching(plan.exact))
    events = [event for event in _fitting(turn, plan, held) if not kind or _is_of(turn, kind, event, held)]
    if not kind and not plan.query.event_ids:
        events = _outermost(events)
    if not events:
        return None
    names = list(dict.fromkeys(event.name for event in events))
    cited = [each for event in events for each in [one for one in event.member_ids if one in held][:_CITED_OF_EACH]]
    turn.note_retrieved(cited, "part of the event")
    said = conditions(plan.query, plan.understood.place_groups)
    is_count = plan.query.intent is Intent.COUNT
    noun = kind if kind in ("party", "celebration") else f"{kind} event".strip()
    text = (
        f"{counted(len(names), noun).capitalize()}{said}: {listed(names)}." if is_count else f"{listed(names)}{said}."
    )
    return Draft(
        outcome=Outcome.ANSWERED,
        text=text[0].upper() + text[1:],
        value=len(names) if is_count else tuple(names),
        value_type=ValueType.NUMBER if is_count else ValueType.SET,
        cited=tuple(dict.fromkeys(cited)),
        confidence=_BY_WORDS if kind else _SURE,
        how=f"Listed the events among {counted(len(held), 'memory')}"
        + (f" whose names and pictures are {kind}" if kind else ""),
        searched=f"{counted(len(held), 'memory').capitalize()}{said}.",
    )


def _kind(asked: re.Match[str]) -> str:
    """The kind of event asked for, a word of its own where no table knows it ("charity events"); empty for any."""
    word = (asked["kind"] or "").strip()
    return _SAME_KIND.get(asked["noun"], "") if word in _OPEN_KINDS else _SAME_KIND.get(word, word)


def _fitting(turn: Turn, plan: Plan, held: frozenset[str]) -> list[Event]:
    """What was lived with a memory that fulfils the conditions, in time order, without the event asked about and what holds it."""
    everything = {event.id: event for event in turn.library.events.all()}
    left_out = set()
    for event_id in plan.query.event_ids:
        above: str | None = event_id
        while above is not None and above not in left_out:
            left_out.add(above)
            above = everything[above].parent_id if above in everything else None
    inside: set[str] = set()
    if plan.query.event_relation in ("during", "about"):
        inside = {
            each
            for event_id in plan.query.event_ids
            if event_id in everything
            for each in everything[event_id].member_ids
        }
    fitting = [
        event
        for event in everything.values()
        if event.id not in left_out
        and event.status is EventStatus.LIVED
        and not (event.provenance and event.provenance.made_by in _FRAMES)
        and not held.isdisjoint(event.member_ids)
        and (not inside or inside & set(event.member_ids))
    ]
    return sorted(fitting, key=lambda event: (event.start is None, str(event.start), event.id))


def _is_of(turn: Turn, kind: str, event: Event, held: frozenset[str]) -> bool:
    name, pattern = text_key(event.name), _KINDS.get(kind) or re.compile(rf"\b{re.escape(text_key(kind))}")
    if pattern.search(name):
        return True
    members = turn.library.memories.many([member for member in event.member_ids if member in held])
    if kind == "social" and _MEAL.search(name) and any(memory.people for memory in members):
        return True
    if any(other.search(name) for other in _KINDS.values()):
        return False  # its name says that it is of another kind
    return (
        pattern.search(text_key(" ".join(activity for memory in members for activity in memory.activities))) is not None
    )


def _outermost(events: Sequence[Event]) -> list[Event]:
    """Without those whose memories all lie in another one listed."""
    members = [frozenset(event.member_ids) for event in events]
    return [event for event, own in zip(events, members, strict=True) if not any(own < other for other in members)]
