"""What in a memory speaks for an event: a celebration, a gathering, a meal, a named occasion, or only routine?"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.records import CapturedMemory
from core.text_keys import text_key

_CELEBRATIONS = {
    "birthday": "Birthday", "wedding": "Wedding", "anniversary": "Anniversary", "graduation": "Graduation", "engagement": "Engagement",
    "baby shower": "Baby shower", "farewell": "Farewell", "reunion": "Reunion", "christmas": "Christmas", "new year": "New Year",
    "mid-autumn": "Mid-Autumn Festival", "spring festival": "Spring Festival", "dragon boat": "Dragon Boat Festival",
    "thanksgiving": "Thanksgiving", "easter": "Easter", "halloween": "Halloween", "diwali": "Diwali", "eid": "Eid",
    "celebrat": "Celebration", "ceremony": "Ceremony", "award": "Award ceremony", "party": "Party", "banquet": "Banquet",
}  # fmt: skip
_GATHERINGS = {
    "conference": "Conference", "symposium": "Symposium", "summit": "Summit", "congress": "Congress", "hackathon": "Hackathon",
    "workshop": "Workshop", "exhibition": "Exhibition", "expo": "Expo", "concert": "Concert", "festival": "Festival", "opera": "Opera",
    "theatre": "Theatre", "musical": "Musical", "marathon": "Marathon", "tournament": "Tournament", "retreat": "Retreat",
    "meetup": "Meetup", "training": "Training", "lecture": "Lecture", "seminar": "Seminar", "museum": "Museum visit", "zoo": "Zoo visit",
    "aquarium": "Aquarium visit", "picnic": "Picnic", "camping": "Camping", "barbecue": "Barbecue", "hike": "Hike", "hiking": "Hike",
    "ski": "Skiing", "beach": "Beach day", "kite": "Kite flying", "pottery": "Pottery", "climbing": "Climbing", "parade": "Parade",
    "flea market": "Flea market", "night market": "Night market", "road trip": "Road trip", "boat": "Boat trip", "sailing": "Sailing",
    "tree planting": "Tree planting", "match": "Match", "game night": "Game night", "movie": "Cinema", "cinema": "Cinema",
}  # fmt: skip
_MEALS = (
    "dinner", "lunch", "breakfast", "brunch", "restaurant", "bistro", "trattoria", "hot pot", "dining", "menu", "cafe", "coffee",
    "tea shop", "tea house", "teahouse", "meal", "food stall", "noodle", "pizza", "sushi", "ramen", "dessert", "bakery", "izakaya",
    "grilled fish", "steak", "tavern",
)  # fmt: skip
_ROUTINE = (
    "gym", "workout", "fitness", "treadmill", "jog", "running", "run", "commute", "office", "desk", "homework", "screenshot",
    "construction site", "work site", "maintenance", "laundry", "grocer",
)  # fmt: skip
_TRAVEL_PAPERS = (
    "boarding pass",
    "ticket",
    "itinerary",
    "reservation",
    "badge",
    "programme",
    "program",
    "agenda",
    "invitation",
    "flyer",
)
# A name that text in a picture gives an occasion: capitalised words with an occasion's word or a year at its end.
_OCCASION = re.compile(
    r"\b((?:[A-Z][\w&'.-]*|\d{1,2}(?:st|nd|rd|th))(?:[ ](?:[A-Z][\w&'.-]*|of|on|the|for|and|in|&|\d{4}|'\d{2})){0,6})"
)
_WORDS_OF_OCCASIONS = (
    "conference forum summit congress symposium workshop expo exhibition festival concert marathon fair tournament retreat "
    "meetup hackathon camp gala ceremony wedding championship cup open days week tour convention seminar biennale"
    " "
)
_OCCASION_WORDS = frozenset(_WORDS_OF_OCCASIONS.split())
_YEAR = re.compile(r"(?:19|20)\d{2}$")
_ACRONYM_YEAR = re.compile(r"^[A-Z][A-Za-z]*[A-Z&][A-Za-z]* (?:19|20)\d{2}$")


def celebration(members: Iterable[CapturedMemory]) -> str:
    """The celebration the memories show, as a title; empty when none."""
    return _first_title(_shown_text(members), _CELEBRATIONS)


def gathering(members: Iterable[CapturedMemory]) -> str:
    """The kind of outing or gathering the memories show, as a title; empty when none."""
    return _first_title(_shown_text(members), _GATHERINGS)


def meal(members: Sequence[CapturedMemory]) -> str:
    """Breakfast, Lunch, Coffee or Dinner by the clock, when the memories show a meal; empty when not."""
    text = _shown_text(members)
    if not any(_has(text, word) for word in _MEALS):
        return ""
    for word in ("breakfast", "brunch", "lunch", "dinner"):
        if _has(text, word):
            return word.capitalize()
    wall = next((memory.taken.wall for memory in members if memory.taken.wall and not memory.taken.day_only), None)
    if wall is None:
        return "Meal"
    if wall.hour < 10:
        return "Breakfast"
    if wall.hour < 14:
        return "Lunch"
    return (
        "Coffee"
        if wall.hour < 17 and (_has(text, "coffee") or _has(text, "cafe"))
        else "Tea"
        if wall.hour < 17
        else "Dinner"
    )


def is_routine(members: Iterable[CapturedMemory]) -> bool:
    """Whether the memories show what is done every day: an activity that stands alone is no event (OmniQuery, 5.2)."""
    members = list(members)
    routine = [any(_has(_shown_text([memory]), word) for word in _ROUTINE) for memory in members]
    return sum(routine) * 2 >= len(routine)


def holds_travel_papers(members: Iterable[CapturedMemory]) -> bool:
    """Whether a ticket, a badge or a programme is among the memories."""
    return any(
        _has(text_key(f"{memory.document.get('kind', '').replace('_', ' ')} {' '.join(memory.visual_elements)}"), word)
        for memory in members
        for word in _TRAVEL_PAPERS
    )


def occasion_names(memory: CapturedMemory) -> list[str]:
    """Names of occasions that the words in a memory (text in the picture, speech, title) give: "HCI Forum 2024", "CHI 2024"."""
    found: dict[str, str] = {}
    for line in f"{memory.visible_text}\n{memory.speech}\n{memory.title}".splitlines():
        for match in _OCCASION.finditer(line[:300]):
            name = _trimmed(match.group(1))
            if name and 5 <= len(name) <= 60:
                found.setdefault(text_key(name), name)
    return list(found.values())


def named_occasions(memories: Iterable[CapturedMemory]) -> dict[str, list[CapturedMemory]]:
    """Occasions by the name that at least two memories give them, with those memories."""
    shown: dict[str, str] = {}
    giving: dict[str, list[CapturedMemory]] = defaultdict(list)
    for memory in memories:
        for name in occasion_names(memory):
            giving[text_key(name)].append(memory)
            if shown.get(text_key(name), "").isupper() or text_key(name) not in shown:
                shown[text_key(name)] = name
    return {shown[key]: members for key, members in giving.items() if len(members) >= 2}


def _trimmed(name: str) -> str:
    """The name up to its last telling word (an occasion's word or a year); empty when it has none."""
    tokens = name.split(" ")
    while tokens and not (tokens[-1].casefold().strip(".'") in _OCCASION_WORDS or _YEAR.match(tokens[-1])):
        tokens.pop()
    text = " ".join(tokens)
    has_word = any(token.casefold() in _OCCASION_WORDS for token in tokens)
    return text if len(tokens) >= 2 and (has_word or _ACRONYM_YEAR.match(text)) else ""


def _shown_text(members: Iterable[CapturedMemory]) -> str:
    """What is seen and done; words inside a picture do not count as what it shows."""
    parts: list[str] = []
    for memory in members:
        parts += [
            memory.title,
            memory.caption,
            memory.environment,
            *memory.visual_elements,
            *memory.activities,
            *memory.keywords,
        ]
        parts.append(memory.document.get("kind", "").replace("_", " "))
        if memory.place:
            parts.append(memory.place.name)
    return text_key(" . ".join(parts))


def _first_title(text: str, titles: dict[str, str]) -> str:
    return next((title for word, title in titles.items() if _has(text, word)), "")


def _has(text: str, word: str) -> bool:
    """Whether a word begins in the text (celebrat finds celebration), with short words matched whole."""
    tail = r"\b" if len(word) <= 5 else ""
    return re.search(rf"\b{re.escape(word)}{tail}", text) is not None
