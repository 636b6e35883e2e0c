"""What lasting statements follow from many memories? Statistics by code, each with its evidence, its reason and a confidence.

Nothing here is about a single picture: two memories on different days are the least, most statements need more.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from core.augment.declared import declared
from core.augment.homes import homes
from core.augment.places import area_key
from core.augment.signs import gathering
from core.augment.wording import overlap
from core.records import CapturedMemory, Knowledge, KnowledgeState, Provenance
from core.store import rows
from core.text_keys import text_key

VERSION = "knowledge-1"
_MOST_EVIDENCE = 50
_HABIT_DAYS, _HABIT_WEEKS = 5, 4
_COMPANION_DAYS, _FAVOURITE_DAYS, _RECEIPTS, _HOME_NIGHTS = 4, 3, 3, 3
_MOST_OF_A_KIND = 8
_SURE = 0.5
_SAME_STATEMENT = 0.75
_WEEKDAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
_ON_EVERY_RECEIPT = (
    "total subtotal sum cash card change tax vat receipt date time thank thanks visit welcome please invoice order table server "
    "amount balance due item items qty price tel phone www com store shop market street road payment visa mastercard customer "
    "copy usd eur gbp eat take away net gross discount member cashier register terminal approved merchant"
)
_NOT_BOUGHT = frozenset(_ON_EVERY_RECEIPT.split())
_DIETS = {
    "lactose-free": "may avoid lactose", "lactose free": "may avoid lactose", "gluten-free": "may avoid gluten",
    "gluten free": "may avoid gluten", "decaf": "may prefer decaf coffee", "oat milk": "may prefer oat milk",
    "soy milk": "may prefer soy milk", "vegan": "may eat vegan", "vegetarian": "may eat vegetarian", "sugar-free": "may avoid sugar",
    "alcohol-free": "may avoid alcohol",
}  # fmt: skip


def infer(memories: Sequence[CapturedMemory], owner: str, before: Sequence[Knowledge]) -> list[Knowledge]:
    """The inferred statements. One that is known by kind and subject keeps its id; one the person decided is not inferred again.

    Args:
        before: every statement of the library, rejected ones included.
    """
    sure = [memory for memory in memories if memory.taken.day and memory.taken.confidence >= _SURE]
    dated = sorted(sure, key=lambda memory: str(memory.taken.wall))
    found = [
        *_homes(dated),
        *_companions(dated, owner),
        *_favourites(dated),
        *_habits(dated),
        *_firsts(dated),
        *_purchases(dated),
    ]
    found += declared(memories)
    decided = [item for item in before if item.state is not KnowledgeState.INFERRED]
    ids = {_about(item): item.id for item in before if item.state is KnowledgeState.INFERRED}
    fresh = [item for item in found if not any(says_the_same(item, known) for known in decided)]
    return [replace(item, id=ids.get(_about(item)) or rows.new_id()) for item in _once(fresh)]


def says_the_same(item: Knowledge, known: Knowledge) -> bool:
    """Whether two statements are one in other words: the same kind and subject, or nearly the same words."""
    if item.subject and known.subject and _about(item) == _about(known):
        return True
    return overlap(item.statement, known.statement) >= _SAME_STATEMENT and _agree(item.subject, known.subject)


def _agree(one: str, other: str) -> bool:
    return not one or not other or text_key(one) == text_key(other)


def _about(item: Knowledge) -> tuple[str, str]:
    return item.kind, text_key(item.subject)


def _once(items: Iterable[Knowledge]) -> list[Knowledge]:
    kept: dict[tuple[str, str], Knowledge] = {}
    for item in items:
        kept.setdefault(_about(item), item)
    return list(kept.values())


def _homes(dated: Sequence[CapturedMemory]) -> Iterator[Knowledge]:
    names = {area_key(m.place): (m.place.city or m.place.region or m.place.label) for m in dated if m.place}
    by_area: dict[str, list[str]] = defaultdict(list)
    years: dict[str, list[int]] = defaultdict(list)
    nights: Counter[str] = Counter()
    own = {year: home for year, home in homes(dated).items() if home.year == year}
    for year, home in sorted(own.items()):
        by_area[home.area] += home.evidence_ids
        years[home.area].append(year)
        nights[home.area] += home.nights
    for area, evidence in by_area.items():
        if nights[area] >= _HOME_NIGHTS:
            span = _years(years[area])
            yield _item(
                "home", names.get(area, area), f"Lived in {names.get(area, area)} ({span}).", evidence,
                0.5 + 0.4 * min(1.0, nights[area] / 30),
                f"{nights[area]} nights and {len(evidence)} days were spent there, more than anywhere else.",
                first=date(years[area][0], 1, 1), last=date(years[area][-1], 12, 31),
            )  # fmt: skip


def _companions(dated: Sequence[CapturedMemory], owner: str) -> Iterator[Knowledge]:
    by_person = _by(dated, lambda memory: memory.people)
    by_person.pop(text_key(owner), None)
    for rank, (name, members) in enumerate(_most_days(by_person, _COMPANION_DAYS)):
        days = _days(members)
        often = "Most often together with" if rank == 0 else "Often together with"
        yield _item(
            "companion", name, f"{often} {name}: on {len(days)} days between {_month(days[0])} and {_month(days[-1])}.", _ids(members),
            min(0.95, 0.5 + len(days) / 40), f"{name} is in {len(members)} memories of {len(days)} days.", days[0], days[-1],
        )  # fmt: skip


def _favourites(dated: Sequence[CapturedMemory]) -> Iterator[Knowledge]:
    by_place = _by(dated, lambda memory: (memory.place.name,) if memory.place else ())
    usual = {
        name
        for name in by_place
        if any(word in ("home", "house", "office", "work", "apartment") for word in name.split())
    }
    for name, members in _most_days(
        {key: value for key, value in by_place.items() if key not in usual}, _FAVOURITE_DAYS
    ):
        days = _days(members)
        yield _item(
            "favourite", name, f"Goes to {name} often: {len(days)} days between {_month(days[0])} and {_month(days[-1])}.", _ids(members),
            min(0.95, 0.5 + len(days) / 30), f"{len(members)} memories of {len(days)} days were taken there.", days[0], days[-1],
        )  # fmt: skip


def _habits(dated: Sequence[CapturedMemory]) -> Iterator[Knowledge]:
    for name, members in _most_days(_by(dated, _done), _HABIT_DAYS):
        days = _days(members)
        weeks = {day.isocalendar()[:2] for day in days}
        if len(weeks) < _HABIT_WEEKS:
            continue
        weekday, most = Counter(day.weekday() for day in days).most_common(1)[0]
        on = f", mostly on {_WEEKDAYS[weekday]}" if most * 2 > len(days) else ""
        subject = name[:1].lower() + name[1:] if not name[1:2].isupper() else name
        yield _item(
            "habit", name, f"Regular activity: {subject}, {_frequency(days)}{on}.", _ids(members), min(0.95, 0.45 + len(days) / 40),
            f"Seen on {len(days)} days in {len(weeks)} weeks.", days[0], days[-1],
        )  # fmt: skip


def _firsts(dated: Sequence[CapturedMemory]) -> Iterator[Knowledge]:
    """The first time of something that was done again later."""
    for name, members in _most_days(_by(dated, _done), _FAVOURITE_DAYS):
        days = _days(members)
        if days[0] - (dated[0].taken.day or days[0]) >= timedelta(days=30) and len(days) >= _FAVOURITE_DAYS:
            yield _item(
                "first", name, f"First time of {name.lower()} in these memories: {days[0].day} {days[0]:%B %Y}.", _ids(members), 0.6,
                f"No earlier memory shows it; {len(days) - 1} later days do.", days[0], None,
            )  # fmt: skip


def _done(memory: CapturedMemory) -> tuple[str, ...]:
    """What was done: labelled activities, else the kind of outing that the memory shows."""
    outing = gathering([memory])
    return memory.activities or ((outing,) if outing else ())


def _purchases(dated: Sequence[CapturedMemory]) -> Iterator[Knowledge]:
    """Pairs of words that come back on receipts of different days; a diet's words give a cautious trait."""
    receipts = [
        memory
        for memory in dated
        if "receipt" in text_key(memory.document.get("kind", "")) or _looks_like_receipt(memory)
    ]
    by_phrase = _by(receipts, lambda memory: _phrases(memory.visible_text))
    for phrase, members in _most_days(by_phrase, _RECEIPTS):
        days = _days(members)
        why = f"“{phrase}” stands on receipts of {len(days)} days."
        yield _item(
            "habit", f"buying {phrase}", f"Buys {phrase} again and again.", _ids(members), 0.6, why, days[0], days[-1]
        )
    for word, trait in _DIETS.items():
        holding = [memory for memory in receipts if word in text_key(memory.visible_text)]
        if len(days := _days(holding)) >= _RECEIPTS:
            why = f"Inferred, not said: “{word}” stands on receipts of {len(days)} days."
            yield _item("trait", word, f"Someone in the household {trait}.", _ids(holding), 0.4, why, days[0], days[-1])


def _looks_like_receipt(memory: CapturedMemory) -> bool:
    shown = text_key(f"{memory.title} {memory.caption} {' '.join(memory.visual_elements)}")
    return "receipt" in shown and bool(memory.visible_text)


def _phrases(text: str) -> list[str]:
    """Pairs of neighbouring words of each line that could be a thing bought."""
    found = []
    for line in text.splitlines():
        tokens = [token.strip(".,:;*()") for token in line.casefold().split()]
        kept = [token for token in tokens if len(token) > 2 and token.replace("-", "").isalpha()]
        if 2 <= len(kept) <= 5 and not any(token in _NOT_BOUGHT for token in kept) and len(kept) < len(tokens):
            found.append(" ".join(kept[:2]))  # a line of goods ends in a price
    return found


def _by(
    memories: Iterable[CapturedMemory], names: Callable[[CapturedMemory], Iterable[str]]
) -> dict[str, tuple[str, list[CapturedMemory]]]:
    """Memories by the key of a name, with the name as it was first written."""
    found: dict[str, tuple[str, list[CapturedMemory]]] = {}
    for memory in memories:
        for name in dict.fromkeys(names(memory)):
            if key := text_key(name):
                found.setdefault(key, (name, []))[1].append(memory)
    return found


def _most_days(
    by_name: Mapping[str, tuple[str, list[CapturedMemory]]], fewest: int
) -> Iterator[tuple[str, list[CapturedMemory]]]:
    ranked = sorted(by_name.items(), key=lambda item: (-len(_days(item[1][1])), item[0]))
    for _, (name, members) in ranked[:_MOST_OF_A_KIND]:
        if len(_days(members)) >= fewest:
            yield name, members


def _days(members: Iterable[CapturedMemory]) -> list[date]:
    return sorted({memory.taken.day for memory in members if memory.taken.day})


def _ids(members: Sequence[CapturedMemory]) -> list[str]:
    """One memory a day first, then the others: the best evidence spans the days."""
    first = {memory.taken.day: memory.id for memory in reversed(members)}
    return list(dict.fromkeys([*reversed(list(first.values())), *(memory.id for memory in members)]))


def _frequency(days: Sequence[date]) -> str:
    weeks = max(1.0, (days[-1] - days[0]).days / 7)
    a_week = len(days) / weeks
    if a_week >= 0.8:
        return "about once a week" if a_week < 1.5 else f"about {round(a_week)} times a week"
    a_month = a_week * 52 / 12
    return (
        "about once a month"
        if a_month < 1.5
        else "about twice a month"
        if a_month < 2.5
        else f"about {round(a_month)} times a month"
    )


def _month(day: date) -> str:
    return f"{day:%B %Y}"


def _years(years: Sequence[int]) -> str:
    return str(years[0]) if years[0] == years[-1] else f"{years[0]}–{years[-1]}"


def _item(
    kind: str,
    subject: str,
    statement: str,
    evidence: Sequence[str],
    confidence: float,
    why: str,
    first: date | None = None,
    last: date | None = None,
) -> Knowledge:
    return Knowledge(
        id="",
        statement=statement,
        kind=kind,
        subject=subject,
        evidence_ids=tuple(dict.fromkeys(evidence))[:_MOST_EVIDENCE],
        valid_from=first,
        valid_to=last,
        confidence=round(confidence, 2),
        why=why,
        provenance=Provenance(f"rule:{kind}", "", VERSION),
    )
