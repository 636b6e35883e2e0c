"""Which days are "the end of May", "the first week of April", "the last Sunday of March", "the 5th of last month"?"""

from collections.abc import Callable

from core.ask.dates.items import Item, Setting, all_of, any_year, first_of, known, last_of
from core.ask.dates.periods import Days, Yearly, nth_unit, nth_weekday, part_of, unit_around, year_days
from core.ask.dates.reading import days_of, grain_of, yearly_of
from core.ask.dates.rules import Rule, rule

Cut = Callable[[Days], Days | None]
_SIZES = {"week": 1, "weekend": 1, "month": 3, "season": 4, "quarter": 4, "half": 5, "year": 6}
_UNITS_OF = ("day", "week", "weekend", "month", "quarter", "half", "year")


def _part(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """The start, middle or end of a month, year or season."""
    part, whole = first_of(items, "E").name, last_of(tuple(i for i in items if i.code != "E"), "YDMjShyU")
    grain = _grain(whole)
    if grain in ("day", "holiday", "days"):
        return None
    return _inside(setting, whole, lambda days: part_of(days, grain, part), f"{part} of {grain}")


def _grain(whole: Item) -> str:
    return whole.name if whole.code == "U" else grain_of(whole)


def _inside(setting: Setting, whole: Item, cut: Cut, name: str) -> Item | None:
    """Cut a piece out of days; out of the days of any year when the year is open."""
    if whole.code == "U":
        if whole.name == "year":
            return any_year(lambda year: cut(year_days(year)), name)
        return known(cut(unit_around(setting.asked_on, whole.name, setting.week_starts)), name)
    yearly = None if whole.code in "Dy" else yearly_of(whole, setting)
    if yearly is not None:
        return any_year(_cut_yearly(yearly, cut), name)
    days = days_of(whole, setting)
    return None if days is None else known(cut(days), name)


def _cut_yearly(yearly: Yearly, cut: Cut) -> Yearly:
    def of_year(year: int) -> Days | None:
        days = yearly(year)
        return None if days is None else cut(days)

    return of_year


def _nth_of(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """The first week of April, the last Sunday of March, the second half of 2024, the first three months of 2023."""
    which = first_of(items, "oL")
    if which.code == "L" and which.number >= 0:
        return None
    nth = which.number if which.code == "o" else -1
    piece, whole = first_of(items, "UWk"), items[-1]
    if not _is_smaller(piece, _grain(whole)):
        return None
    if piece.code in "Wk":
        return _inside(setting, whole, lambda days: nth_weekday(days, piece.number, nth), "day")
    numbers = all_of(items, "n")
    count = numbers[0].number if numbers else 1
    if piece.name not in _UNITS_OF or not 1 <= count <= 366:
        return None
    return _inside(setting, whole, lambda days: nth_unit(days, piece.name, nth, setting.week_starts, count), piece.name)


def _is_smaller(piece: Item, whole: str) -> bool:
    """Only days have weekdays, and a week has no months."""
    if whole in ("holiday", "day"):
        return False
    size = 0 if piece.code in "Wk" else _UNITS_OF.index(piece.name) if piece.name in _UNITS_OF else len(_UNITS_OF)
    return size < _SIZES.get(whole, len(_UNITS_OF))


def _day_number_of(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """The 5th of last month."""
    number, whole = first_of(items, "on"), items[-1]
    if _grain(whole) != "month":
        return None
    return _inside(setting, whole, lambda days: nth_unit(days, "day", number.number, setting.week_starts), "day")


def _nth_in_front(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Chinese names the whole first: of April, the first week."""
    if setting.language != "zh":
        return None
    return _nth_of(setting, (*items[1:], items[0]))


def _part_behind(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    return _part(setting, (items[-1], items[0])) if setting.language == "zh" else None


def _numbered_day_in_front(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Chinese "of last month, the 5th"."""
    return _day_number_of(setting, (items[-1], items[0])) if setting.language == "zh" else None


PART_RULES: tuple[Rule, ...] = (
    rule(r"A?[oL]n?[UWk][OiIlf]?A?(?:[YDMjSh]|y(?!-))", _nth_of),
    rule(r"[YDM]O?[oL]n?[UWk]", _nth_in_front),
    rule(r"A?[oL]n?[UWk]OA?U", _nth_of),
    rule(r"A?oOA?D", _day_number_of),
    rule(r"A?oOA?U", _day_number_of),
    rule(r"AnOA?D", _day_number_of),
    rule(r"[YDMS]O?U?E", _part_behind),
    rule(r"(?<![YDMSLno])UE", _part_behind),
    rule(r"[DYM]O?o(?![UW])", _numbered_day_in_front),
    rule(r"A?E[OiI-]{0,3}A?[YDMjShy]", _part),
    rule(r"A?EOA?U|(?<=[ilI])A?EU", _part),
)
