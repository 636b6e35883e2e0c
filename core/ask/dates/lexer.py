"""Which words and numbers of a text can belong to a time expression?

Space-separated languages only; Chinese has its own lexer (`lexer_zh`).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from core.ask.dates.items import Item, Setting
from core.ask.dates.numeric import NUMERIC, numeric_item
from core.text_keys import text_key

_TOKEN = re.compile(NUMERIC + r"|(?P<word>(?:[^\W\d_][̀-ͯ]*)+)|(?P<mark>[^\w\s]|_)")
_MARKS = {"-": "-", "–": "-", "—": "-", "~": "-", "/": "/", ",": ",", ".": "."}
_APOSTROPHES = "'’ʼ`´"
# items that hardly two languages share: months, weekdays, seasons, today, holidays
_RUNS = "x;-./,"
_TELLING = "MWSRKY"
_LONGEST_WORD = 40
_CODE_NAME = re.compile(r"^(?:[A-Z]{2,}|Zimmer|Raum|Nummer|Nr|Seite|Haus|Modell|Hotel|Linie|Flug|Platz)$")


@dataclass(frozen=True, slots=True)
class Words:
    """The time words of one language.

    Attributes:
        phrases: what each phrase means; longer phrases win.
        function_words: frequent words that tell the language of a text.
    """

    language: str
    phrases: dict[str, Item]
    function_words: frozenset[str]
    by_first_word: dict[str, list[tuple[tuple[str, ...], Item]]] = field(default_factory=dict)


def make_words(language: str, phrases: dict[str, Item], function_words: str) -> Words:
    """Index the phrases of a language by their first word, longest first."""
    index: dict[str, list[tuple[tuple[str, ...], Item]]] = {}
    for phrase, item in phrases.items():
        for spelling in _spellings(phrase):
            keys = tuple(key for key, _, _ in _tokens(spelling))
            index.setdefault(keys[0], []).append((keys, item))
    for entries in index.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return Words(language, phrases, frozenset(function_words.split()), index)


def read_items(text: str, setting: Setting, words: Words) -> list[Item]:
    """The text as a row of items; runs of words that mean nothing here are one item."""
    tokens = list(_tokens(text))
    keys = [key for key, _, _ in tokens]
    items: list[Item] = []
    index = 0
    while index < len(tokens):
        length, item = _longest_phrase(keys, index, words)
        key, match, start = tokens[index]
        if item is None:
            item = _single(key, match, text, setting)
        end = tokens[index + max(1, length) - 1][1].end()
        item = _checked_case(replace(item, start=start, end=end), text)
        if items and item.code == items[-1].code and item.code in _RUNS:
            items[-1] = replace(item, start=items[-1].start, code=";" if item.code != "x" else "x")
        elif item.code == "." and items and items[-1].code == "o" and setting.language == "de":
            # the point of a German ordinal ("3. Mai") belongs to its number
            items[-1] = replace(items[-1], end=item.end)
        else:
            items.append(item)
        index += max(1, length)
    return items


def language_score(text: str, words: Words) -> int:
    """How many words of the text belong to this language."""
    score = 0
    for key, _, _ in _tokens(text[:2000]):
        if key in words.function_words:
            score += 2
        elif len(key) > 2 and key in words.by_first_word:
            score += 2 if any(item.code in _TELLING for _, item in words.by_first_word[key]) else 1
    return score


def _tokens(text: str) -> Iterator[tuple[str, re.Match[str], int]]:
    for match in _TOKEN.finditer(text):
        found = match.group()
        if match.lastgroup == "word":
            yield (_word_key(found) if len(found) <= _LONGEST_WORD else "?"), match, match.start()
        elif found in _APOSTROPHES:
            yield "'", match, match.start()
        else:
            yield _MARKS.get(found, found) if match.lastgroup == "mark" else found, match, match.start()


@lru_cache(maxsize=4096)
def _word_key(word: str) -> str:
    return text_key(word)


def _longest_phrase(keys: list[str], index: int, words: Words) -> tuple[int, Item | None]:
    for phrase, item in words.by_first_word.get(keys[index], ()):
        if tuple(keys[index : index + len(phrase)]) == phrase:
            return len(phrase), item
    return 0, None


def _single(key: str, match: re.Match[str], text: str, setting: Setting) -> Item:
    if match.lastgroup == "word":
        return Item("x")
    if match.lastgroup == "mark":
        return Item(key if key in ",-/." else ";")
    return numeric_item(match, text, setting)


def _checked_case(item: Item, text: str) -> Item:
    """Short names of weekdays ("sun", "sat") count only when written as names; codes ("CHI 2024") bar a year."""
    if item.code == "x" and _CODE_NAME.match(text[item.start : item.end]):
        return Item(";", item.start, item.end)
    if item.code == "k" and not text[item.start].isupper():
        return Item("x", item.start, item.end)
    return item


def _spellings(phrase: str) -> Iterator[str]:
    yield phrase
    if "'s" in phrase:
        yield phrase.replace("'s", "s")
        yield phrase.replace("'s", "s'")
    if "s' " in phrase:
        yield phrase.replace("s' ", "s ")


Numbers = Callable[[int], str]


def counting_phrases(cardinal: Numbers, ordinal: Numbers, highest: int = 99) -> dict[str, Item]:
    """Numbers in words, as a language spells them; an ordinal may be missing (an empty text)."""
    phrases: dict[str, Item] = {}
    for number in range(highest, 0, -1):
        for code, spelled in (("n", cardinal(number)), ("o", ordinal(number))):
            for spelling in filter(None, spelled.split("|")):
                phrases[spelling] = Item(code, number=number, name="word")
    return phrases
