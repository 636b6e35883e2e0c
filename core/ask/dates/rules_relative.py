"""Which days are "last week", "three years ago", "the week before Christmas", "Tuesday of last week"?"""

from dataclasses import replace
from datetime import date, timedelta

from core.ask.dates.items import Item, Setting, Span, all_of, any_year, first_of, known, last_of
from core.ask.dates.periods import (
    Days,
    earliest_after,
    latest,
    latest_over,
    long_weekend,
    nth_weekday,
    shift,
    unit_around,
    weekday_before,
)
from core.ask.dates.reading import days_of, grain_of, latest_unit, yearly_of
from core.ask.dates.rules import Rule, rule

_FEW = {"day": 10, "week": 6, "month": 6, "year": 6}
# where "last Wednesday" is said of last week's, not of the nearest one
_LAST_MEANS_LAST_WEEK = ("en", "zh")


def _today_some_time_ago(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Three years ago today."""
    day = setting.asked_on + timedelta(days=first_of(items, "R").number)
    ago = shift(day, first_of(items, "U").name, -_count(items))
    return known((ago, ago), "day")


def _count(items: tuple[Item, ...]) -> int:
    numbers = all_of(items, "n")
    return (numbers[0].number if numbers else 1) * (first_of(items, "U").number or 1)


def _ago(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Two days ago is a day; two weeks, months or years ago is the week, month or year: nobody counts more exactly."""
    unit = first_of(items, "U").name
    numbers = all_of(items, "n")
    if numbers and numbers[0].name == "few":
        return _few_ago(setting, unit)
    if not numbers and first_of(items, "U").number < 2 and not all_of(items, "A"):
        return None
    day = shift(setting.asked_on, unit, -_count(items))
    if unit == "decade":
        unit = "year"
    if numbers and numbers[0].name == "couple":
        return known((shift(day, unit, -1), unit_around(day, unit, setting.week_starts)[1]), unit)
    return known(unit_around(day, unit, setting.week_starts), unit)


def _few_ago(setting: Setting, unit: str) -> Item | None:
    first = shift(setting.asked_on, unit, -_FEW.get(unit, 6))
    return known((first, shift(setting.asked_on, unit, -2)), "days")


def _last_some(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """The last 3 months and 2 days: up to today; "for the last 3 days" tells of days that are over."""
    modifier = first_of(items, "L")
    if modifier.number > 0:
        return None
    day = setting.asked_on
    pairs = list(zip(all_of(items, "n"), all_of(items, "U"), strict=False))
    for number, unit in pairs:
        count = 4 if number.name == "few" else number.number
        day = shift(day, unit.name, -count * (unit.number or 1))
    over = items[0].code == "I" and items[0].name == "for"
    return known((day, setting.asked_on - timedelta(days=1 if over else 0)), "days")


def _rolling(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Over the last month: a month back from today, unlike "last month"."""
    modifier = first_of(items, "L")
    is_rolling = modifier.name == "rolling" or (setting.language == "en" and len(items) == 4 and items[0].code != "l")
    if not is_rolling or modifier.number != -1:
        return None
    unit = first_of(items, "U")
    if unit.name in ("weekend", "day"):
        return None
    return known((shift(setting.asked_on, unit.name, -(unit.number or 1)), setting.asked_on), "days")


def _since_some(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """German "seit drei Wochen": since three weeks."""
    unit = first_of(items, "U")
    return known((shift(setting.asked_on, unit.name, -_count(items)), setting.asked_on), "days")


def _unit(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Last week, this month, next year, the week before last."""
    unit, modifier = first_of(items, "U"), first_of(items, "L")
    if unit.name in ("hour", "day"):
        return None
    back = -2 if any(item.code == "b" for item in items) else modifier.number
    if unit.name == "weekend" and modifier.number <= 0:
        return known(_weekend(setting, back), "weekend")
    day = shift(setting.asked_on, unit.name, back * (unit.number or 1))
    return known(unit_around(day, unit.name, setting.week_starts), unit.name)


def _weekend(setting: Setting, back: int) -> Days:
    first, last = latest_unit("weekend", setting)
    if back < 0 and last >= setting.asked_on:
        back -= 1
    back = min(0, back + 1) if back < 0 else 0
    return first + timedelta(days=7 * back), last + timedelta(days=7 * back)


def _the_unit(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """In the year, at the weekend: the running one."""
    unit = last_of(items, "U").name
    if unit not in ("month", "year", "quarter", "weekend") or (unit != "weekend" and not all_of(items, "A")):
        return None
    return known(latest_unit(unit, setting), unit)


def _last_named(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Last summer, last Christmas, this May, the summer before last."""
    named, modifier = first_of(items, "SMjhYWk"), first_of(items, "L")
    back = -2 if any(item.code == "b" for item in items) else modifier.number
    if named.code in "Wk":
        return known(_weekday(setting, named.number, modifier, back), "day")
    yearly = yearly_of(named, setting)
    if yearly is None:
        return None
    if back > 0:
        return known(earliest_after(yearly, setting.asked_on), grain_of(named))
    days = latest(yearly, setting.asked_on) if back == 0 else latest_over(yearly, setting.asked_on)
    for _ in range(-1 - back):
        days = days and latest_over(yearly, days[0])
    return known(days, grain_of(named))


def _weekday(setting: Setting, weekday: int, modifier: Item, back: int) -> Days:
    nearest = weekday_before(setting.asked_on, weekday)
    if back == 0 and weekday == setting.asked_on.weekday():
        nearest = setting.asked_on
    if back > 0:
        nearest += timedelta(days=7 if weekday != setting.asked_on.weekday() else 14)
    elif back < 0 and modifier.name != "past" and setting.language in _LAST_MEANS_LAST_WEEK:
        this_week = unit_around(setting.asked_on, "week", setting.week_starts)[0]
        nearest = weekday_before(this_week, weekday) - timedelta(days=7 * (-1 - back))
    elif back < -1:
        nearest -= timedelta(days=7 * (-1 - back))
    return nearest, nearest


def _weekday_of_week(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Tuesday of last week."""
    days = days_of(first_of(items, "D"), setting)
    if days is None or first_of(items, "D").name != "week":
        return None
    return known(nth_weekday(days, first_of(items, "Wk").number, 1), "day")


def _unit_of(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """The week of 10 June 2024, the long weekend of Memorial Day, the month of May."""
    unit, named = first_of(items, "U"), last_of(items, "YDMj")
    days = days_of(named, setting)
    if days is None or (unit.name not in ("week", "weekend") and grain_of(named) != unit.name):
        return None
    if unit.name == "weekend":
        return known(_weekend_of(days[0], named, setting), "weekend") if days[0] == days[1] else None
    if grain_of(named) == unit.name:
        return known(days, unit.name)
    return known(unit_around(days[0], unit.name, setting.week_starts), unit.name)


def _weekend_of(day: date, named: Item, setting: Setting) -> Days:
    if named.name == "holiday":
        return long_weekend(day)
    return unit_around(day, "weekend", setting.week_starts)


def _that_unit(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Chinese "10 June, that week"."""
    days, unit = days_of(items[0], setting), items[-1].name
    if days is None:
        return None
    return known(days if unit == "day" else unit_around(days[0], unit, setting.week_starts), unit)


def _this_day_of_year(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """This day in 2020; Chinese "last year's today"."""
    year, today = first_of(items, "Dy"), first_of(items, "R")
    days = days_of(year, setting)
    if days is None or grain_of(year) != "year":
        return None
    day = setting.asked_on + timedelta(days=today.number)
    moved = shift(day, "year", days[0].year - day.year)
    return known((moved, moved), "day")


def _beside(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """The day before Christmas, two weeks after Easter, the weekend before 12 June."""
    unit, anchor = first_of(items, "U"), last_of(items, "YDMjSRWy")
    days = days_of(anchor, setting)
    if days is None or unit.name == "hour":
        return None
    sign = 1 if any(item.code in "a" for item in items) else -1
    edge = days[1] if sign > 0 else days[0]
    return known(_stretch_beside(edge, sign, unit.name, _count(items), setting), unit.name)


def _weekday_beside(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """The Monday before Easter."""
    weekday, days = first_of(items, "W").number, days_of(items[-1], setting)
    if days is None:
        return None
    is_after = any(item.code == "a" for item in items)
    day = weekday_before(days[1] + timedelta(days=8), weekday) if is_after else weekday_before(days[0], weekday)
    return known((day, day), "day")


def _time_beside(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """The night before my birthday."""
    time, days = first_of(items, "T"), days_of(items[-1], setting)
    if days is None or days[0] != days[1] or time.name in ("noon", "midnight"):
        return None
    day = days[0] + timedelta(days=1 if any(item.code == "a" for item in items) else -1)
    return replace(Item("D", span=(day, day), name="day"), hours=time.hours)


def _some_named_ago(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Two Mondays ago, two Christmases ago."""
    count, named = items[0].number, items[1]
    if named.code == "K":
        if len(named.weekdays) != 1 or items[0].name == "few":
            return None
        day = weekday_before(setting.asked_on, named.weekdays[0]) - timedelta(days=7 * (count - 1))
        return known((day, day), "day")
    back = Item("L", number=-count, name="last")
    return _last_named(setting, (back, named)) if named.name in ("holiday", "season") and count < 60 else None


def _holiday_weekend(_: Setting, items: tuple[Item, ...]) -> Item | None:
    """The Memorial Day weekend."""
    yearly = items[0].yearly
    if yearly is None or items[0].name != "holiday" or items[1].name != "weekend":
        return None

    def of_year(year: int) -> Days | None:
        days = yearly(year)
        return long_weekend(days[0]) if days else None

    return any_year(of_year, "days")


def _eve_or_morrow(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """French "la veille de" and "le lendemain de"."""
    days = days_of(items[-1], setting)
    if days is None:
        return None
    is_eve = any(item.code == "6" for item in items)
    day = days[0] - timedelta(days=1) if is_eve else days[1] + timedelta(days=1)
    return known((day, day), "day")


def _stretch_beside(edge: date, sign: int, unit: str, count: int, setting: Setting) -> Days:
    if unit == "weekend":
        saturday = weekday_before(edge, 5) if sign < 0 else weekday_before(edge + timedelta(days=8), 5)
        return saturday, saturday + timedelta(days=1)
    if unit == "day":
        day = shift(edge, unit, sign * count)
        return day, day
    if unit in ("month", "year"):
        return unit_around(shift(edge, unit, sign * count), unit, setting.week_starts)
    far = shift(edge, unit, sign * count)
    near = shift(far, unit, -sign)
    if sign < 0:
        return far, near - timedelta(days=1)
    return near + timedelta(days=1), far


def _every(_: Setting, items: tuple[Item, ...]) -> Item | None:
    named = last_of(items, "WkU")
    if named.code in "Wk":
        return Item("K", weekdays=(named.number,))
    return Item("K", weekdays=(5, 6)) if named.name == "weekend" else None


def shifted_from(anchor: Span, item: Item, setting: Setting) -> Span:
    """The year before, a week earlier: as far before the days spoken of just before."""
    first = anchor[0] or setting.asked_on
    if item.name == "day":
        day = shift(first, "day", -item.number)
        return day, day
    return unit_around(shift(first, item.name, -item.number), item.name, setting.week_starts)


def _earlier(_: Setting, items: tuple[Item, ...]) -> Item | None:
    unit = first_of(items, "U")
    return None if unit.name == "hour" else Item("Q", number=_count(items), name=unit.name)


RELATIVE_RULES: tuple[Rule, ...] = (
    rule(r"[nA]Ug,?O?R", _today_some_time_ago),
    rule(r"R,?G[nA]U|G[nA]U,?R", _today_some_time_ago),
    rule(r"[IilA]{0,3}(?:Ln|nL)U(?:[c,]{0,2}nU){0,5}(?!OA?[YMjDS])", _last_some),
    rule(r"[iIl]A?LU(?!O)", _rolling),
    rule(r"R[iIO]?A?[Dy]|D[Op]R", _this_day_of_year),
    rule(r"[DY]4", _that_unit),
    rule(r"snU", _since_some),
    rule(r"[nA]{0,3}Ug|G[nA]{0,3}U", _ago),
    rule(r"A?UbL", _unit),
    rule(r"A?[SMjhYWk]bL", _last_named),
    rule(r"A?LU(?![OiI]A?[LU])|A?UL(?!U)", _unit),
    rule(r"A?L[SMjhYWk]|A?[SMhYW]L(?!U)", _last_named),
    rule(r"[Wk][O,-]?l?A?D", _weekday_of_week),
    rule(r"D[O,-]{0,3}l?[Wk]", _weekday_of_week),
    rule(r"A?U[Of]?A?[YDMj]", _unit_of),
    rule(r"A?[67][Of]?A?[YDMRW]", _eve_or_morrow),
    rule(r"[nA]U[baG](?:A?[YDMSjRW]|y|Ay(?!x))", _beside),  # not "the day before the 2007 marathon"
    rule(r"A?W[baG]A?[YD]", _weekday_beside),
    rule(r"A?T[ba]A?[YDR]", _time_beside),
    rule(r"n[KY]g", _some_named_ago),
    rule(r"YU", _holiday_weekend),
    rule(r"[nA]U(?:J|b(?=[;,.]|$))", _earlier),
    rule(r"vA?[WkU]", _every),
    rule(r"(?<=[ilI])A?U(?![ObacyLUJ])", _the_unit),
)
