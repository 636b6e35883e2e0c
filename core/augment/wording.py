"""How alike are two texts by their words? Used to tell scenes apart and to recognise an inference in other words."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from core.text_keys import text_key

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_COMMON_WORDS = (
    "across along always another background beautiful beneath beside between both bright captures clear close clearly come "
    "different even every everyone front full fun great lovely large little long love look moment moments much new next old people "
    "person perfect quite right see setting side small someone something still such sure through under view visible want way well "
    "while within without woman women man men young together those "
    "a about after again all also am an and any are around as at back be because been being but by can captured could day did do "
    "does down during each feel few for from get got had has have he her here him his how i if image in into is it its just like "
    "looks made make me more my no not now of off on one or our out over photo picture really scene she shot so some taken that "
    "the their them there these they this time to two up us very was we were what when where which while who will with you your"
)
_COMMON = frozenset(_COMMON_WORDS.split())


def words(text: str) -> frozenset[str]:
    """The words that carry meaning: without case, accents, numbers and the commonest English words."""
    return frozenset(
        word for word in _WORD.findall(text_key(text)) if len(word) > 1 and not word.isdigit() and word not in _COMMON
    )


class WordsAround:
    """How rare words are among the texts around one of many; all of them would make every judgement depend on every text."""

    def __init__(self, texts: Sequence[frozenset[str]]) -> None:
        self._texts = texts
        self._counts: Counter[str] = Counter()
        self._first = self._last = 0

    def rarity(self, wanted: Iterable[str], first: int, last: int) -> dict[str, float]:
        """By word, the log of how few of the texts from `first` to before `last` have it; each call moves on, never back."""
        first, last = max(0, first), min(len(self._texts), last)
        while self._last < last:
            self._counts.update(self._texts[self._last])
            self._last += 1
        while self._first < first:
            self._counts.subtract(self._texts[self._first])
            self._first += 1
        return {word: math.log((last - first) / count) for word in wanted if (count := self._counts[word]) > 0}


def alike(left: Iterable[frozenset[str]], right: Iterable[frozenset[str]], weight: Mapping[str, float]) -> float:
    """Cosine (0 to 1) of two groups of texts over rarity-weighted words; 0 when either has no telling word."""
    mine, theirs = _summed(left, weight), _summed(right, weight)
    norm = math.sqrt(sum(value * value for value in mine.values()) * sum(value * value for value in theirs.values()))
    if norm == 0:
        return 0.0
    return sum(value * theirs[word] for word, value in mine.items() if word in theirs) / norm


def overlap(left: str, right: str) -> float:
    """Share of the words of the shorter text that the other has too, stems compared by their beginning; 1 for equal keys."""
    if text_key(left) == text_key(right):
        return 1.0
    mine, theirs = words(left), words(right)
    if not mine or not theirs:
        return 0.0
    short, long = sorted((mine, theirs), key=len)
    return sum(any(_same_stem(word, other) for other in long) for word in short) / len(short)


def jaccard(left: Iterable[str], right: Iterable[str]) -> float:
    """Shared members over all members; 0 when both are empty."""
    mine, theirs = frozenset(left), frozenset(right)
    return len(mine & theirs) / len(mine | theirs) if mine or theirs else 0.0


def _summed(texts: Iterable[frozenset[str]], weight: Mapping[str, float]) -> Counter[str]:
    total: Counter[str] = Counter()
    for text in texts:
        for word in text:
            total[word] += weight.get(word, 0.0)  # type: ignore[assignment]  # a Counter of weights
    return total


def _same_stem(word: str, other: str) -> bool:
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    return len(short) >= 4 and long.startswith(short[: max(4, len(short) - 2)]) and len(long) - len(short) <= 4
