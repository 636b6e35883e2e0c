"""Finds the days that are printed in a text: numbers in any order, names of months, and what a text reader makes of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from core.text_keys import text_key


class DayOrder(StrEnum):
    """How 03/04/2024 is meant."""

    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"


@dataclass(frozen=True, slots=True)
class PrintedDay:
    """A day and where in the text it begins."""

    day: date
    start: int


# a clock often sticks to the date before it: 26/02/1808:28, 9/3/201820:54:50
_CLOCK_AHEAD = r"(?=\d{1,2}[:.]\d\d)"
_END = rf"(?:(?!\d|:\d)|{_CLOCK_AHEAD})"
_YEAR = rf"(?P<y>(?:19|20)\d\d{_END}|\d\d(?:(?!\d|:\d)|(?=\d\d[:.]\d\d)))"
_SPLIT = r" ?[-/.] ?"
_ISO = re.compile(
    rf"(?<![\d.,/-])(?P<y>(?:19|20)\d\d){_SPLIT}(?P<m>\d{{1,2}}){_SPLIT}(?P<d>\d\d?(?=\d\d[:.]\d\d)|\d\d?(?!\d))"
)
_CHINESE = re.compile(r"(?P<y>(?:19|20)\d\d) ?年 ?(?P<m>\d{1,2}) ?月 ?(?P<d>\d{1,2}) ?日")
_NUMBERS = re.compile(rf"(?<![\d.,/-])(?P<a>\d{{1,2}}){_SPLIT}(?P<b>\d{{1,2}}){_SPLIT}{_YEAR}")
_NAME = r"(?P<name>[^\W\d_]{3,10})"
_DAY_NAME_YEAR = re.compile(
    rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?[ /-]?(?:de )?{_NAME}[., '’/-]{{0,2}}(?:de )?{_YEAR}", re.IGNORECASE
)
_NAME_DAY_YEAR = re.compile(
    rf"(?<![^\W\d_]){_NAME}\.? ?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[, ]{{1,2}}(?P<y>(?:19|20)\d\d)(?!\d)", re.IGNORECASE
)
_LOOKS_LIKE_NUMBERS = re.compile(
    r"(?<![^\W_])[\dOoIl|SB]{1,4} ?[-/.] ?[\dOoIl|SB]{1,2} ?[-/.] ?[\dOoIl|]{2,4}(?![A-Za-z])"
)
_MISREAD = str.maketrans("OoIl|SB", "0011158")
_SURE_DIGITS = 4

_MONTHS = {
    stem: month
    for month, stems in enumerate(
        ("jan ene gen", "feb fev", "mar mrt", "apr abr avr", "may mai mei mag", "jun juin giu", "jul juil lug", "aug aou ago",
         "sep set", "oct okt ott outu", "nov", "dec dez dic"),
        start=1,
    )
    for stem in stems.split()
}  # fmt: skip
"""Beginnings of the months' names without accents: English, German, French, Spanish, Italian, Portuguese, Dutch."""


def printed_days(text: str, near: date | None = None, order: DayOrder | None = None) -> list[PrintedDay]:
    """The days of a text from its beginning to its end.

    Args:
        near: a day that is known to be close: 03/04/2024 is then the reading closest to it.
        order: how such a day is meant where nothing is near; without both it is left out.
    """
    mended = _LOOKS_LIKE_NUMBERS.sub(_mend, text)
    found = [*_written_out(mended), *_in_numbers(mended, near, order)]
    return sorted(found, key=lambda each: each.start)


def days_in(text: str, near: date | None = None, order: DayOrder | None = None) -> Iterator[date]:
    """The days alone, as `printed_days`."""
    return (each.day for each in printed_days(text, near, order))


def order_shown(text: str) -> DayOrder | None:
    """The order that days of the text can only be meant in (25/03 or 03/25); None where they say nothing or disagree."""
    shown = set()
    for match in _NUMBERS.finditer(_LOOKS_LIKE_NUMBERS.sub(_mend, text)):
        first, second = int(match["a"]), int(match["b"])
        if first > 12 >= second:
            shown.add(DayOrder.DAY_FIRST)
        elif second > 12 >= first:
            shown.add(DayOrder.MONTH_FIRST)
    return shown.pop() if len(shown) == 1 else None


def _mend(match: re.Match[str]) -> str:
    """O5/l2/2O18 as 05/12/2018: letters are digits among enough digits."""
    whole = match[0]
    return whole.translate(_MISREAD) if sum(char.isdigit() for char in whole) >= _SURE_DIGITS else whole


def _written_out(text: str) -> Iterator[PrintedDay]:
    for pattern in (_ISO, _CHINESE):
        for match in pattern.finditer(text):
            if (day := _day(match["y"], int(match["m"]), int(match["d"]))) is not None:
                yield PrintedDay(day, match.start())
    for pattern in (_DAY_NAME_YEAR, _NAME_DAY_YEAR):
        for match in pattern.finditer(text):
            month = _month(match["name"])
            if month and (day := _day(match["y"], month, int(match["d"]))) is not None:
                yield PrintedDay(day, match.start())


def _in_numbers(text: str, near: date | None, order: DayOrder | None) -> Iterator[PrintedDay]:
    for match in _NUMBERS.finditer(text):
        first, second = int(match["a"]), int(match["b"])
        day_first, month_first = _day(match["y"], second, first), _day(match["y"], first, second)
        real = [day for day in dict.fromkeys((day_first, month_first)) if day is not None]
        if len(real) == 1:
            yield PrintedDay(real[0], match.start())
        elif real and near is not None:
            yield PrintedDay(min(real, key=lambda day: abs((day - near).days)), match.start())
        elif real and order is not None:
            yield PrintedDay(real[0] if order is DayOrder.DAY_FIRST else real[1], match.start())


def _month(name: str) -> int:
    """The month of a name in one of the known languages; 0 for another word."""
    key = text_key(name)
    return _MONTHS.get(key[:3]) or _MONTHS.get(key[:4]) or 0


def _day(year: str, month: int, day: int) -> date | None:
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), month, day)
    except ValueError:
        return None
