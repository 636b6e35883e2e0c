"""How do days, months and years written one after the other make a date?"""

from datetime import date

from core.ask.dates.items import Item, Setting, all_of, any_year, first_of, known, last_of
from core.ask.dates.periods import Days, Yearly, day_yearly, days_yearly, full_year, latest, shift, unit_around
from core.ask.dates.reading import yearly_of
from core.ask.dates.rules import Rule, rule

DAY = "[no]"
MONTH = "[Mj]"
_CENTURY = 100


def _day_and_month(_: Setting, items: tuple[Item, ...]) -> Item | None:
    month, day = first_of(items, "Mj"), last_of(items, "no")
    if day_yearly(month.number, day.number)(2024) is None:
        return None
    return any_year(day_yearly(month.number, day.number), "day")


def _full_date(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """2019 August 1."""
    yearly = day_yearly(first_of(items, "Mj").number, last_of(items, "no").number)
    return known(yearly(first_of(items, "y").number), "day")


def _numbers_only(_: Setting, items: tuple[Item, ...]) -> Item | None:
    """2016 10 16."""
    month, day = (item.number for item in all_of(items, "n"))
    return known(day_yearly(month, day)(items[0].number), "day") if 1 <= month <= 12 else None


def _days_of_month(_: Setting, items: tuple[Item, ...]) -> Item | None:
    first, last = (item.number for item in all_of(items, "no"))
    yearly = days_yearly(first_of(items, "Mj").number, first, last)
    return any_year(yearly, "days") if yearly(2024) else None


def _two_days_of_month(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """The 2nd and 3rd of May: one stretch, when one follows the other."""
    first, last = all_of(items, "no")
    return _days_of_month(setting, items) if last.number == first.number + 1 else None


def _with_year(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """A month, day, season or holiday and the year it belongs to, in either order."""
    of_any_year = first_of(items, "YMjSh")
    yearly = yearly_of(of_any_year, setting)
    year = _year_of(next(item for item in items if item.code in "ynD"))
    if yearly is None or year is None:
        return None
    name = of_any_year.name if of_any_year.code == "Y" else {"M": "month", "j": "month"}.get(of_any_year.code, "season")
    return known(yearly(year), name)


def _year_of(item: Item) -> int | None:
    if item.code == "D":
        return item.span[0].year if item.name == "year" and item.span and item.span[0] else None
    if item.code == "n" and not (10 <= item.number < _CENTURY):
        return None
    return full_year(item.number)


def _on_weekday(yearly: Yearly, weekday: int) -> Yearly:
    def of_year(year: int) -> Days | None:
        days = yearly(year)
        return days if days and days[0].weekday() == weekday else None

    return of_year


def _weekday_and_date(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Monday, 3 May: the weekday tells the year; one that fits no year is taken for a slip."""
    weekday, dated = first_of(items, "Wk"), first_of(items, "YD")
    if dated.name != "day":
        return None
    if dated.code == "D" or dated.yearly is None:
        return dated
    fitting = _on_weekday(dated.yearly, weekday.number)
    return any_year(fitting, "day") if latest(fitting, setting.asked_on) else dated


def _weekday_and_number(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Friday the 13th: the latest month whose 13th is a Friday."""
    return known(_latest_day(setting, last_of(items, "no").number, first_of(items, "Wk").number), "day")


def day_of_this_month(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """On the 5th: the latest one."""
    number = last_of(items, "no")
    if number.name == "word" and setting.language not in ("en", "de"):
        return None
    return known(_latest_day(setting, number.number, None), "day")


def _latest_day(setting: Setting, number: int, weekday: int | None) -> Days | None:
    if not 1 <= number <= 31:
        return None
    for months in range(60):
        day = shift(setting.asked_on.replace(day=1), "month", -months)
        days = day_yearly(day.month, number)(day.year)
        if days and days[0] <= setting.asked_on and weekday in (None, days[0].weekday()):
            return days
    return None


def _the_year(_: Setting, items: tuple[Item, ...]) -> Item | None:
    """The year (of) 2008."""
    unit, year = first_of(items, "U").name, last_of(items, "y").number
    if unit not in ("year", "decade"):
        return None
    return known(unit_around(date(year, 1, 1), unit, 0), unit)


DATE_RULES: tuple[Rule, ...] = (
    rule(rf"f?A?{DAY}[te-]A?{DAY}\.?O?A?{MONTH}", _days_of_month),
    rule(rf"BA?{DAY}cA?{DAY}\.?O?A?{MONTH}", _days_of_month),
    rule(rf"f?{MONTH}A?{DAY}[te-]A?{DAY}(?![MjnU])", _days_of_month),
    rule(rf"B{MONTH}A?{DAY}cA?{DAY}(?![MjnU])", _days_of_month),
    rule(rf"A?{DAY}cA?{DAY}O?A?{MONTH}", _two_days_of_month),
    rule(rf"{MONTH}A?{DAY}cA?{DAY}(?![xMjnU])", _two_days_of_month),
    rule(rf"y[-/,]?{MONTH}[-/,]?{DAY}(?!U)", _full_date),
    rule(r"y[ -]?nn(?![UMjC])", _numbers_only),
    rule(rf"A?{DAY}[./-]?O?A?{MONTH}", _day_and_month),
    rule(rf"{MONTH}[./-]?A?{DAY}(?![UMjg])", _day_and_month),
    rule(r"[Sh]O?A?y[/-][ny]", _with_year),
    rule(r"[YMjSh][,./-]{0,3}O?A?y", _with_year),
    rule(r"[YM]On(?![UMj])", _with_year),
    rule(r"YCy", _with_year),
    rule(r"A?UO?y", _the_year),
    rule(r"y[-/,.]?O?[MjYSh]", _with_year),
    rule(r"[YMS],?[Oi]?A?D|(?<=[iIlA])[jh],?[Oi]?A?D", _with_year),
    rule(r"D[pOi]?A?[YMS]|DiA?[jh]", _with_year),
    rule(r"[Wk][,.]{0,3}A?[YD]", _weekday_and_date),
    rule(r"[Wk]A?o(?![xUW])", _weekday_and_number),
    rule(r"[Wk]n(?![xUMj])", _weekday_and_number),
)
