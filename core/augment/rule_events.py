"""How are events found and named without a language model? From places, people, meals, celebrations and words in pictures."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from core.augment.announced import announced
from core.augment.drafts import Draft, Level
from core.augment.gist import common_city_name, common_things, listed
from core.augment.mentions import is_elsewhere, mentions
from core.augment.occasions import Occasion
from core.augment.places import city_called, is_home_like, is_room, place_called
from core.augment.signs import is_yearly, named_occasions
from core.augment.trips import trips
from core.augment.usual import Homes
from core.augment.wording import WordsAround, words
from core.counted import counted
from core.records import CapturedMemory, Place, Provenance
from core.text_keys import text_key

VERSION = "events-rule-6"
TRIP, DAY_TRIP, DAY, NAMED, OUTING, TOLD, ANNOUNCED = (
    Provenance(f"rule:{name}", "", VERSION)
    for name in ("trip", "day_trip", "day", "named_occasion", "outing", "told", "announced")
)
NAMED_REACH = 2
NAMING_REACH = 20
_FEWEST_ON_A_FULL_DAY = 4
_HOURS_OF_A_FULL_DAY = timedelta(hours=3)
_WORTH_NAMING = 2.0
_PEOPLE_NAMED = 2
_LONGEST_PLACE = 48
_PREPOSITION = re.compile(r" (?:at|in|of|near|on|by|downstairs|outside) |[,(]")
_LONGEST_OUTING = timedelta(days=2)
_A_DAY = timedelta(days=1)
_PARTS_OF_DAY = ((5, "Night"), (12, "Morning"), (17, "Afternoon"), (21, "Evening"), (24, "Night"))


def trip_drafts(memories: Sequence[CapturedMemory], homes: Homes) -> list[Draft]:
    """Every journey, and the full days of the longer ones."""
    drafts = []
    for trip in trips(memories, homes):
        by_day = _by_day(trip.members)
        home = f" ({trip.home})" if trip.home else ""
        away = f"{len(by_day)} days away from home{home}" if trip.overnight else f"A day away from home{home}"
        drafts.append(
            Draft(
                name=f"{'Trip' if trip.overnight else 'Day trip'} to {trip.destination}",
                members=trip.members,
                importance=3 if len(by_day) >= 3 else 2,
                why=f"{away}, where most weeks around it were spent.",
                provenance=TRIP if trip.overnight else DAY_TRIP,
                confidence=0.9 if trip.overnight else 0.7,
                level=Level.TRIP,
            )
        )
        if len(by_day) > 1:
            drafts += [
                _day_draft(day, members, trip.destination) for day, members in by_day.items() if _is_full(members)
            ]
    return drafts


def _by_day(members: Iterable[CapturedMemory]) -> dict[date, list[CapturedMemory]]:
    by_day: dict[date, list[CapturedMemory]] = {}
    for memory in members:
        if memory.taken.day:
            by_day.setdefault(memory.taken.day, []).append(memory)
    return by_day


def _is_full(members: Sequence[CapturedMemory]) -> bool:
    """Whether a day of a trip was rich enough to hold outings of its own."""
    places = {text_key(memory.place.name) for memory in members if memory.place and memory.place.name}
    walls = [memory.taken.wall for memory in members if memory.taken.wall]
    return len(members) >= _FEWEST_ON_A_FULL_DAY and (len(places) > 1 or walls[-1] - walls[0] >= _HOURS_OF_A_FULL_DAY)


def _day_draft(day: date, members: Sequence[CapturedMemory], destination: str) -> Draft:
    return Draft(
        name=f"{day.day} {day:%B} in {common_city_name(members) or destination}",
        members=tuple(members),
        importance=1,
        why=f"One day of the trip to {destination}, with {counted(len(members), 'memory')}.",
        provenance=DAY,
        confidence=0.8,
        level=Level.DAY,
    )


def named_drafts(memories: Sequence[CapturedMemory], occasions: Sequence[Occasion]) -> list[Draft]:
    """Occasions that the words in several pictures name, with everything captured there meanwhile."""
    moment_of = {member: occasion for occasion in occasions for member in occasion.member_ids}
    starts = [occasion.start.date() for occasion in occasions]
    drafts = []
    for name, cluster in named_occasions(memories, is_elsewhere):
        members = _there_meanwhile(cluster, occasions, starts, moment_of)
        drafts.append(
            Draft(
                name=name,
                members=members,
                importance=3 if len({memory.taken.day for memory in members}) > 1 else 2,
                why=f"{len(cluster)} memories show the words “{name}”.",
                provenance=NAMED,
                confidence=0.8,
                reach=NAMED_REACH,
            )
        )
    return drafts


def announced_drafts(memories: Sequence[CapturedMemory]) -> list[Draft]:
    """Occasions that a sign announced for the hour at which it was captured."""
    return [
        Draft(
            name=each.name,
            members=each.members,
            importance=2,
            why=f"A sign announced “{each.name}” for {each.starts:%H:%M} that day, and it was captured then.",
            provenance=ANNOUNCED,
            confidence=0.7,
        )
        for each in announced(memories)
    ]


def told_drafts(memories: Iterable[CapturedMemory]) -> list[Draft]:
    """Events that flyers, tickets, chats and talks tell of, on the day they say."""
    return [
        Draft(
            name=mention.name,
            members=(memory,),
            importance=1,
            why=f"A memory tells of it: “{mention.words.strip()}”.",
            provenance=TOLD,
            confidence=0.5 if mention.day else 0.4,
            status=mention.status,
            day=mention.day,
            reach=NAMED_REACH,
        )
        for memory in memories
        for mention in mentions(memory)
    ]


def outing_drafts(occasions: Sequence[Occasion], covered: frozenset[str] = frozenset()) -> list[Draft]:
    """A draft for each moment that is more than an activity alone.

    Args:
        occasions: in time order; the ones around a moment say which of its words are telling.
        covered: ids of moments that need no draft.
    """
    drafts = []
    texts = [words(" ".join(memory.caption for memory in each.members)) for each in occasions]
    around = WordsAround(texts)
    for at, occasion in enumerate(occasions):
        if occasion.id not in covered and is_outing(occasion):
            weight = around.rarity(texts[at], at - NAMING_REACH, at + NAMING_REACH + 1)
            name, why = outing_name(occasion, weight)
            drafts.append(
                Draft(
                    name=name,
                    members=occasion.members,
                    importance=2 if occasion.celebration or len(occasion.members) >= 8 else 1,
                    why=why,
                    provenance=OUTING,
                )
            )
    return drafts


def is_outing(occasion: Occasion) -> bool:
    """Whether a moment combines enough to be an event: people, a place or an occasion, not one activity alone.

    What goes on for days in the same way is a habit, or a journey, which `trip_drafts` finds.
    """
    if occasion.worth < _WORTH_NAMING or occasion.end - occasion.start > _LONGEST_OUTING:
        return False
    if is_meal_at_home(occasion):
        return False  # what is eaten at home every day is no event
    says_what = occasion.celebration or occasion.gathering or occasion.meal
    return len(occasion.members) >= 2 or bool(says_what and (occasion.people or occasion.place))


def is_meal_at_home(occasion: Occasion) -> bool:
    """Whether a moment is but a meal at home."""
    return bool(occasion.meal) and not occasion.celebration and _at_home(_place_name(occasion))


def outing_name(occasion: Occasion, weight: Mapping[str, float]) -> tuple[str, str]:
    """A name a person would use, and why it was chosen.

    Args:
        weight: how rare each word of the captions is around it; common ones name nothing.
    """
    what, why = _what(occasion, weight)
    place = _place_name(occasion)
    parts = [what]
    says_nothing_new = words(place) <= words(what) or (words(what) <= words(place) and len(place.split()) <= 2)
    if place and not says_nothing_new and not (occasion.celebration and _at_home(place)):
        within = is_room(place) or _is_town(place, occasion)
        parts.append("at home" if _at_home(place) else f"in {place}" if within else f"at {place}")
    if occasion.people:
        parts.append("with " + _people(occasion))
    if is_yearly(occasion.celebration):
        parts.insert(1, str(occasion.start.year))
    elif len(parts) == 1 and not place and (city := city_called(occasion.members[0].place)):
        parts.append(f"in {city}")
    elif len(parts) == 1 and (things := _labelled(occasion.members)) and not words(things[0]) & words(what):
        parts.append(f"({things[0].lower()})")  # "Dinner" alone names no dinner
    return " ".join(parts), why


def _what(occasion: Occasion, weight: Mapping[str, float]) -> tuple[str, str]:
    if occasion.celebration:
        what = occasion.celebration
        if occasion.meal and what not in ("Party", "Banquet"):
            what = (
                f"{what} {occasion.meal.lower()}" if what != "Celebration" else f"Celebration {occasion.meal.lower()}"
            )
        return what, "The memories show a celebration."
    if occasion.gathering:
        return (
            occasion.gathering,
            f"The memories show it: {listed(common_things(occasion.members)[:3]) or occasion.gathering.lower()}.",
        )
    if occasion.meal:
        return occasion.meal, f"The memories show a meal, taken at {occasion.start:%H:%M}."
    if things := _repeated_things(occasion, weight):
        if _labelled(occasion.members) or (len(things) == 1 and things[0][0].isupper()):
            return listed(things), "Most of the memories show it."
        return f"{_part_of_day(occasion)} ({', '.join(things)})", "These words come back in the captions."
    return _part_of_day(occasion), f"{counted(len(occasion.members), 'memory').capitalize()} taken in one go."


def _part_of_day(occasion: Occasion) -> str:
    return next(name for hour, name in _PARTS_OF_DAY if occasion.start.hour < hour)


def _repeated_things(occasion: Occasion, weight: Mapping[str, float]) -> list[str]:
    """Up to two activities or things that half of the memories show; words of the captions where nothing is labelled."""
    members = occasion.members
    if labelled := _labelled(members):
        return labelled
    titles = Counter(memory.title.split(" — ")[0].strip() for memory in members if memory.title)
    limit = max(2, len(members) / 3)
    if titles and titles.most_common(1)[0][1] >= limit and words(titles.most_common(1)[0][0]):
        return [titles.most_common(1)[0][0][:60]]
    where = words(_place_name(occasion))
    said = Counter(word for memory in members for word in words(memory.caption) - where if len(word) > 3)
    ranked = sorted(said, key=lambda word: (-said[word] * weight.get(word, 0.0), word))
    return [word for word in ranked if said[word] >= limit][:2]


def _labelled(members: Sequence[CapturedMemory]) -> list[str]:
    """The activity or thing that half of the memories are labelled with, if there is one."""
    limit = max(2, len(members) / 2) if len(members) > 1 else 1
    counts = Counter(text_key(thing) for memory in members for thing in (*memory.activities, *memory.visual_elements))
    things = [thing for thing in common_things(members) if counts[text_key(thing)] >= limit and len(thing) <= 30]
    return [things[0][:1].upper() + things[0][1:]] if things else []


def _people(occasion: Occasion) -> str:
    people = sorted(occasion.people, key=_is_description)
    people = [name[:1].lower() + name[1:] if _is_description(name) else name for name in people]
    shown = text_key(" ".join(memory.caption + " " + " ".join(memory.visual_elements) for memory in occasion.members))
    if len(people) >= 2 and ("family" in shown or "parent-child" in shown):
        return "the family"
    if len(people) <= _PEOPLE_NAMED + 1:
        return listed(people)
    return f"{', '.join(people[:_PEOPLE_NAMED])} and {len(people) - _PEOPLE_NAMED} others"


def _is_description(name: str) -> bool:
    """Whether a name is none: "Several colleagues"."""
    first, *others = name.split() or [""]
    return first[:1].isupper() and bool(others) and others[-1][:1].islower()


def _place_name(occasion: Occasion) -> str:
    names = Counter(memory.place.name for memory in occasion.members if memory.place and memory.place.name)
    cities = Counter(memory.place.city for memory in occasion.members if memory.place and memory.place.city)
    name = (names or cities).most_common(1)[0][0] if names or cities else ""
    if is_home_like(Place(name)):
        return "Home"
    name = place_called(name)
    if len(name) <= _LONGEST_PLACE:
        return name
    short = _PREPOSITION.split(name, maxsplit=1)[0].strip(" .,")  # "Green space at the corner of …" is a green space
    return short if 4 <= len(short) <= _LONGEST_PLACE else ""


def _is_town(place: str, occasion: Occasion) -> bool:
    """Whether a name is that of a town or a larger area: one is in it, not at it."""
    there = (memory.place for memory in occasion.members if memory.place)
    return text_key(place) in {text_key(area) for each in there for area in (each.city, each.region, each.country)}


def _at_home(place: str) -> bool:
    return is_home_like(Place(place))


def _there_meanwhile(
    cluster: Sequence[CapturedMemory],
    occasions: Sequence[Occasion],
    starts: Sequence[date],
    moment_of: Mapping[str, Occasion],
) -> tuple[CapturedMemory, ...]:
    """The memories that name it, their moments, and what was captured at the same place from the day before to the day after."""
    own = {moment_of[memory.id].id: moment_of[memory.id] for memory in cluster if memory.id in moment_of}
    members = {memory.id: memory for memory in cluster}
    for occasion in own.values():
        members.update({memory.id: memory for memory in occasion.members})
    first, last = cluster[0].taken.day or date.min, cluster[-1].taken.day or date.min
    places = {text_key(memory.place.name) for memory in cluster if memory.place and memory.place.name}
    for occasion in occasions[bisect_left(starts, first - _A_DAY) : bisect_right(starts, last + _A_DAY)]:
        for memory in occasion.members:
            if memory.place is not None and text_key(memory.place.name) in places:
                members[memory.id] = memory
    return tuple(members.values())
