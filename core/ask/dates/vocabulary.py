"""How do the word lists of the languages write down what a phrase means?"""

from collections.abc import Mapping, Sequence
from datetime import date

from core.ask.dates.holidays import HOLIDAYS
from core.ask.dates.items import Item, any_year

# first and last hour of each time of day, both included
HOURS: dict[str, tuple[int, int]] = {
    "morning": (5, 11),
    "early morning": (4, 8),
    "noon": (11, 13),
    "afternoon": (12, 17),
    "evening": (17, 22),
    "night": (20, 4),
    "late night": (22, 4),
    "midnight": (23, 0),
    "dawn": (4, 7),
    "dusk": (17, 21),
}


def split(phrases: str) -> list[str]:
    """Phrases separated by bars."""
    return [phrase.strip() for phrase in phrases.split("|") if phrase.strip()]


def marks(codes: Mapping[str, str]) -> dict[str, Item]:
    """Small words: their code says all."""
    return {phrase: Item(code) for code, phrases in codes.items() for phrase in split(phrases)}


def numbered(code: str, names: Sequence[str], first: int = 0) -> dict[str, Item]:
    """Names in order (months, weekdays, seasons), each with its spellings."""
    return {
        phrase: Item(code, number=number)
        for number, spellings in enumerate(names, start=first)
        for phrase in split(spellings)
    }


def named(code: str, names: Mapping[str, str]) -> dict[str, Item]:
    """Phrases by the name the grammar knows them under: parts, times of life."""
    return {phrase: Item(code, name=name) for name, phrases in names.items() for phrase in split(phrases)}


def units(names: Mapping[str, str]) -> dict[str, Item]:
    """Units of time; "fortnight*week*2" is a fortnight of two weeks."""
    found: dict[str, Item] = {}
    for name, phrases in names.items():
        unit, _, count = name.partition("*")
        for phrase in split(phrases):
            found[phrase] = Item("U", name=unit, number=int(count or 1))
    return found


def lasts(names: Mapping[int, str], kind: str = "last") -> dict[str, Item]:
    """Last (-1), the one before (-2), this (0), next (1)."""
    return {
        phrase: Item("L", number=number, name=kind if number < 0 else "this")
        for number, phrases in names.items()
        for phrase in split(phrases)
    }


def days_from_today(names: Mapping[int, str]) -> dict[str, Item]:
    """Yesterday (-1), today (0) and so on."""
    return {phrase: Item("R", number=number) for number, phrases in names.items() for phrase in split(phrases)}


def times_of_day(names: Mapping[str, str], several: bool = False, alone: bool = False) -> dict[str, Item]:
    """Times of day; `several` for plurals ("mornings"), `alone` for phrases that say it all ("at night" in one word)."""
    return {
        phrase: Item("X" if alone else "T", name="several" if several else name, hours=HOURS[name])
        for name, phrases in names.items()
        for phrase in split(phrases)
    }


def holidays(names: Mapping[str, str]) -> dict[str, Item]:
    """Names of holidays by their key in `HOLIDAYS`."""
    return {phrase: any_year(HOLIDAYS[key], "holiday") for key, phrases in names.items() for phrase in split(phrases)}


def decades(names: Mapping[int, str]) -> dict[str, Item]:
    """The nineties; the grammar takes "my twenties" for an age."""
    return {
        phrase: Item("D", span=(date(first, 1, 1), date(first + 9, 12, 31)), name="decade")
        for first, phrases in names.items()
        for phrase in split(phrases)
    }


def life_decades(names: Mapping[int, str]) -> dict[str, Item]:
    """Someone's twenties or thirties: only "my" makes them days."""
    return {phrase: Item("P", number=tens) for tens, phrases in names.items() for phrase in split(phrases)}


def endings(stem: str, letters: str) -> str:
    """A declined word in all its endings, as phrases separated by bars."""
    return "|".join(stem + ending for ending in letters.split("|"))
