"""Which days are "last night", "tonight", "recently", "the other day", "EOY"?"""

from collections.abc import Callable
from datetime import timedelta

from core.ask.dates.holidays import fixed
from core.ask.dates.items import Item, Setting, any_year, known
from core.ask.dates.periods import Days, part_of, shift, unit_around, year_days
from core.ask.dates.rules import Rule, rule
from core.ask.dates.rules_life import AGES, years_of_life
from core.ask.dates.vocabulary import HOURS


def _settled(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    return _SET_PHRASES[items[0].name](setting)


def _ago(first: int, last: int) -> Callable[[Setting], Item]:
    def meaning(setting: Setting) -> Item:
        days = setting.asked_on - timedelta(days=first), setting.asked_on - timedelta(days=last)
        return Item("D", span=days, name="days")

    return meaning


def _day_at(days_ago: int, time: str) -> Callable[[Setting], Item]:
    def meaning(setting: Setting) -> Item:
        day = setting.asked_on - timedelta(days=days_ago)
        return Item("D", span=(day, day), name="day", hours=HOURS[time])

    return meaning


def _back(unit: str, units: int) -> Callable[[Setting], Item]:
    """The same unit some units ago."""

    def meaning(setting: Setting) -> Item:
        day = shift(setting.asked_on, unit, -units)
        return Item("D", span=unit_around(day, unit, setting.week_starts), name=unit)

    return meaning


def _years_of_life(name: str) -> Callable[[Setting], Item]:
    def meaning(setting: Setting) -> Item:
        days = years_of_life(setting.born, *AGES[name]) if setting.born else None
        return known(days, "age") or Item("x")

    return meaning


def _end_of_year(_: Setting) -> Item:
    def of_year(year: int) -> Days:
        return part_of(year_days(year), "year", "end")

    return any_year(of_year, "end of year")


def _end_of_month(setting: Setting) -> Item:
    days = unit_around(setting.asked_on, "month", setting.week_starts)
    end = part_of(days, "month", "end")
    if end[0] > setting.asked_on:
        days = unit_around(shift(setting.asked_on, "month", -1), "month", setting.week_starts)
        end = part_of(days, "month", "end")
    return Item("D", span=end, name="end of month")


_SET_PHRASES: dict[str, Callable[[Setting], Item]] = {
    "eoy": _end_of_year,
    "eom": _end_of_month,
    "last night": _day_at(1, "night"),
    "last evening": _day_at(1, "evening"),
    "tonight": _day_at(0, "evening"),
    "this morning": _day_at(0, "morning"),
    "as a child": _years_of_life("child"),
    "as a teenager": _years_of_life("teenager"),
    "between the years": lambda _: any_year(fixed(12, 27, 31), "days"),
    "recently": _ago(30, 0),
    "the other day": _ago(10, 1),
    "the other week": _ago(28, 7),
    "last year": _back("year", 1),
    "year before last": _back("year", 2),
    "three years ago": _back("year", 3),
    "next year": _back("year", -1),
    "this year": _back("year", 0),
}

SET_PHRASE_RULES: tuple[Rule, ...] = (rule(r"!", _settled),)
