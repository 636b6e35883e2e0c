"""Computes answers over the complete set of memories: counts, firsts and lasts, spans, sets, most and least, next and previous."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.ask import phrases
from core.ask.measures import average, average_amount, nth_of, nth_place_of, stays, visits
from core.ask.money import Sum, amount_of, summed
from core.ask.venues import venue_of
from core.counted import counted
from core.records import AugmentedQuery, CapturedMemory, Intent, ValueType
from core.text_keys import text_key

Value = int | float | str | tuple[str, ...] | None
_UNSURE_DAY = 0.5
_ON_THE_EDGE = re.compile(
    r"\b(?:on|at|during|in) (?:the|my|our) (?:very )?(?:last|first|latest|most recent)\b", re.IGNORECASE
)
"""Who was with me *on the last hike*: nobody, where nobody was; *whom did I last meet* goes back to the last one who was there."""
_STAYED = re.compile(
    r"\b(?:stay(?:ed|ing)?|sle(?:ep|pt)|lodg\w*|overnight|spend the nights?|check(?:ed)? in)\b", re.IGNORECASE
)
_LODGING = re.compile(
    r"\b(?:hotel|hostel|inn|guest ?house|b&b|bed and breakfast|resort|lodge|motel|airbnb|holiday (?:home|flat)|apartments?|camp ?site|"
    r"pension|gasthof|albergue|ryokan|chalet|hut)\b",
    re.IGNORECASE,
)
"""Where one sleeps: the museum of the same town is no answer to where somebody stayed."""
_CITED = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """An answer that code found.

    Attributes:
        support: memory ids, those that decide first; none when there is nothing.
        is_found: False when there is nothing to say ("when" about something that never was).
        how: what was counted over what.
    """

    value: Value
    value_type: ValueType
    text: str
    support: tuple[str, ...] = ()
    is_found: bool = True
    how: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A question with its complete set, oldest first.

    Attributes:
        members: every memory that fulfils the conditions.
        around: every memory of the time asked about, also those elsewhere: for what came next.
        said: the conditions in words, beginning with a blank.
        owner: whose library it is; never their own companion.
    """

    query: AugmentedQuery
    members: Sequence[CapturedMemory]
    around: Callable[[], Sequence[CapturedMemory]]
    place_groups: Sequence[Sequence[str]]
    said: str
    owner: str


def compute(frame: Frame) -> Computed | None:
    """The computed answer, or None when this question's answer is not a matter of computing."""
    rule = _RULES.get(frame.query.intent)
    if nth_place := nth_place_of(frame.query.order):
        return _at_nth_place(frame, nth_place)
    nth = nth_of(frame.query.order)
    if rule is None or not nth:
        return rule(frame) if rule else None
    days = list(on_days(frame.members))
    chosen = visits(days, frame.members, nth)
    if not chosen:
        return _nothing(ValueType.DATE, f"I found it only on {counted(len(days), 'day')}{frame.said}.")
    computed = rule(replace(frame, members=chosen, query=replace(frame.query, order="")))
    how = f"Took day {nth} of {len(days)} in time order"
    return replace(computed, how=f"{how}; {computed.how}" if computed.how else how) if computed else None


def _at_nth_place(frame: Frame, nth: int) -> Computed | None:
    """What is asked about the n-th different place, in the order of first visits."""
    rule, unit = _RULES.get(frame.query.intent), frame.query.unit
    level = unit if unit in ("cities", "countries") else "places"
    held = _grouped([memory for memory in frame.members if memory.taken.day], lambda memory: (spot(memory, level),))
    if rule is None:
        return None
    if nth > len(held):
        return _nothing(ValueType.TEXT, f"I found {counted(len(held), 'place')}{frame.said}, no more.")
    order = "" if unit == "people" else "first"
    there = held[list(held)[nth - 1]]
    computed = rule(replace(frame, members=there, query=replace(frame.query, order=order)))
    how = f"Took place {nth} of {len(held)} in the order of first visits"
    return replace(computed, how=f"{how}; {computed.how}" if computed.how else how) if computed else None


def on_days(members: Sequence[CapturedMemory]) -> dict[date, CapturedMemory]:
    """The first memory of each day, oldest first; days that are only guessed (below 0.5) do not count."""
    found: dict[date, CapturedMemory] = {}
    for memory in members:
        day = memory.taken.day
        if day is not None and (memory.taken.confidence >= _UNSURE_DAY or memory.taken.confidence == 0.0):
            found.setdefault(day, memory)
    return dict(sorted(found.items()))


def spot(memory: CapturedMemory, unit: str = "places") -> str:
    """The part of a memory's place that the unit asks for; empty when not known."""
    place = memory.place
    if place is None:
        return venue_of(memory) if unit == "places" else ""
    levels = {"cities": place.city, "countries": place.country, "regions": place.region, "districts": place.district}
    return levels.get(unit, place.name or venue_of(memory) or place.street or place.district or place.city)


def _count(frame: Frame) -> Computed | None:
    unit, members = frame.query.unit, frame.members
    days = on_days(members)
    if unit in ("times", "days", ""):
        text = f"On {counted(len(days), 'day')}{frame.said}." if days else f"Not once{frame.said}."
        return _number(len(days), text, days.values(), f"Counted distinct days over {counted(len(members), 'memory')}")
    if unit == "memories":
        text = f"{counted(len(members), 'picture').capitalize()}{frame.said}."
        return _number(len(members), text, members, "Counted captured memories")
    if unit in ("weeks", "months", "years"):
        keys = {_calendar_key(unit, day): memory for day, memory in reversed(days.items())}
        return _number(
            len(keys),
            f"In {counted(len(keys), unit[:-1])}{frame.said}.",
            keys.values(),
            f"Counted distinct {unit}",
        )
    if unit == "events":
        return None
    if unit.startswith("per_"):
        return _average(frame, unit.removeprefix("per_"), days)
    if unit == "money_average":
        found = average_amount(members)
        if found is None:
            return _nothing(ValueType.NUMBER, f"I found no receipt with an amount{frame.said}.")
        text = f"{found[1]} on average, over {counted(len(found[2]), 'receipt')}{frame.said}."
        return _number(found[0], text, found[2], "Averaged the totals of receipts")
    if unit == "money":
        return _money(frame)
    held = _by_value(frame, unit)
    noun = {"people": "person", "cities": "city", "countries": "country", "regions": "region"}.get(unit, "place")
    names = phrases.listed(list(held)[:12])
    text = f"{counted(len(held), noun).capitalize()}{frame.said}" + (f": {names}." if held else ".")
    return _number(len(held), text, [group[0] for group in held.values()], f"Counted distinct {unit}")


def _average(frame: Frame, period: str, days: Mapping[date, CapturedMemory]) -> Computed:
    if not days:
        return _nothing(ValueType.NUMBER, f"Not once{frame.said}.")
    number, over = average(list(days), period, frame.query.time, frame.query.asked_on)
    text = f"{number:g} times a {period}: on {counted(len(days), 'day')}{frame.said} in {over}."
    return _number(number, text, days.values(), f"Divided distinct days by {period}s")


def _money(frame: Frame) -> Computed:
    amounts = [(memory, amount) for memory in frame.members if (amount := amount_of(memory))]
    sums: list[Sum] = summed([amount for _, amount in amounts])
    if not sums:
        return _nothing(ValueType.NUMBER, f"I found no receipt with an amount{frame.said}.")
    text = f"{phrases.listed([each.spoken for each in sums])} on {counted(len(amounts), 'receipt')}{frame.said}."
    return _number(round(sums[0].total, 2), text, [memory for memory, _ in amounts], "Added up the totals of receipts")


def _when(frame: Frame) -> Computed | None:
    days = on_days(frame.members)
    if not days:
        return _nothing(ValueType.DATE, f"I found nothing{frame.said}.")
    order = frame.query.order
    if not order and len(days) > 1:
        return _all_days(frame, days)
    day, memory = list(days.items())[-1 if order == "last" else 0]
    word = {"last": "The last time was", "first": "The first time was"}.get(order, "It was")
    value, said = _day_in_unit(day, frame.query.unit)
    same_day = [each for each in frame.members if each.taken.day == day]
    how = f"Compared the days of {counted(len(frame.members), 'memory')}"
    return Computed(value=value, value_type=ValueType.DATE, text=f"{word} {said}{_untimed(frame)}.",
                    support=_ids([memory, *same_day]), how=how)  # fmt: skip


def _all_days(frame: Frame, days: Mapping[date, CapturedMemory]) -> Computed:
    said = [phrases.spoken_day(day) for day in days]
    shown = phrases.listed(said) if len(said) <= 8 else f"{', '.join(said[:4])} … {said[-1]}"
    text = f"On {counted(len(days), 'day')}{frame.said}: {shown}."
    value = tuple(day.isoformat() for day in days)
    return Computed(
        value=value,
        value_type=ValueType.SET,
        text=text,
        support=_ids(list(days.values())),
        how="Listed the distinct days",
    )


def _where(frame: Frame) -> Computed | None:
    unit = frame.query.unit
    placed = [memory for memory in frame.members if spot(memory, unit)]
    if unit == "places":  # a hall in Edinburgh says more than Edinburgh
        placed = [memory for memory in placed if not memory.place or spot(memory) != memory.place.city] or placed
    if _STAYED.search(frame.query.question):
        placed = [memory for memory in placed if _LODGING.search(f"{spot(memory)} {memory.environment}")] or placed
    if not placed:
        return _nothing(ValueType.TEXT, f"I found no place{frame.said}.")
    if frame.query.order in ("first", "last"):
        memory = placed[-1 if frame.query.order == "last" else 0]
        text = (
            f"{phrases.quoted(spot(memory, unit))}, on {phrases.spoken_day(memory.taken.day)}."
            if memory.taken.day
            else spot(memory, unit)
        )
        return Computed(
            value=spot(memory, unit),
            value_type=ValueType.TEXT,
            text=text,
            support=(memory.id,),
            how="Took the place of that memory",
        )
    held = _grouped(placed, lambda memory: (spot(memory, unit),))
    return (
        _set(held, f"You were at {{names}}{frame.said}.", "Listed the distinct places")
        if len(held) > 1
        else _one(held, frame)
    )


def _one(held: Mapping[str, Sequence[CapturedMemory]], frame: Frame) -> Computed:
    name, group = next(iter(held.items()))
    text = f"You were at {phrases.quoted(name)}{frame.said}."
    return Computed(value=name, value_type=ValueType.TEXT, text=text, support=_ids(list(on_days(group).values()) or group),
                    how="All of them are at one place")  # fmt: skip


def _who(frame: Frame) -> Computed | None:
    chosen = frame.members
    if frame.query.order in ("first", "last") and chosen and _ON_THE_EDGE.search(frame.query.question):
        wanted = (max if frame.query.order == "last" else min)(on_days(chosen), default=None)
        chosen = [memory for memory in chosen if memory.taken.day == wanted]
    elif frame.query.order in ("first", "last") and chosen:
        days = [day for memory in chosen if _companions(memory, frame) and (day := memory.taken.day)]
        wanted = (max if frame.query.order == "last" else min)(days, default=None)
        chosen = [memory for memory in chosen if memory.taken.day == wanted]
    held = _grouped(chosen, lambda memory: _companions(memory, frame))
    if not held:
        return _nothing(ValueType.SET, f"No one else is named in your memories{frame.said}.")
    return _set(held, f"{{names}} {'was' if len(held) == 1 else 'were'} there{frame.said}.", "Listed the people named")


def _list(frame: Frame) -> Computed | None:
    held = _by_value(frame, frame.query.unit)
    if not held:
        return _nothing(ValueType.SET, f"I found nothing{frame.said}.")
    return _set(held, f"{{names}}{frame.said}.", f"Listed the distinct {frame.query.unit}")


def _most(frame: Frame) -> Computed | None:
    """Most or fewest distinct days; among equals the one with more memories, then the one that was first."""
    unit = frame.query.unit
    if unit in ("weekdays", "months", "years", "days", "weeks"):
        held: dict[str, list[CapturedMemory]] = {}
        for memory in frame.members:
            if memory.taken.day:
                held.setdefault(_calendar_key(unit, memory.taken.day), []).append(memory)
        ranked = [*held.items()]
    else:
        ranked = [*_by_value(frame, unit or "places").items()]
    ranked.sort(key=lambda pair: _size(pair[1], unit))
    if not ranked:
        return _nothing(ValueType.TEXT, f"I found nothing{frame.said}.")
    most = _size(ranked[-1][1], unit)
    name, group = (
        ranked[0] if frame.query.order == "least" else next(each for each in ranked if _size(each[1], unit) == most)
    )
    days = on_days(group)
    equals = (
        [other for other, rivals in ranked if other != name and len(on_days(rivals)) == len(days)]
        if unit != "days"
        else []
    )
    tie = f" ({phrases.listed(equals[:3])} on as many days)" if equals else ""
    text = f"{phrases.quoted(name)}: on {counted(len(days), 'day')}{frame.said}{tie}."
    return Computed(value=name, value_type=ValueType.TEXT, text=text, support=_ids(list(days.values())),
                    how=f"Compared distinct days of {len(ranked)} {unit or 'places'}")  # fmt: skip


def _size(group: Sequence[CapturedMemory], unit: str) -> tuple[int, int]:
    """What most and least compare: distinct days, then memories; of one day only its memories."""
    return 0 if unit == "days" else len(on_days(group)), len(group)


def _duration(frame: Frame) -> Computed | None:
    days = list(on_days(frame.members).items())
    if frame.query.order != "first_last":
        return _stay(frame, days)
    if not days:
        return _nothing(ValueType.NUMBER, f"I found nothing{frame.said}.")
    (first, opening), (last, closing) = days[0], days[-1]
    number = (last - first).days
    divisor = {"weeks": 7, "months": 30.44, "years": 365.25}.get(frame.query.unit, 1)
    value = number if divisor == 1 else round(number / divisor, 1)
    span = f"from {phrases.spoken_day(first)} to {phrases.spoken_day(last)}"
    text = f"{counted(number, 'day').capitalize()}: {span}{_untimed(frame)}."
    return Computed(
        value=value,
        value_type=ValueType.NUMBER,
        text=text,
        support=_ids([opening, closing]),
        how="Subtracted the first day from the last",
    )


def _stay(frame: Frame, days: Sequence[tuple[date, CapturedMemory]]) -> Computed | None:
    """How long a stay at a place was; several stays are all told, and the last one counts where "last" was asked."""
    if not frame.query.places or not days:
        return None
    held = stays([day for day, _ in days])
    chosen = held[0 if frame.query.order == "first" else -1]
    others = [stay for stay in held if stay != chosen and not frame.query.order]
    hours = _hours([memory for memory in frame.members if memory.taken.day == chosen.first])
    text = f"{chosen.spoken.capitalize()}{hours if chosen.days == 1 else ''}{_untimed(frame)}."
    if others:
        text += f" Before that: {phrases.listed([stay.spoken for stay in others[-4:]])}."
    support = [memory for day, memory in days if chosen.first <= day <= chosen.last]
    return Computed(value=chosen.days, value_type=ValueType.NUMBER, text=text, support=_ids(support),
                    how="Joined the days that follow each other")  # fmt: skip


def _hours(members: Sequence[CapturedMemory]) -> str:
    walls = [memory.taken.wall for memory in members if memory.taken.wall and not memory.taken.day_only]
    if len(walls) < 2 or max(walls) == min(walls):
        return ""
    return f", {counted(round((max(walls) - min(walls)).seconds / 60), 'minute')} between first and last picture"


def _neighbour(frame: Frame) -> Computed | None:
    """The next or previous place on the way through the day, counted from the last visit where no day was asked for."""
    is_next = frame.query.intent is Intent.NEXT
    here = {text_key(name) for group in frame.place_groups for name in group}
    way = [memory for memory in frame.around() if spot(memory) and memory.taken.wall]
    inside = [any(text_key(part) in here for part in _parts(memory)) for memory in way]
    if not any(inside):
        return _nothing(ValueType.TEXT, f"I found no visit{frame.said}.")
    at = len(inside) - 1 - inside[::-1].index(True) if is_next else inside.index(True)
    if frame.query.time is None and not is_next:  # the way to the last visit
        at = len(inside) - 1 - inside[::-1].index(True)
        while at > 0 and inside[at - 1] and way[at - 1].taken.day == way[at].taken.day:
            at -= 1
    step = at + 1 if is_next else at - 1
    if not 0 <= step < len(way):
        when = "after" if is_next else "before"
        return _nothing(ValueType.TEXT, f"I have nothing from {when} that visit{frame.said}.")
    found = way[step]
    when = f" at {found.taken.wall:%H:%M}" if found.taken.wall and not found.taken.day_only else ""
    text = (
        f"{phrases.quoted(spot(found))}, on {phrases.spoken_day(found.taken.wall.date())}{when}."
        if found.taken.wall
        else spot(found)
    )
    return Computed(value=spot(found), value_type=ValueType.TEXT, text=text, support=(found.id, way[at].id),
                    how=f"Took the {'next' if is_next else 'previous'} place in time order")  # fmt: skip


_RULES: Mapping[Intent, Callable[[Frame], Computed | None]] = {
    Intent.COUNT: _count,
    Intent.WHEN: _when,
    Intent.WHERE: _where,
    Intent.WHO: _who,
    Intent.LIST: _list,
    Intent.MOST: _most,
    Intent.DURATION: _duration,
    Intent.NEXT: _neighbour,
    Intent.PREVIOUS: _neighbour,
}


def _parts(memory: CapturedMemory) -> tuple[str, ...]:
    place = memory.place
    return (place.name, place.street, place.district, place.city, place.region, place.country) if place else ()


def _by_value(frame: Frame, unit: str) -> dict[str, list[CapturedMemory]]:
    if unit == "people":
        return _grouped(frame.members, lambda memory: _companions(memory, frame))
    return _grouped(frame.members, lambda memory: (spot(memory, unit),))


def _grouped(
    members: Sequence[CapturedMemory], values: Callable[[CapturedMemory], Sequence[str]]
) -> dict[str, list[CapturedMemory]]:
    """Memories by value; spellings with one key are one value, shown as first met."""
    shown: dict[str, str] = {}
    held: dict[str, list[CapturedMemory]] = {}
    for memory in members:
        for value in values(memory):
            if text_key(value):
                held.setdefault(shown.setdefault(text_key(value), value), []).append(memory)
    return held


def _companions(memory: CapturedMemory, frame: Frame) -> tuple[str, ...]:
    """The people of a memory, without the owner and those the question names already."""
    left_out = {text_key(frame.owner), *(text_key(name) for name in frame.query.people)}
    return tuple(name for name in memory.people if text_key(name) not in left_out)


def _set(held: Mapping[str, Sequence[CapturedMemory]], template: str, how: str) -> Computed:
    names = sorted(held, key=text_key)
    support = [memory for group in held.values() for memory in list(on_days(group).values())[:3] or group[:1]]
    text = template.replace("{names}", phrases.listed([phrases.quoted(name) for name in names]))
    return Computed(value=tuple(names), value_type=ValueType.SET, text=text, support=_ids(support), how=how)


def _number(value: float, text: str, support: Iterable[CapturedMemory], how: str) -> Computed:
    return Computed(value=value, value_type=ValueType.NUMBER, text=text, support=_ids(list(support)), how=how)


def _nothing(kind: ValueType, text: str) -> Computed:
    return Computed(value=None, value_type=kind, text=text, is_found=False)


def _ids(memories: Sequence[CapturedMemory]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(memory.id for memory in memories))[:_CITED]


def _untimed(frame: Frame) -> str:
    """The conditions without the time, which the sentence says itself."""
    time = f" {phrases.spoken_range(frame.query.time)}" if frame.query.time else ""
    return frame.said.replace(time, "", 1) if time.strip() else frame.said


def _calendar_key(unit: str, day: date) -> str:
    return {
        "weekdays": f"{day:%A}",
        "months": f"{day:%Y-%m}",
        "years": str(day.year),
        "weeks": f"{day.isocalendar().year}-W{day.isocalendar().week:02}",
    }.get(unit, day.isoformat())


def _day_in_unit(day: date, unit: str) -> tuple[str, str]:
    """The value and the words of a day as a date, a month, a year or a weekday."""
    if unit == "months":
        return f"{day:%Y-%m}", f"{day:%B %Y}"
    if unit == "years":
        return str(day.year), str(day.year)
    if unit == "weekdays":
        return f"{day:%A}", f"a {day:%A}, {phrases.spoken_day(day)}"
    return day.isoformat(), phrases.spoken_day(day)
