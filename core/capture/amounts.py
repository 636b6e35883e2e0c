"""Finds sums of money in the text of a document."""

import re
from collections import Counter

_SYMBOLS = "£$€¥₹₩"
_CODES = (
    r"GBP|EUR|USD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|ILS|JPY|CNY|KRW|TWD|HKD|THB|PHP|IDR|AUD|CAD|NZD|INR|MYR|SGD|MXN|BRL|ZAR|"
    r"RM|RMB|Rs|NT\$|S\$|A\$|C\$"
)
_MONEY = re.compile(
    rf"(?P<before>[{_SYMBOLS}]|\b(?:{_CODES})(?![A-Za-z]))?\s?"
    r"(?P<number>(?<![\d.,])\d{1,3}(?:[ ,.']\d{3}){0,4}[.,] ?\d{2}|(?<![\d.,])\d{1,9}[.,]\d{2})(?!\d|[.,]\d|\s?%)"
    rf"\s?(?P<after>[{_SYMBOLS}]|(?:{_CODES})\b)?"
)
_WHOLE = re.compile(
    r"(?P<before>[¥₩])\s?(?P<number>\d{1,3}(?:,\d{3}){1,3}|\d{1,7})(?![\d.,])|"
    r"(?P<counted>\d{1,3}(?:,\d{3}){1,3}|\d{1,7})\s?(?P<after>[円元원])"
)
"""Yen and won have no decimals."""

_CENTS = re.compile(r"[.,]\d{2}(?!\d)")
_CURRENCY = re.compile(rf"[{_SYMBOLS}]|\b(?:{_CODES})(?![A-Za-z])")
_ISO_OF = {
    "£": "GBP", "€": "EUR", "¥": "JPY", "₹": "INR", "₩": "KRW", "RM": "MYR", "RMB": "CNY", "Rs": "INR", "NT$": "TWD", "S$": "SGD",
    "A$": "AUD", "C$": "CAD",
}  # fmt: skip


def amounts_in(line: str) -> list[str]:
    """Sums with two decimals, each with its currency where the line gives one ("10.85 GBP", "£10.85"), and whole yen and won."""
    elsewhere = _CURRENCY.search(line)
    found = []
    for match in _MONEY.finditer(line):
        currency = match["before"] or match["after"] or (elsewhere[0] if elsewhere else "")
        number = match["number"].replace(" ", "")
        found.append(f"{currency}{number}" if len(currency) == 1 else f"{number} {currency}".strip())
    for match in _WHOLE.finditer(line):
        sign = match["before"] or {"원": "₩"}.get(match["after"], "¥")
        found.append(f"{sign}{match['number'] or match['counted']}")
    return found


def number_of(amount: str) -> float:
    """The number of a sum as `amounts_in` gives it; the two digits after its last point or comma are cents."""
    digits = re.sub(r"[^0-9]", "", amount)
    return int(digits or 0) / (100 if _CENTS.search(amount) else 1)


def currency_of(text: str) -> str:
    """The currency that a text is written in, as its three letters; `$` stays a sign, because it has many. Empty when unsaid."""
    said = Counter(_ISO_OF.get(sign, sign) for sign in _CURRENCY.findall(text))
    return said.most_common(1)[0][0] if said else ""
