"""Turns a question into what code can execute: time, places, people, events, and what kind of answer is wanted.

Code finds whatever can be looked up (dates, the library's own names, forms of questions); the language model is asked only for
the intent of a question whose form no rule knows, and for the activities and objects in it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise, takewhile

from core.ask.anchor import anchor_in
from core.ask.dates import find_days
from core.ask.follow_up import Asked, inherit
from core.ask.kin import KinMention
from core.ask.links import Span, link, masked
from core.ask.prompts import intent_prompt
from core.ask.question_forms import Form, form_of, kinds_in
from core.ask.replies import read_intent
from core.ask.talk import Talk
from core.errors import ReplyError
from core.records import AugmentedQuery, DayRange, Intent, Question
from core.retrieve.match_words import STOP_WORDS
from core.store.library import Library
from core.store.memories import Vocabulary
from core.text_keys import printable, text_key

MOST_CHARACTERS = 4_000
"""A longer question is read at both of its ends: people paste first and ask last, or ask first and paste."""

# Words that frame a question about one's life and say nothing about what to look for.
_FRAMING = """
    go goes going went gone been visit visits visited visiting time times day days date dates often frequently
    frequent different separate distinct many much number count amount first last latest earliest oldest newest
    recent recently most least final next right immediately directly straight straightaway afterwards after before
    previous previously prior place places spot spots location locations city cities town towns country countries
    region regions person people persons someone anyone anybody everyone who whom meet meets met meeting see sees
    saw seen together spend spent pass passed elapsed elapse apart between list name show find tell give know
    remember ever come comes came start started end ended beginning during within all total altogether overall
    exactly roughly month months year years week weeks weekday weekdays ago there here hang hung accompany
    accompanied join joined company companion companions stop stopped pop popped drop dropped swing swung head
    headed heading travel travelled traveled stay stayed staying arrive arrived leave left leaving set foot turn
    turned run ran bump bumped encounter encountered catch caught alone also present both each calendar once again
    actually please photo photos picture pictures image images screenshot screenshots video videos recording
    recordings document documents photograph photographs photographed memory memories album library taken take took
    taking captured capture shot appear appeared appears happen happened get got make made span long away only just
    still today every any other another friend friends around along side single occasion occasions trip trips stand
    standing walk walked lie since gap interval near inside outside main usually typically normally regularly hour
    hours minute minutes without except excluding besides can could may might must shall like want need let us one
    attraction attractions sight sights landmark landmarks average per second third fourth fifth sixth seventh eighth ninth tenth
    not never away more less fewer rather compare difference longer
    ones thing things something anything everything stuff say says lot lots display browse
"""
_FRAME_WORDS = frozenset(_FRAMING.split())
_MONEY_WORDS = frozenset(
    (
        "pay",
        "paid",
        "paying",
        "price",
        "prices",
        "cost",
        "costs",
        "bill",
        "bills",
        "total",
        "sum",
        "amount",
        "expense",
        "expenses",
    )
)
_JOINED = re.compile(r"\b(?:between|from|to|until|till|through)\b|[-–—]")
_LISTED = re.compile(
    r"(?=.*\S)[\s,;/&、和]*(?:(?:and|or|und|oder|y|o|et|ou)\b)?\s*(?:(?:on|in|the|at|am|im|el|en|le)\b\s*)*",
    re.IGNORECASE,
)
_JOINING = 40
_EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|excluding|but not|other than|apart(?: from)?|outside(?: of)?|not)\W+(?:(?:in|on|during|for|the)\s+)*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?:between|entre|zwischen)\W+$", re.IGNORECASE)
_OF_ONE_YEAR = re.compile(r"\d{4}|\b(?:last|this|next|ago|yesterday|today|tomorrow|past|week)\b", re.IGNORECASE)
_MOST_YEARS = 30
_A_DAY = timedelta(days=1)
_RELATIONS = (
    ("between", re.compile(r"\bbetween\b[^{}]{0,30}\{event\}[^{}]{0,20}\band\b[^{}]{0,20}\{event\}")),
    ("before", re.compile(r"\b(?:before|prior to|ahead of|leading up to)\b[^{}]{0,30}\{event\}")),
    ("after", re.compile(r"\b(?:after|following|since)\b[^{}]{0,30}\{event\}")),
    ("about", re.compile(r"\b(?:about|related to|relating to|of|from|mention\w*)\b[^{}]{0,30}\{event\}")),
    ("during", re.compile(r"\{event\}")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A question as understood.

    Attributes:
        query: for execution, storage and "how it was found".
        place_groups: one group of spellings a place named; all groups must hold (`query.places` is the flat list).
        anchor: ("after", "the rocket launch") where something that is no known event places the question in time.
        cities: keys of names that are a city and also a region or country; read as the city, as people do.
        unclear: readings where a name fits several people.
        mask: the question with what was understood replaced by `{person}` and so on.
        kin: people meant by their relation.
    """

    query: AugmentedQuery
    place_groups: tuple[tuple[str, ...], ...] = ()
    anchor: tuple[str, str] | None = None
    cities: frozenset[str] = frozenset()
    unclear: tuple[str, ...] = ()
    mask: str = ""
    kin: tuple[KinMention, ...] = ()

    @property
    def content(self) -> tuple[str, ...]:
        """The words that say what to look for."""
        return self.query.content


def augment(library: Library, question: Question, talk: Talk, previous: Asked | None = None) -> Understood:
    """Understand a question; a follow-up takes over from `previous` what it leaves out."""
    text = readable(question.text)
    vocabulary = library.memories.vocabulary()
    links = link(library, vocabulary, text, question.asked_on)
    mask = masked(text, links)
    form = form_of(mask)
    reply = None
    notes = list(links.notes)
    if form.intent is None and not question.options and talk.is_able:
        try:
            reply = talk.ask(intent_prompt(text), read_intent)
            form = replace(form, intent=reply.intent)
        except ReplyError as error:
            notes.append(f"Read as a question for a fact: {error}")
    if question.options:
        form = Form(Intent.CHOICE, form.unit, form.order)
    query = AugmentedQuery(
        question=text,
        asked_on=question.asked_on,
        intent=form.intent or Intent.WHAT,
        time=one_range(links.days, text, question.asked_on),
        places=tuple(name for group in links.places for name in group),
        people=links.people,
        any_people=links.any_people,
        without_people=links.without_people,
        without_places=links.without_places,
        untold=tuple(each.words for each in links.kin if each.missing),
        unknown_names=links.unknown,
        event_ids=tuple(event.id for event in links.events),
        event_relation=_event_relation(mask) if links.events else "",
        activities=reply.activities if reply else (),
        objects=reply.objects if reply else (),
        kinds=kinds_in(mask),
        order=form.order,
        unit=form.unit,
        statement=_statement(text),
        search_text=" ".join(
            (
                _without_spans(text, [span for span in links.spans if span.kind in ("day", "owner")]),
                *dict.fromkeys(name for each in links.kin for name in each.names[:3]),
            )
        ),
        filled_by=talk.name if reply else "rule",
        notes=tuple(notes),
    )
    anchor = anchor_in(mask) if query.intent not in (Intent.NEXT, Intent.PREVIOUS) else None
    query = replace(query, content=_content(_without_spans(text, links.spans), anchor, query.unit))
    if previous is not None:
        query = inherit(query, previous, mask)
    return Understood(
        query=query,
        place_groups=links.places or tuple((place,) for place in query.places),
        anchor=anchor,
        cities=_also_cities(vocabulary, query.places),
        unclear=tuple(f"{name} (for “{words}”)" for words, names in links.unclear_people for name in names),
        mask=mask,
        kin=links.kin,
    )


def _content(text: str, anchor: tuple[str, str] | None, unit: str) -> tuple[str, ...]:
    """What to look for: not what only places the question in time, and no words of money where an amount is asked for."""
    anchored = frozenset(content_words(anchor[1])) if anchor else frozenset()
    passed_over = anchored | (_MONEY_WORDS if unit.startswith("money") else frozenset())
    return tuple(word for word in content_words(text) if word not in passed_over)


def _also_cities(vocabulary: Vocabulary, places: Sequence[str]) -> frozenset[str]:
    larger = {text_key(name) for level in ("region", "country") for name in vocabulary.places.get(level, {})}
    cities = {text_key(name) for name in vocabulary.places.get("city", {})} & larger
    keys = frozenset(text_key(name) for name in places)
    return keys if keys <= cities else frozenset()


def readable(text: str) -> str:
    """The question as it can be searched and stored: printable, in one line, both ends of a very long one."""
    line = " ".join(printable(text).split())
    half = MOST_CHARACTERS // 2
    return line if len(line) <= MOST_CHARACTERS else f"{line[:half]} … {line[-half:]}"


def content_words(text: str) -> tuple[str, ...]:
    """Words that say what to look for, without those that only frame a question; at most twelve."""
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.casefold())
    kept = dict.fromkeys(re.sub(r"['’]s$", "", word) for word in words if word not in STOP_WORDS | _FRAME_WORDS)
    return tuple(
        word
        for word in kept
        if word not in STOP_WORDS | _FRAME_WORDS
        and not re.fullmatch(r"['’]?\w|\w+['’]\w{1,2}|\d+(?:st|nd|rd|th)", word)
    )[:12]


def one_range(days: Sequence[DayRange], text: str, asked_on: date) -> DayRange | None:
    """One time range from the dates of a question: joined, listed or left out where the words say so, else the first.

    "From … to …", "… and …", "2024 except in March".
    """
    if not days:
        return None
    hours = next((day.hours for day in days if day.hours), None)
    weekdays = next((day.weekdays for day in days if day.weekdays), ())
    dated = [day for day in days if day.first_day or day.last_day]
    if not dated:
        return replace(days[0], hours=hours, weekdays=weekdays)
    before = text[: max(0, text.find(dated[0].words))]
    between = _words_between(dated, text)
    if _EXCEPT.search(before):
        return replace(_without(DayRange(last_day=asked_on), dated[0], asked_on), hours=hours, weekdays=weekdays)
    if between and _EXCEPT.search(between[0]):
        return replace(_without(dated[0], dated[1], asked_on), hours=hours, weekdays=weekdays)
    is_between = _BETWEEN.search(before) is not None
    if between and len(between[0]) < _JOINING and (is_between or _JOINED.search(between[0].casefold())):
        return replace(_hull(dated[:2], " to "), hours=hours, weekdays=weekdays)
    listed = dated[: 1 + len(list(takewhile(_LISTED.fullmatch, between)))]
    stretches = [(day.first_day, day.last_day) for day in listed if day.first_day and day.last_day]
    if len(listed) > 1 and len(stretches) == len(listed):
        return replace(_hull(listed, " and "), hours=hours, weekdays=weekdays, apart=tuple(sorted(stretches)))
    return replace(dated[0], hours=hours, weekdays=weekdays)


def _without(days: DayRange, left_out: DayRange, asked_on: date) -> DayRange:
    """The days of the first range that are not in the second; one without a year is left out of every year."""
    first, last = days.first_day or date.min, days.last_day or asked_on
    gaps = [left_out]
    if not _OF_ONE_YEAR.search(left_out.words):
        years = range(max(first.year, last.year - _MOST_YEARS), last.year + 1)
        gaps = [find_days(left_out.words, date(year, 12, 31))[0] for year in years]
    apart, at = [], first
    for gap in gaps:
        begins, ends = gap.first_day or date.min, gap.last_day or date.max
        if at < begins <= last:
            apart.append((at, begins - _A_DAY))
        if begins <= last:
            at = max(at, ends + _A_DAY if ends < date.max else ends)
    if at <= last:
        apart.append((at, last))
    return replace(days, words=f"{days.words} except {left_out.words}".strip(), apart=tuple(apart))


def _hull(days: Sequence[DayRange], word: str) -> DayRange:
    starts = [day.first_day for day in days if day.first_day]
    ends = [day.last_day for day in days if day.last_day]
    return DayRange(min(starts, default=None), max(ends, default=None), word.join(day.words for day in days))


def _words_between(days: Sequence[DayRange], text: str) -> list[str]:
    """What stands between each date and the next."""
    between, at = [], 0
    for day, following in pairwise(days):
        start = text.find(day.words, at)
        at = text.find(following.words, start + len(day.words))
        if start < 0 or at < 0:
            break
        between.append(text[start + len(day.words) : at])
    return between


def _event_relation(mask: str) -> str:
    return next((name for name, pattern in _RELATIONS if pattern.search(mask)), "about")


def _without_spans(text: str, spans: Sequence[Span]) -> str:
    parts, last = [], 0
    for span in spans:
        parts.append(text[last : span.start])
        last = span.end
    parts.append(text[last:])
    return " ".join(" ".join(parts).split())


def _statement(text: str) -> str:
    """The question as a statement, which lies closer to what captions say than a question does."""
    bare = re.sub(
        r"^(?:please |can you |could you )*(?:what|which|who|whom|when|where|why|how (?:many|much|often|long)|how|show me|find(?: me)?|"
        r"did|do|does|have|has|was|were|is|are)\b\s*(?:times |days )?(?:did|do|does|have|has|was|were|is|are|had)?\s*",
        "", text, flags=re.IGNORECASE,
    )  # fmt: skip
    return bare.rstrip(" ?！？。.").strip() or text
