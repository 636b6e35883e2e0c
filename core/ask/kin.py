"""Whom do "my sister" and "Nina's boss" mean? Reads relations in a question and resolves them by what the person told."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.graph.kinship import Kinship, Relative
from core.graph.relation_words import ENGLISH_WORDS, group_roles, relation_word
from core.retrieve.names import Mention
from core.store.told import ME
from core.text_keys import text_key

_NOT_ASKED = frozenset(("report", "reports", "ma", "pa", "nan", "ex", "patient", "prof", "mate", "pal"))
"""Words that in "my …" mean something else more often than a person."""
_GROUP_WORDS = ("family", "relatives", "in-laws", "folks")
_ADJECTIVES = (
    "older younger little big elder eldest oldest youngest dear late beloved own other two three both old new current present "
    "former previous ex- best closest close whole entire immediate extended baby twin"
)
_WORD = "|".join(
    re.escape(word)
    for word in sorted({*ENGLISH_WORDS, *_GROUP_WORDS, "children", "wives"} - _NOT_ASKED, key=len, reverse=True)
)
_LINK = rf"(?:(?:{'|'.join(_ADJECTIVES.split())})\s+)*(?P<word>{_WORD})(?P<many>e?s(?=\b)(?!-))?(?![\w-])"
_STEP = re.compile(_LINK, re.IGNORECASE)
_MINE = re.compile(rf"\b(?:my|our)\s+(?={_LINK.replace('?P<word>', '?:').replace('?P<many>', '?:')})", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?:['’]s?|(?<=s)['’])\s+", re.IGNORECASE)
_OF = re.compile(rf"\b(?:the\s+)?(?P<word>{_WORD})(?P<many>s)?\s+of\s+$", re.IGNORECASE)
_FORMER = re.compile(r"\b(?:former|previous|old|ex-)\b", re.IGNORECASE)
_BEST_SIX = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class KinMention:
    """A stretch of a question that means people by their relation.

    Attributes:
        words: as asked, without "my": "aunt's dog".
        names: who is meant; empty where nobody told.
        several: the words mean more than one ("my parents", "my family").
        missing: the relation that nobody told ("sister" of "Mara"), as (whose, word).
        is_sure: no sex was guessed.
        how: the told relations it rests on.
    """

    start: int
    end: int
    words: str
    names: tuple[str, ...] = ()
    several: bool = False
    missing: tuple[str, str] | None = None
    is_sure: bool = True
    how: str = ""

    @property
    def note(self) -> str:
        """How it was read, for "how it was found"."""
        if not self.names:
            return ""
        unsure = "" if self.is_sure else " (nobody said whether a woman or a man)"
        return f"Read “{self.words}” as {', '.join(self.names[:_BEST_SIX])}{unsure}: {self.how}."


def find_kin(text: str, kinship: Kinship, owner: str, people: Sequence[Mention], asked_on: date) -> list[KinMention]:
    """Every relation in a question, in reading order, none overlapping.

    Args:
        people: the names that were found in the text; "Nina's boss" begins at Nina.
    """
    found: list[KinMention] = []
    starts: list[tuple[int, int, tuple[str, ...]]] = [
        (match.start(), match.end(), (owner or ME,)) for match in _MINE.finditer(text)
    ]
    for person in people:
        possessive = re.search(r"(?:['’]s?)$", text[: person.end])
        if possessive and (gap := re.match(r"\s+", text[person.end :])):
            starts.append((person.start, person.end + gap.end(), person.names[:1]))
    for begin, at, whose in sorted(starts):
        if any(begin < each.end for each in found):
            continue
        mention = _chain(text, begin, at, whose, kinship, asked_on)
        if mention is not None and not _is_followed_by_name(mention, people):
            found.append(mention)
    return sorted(_with_of(text, found, people, kinship, asked_on), key=lambda each: each.start)


def _chain(
    text: str, begin: int, at: int, whose: tuple[str, ...], kinship: Kinship, asked_on: date
) -> KinMention | None:
    """The longest chain of relations from here: sister, sister's husband, sister's husband's boss."""
    mention: KinMention | None = None
    while step := _STEP.match(text, at):
        word = step["word"] + (step["many"] or "")
        former = bool(_FORMER.search(text[at : step.start("word")]))
        mention = _resolved(
            kinship, whose, word, former, asked_on,
            start=begin, end=step.end(), words=_bare(text[begin : step.end()]), before=mention,
        )  # fmt: skip
        whose = mention.names
        gap = _POSSESSIVE.match(text, step.end())
        if gap is None:
            break
        at = gap.end()
    return mention


def _bare(words: str) -> str:
    return re.sub(r"^(?:my|our)\s+", "", words, flags=re.IGNORECASE)


def _resolved(
    kinship: Kinship, whose: tuple[str, ...], word: str, former: bool, asked_on: date,
    *, start: int, end: int, words: str, before: KinMention | None,
) -> KinMention:  # fmt: skip
    said = relation_word(word)
    relatives = [each for name in whose for each in _now(kinship.related(name, _group(word)), former, asked_on)]
    by_name = {text_key(each.name): each for each in relatives}
    missing = before.missing if before and before.missing else None
    if not by_name and missing is None:
        missing = (whose[0] if whose else "", word)
    ways = [before.how] if before and before.how else []
    return KinMention(
        start=start,
        end=end,
        words=words,
        names=tuple(each.name for each in by_name.values()),
        several=bool(group_roles(_group(word)) or (said and said.several)),
        missing=missing,
        is_sure=all(each.is_sure for each in by_name.values()) and (before is None or before.is_sure),
        how="; ".join(dict.fromkeys([*ways, *(each.how for each in by_name.values())][:_BEST_SIX])),
    )


def _group(word: str) -> str:
    return "family" if text_key(word) == "folks" else word


def _now(relatives: list[Relative], former: bool, asked_on: date) -> list[Relative]:
    """Those who are it on the day of asking ("my boss"), or no longer ("my former boss"), where that was told."""
    day = asked_on.isoformat()
    past = [each for each in relatives if each.until and each.until[:10] < day[: len(each.until)]]
    if former:
        return past
    rest = [each for each in relatives if each not in past]
    begun = [each for each in rest if not each.since or each.since <= day[: len(each.since)]]
    return begun or rest or past


def _is_followed_by_name(mention: KinMention, people: Sequence[Mention]) -> bool:
    """Whether a name says who is meant: "my sister Nina"."""
    return any(0 < person.start - mention.end <= 2 for person in people)


def _with_of(
    text: str, found: list[KinMention], people: Sequence[Mention], kinship: Kinship, asked_on: date
) -> list[KinMention]:
    """Also "the boss of Nina" and "the dog of my aunt"."""
    whole = list(found)
    inside = [each for each in people if not any(kin.start <= each.start < kin.end for kin in found)]
    taken: list[tuple[int, int, tuple[str, ...], KinMention | None]] = [
        *((each.start, each.end, each.names, each) for each in found),
        *((each.start, each.end, each.names[:1], None) for each in inside),
    ]
    for start, end, names, inner in taken:
        match = _OF.search(text[:start])
        if match is None or not names:
            continue
        mention = _resolved(
            kinship, names, match["word"] + (match["many"] or ""), False, asked_on,
            start=match.start(), end=end, words=text[match.start() : end].removeprefix("the "), before=inner,
        )  # fmt: skip
        if inner is None and not mention.names:
            continue  # "the owner of the Bistro", "photos of friends of Nina": a name, not a relation that was told
        whole = [each for each in whole if each is not inner] + [mention]
    return whole
