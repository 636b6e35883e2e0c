"""Finds the library's own names (people, places) in what a person typed: exact first, the longest first, then nearly so."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.retrieve.exonyms import other_names
from core.text_keys import text_key

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_IN_BRACKETS = re.compile(r"\s*[(（\[][^)）\]]*[)）\]]\s*$")
_MOST_TOKENS = 2_000
_NEAR = 0.84
_ARTICLES = frozenset({"the", "a", "an"})
_REGION_ENDINGS = (
    "city province district county prefecture region state municipality town village special administrative autonomous"
)
_SHORT_FOR = {
    "new york": ("NYC", "New York City"), "new york city": ("NYC", "New York"), "los angeles": ("LA",), "san francisco": ("SF",),
    "washington": ("DC", "Washington DC"), "united kingdom": ("UK", "Britain"), "united states": ("USA", "America"),
    "united arab emirates": ("UAE",), "hong kong": ("HK",), "kuala lumpur": ("KL",), "rio de janeiro": ("Rio",),
}  # fmt: skip
"""How people shorten the names of places that gazetteers write out."""
_REGION_WORDS = frozenset(_REGION_ENDINGS.split())


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: its comparison key and where it stands."""

    key: str
    start: int
    end: int
    is_capital: bool


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a text that names something of the library.

    Attributes:
        names: the names it may mean, as the library spells them, most frequent first.
        exact: the whole name was written, not a part or variant of it.
    """

    start: int
    end: int
    names: tuple[str, ...]
    exact: bool = True


def tokens_of(text: str) -> list[Token]:
    """The words of a text; scripts without spaces give one token a character."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        word, start = match.group(), match.start()
        if _UNSPACED.search(word):
            found.extend(Token(text_key(char), start + at, start + at + 1, True) for at, char in enumerate(word))
        else:
            key = re.sub(r"['’]s$", "", text_key(word)).replace("’", "'")
            found.append(Token(key, start, match.end(), not word[0].islower()))
        if len(found) >= _MOST_TOKENS:
            break
    return found


def token_keys(text: str) -> tuple[str, ...]:
    """The comparison keys of a text's words."""
    return tuple(token.key for token in tokens_of(text))


class NameIndex:
    """Names with their variants, looked up by runs of words; the time does not grow with the number of names."""

    def __init__(self) -> None:
        self._exact: dict[tuple[str, ...], list[str]] = {}
        self._variants: dict[tuple[str, ...], list[str]] = {}
        self._longest = 0

    def add(self, name: str, variants: Iterable[str] = ()) -> None:
        """Add a name (the most frequent first) and other ways to write it."""
        self._put(self._exact, token_keys(name), name)
        for variant in variants:
            self._put(self._variants, token_keys(variant), name)

    def find(self, tokens: Sequence[Token]) -> list[Mention]:
        """Names in a text, in reading order, none overlapping; a longer name hides a shorter one inside it."""
        spans: list[tuple[int, int, tuple[str, ...], bool]] = []
        for size in range(min(self._longest, len(tokens)), 0, -1):
            for first in range(len(tokens) - size + 1):
                if any(first < end and begin < first + size for begin, end, _, _ in spans):
                    continue
                keys = tuple(token.key for token in tokens[first : first + size])
                names = self._exact.get(keys, ()) or self._variants.get(keys, ())
                if names:
                    spans.append((first, first + size, tuple(dict.fromkeys(names)), keys in self._exact))
        return [
            Mention(tokens[begin].start, tokens[end - 1].end, names, exact)
            for begin, end, names, exact in sorted(spans)
        ]

    def near(self, words: str) -> tuple[str, ...]:
        """Names spelt nearly like the words, nearest first; empty when none is near enough to be a slip of the pen."""
        keys = token_keys(words)
        if not keys or self._longest == 0:
            return ()
        candidates = {" ".join(known): known for known in self._exact if _may_be_near(known, keys)}
        close = difflib.get_close_matches(" ".join(keys), list(candidates), n=2, cutoff=_NEAR)
        return tuple(dict.fromkeys(name for match in close for name in self._exact[candidates[match]]))

    def _put(self, into: dict[tuple[str, ...], list[str]], keys: tuple[str, ...], name: str) -> None:
        if keys and name not in into.setdefault(keys, []):
            into[keys].append(name)
            self._longest = max(self._longest, len(keys))


def place_names(places: Mapping[str, Mapping[str, int]]) -> NameIndex:
    """An index of every part of every place; "Fitness (North Branch)" is also "Fitness", "Haikou City" "Haikou", "Köln" "Cologne"."""
    counted: dict[str, int] = {}
    for level in places.values():
        for name, count in level.items():
            counted[name] = counted.get(name, 0) + count
    return _place_index(tuple(sorted(counted, key=lambda each: -counted[each])))


def person_names(people: Mapping[str, int]) -> NameIndex:
    """An index of people, also found by names in another order and by one part of the name."""
    return _person_index(tuple(sorted(people, key=lambda each: -people[each])))


@lru_cache(maxsize=2)  # the same names at every question, until something new is imported
def _place_index(names: tuple[str, ...]) -> NameIndex:
    index = NameIndex()
    for name in names:
        index.add(name, _place_variants(name))
    return index


@lru_cache(maxsize=2)
def _person_index(names: tuple[str, ...]) -> NameIndex:
    index = NameIndex()
    for name in names:
        parts = name.split()
        is_name = 1 < len(parts) <= 4 and all(
            not part[0].islower() for part in parts
        )  # not "several street performers"
        variants = [" ".join(reversed(parts))] if is_name and len(parts) == 2 else []
        variants += [part for part in parts if is_name and len(part) > 1]
        index.add(name, variants)
    return index


def _place_variants(name: str) -> list[str]:
    variants = [*_SHORT_FOR.get(text_key(name), ()), *other_names(name)]
    bare = _IN_BRACKETS.sub("", name)
    if bare != name:
        variants.append(bare)
    words = bare.split()
    if words and text_key(words[0]) in _ARTICLES:
        variants.append(" ".join(words[1:]))
    while len(words) > 1 and text_key(words[-1]) in _REGION_WORDS:
        words = words[:-1]
    if len(words) < len(bare.split()):
        variants.append(" ".join(words))
    return variants


def _may_be_near(known: tuple[str, ...], keys: tuple[str, ...]) -> bool:
    """A cheap test before the costly one: about as long, and one word or one beginning in common."""
    length, wanted = sum(map(len, known)), sum(map(len, keys))
    if abs(length - wanted) > 1 + wanted // 5:
        return False
    return bool(set(known) & set(keys)) or known[0][:2] == keys[0][:2] or known[-1][:2] == keys[-1][:2]
