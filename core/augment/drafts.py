"""What is an event before it has an id? Drafts, how those of two windows become one, and how they come to be events."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from enum import IntEnum

from core.augment.gist import days_text, gist
from core.augment.wording import jaccard, overlap
from core.records import CapturedMemory, Event, EventStatus, Provenance
from core.store import rows
from core.text_keys import text_key

_SAME_MEMBERS = 0.5
_SAME_MEANING = 0.66
_FARTHEST = 2
"""No draft reaches further: a bound on what has to be looked at again when a memory is added."""


class Level(IntEnum):
    """What an event may hold: a trip holds days, a day holds outings."""

    OUTING = 0
    DAY = 1
    TRIP = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A proposed event: a name for some memories, with its reason and its maker. The rest is computed from the members.

    Attributes:
        day: for an event that is only told of, the day it is said to be on, where a day is said.
        reach: how many days may lie between two drafts of one name for them to be one event.
    """

    name: str
    members: tuple[CapturedMemory, ...]
    importance: int
    why: str
    provenance: Provenance
    confidence: float = 0.5
    status: EventStatus = EventStatus.LIVED
    level: Level = Level.OUTING
    day: date | None = None
    reach: int = 0

    @property
    def ids(self) -> frozenset[str]:
        """Ids of the members."""
        return frozenset(memory.id for memory in self.members)


AlikeInMeaning = Callable[[str, str], bool]
"""Whether two names mean the same, by an embedder where there is one."""


def by_words(one: str, other: str) -> bool:
    """Whether two names mean the same, by their words alone; "HCIForum 2024" is "HCI Forum 2024"."""
    is_one_spelling = text_key(one).replace(" ", "") == text_key(other).replace(" ", "")
    return is_one_spelling or overlap(one, other) >= _SAME_MEANING


def merged(drafts: Iterable[Draft], alike: AlikeInMeaning = by_words) -> tuple[list[Draft], list[Draft]]:
    """One draft for each event, and the drafts that only tell of another.

    Drafts are one event when they share half of their members, or mean the same at the same time and place.

    Drafts are compared in pairs as they are, and pairs that are one event are joined (a conference seen in three windows is
    one), so what is far away in time has no say. The earlier draft gives name and reason: the order is the order of trust.
    Names of trips and of what lies inside them are never joined by meaning: a trip and a dinner in the same city share words.
    """
    kept = [_Kept.of(draft) for draft in drafts]
    leader = list(range(len(kept)))

    def led_by(at: int) -> int:
        while leader[at] != at:
            at = leader[at]
        return at

    on_day: dict[int, list[int]] = defaultdict(list)  # a life has too many events to compare each with every other
    for at, new in enumerate(kept):
        for other in sorted({near for day in new.days(_FARTHEST) for near in on_day[day]}):
            first, second = sorted((led_by(at), led_by(other)))
            if first != second and kept[other].touches(new) and _is_same(kept[other], new, alike):
                leader[second] = first
        for day in new.days(0):
            on_day[day].append(at)
    groups: dict[int, list[Draft]] = defaultdict(list)
    for at, each in enumerate(kept):
        groups[led_by(at)].append(each.draft)
    whole = [_joined(group) for _, group in sorted(groups.items())]
    lived = (group for group in groups.values() if any(each.status is EventStatus.LIVED for each in group))
    return whole, [each for group in lived for each in group if each.status is not EventStatus.LIVED]


def _joined(group: Sequence[Draft]) -> Draft:
    """One event of drafts that are one: what was lived gives its memories, what only tells of it gives a reason more."""
    lived = [draft for draft in group if draft.status is EventStatus.LIVED] or list(group)
    first = lived[0]
    if len(group) == 1:
        return first
    members = {each.id: each for draft in lived for each in draft.members}
    why = first.why
    told = [day for draft in group if draft not in lived for each in draft.members if (day := each.taken.day)]
    if told:
        why += f" Also told of on {days_text(min(told), min(told))}."
    importance = max(draft.importance for draft in lived)
    return replace(first, members=_in_time_order(members.values()), importance=importance, why=why)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A draft with what is compared, computed once."""

    draft: Draft
    ids: frozenset[str]
    place: str
    first: int
    last: int

    @classmethod
    def of(cls, draft: Draft) -> "_Kept":
        found = gist(draft.members)
        first, last = (draft.day or (edge.date() if edge else None) for edge in (found.start, found.end))
        return cls(draft, draft.ids, found.place, *(each.toordinal() if each else 0 for each in (first, last)))

    def days(self, around: int) -> range:
        """Ordinals of its days and of those around them; 0 stands for "undated"."""
        return range(self.first - around, self.last + around + 1) if self.first else range(1)

    def touches(self, other: "_Kept") -> bool:
        """Whether the two lie near enough in time to be one."""
        if not self.first or not other.first:
            return self.first == other.first
        near = min(self.draft.reach, other.draft.reach)
        return max(self.first, other.first) - min(self.last, other.last) <= near


def days_of_draft(draft: Draft) -> tuple[date, date] | None:
    """First and last day of a draft; None for an undated one."""
    if draft.day:
        return draft.day, draft.day
    days = [memory.taken.day for memory in draft.members if memory.taken.day]
    return (min(days), max(days)) if days else None


def events_of(drafts: Sequence[Draft], before: Sequence[Event], owner: str) -> list[Event]:
    """Events with ids, inside one another. An event that shares half of its members with one of `before` keeps its id."""
    ids = _ids(drafts, before)
    parents = _parents(drafts)
    events = []
    for at, draft in enumerate(drafts):
        found = gist(draft.members, owner)
        start, end = (datetime.combine(draft.day, time.min),) * 2 if draft.day else (found.start, found.end)
        events.append(
            Event(
                id=ids[at],
                name=draft.name,
                start=start,
                end=end,
                place=found.place,
                summary=found.summary,
                importance=draft.importance,
                parent_id=ids[parents[at]] if at in parents else None,
                member_ids=tuple(memory.id for memory in _in_time_order(draft.members)),
                status=draft.status,
                confidence=draft.confidence,
                why=draft.why,
                provenance=replace(draft.provenance, made_at=rows.now()),
            )
        )
    return events


def _is_same(known: _Kept, new: _Kept, alike: AlikeInMeaning) -> bool:
    """Whether two drafts that lie near each other in time are one event."""
    if known.draft.status is not new.draft.status:
        return max(known.draft.level, new.draft.level) is Level.OUTING and alike(known.draft.name, new.draft.name)
    if known.draft.level is not new.draft.level:
        return False  # a forum that fills most of a trip is still the forum
    if jaccard(known.ids, new.ids) >= _SAME_MEMBERS:
        return True
    if known.draft.level is not Level.OUTING or not _places_agree(known.place, new.place):
        return False
    return alike(known.draft.name, new.draft.name)


def _places_agree(mine: str, theirs: str) -> bool:
    if not mine or not theirs or mine.endswith(theirs) or theirs.endswith(mine):
        return True
    short, long = sorted((mine.split(", ")[0], theirs.split(", ")[0]), key=len)
    return long.startswith(short + " ") and " " in short  # a hall of the fair centre


def _parents(drafts: Sequence[Draft]) -> dict[int, int]:
    """By position: the smallest larger draft that holds all of its members; the earlier one of equals."""
    by_size = sorted(range(len(drafts)), key=lambda at: (len(drafts[at].members), drafts[at].level, -at))
    holding: dict[str, list[int]] = {}
    for at in by_size:
        for memory_id in drafts[at].ids:
            holding.setdefault(memory_id, []).append(at)
    rank = {at: place for place, at in enumerate(by_size)}
    parents = {}
    for at, draft in enumerate(drafts):
        if draft.level is Level.TRIP or draft.status is not EventStatus.LIVED or not draft.members:
            continue
        above = [other for other in holding[draft.members[0].id] if rank[other] > rank[at]]
        fitting = [
            other
            for other in above
            if drafts[other].status is EventStatus.LIVED
            and (
                draft.ids < drafts[other].ids or (drafts[other].level > draft.level and draft.ids == drafts[other].ids)
            )
        ]
        if fitting:
            parents[at] = min(fitting, key=lambda other: rank[other])
    return parents


def _ids(drafts: Sequence[Draft], before: Sequence[Event]) -> list[str]:
    """Ids taken over from the events of the last run, best match first, and new ones for the rest."""
    by_member: dict[str, list[int]] = {}
    for at, event in enumerate(before):
        for member in event.member_ids:
            by_member.setdefault(member, []).append(at)
    matches = []
    for at, draft in enumerate(drafts):
        for old in {old for member in draft.ids for old in by_member.get(member, ())}:
            share = jaccard(draft.ids, before[old].member_ids)
            if share >= _SAME_MEMBERS:
                matches.append((-share, draft.name != before[old].name, before[old].id, at))
    taken: dict[int, str] = {}
    used: set[str] = set()
    for _, _, event_id, at in sorted(matches):
        if at not in taken and event_id not in used:
            taken[at] = event_id
            used.add(event_id)
    return [taken.get(at) or rows.new_id() for at in range(len(drafts))]


def _in_time_order(members: Iterable[CapturedMemory]) -> tuple[CapturedMemory, ...]:
    return tuple(
        sorted(members, key=lambda each: (each.taken.wall is None, str(each.taken.wall or ""), each.public_id))
    )
