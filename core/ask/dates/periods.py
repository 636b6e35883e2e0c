"""Which days does a named stretch of the calendar cover?"""

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

Days = tuple[date, date]
Yearly = Callable[[int], Days | None]
Lived = Callable[[Days], bool]

# how many years back a yearly day is looked for: 29 February on a given weekday returns only every 28 years
YEARS_BACK = 60
_UNIT_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120}


def month_days(year: int, month: int) -> Days:
    """Every day of a month."""
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def year_days(year: int) -> Days:
    """Every day of a year."""
    return date(year, 1, 1), date(year, 12, 31)


def full_year(number: int) -> int:
    """Read 87 as 1987 and 24 as 2024; a year of four digits stays."""
    if number >= 100:
        return number
    return 2000 + number if number <= 39 else 1900 + number


def add_months(day: date, months: int) -> date:
    """The same day some months later; the last day of a shorter month."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def shift(day: date, unit: str, count: int) -> date:
    """The day `count` units later (earlier when negative)."""
    if unit in _UNIT_MONTHS:
        return add_months(day, _UNIT_MONTHS[unit] * count)
    return day + timedelta(days={"week": 7, "weekend": 7, "fortnight": 14, "hour": 0}.get(unit, 1) * count)


def unit_around(day: date, unit: str, week_starts: int) -> Days:
    """The calendar unit that holds the day; for a weekend, the one of its week."""
    if unit in ("week", "weekend", "fortnight"):
        first = day - timedelta(days=(day.weekday() - week_starts) % 7)
        if unit == "weekend":
            saturday = first + timedelta(days=(5 - week_starts) % 7)
            return saturday, saturday + timedelta(days=1)
        return first, first + timedelta(days=6)
    if unit == "month":
        return month_days(day.year, day.month)
    if unit in ("quarter", "half"):
        size = _UNIT_MONTHS[unit]
        first_month = (day.month - 1) // size * size + 1
        return date(day.year, first_month, 1), month_days(day.year, first_month + size - 1)[1]
    if unit == "year":
        return year_days(day.year)
    if unit == "decade":
        first_year = day.year // 10 * 10
        return date(first_year, 1, 1), date(first_year + 9, 12, 31)
    return day, day


def latest(yearly: Yearly, asked_on: date, lived: Lived | None = None) -> Days | None:
    """The latest reading that has begun by the day of asking: people ask about what they have lived.

    Args:
        lived: whether there is a memory of some days; of readings that have begun the latest with one is then taken, if any has.
    """
    begun = (
        days
        for year in range(asked_on.year, max(0, asked_on.year - YEARS_BACK), -1)
        if (days := yearly(year)) and days[0] <= asked_on
    )
    first = next(begun, None)
    if lived is None or first is None or lived(first):
        return first
    return next((days for days in begun if lived(days)), first)


def latest_over(yearly: Yearly, asked_on: date) -> Days | None:
    """The latest reading that was over before the day of asking ("last summer")."""
    for year in range(asked_on.year, max(0, asked_on.year - YEARS_BACK), -1):
        days = yearly(year)
        if days and days[1] < asked_on:
            return days
    return None


def earliest_after(yearly: Yearly, day: date) -> Days | None:
    """The first reading that begins after a day."""
    for year in range(day.year - 1, day.year + 9):
        days = yearly(year)
        if days and days[0] > day:
            return days
    return None


def month_yearly(month: int) -> Yearly:
    """A month of any year."""
    return lambda year: month_days(year, month)


def day_yearly(month: int, day: int) -> Yearly:
    """A day of any year that has it."""
    return days_yearly(month, day, day)


def days_yearly(month: int, first: int, last: int) -> Yearly:
    """Days of one month, of any year that has them; a range that runs backwards has no reading."""

    def of_year(year: int) -> Days | None:
        size = monthrange(year, month)[1]
        if not 1 <= first <= last <= size:
            return None
        return date(year, month, first), date(year, month, last)

    return of_year


def season_yearly(season: int, hemisphere: str) -> Yearly:
    """A season (0 is spring) by whole months; a season over New Year belongs to the year it begins in."""
    first_month = ((2 + season * 3) + (6 if hemisphere == "south" else 0)) % 12 + 1

    def of_year(year: int) -> Days:
        first = date(year, first_month, 1)
        return first, add_months(first, 3) - timedelta(days=1)

    return of_year


def months_yearly(first_month: int, last_month: int) -> Yearly:
    """Whole months of any year."""
    return lambda year: (date(year, first_month, 1), month_days(year, last_month)[1])


def part_of(days: Days, grain: str, part: str) -> Days:
    """The start, middle or end of a stretch.

    A month has three parts (as the Chinese calendar divides it); a year is halved, because "the end of the year" is
    said of autumn too; anything else is cut in three.
    """
    first, last = days
    if grain == "month":
        cut = {"start": (1, 10), "mid": (11, 20), "end": (21, last.day)}[part]
        return first.replace(day=cut[0]), first.replace(day=cut[1])
    if grain == "year":
        months = {"start": (1, 6), "mid": (4, 9), "end": (7, 12)}[part]
        return months_yearly(*months)(first.year) or days
    if grain == "decade":
        years = {"start": (0, 3), "mid": (4, 6), "end": (7, 9)}[part]
        return date(first.year + years[0], 1, 1), date(first.year + years[1], 12, 31)
    size = (last - first).days + 1
    third = max(1, size // 3)
    if part == "start":
        return first, first + timedelta(days=third - 1)
    if part == "end":
        return last - timedelta(days=third - 1), last
    return first + timedelta(days=(size - 1) // 3), last - timedelta(days=(size - 1) // 3)


def nth_unit(days: Days, unit: str, nth: int, week_starts: int, count: int = 1) -> Days | None:
    """The nth (-1 is the last) unit, or `count` of them, inside a stretch.

    A week belongs to the stretch that holds its middle day, so that the first week of a month is a whole week.
    """
    if unit == "week" and count > 1:
        return _days_at_edge(days, 7 * count, nth) if nth in (1, -1) else None
    pieces = _pieces(days, unit, week_starts)
    start = nth - 1 if nth > 0 else len(pieces) - count
    if not start >= 0 or start + count > len(pieces):
        return None
    return pieces[start][0], pieces[start + count - 1][1]


def _days_at_edge(days: Days, count: int, nth: int) -> Days | None:
    first, last = days
    if (last - first).days + 1 < count:
        return None
    return (first, first + timedelta(days=count - 1)) if nth > 0 else (last - timedelta(days=count - 1), last)


def _pieces(days: Days, unit: str, week_starts: int) -> list[Days]:
    first, last = days
    probe = {"week": 3, "weekend": 5 - week_starts}.get(unit, 0)
    pieces: list[Days] = []
    day = first
    while day <= last:
        piece = unit_around(day, unit, week_starts)
        anchor = piece[0] + timedelta(days=3) if unit == "week" else piece[0]
        if probe == 0 or first <= anchor <= last:
            pieces.append(piece)
        day = piece[1] + timedelta(days=1)
        if unit == "weekend":
            day = piece[0] + timedelta(days=7)
    return _with_last_week(pieces, days, week_starts) if unit == "week" else pieces


def _with_last_week(pieces: list[Days], days: Days, week_starts: int) -> list[Days]:
    return pieces or [unit_around(days[0], "week", week_starts)]


def nth_weekday(days: Days, weekday: int, nth: int) -> Days | None:
    """The nth (-1 is the last) Monday, Tuesday … of a stretch."""
    first, last = days
    if nth > 0:
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    else:
        day = last - timedelta(days=(last.weekday() - weekday) % 7)
    return (day, day) if first <= day <= last else None


def weekday_before(day: date, weekday: int) -> date:
    """The latest such weekday before the day itself."""
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)


def long_weekend(day: date) -> Days:
    """The free days around a holiday: its weekend, bridged when the holiday is a day or two away from it."""
    before, after = {0: (2, 0), 1: (3, 0), 2: (0, 0), 3: (0, 3), 4: (0, 2), 5: (0, 1), 6: (1, 0)}[day.weekday()]
    return day - timedelta(days=before), day + timedelta(days=after)
