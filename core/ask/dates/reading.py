"""Which days does an item mean when nothing else says which year?"""

from datetime import timedelta

from core.ask.dates.items import Item, Setting, Span
from core.ask.dates.periods import (
    Days,
    Yearly,
    latest,
    month_yearly,
    season_yearly,
    unit_around,
    weekday_before,
    year_days,
)

# codes of items that `days_of` can read; inside a character class of a rule
PERIODS = "DYMjShRyW"


def yearly_of(item: Item, setting: Setting) -> Yearly | None:
    """Days of any year: a month, a season, a holiday, a day without its year."""
    if item.code in "Mj":
        return month_yearly(item.number)
    if item.code in "Sh":
        return season_yearly(item.number, setting.hemisphere)
    return item.yearly


def grain_of(item: Item) -> str:
    """How long the item's days are: day, week, month, season or year."""
    if item.code in "Mj":
        return "month"
    if item.code in "Sh":
        return "season"
    if item.code == "y":
        return "year"
    return item.name if item.code in "DY" else "day"


def span_of(item: Item, setting: Setting) -> Span | None:
    """The item's days, possibly open on one side; without a year, the latest that have begun."""
    if item.span is not None:
        return item.span
    if item.code == "y":
        return year_days(item.number)
    if item.code == "R":
        day = setting.asked_on + timedelta(days=item.number)
        return day, day
    if item.code == "W":
        day = weekday_before(setting.asked_on, item.number)
        return day, day
    if item.code == "U":
        return latest_unit(item.name, setting)
    yearly = yearly_of(item, setting)
    return None if yearly is None else latest(yearly, setting.asked_on)


def lived_span_of(item: Item, setting: Setting) -> Span | None:
    """The item's days; without a year, the latest that have begun and of which there are memories."""
    yearly = None if item.span is not None else yearly_of(item, setting)
    return span_of(item, setting) if yearly is None else latest(yearly, setting.asked_on, setting.lived)


def days_of(item: Item, setting: Setting) -> Days | None:
    """The item's days, closed on both sides; None when they are open."""
    span = span_of(item, setting)
    if span is None or span[0] is None or span[1] is None:
        return None
    return span[0], span[1]


def latest_unit(unit: str, setting: Setting) -> Days:
    """The running unit; of weekends, the latest that has begun."""
    days = unit_around(setting.asked_on, unit, setting.week_starts)
    if unit == "weekend" and days[0] > setting.asked_on:
        return days[0] - timedelta(days=7), days[1] - timedelta(days=7)
    return days
