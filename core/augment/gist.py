"""What does code say about a group of memories: when, where, who, and one line of what is in it?"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from core.augment.places import city_key
from core.records import CapturedMemory, Place
from core.text_keys import text_key

_SUMMARY_ITEMS = 4


@dataclass(frozen=True, slots=True)
class Gist:
    """Start, end, place and a summary; all computed from the members, never from a model."""

    start: datetime | None = None
    end: datetime | None = None
    place: str = ""
    summary: str = ""


def gist(members: Sequence[CapturedMemory], owner: str = "") -> Gist:
    """The gist of some memories."""
    walls = sorted(memory.taken.wall for memory in members if memory.taken.wall)
    start, end = (walls[0], walls[-1]) if walls else (None, None)
    place = common_place(members)
    parts = [days_text(start.date(), end.date()) if start and end else "", place]
    if people := companions(members, owner)[:_SUMMARY_ITEMS]:
        parts.append("with " + listed(people))
    if things := common_things(members)[:_SUMMARY_ITEMS]:
        parts.append(listed(things))
    number = f"{len(members)} {'memory' if len(members) == 1 else 'memories'}"
    return Gist(start, end, place, "; ".join([*(part for part in parts if part), number]) + ".")


def common_place(members: Iterable[CapturedMemory]) -> str:
    """The smallest place that holds most of the members that have one, as a person would say it."""
    places = [memory.place for memory in members if memory.place]
    if not places:
        return ""
    labels = Counter(place.label for place in places if place.label)
    if labels and labels.most_common(1)[0][1] * 2 > len(places):
        return labels.most_common(1)[0][0]
    city = common_city(places)
    return city.label if city else ""


def common_city_name(members: Iterable[CapturedMemory]) -> str:
    """The name of the city that at least half of the placed members lie in; empty where there is none."""
    city = common_city([memory.place for memory in members if memory.place])
    return city.city if city else ""


def common_city(places: Sequence[Place]) -> Place | None:
    """The city (or the region) that at least half of the places lie in, without the smaller parts."""
    keys = Counter(city_key(place) for place in places if city_key(place))
    if not keys or keys.most_common(1)[0][1] * 2 < len(places):
        return None
    key = keys.most_common(1)[0][0]
    one = next(place for place in places if city_key(place) == key)
    return Place(city=one.city or one.region, country=one.country)


def companions(members: Iterable[CapturedMemory], owner: str = "") -> list[str]:
    """Names of the people in the memories without the owner, most frequent first."""
    return _ranked((person for memory in members for person in memory.people), {text_key(owner)})


def common_things(members: Iterable[CapturedMemory]) -> list[str]:
    """Activities, then visual elements, most frequent first, as they were written."""
    members = list(members)
    activities = _ranked((activity for memory in members for activity in memory.activities), set())
    elements = _ranked((element for memory in members for element in memory.visual_elements), set())
    return list(dict.fromkeys([*activities, *elements]))


def document_kinds(members: Iterable[CapturedMemory]) -> list[str]:
    """Kinds of the recognised documents among the members (receipt, ticket …)."""
    return _ranked((memory.document.get("kind", "").replace("_", " ") for memory in members), {""})


def days_text(first: date, last: date) -> str:
    """Days as a person writes them: "4 May 2025", "4–6 May 2025", "30 April – 2 May 2025"."""
    if first == last:
        return f"{first.day} {first:%B %Y}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{last.day} {last:%B %Y}"
    if first.year == last.year:
        return f"{first.day} {first:%B} – {last.day} {last:%B %Y}"
    return f"{first.day} {first:%B %Y} – {last.day} {last:%B %Y}"


def listed(names: Sequence[str]) -> str:
    """Names joined as in a sentence."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def by_id(memories: Iterable[CapturedMemory]) -> Mapping[str, CapturedMemory]:
    """Memories by id."""
    return {memory.id: memory for memory in memories}


def _ranked(values: Iterable[str], without: set[str]) -> list[str]:
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for value in values:
        key = text_key(value)
        if key and key not in without:
            counts[key] += 1
            shown.setdefault(key, value)
    return [shown[key] for key, _ in counts.most_common()]
