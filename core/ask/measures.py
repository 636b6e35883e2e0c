"""Measures over a complete set: averages, how long a stay or an event was, and the n-th time of something."""

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from core.ask import phrases
from core.ask.money import Sum, amount_of, summed
from core.counted import counted
from core.records import CapturedMemory, DayRange

_OVERNIGHT = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Stay:
    """Days that follow each other without a gap."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """How many days, both ends counted."""
        return (self.last - self.first).days + 1

    @property
    def spoken(self) -> str:
        """3 days, from 21 March 2025 to 23 March 2025."""
        number = counted(self.days, "day")
        if self.first == self.last:
            return f"{number}, on {phrases.spoken_day(self.first)}"
        return f"{number}, from {phrases.spoken_day(self.first)} to {phrases.spoken_day(self.last)}"


def nth_of(order: str) -> int:
    """2 for `#2`; 0 for every other order."""
    return int(order[1:]) if order.startswith("#") else 0


def nth_place_of(order: str) -> int:
    """2 for `~2`, the second different place; 0 for every other order."""
    return int(order[1:]) if order.startswith("~") else 0


def stays(days: Sequence[date]) -> list[Stay]:
    """The stays that the days make up, oldest first."""
    found: list[Stay] = []
    for day in sorted(set(days)):
        if found and day - found[-1].last <= _OVERNIGHT:
            found[-1] = Stay(found[-1].first, day)
        else:
            found.append(Stay(day, day))
    return found


def visits(days: Sequence[date], members: Sequence[CapturedMemory], nth: int) -> list[CapturedMemory]:
    """The memories of the n-th day; none where there are fewer days."""
    ordered = sorted(set(days))
    return [memory for memory in members if memory.taken.day == ordered[nth - 1]] if nth <= len(ordered) else []


def periods(unit: str, first: date, last: date) -> int:
    """How many calendar days, weeks, months or years the stretch touches."""
    if unit == "month":
        return (last.year - first.year) * 12 + last.month - first.month + 1
    if unit == "year":
        return last.year - first.year + 1
    days = (last - first).days + 1
    return max(1, -(-days // 7)) if unit == "week" else days


def stretch_of(time: DayRange | None, days: Sequence[date], asked_on: date) -> tuple[date, date]:
    """What an average is taken over: the time asked about up to today, else from the first day to the last one."""
    first, last = min(days), max(days)
    if time and time.first_day:
        first = time.first_day
    if time and time.last_day:
        last = max(min(time.last_day, asked_on), first)
    elif time and time.first_day:
        last = max(asked_on, first)
    return first, last


def average(days: Sequence[date], unit: str, time: DayRange | None, asked_on: date) -> tuple[float, str]:
    """Days for each period, and over what that was taken."""
    first, last = stretch_of(time, days, asked_on)
    number = periods(unit, first, last)
    month = f"{calendar.month_name[first.month]} {first.year} to {calendar.month_name[last.month]} {last.year}"
    span = month if unit == "month" else f"{phrases.spoken_day(first)} to {phrases.spoken_day(last)}"
    return round(len(set(days)) / number, 2), f"{counted(number, unit)}, {span}"


def average_amount(members: Sequence[CapturedMemory]) -> tuple[float, str, list[CapturedMemory]] | None:
    """The mean of the totals of receipts in their most frequent currency, in words too; None without any."""
    amounts = [(memory, amount) for memory in members if (amount := amount_of(memory))]
    sums = summed([amount for _, amount in amounts])
    if not sums:
        return None
    held = [(memory, amount) for memory, amount in amounts if amount.currency == sums[0].currency]
    mean = round(sum(amount.number for _, amount in held) / len(held), 2)
    return mean, Sum(mean, sums[0].currency).spoken, [memory for memory, _ in held]
