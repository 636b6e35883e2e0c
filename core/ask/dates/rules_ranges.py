"""Which days are "from May to July", "since January", "before 2015", and which single words are dates at all?"""

from datetime import timedelta

from core.ask.dates.items import Item, Setting, any_year, first_of, known, last_of
from core.ask.dates.periods import Days, Yearly, latest, weekday_before, year_days
from core.ask.dates.reading import PERIODS, days_of, grain_of, latest_unit, lived_span_of, span_of, yearly_of
from core.ask.dates.rules import Rule, rule
from core.ask.dates.rules_days import day_of_this_month

_ANY = f"[{PERIODS}]"
_MOST_RANGE_YEARS = 200


def _from_to(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    ends = [item for item in items if item.code in PERIODS]
    first, last = ends[0], ends[-1]
    last_days = _settled(last, setting)
    first_days = _settled(first, setting)
    if first_days and not last_days:
        last_days = _first_ending_after(yearly_of(last, setting), first_days)
    if last_days is None:
        last_days = _latest_end(first, last, setting)
    if last_days and not first_days:
        yearly = yearly_of(first, setting)
        first_days = latest(yearly, last_days[1]) if yearly else days_of(first, setting)
    if first.code == "W" and first_days and last_days and first_days[0] > last_days[0]:
        day = weekday_before(last_days[0], first.number)
        first_days = day, day
    if first_days is None or last_days is None or first_days[0] > last_days[1]:
        return None
    return Item("D", span=(first_days[0], last_days[1]), name="range", hours=last.hours or first.hours)


def _settled(item: Item, setting: Setting) -> Days | None:
    return days_of(item, setting) if item.code in "DyRW" else None


def _latest_end(first: Item, last: Item, setting: Setting) -> Days | None:
    """The end of a range without a year: the latest that has begun, of ranges with memories where there are any."""
    begin, end, lived = yearly_of(first, setting), yearly_of(last, setting), setting.lived
    if begin is None or end is None or lived is None:
        return days_of(last, setting)
    return latest(end, setting.asked_on, lambda days: lived(((latest(begin, days[1]) or days)[0], days[1])))


def _first_ending_after(yearly: Yearly | None, first: Days) -> Days | None:
    if yearly is None:
        return None
    for year in range(first[0].year - 1, first[0].year + 9):
        days = yearly(year)
        if days and days[0] >= first[0]:
            return days
    return None


def _since(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    span = span_of(first_of(items, PERIODS), setting)
    if span is None or span[0] is None:
        return None
    last = setting.asked_on if span[0] <= setting.asked_on else None
    return Item("D", span=(span[0], last), name="range")


def _until(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    span = span_of(last_of(items, PERIODS), setting)
    return None if span is None or span[1] is None else Item("D", span=(None, span[1]), name="range")


def _before(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    span = span_of(last_of(items, PERIODS), setting)
    if span is None or span[0] is None:
        return None
    return Item("D", span=(None, span[0] - timedelta(days=1)), name="range")


def _after(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    span = span_of(last_of(items, PERIODS), setting)
    if span is None or span[1] is None:
        return None
    first = span[1] + timedelta(days=1)
    return Item("D", span=(first, setting.asked_on if first <= setting.asked_on else None), name="range")


def _alone(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    yearly = yearly_of(items[-1], setting)
    return None if yearly is None else any_year(yearly, grain_of(items[-1]) if items[-1].code != "F" else "day")


def _year_alone(_: Setting, items: tuple[Item, ...]) -> Item | None:
    return known(year_days(items[-1].number), "year")


def _settle(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    span = lived_span_of(items[-1], setting)
    return None if span is None else Item("D", span=span, name=grain_of(items[-1]), hours=items[-1].hours)


def _german_year(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """German says years without a preposition."""
    return _year_alone(setting, items) if setting.language == "de" else None


def _chinese_season(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Chinese needs no preposition: "photos of summer" is said "summer's photos"."""
    return _alone(setting, items) if setting.language == "zh" else None


def _chinese_weekend(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    if setting.language != "zh" or items[-1].name != "weekend":
        return None
    return known(latest_unit("weekend", setting), "weekend")


def _to_day_of_same_month(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Chinese "3 July 2024 to the 9th"."""
    first = days_of(items[0], setting)
    if setting.language != "zh" or first is None or items[0].name != "day":
        return None
    last = first[0].replace(day=items[-1].number)
    return known((first[0], last), "range") if first[0] <= last else None


def _side_by_side(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """May and June 2024, Saturday and Sunday: one stretch, when one follows the other."""
    together = _from_to(setting, items)
    first, last = items[0], items[-1]
    if together is None or together.span is None or grain_of(first) != grain_of(last):
        return None
    yearly = yearly_of(last, setting)
    last_days = latest(yearly, together.span[1]) if yearly and together.span[1] else days_of(last, setting)
    if last_days is None or together.span[0] is None:
        return None
    begins = days_of(first, setting)
    length = (begins[1] - begins[0]).days if begins else 0
    gap = (last_days[0] - together.span[0]).days - length
    return together if gap in (0, 1) or (gap == 2 and grain_of(last) != "day") else None


# a word that may be a month or a weekday, a season, a bare year: only where a neighbour says so
SINGLE_RULES: tuple[Rule, ...] = (
    rule(r"M", _alone),
    rule(r"(?<=O)j(?=[cte-][Mj])", _alone),
    rule(r"A?S", _chinese_season),
    rule(r"U", _chinese_weekend),
    rule(r"(?<=[isebaB])j|(?<=[YDM]c)j|(?<=Y,)j|(?<=f)j|(?<=v)j|j(?=[pN])", _alone),
    rule(r"(?<=[iIsebafBtGl])[Sh]|(?<=[iIsebafBLl]A)[Sh]|(?<=Y[c,])[Sh]|^A?[Sh]$|S(?=[pNic,])", _alone),
    rule(r"(?<=[liIfsebat])F|^F$", _alone),
    rule(r"(?<=[iIfsebaBOG])y|(?<=D[te])y|^y(?=N|$)|(?<=N)y|(?<=Dc)y|(?<=D,)y|(?<=y[ct-])y|y(?=[ct-]y)", _year_alone),
    rule(r"(?<=x)y", _german_year),
    rule(r"(?<=[l])A?o(?![xUMd])", day_of_this_month),
    rule(r"(?<=[lsabec])k", lambda _, items: Item("W", number=items[-1].number)),
)

RANGE_RULES: tuple[Rule, ...] = (
    rule(r"D[te-]o", _to_day_of_same_month),
    rule(rf"B{_ANY}cA?{_ANY}", _from_to),
    rule(rf"fA?{_ANY}[te-]A?{_ANY}", _from_to),
    rule(rf"[fs]A?{_ANY}[te-]A?{_ANY}", _from_to),
    rule(r"[DYMRyW][te-]A?[DYMjRyW]", _from_to),
    rule(r"[DYM]c[DYM]5", _from_to),
    rule(r"[DYMWR]c[DYMjWR]", _side_by_side),
    rule(r"[DYj]-[DYMj]|j[te][DYM]", _from_to),
    rule(r"(?:s|f)[lO]?A?[DYRW]z|[DYRW]z|s[lO]?A?[DYRW]", _since),
    rule(r"[DYRW]g|[bG][lO]?A?[DYRW]", _before),
    rule(r"[DYRW]r|a[lO]?A?[DYRW]", _after),
    rule(r"e[lO]?A?[DYRW]", _until),
)

SETTLE_RULES: tuple[Rule, ...] = (rule(r"[YRW]", _settle),)
