"""How far apart are two places, and are they the same?"""

import math
import re

from core.records import Place
from core.text_keys import text_key

_EARTH_KM = 6371.0
_ROOM = "(?:living|dining|kitchen|study|balcony|office|bedroom|bathroom|garden|room|restaurant)"
_HOME = re.compile(rf"^(?:my |our )?home$|\bat home\b|\bhome {_ROOM}\b|\b(?:kitchen|room) (?:in|of) the home\b")
_OF_OTHERS = re.compile(r"\b(?:parents|grandma|grandpa|grandparents|friend|brother|sister|uncle|aunt|nursing|master)\b")
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
    """What tells cities apart: the city's key, the region's where there is no city; empty when neither is known."""
    if place is None:
        return ""
    return _CITY_WORDS.sub("", text_key(place.city)) or text_key(place.region)


def is_home_like(place: Place | None) -> bool:
    """Whether the place's own name says that someone lives there, the person most likely: "Home", "Balcony at home"."""
    key = text_key(place.name) if place else ""
    return _HOME.search(key) is not None and _OF_OTHERS.search(key) is None


def area_key(place: Place | None) -> str:
    """What tells areas apart for home and away: the city, else about 20 km of coordinates; empty when neither is known."""
    if key := city_key(place):
        return key
    if place is None or place.latitude is None or place.longitude is None:
        return ""
    return f"{round(place.latitude * 5)}/{round(place.longitude * 5)}"
