"""How two spellings are compared: by their key, without case, accents, width or stray punctuation."""

import re
import unicodedata
from functools import lru_cache

_SPACES = re.compile(r"\s+")
# Accents of Latin, Greek and Cyrillic. Marks of other scripts are letters of their own: without them Paris (パリ) is Bali (バリ).
_ACCENTS = re.compile("[\u0300-\u036f]")
_LONGEST_KEPT = 80
_MARKER = re.compile(r"<(?=[|/\w])|(?<=\|)>|\[(?=/?INST\])")
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def text_key(text: str) -> str:
    """Return the comparison key of a name: case-folded, accents dropped, spaces collapsed, outer punctuation dropped.

    Two texts with the same key are the same name to every filter; the key is never shown.
    """
    return _kept_key(text) if len(text) <= _LONGEST_KEPT else _key(text)


def _key(text: str) -> str:
    bare = unicodedata.normalize("NFKC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))
    return _bare_of_edges(_SPACES.sub(" ", bare.casefold()))


@lru_cache(maxsize=50_000)
def _kept_key(text: str) -> str:
    """Names come back again and again: half of the time of augmenting went into their keys."""
    return _key(text)


def printable(text: str) -> str:
    r"""Return the text as it can be stored and shown everywhere: lone surrogates and control characters replaced.

    File names on Linux are bytes; those that are not UTF-8 reach Python as lone surrogates, which SQLite, JSON and
    Chroma all refuse; JSON can hold halves of a pair (`"\ud83d"`). Marks that turn the direction of writing go too
    (a name must not look like another), joiners inside words and emoji stay.
    """
    return _UNSAFE.sub(" ", text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def without_markers(text: str) -> str:
    """Return the text with nothing in it that a chat template takes for the beginning or end of a turn.

    Our driver already reads `<|im_end|>` in a prompt as plain letters; this keeps it so for a model or driver that does not.
    """
    return _MARKER.sub(lambda found: f" {found[0]}" if found[0] == ">" else f"{found[0]} ", text)


def _bare_of_edges(text: str) -> str:
    r"""Without what is no letter, digit or vowel sign at both ends (`\\W` would take Hindi's vowel signs for punctuation)."""
    first, last = 0, len(text)
    while first < last and unicodedata.category(text[first])[0] not in "LNM":
        first += 1
    while last > first and unicodedata.category(text[last - 1])[0] not in "LNM":
        last -= 1
    return text[first:last]
