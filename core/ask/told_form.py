"""Which question over sentences of a diary is asked, and which sentences are the ones it is asked of?"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.ask import diary, sorts
from core.ask.implied import expressions, naming_the_meal
from core.ask.phrases import conditions, listed
from core.ask.plan import Plan
from core.ask.turn import Turn
from core.records import CapturedMemory, Intent, MemoryFilter
from core.retrieve.match_words import match_all, match_any, words_of

_EVERY = 1_000_000
_MOSTLY = 0.8
_SAMPLE = 20
_LONGEST_SENTENCE = 2_000
MOST = re.compile(r"\b(?:most(?! recent)|(?<!at )least|fewest|favou?rite|top|usual|usually|commonly|common)\b")
_DAILY = ((re.compile(r"\bdaily\b"), "day"), (re.compile(r"\bweekly\b"), "week"), (re.compile(r"\bmonthly\b"), "month"))
_PER = re.compile(r"\b(?:per|a|an|each|every) (day|week|month|year)\b")
_WHO = re.compile(r"\bwho(?:m)?\b|\b(?:which|what) (?:people|friends?|persons?)\b")
_HOW_LONG = re.compile(
    r"\bhow long\b|\bhow much time\b|\b(?:average|mean|total) (?:amount of )?time\b|\bhow many (?:minutes|hours)\b"
)
_TIMES = re.compile(
    r"\bhow (?:many (?:times|trips|journeys|vacations|holidays)|often|frequently)\b|\bnumber of times\b"
)
_JOURNEYS = re.compile(r"\b(?:travel\w*|trips?|journeys?|vacations?|holidays?|fly|flew|flown)\b")
_DESTINATIONS = re.compile(
    r"\b(?:destinations?|cities|countries|places)\b.*\b(?:travel\w*|trips?|go|went|been)\b|\bdestinations?\b"
)
WHAT = re.compile(
    r"\b(?:what|which|list|name)(?: (?:are|were|is|was))?(?: all| of)?(?: the| my)?(?: (?:top \w+|most common|most frequent|favou?rite))?"
    r"(?P<noun>(?: [\w-]+){0,2}?)(?: that| which)? (?:in [^?]*? )?"
    r"(?:do|did|does|have|had|was|were|i|we|she|he|they|[a-z]+ (?:had|ate|bought))\b"
)
HOW_MANY = re.compile(r"\bhow many (?:different |distinct |separate |other )?(?P<noun>[\w-]+)\b")
FAVOURITE = re.compile(r"\bmy (?:most |least )?favou?rite (?P<noun>[\w-]+)")
TOWNS = re.compile(
    r"\b(?:which|what|how many|list|name)\b(?: \w+){0,3}? (?P<level>cit(?:y|ies)|countr(?:y|ies)|towns?)\b"
)
_PEOPLE_COUNTED = frozenset(("people", "persons", "friends", "colleagues"))
_EATERIES = re.compile(r"\b(?:restaurants|caf[eé]s|bars|pubs|diners|bistros)\b")
_DATES_GONE_ON = re.compile(r"\bhow many (dates)\b.*\b(?:go|went|been|gone)\b.*\bon\b")
_ASKS_LIST = re.compile(r"^(?:please )?(?:list|name)\b")
_HOBBY = re.compile(r"\bhobb(?:y|ies)\b")
_SAME_DAY = re.compile(r"\bon the (?:same )?days? (?:that |when |of |where )?(?:i |we )?(?P<anchor>[^?.!]{3,80})")
_FRAMING = (
    "most common commonly usual usually top favourite favorite average daily weekly monthly basis n day kind sort type anyone anybody "
    "list all total do did done frequent often mostly spending"
)
_FRAME = frozenset(_FRAMING.split())
_AWAY = re.compile(
    r"\b(?:when|while) (?:i|we)(?:'m| am|'re| are)? travel\w*|\bon (?:my |our )?(?:trips?|travels?|journeys?|vacations?|holidays?)\b"
)
_A_DATE = re.compile(r"\b(?:on|for|to) (?:(?:a|the|our|my) (?=date\b)|(?=dates\b))(dates?)\b(?! of)")
_HOURS = re.compile(r"\b(morning|noon|lunch|afternoon|evening|night)\b")
_RELATIVES = re.compile(
    r"\b(?:my|our) (?:parents?|mother|father|mum|mom|dad|wife|husband|kids|children|sons?|daughters?|friends?|boss)\b"
)


@dataclass(frozen=True, slots=True)
class Told:
    """A question over sentences.

    Attributes:
        held: its memories, oldest first.
        verb: what was done with the things asked for; empty where no things are.
        said: the conditions in words, beginning with a blank.
        note: what had to be assumed.
    """

    plan: Plan
    mask: str
    held: Sequence[CapturedMemory]
    verb: str
    said: str
    note: str = ""

    @property
    def period(self) -> str:
        """What an average is taken for: day, week, month or year; empty where none is asked for."""
        match = _PER.search(self.mask)
        return match[1] if match else next((unit for pattern, unit in _DAILY if pattern.search(self.mask)), "")


def form_of_told(plan: Plan) -> str:
    """The form of a question over sentences; empty for any other."""
    mask, query = plan.understood.mask, plan.query
    is_find = query.intent is Intent.FIND and not _ASKS_LIST.search(mask)
    if is_find or query.intent in (Intent.COMMAND, Intent.COMPARE) or query.unit == "whether":
        return ""
    if _HOW_LONG.search(mask):
        return "how_long"
    if _TIMES.search(mask):
        return "journeys" if _JOURNEYS.search(mask) else "times" if query.untold else ""
    if _DATES_GONE_ON.search(mask):
        return "times"
    if TOWNS.search(mask) and query.intent in (Intent.COUNT, Intent.LIST, Intent.MOST):
        return "destinations"
    if query.intent is Intent.COUNT and (match := HOW_MANY.search(mask)):
        if match["noun"] in _PEOPLE_COUNTED:
            return "who"
        is_noun = sorts.is_generic(match["noun"]) or sorts.is_sort(match["noun"])
        return "number_of" if is_noun else ""
    if query.intent is Intent.LIST and _EATERIES.search(mask):
        return "where"
    if query.intent is Intent.WHERE and query.unit == "places" and not query.order:
        return "where"
    if query.intent in (Intent.WHEN, Intent.WHERE) or query.unit in ("months", "years", "weekdays", "days", "weeks"):
        return ""
    if _DESTINATIONS.search(mask) and MOST.search(mask):
        return "destinations"
    if _WHO.search(mask):
        return "who"
    asks_thing = WHAT.search(mask) or _HOBBY.search(mask) or FAVOURITE.search(mask)
    return "what" if asks_thing or query.intent is Intent.LIST or _ASKS_LIST.search(mask) else ""


def gathered(turn: Turn, plan: Plan, form: str) -> Told | None:
    """Every memory with the words that are asked for, if these are sentences of a diary."""
    mask, library = plan.understood.mask, turn.library
    anchor = _SAME_DAY.search(mask)
    verb = _verb_asked(mask[: anchor.start()] if anchor else mask, form)
    words = [word for word in plan.understood.content if not _is_framing(word, verb, mask)]
    words += [
        word
        for word in (*_A_DATE.findall(mask), *_DATES_GONE_ON.findall(mask), *_said_hours(plan))
        if word not in words
    ]
    exact = replace(plan.exact, hours=None)
    if anchor:
        days = _days_of(turn, anchor["anchor"], exact)
        words = [word for word in words if word not in anchor["anchor"]]
        if not days:
            return None
        exact = replace(exact, ids=tuple(each for day in sorted(days) for each in library.memories.ids_matching(
            replace(exact, first_day=day, last_day=day))))  # fmt: skip
    if plan.query.untold and not _mentions(turn, plan.query.untold):
        words = [word for word in words if word not in " ".join(plan.query.untold).casefold().split()]
    held = naming_the_meal(_holding(turn, exact, words, verb), words)
    written = [memory for memory in held if _is_written(memory)]
    if _AWAY.search(mask):
        written = [memory for memory in written if diary.is_away(memory.caption)]
        held = written
    if not written or len(written) < _MOSTLY * len(held):
        return None
    note = ""
    if plan.query.untold and not _mentions(turn, plan.query.untold):
        written = [
            each for each in written if diary.companions_told(each.caption) and not _RELATIVES.search(each.caption)
        ]
        note = (
            f"Nobody told me who {listed([f'“{words}”' for words in plan.query.untold])} is, so everybody named counts."
        )
    said = conditions(plan.query, (), words)
    return Told(plan, mask, written, verb, said, note)


def _said_hours(plan: Plan) -> list[str]:
    """The time of day as a sentence would say it: a diary is written at another hour than it tells of."""
    return _HOURS.findall(plan.query.question.casefold())[:1] if plan.query.time and plan.query.time.hours else []


def _verb_asked(mask: str, form: str) -> str:
    """What somebody did with the things asked for; empty where no thing of a sentence is asked for."""
    if form == "destinations":
        return "travel"
    if form == "where" and _EATERIES.search(mask):
        return "eat"
    if form not in ("what", "number_of"):
        return ""
    if _HOBBY.search(mask):
        return "enjoy"
    return diary.verb_in(re.findall(r"[a-z]+", mask)) or next(map(sorts.verb_of, nouns_asked(mask)), "")


def nouns_asked(mask: str) -> list[str]:
    """The words that say of which sort the things are that are asked for ("what fruit", "my favourite sport")."""
    asked = FAVOURITE.search(mask) or WHAT.search(mask) or HOW_MANY.search(mask)
    listed_sorts = [word for word in words_of(mask) if sorts.is_sort(word)] if _ASKS_LIST.search(mask) else []
    return [*(words_of(asked["noun"]) if asked else []), *listed_sorts]


def _is_framing(word: str, verb: str, mask: str) -> bool:
    is_noun = word in nouns_asked(mask) and (sorts.is_generic(word) or sorts.is_sort(word))
    is_plain = (
        word in _FRAME
        or bool(_EATERIES.fullmatch(word))
        or _HOBBY.search(word)
        or (sorts.is_generic(word) and word not in ("food", "grocery"))
    )
    return bool(is_noun or is_plain or (verb and diary.verb_in([word]) == verb and verb not in ("read", "watch")))


def _mentions(turn: Turn, relatives: Sequence[str]) -> bool:
    return all(turn.library.memories.by_words(match_all(words_of(each)) or '""', 1) for each in relatives)


def _holding(turn: Turn, exact: MemoryFilter, words: Sequence[str], verb: str) -> list[CapturedMemory]:
    """Every memory that holds all words, and where a verb was asked, one of its forms."""
    forms = f"({match_any(list(diary.forms_of(verb)))})" if verb else ""
    for told in expressions(words) or [""]:
        expression = " AND ".join(part for part in (told, forms) if part)
        if not expression:
            return turn.library.memories.matching(exact) if _is_one_day(exact) else []
        if not _may_be_diary(turn, expression, exact):
            continue
        ids = tuple(each for each, _ in turn.library.memories.by_words(expression, _EVERY, exact))
        if ids:
            return turn.library.memories.matching(replace(exact, ids=ids))
    return _holding_most(turn, exact, words) if _is_one_day(exact) else []


def _may_be_diary(turn: Turn, expression: str, exact: MemoryFilter) -> bool:
    """Whether one of the best few is a sentence: pictures with people and places are not all loaded to find that out."""
    best = [memory_id for memory_id, _ in turn.library.memories.by_words(expression, _SAMPLE, exact)]
    return any(_is_written(memory) for memory in turn.library.memories.many(best))


def _is_one_day(exact: MemoryFilter) -> bool:
    return exact.first_day is not None and exact.first_day == exact.last_day


def _holding_most(turn: Turn, exact: MemoryFilter, words: Sequence[str]) -> list[CapturedMemory]:
    """Of one day, those that hold most of the words, at least half of them: "the grocery store" is written "grocery shopping"."""
    held: dict[str, int] = defaultdict(int)
    for word in words:
        for expression in expressions([word]):
            for memory_id, _ in turn.library.memories.by_words(expression, _EVERY, exact):
                held[memory_id] += 1
    most = max(held.values(), default=0)
    if not most or 2 * most < len(words):
        return []
    return turn.library.memories.matching(
        replace(exact, ids=tuple(each for each, number in held.items() if number == most))
    )


def _days_of(turn: Turn, anchor: str, exact: MemoryFilter) -> set[date]:
    ids = [each for each, _ in turn.library.memories.by_words(match_all(words_of(anchor)) or '""', _EVERY, exact)]
    return {memory.taken.day for memory in turn.library.memories.many(ids) if memory.taken.day}


def _is_written(memory: CapturedMemory) -> bool:
    """A sentence of somebody's own, with nobody tagged and no place known: only the words say it."""
    is_plain = not memory.people and memory.place is None and len(memory.caption) <= _LONGEST_SENTENCE
    return is_plain and diary.is_diary(memory.caption)
