"""Links the words of a question to what the library knows: people, places, events and days, and says which names it does not know."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from core.ask.dates import find_days
from core.ask.kin import KinMention, find_kin
from core.ask.own_groups import with_groups
from core.graph.kinship import Kinship
from core.records import DayRange, Event, MemoryFilter
from core.retrieve.match_words import STOP_WORDS, match_all, words_of
from core.retrieve.names import Mention, NameIndex, Token, person_names, place_names, token_keys, tokens_of
from core.store.library import Library
from core.store.memories import Vocabulary
from core.store.told import ME
from core.text_keys import text_key

_MUCH_MORE_OFTEN = 5
_YEAR_IN_NAME = re.compile(r"(?:^|(?<=\s))(?:19|20)\d\d(?=\s|$)")
_AT_WORDS = (
    "at in to inside near from around outside visit visited visiting into of after before toward towards reach reached "
    "leave leaving left"
)
_AT = f"(?:{'|'.join(_AT_WORDS.split())})"
_WITH_WORDS = "with see saw seen meet met meeting joined accompanied alongside and know contact"
_WITH = f"(?:{'|'.join(_WITH_WORDS.split())})"
_ROLE_BEFORE = re.compile(
    rf"\b(?:(?P<at>{_AT})|(?P<with>{_WITH}))\s+(?:the\s+|a\s+|an\s+|my\s+)?[\"'“‘]?$", re.IGNORECASE
)
_COMMON_NAME_WORDS = frozenset(
    ("may", "june", "april", "august", "will", "mark", "rose", "joy", "hope", "grace", "bill", "art", "sky", "summer")
)
_NAME_JOINTS = frozenset(("of", "the", "and", "de", "la", "du", "del", "von", "van", "der", "y"))
_CALENDAR = re.compile(
    r"(?i)^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|"
    r"november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|fall|winter|christmas|easter|"
    r"new|year|eve|i|i'm|i've|i'd|ok|tv|\d+(?:st|nd|rd|th)?)$"
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the question that was understood as one thing."""

    start: int
    end: int
    kind: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """What a question's words name.

    Attributes:
        spans: in reading order, none overlapping.
        places: one group of spellings a place named.
        unclear_people: (words, candidates) where a part of a name fits several people.
        unknown: names of people or places that the library does not know.
        notes: what was read as what, where it was not written exactly.
        kin: people meant by their relation ("my sister"), those that nobody told too.
    """

    spans: tuple[Span, ...] = ()
    people: tuple[str, ...] = ()
    any_people: tuple[str, ...] = ()
    without_people: tuple[str, ...] = ()
    without_places: tuple[str, ...] = ()
    places: tuple[tuple[str, ...], ...] = ()
    events: tuple[Event, ...] = ()
    days: tuple[DayRange, ...] = ()
    unclear_people: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    kin: tuple[KinMention, ...] = ()


@dataclass(slots=True)
class _Found:
    """Spans as they are collected; the longer of two that overlap stays."""

    spans: list[Span] = field(default_factory=list)

    def add(self, span: Span) -> bool:
        rivals = [each for each in self.spans if each.start < span.end and span.start < each.end]
        if any(each.end - each.start >= span.end - span.start for each in rivals):
            return False
        self.spans = [each for each in self.spans if each not in rivals]
        self.spans.append(span)
        return True

    def covers(self, token: Token) -> bool:
        return any(span.start < token.end and token.start < span.end for span in self.spans)


def link(library: Library, vocabulary: Vocabulary, text: str, asked_on: date) -> Links:
    """Link a question. The owner's own name is read as "I"."""
    tokens = tokens_of(text)
    owner = text_key(library.stages.note("owner"))
    found = _Found()
    places = place_names(vocabulary.places)
    owner_name = library.stages.note("owner")
    kinship = Kinship.of(library.graph.told())
    told = dict.fromkeys((name for name in kinship.names if text_key(name) != text_key(ME)), 1)
    people = person_names({**({owner_name: 1_000_000} if owner_name else {}), **told, **vocabulary.people})
    days = find_days(text, asked_on, lived=lambda days: library.memories.count(MemoryFilter(*days)) > 0)
    for day, start in _placed(text, days):
        found.add(Span(start, start + len(day.words), "day", (day.words,)))
    for mention in places.find(tokens):
        if _is_meant_as_place(text, mention, tokens):
            found.add(Span(mention.start, mention.end, "place", mention.names))
    mentions = people.find(tokens)
    kin = find_kin(text, kinship, owner_name, mentions, asked_on)
    kin = with_groups(kin, text, tokens, library.people.groups(), vocabulary.people)
    for mention in mentions:
        if _is_meant_as_person(text, mention) and (
            mention.exact or not _is_in_longer_name(text, mention, tokens, found)
        ):
            found.add(Span(mention.start, mention.end, "person", mention.names))
    for relative in kin:
        if relative.names:
            found.add(Span(relative.start, relative.end, "person", relative.names))
    events = _link_events(library.events.all(), tokens, found)
    unknown, notes = _unknown_names(library, text, tokens, found, people, places)
    return _links(text, found, owner, vocabulary.people, events, days, unknown, notes, kin)


def masked(text: str, links: Links) -> str:
    """The question in lower case with each understood stretch replaced by `{kind}`; the owner is "i"."""
    parts, last = [], 0
    for span in links.spans:
        parts.append(text[last : span.start])
        parts.append("I" if span.kind == "owner" else f" {{{span.kind}}} ")
        last = span.end
    parts.append(text[last:])
    return re.sub(r"\s+", " ", "".join(parts).replace("’", "'").casefold()).strip()


def _placed(text: str, days: Sequence[DayRange]) -> list[tuple[DayRange, int]]:
    """Where each date stands in the text; dates come in reading order."""
    placed, at = [], 0
    for day in days:
        start = text.find(day.words, at) if day.words else -1
        if start >= 0:
            placed.append((day, start))
            at = start + len(day.words)
    return placed


def _is_meant_as_place(text: str, mention: Mention, tokens: Sequence[Token]) -> bool:
    """One common word in lower case is only a place after "at", "in" and the like: "at home", not "the home run"."""
    inside = [token for token in tokens if mention.start <= token.start < mention.end]
    if len(inside) > 1 or inside[0].is_capital:
        return inside[0].start > 0 or len(inside) > 1
    return bool(re.search(rf"\b{_AT}\s+(?:the\s+|my\s+)?$", text[: mention.start], re.IGNORECASE))


def _is_meant_as_person(text: str, mention: Mention) -> bool:
    """A part of a name counts when written as a name; a part that is also a word needs "with" or "and I" beside it."""
    words = text[mention.start : mention.end]
    if mention.exact and " " in words:
        return True
    if words[:1].islower():
        return mention.exact and len(words) > 2 and _has_person_role(text, mention)
    return text_key(words) not in _COMMON_NAME_WORDS or _has_person_role(text, mention)


def _is_in_longer_name(text: str, mention: Mention, tokens: Sequence[Token], found: _Found) -> bool:
    """Whether capitalised words beside a part of a name make it another name: "Street" in "Cedar Street Planetarium"."""
    for token in tokens:
        gap = text[token.end : mention.start] if token.end <= mention.start else text[mention.end : token.start]
        is_beside = token.end <= mention.start or token.start >= mention.end
        if is_beside and gap == " " and not found.covers(token) and _is_name_word(token, text):
            return True
    return False


def _has_person_role(text: str, mention: Mention) -> bool:
    before, after = text[: mention.start], text[mention.end :]
    return bool(
        re.search(rf"\b{_WITH}\s+$", before, re.IGNORECASE) or re.match(r"\s+and\s+(?:i|me)\b", after, re.IGNORECASE)
    )


def _forms_of(name: str) -> list[str]:
    """An event's name, and the name without its year: people say "the lab retreat", "during CHI"."""
    bare = _YEAR_IN_NAME.sub(" ", name).strip()
    says_enough = len(words_of(bare)) > 1 or (len(bare) > 2 and bare.isupper())
    return [name, bare] if bare != name and says_enough else [name]


def _link_events(events: Sequence[Event], tokens: Sequence[Token], found: _Found) -> tuple[Event, ...]:
    """Events named by all their telling words, at least one of which is not just the place, person or day of something else."""
    index = NameIndex()
    by_name: dict[str, list[Event]] = {}
    for event in events:
        by_name.setdefault(event.name, []).append(event)
    for name in by_name:
        if len("".join(token_keys(name))) > 2:
            index.add(name, [" ".join(words_of(form)) for form in _forms_of(name)])
    linked: list[Event] = []
    for mention in index.find(tokens):
        if found.add(Span(mention.start, mention.end, "event", mention.names)):
            linked.extend(event for name in mention.names for event in by_name[name])
    if linked:
        return tuple(linked)
    free = {token.key: token for token in tokens if not found.covers(token) and token.key not in STOP_WORDS}
    said = {token.key for token in tokens}
    best: tuple[int, str] = (0, "")
    for name in by_name:
        telling = set(words_of(name))
        if len(telling) > 1 and telling <= said and telling & set(free) and len(telling) > best[0]:
            best = (len(telling), name)
    for key in set(words_of(best[1])) & set(free):
        found.add(Span(free[key].start, free[key].end, "event", (best[1],)))
    return tuple(by_name.get(best[1], ()))


def _unknown_names(
    library: Library, text: str, tokens: Sequence[Token], found: _Found, people: NameIndex, places: NameIndex
) -> tuple[list[str], list[str]]:
    """Capitalised names in the role of a person or place that nothing in the library mentions, and notes on slips of the pen."""
    unknown: list[str] = []
    notes: list[str] = []
    for start, end in _capital_runs(text, tokens, found):
        words = text[start:end]
        role = _ROLE_BEFORE.search(text[:start])
        with_i = re.match(r"\s+and\s+(?:i|me)\b", text[end:], re.IGNORECASE)
        if not role and not with_i:
            continue
        is_person = bool(with_i or (role and role.group("with")))
        kind, index = ("person", people) if is_person else ("place", places)
        near = index.near(words) or ((places if is_person else people).near(words) if " " in words else ())
        if near:
            found.add(Span(start, end, "person" if near[0] in people.near(words) else kind, near[:1]))
            notes.append(f"Read “{words}” as “{near[0]}”.")
        elif not library.memories.by_words(match_all(words_of(words)) or '""', 1):
            unknown.append(words)
    return unknown, notes


def _capital_runs(text: str, tokens: Sequence[Token], found: _Found) -> list[tuple[int, int]]:
    """Runs of capitalised words that are not understood yet, small joining words inside them included."""
    runs: list[tuple[int, int]] = []
    current: list[Token] = []

    def close() -> None:
        while current and not _is_name_word(current[-1], text):
            current.pop()
        if current and (current[0].start > 0 or len(current) > 1):
            runs.append((current[0].start, current[-1].end))
        current.clear()

    for token in tokens:
        gap = text[current[-1].end : token.start] if current else ""
        if found.covers(token) or re.search(r"[.?!,;:()]", gap):
            close()
        if found.covers(token):
            continue
        if _is_name_word(token, text) or (current and token.key in _NAME_JOINTS):
            current.append(token)
        else:
            close()
    close()
    return runs


def _is_name_word(token: Token, text: str) -> bool:
    word = text[token.start : token.end]
    return word[:1].isupper() and not _CALENDAR.match(word) and not (token.start == 0 and token.key in STOP_WORDS)


def _links(
    text: str, found: _Found, owner: str, counts: Mapping[str, int], events: tuple[Event, ...], days: Sequence[DayRange],
    unknown: Sequence[str], notes: Sequence[str], kin: Sequence[KinMention],
) -> Links:  # fmt: skip
    people: list[str] = []
    without: list[str] = []
    places: list[tuple[str, ...]] = []
    elsewhere: list[str] = []
    unclear: list[tuple[str, tuple[str, ...]]] = []
    anyone: list[str] = []
    spans: list[Span] = []
    for span in sorted(found.spans, key=lambda each: each.start):
        kind = span.kind
        if kind == "place":
            if _is_left_out(text, span):
                elsewhere.extend(span.names)
            else:
                places.append(span.names)
        elif kind == "person":
            if owner and any(text_key(name) == owner for name in span.names):
                kind = "owner"
            else:
                relative = next((each for each in kin if each.start == span.start), None)
                if relative and relative.several:
                    (without if _is_excluded(text, span) else anyone).extend(relative.names)
                    spans.append(Span(span.start, span.end, kind, span.names))
                    continue
                name, others = (span.names[0], span.names[1:]) if relative else _likeliest(span.names, counts)
                if others:
                    unclear.append((text[span.start : span.end], span.names))
                (without if _is_excluded(text, span) else people).append(name)
        spans.append(Span(span.start, span.end, kind, span.names))
    kept = [span.names[0] for span in spans if span.kind == "day"]
    return Links(
        spans=tuple(spans),
        people=tuple(dict.fromkeys(people)),
        without_people=tuple(dict.fromkeys(without)),
        without_places=tuple(dict.fromkeys(elsewhere)),
        places=tuple(dict.fromkeys(places)),
        events=events,
        days=tuple(day for day in days if day.words in kept),
        unclear_people=tuple(unclear),
        unknown=tuple(dict.fromkeys(unknown)),
        notes=(*notes, *(each.note for each in kin if each.note)),
        kin=tuple(kin),
        any_people=tuple(dict.fromkeys(anyone)),
    )


def _is_excluded(text: str, span: Span) -> bool:
    return bool(
        re.search(
            r"\b(?:without|except|excluding|not with|other than|apart from|besides)\s+$",
            text[: span.start],
            re.IGNORECASE,
        )
    )


def _is_left_out(text: str, span: Span) -> bool:
    """Whether a place is named as one where it was not: "not at home", "outside Austin", "away from home"."""
    before = re.search(
        r"\b(?:not|never|n't|outside|away from|except|other than|apart from|besides)\s+(?:at|in|of|from)?\s*(?:the\s+|my\s+)?$",
        text[: span.start],
        re.IGNORECASE,
    )
    return bool(before) and not re.search(r"\boutside\s+(?:of\s+)?the\s+$", text[: span.start], re.IGNORECASE)


def _likeliest(names: Sequence[str], counts: Mapping[str, int]) -> tuple[str, tuple[str, ...]]:
    """The person meant by a part of a name, and the others it may mean where none is much more frequent."""
    ranked = sorted(names, key=lambda name: -counts.get(name, 0))
    rivals = [name for name in ranked[1:] if counts.get(name, 0) * _MUCH_MORE_OFTEN > counts.get(ranked[0], 0)]
    return ranked[0], tuple(rivals)
