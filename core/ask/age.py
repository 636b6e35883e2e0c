"""How old somebody is, or was on a day: from a birthday with its year among facts, or from texts."""

import re
from datetime import date

from core.ask.dates import find_days
from core.ask.phrases import spoken_day
from core.ask.plan import Plan
from core.ask.turn import Draft, Turn, not_found
from core.counted import counted
from core.records import Knowledge, KnowledgeState, Outcome, ValueType
from core.retrieve.match_words import match_all, words_of
from core.text_keys import text_key

_ASKS = re.compile(r"\bhow old\b|\b(?:what|which) (?:was|is) (?:my|\{person\}(?: 's)?) age\b|\bwhat age\b")
_BORN = re.compile(r"\b(?:born|birth(?:day)?|geboren|nacid\w|née?)\b", re.IGNORECASE)
_MOST_TEXTS = 20


def answer(turn: Turn, plan: Plan) -> Draft | None:
    """Years at the time asked about, else today; None where the question asks for something else."""
    if not _ASKS.search(plan.understood.mask) or len(plan.query.people) > 1:
        return None
    owner = turn.library.stages.note("owner")
    name = plan.query.people[0] if plan.query.people else owner
    is_owner = text_key(name) == text_key(owner)
    if not plan.query.people and not re.search(r"\b(?:am|was|were) i\b|\bmy age\b", plan.understood.mask):
        return None
    who = "you" if is_owner else name
    found = _from_facts(turn, name) or _from_texts(turn, name, plan)
    if found is None:
        text = f"I do not know when {'you were' if is_owner else f'{name} was'} born. Add it under Knowledge: “{name} was born on …”."
        return not_found(text, f"All known facts, and all texts that name {name}.")
    born, cited = found
    day = _day_asked(turn, plan)
    if day < born:
        return not_found(
            f"{who[:1].upper()}{who[1:]} {'were' if is_owner else 'was'} born later, on {spoken_day(born)}.",
            "The known birthday.",
        )
    years = day.year - born.year - ((day.month, day.day) < (born.month, born.day))
    verb = "are" if is_owner else "is"
    if day != plan.query.asked_on:
        verb = "were" if is_owner else "was"
    turn.note_retrieved(cited, "says when")
    text = f"{who[:1].upper()}{who[1:]} {verb} {counted(years, 'year')} old on {spoken_day(day)} (born on {spoken_day(born)})."
    return Draft(outcome=Outcome.ANSWERED, text=text, value=years, value_type=ValueType.NUMBER, cited=tuple(cited), confidence=0.9,
                 how="Subtracted the day of birth from the day asked about")  # fmt: skip


def _day_asked(turn: Turn, plan: Plan) -> date:
    events = [event for event in turn.library.events.many(plan.query.event_ids) if event.start]
    if events and events[0].start:
        return events[0].start.date()
    time = plan.query.time
    return (time.first_day or time.last_day or plan.query.asked_on) if time else plan.query.asked_on


def _from_facts(turn: Turn, name: str) -> tuple[date, list[str]] | None:
    parts = set(words_of(name))
    found: list[tuple[bool, date, Knowledge]] = []
    for item in turn.library.knowledge.all():
        if (
            _BORN.search(item.statement)
            and parts & set(words_of(item.statement))
            and item.state is not KnowledgeState.REJECTED
        ):
            found += [(item.state is KnowledgeState.INFERRED, day, item) for day in _days(item.statement)]
    found.sort(key=lambda each: each[0])
    return (found[0][1], list(found[0][2].evidence_ids[:2])) if found else None


def _from_texts(turn: Turn, name: str, plan: Plan) -> tuple[date, list[str]] | None:
    """A line of a picture's text that names the person and a birth with its year."""
    first = next(iter(words_of(name)), "")
    hits = turn.library.memories.by_words(match_all([first]), _MOST_TEXTS, plan.scope) if first else []
    for memory in turn.library.memories.many([memory_id for memory_id, _ in hits]):
        for line in f"{memory.visible_text}\n{memory.caption}\n{memory.speech}".splitlines():
            if _BORN.search(line) and first in words_of(line) and (days := _days(line)):
                return days[0], [memory.id]
    return None


def _days(text: str) -> list[date]:
    """Days that are written with their year."""
    spoken = find_days(text, date(2000, 1, 1))
    return [
        day.first_day
        for day in spoken
        if day.first_day and day.first_day == day.last_day and str(day.first_day.year) in day.words
    ]
