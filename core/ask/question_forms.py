"""Says what kind of answer a question wants, by the forms of words people use; code, so that it is the same every time.

The text it reads is *masked*: lower case, with what was understood already replaced by `{person}`, `{place}`, `{day}` and
`{event}`, so that a rule sees "where was i next after {place}" whatever the place is called.
"""

import re
from dataclasses import dataclass

from core.records import Intent, MemoryKind


@dataclass(frozen=True, slots=True)
class Form:
    """What a question wants.

    Attributes:
        intent: None where the rules are unsure.
        unit: what is counted, listed or asked for: days, times, memories, people, cities, countries, places, months, years,
            weekdays, date, time, money, events, whether; per_day and so on, money_average for averages; empty for a thing named
            in the question.
        order: first, last, first_last (from the first to the last), most, least, `#2` (the second time), `~2` (the second different
            place); empty otherwise.
    """

    intent: Intent | None
    unit: str = ""
    order: str = ""


_FIRST = re.compile(r"\b(?:first|earliest|oldest|initially|initial)\b")
_LAST = re.compile(r"\b(?:last|latest|most recent(?:ly)?|newest|final)\b")
_NTHS = {
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
_NTH = re.compile(
    rf"\b(?:(?P<word>{'|'.join(_NTHS)})|(?P<number>[2-9]|[1-9]\d)(?:st|nd|rd|th)) (?:\w+ )?(?:time|visit|occasion|trip|day|session|meeting|"
    r"date|photo|picture|one)\b"
)
_VENUES = (
    "church|cathedral|temple|mosque|museum|galler(?:y|ie)|restaurant|café|cafe|bar|pub|hotel|park|garden|beach|castle|market|shop|store|"
    "gym|theatre|theater|cinema|stadium|zoo|island|lake|mountain|bridge|monument|attraction|sight|landmark|airport|station|school|library|"
    "librarie|clinic|hospital|bakery|bakerie|winery|brewery|distillery|farm|school|bookshop|bookstore"
)
_BEEN_THERE = r"\b(?:visit\w*|go|went|gone|been|see|saw|seen|stay\w*|tour\w*|enter\w*|eat|ate|dine\w*)\b"
_ONE_VENUE = re.compile(rf"\b(?:which|what) (?:\w+ )?(?:{_VENUES})\b.*{_BEEN_THERE}")
_MANY_VENUES = re.compile(rf"\b(?:which|what|list|name|all)\b(?: \w+){{0,3}} (?:{_VENUES})e?s\b.*{_BEEN_THERE}")
_COUNTED_VENUES = re.compile(rf"\bhow many (?:\w+ )?(?:{_VENUES})e?s\b.*{_BEEN_THERE}")
_NTH_VENUE = re.compile(
    rf"\b(?:(?P<edge>first|last|latest|most recent)|(?P<word>{'|'.join(_NTHS)})|(?P<number>[2-9]|[1-9]\d)(?:st|nd|rd|th)) "
    rf"(?:different |new )?(?:\w+ )?(?P<venue>{_VENUES}|city|town|country|place)\b(?! (?:photo|picture|visit))"
)
_COMPARED = re.compile(
    r"^compare\b|\b(?:more|less|fewer|rather|longer)\b.*\bor\b|\bor\b.*\b(?:more|less) (?:often|frequently|time|days)\b|"
    r"\bdifference between\b|\bwhich (?:\w+ ){0,6}more\b.*\bor\b"
)
_AVERAGE = re.compile(r"\b(?:on average|average|mean|typically|usually)\b")
_PER = re.compile(r"\b(?:per|a|each|every) (day|week|month|year)\b")
_MOST = re.compile(r"(?<!\bat )\bmost\b(?!\s+recent)|\bfavou?rites?\b|\bmore than anyone\b")
_LEAST = re.compile(r"(?<!\bat )\bleast\b|\bfewest\b|\brarest\b|\bmost seldom\b")
_COUNT = re.compile(
    r"\bhow (?:many|often|frequently)\b|\b(?:number|count|total|amount) of\b|^count\b|\bhow much\b|\btotal (?:cost|amount|spend)"
)
_SUM = re.compile(r"\b(?:total|altogether|in all|overall|sum|combined)\b|\bspen[dt]\b")
_DURATION = re.compile(r"\bhow long\b|\bhow much time\b|\bfor how many (?:minutes|hours)\b")
_APART = re.compile(r"\b(?:between|apart|passed|elapsed|from|separate|since|span|gap|interval|lie|lay)\b")
_NEXT = re.compile(
    r"\bnext\b|\bafter(?:wards?)?\b|\bsubsequent\w*\b|\bfollow(?:ed|ing|s)\b|\bheading (?:to|for)\b|\bon from\b|\bleaving\b|\bleft\b"
)
_PREVIOUS = re.compile(
    r"\bbefore\b|\bprior to\b|\bc[oa]me (?:\w+ )?from\b|\bprevious(?:ly)?\b|\bpreceding\b|\bpreceded\b|\barriv(?:e|ed|ing) from\b"
)
_WHO = re.compile(
    r"\bwho(?:m|se)?\b|\b(?:which|what|list(?: all)?(?: the)?|name(?: all)?(?: the)?) (?:people|persons?|friends?|colleagues?|"
    r"companions?|family members?|relatives|guests?)\b|\bpeople\b.*\b(?:with me|meet|met)\b|\b(?:my )?company\b"
)
_WHEN = re.compile(
    r"^(?:since |until )?when\b|\bwhen (?:did|was|were|have|had|is|do|am|are)\b|\b(?:what|which|the) (?:\w+ ){0,2}"
    r"(?:dates?|days?|months?|years?|weekdays?)\b|\bdates? of\b|\bwhat (?:was|were|is) (?:the|my) (?:\w+ ){0,2}time\b|\bhow long ago\b"
)
_WHEN_NOW = re.compile(
    r"^(?:and )?(?:when|what (?:date|day)|on which (?:date|day)) (?:is|are|does|do|will)\b(?! it\b)|\bdue date\b"
)
_WHERE = re.compile(
    r"\bwhere\b|\b(?:which|what) (?:\w+ )?(?:city|town|country|place|spot|location|region|province|district|street|restaurant|venue)\b"
)
_MANY_PLACES = re.compile(
    r"\b(?:which|what|list|name|all|every|the)\b(?: \w+){0,3} (cities|towns|countries|places|spots|locations|regions|provinces|"
    r"districts)\b|\bwhich of (?:the|my) (cities|countries|places)\b"
)
_WHETHER = re.compile(r"^(?:and )?(?:did|have|has|had|was|were|am|is|are|do|does)\b")
_FIND = re.compile(
    r"^(?:please |can you |could you )?(?:show|find|get|open|search|look|pull up|give|bring up|i want|i'd like|display|see)\b|"
    r"^(?:all |any |some |my |the |those |every |(?:which|what)(?: of (?:my|the|these|those))? )*"
    r"(?:photos?|pictures?|images?|videos?|screenshots?|recordings?|selfies?|memories)\b"
)
_COMMAND = re.compile(
    r"^(?:please |can you |could you )?(?:mark|tag|delete|remove|rename|move|put|add|create|make (?:an?|the) (?:album|event|folder)|"
    r"set|share|send|hide|merge|split|favou?rite|upload|print|export)\b"
)
_WHAT = re.compile(r"\b(?:what|which|how|why)\b")
_INTERROGATIVE = re.compile(r"\b(?:what|which|how|why|who|whom|whose|where|when)\b|\?")

_UNITS = (
    ("days", r"days?|dates?"),
    ("times", r"times|visits?|occasions?|trips?"),
    (
        "memories",
        r"photos?|pictures?|images?|screenshots?|videos?|recordings?|notes?|documents?|memories|selfies?|clips?",
    ),
    ("people", r"people|persons?|friends?|colleagues?|companions?"),
    ("cities", r"cit(?:y|ies)|towns?"),
    ("countries", r"countr(?:y|ies)"),
    ("regions", r"regions?|provinces?|states?"),
    ("places", r"places?|spots?|locations?|restaurants?|venues?|where"),
    ("weekdays", r"weekdays?|day of the week"),
    ("months", r"months?"),
    ("years", r"years?"),
    ("weeks", r"weeks?"),
    ("events", r"events?"),
)
_UNIT_AFTER_COUNT = tuple(
    (
        unit,
        re.compile(
            rf"(?:how many|number of|count of|count(?: all)?(?: the)?)(?: \w+)??(?: different| separate| distinct)? (?:{words})\b"
        ),
    )
    for unit, words in _UNITS
)
_UNIT_ANYWHERE = tuple((unit, re.compile(rf"\b(?:{words})\b")) for unit, words in _UNITS)
_KINDS = (
    (MemoryKind.SCREENSHOT, re.compile(r"\bscreen ?shots?\b")),
    (MemoryKind.VIDEO, re.compile(r"\b(?:videos?(?! (?:games?|calls?|gam\w+))|clips?|films)\b")),
    (MemoryKind.RECORDING, re.compile(r"\b(?:voice (?:memos?|notes?|recordings?)|recordings?)\b")),
    (MemoryKind.DOCUMENT, re.compile(r"\b(?:pdfs?|documents)\b")),
)


def form_of(masked: str) -> Form:
    """What a masked question wants (see the module's first lines)."""
    if (form := _nth_venue(masked)) is not None:
        return form
    order = _order(masked)
    for rule in (
        _command,
        _compared,
        _span,
        _most,
        _neighbour,
        _averaged,
        _counted,
        _people,
        _places,
        _dated,
        _located,
    ):
        form = rule(masked, order)
        if form is not None:
            return form
    if _FIND.search(masked):
        return Form(Intent.FIND, "", order)
    if _WHETHER.search(masked):
        return Form(Intent.WHAT, "whether", order)
    if _WHAT.search(masked):
        return Form(Intent.WHAT, "time" if re.search(r"\bwhat time\b", masked) else "", order)
    return Form(None if _INTERROGATIVE.search(masked) else Intent.FIND, "", order)


def _nth_venue(masked: str) -> Form | None:
    """The second church I visited: counted over different churches, not over visits."""
    match = _NTH_VENUE.search(masked)
    if match is None or _COUNT.search(masked) or _FIND.search(masked) or not re.search(_BEEN_THERE, _bare(masked)):
        return None
    order = {"first": "first", None: ""}.get(match["edge"], "last")
    order = order or f"~{_NTHS[match['word']] if match['word'] else int(match['number'])}"
    unit = {"city": "cities", "town": "cities", "country": "countries"}.get(match["venue"], "places")
    if _WHO.search(masked):
        return Form(Intent.WHO, "people", order)
    if _WHEN.search(masked):
        return Form(Intent.WHEN, "date", order)
    return Form(Intent.WHERE, unit, order) if _WHAT.search(masked) or _WHERE.search(masked) else None


def kinds_in(masked: str) -> tuple[MemoryKind, ...]:
    """The kinds of memory a question names ("my screenshots of …"); photos are not a condition, people say it of anything."""
    return tuple(kind for kind, pattern in _KINDS if pattern.search(masked))


def _order(masked: str) -> str:
    if nth := _NTH.search(masked):
        return f"#{_NTHS[nth['word']] if nth['word'] else int(nth['number'])}"
    is_first, is_last = _FIRST.search(masked), _LAST.search(masked)
    if is_first and is_last:
        return "first_last"
    return "first" if is_first else "last" if is_last else ""


def _bare(masked: str) -> str:
    """Without the placeholders, whose own words would be taken for the person's."""
    return re.sub(r"\{\w+\}", "", masked)


def _command(masked: str, order: str) -> Form | None:
    return Form(Intent.COMMAND) if _COMMAND.search(masked) and "?" not in masked else None


def _compared(masked: str, order: str) -> Form | None:
    return Form(Intent.COMPARE) if _COMPARED.search(masked) and "more than anyone" not in masked else None


def _averaged(masked: str, order: str) -> Form | None:
    is_average, per = _AVERAGE.search(masked), _PER.search(masked)
    if (
        is_average
        and re.search(r"\bhow much\b|\b(?:cost|amount|price|spend|bill|pay)\b", masked)
        and "time" not in masked
    ):
        return Form(Intent.COUNT, "money_average")
    is_count = re.search(
        r"\bhow (?:many times|often|many days|frequently)\b|\bnumber of (?:times|visits|days)\b", masked
    )
    if per and (is_average or is_count) and (is_count or "times" in masked or "visits" in masked):
        return Form(Intent.COUNT, f"per_{per[1]}")
    return None


def _span(masked: str, order: str) -> Form | None:
    is_amount = _COUNT.search(masked) or _DURATION.search(masked) or re.search(r"\bdays\b|\btime\b", masked)
    if order == "first_last" and is_amount and _APART.search(masked):
        unit = next((unit for unit in ("weeks", "months", "years") if re.search(rf"\b{unit}\b", masked)), "days")
        return Form(Intent.DURATION, unit, order)
    return Form(Intent.DURATION, "", order) if _DURATION.search(masked) and "how long ago" not in masked else None


def _most(masked: str, order: str) -> Form | None:
    superlative = superlative_in(masked)
    if not superlative:
        return None
    if _WHO.search(masked) or re.search(r"\b(?:person|friend|companion|colleague)\b", masked):
        return Form(Intent.MOST, "people", superlative)
    asked = re.sub(r"\bmost (?:\w+ )?(?:days|times|visits|photos|pictures)\b", "most", _bare(masked))
    for unit, pattern in _UNIT_ANYWHERE:
        if unit not in ("times", "memories") and pattern.search(asked):
            return Form(Intent.MOST, unit, superlative)
    return Form(Intent.MOST, "", superlative) if _WHAT.search(masked) else None


def superlative_in(masked: str) -> str:
    """`most` or `least`, where a text asks for either; "at least twice" does not."""
    return "least" if _LEAST.search(masked) else "most" if _MOST.search(masked) else ""


def _neighbour(masked: str, order: str) -> Form | None:
    """Where next, where from: needs a known place and a question for a place."""
    asks_place = re.search(r"\bwhere\b|\b(?:place|stop|location|spot|destination|visit)\b", _bare(masked))
    if "{place}" not in masked or not asks_place:
        return None
    if _WHO.search(masked) or _COUNT.search(masked) or order:
        return None
    if _PREVIOUS.search(masked):
        return Form(Intent.PREVIOUS, "places")
    return Form(Intent.NEXT, "places") if _NEXT.search(masked) else None


def _counted(masked: str, order: str) -> Form | None:
    if not _COUNT.search(masked) or re.search(r"\bhow many days? ago\b", masked):
        return None
    if _COUNTED_VENUES.search(_bare(masked)):
        return Form(Intent.COUNT, "places")
    if re.search(r"\bhow much\b|\btotal (?:cost|amount|spend)", masked):
        return Form(Intent.COUNT, "money") if _SUM.search(masked) else Form(Intent.WHAT, "money")
    for unit, pattern in _UNIT_AFTER_COUNT:
        if pattern.search(masked):
            return Form(Intent.COUNT, unit)
    return Form(Intent.COUNT, "times" if re.search(r"\bhow (?:often|frequently)\b|\btimes\b", masked) else "")


def _people(masked: str, order: str) -> Form | None:
    return Form(Intent.WHO, "people", order) if _WHO.search(masked) else None


def _places(masked: str, order: str) -> Form | None:
    found = _MANY_PLACES.search(masked)
    if not found:
        return Form(Intent.LIST, "places", order) if _MANY_VENUES.search(_bare(masked)) else None
    word = found.group(1) or found.group(2)
    return Form(
        Intent.LIST,
        {"towns": "cities", "spots": "places", "locations": "places", "provinces": "regions"}.get(word, word),
    )


def _dated(masked: str, order: str) -> Form | None:
    if _WHEN_NOW.search(masked) and not order:
        return Form(Intent.WHAT, "said_date")
    if not _WHEN.search(masked) or masked.startswith(("what did", "what do", "where")):
        return None
    for unit in ("weekdays", "months", "years"):
        if re.search(rf"\b(?:what|which) {unit[:-1]}\b", masked):
            return Form(Intent.WHEN, unit, order)
    return Form(Intent.WHEN, "date", order)


def _located(masked: str, order: str) -> Form | None:
    if not _WHERE.search(masked):
        return Form(Intent.WHERE, "places", order) if _ONE_VENUE.search(_bare(masked)) else None
    for unit, singular in (("cities", "city|town"), ("countries", "country"), ("regions", "region|province")):
        if re.search(rf"\b(?:which|what) (?:{singular})\b", masked):
            return Form(Intent.WHERE, unit, order)
    return Form(Intent.WHERE, "places", order)
