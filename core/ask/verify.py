"""Checks what the model wrote against the evidence: every number, date and known name must come from there."""

import re
from collections.abc import Iterable, Mapping, Sequence

from core.retrieve.match_words import words_of
from core.retrieve.names import token_keys
from core.text_keys import text_key

_ALL_WORDS = 2_000
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SPELT = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_SPELT, start=2)} | {"twice": "2"}
_MONTHS = re.compile(
    r"(?i)\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_WEEKDAYS = re.compile(r"(?i)\b(mon|tues?|wednes|thurs?|fri|satur|sun)day\b")


def unsupported(text: str, sources: Sequence[str], names: Iterable[str] = ()) -> list[str]:
    """What a text claims and no source says: numbers, months, weekdays, and those of the library's `names` in it.

    Args:
        sources: evidence lines, the question, and computed values.
    """
    known = " ".join(sources)
    folded = known.casefold()
    numbers = {_plain(number) for number in _NUMBER.findall(known)}
    numbers |= {digit for word, digit in _NUMBER_WORDS.items() if re.search(rf"\b{word}\b", folded)}
    strange = [number for number in _NUMBER.findall(text) if _plain(number) not in numbers]
    words = text.casefold()
    strange += [
        word
        for word, digit in _NUMBER_WORDS.items()
        if re.search(rf"\b{word}\b", words) and digit not in numbers and word not in folded
    ]
    strange += [month for month in _MONTHS.findall(text) if month[:3].casefold() not in folded]
    strange += [day for day in _WEEKDAYS.findall(text) if day[:3].casefold() not in folded]
    return strange + _strange_names(text, known, names)


def supporting(text: str, question: str, said: Mapping[str, str]) -> tuple[str, ...]:
    """Of the memories cited for a text, those that say something it adds to the question; all where none does.

    A small model points at what it has read rather than at what it used.

    Args:
        said: by memory id, everything the memory says; the order is kept.
    """
    added = set(words_of(text, _ALL_WORDS)) - set(words_of(question, _ALL_WORDS))
    kept = tuple(memory_id for memory_id, words in said.items() if added & set(words_of(words, _ALL_WORDS)))
    return kept or tuple(said)


def occurs_in(value: str, text: str) -> bool:
    """Whether a text holds a value, letter for letter but for case and spaces."""
    squeezed = re.sub(r"\s+", "", text_key(text))
    return bool(text_key(value)) and re.sub(r"\s+", "", text_key(value)) in squeezed


def _strange_names(text: str, known: str, names: Iterable[str]) -> list[str]:
    said, sourced = f" {' '.join(token_keys(text))} ", f" {' '.join(token_keys(known))} "
    strange = []
    for name in names:
        key = " ".join(token_keys(name))
        if len(key) > 3 and f" {key} " in said and f" {key} " not in sourced:
            strange.append(name)
    return strange


def _plain(number: str) -> str:
    return number.replace(",", "").lstrip("0").rstrip(".") or "0"
