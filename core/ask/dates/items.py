"""What does the grammar of dates see of a text?

A text becomes a row of items; each has a one-letter code, and the rules of the grammar are regular expressions over the
row of codes. The codes:

    n number       o ordinal       y year of four digits    M month           j word that may be a month ("may")
    W weekday      k maybe one     K several weekdays       U unit of time    S season      h maybe one ("fall")
    R today …      D known days    Y days of any year       L last, this …    E start, mid, end (of)
    g ago          G ago (before the number)                J earlier         F day and month in digits
    B between      f from          t to                     e until           s since       z since (behind)
    b before       a after         q before (behind)        r after (behind)  c and         p 's
    O of           A article       i in, during             l on, at          I for, over, around
    T time of day  C clock time    v every                  N photos …        m my          w when I was
    d birthday     u years old     P my twenties            H halves (first half)
    V when I turned  Z a child …      K … of the week      X hours found  ! set phrase  Q a year earlier
    4 that week …    5 between     6 the eve of     7 the day after   8 with (age)    9 at some age
    , - / . as they are            ; other mark             x other word
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from core.ask.dates.periods import Days, Lived, Yearly

Span = tuple[date | None, date | None]


@dataclass(frozen=True, slots=True)
class Item:
    """A word, or a group of words that has been understood.

    Attributes:
        start, end: where it stands in the text.
        number: of numbers, months, weekdays, and how far back a "last" goes.
        name: the unit, the part, the kind of "last"; of days, how long they are (day, week, month, year …).
    """

    code: str
    start: int = 0
    end: int = 0
    number: int = 0
    name: str = ""
    span: Span | None = None
    yearly: Yearly | None = None
    hours: tuple[int, int] | None = None
    weekdays: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a text is read against."""

    asked_on: date
    language: str
    born: date | None = None
    hemisphere: str = "north"
    week_starts: int = 0
    lived: Lived | None = None


Build = Callable[[Setting, tuple[Item, ...]], Item | None]


def first_of(items: tuple[Item, ...], codes: str) -> Item:
    """The first item with one of the codes; the rule's pattern guarantees that there is one."""
    return next(item for item in items if item.code in codes)


def last_of(items: tuple[Item, ...], codes: str) -> Item:
    """The last item with one of the codes; the rule's pattern guarantees that there is one."""
    return next(item for item in reversed(items) if item.code in codes)


def all_of(items: tuple[Item, ...], codes: str) -> tuple[Item, ...]:
    """Every item with one of the codes."""
    return tuple(item for item in items if item.code in codes)


def known(days: Days | None, name: str) -> Item | None:
    """Days that are settled, as an item; None when there are none."""
    return None if days is None else Item("D", span=days, name=name)


def any_year(yearly: Yearly, name: str) -> Item:
    """Days of any year, as an item."""
    return Item("Y", yearly=yearly, name=name)
