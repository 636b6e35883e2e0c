"""What does a sentence that somebody wrote of their own day say: who was along, what it was about, how long it took, where it went?"""

import re
from collections.abc import Iterable

_WRITTEN_BY_ONE = re.compile(r"\b(?:I|I'm|I’m|I've|I’ve|we|We|my|My|our|Our)\b")
_NAME = r"[^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)?"
_NAMES = rf"{_NAME}(?:(?:, and |, | and | & ){_NAME})*"
_COMPANIONS = re.compile(
    rf"\b(?:with|(?:talk|speak|spoke|chat|wrote)\w* (?:to|with)|saw|took|met|entertained|invited|hosted|called|joined by)"
    rf"\s+(?P<named>{_NAMES})"
    rf"|(?P<before>{_NAMES})(?: for (?:his|her|their)[\w/]*)?\s+and (?:I|me)\b"
)
_NOT_NAMES = (
    "January February March April June July August September October November December Monday Tuesday Wednesday Thursday Friday "
    "Saturday Sunday The My Our His Her Their On In At We This That It TV"
)
_NO_NAME = frozenset(_NOT_NAMES.split())
_TIME = re.compile(r"(?i)\b(\d+(?:[.,]\d+)?)\s*(minutes?|mins?|hours?|hrs?|h)\b")
_BARE_TIME = re.compile(r"(?i)\bspent (\d+) (?!\w*(?:days|weeks|nights))\w+ing\b")
_DAYS_AWAY = re.compile(r"(?i)\bfor (?:(\d+)|(a|one)) (days?|nights?|weeks?)\b")
_ENDS = (
    "with|for|from|on|at|in|into|when|while|during|online|today|yesterday|tonight|together|to|late|because|after|before|since|that|which|"
    "using|by|and (?:I|we|my|it|then|had|went|saw)"
)
_END = rf"(?=\s+(?:{_ENDS})\b|\s*[.;!?:(]|\s*$)"
_OPENING = re.compile(
    r"^(?:and |or )?(?:some |a few |a lot of |lots of |many |several |the |my |our |a |an )*", re.IGNORECASE
)
_NOT_THINGS = (
    "breakfast brunch lunch dinner supper time it them that this something everything nothing fun minutes hours been"
)
_NO_THING = frozenset(_NOT_THINGS.split())
_AWAY = re.compile(r"\b[Tt]rip\b|\b[Tt]ravel|\b[Vv]acation|\bwhen (?:I|we) (?:was|were|stayed) in [^\W\d_a-z]")
_TOWARDS = re.compile(
    rf"\b(?:[Ww]ent|[Tt]rip|[Tt]ravel\w*|[Ff]lew|[Ff]ly|[Dd]rove|[Vv]acation|[Hh]oliday|[Jj]ourney)"
    rf" (?:back )?to (?P<to>{_NAME}(?:, {_NAME})?)"
    rf"|\b[Vv]isited (?P<stayed>{_NAME}(?:, {_NAME})?) for \w+ (?:days?|nights?|weeks?)"
)
_SPOT = re.compile(
    r"(?i)\b(?:at|from the|visited|(?<!talk )(?<!talked )(?<!talking )(?<!spoke )to)\s+(?P<spot>(?:the |my |our |an? )?[^\W\d][^.;,!?]*?)"
    r"(?=\s+(?:with|on|when|in|for|during|and (?:I|we|cook\w*|bak\w*|ate|had)|together|today|late|early)\b|\s*[.;,!?]|\s*$)"
)
_VERBS = (
    ("eat", "eat eats ate eaten eating have had having tasted tried"),
    ("drink", "drink drank drunk drinking have had having"),
    ("buy", "buy buys bought buying purchase purchased purchasing"),
    ("cook", "cook cooked cooking bake baked baking make made making"),
    ("prepare", "prepare prepared preparing"),
    ("read", "read reading"),
    ("watch", "watch watched watching saw"),
    ("visit", "visit visited visiting"),
    ("play", "play played playing"),
    ("wear", "wear wore worn wearing"),
    (
        "learn",
        "learn learnt learned learning study studied studying practise practised practising practice practiced practicing",
    ),
    ("do", "do did done doing"),
    ("enjoy", "enjoy enjoyed enjoying"),
    ("travel", "travel traveled travelled traveling travelling went trip flew drove visited"),
)
_HELPING_VERBS = "do did does done doing have has had having saw"
_HELPING = frozenset(_HELPING_VERBS.split())
_SAME_SAID = (("enjoy", ("enjoyed", "enjoying", "spent some time", "spent time on", "spent time")),)


def is_diary(text: str) -> bool:
    """Whether somebody writes of themselves."""
    return _WRITTEN_BY_ONE.search(text) is not None


def is_away(text: str) -> bool:
    """Whether somebody writes of a journey."""
    return _AWAY.search(text) is not None


def verb_in(words: Iterable[str]) -> str:
    """The first verb among words that says what somebody did with a thing ("bought" is "buy"); empty without one.

    Words that also help other verbs ("did", "have") count where there is no other.
    """
    by_form = {form: name for name, forms in reversed(_VERBS) for form in forms.split()}
    found = [(word, by_form[word]) for word in words if by_form.get(word, "travel") != "travel"]
    full = [name for word, name in found if word not in _HELPING]
    return next(iter([*full, *(name for _, name in found if name == "eat"), *(name for _, name in found)]), "")


def forms_of(verb: str) -> tuple[str, ...]:
    """How a verb is written in what somebody did."""
    return dict(_SAME_SAID).get(verb) or tuple(dict(_VERBS)[verb].split())


def companions_told(text: str) -> tuple[str, ...]:
    """Names of people who were along, in the order written."""
    found: dict[str, None] = {}
    for match in _COMPANIONS.finditer(text):
        for part in re.split(r", and |, | and | & ", match["named"] or match["before"] or ""):
            words = [word for word in part.split() if word not in _NO_NAME and word != "I"]
            if words and len(words) == len(part.split()):
                found.setdefault(" ".join(words), None)
    return tuple(found)


def minutes_told(text: str) -> float | None:
    """How long it took, in minutes; None where the text does not say. "Spent 50 talking" is meant in minutes."""
    times = [
        float(number.replace(",", ".")) * (60 if unit[0].casefold() == "h" else 1)
        for number, unit in _TIME.findall(text)
    ]
    if times:
        return sum(times)
    bare = _BARE_TIME.search(text)
    return float(bare[1]) if bare else None


def things_told(text: str, verb: str) -> tuple[str, ...]:
    """What a sentence says was eaten, bought, made …: the words after the verb, each of a list with commas apart."""
    said = "|".join(sorted(map(re.escape, forms_of(verb)), key=len, reverse=True))
    found: dict[str, None] = {}
    for match in re.finditer(rf"(?i)\b(?:{said})\s+(?!(?:{_ENDS})\b)([^.;!?:()]+?){_END}", text):
        for part in _listed(match[1]):
            bare = _bare_thing(part)
            if bare and bare.casefold() not in _NO_THING:
                found.setdefault(bare, None)
    return tuple(found)


def places_gone_to(text: str) -> tuple[str, ...]:
    """The towns and countries a journey went to, as written ("Rome, Italy")."""
    return tuple(dict.fromkeys(match["to"] or match["stayed"] for match in _TOWARDS.finditer(text)))


def spots_told(text: str) -> tuple[str, ...]:
    """Where it was, as written: "at a restaurant", "to a park", "visited the tower"."""
    return tuple(dict.fromkeys(match["spot"].strip() for match in _SPOT.finditer(text)))


def days_away(text: str) -> int:
    """For how many days somebody says to have been away; 0 where the text does not say."""
    match = _DAYS_AWAY.search(text)
    return (int(match[1] or 1)) * (7 if match[3].startswith("week") else 1) if match else 0


def _listed(text: str) -> list[str]:
    """The parts of a list; "eggs, sausages, and bread" is three, "fish and chips" one."""
    return [part.strip() for part in re.split(r",\s*(?:and\s+)?", text) if part.strip()]


def _bare_thing(text: str) -> str:
    bare = _OPENING.sub("", text).strip(" '\"“”")
    bare = re.sub(r"(?i)^(?:baking|cooking|making|preparing|eating|buying)\s+", "", bare)
    return bare if len(bare) > 1 and not re.fullmatch(r"[\d/.-]+|me|us|him|her", bare) else ""
