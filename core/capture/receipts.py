"""Reads merchant, total, day and currency off the text of a receipt, as it is printed and as a text reader misreads it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.capture.amounts import amounts_in, currency_of, number_of
from core.capture.printed_days import DayOrder, order_shown, printed_days
from core.records import CapturedMemory
from core.text_keys import text_key


@dataclass(frozen=True, slots=True)
class Total:
    """The sum that was paid, as written, and the line that says so."""

    amount: str
    line: str


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", re.IGNORECASE)


_TOTAL = _words(
    r"(?:grand |nett? )?total|amount due|amount incl|amount payable|balance due|to pay|amount paid|summe|gesamt(?:betrag)?|zu zahlen|"
    r"betrag|totaal|totale|totalt|i alt|att betala|at betale|montant|importe|suma|summa|à payer|a payer|"
    r"do zapłaty|razem|celkem|összesen|"
    r"итого|paid|[总總合][计計額额]|应付|お会計"
)
_NOT_TOTAL = re.compile(
    r"sub[ -]?tot|total (?:items?|qty|quantity|quantities|pcs|discount|savings?|saved|tax|gst|vat|points?|"
    r"pieces)\b|excl|accepted|tendered|"
    r"zwischensumme|sous-total|before (?:discount|tax|gst)|tax total|points",
    re.IGNORECASE,
)
_AFTER_TOTAL = re.compile(r"(?:gst|vat|tax|mwst|tva|iva) (?:summary|code|analysis|breakdown)", re.IGNORECASE)
_HANDED_OVER = _words(r"cash|tendered|accepted total|amount tendered|bar|gegeben|especes|efectivo|contanti")
_CAME_BACK = _words(r"change|rückgeld|zurück|rendu|cambio|resto|wechselgeld")
_OTHER_WORDS = re.compile(r"[^\W\d_]{4,}")
_LABELS = ("total", "subtotal", "amount", "change", "rounding", "tendered", "discount", "balance", "payable")
_OTHERS = frozenset(("charge", "tonal", "total", "mount", "changed", "amounts"))
_AS_LETTERS = str.maketrans("0158|!", "oisbll")

_LATER_DAY = re.compile(r"expir|valid|until|best before|use by|exchange|return|due|birth|gültig|ablauf", re.IGNORECASE)
_SAYS_DATE = re.compile(r"date|datum|fecha|data|dt\b|日期|printed", re.IGNORECASE)
_DAY_FIRST = _words(
    r"gst|vat|mwst|ust|tva|iva|btw|moms|sdn bhd|bhd|gmbh|ltd|plc|rm|myr|eur|gbp|sgd|aud|nzd|inr|chf|sek|dkk|nok|abn|rechnung|facture"
)
_DAY_FIRST_SIGNS = ("€", "£", "₹")
_MONTH_FIRST = _words(
    r"sales tax|usd|llc|state tax|(?:al|ak|az|ar|ca|co|ct|fl|ga|ia|id|il|in|ks|ky|la|ma|md|mi|mn|mo|nc|nj|nv|ny|"
    r"oh|ok|or|pa|sc|tn|tx|ut|va|wa|wi) \d{5}(?:-\d{4})?"
)
_UNITED_STATES = frozenset(("united states", "united states of america", "usa"))

_COMPANY = _words(
    r"sdn\.? ?bhd|bhd|gmbh|ltd|limited|llc|inc|plc|s\.?a\.?r\.?l|s\.?r\.?l|enterprise|trading|restaurant|"
    r"restoran|bistro|café|cafe|market|"
    r"supermarket|supermarkt|store|shop|hotel|pharmacy|apotheke|bakery|bäckerei|coffee|bookstores?|cinema|mart"
)
_NO_MORE_THAN_A_TRADE = re.compile(r"(?:\W|&|and|und|et|bar|" + _COMPANY.pattern + r")+", re.IGNORECASE)
_ONLY_FORM = re.compile(r"\W*(?:sdn\.? ?bhd|gmbh|ltd|limited|llc|inc|plc)\.?\W*", re.IGNORECASE)
_NO_NAME = _words(r"receipt|invoice|welcome|(?:simplified |cash )?tax invoice|menu|rechnung|copy|cash sales?|thank you")
_REGISTRATION = re.compile(r"\s*\((?:co\.?|reg|rfg|\W|no)*[^()]*\d{4,}[^()]*\)\s*$", re.IGNORECASE)
_NAME_LINES = 6


def total_of(lines: Sequence[str]) -> Total | None:
    """What was paid: the last line of a total, unless what was handed over and what came back say another printed sum."""
    mended = [_mended(line) for line in lines]
    labelled = [found for found in _labelled(lines, mended) if number_of(found.amount)]
    best = labelled[-1] if labelled else None
    if (paid := _paid(lines, mended)) is None:
        return best
    return best if best and number_of(best.amount) == number_of(paid.amount) else paid


def currency_in(lines: Sequence[str], total: Total) -> str:
    """The currency: of the total's line, else of the receipt, as three letters or `$`."""
    return currency_of(total.amount) or currency_of(total.line) or currency_of("\n".join(lines))


def day_of(text: str, memory: CapturedMemory) -> str:
    """The day it was printed, ISO 8601; empty where none can be read. A day named as such before any other, then one with a clock."""
    taken = memory.taken
    near = taken.day if taken.confidence >= 0.5 else None
    found = printed_days(text, near, _order_of(text, memory))
    best, best_rank = "", 0
    for each in found:
        start = text.rfind("\n", 0, each.start) + 1
        line = text[start : text.find("\n", each.start) if "\n" in text[each.start :] else len(text)]
        rank = (
            1
            if _LATER_DAY.search(line)
            else 2 + bool(re.search(r"\d[:.]\d\d", line)) + 2 * bool(_SAYS_DATE.search(line))
        )
        if rank > best_rank:
            best, best_rank = each.day.isoformat(), rank
    return best


def merchant_of(lines: Sequence[str]) -> str:
    """Who sold it: a name at the top that is a company's, else the first line that can be a name."""
    bare = [_REGISTRATION.sub("", line).strip() for line in lines[: _NAME_LINES + 1]]
    names = [(at, line) for at, line in enumerate(bare[:_NAME_LINES]) if _can_be_name(line)]
    at, name = next(((at, line) for at, line in names if _is_company(line)), names[0] if names else (0, ""))
    if _ONLY_FORM.fullmatch(name) and at:
        at, name = at - 1, bare[at - 1]
    if name and at + 1 < len(bare) and _ONLY_FORM.fullmatch(bare[at + 1]):
        name = f"{name} {bare[at + 1]}"
    return name[:80]


def _labelled(lines: Sequence[str], mended: Sequence[str]) -> Iterator[Total]:
    """Every line of a total with its sum: on it, else alone on the next line or the one before."""
    found_one = False
    for at, line in enumerate(mended):
        if found_one and _AFTER_TOTAL.search(line):
            return
        if not _TOTAL.search(line) or _NOT_TOTAL.search(line):
            continue
        here = amounts_in(lines[at])
        beside = [
            amounts_in(lines[near])[0] for near in (at + 1, at - 1) if 0 <= near < len(lines) and _is_bare(lines[near])
        ]
        amount = here[-1] if here else beside[0] if beside else ""
        if not amount:
            continue
        found_one = True
        currency = re.search(r"\b[A-Z]{3}\b|[£$€]", lines[at])
        yield Total(amount if here or not currency or currency[0] in amount else f"{amount} {currency[0]}", lines[at])


def _paid(lines: Sequence[str], mended: Sequence[str]) -> Total | None:
    """What was handed over less what came back, where that sum is printed on another line too."""
    given: list[tuple[float, int]] = []
    back: list[tuple[float, int]] = []
    others: list[tuple[str, str]] = []
    for at, line in enumerate(mended):
        amounts = amounts_in(lines[at])
        if _CAME_BACK.search(line) and amounts:
            back.append((number_of(amounts[-1]), at))
        elif _HANDED_OVER.search(line) and amounts:
            given.append((number_of(amounts[-1]), at))
        else:
            others += [(amount, lines[at]) for amount in amounts]
    if len(given) == 2 and not back and given[1][0] < given[0][0]:
        back = [given.pop()]  # some tills call both "cash"
    if len(given) != 1 or len(back) != 1:
        return None
    paid = round(given[0][0] - back[0][0], 2)
    return next((Total(amount, line) for amount, line in others if paid > 0 and number_of(amount) == paid), None)


def _mended(line: str) -> str:
    """The line with the words that matter put right where a text reader took one letter for another (T0TAL, Anount)."""
    return re.sub(r"[^\W_][\w|!]{3,9}", lambda match: _label_near(match[0]), line)


def _label_near(word: str) -> str:
    plain = word.casefold().translate(_AS_LETTERS)
    if not plain.isalpha() or plain in _OTHERS:
        return plain if plain in _LABELS else word
    for label in _LABELS:
        if len(label) == len(plain) and sum(ours != theirs for ours, theirs in zip(label, plain, strict=True)) <= 1:
            return label
    return word


def _is_bare(line: str) -> bool:
    """Whether a line is a sum and nothing else."""
    return bool(amounts_in(line)) and not _OTHER_WORDS.search(line)


def _order_of(text: str, memory: CapturedMemory) -> DayOrder:
    """How its days are meant: by days that allow one order only, then by the country, then by words of a country."""
    if (shown := order_shown(text)) is not None:
        return shown
    if memory.place is not None and memory.place.country:
        return DayOrder.MONTH_FIRST if text_key(memory.place.country) in _UNITED_STATES else DayOrder.DAY_FIRST
    if _MONTH_FIRST.search(text):
        return DayOrder.MONTH_FIRST
    if _DAY_FIRST.search(text) or any(sign in text for sign in _DAY_FIRST_SIGNS):
        return DayOrder.DAY_FIRST
    return DayOrder.MONTH_FIRST if "$" in text else DayOrder.DAY_FIRST  # dollars with GST were day first above


def _is_company(line: str) -> bool:
    """A company's name has the form of one, or a trade beside its own name: "Bistro & Café" alone stands under a name."""
    return bool(_COMPANY.search(line)) and not _NO_MORE_THAN_A_TRADE.fullmatch(line)


def _can_be_name(line: str) -> bool:
    letters = sum(char.isalpha() for char in line)
    return (
        letters >= 3 and letters * 2 > len(line) and not amounts_in(line) and not _NO_NAME.fullmatch(line.strip(" *:-"))
    )
