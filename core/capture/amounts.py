"""Finds sums of money and days in the text of a document."""

import re
from collections.abc import Iterator
from datetime import date

_SYMBOLS = "£$€¥₹"
_CODES = r"GBP|EUR|USD|CHF|SEK|NOK|DKK|PLN|CZK|JPY|CNY|TWD|AUD|CAD|NZD|INR|MYR|SGD|HKD|RM|NT\$"
_MONEY = re.compile(
    rf"(?P<before>[{_SYMBOLS}]|\b(?:{_CODES})(?![A-Za-z]))?\s?"
    r"(?P<number>(?<![\d.,])\d{1,3}(?:[ ,.']\d{3})*[.,]\d{2}|(?<![\d.,])\d+[.,]\d{2})(?![\d.,]\d)"
    rf"\s?(?P<after>[{_SYMBOLS}]|(?:{_CODES})\b)?"
)
_CURRENCY = re.compile(rf"[{_SYMBOLS}]|\b(?:{_CODES})\b")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_ISO = re.compile(r"\b(?P<y>20\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b")
_DAY_NAME_YEAR = re.compile(
    rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?[ -]?{_NAME}\.?,?[ -]?(?P<y>20\d\d|\d\d)\b", re.IGNORECASE
)
_NAME_DAY_YEAR = re.compile(rf"\b{_NAME}\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>20\d\d)\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\b(?P<a>\d{1,2})[/.\-](?P<b>\d{1,2})[/.\-](?P<y>20\d\d|\d\d)\b")


def amounts_in(line: str) -> list[str]:
    """Sums with two decimals, each with its currency where the line gives one ("10.85 GBP", "£10.85")."""
    elsewhere = _CURRENCY.search(line)
    found = []
    for match in _MONEY.finditer(line):
        currency = match["before"] or match["after"] or (elsewhere[0] if elsewhere else "")
        number = match["number"].replace(" ", "")
        found.append(f"{currency}{number}" if len(currency) == 1 else f"{number} {currency}".strip())
    return found


def days_in(text: str, near: date | None = None) -> Iterator[date]:
    """The days a text names, in its order by kind of writing. 03/04/2024 is the reading closest to `near`, none without it."""
    for pattern in (_ISO, _DAY_NAME_YEAR, _NAME_DAY_YEAR):
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = int(parts["m"]) if "m" in parts else _MONTHS.index(parts["name"][:3].lower()) + 1
            if (day := _day(parts["y"], month, int(parts["d"]))) is not None:
                yield day
    for match in _NUMBERS.finditer(text):
        first, second = int(match["a"]), int(match["b"])
        readings = {_day(match["y"], second, first), _day(match["y"], first, second)} - {None}
        real = [reading for reading in readings if reading is not None]
        if len(real) == 1:
            yield real[0]
        elif real and near is not None:
            yield min(real, key=lambda reading: abs((reading - near).days))


def _day(year: str, month: int, day: int) -> date | None:
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), month, day)
    except ValueError:
        return None
