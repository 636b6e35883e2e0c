"""What in a memory speaks for an event: a celebration, a gathering, a meal, a named occasion, or only routine?"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from core.augment.places import is_home_like
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
    "pottery": "Pottery", "flying a kite": "Kite flying", "fly a kite": "Kite flying", "kite flying": "Kite flying",
    "flying kites": "Kite flying",
    "conference badge": "Conference", "conference venue": "Conference", "academic conference": "Conference",
    "symposium": "Symposium", "summit": "Summit", "congress": "Congress", "hackathon": "Hackathon",
     "exhibition": "Exhibition", "expo": "Expo", "concert": "Concert", "festival": "Festival", "opera": "Opera",
    "theatre": "Theatre", "musical": "Musical", "marathon": "Marathon", "tournament": "Tournament", "retreat": "Retreat",
    "meetup": "Meetup",  "lecture": "Lecture", "seminar": "Seminar", "museum": "Museum visit", "zoo": "Zoo visit",
    "aquarium": "Aquarium visit", "picnic": "Picnic", "camping": "Camping", "barbecue": "Barbecue", "hike": "Hike", "hiking": "Hike",
    "ski": "Skiing", "beach": "Beach day", "climbing": "Climbing", "parade": "Parade",
    "flea market": "Flea market", "night market": "Night market", "road trip": "Road trip",  "sailing": "Sailing",
    "tree planting": "Tree planting",
    "rocket launch": "Rocket launch", "launch": "Launch", "lift off": "Launch",
    "game night": "Game night", "movie": "Cinema", "cinema": "Cinema",
}  # fmt: skip
_AT_HOME = {
    "Cinema": "Film", "Pottery": "Pottery", "Barbecue": "Barbecue", "Game night": "Game night", "Meetup": "Meetup",
    "Hackathon": "Hackathon", "Retreat": "Retreat",
}  # fmt: skip
"""What of it happens at home: a museum there is one on a screen."""
_MEALS = (
    "dinner", "lunch", "breakfast", "brunch", "restaurant", "bistro", "trattoria", "hot pot", "dining", "menu", "cafe", "coffee",
    "tea shop", "tea house", "teahouse", "meal", "food stall", "noodle", "pizza", "sushi", "ramen", "dessert", "bakery", "izakaya",
    "grilled fish", "steak", "tavern",
)  # fmt: skip
_NOT_A_MEAL = re.compile(r"\bcoffee[- ]tables?\b")
"""Furniture, and no coffee."""
_SEASONS = {
    "New Year": ((12, 28), (2, 25)), "Christmas": ((11, 20), (1, 7)), "Halloween": ((10, 15), (11, 5)),
    "Thanksgiving": ((10, 5), (11, 30)), "Easter": ((3, 15), (5, 10)),
}  # fmt: skip
_DRINKS = {"tea shop": "Tea", "tea house": "Tea", "teahouse": "Tea", "cafe": "Coffee", "coffee": "Coffee"}
_MEAL_HOURS = ((10, "Breakfast"), (15, "Lunch"), (17, "Afternoon meal"), (24, "Dinner"))
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
_KINDS_OF_OCCASION = frozenset(
    (
        "night",
        "day",
        "show",
        "trip",
        "meeting",
        "dinner",
        "launch",
        "opening",
        "match",
        "race",
        "tour",
        "visit",
        "class",
        "reception",
        "karaoke",
        "quiz",
        "screening",
        "premiere",
        "recital",
        "tasting",
        "keynote",
        "lecture",
        "drinks",
        "picnic",
    )
)
OCCASION_GAP_DAYS = 7
_YEAR = re.compile(r"(?:19|20)\d{2}$")
_ACRONYM_YEAR = re.compile(r"^[A-Z][A-Za-z]*[A-Z&][A-Za-z]* (?:19|20)\d{2}$")


def celebration(members: Sequence[CapturedMemory]) -> str:
    """The celebration that enough of the memories show, as a title; empty when none. Feasts count in their season only."""
    day = next((memory.taken.day for memory in members if memory.taken.day), None)
    shown = _shown_by(members, _CELEBRATION_WORDS)
    for word, title in _CELEBRATIONS.items():
        first, last = _SEASONS.get(title, ((1, 1), (12, 31)))
        now = (day.month, day.day) if day else first
        in_season = first <= now <= last if first <= last else now >= first or now <= last
        if in_season and _enough(shown, word):
            return title
    return ""


def is_yearly(title: str) -> bool:
    """Whether a celebration comes back every year, so that its name needs the year."""
    return title in _SEASONS or title.endswith("Festival")


def gathering(members: Sequence[CapturedMemory]) -> str:
    """The kind of outing or gathering that enough of the memories show, as a title; empty when none."""
    shown = _shown_by(members, _GATHERING_WORDS)
    title = next((title for word, title in _GATHERINGS.items() if _enough(shown, word)), "")
    return _AT_HOME.get(title, "") if all(is_home_like(memory.place) for memory in members) else title


def meal(members: Sequence[CapturedMemory]) -> str:
    """Breakfast, Lunch, Tea or Dinner, by what is shown and by the clock, when the memories show a meal; empty when not."""
    shown = [_found(_MEAL_WORDS, _shown_text([memory])) for memory in members]
    if sum(map(bool, shown)) * 3 < max(1, len(members)):
        return ""
    words = frozenset().union(*shown)
    for word in ("breakfast", "brunch", "lunch", "dinner"):
        if word in words:
            return word.capitalize()
    if drink := next((title for word, title in _DRINKS.items() if word in words), ""):
        return drink
    wall = next((memory.taken.wall for memory in members if memory.taken.wall and not memory.taken.day_only), None)
    return "Meal" if wall is None else next(title for hour, title in _MEAL_HOURS if wall.hour < hour)


def is_routine(members: Sequence[CapturedMemory]) -> bool:
    """Whether the memories show what is done every day: an activity that stands alone is no event (OmniQuery, 5.2)."""
    return sum(bool(_found(_ROUTINE_WORDS, _shown_text([memory]))) for memory in members) * 2 >= len(members)


def holds_travel_papers(members: Iterable[CapturedMemory]) -> bool:
    """Whether a ticket, a badge or a programme is among the memories."""
    return any(
        _found(
            _PAPER_WORDS,
            text_key(f"{memory.document.get('kind', '').replace('_', ' ')} {' '.join(memory.visual_elements)}"),
        )
        for memory in members
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


def says_occasion(name: str) -> bool:
    """Whether a name says what kind of occasion it is: a festival, a party, a night, a trip."""
    telling = set(text_key(name).split())
    return bool(telling & (_OCCASION_WORDS | _KINDS_OF_OCCASION)) or bool(_found(_CELEBRATION_WORDS, text_key(name)))


def named_occasions(
    memories: Iterable[CapturedMemory], is_elsewhere: Callable[[CapturedMemory, str], bool]
) -> list[tuple[str, list[CapturedMemory]]]:
    """Each occasion that at least two memories name, with those memories; next year's is another one.

    Only what lies within a week of each other belongs together, so what is far away in time has no say.

    Args:
        is_elsewhere: whether a memory tells of an occasion on another day, as a flyer does.
    """
    giving: dict[str, list[tuple[CapturedMemory, str]]] = defaultdict(list)
    for memory in memories:
        if memory.taken.wall:
            for name in occasion_names(memory):
                if is_elsewhere(memory, name):
                    continue
                giving[text_key(name)].append((memory, name))
    found = []
    for named in giving.values():
        cluster: list[tuple[CapturedMemory, str]] = []
        for memory, name in sorted(named, key=lambda each: (each[0].taken.wall, each[0].public_id)):
            if cluster and _days_between(cluster[-1][0], memory) > OCCASION_GAP_DAYS:
                found.append(cluster)
                cluster = []
            cluster.append((memory, name))
        found.append(cluster)
    # a name is shown in its quietest spelling: "HCI Forum", not "HCI FORUM"
    shown = [
        (min((name for _, name in cluster), key=lambda name: (name.isupper(), name)), [memory for memory, _ in cluster])
        for cluster in found
        if len(cluster) >= 2
    ]
    return sorted(shown, key=lambda each: (each[1][0].taken.wall, each[1][0].public_id, each[0]))


def _days_between(one: CapturedMemory, other: CapturedMemory) -> int:
    return (other.taken.day - one.taken.day).days if one.taken.day and other.taken.day else 0


def _trimmed(name: str) -> str:
    """The name up to its last telling word (an occasion's word or a year); empty when it has none."""
    tokens = name.split(" ")
    while tokens and not (tokens[-1].casefold().strip(".'") in _OCCASION_WORDS or _YEAR.match(tokens[-1])):
        tokens.pop()
    text = " ".join(tokens)
    has_word = any(token.casefold() in _OCCASION_WORDS for token in tokens)
    return text if len(tokens) >= 2 and (has_word or _ACRONYM_YEAR.match(text)) else ""


def _shown_text(members: Iterable[CapturedMemory], *, with_places: bool = True) -> str:
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
        if memory.place and with_places:
            parts.append(memory.place.name)
    return _NOT_A_MEAL.sub(" ", text_key(" . ".join(parts)))


def _shown_by(members: Sequence[CapturedMemory], words: re.Pattern[str]) -> list[frozenset[str]]:
    """The words of a table that each memory shows, its place's name aside."""
    return [_found(words, _shown_text([memory], with_places=False)) for memory in members]


def _enough(shown: Sequence[frozenset[str]], word: str) -> bool:
    """Whether a third of the memories show a word: one long caption that happens to use it is not enough."""
    showing = sum(word in each for each in shown)
    return showing > 0 and showing * 3 >= len(shown)


def _table(words: Iterable[str]) -> re.Pattern[str]:
    """Finds where a word begins (celebrat finds celebration); short words are matched whole."""
    parts = [re.escape(word) + (r"\b" if len(word) <= 5 else "") for word in words]
    return re.compile(rf"\b(?=({'|'.join(parts)}))")


def _found(words: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(match.group(1) for match in words.finditer(text))


_CELEBRATION_WORDS, _GATHERING_WORDS = _table(_CELEBRATIONS), _table(_GATHERINGS)
_MEAL_WORDS, _ROUTINE_WORDS, _PAPER_WORDS = _table((*_MEALS, *_DRINKS)), _table(_ROUTINE), _table(_TRAVEL_PAPERS)
