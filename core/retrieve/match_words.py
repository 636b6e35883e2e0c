"""Turns whatever a person types into an FTS5 match expression that cannot fail."""

import re
import unicodedata

MOST_WORDS = 32
"""A longer text adds no meaning to a search and would make the expression slow."""

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"[\"“”„«]([^\"“”„«»]{2,120})[\"“”»]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]{2,}")

_STOP_WORDS = """
    a an and are as at be been being but by can could did do does doing for from had has have having he her hers him his how
    i if in into is it its itself me my mine myself of off on or our ours out over own shall she should so some such than that
    the their theirs them then there these they this those through to too under until up upon us was we were what when where
    which while who whom whose why will with would you your yours d ll m re s t ve
    der die das ein eine und ich war waren ist mit von zu im am wo wer wie wann was habe haben hat
    el la los las un una y yo de con en que donde quien cuando como fue he
    le les des du et je avec dans ou qui quand comment ai est
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that say nothing about what to look for, in the languages people ask in most."""


def words_of(text: str, limit: int = MOST_WORDS) -> list[str]:
    """The distinct words of a text that say something, case-folded, in order; at most `limit`, the last ones of a longer text.

    People paste first and ask at the end, so the end is kept.
    """
    folded = unicodedata.normalize("NFC", text[-20_000:]).casefold()
    distinct = dict.fromkeys(word for word in _WORD.findall(folded) if word not in STOP_WORDS)
    return [word[:64] for word in list(distinct)[-limit:]]


def quoted_pieces(text: str) -> list[str]:
    """What stands between quotation marks: to be found as it is written."""
    return [piece.strip() for piece in _QUOTED.findall(text[-20_000:]) if piece.strip()][:4]


def unspaced_pieces(text: str) -> list[str]:
    """Runs of a script that is written without spaces; the word index holds them whole, so they are searched by letters."""
    return [piece[:32] for piece in _UNSPACED.findall(text[-20_000:])][:4]


def match_any(words: list[str]) -> str:
    """An expression that any of the words satisfies; empty without words (then there is nothing to ask the index)."""
    return " OR ".join(_quoted(word) for word in words)


def match_all(words: list[str]) -> str:
    """An expression that only all of the words together satisfy; empty without words."""
    return " AND ".join(_quoted(word) for word in words)


def match_phrase(words: list[str]) -> str:
    """An expression for the words next to each other; empty without words."""
    return _quoted(" ".join(words)) if words else ""


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""').replace("\x00", " ") + '"'
