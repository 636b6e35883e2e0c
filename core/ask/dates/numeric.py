"""What date, year, quarter, decade, clock time or number does a group of digits say?"""

import re
from datetime import date

from core.ask.dates.items import Item, Setting, any_year, known
from core.ask.dates.periods import day_yearly, full_year, month_days, months_yearly

# tried in this order at every place of the text; a group's name is the branch of `numeric_item`
NUMERIC = r"""(?P<iso>(?<!\w)\d{4}(?P<sep>[-/.])\d{1,2}(?P=sep)\d{1,2}(?!\d)(?:T[\d:.]+Z?)?)
|(?P<dmy>(?<![\w.])\d{1,2}(?P<sep2>[./-])\ ?\d{1,2}(?P=sep2)\ ?(?:\d{4}|\d{2})(?![\w]))
|(?P<ym>(?<!\w)(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])(?![\w])(?![-/.]\d))
|(?P<my>(?<![\w.])(?:0?[1-9]|1[0-2])[-/.](?:19|20)\d\d(?!\w))
|(?P<clock>(?<![\w.])\d{1,2}(?:[:.h]\d{2})?\ ?(?:[aApP]\.?\ ?[mM]\b\.?|[oO]['’]clock|Uhr\b|uhr\b)
|(?<![\w.])\d{1,2}:\d{2}(?::\d\d)?(?!\d)|(?<![\w.])\d{1,2}\ ?h(?:\d{2})?(?!\w))
|(?P<md>(?<![\w./])\d{1,2}/\d{1,2}(?![\w/]))
|(?P<dm>(?<![\w.])\d{1,2}\.\d{1,2}(?!\w)(?!\.\d)\.?)
|(?P<compact>(?<!\w)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\w))
|(?P<quarter>(?<!\w)[qQtT][1-4](?!\w))
|(?P<half>(?<!\w)[hH][12](?!\w))
|(?P<decade>(?<!\w)(?:(?:1[89]|20)\d0|['’]?[1-9]0)['’]?(?:s|er)(?!\w))
|(?P<short_year>(?<!\w)['’]\d\d(?!\w))
|(?P<ordinal>(?<!\w)\d{1,3}(?:st|nd|rd|th|er|ère|ere|re|ème|eme|e|º|ª|ro|do|to|mo)(?!\w))
|(?P<year>(?<![\w.])(?:1[89]|20)\d\d(?!\w))
|(?P<number>\d+)""".replace("\n", "")
_LONGEST_NUMBER = 6
_GERMAN_ORDINAL = re.compile(r"\.(?=\s*[^\W\d_])")
_MONTH_FIRST = ("en",)


def numeric_item(match: re.Match[str], text: str, setting: Setting) -> Item:
    """The item of a group of digits; one that is no possible date is a word without meaning."""
    kind = match.lastgroup or ""
    found = match.group()
    numbers = [int(digits) for digits in re.findall(r"\d{1,8}", found)]
    if kind == "number":
        return _number(found, match.end(), text, setting)
    if kind == "ordinal":
        return Item("o", number=numbers[0])
    if kind == "year":
        return Item("y", number=numbers[0])
    if kind == "short_year":
        return Item("y", number=full_year(numbers[0]))
    if kind == "quarter":
        return _quarter(int(found[1]), found[0], setting)
    if kind == "half":
        return any_year(months_yearly(int(found[1]) * 6 - 5, int(found[1]) * 6), "half")
    if kind == "decade":
        return _decade(numbers[0])
    if kind == "clock":
        return _clock(numbers, found)
    return _numeric_date(kind, found, numbers, setting) or Item("x")


def _number(found: str, end: int, text: str, setting: Setting) -> Item:
    if len(found) > _LONGEST_NUMBER:
        return Item("x")
    is_ordinal = setting.language == "de" and len(found) <= 2 and _GERMAN_ORDINAL.match(text, end)
    return Item("o" if is_ordinal else "n", number=int(found))


def _quarter(number: int, letter: str, setting: Setting) -> Item:
    if letter in "tT" and setting.language not in ("fr", "es"):
        return Item("x")
    return any_year(months_yearly(number * 3 - 2, number * 3), "quarter")


def _decade(number: int) -> Item:
    first = number if number >= 100 else full_year(number)
    return Item("D", span=(date(first, 1, 1), date(first + 9, 12, 31)), name="decade")


def _clock(numbers: list[int], found: str) -> Item:
    hour = numbers[0]
    lowered = found.casefold()
    if "p" in lowered and hour < 12:
        hour += 12
    if "a" in lowered and hour == 12:
        hour = 0
    if hour == 24:
        hour = 0
    if hour > 23:
        return Item("x")
    return Item("C", number=hour, name="half" if len(numbers) > 1 and numbers[1] else "")


def _numeric_date(kind: str, found: str, numbers: list[int], setting: Setting) -> Item | None:
    try:
        if kind == "compact":
            whole = str(numbers[0])
            return _one_day(date(int(whole[:4]), int(whole[4:6]), int(whole[6:])))
        if kind == "iso":
            return _one_day(date(*numbers[:3]))
        if kind in ("ym", "my"):
            year, month = numbers if kind == "ym" else reversed(numbers)
            return known(month_days(year, month), "month")
    except ValueError:
        return None
    return _day_and_month("dmy_dots" if kind == "dmy" and "." in found else kind, numbers, setting)


def _day_and_month(kind: str, numbers: list[int], setting: Setting) -> Item | None:
    """Month first only where it is written so: in English, and there not before a year with dots (03.05.2024)."""
    first, second = numbers[:2]
    month_first = setting.language in _MONTH_FIRST and kind != "dmy_dots"
    month, day = (first, second) if (month_first and first <= 12) or second > 12 else (second, first)
    if kind in ("md", "dm"):
        days = day_yearly(month, day)
        if not 1 <= month <= 12 or days(2024) is None:
            return None
        # 1/2 and 3/4 are fractions and 5.12 a decimal unless something says that they are dates
        doubtful = kind == "dm" or (first < second <= 4) or (first, second) == (24, 7)
        return Item("F" if doubtful else "Y", yearly=days, name="day")
    try:
        return _one_day(date(full_year(numbers[2]), month, day))
    except ValueError:
        return None


def _one_day(day: date) -> Item:
    return Item("D", span=(day, day), name="day")
