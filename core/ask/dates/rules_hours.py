"""Which hours and weekdays of which days are "Sunday mornings in February", "yesterday evening", "after 6 pm"?"""

from dataclasses import replace

from core.ask.dates.items import Item, Setting, all_of, first_of, last_of
from core.ask.dates.reading import span_of
from core.ask.dates.rules import Rule, rule
from core.ask.dates.vocabulary import HOURS

_LAST_HOUR = 23


def _with_hours(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Days and a time of day, in either order."""
    days, time = first_of(items, "DYWR"), first_of(items, "TX")
    span = span_of(days, setting)
    if span is None:
        return None
    return Item("D", span=span, name=days.name, hours=time.hours, weekdays=days.weekdays or time.weekdays)


def _this_time(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """This morning."""
    if first_of(items, "L").number != 0:
        return None
    return Item("D", span=(setting.asked_on, setting.asked_on), name="day", hours=first_of(items, "T").hours)


def _weekday_times(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Sunday mornings: of all Sundays."""
    weekday, time = first_of(items, "WkKU"), last_of(items, "TX")
    if weekday.code == "U":
        is_weekends = weekday.name == "weekend" and time.name == "several"
        return Item("K", weekdays=(5, 6), hours=time.hours) if is_weekends else None
    if weekday.code == "W" and setting.language == "zh":
        return replace(weekday, hours=time.hours)
    if weekday.code != "K" and time.name != "several":
        return None
    return Item("K", weekdays=weekday.weekdays or (weekday.number,), hours=time.hours)


def _weekdays_in(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Fridays in May 2024."""
    days, weekdays = first_of(items, "DY"), first_of(items, "K")
    span = span_of(days, setting)
    if span is None or days.weekdays or (span[0] is not None and span[0] == span[1]):
        return None
    return Item("D", span=span, name=days.name, hours=weekdays.hours or days.hours, weekdays=weekdays.weekdays)


def _clock(_: Setting, items: tuple[Item, ...]) -> Item | None:
    """After 6 pm, before noon, around 5 pm, at 18:30, between 2 and 5 pm."""
    before, after = all_of(items, "begG"), all_of(items, "asrz")
    clocks = all_of(items, "nCT")
    if len(clocks) == 2:
        return _between_hours(*clocks)
    hour = _hour_of(clocks[0])
    if hour is None:
        return None
    if before:
        return Item("X", hours=(0, max(0, hour - 1)))
    if after:
        return Item("X", hours=(hour, _LAST_HOUR))
    around = any(item.code == "I" and item.name == "around" for item in items)
    return Item("X", hours=((hour - 1) % 24, (hour + 1) % 24) if around else (hour, hour))


def _hour_of(item: Item) -> int | None:
    if item.code != "T":
        return item.number if 0 <= item.number <= _LAST_HOUR else None
    return {"noon": 12, "midnight": 0}.get(item.name)


def _between_hours(first: Item, last: Item) -> Item | None:
    start, end = _hour_of(first), _hour_of(last)
    if start is None or end is None:
        return None
    if first.code == "n" and start < 12 <= end and start + 12 <= end:
        start += 12
    end_hour = end if last.name == "half" else end - 1
    return Item("X", hours=(start, end_hour % 24)) if start != end else Item("X", hours=(start, end))


def _time_alone(_: Setting, items: tuple[Item, ...]) -> Item | None:
    return replace(last_of(items, "T"), code="X")


def _chinese_weekdays(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """Chinese has no plural: "February's Sunday mornings"."""
    days, weekday = items[0], items[-1]
    if setting.language != "zh" or days.name not in ("month", "year", "season", "range", "days", "quarter"):
        return None
    return _weekdays_in(setting, (days, Item("K", weekdays=(weekday.number,), hours=weekday.hours)))


def _chinese_time(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    return _time_alone(setting, items) if setting.language == "zh" else None


def _word_for_morning(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    """German "morgen" and Spanish "mañana" are tomorrow, but the morning behind another day."""
    if items[-1].name != "morning":
        return None
    morning = Item("T", name="morning", hours=HOURS["morning"])
    if items[0].code == "L":
        return _this_time(setting, (items[0], morning))
    if items[0].code == "A":
        return replace(morning, code="T")
    return _with_hours(setting, (items[0], morning))


def _clock_in(_: Setting, items: tuple[Item, ...]) -> Item | None:
    """Chinese "three o'clock in the afternoon", the time of day in front."""
    time, clock = items[0], items[-1]
    late = time.hours in (HOURS["afternoon"], HOURS["evening"], HOURS["night"])
    return replace(clock, number=clock.number + 12 if late and clock.number < 12 else clock.number)


def _at_clock(setting: Setting, items: tuple[Item, ...]) -> Item | None:
    return _clock(setting, items) if setting.language == "zh" else None


HOUR_RULES: tuple[Rule, ...] = (
    rule(r"f?[nC][te-]A?C|B[nC]cA?C|BTcA?C|BCcA?T", _clock),
    rule(r"[aebsG]l?A?[C]|[aebG]T|[lIt]A?C", _clock),
    rule(r"[DRWLA][O]?R", _word_for_morning),
    rule(r"TC", _clock_in),
    rule(r"C[grz]", _clock),
    rule(r"C", _at_clock),
    rule(r"L[T]", _this_time),
    rule(r"[WkK]O?[li]?A?[TX]|U[T]", _weekday_times),
    rule(r"[il]?A?T[OilI,]{0,3}f?A{0,2}[DYWR]", _with_hours),
    rule(r"[DYWR][,;]?O?[ilfI]?A?[T]|[DYWR],?[X]|X,?[ilO]?A?[DYWR]", _with_hours),
    rule(r"(?:[il]A?)T|v?T(?=v)", _time_alone),
    rule(r"v?K[iIlO]{0,3}f?A?[DY]", _weekdays_in),
    rule(r"[DY][,O]?[lI]?v?K", _weekdays_in),
    rule(r"[DY]O?v?W", _chinese_weekdays),
    rule(r"[DY]O?v?K", _weekdays_in),
    rule(r"T", _chinese_time),
)
