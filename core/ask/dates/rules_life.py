"""Which days are "when I was 10", "my thirties" and "my 30th birthday", for a person born on a known day?"""

from datetime import date, timedelta

from core.ask.dates.items import Item, Setting, all_of, any_year, first_of, known, last_of
from core.ask.dates.periods import Days, add_months, latest_over, part_of
from core.ask.dates.rules import Rule, rule

_MOST_YEARS = 125
# first and last year of life that a word for an age covers
AGES = {"child": (3, 12), "baby": (0, 1), "toddler": (1, 3), "teenager": (13, 19), "young": (13, 25)}


def years_of_life(born: date, first: int, last: int) -> Days | None:
    """From the birthday of the first age to the day before the one that ends the last."""
    if not 0 <= first <= last <= _MOST_YEARS:
        return None
    return add_months(born, 12 * first), add_months(born, 12 * (last + 1)) - timedelta(days=1)


def _age(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    if setting.born is None:
        return None
    number = first_of(items, "no9").number
    return known(years_of_life(setting.born, number, number), "age")


def _age_in_years(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """When I was 10 years (old), as German, Spanish and French say it."""
    if first_of(items, "U").name != "year" or (items[0].code == "t" and setting.language != "fr"):
        return None
    return _age(setting, items)


def _turned_years(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """French "mes 30 ans": the day of turning 30."""
    is_french = setting.language == "fr" and first_of(items, "U").name == "year"
    return _turned(setting, items) if is_french else None


def _turned(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """My 30th birthday."""
    number = first_of(items, "no9").number
    if setting.born is None or not 0 < number <= _MOST_YEARS:
        return None
    day = add_months(setting.born, 12 * number)
    return known((day, day), "day")


def _birthday(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """My birthday, a day of any year; "my last birthday" is over."""
    born = setting.born
    if born is None:
        return None

    def of_year(year: int) -> Days | None:
        day = add_months(born, 12 * (year - born.year))
        return (day, day) if day >= born else None

    modifiers = all_of(items, "L")
    if modifiers and modifiers[0].number < 0:
        days = latest_over(of_year, setting.asked_on)
        for _ in range(-1 - modifiers[0].number):
            days = days and latest_over(of_year, days[0])
        return known(days, "day")
    return any_year(of_year, "day")


def _decade_of_life(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """My early thirties."""
    if setting.born is None:
        return None
    tens = last_of(items, "PD")
    first = tens.number if tens.code == "P" else _tens_of(tens)
    if first <= 0:
        return None
    days = years_of_life(setting.born, first, first + 9)
    parts = all_of(items, "E")
    if days and parts:
        days = part_of(days, "life", parts[0].name)
    return known(days, "age")


def _own_decade(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    return _decade_of_life(setting, items) if items[0].name == "mine" else None


def _tens_of(decade: Item) -> int:
    """Take the 20s of "in my 20s" for an age, though the number alone reads as the 2020s."""
    first = decade.span[0] if decade.span else None
    return first.year % 100 if first and decade.name == "decade" else 0


def _time_of_life(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    ages = AGES.get(last_of(items, "Z").name)
    if setting.born is None or ages is None:
        return None
    return known(years_of_life(setting.born, *ages), "age")


def _decade_of_century(_: Setting, items: tuple[Item, ...]) -> Item | None:
    """The nineties, which are nobody's own."""
    first = 1900 + items[-1].number
    return known((date(first, 1, 1), date(first + 9, 12, 31)), "decade")


LIFE_RULES: tuple[Rule, ...] = (
    rule(r"P", _own_decade),
    rule(r"mE?-?[PD]|wim?A?E?[PD]|iE[PD]", _decade_of_life),
    rule(r"mo-?d|m?d[-,]?o|don?m", _turned),
    rule(r"mnd|m?9O?d", _turned),
    rule(r"m?9", _age),
    rule(r"V[no]u?", _turned),
    rule(r"[w8]nU", _age_in_years),
    rule(r"tnU", _age_in_years),
    rule(r"mnU", _turned_years),
    rule(r"w[no]u?(?![UM])", _age),
    rule(r"wZ", _time_of_life),
    rule(r"mL?O?d|mdL|Lmd", _birthday),
    rule(r"(?<=[AE])P|(?<=E-)P", _decade_of_century),
)
