"""How is a name from the language model said as a person would? Its words stay; how places stand in it is put right."""

import re
from collections.abc import Iterator, Sequence

from core.augment.occasions import Occasion
from core.augment.places import is_home_like, place_called
from core.records import Place
from core.text_keys import text_key

_AT = " at "
_LONGEST_TAIL = 60


def well_said(name: str, occasions: Sequence[Occasion]) -> str:
    """A name with places as they are called: in a city, at a café (not "at A certain café"), and no name cut in a word."""
    places = [memory.place for each in occasions for memory in each.members if memory.place]
    name = _without_descriptions(_completed(name, places), places)
    for place in places:
        for area in (place.city, place.region, place.country):
            if area:
                name = re.sub(rf"\bat (?={re.escape(area)}(?:$|,| with ))", "in ", name)
    return name


def is_at_home_and_elsewhere(one: Occasion, other: Occasion) -> bool:
    """Whether one of two moments of different days was at home and the other was not."""
    if one.start.date() == other.start.date():
        return False
    homes = [{is_home_like(place) for place in _named(each)} for each in (one, other)]
    return homes in ([{True}, {False}], [{False}, {True}])


def _completed(name: str, places: Sequence[Place]) -> str:
    """A place that was cut off where the reply had to end, whole again; left out where it is too long."""
    start, at, tail = name.rpartition(_AT)
    if not at or any(text_key(each) == text_key(tail) for each in _names(places)):
        return name
    for full in _names(places):
        rest = full[len(tail) :]
        if full.casefold().startswith(tail.casefold()) and rest[:1].isalnum() and tail[-1:].isalnum():
            called = place_called(full)
            return f"{start}{_AT}{called}" if len(called) <= _LONGEST_TAIL else start
    return name


def _without_descriptions(name: str, places: Sequence[Place]) -> str:
    for full in _names(places):
        if full != (called := place_called(full)) and f"{_AT}{full}" in name:
            name = name.replace(f"{_AT}{full}", f"{_AT}{called}")
    return name


def _names(places: Sequence[Place]) -> Iterator[str]:
    yield from dict.fromkeys(part for place in places for part in (place.name, place.label) if part)


def _named(occasion: Occasion) -> Iterator[Place]:
    return (memory.place for memory in occasion.members if memory.place and memory.place.name)
