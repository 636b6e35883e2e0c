"""Answers from what somebody wrote of their own days: with whom, what, how long, how many, which most; over every sentence that fits.

Notes and captions of people who keep a diary carry no tags, so what others read from people and places is read here from sentences.
It keeps to memories that are such sentences, and leaves every other question to the rules that follow.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from core.ask import diary, sorts, told_form
from core.ask.compute import on_days
from core.ask.evidence import best_sentence
from core.ask.measures import average, periods, stretch_of
from core.ask.phrases import listed, spoken_day
from core.ask.plan import Plan
from core.ask.question_forms import superlative_in
from core.ask.told_form import Told, form_of_told, gathered
from core.ask.turn import Draft, Turn, Value, not_found
from core.counted import counted
from core.records import CapturedMemory, Intent, Outcome, ValueType
from core.retrieve.match_words import words_of
from core.text_keys import text_key

_TOP = 5
_CITED = 60
_QUOTED = 300
_NEAR = timedelta(days=2)
_SEVERAL = re.compile(r"\btop (?:(?P<number>\d+)|n|few|several)?|\b(?:what|which) (?:are|were)\b.*\bmost\b")
_AVERAGE = re.compile(r"\b(?:average|mean|typically)\b")
_SURE, _ASSUMED = 0.85, 0.6


def answer(turn: Turn, plan: Plan) -> Draft | None:
    """What the sentences say; None where they are no diary, or where the question asks for something else."""
    form = form_of_told(plan)
    if not form or plan.query.event_ids or plan.query.kinds:
        return None
    told = gathered(turn, plan, form)
    if told is None:
        return None
    draft = _RULES[form](told)
    if draft is None:
        return None
    turn.note_retrieved(draft.cited, "says so")
    total = counted(turn.library.memories.count(), "memory")
    searched = f"{counted(len(told.held), 'memory').capitalize()}{told.said} of {total}."
    if draft.outcome is Outcome.NOT_FOUND:
        return replace(draft, searched=searched)
    return replace(draft, searched=searched, text=f"{draft.text}{f' {told.note}' if told.note else ''}",
                   confidence=_ASSUMED if told.note else draft.confidence)  # fmt: skip


def _who(told: Told) -> Draft | None:
    asked = {text_key(word) for word in words_of(told.plan.query.question)}
    groups = _by(
        told.held,
        lambda memory: [name for name in diary.companions_told(memory.caption) if text_key(name) not in asked],
    )
    if told.plan.query.intent is Intent.COUNT:
        return _distinct(told, groups, "person")
    return _most_or_all(told, groups, "people")


def _where(told: Told) -> Draft | None:
    named = {text_key(word) for word in words_of(told.plan.query.question)}
    groups = _by(told.held, lambda memory: [
        spot for spot in diary.spots_told(memory.caption) if not {text_key(word) for word in words_of(spot)} <= named
    ])  # fmt: skip
    return _most_or_all(told, groups, "places")


def _what(told: Told) -> Draft | None:
    if not told.verb:
        return None
    named = {text_key(word) for word in words_of(told.plan.query.question)}
    noun = next((word for word in reversed(told_form.nouns_asked(told.mask)) if sorts.is_sort(word)), "")
    groups = _by(told.held, lambda memory: [
        thing for thing in diary.things_told(memory.caption, told.verb)
        if (not noun or sorts.is_of_sort(thing, noun)) and not {text_key(word) for word in words_of(thing)} <= named
    ])  # fmt: skip
    if noun and not groups:
        text = f"No sentence says of which {noun} that was{told.said}."
        return not_found(text, "", f"Read {counted(len(told.held), 'sentence')}")
    return _most_or_all(told, groups, noun or "things")


def _number_of(told: Told) -> Draft | None:
    """How many dishes, how many places: things counted, distinct places, an average for each day where that is asked."""
    asked = told_form.HOW_MANY.search(told.mask)
    if not told.verb or asked is None:
        return None
    noun = asked["noun"]
    named = {text_key(word) for word in words_of(told.plan.query.question)}
    groups = _by(told.held, lambda memory: [
        thing for thing in diary.things_told(memory.caption, told.verb)
        if (not sorts.is_sort(noun) or sorts.is_of_sort(thing, noun)) and not {text_key(word) for word in words_of(thing)} <= named
    ])  # fmt: skip
    if not groups:
        return None
    number = sum(len(group) for group in groups.values())
    if _AVERAGE.search(told.mask) and told.period:
        first, last = stretch_of(told.plan.query.time, list(on_days(told.held)), told.plan.query.asked_on)
        value = number / periods(told.period, first, last)
        text = f"{value:.2g} {noun} a {told.period}: {number} in {counted(periods(told.period, first, last), told.period)}{told.said}."
        return _draft(told, value, ValueType.NUMBER, text, told.held, f"Divided all {noun} by {told.period}s")
    names = listed(list(groups)[:12])
    what = noun.removesuffix("s") if len(groups) == 1 else f"different {noun}"
    text = f"{len(groups)} {what}{told.said}: {names}."
    return _draft(told, len(groups), ValueType.NUMBER, text, [group[0] for group in groups.values()],
                  f"Counted distinct {noun} named in {counted(len(told.held), 'memory')}")  # fmt: skip


def _how_long(told: Told) -> Draft | None:
    timed = [(memory, minutes) for memory in told.held if (minutes := diary.minutes_told(memory.caption)) is not None]
    if not timed:
        return None
    total, memories = sum(minutes for _, minutes in timed), [memory for memory, _ in timed]
    days = on_days(memories)
    if _AVERAGE.search(told.mask):
        first, last = stretch_of(told.plan.query.time, list(days), told.plan.query.asked_on)
        over = len(days) if told.period in ("", "day") else periods(told.period, first, last)
        unit = "day on which it is told" if told.period in ("", "day") else told.period
        value = total / over
        text = f"{_spoken_minutes(value)} a {unit}: {_spoken_minutes(total)} over {over}{told.said}."
        return _draft(told, value, ValueType.NUMBER, text, memories, f"Divided all minutes by {told.period or 'day'}s")
    text = f"{_spoken_minutes(total).capitalize()}{told.said}{_quote(told, memories)}."
    how = f"Added up the minutes of {counted(len(memories), 'memory')}"
    in_hours = re.search(r"\bhow many hours\b", told.mask) is not None
    return _draft(told, round(total / 60, 2) if in_hours else total, ValueType.NUMBER, text, memories, how)


def _spoken_minutes(minutes: float) -> str:
    if minutes >= 600:
        return f"{minutes / 60:.1f} hours"
    return f"{minutes:.3g} minute{'' if minutes == 1 else 's'}"


def _times(told: Told) -> Draft:
    days = on_days(told.held)
    if _AVERAGE.search(told.mask) and told.period and days:
        value, over = average(list(days), told.period, told.plan.query.time, told.plan.query.asked_on)
        text = f"{value:g} times a {told.period}: on {counted(len(days), 'day')}{told.said} in {over}."
        return _draft(
            told, value, ValueType.NUMBER, text, list(days.values()), f"Divided distinct days by {told.period}s"
        )
    text = f"On {counted(len(days), 'day')}{told.said}." if days else f"Not once{told.said}."
    return _draft(told, len(days), ValueType.NUMBER, text, list(days.values()), "Counted distinct days")


def _journeys(told: Told) -> Draft | None:
    starts = _starts(told.held)
    if not starts:
        return None
    first_days = listed([spoken_day(memory.taken.day) for memory in starts[:8] if memory.taken.day])
    text = f"{counted(len(starts), 'journey').capitalize()}{told.said}, beginning on {first_days}."
    return _draft(told, len(starts), ValueType.NUMBER, text, starts, "Joined the days of each journey")


def _starts(held: Iterable[CapturedMemory]) -> list[CapturedMemory]:
    """The first memory of each journey: days that follow each other, or lie within the days somebody says to be away."""
    found: list[CapturedMemory] = []
    until = date.min
    for memory in held:
        day = memory.taken.day
        if day is None:
            continue
        if not found or day > until + _NEAR:
            found.append(memory)
            until = day
        until = max(until, day + timedelta(days=max(diary.days_away(memory.caption) - 1, 0)))
    return found


def _destinations(told: Told) -> Draft | None:
    asked = told_form.TOWNS.search(told.mask)
    level = asked["level"] if asked else ""

    def names(memory: CapturedMemory) -> list[str]:
        parts = [name.split(", ") for name in diary.places_gone_to(memory.caption)]
        return [part[-1] if level.startswith("countr") else part[0] if level else ", ".join(part) for part in parts]

    groups = {name: _starts(group) for name, group in _by(told.held, names).items()}
    groups = {name: starts for name, starts in groups.items() if starts}
    if told.plan.query.intent is Intent.COUNT:
        return _distinct(told, groups, "country" if level.startswith("countr") else "city")
    return _most_or_all(told, groups, "destinations")


def _distinct(told: Told, groups: Mapping[str, Sequence[CapturedMemory]], noun: str) -> Draft | None:
    """How many different ones."""
    if not groups:
        return None
    text = f"{counted(len(groups), noun).capitalize()}{told.said}: {listed(list(groups)[:12])}."
    how = f"Counted the different names in {counted(len(told.held), 'memory')}"
    return _draft(told, len(groups), ValueType.NUMBER, text, [group[0] for group in groups.values()], how)


def _most_or_all(told: Told, groups: dict[str, list[CapturedMemory]], noun: str) -> Draft | None:
    """The one on most days, the first few where several are asked for, or all."""
    if not groups:
        return None
    if not told_form.MOST.search(told.mask):
        names = tuple(groups)
        support = [memory for group in groups.values() for memory in group]
        text = f"{listed(names[:20])}{told.said}{_quote(told, support)}."
        return _draft(
            told, names, ValueType.SET, text, support, f"Listed all {noun} named in {counted(len(told.held), 'memory')}"
        )
    is_least = superlative_in(told.mask) == "least"
    ranked = sorted(groups.items(), key=lambda pair: _rank(pair[1]), reverse=not is_least)
    several = _SEVERAL.search(told.mask)
    how = f"Compared how often {counted(len(groups), noun.removesuffix('s') if noun == 'things' else 'name')} came up"
    if several:
        chosen = ranked[: int(several["number"] or _TOP)]
        text = f"{listed([f'{name} ({len(group)})' for name, group in chosen])}{told.said}."
        support = [memory for _, group in chosen for memory in group[-5:]]
        return _draft(told, tuple(name for name, _ in chosen), ValueType.SET, text, support, how)
    name, group = ranked[0]
    equals = [other for other, rivals in ranked[1:] if len(rivals) == len(group)]
    tie = f" ({listed(equals[:3])} as often)" if equals else ""
    text = f"{name}: {len(group)} times{told.said}{tie}." if len(group) > 1 else f"{name}, once{told.said}{tie}."
    return _draft(told, name, ValueType.TEXT, text, group, how)


def _rank(group: Sequence[CapturedMemory]) -> tuple[int, float]:
    """More days first; among equals what took longer."""
    return len(group), sum(diary.minutes_told(memory.caption) or 0.0 for memory in group)


def _by(
    held: Iterable[CapturedMemory], values: Callable[[CapturedMemory], Iterable[str]]
) -> dict[str, list[CapturedMemory]]:
    """Memories by value, spellings with one key together, shown as first met."""
    shown: dict[str, str] = {}
    groups: dict[str, list[CapturedMemory]] = defaultdict(list)
    for memory in held:
        for value in dict.fromkeys(values(memory)):
            groups[shown.setdefault(text_key(value), value)].append(memory)
    return dict(groups)


def _quote(told: Told, memories: Sequence[CapturedMemory]) -> str:
    """What was written, where it is one memory only."""
    if len({memory.id for memory in memories}) != 1:
        return ""
    written = memories[0].caption.strip()
    if len(written) > _QUOTED:
        written = best_sentence(memories[0], words_of(told.plan.query.question))
    return f" — “{written.rstrip('.')}”"


def _draft(told: Told, value: Value, kind: ValueType, text: str, support: Sequence[CapturedMemory], how: str) -> Draft:
    cited = tuple(dict.fromkeys(memory.id for memory in support))[:_CITED]
    return Draft(outcome=Outcome.ANSWERED, text=text, value=value, value_type=kind, cited=cited, confidence=_SURE,
                 how=f"{how}, read from sentences")  # fmt: skip


_RULES: Mapping[str, Callable[[Told], Draft | None]] = {
    "who": _who,
    "what": _what,
    "where": _where,
    "number_of": _number_of,
    "how_long": _how_long,
    "times": _times,
    "journeys": _journeys,
    "destinations": _destinations,
}
