"""The closed list of words that mean a place or an activity wherever they stand in a picture or in speech."""

import re
from dataclasses import dataclass

from core.records import ContextKind

_ENVIRONMENT, _ACTIVITY, _ELEMENT = ContextKind.ENVIRONMENT, ContextKind.ACTIVITY, ContextKind.VISUAL_ELEMENT


@dataclass(frozen=True, slots=True)
class WordRule:
    """Words that mean something wherever they stand; those with `needs_presence` only in a photo or video."""

    name: str
    pattern: re.Pattern[str]
    contexts: tuple[tuple[ContextKind, str], ...]
    confidence: float
    needs_presence: bool = True


def _rule(
    name: str, words: str, *contexts: tuple[ContextKind, str], confidence: float = 0.6, needs_presence: bool = True
) -> WordRule:
    return WordRule(
        name, re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.IGNORECASE), contexts, confidence, needs_presence
    )


WORD_RULES = (
    _rule(
        "climbing",
        r"climbing(?: hall| gym| wall| centre)?|bouldering|boulder|kletter\w*",
        (_ACTIVITY, "climbing"),
        (_ENVIRONMENT, "climbing gym"),
        confidence=0.7,
    ),
    _rule(
        "conference",
        r"(?:conference|forum|symposium|congress|summit|convention) (?:19|20)\d\d",
        (_ACTIVITY, "attending a conference"),
    ),
    _rule("gym", r"gym|fitness|workout|treadmill|reps|leg press", (_ACTIVITY, "exercising"), (_ENVIRONMENT, "gym")),
    _rule(
        "hiking",
        r"hik(?:e|ing)|trail(?:head)?|summit|wander\w*weg|footpath",
        (_ACTIVITY, "hiking"),
        (_ENVIRONMENT, "mountains"),
    ),
    _rule(
        "beach",
        r"beach|seaside|strand|lifeguard|surf(?:ing)?",
        (_ENVIRONMENT, "beach"),
        (_ACTIVITY, "going to the beach"),
    ),
    _rule(
        "ski",
        r"ski(?:ing)?|ski ?lift|ski ?pass|piste",
        (_ACTIVITY, "skiing"),
        (_ENVIRONMENT, "ski resort"),
        needs_presence=False,
    ),
    _rule(
        "airport",
        r"departures|arrivals|boarding now|baggage (?:claim|reclaim)|gate [a-z]?\d+|airport|"
        r"terminal \d",
        (_ENVIRONMENT, "airport"),
    ),
    _rule(
        "station", r"platform \d+|gleis \d+|railway station|bahnhof|train station", (_ENVIRONMENT, "railway station")
    ),
    _rule(
        "birthday",
        r"happy birthday|birthday party|alles gute zum geburtstag|joyeux anniversaire|"
        r"feliz cumpleaños",
        (_ACTIVITY, "celebrating a birthday"),
        confidence=0.75,
    ),
    _rule(
        "christmas",
        r"christmas market|weihnachtsmarkt",
        (_ACTIVITY, "visiting a Christmas market"),
        (_ENVIRONMENT, "Christmas market"),
        confidence=0.75,
    ),
    _rule("wedding", r"just married|our wedding|wedding of", (_ACTIVITY, "attending a wedding"), confidence=0.7),
    _rule("karaoke", r"karaoke", (_ACTIVITY, "singing karaoke"), (_ENVIRONMENT, "bar")),
    _rule("launch", r"rocket launch|lift ?off|launch day", (_ACTIVITY, "watching a rocket launch"), confidence=0.7),
    _rule(
        "museum", r"museum|gallery|exhibition|ausstellung", (_ENVIRONMENT, "museum"), (_ACTIVITY, "visiting a museum")
    ),
    _rule("zoo", r"zoo|aquarium|safari park", (_ENVIRONMENT, "zoo"), (_ACTIVITY, "visiting a zoo")),
    _rule("pharmacy", r"pharmacy|apotheke|tablets|\d+ ?mg", (_ELEMENT, "medicine"), needs_presence=False),
    _rule("library", r"library|bibliothek|bibliothèque", (_ENVIRONMENT, "library")),
    _rule("hospital", r"hospital|emergency room|krankenhaus", (_ENVIRONMENT, "hospital")),
)
