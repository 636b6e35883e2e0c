"""Turns an understood question into the exact set of memories its answer must come from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from core.ask.anchor import around_anchor
from core.ask.augment_query import Understood
from core.ask.implied import at_its_hour, expressions
from core.records import AugmentedQuery, CapturedMemory, Event, Intent, MemoryFilter, MemoryKind, Origin, Question
from core.retrieve.rejected import rejected_for
from core.store.library import Library
from core.text_keys import text_key

COMPUTED = frozenset(
    {
        Intent.COUNT,
        Intent.WHEN,
        Intent.WHERE,
        Intent.WHO,
        Intent.LIST,
        Intent.DURATION,
        Intent.MOST,
        Intent.NEXT,
        Intent.PREVIOUS,
    }
)
"""Intents whose answer is computed where time, people, places and words decide which memories count."""
_EVERY = 1_000_000
_NOT_PHOTOS = tuple(kind for kind in MemoryKind if kind is not MemoryKind.PHOTO)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a question will be executed.

    Attributes:
        scope: exact conditions: time, selection, event time, and nothing after the day of asking.
        exact: the scope narrowed by people, places and kinds.
        names_something: people, places, events or kinds were named.
        note: how "after the …" was resolved; empty without it.
    """

    understood: Understood
    scope: MemoryFilter
    exact: MemoryFilter
    names_something: bool
    note: str = ""

    @property
    def query(self) -> AugmentedQuery:
        """The question as understood."""
        return self.understood.query


def make_plan(library: Library, question: Question, understood: Understood) -> Plan:
    """Plan a question; every condition in it is exact and will apply before anything is ranked."""
    query = understood.query
    scope = _as_of(library, _on_days_apart(library, _scope(query, question.within), query), query)
    scope = _without_rejected(library, scope, query.question)
    if query.event_ids:
        scope = _narrow_to_events(scope, query, library.events.many(query.event_ids))
    # imported memories may all be "photo" while their captions speak of screenshots: then the word decides
    if query.intent is Intent.FIND and query.kinds and library.memories.count(MemoryFilter(kinds=_NOT_PHOTOS)):
        scope = replace(scope, kinds=query.kinds)
    note = ""
    if understood.anchor:
        scope, note = around_anchor(library, scope, *understood.anchor)
    exact = replace(scope, people=query.people, without_people=query.without_people, kinds=query.kinds)
    exact = _with_anyone(library, exact, query.any_people)
    exact = _elsewhere(library, _at_places(library, exact, understood.place_groups), query.without_places)
    people = query.people or query.any_people or query.without_people
    named = bool(people or query.places or query.without_places or query.event_ids or query.kinds)
    return Plan(understood=understood, scope=scope, exact=exact, names_something=named, note=note)


def members(library: Library, plan: Plan, content: Sequence[str] = ()) -> list[CapturedMemory]:
    """Every memory the exact conditions leave, oldest first; with content words, those that hold all of them in some form."""
    if not content:
        return _in_cities(library.memories.matching(plan.exact), plan)
    for expression in expressions(content):
        held = tuple(memory_id for memory_id, _ in library.memories.by_words(expression, _EVERY, plan.exact))
        if held:
            found = library.memories.matching(replace(plan.exact, ids=held))
            return at_its_hour(_in_cities(found, plan), content)
    return []


def _in_cities(found: list[CapturedMemory], plan: Plan) -> list[CapturedMemory]:
    cities = plan.understood.cities
    return [memory for memory in found if memory.place and text_key(memory.place.city) in cities] if cities else found


def _scope(query: AugmentedQuery, within: tuple[str, ...] | None) -> MemoryFilter:
    time = query.time
    if time is None:
        return MemoryFilter(ids=within)
    return MemoryFilter(
        first_day=time.first_day, last_day=time.last_day, hours=time.hours, weekdays=time.weekdays, ids=within
    )


def _without_rejected(library: Library, scope: MemoryFilter, question: str) -> MemoryFilter:
    """What the person said has nothing to do with this question counts for nothing in it."""
    rejected = rejected_for(library, question)
    if not rejected:
        return scope
    return replace(scope, ids=tuple(each for each in library.memories.ids_matching(scope) if each not in rejected))


def _on_days_apart(library: Library, scope: MemoryFilter, query: AugmentedQuery) -> MemoryFilter:
    """Where days were listed one by one, only what lies on them."""
    if query.time is None or not query.time.apart:
        return scope
    stretches = [replace(scope, first_day=first, last_day=last) for first, last in query.time.apart]
    return replace(scope, ids=tuple(each for one in stretches for each in library.memories.ids_matching(one)))


def _as_of(library: Library, scope: MemoryFilter, query: AugmentedQuery) -> MemoryFilter:
    """Leave out what was captured after the day of asking; where no day is asked for, undated memories stay.

    So do those of which only the file's time is known: it tells when the file was written, by a copy too, not when it was lived.
    """
    if scope.last_day and scope.last_day <= query.asked_on:
        return scope
    if scope.first_day and scope.first_day > query.asked_on:
        return scope  # somebody asks about the future: plans, tickets
    if not library.memories.count(MemoryFilter(first_day=query.asked_on + timedelta(days=1))):
        return scope
    if scope.first_day or scope.last_day:
        return replace(scope, last_day=query.asked_on)
    tomorrow = query.asked_on + timedelta(days=1)
    written_later = MemoryFilter(first_day=tomorrow, date_origins=(Origin.FILE_TIME,))
    later = frozenset(library.memories.ids_matching(MemoryFilter(first_day=tomorrow)))
    later -= frozenset(library.memories.ids_matching(written_later))
    return replace(scope, ids=tuple(each for each in library.memories.ids_matching(scope) if each not in later))


def _narrow_to_events(scope: MemoryFilter, query: AugmentedQuery, events: Sequence[Event]) -> MemoryFilter:
    """A question "during" an event is about its days; "before" and "after" about the time around it; "about" is not narrowed."""
    starts = [event.start.date() for event in events if event.start]
    ends = [event.end.date() for event in events if event.end]
    if query.event_relation == "about" or not starts or not ends:
        return scope
    first: date | None = min(starts)
    last: date | None = max(ends)
    if query.event_relation == "between":
        first, last = min(ends) + timedelta(days=1), max(starts) - timedelta(days=1)
    if query.event_relation == "before":
        first, last = None, min(starts) - timedelta(days=1)
    elif query.event_relation == "after":
        first, last = max(ends) + timedelta(days=1), None
    firsts = [day for day in (scope.first_day, first) if day]
    lasts = [day for day in (scope.last_day, last) if day]
    return replace(scope, first_day=max(firsts, default=None), last_day=min(lasts, default=None))


def _with_anyone(library: Library, exact: MemoryFilter, people: Sequence[str]) -> MemoryFilter:
    """At least one of these people."""
    if not people:
        return exact
    held = {each for name in people for each in library.memories.ids_matching(MemoryFilter(people=(name,)))}
    return replace(exact, ids=tuple(sorted(held if exact.ids is None else held & set(exact.ids))))


def _elsewhere(library: Library, exact: MemoryFilter, places: Sequence[str]) -> MemoryFilter:
    """At none of these places; what has no place at all says nothing of where it was not."""
    if not places:
        return exact
    there = frozenset(library.memories.ids_matching(replace(exact, places=tuple(places))))
    kept = library.memories.matching(exact)
    return replace(exact, ids=tuple(memory.id for memory in kept if memory.place and memory.id not in there))


def _at_places(library: Library, exact: MemoryFilter, groups: Sequence[Sequence[str]]) -> MemoryFilter:
    """All the places named must hold at once ("the museum in Lisbon"); where that is impossible, any of them."""
    if not groups:
        return exact
    if len(groups) == 1:
        return replace(exact, places=tuple(groups[0]))
    held = [set(library.memories.ids_matching(MemoryFilter(places=tuple(group)))) for group in groups]
    both = set.intersection(*held)
    if not both:
        return replace(exact, places=tuple(name for group in groups for name in group))
    kept = both if exact.ids is None else both & set(exact.ids)
    return replace(exact, ids=tuple(sorted(kept)))
