"""What is an event before it has an id? Drafts, how those of two windows become one, and how they come to be events."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from core.augment.gist import Gist, gist
from core.augment.wording import jaccard, overlap
from core.records import CapturedMemory, Event, EventStatus, Provenance
from core.store import rows

_SAME_MEMBERS = 0.5
_SAME_MEANING = 0.66
_NEAR = timedelta(days=2)
_MENTIONED_WITHIN = timedelta(days=120)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A proposed event: a name for some memories, with its reason and its maker. The rest is computed from the members."""

    name: str
    members: tuple[CapturedMemory, ...]
    importance: int
    why: str
    provenance: Provenance
    confidence: float = 0.5
    status: EventStatus = EventStatus.LIVED
    is_trip: bool = False

    @property
    def ids(self) -> frozenset[str]:
        """Ids of the members."""
        return frozenset(memory.id for memory in self.members)


AlikeInMeaning = Callable[[str, str], bool]
"""Whether two names mean the same, by an embedder where there is one."""


def by_words(one: str, other: str) -> bool:
    """Whether two names mean the same, by their words alone."""
    return overlap(one, other) >= _SAME_MEANING


def merged(drafts: Iterable[Draft], alike: AlikeInMeaning = by_words) -> list[Draft]:
    """One draft for each event: those that share half of their members, or mean the same at the same time and place.

    The earlier draft gives name and reason, so the order is the order of trust. Names of trips and of what lies inside them
    are never merged by meaning: a trip and a dinner in the same city share words. An event that is only mentioned adds
    nothing to one that was lived: its memories were taken elsewhere.
    """
    kept: list[_Kept] = []
    on_day: dict[int, list[int]] = defaultdict(list)  # a life has too many events to compare each with every other
    for draft in drafts:
        new = _Kept.of(draft)
        candidates = sorted({at for day in new.days(new.reach) for at in on_day[day]})
        known = next((at for at in candidates if kept[at].may_touch(new) and _is_same(kept[at], new, alike)), None)
        if known is None:
            known = len(kept)
            kept.append(new)
        elif draft.status is kept[known].draft.status:
            kept[known] = kept[known].joined(draft)
        for day in kept[known].days(timedelta(0)):
            if known not in on_day[day]:
                on_day[day].append(known)
    return [each.draft for each in kept]


@dataclass(frozen=True, slots=True)
class _Kept:
    """A draft with what is compared, computed once."""

    draft: Draft
    ids: frozenset[str]
    gist: Gist

    @classmethod
    def of(cls, draft: Draft) -> "_Kept":
        return cls(draft, draft.ids, gist(draft.members))

    def joined(self, other: Draft) -> "_Kept":
        members = _in_time_order({each.id: each for each in (*self.draft.members, *other.members)}.values())
        importance = max(self.draft.importance, other.importance)
        return _Kept.of(replace(self.draft, members=members, importance=importance))

    @property
    def reach(self) -> timedelta:
        """How far around it the same event may be told of; a mention may be months from what it mentions."""
        return _NEAR if self.draft.status is EventStatus.LIVED else _MENTIONED_WITHIN

    def days(self, around: timedelta) -> range:
        """Ordinals of its days and of those around them; 0 stands for "undated"."""
        if self.gist.start is None or self.gist.end is None:
            return range(1)
        return range((self.gist.start - around).toordinal(), (self.gist.end + around).toordinal() + 1)

    def may_touch(self, other: "_Kept") -> bool:
        """Whether the two lie near enough in time to be one."""
        mine, theirs = self.gist, other.gist
        if mine.start is None or mine.end is None or theirs.start is None or theirs.end is None:
            return mine.start is theirs.start
        return max(mine.start, theirs.start) - min(mine.end, theirs.end) <= max(self.reach, other.reach)


def events_of(drafts: Sequence[Draft], before: Sequence[Event], owner: str) -> list[Event]:
    """Events with ids, inside one another. An event that shares half of its members with one of `before` keeps its id."""
    ids = _ids(drafts, before)
    parents = _parents(drafts)
    events = []
    for at, draft in enumerate(drafts):
        found = gist(draft.members, owner)
        events.append(
            Event(
                id=ids[at],
                name=draft.name,
                start=found.start,
                end=found.end,
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
        return not known.draft.is_trip and alike(known.draft.name, new.draft.name)
    if known.draft.is_trip is not new.draft.is_trip:
        return False  # a forum that fills most of a trip is still the forum
    if jaccard(known.ids, new.ids) >= _SAME_MEMBERS:
        return True
    if known.draft.is_trip or not _places_agree(known.gist.place, new.gist.place):
        return False
    return alike(known.draft.name, new.draft.name)


def _places_agree(mine: str, theirs: str) -> bool:
    return not mine or not theirs or mine == theirs or mine.endswith(theirs) or theirs.endswith(mine)


def _parents(drafts: Sequence[Draft]) -> dict[int, int]:
    """By position: the smallest larger draft that holds all of its members; the earlier one of equals."""
    by_size = sorted(range(len(drafts)), key=lambda at: (len(drafts[at].members), drafts[at].is_trip, -at))
    holding: dict[str, list[int]] = {}
    for at in by_size:
        for memory_id in drafts[at].ids:
            holding.setdefault(memory_id, []).append(at)
    rank = {at: place for place, at in enumerate(by_size)}
    parents = {}
    for at, draft in enumerate(drafts):
        if draft.is_trip or draft.status is not EventStatus.LIVED or not draft.members:
            continue
        above = [other for other in holding[draft.members[0].id] if rank[other] > rank[at]]
        fitting = [
            other
            for other in above
            if drafts[other].status is EventStatus.LIVED
            and (draft.ids < drafts[other].ids or (drafts[other].is_trip and draft.ids == drafts[other].ids))
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
    for _, _, event_id, at in sorted(matches):
        if at not in taken and event_id not in taken.values():
            taken[at] = event_id
    return [taken.get(at) or rows.new_id() for at in range(len(drafts))]


def _in_time_order(members: Iterable[CapturedMemory]) -> tuple[CapturedMemory, ...]:
    return tuple(
        sorted(members, key=lambda each: (each.taken.wall is None, str(each.taken.wall or ""), each.public_id))
    )
