"""Which weeks does the language model look at? Seven days every four, anchored to the calendar, over moments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from core.augment.occasions import Occasion

_WINDOW_DAYS = 7
_STEP_DAYS = 4
_FEWEST = 2
_TELLING = 1.0
_WORTH_A_LOOK = 3


@dataclass(frozen=True, slots=True)
class Window:
    """Some moments of one week, in time order; a dense week is several windows."""

    first_day: date
    occasions: tuple[Occasion, ...]


def windows(occasions: Sequence[Occasion], most: int) -> list[Window]:
    """The windows worth a model's time, each of at most this many moments; a moment of mere routine is in none.

    Anchored to the calendar, so that a memory added later changes only the windows that hold its day. A window of one moment,
    of nothing but routine, or wholly inside the window before it is left out: code names what is in it.
    """
    by_window: dict[date, list[Occasion]] = {}
    telling = (each for each in occasions if each.worth >= _TELLING)
    for occasion in sorted(telling, key=lambda each: (each.start, each.id)):
        for first_day in windows_of_day(occasion.start.date()):
            by_window.setdefault(first_day, []).append(occasion)
    found: list[Window] = []
    seen: frozenset[str] = frozenset()
    for first_day in sorted(by_window):
        held = by_window[first_day]
        ids = frozenset(each.id for each in held)
        inside = ids <= seen or any(
            ids < {other.id for other in by_window.get(first_day + timedelta(days=step), ())} for step in (_STEP_DAYS,)
        )
        if len(held) >= _FEWEST and not inside and sum(each.worth for each in held) >= _WORTH_A_LOOK:
            found += [Window(first_day, part) for part in _parts(held, most)]
            seen = ids
    return found


def windows_of_day(day: date) -> list[date]:
    """The first days of the windows that hold a day."""
    offset = day.toordinal() % _STEP_DAYS
    return [day - timedelta(days=back) for back in range(offset, _WINDOW_DAYS, _STEP_DAYS)]


def _parts(held: Sequence[Occasion], most: int) -> list[tuple[Occasion, ...]]:
    """A dense week in parts of nearly equal size."""
    number = -(-len(held) // most)
    size = -(-len(held) // number)
    return [tuple(held[at : at + size]) for at in range(0, len(held), size)]
