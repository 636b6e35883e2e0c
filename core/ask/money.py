"""Reads amounts of money from receipts and adds them up, currency by currency."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.records import CapturedMemory

_SIGNS = "€$£¥₩₹元"
_BEFORE = rf"(?P<before>[{_SIGNS}]|\b[A-Z]{{2,3}}\b)?"
_AFTER = rf"(?P<after>[{_SIGNS}]|(?:EUR|USD|GBP|CHF|JPY|CNY|yuan)\b)?"
_DIGITS = r"(?P<number>\d{1,3}(?:[,.\s']\d{3})*(?:[.,]\d{2})?|\d+(?:[.,]\d{1,2})?)"
_AMOUNT = rf"{_BEFORE}\s?{_DIGITS}\s?{_AFTER}"
_LABELS = "grand total|total due|amount due|total(?: paid| amount)?|amount paid|sum|summe|gesamt|importe|suma|合计"
_TOTAL = re.compile(rf"(?<![a-z\-])(?i:{_LABELS})\b[^\d\n{_SIGNS}]{{0,20}}{_AMOUNT}")
_PLAIN = re.compile(_AMOUNT)
_NAMES = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "¥", "yuan": "¥", "元": "¥"}


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum of money; the currency is a sign or three letters, empty when not written."""

    number: float
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """The total of one currency."""

    total: float
    currency: str

    @property
    def spoken(self) -> str:
        """€12.50, 12.50 CHF, 12.50."""
        if len(self.currency) == 1:
            return f"{self.currency}{self.total:.2f}"
        return f"{self.total:.2f} {self.currency}".strip()


def amount_of(memory: CapturedMemory) -> Amount | None:
    """What was paid according to a receipt: its recognised total, else the last total in its visible text."""
    recognised = memory.document.get("total", "")
    if recognised and (found := _PLAIN.search(recognised)):
        return _amount(found)
    totals = list(_TOTAL.finditer(memory.visible_text))
    return _amount(totals[-1]) if totals else None


def summed(amounts: Sequence[Amount]) -> list[Sum]:
    """Totals by currency, the one with most amounts first."""
    by_currency: dict[str, list[float]] = defaultdict(list)
    for amount in amounts:
        by_currency[amount.currency].append(amount.number)
    ranked = sorted(by_currency.items(), key=lambda pair: -len(pair[1]))
    return [Sum(sum(numbers), currency) for currency, numbers in ranked]


def _amount(match: re.Match[str]) -> Amount:
    currency = match.group("before") or match.group("after") or ""
    return Amount(_number(match.group("number")), _NAMES.get(currency, currency))


def _number(written: str) -> float:
    """1.234,50 and 1,234.50 and 1 234 are read by their last separator: two digits after it are cents."""
    digits = re.sub(r"[\s']", "", written)
    cents = re.search(r"[.,](\d{1,2})$", digits)
    whole = re.sub(r"[.,]", "", digits[: cents.start()] if cents else digits)
    return float(f"{whole or 0}.{cents.group(1)}" if cents else whole)
