"""How two spellings are compared: by their key, without case, accents, width or stray punctuation."""

import re
import unicodedata

_EDGES = re.compile(r"^[\s\W_]+|[\s\W_]+$")
_SPACES = re.compile(r"\s+")


def text_key(text: str) -> str:
    """Return the comparison key of a name: case-folded, accents dropped, spaces collapsed, outer punctuation dropped.

    Two texts with the same key are the same name to every filter; the key is never shown.
    """
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _EDGES.sub("", _SPACES.sub(" ", bare.casefold()))


def printable(text: str) -> str:
    """Return the text as it can be stored and shown everywhere: lone surrogates and control characters replaced.

    File names on Linux are bytes; those that are not UTF-8 reach Python as lone surrogates, which SQLite, JSON and
    Chroma all refuse.
    """
    safe = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(
        char if char in "\n\t" or unicodedata.category(char)[0] != "C" or char == "‍" else " " for char in safe
    )
