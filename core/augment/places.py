"""How far apart are two places, are they the same, and what are they called in a sentence?"""

import math
import re

from core.records import Place
from core.retrieve.exonyms import one_name
from core.text_keys import text_key

_EARTH_KM = 6371.0
_ROOM = "(?:living|dining|kitchen|study|balcony|office|bedroom|bathroom|garden|room|restaurant)"
_HOME = re.compile(rf"^(?:my |our )?home$|\bat home\b|\bhome {_ROOM}\b|\b(?:kitchen|room) (?:in|of) the home\b")
_A_ROOM = re.compile(
    r"^(?:(?:the|our|my|an?) )?(?:[\w']+ )?(?:living room|dining room|kitchen|bedroom|bathroom|room)\b"
    r"|^(?:(?:Living|Dining) [Rr]oom|Kitchen|Bedroom|Bathroom)(?:$| in | of )"
)
"""As it is called: Luigi's Kitchen is a restaurant."""
_OF_OTHERS = re.compile(r"\b(?:parents|grandma|grandpa|grandparents|friend|brother|sister|uncle|aunt|nursing|master)\b")
_LEADING = re.compile(
    r"^(?:(?:in front of|inside|in|at|on|near|by|outside)\s+)?(?P<article>(?:a certain|the|an?|some|our|my)\s+)?",
    re.IGNORECASE,
)
"""What a description of a place begins with and its name does not: "Inside the", "A certain"."""
_NO_NAME = re.compile(r"(?:(?:[Aa]n?|[Ss]ome) [a-z]|(?i:unknown|certain)\b)")
"""A description where a name should be: "A certain city"; A Coruña is one."""
_CITY_IS_NO_PART = frozenset(("china", "taiwan", "japan", "south korea"))
_CITY_WORDS = re.compile(r" (?:city|municipality|prefecture|metropolitan area|shi)$")


def km_between(one: Place, other: Place) -> float | None:
    """Great-circle distance in km; None when either has no coordinates."""
    if one.latitude is None or one.longitude is None or other.latitude is None or other.longitude is None:
        return None
    lat, other_lat = math.radians(one.latitude), math.radians(other.latitude)
    half = (other_lat - lat) / 2, math.radians(other.longitude - one.longitude) / 2
    chord = math.sin(half[0]) ** 2 + math.cos(lat) * math.cos(other_lat) * math.sin(half[1]) ** 2
    return 2 * _EARTH_KM * math.asin(min(1.0, math.sqrt(chord)))


def city_key(place: Place | None) -> str:
    """What tells cities apart: the city's key, one for its names in all languages, else the region's; empty when neither is known."""
    if place is None:
        return ""
    city, region = ("" if _NO_NAME.match(each) else text_key(each) for each in (place.city, place.region))
    return one_name(_CITY_WORDS.sub("", city)) or region


def is_home_like(place: Place | None) -> bool:
    """Whether the place's own name says that someone lives there, the person most likely: "Home", "Balcony at home"."""
    key = text_key(place.name) if place else ""
    return _HOME.search(key) is not None and _OF_OTHERS.search(key) is None


def place_called(name: str) -> str:
    """A place's name as it stands after "at": without what only describes it, with its article where it is a description."""
    name = name.strip(" .,")
    found = _LEADING.match(name)
    article, rest = (found["article"] or "", name[found.end() :]) if found else ("", name)
    article = article.strip().casefold().removesuffix(" certain")
    if not article or not rest[:1].islower():
        return rest
    if article == "a" and rest[0] in "aeiou":
        article = "an"
    return f"{article} {rest}"  # at the old chapel, in a café


def is_room(called: str) -> bool:
    """Whether what a place is called is a room: one is in it, not at it."""
    return _A_ROOM.search(called) is not None


def city_called(place: Place | None) -> str:
    """The name of the city, the region or the country a place lies in; empty where there is only a description.

    "Xiamen City" is Xiamen, as translations write every city of some countries; Mexico City is no Mexico.
    """
    if place is None:
        return ""
    name = next((each for each in (place.city, place.region, place.country) if each and not _NO_NAME.match(each)), "")
    if text_key(place.country) in _CITY_IS_NO_PART or text_key(name) == "new york city":
        return name.removesuffix(" City").removesuffix(" city")
    return name


def area_key(place: Place | None) -> str:
    """What tells areas apart for home and away: the city, else about 20 km of coordinates; empty when neither is known."""
    if key := city_key(place):
        return key
    if place is None or place.latitude is None or place.longitude is None:
        return ""
    return f"{round(place.latitude * 5)}/{round(place.longitude * 5)}"
