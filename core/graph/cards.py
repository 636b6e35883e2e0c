"""What does the graph know of one person or thing, in a few lines? Relations, companions, places, days and portraits."""

from collections import Counter
from dataclasses import dataclass
from datetime import date

from core.graph.kinship import Kinship
from core.records import MemoryFilter
from core.store.graph import PERSON
from core.store.library import Library
from core.store.told import ME
from core.text_keys import text_key

_MOST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A person as the graph knows them.

    Attributes:
        sex: as a told relation says it (daughter); empty when none does.
        to_owner: what they are to the owner, the nearest first.
        relations: (what, who): what others are of them, as told.
        companions, places: with how many days, the most first.
        portraits: memories that show them, with nobody else first, over the years.
        facts: statements about them.
    """

    name: str
    sex: str = ""
    to_owner: tuple[str, ...] = ()
    relations: tuple[tuple[str, str], ...] = ()
    companions: tuple[tuple[str, int], ...] = ()
    places: tuple[tuple[str, int], ...] = ()
    first_day: date | None = None
    last_day: date | None = None
    days: int = 0
    portraits: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


def card(library: Library, name: str) -> Card:
    """The card of somebody; nearly empty for a name nobody has."""
    told = [each for each in library.graph.told() if each.holds]
    kinship = Kinship.of(told)
    owner = library.stages.note("owner") or ME
    members = library.memories.matching(MemoryFilter(people=(name,)))
    days = sorted({memory.taken.day for memory in members if memory.taken.day})
    with_others = {(text_key(other), other, memory.taken.day) for memory in members for other in memory.people}
    companions = Counter(other for key, other, _ in with_others if key != text_key(name))
    at_places = {(memory.place.name or memory.place.city, memory.taken.day) for memory in members if memory.place}
    places = Counter(where for where, _ in at_places if where)
    key = text_key(name)
    return Card(
        name=next((each for each in kinship.names if text_key(each) == key), name),
        sex=kinship.sex(name),
        to_owner=tuple(kinship.relations(owner, name)),
        relations=tuple(
            (each.relation, each.target.name)
            for each in told
            if each.source.kind == PERSON and text_key(each.source.name) == key
        ),
        companions=tuple(companions.most_common(_MOST)),
        places=tuple(places.most_common(_MOST)),
        first_day=days[0] if days else None,
        last_day=days[-1] if days else None,
        days=len(days),
        portraits=_portraits([(len(memory.people), memory.taken.day, memory.id) for memory in members]),
        facts=tuple(item.statement for item in library.knowledge.all() if key and key in text_key(item.statement))[
            :_MOST
        ],
    )


def _portraits(shown: list[tuple[int, date | None, str]]) -> tuple[str, ...]:
    """One a year, with as few others as can be; the newest first."""
    best: dict[int, tuple[int, str]] = {}
    for others, day, memory_id in shown:
        year = day.year if day else 0
        if year not in best or others < best[year][0]:
            best[year] = (others, memory_id)
    return tuple(memory_id for _, (_, memory_id) in sorted(best.items(), reverse=True)[:_MOST])
