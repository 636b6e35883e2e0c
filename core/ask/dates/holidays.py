"""On which days does a holiday fall in a year?"""

from datetime import date, timedelta

from core.ask.dates.holiday_tables import DIWALI, EID_AL_ADHA, EID_AL_FITR, HANUKKAH, HOLI, LUNAR_YEARS, RAMADAN
from core.ask.dates.periods import Days, Yearly, month_days, nth_weekday


def easter_sunday(year: int) -> date:
    """Western Easter, by the Gregorian computus of Butcher and Meeus."""
    century, rest = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    shift = (year % 19 + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


def fixed(month: int, day: int, last_day: int = 0) -> Yearly:
    """The same day every year, or days of one month."""
    return lambda year: (date(year, month, day), date(year, month, last_day or day))


def from_easter(first: int, last: int | None = None) -> Yearly:
    """Days counted from Easter Sunday."""

    def of_year(year: int) -> Days:
        easter = easter_sunday(year)
        return easter + timedelta(days=first), easter + timedelta(days=first if last is None else last)

    return of_year


def nth(month: int, weekday: int, which: int, days_later: int = 0) -> Yearly:
    """The nth (-1 is the last) weekday of a month, or some days after it."""

    def of_year(year: int) -> Days | None:
        days = nth_weekday(month_days(year, month), weekday, which)
        if days is None:
            return None
        day = days[0] + timedelta(days=days_later)
        return day, day

    return of_year


def advent(weeks_before: int) -> Yearly:
    """A Sunday of Advent; 0 is the fourth."""

    def of_year(year: int) -> Days:
        eve = date(year, 12, 24)
        day = eve - timedelta(days=(eve.weekday() + 1) % 7 + 7 * weeks_before)
        return day, day

    return of_year


def lunar(month: int, day: int, before: int = 0) -> Yearly:
    """A day of the Chinese calendar, or some days before it; only for the years of the table."""

    def of_year(year: int) -> Days | None:
        if year not in LUNAR_YEARS:
            return None
        new_year, lengths = LUNAR_YEARS[year]
        start = date(year, *new_year) + timedelta(days=sum(lengths[: month - 1]) + day - 1 - before)
        return start, start

    return of_year


def _qingming(year: int) -> Days:
    day = int(year % 100 * 0.2422 + 4.81) - (year % 100) // 4
    return date(year, 4, day), date(year, 4, day)


def _mothers_day_fr(year: int) -> Days:
    """The last Sunday of May, a week later when that is Pentecost."""
    last = date(year, 5, 31)
    day = last - timedelta(days=(last.weekday() + 1) % 7)
    if day == easter_sunday(year) + timedelta(days=49):
        day += timedelta(days=7)
    return day, day


def _table(days: dict[int, tuple[int, int]], later: int = 0) -> Yearly:
    def of_year(year: int) -> Days | None:
        if year not in days:
            return None
        first = date(year, *days[year])
        return first, first + timedelta(days=later)

    return of_year


# every language names holidays by these keys; see words_*.py
HOLIDAYS: dict[str, Yearly] = {
    "new_year": fixed(1, 1),
    "epiphany": fixed(1, 6),
    "martin_luther_king": nth(1, 0, 3),
    "australia_day": fixed(1, 26),
    "burns_night": fixed(1, 25),
    "groundhog": fixed(2, 2),
    "candlemas": fixed(2, 2),
    "valentine": fixed(2, 14),
    "presidents": nth(2, 0, 3),
    "womens_day": fixed(3, 8),
    "pi_day": fixed(3, 14),
    "st_patrick": fixed(3, 17),
    "st_joseph": fixed(3, 19),
    "april_fools": fixed(4, 1),
    "earth_day": fixed(4, 22),
    "anzac": fixed(4, 25),
    "kings_day_nl": fixed(4, 27),
    "workers": fixed(5, 1),
    "may_day_uk": nth(5, 0, 1),
    "youth_day_cn": fixed(5, 4),
    "star_wars": fixed(5, 4),
    "cinco_de_mayo": fixed(5, 5),
    "victory_fr": fixed(5, 8),
    "mothers_day": nth(5, 6, 2),
    "mothers_day_es": nth(5, 6, 1),
    "mothers_day_fr": _mothers_day_fr,
    "memorial": nth(5, 0, -1),
    "childrens_day": fixed(6, 1),
    "fathers_day": nth(6, 6, 3),
    "fathers_day_es": fixed(3, 19),
    "juneteenth": fixed(6, 19),
    "midsummer": fixed(6, 24),
    "st_john_eve": fixed(6, 23),
    "fete_musique": fixed(6, 21),
    "canada_day": fixed(7, 1),
    "independence": fixed(7, 4),
    "bastille": fixed(7, 14),
    "swiss_day": fixed(8, 1),
    "assumption": fixed(8, 15),
    "labor": nth(9, 0, 1),
    "teachers_cn": fixed(9, 10),
    "mexico_day": fixed(9, 16),
    "national_cn": fixed(10, 1),
    "unity_de": fixed(10, 3),
    "hispanic": fixed(10, 12),
    "columbus": nth(10, 0, 2),
    "thanksgiving_ca": nth(10, 0, 2),
    "thanksgiving_de": nth(10, 6, 1),
    "reformation": fixed(10, 31),
    "halloween": fixed(10, 31),
    "all_saints": fixed(11, 1),
    "all_souls": fixed(11, 2),
    "guy_fawkes": fixed(11, 5),
    "st_martin": fixed(11, 11),
    "singles_day": fixed(11, 11),
    "veterans": fixed(11, 11),
    "thanksgiving": nth(11, 3, 4),
    "black_friday": nth(11, 3, 4, days_later=1),
    "cyber_monday": nth(11, 3, 4, days_later=4),
    "st_nicholas": fixed(12, 6),
    "constitution_es": fixed(12, 6),
    "immaculate": fixed(12, 8),
    "guadalupe": fixed(12, 12),
    "st_lucia": fixed(12, 13),
    "christmas_eve": fixed(12, 24),
    "christmas": fixed(12, 25),
    "boxing": fixed(12, 26),
    "christmas_days": fixed(12, 25, 26),
    "innocents": fixed(12, 28),
    "new_year_eve": fixed(12, 31),
    "weiberfastnacht": from_easter(-52),
    "carnival_monday": from_easter(-48),
    "shrove_tuesday": from_easter(-47),
    "carnival": from_easter(-52, -47),
    "ash_wednesday": from_easter(-46),
    "palm_sunday": from_easter(-7),
    "holy_week": from_easter(-7, 0),
    "maundy_thursday": from_easter(-3),
    "good_friday": from_easter(-2),
    "holy_saturday": from_easter(-1),
    "easter": from_easter(0),
    "easter_monday": from_easter(1),
    "easter_weekend": from_easter(-2, 1),
    "mothering_sunday": from_easter(-21),
    "ascension": from_easter(39),
    "pentecost": from_easter(49),
    "whit_monday": from_easter(50),
    "corpus_christi": from_easter(60),
    "advent_1": advent(3),
    "advent_2": advent(2),
    "advent_3": advent(1),
    "advent_4": advent(0),
    "chinese_new_year": lunar(1, 1),
    "chinese_new_year_eve": lunar(1, 1, before=1),
    "lantern": lunar(1, 15),
    "dragon_boat": lunar(5, 5),
    "qixi": lunar(7, 7),
    "ghost_festival": lunar(7, 15),
    "mid_autumn": lunar(8, 15),
    "double_ninth": lunar(9, 9),
    "qingming": _qingming,
    "diwali": _table(DIWALI),
    "holi": _table(HOLI),
    "eid_al_fitr": _table(EID_AL_FITR),
    "eid_al_adha": _table(EID_AL_ADHA),
    "ramadan": _table(RAMADAN, later=29),
    "hanukkah": _table(HANUKKAH, later=7),
}
