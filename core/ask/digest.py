"""Tells in a few lines what a stretch of time or an event was: for "summarise", "what happened", "what did I do before the party"."""

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from core.ask.evidence import best_sentence
from core.ask.measures import Stay
from core.ask.phrases import conditions, listed, quoted, spoken_day
from core.ask.plan import Plan
from core.ask.turn import Draft, Turn, not_found
from core.counted import counted
from core.records import CapturedMemory, Intent, Outcome, ValueType
from core.text_keys import text_key

_SUMMARISE = re.compile(
    r"^(?:please |can you |could you )?(?:summari[sz]e|sum up|recap|describe|outline|tell me (?:more |something )?about|give me (?:a|an) "
    r"(?:summary|overview|recap))\b|\bwhat (?:all )?(?:happened|was going on|went on)\b|\bwhat (?:all )?(?:did|have) (?:i|we) "
    r"(?:do|done|been doing|been up to)\b|\bhow was\b|\bwhat (?:was|is) \{event\} like\b"
)
_WHO_IS = re.compile(r"^(?:and )?who(?:'s| is| was) \{person\}\W*$")
_EDGE = re.compile(
    r"\b(?:right|just|immediately|shortly|directly) (?:before|after)\b|\bwhat did (?:i|we) do (?:before|after)\b"
)
_HOW_LONG_EVENT = re.compile(r"\bhow (?:long|many days)\b.*\{event\}|\bduration of \{event\}|\b(?:length) of \{event\}")
_SUMMARY_WORDS = frozenset(
    ("summarise", "summarize", "summary", "sum", "recap", "overview", "describe", "outline", "right", "going", "done", "doing", "more",
     "story", "about")
)  # fmt: skip
_LINES = 6
_SURE, _TOLD = 0.95, 0.75


def answer(turn: Turn, plan: Plan) -> Draft | None:
    """A digest of what the conditions leave; None where the question asks for something else."""
    mask, query = plan.understood.mask, plan.query
    if query.event_ids and query.event_relation in ("during", "about") and _HOW_LONG_EVENT.search(mask):
        return _how_long(turn, plan)
    content = [word for word in plan.understood.content if not _SUMMARISE.search(word) and word not in _SUMMARY_WORDS]
    frames = query.time or query.event_ids or query.places or query.people
    asks = _SUMMARISE.search(mask) and query.intent in (Intent.WHAT, Intent.FIND)
    if content or not frames or not (asks or _WHO_IS.search(mask)):
        return None
    held = turn.library.memories.matching(plan.exact)
    if query.event_ids and query.event_relation in ("during", "about"):
        inside = {each for event in turn.library.events.many(query.event_ids) for each in event.member_ids}
        held = [memory for memory in held if memory.id in inside] or held
    is_edge = bool(query.event_ids and query.event_relation in ("before", "after") and _EDGE.search(mask))
    if is_edge:
        held = _edge(held, query.event_relation)
    said = conditions(query, plan.understood.place_groups)
    if not held:
        return not_found(f"I have nothing{said}.", f"{counted(turn.library.memories.count(), 'memory')}.")
    if len(held) == 1 and not is_edge:
        return None  # one memory speaks for itself
    return _told(turn, plan, held, said)


def _edge(held: Sequence[CapturedMemory], relation: str) -> list[CapturedMemory]:
    """The last day before, or the first day after."""
    days = [memory.taken.day for memory in held if memory.taken.day]
    wanted = (max if relation == "before" else min)(days, default=None)
    return [memory for memory in held if wanted is not None and memory.taken.day == wanted]


def _told(turn: Turn, plan: Plan, held: Sequence[CapturedMemory], said: str) -> Draft:
    """Where, with whom and what, day by day; the fullest days where there are many."""
    known = {text_key(name) for name in (turn.library.stages.note("owner"), *plan.query.people)}
    by_day: dict[date | None, list[CapturedMemory]] = defaultdict(list)
    for memory in held:
        by_day[memory.taken.day].append(memory)
    fullest = sorted(by_day, key=lambda day: -len(by_day[day]))[:_LINES]
    lines, cited = [], []
    for day in sorted(fullest, key=lambda each: (each is None, each or date.min)):
        chosen = _distinct(by_day[day])[:3]
        cited += [memory.id for memory in chosen]
        lines.append(f"{spoken_day(day) if day else 'Undated'}: {' '.join(_short(memory) for memory in chosen)}")
    people = [
        name for name in dict.fromkeys(name for memory in held for name in memory.people) if text_key(name) not in known
    ]
    places = list(dict.fromkeys(quoted(memory.place.label) for memory in held if memory.place and memory.place.label))
    head = f"{counted(len(held), 'memory').capitalize()} on {counted(len(by_day), 'day')}{said}"
    head += f", at {listed(places[:4])}" if places else ""
    head += f", with {listed(people[:5])}" if people else ""
    rest = len(by_day) - len(fullest)
    tail = [f"… and {counted(rest, 'more day')}."] if rest else []
    turn.note_retrieved(cited, "part of it")
    return Draft(outcome=Outcome.ANSWERED, text="\n".join([f"{head}.", *lines, *tail]), value="\n".join(lines), value_type=ValueType.TEXT,
                 cited=tuple(cited), confidence=_TOLD,
                 how=f"Told from all {counted(len(held), 'memory')}, the fullest days first")  # fmt: skip


def _distinct(held: Sequence[CapturedMemory]) -> list[CapturedMemory]:
    """One memory a place, then the others."""
    seen: dict[str, CapturedMemory] = {}
    for memory in held:
        seen.setdefault(memory.place.label if memory.place else memory.id, memory)
    return [*seen.values(), *(memory for memory in held if memory not in seen.values())]


def _short(memory: CapturedMemory) -> str:
    said = best_sentence(memory, ())
    return said if said.endswith((".", "!", "?")) or not said else f"{said}."


def _how_long(turn: Turn, plan: Plan) -> Draft | None:
    events = [event for event in turn.library.events.many(plan.query.event_ids) if event.start and event.end]
    if len(events) != 1 or events[0].start is None or events[0].end is None:
        return None
    event, start, end = events[0], events[0].start, events[0].end
    stay = Stay(start.date(), end.date())
    hours = round((end - start).total_seconds() / 3600, 1)
    text = (
        f"{event.name}: {stay.spoken}."
        if stay.days > 1
        else f"{event.name}: on {spoken_day(stay.first)}, {hours:g} hour{'' if hours == 1 else 's'} by its pictures."
    )
    cited = turn.note_retrieved(
        [event.member_ids[0], event.member_ids[-1]] if event.member_ids else [], "begins or ends it"
    )
    return Draft(outcome=Outcome.ANSWERED, text=text, value=stay.days, value_type=ValueType.NUMBER, cited=tuple(cited), confidence=_SURE,
                 how="Read the first and the last day of the event")  # fmt: skip
