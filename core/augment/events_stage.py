"""Which events have to be derived anew? Those that days with changes can reach, found by growing stretches of days.

An event depends on what lies around it only so far: on the moments beside it, on a fortnight for occasions named in words, on
two days without a memory for a journey, on some months for where home is. So a stretch with that much around it gives the
same events as the whole library; it grows until no event sticks out of it (`tests/core/augment` compares the two).
"""

import hashlib
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from core.augment.clocks_stage import look_at_clocks, open_clocks
from core.augment.drafts import AlikeInMeaning, Draft, by_words, days_of_draft, events_of
from core.augment.events import Derived, Stretch, derive, maker
from core.augment.rule_events import NAMING_REACH
from core.augment.shown import ABSORBED, adopt_imported, drop_vectors, is_imported, show_changed
from core.augment.signs import OCCASION_GAP_DAYS
from core.augment.snapshots import event_unpacked, packed, unpacked
from core.augment.taught import accepted_rules, make_no_event
from core.augment.usual import MONTHS_AROUND, Digest, Homes, Seen, digests, first_day, homes_of, month_of, seen
from core.augment.wording import jaccard
from core.jobs import Steps
from core.ports import Interrupted, ModelSet, TextEmbedder
from core.records import Event, EventStatus, Place, Progress, Stage
from core.retrieve.embed import EVENT, embed_missing, event_text, space
from core.store import rows
from core.store.derived import UNDATED
from core.store.library import Library

READER = "events"
_NOTE, HOMES_NOTE, _MONTHS_NOTE, _FAILED_NOTE = "events_input", "home_months", "seen_months", "events_failed"
_USUAL_STRETCH = 300
"""About how many memories have to be read for a day that changed."""
_AROUND = timedelta(days=OCCASION_GAP_DAYS + 2)
_NEAR = timedelta(days=7)
_MOST_ROUNDS = 8
_SAME_MEANING = 0.8
_SAME_MEMBERS = 0.5
_FIRST, _LAST = date.min, date.max


def bring_up_to_date(library: Library, models: ModelSet, interrupted: Interrupted) -> Steps:
    """Derive what changed, show it with the corrections over it, and embed it."""
    days = seen_now = library.derived.changed_days(READER)
    key = _key(library, models)
    is_new = library.stages.note(_NOTE) != key
    total = library.memories.count()
    changed: list[str] = []
    if is_new or days:
        yield Progress(Stage.EVENTS, 0, total)
        run = _Run(library, models, interrupted, _alike(models.text_embedder))
        adopt_imported(library)
        judged = look_at_clocks(library, None if is_new else days)
        days = sorted({*days, *judged})
        run.left_out = left_out(library)
        run.learn_homes(None if is_new else days)
        stretches = _stretches(sorted(_day(day) for day in {*days, *run.moved} - {UNDATED}))
        if is_new or is_quicker_whole(len(stretches), total):
            yield from run.everything()
        else:
            yield from run.around(stretches)
        with library.database.write():
            gone, fresh = run.settled()
            left = show_changed(library, gone, fresh, is_run=True)
            library.stages.set_note(HOMES_NOTE, run.homes.packed())
            library.stages.set_note(_MONTHS_NOTE, packed({str(month): said for month, said in run.months.items()}))
            library.derived.seen_days(READER)
            # a window that failed leaves its days open: the next run asks again, and only for what failed
            library.derived.note_days(READER, run.failed_days())
            had_failed = library.stages.note(_FAILED_NOTE) == "yes"
            library.stages.record_missing(
                Stage.EVENTS, key, run.failed, None if is_new else [*seen_now], had_failed=had_failed
            )
            library.stages.set_note(_FAILED_NOTE, "yes" if run.failed else "")
            library.stages.set_note(_NOTE, key)
        drop_vectors(library, left)
        changed = [event.id for event in fresh]
    if models.text_embedder:
        due = {*changed, *library.derived.events_without_vector(space(models.text_embedder))}
        texts = {event.id: event_text(event) for event in library.events.many(sorted(due))}
        for batch in embed_missing(library, models.text_embedder, EVENT, texts, interrupted):
            yield Progress(Stage.EVENTS, len(batch), len(texts), "meaning")
    yield Progress(Stage.EVENTS, total, total)


@dataclass(slots=True)
class _Run:
    """One run over some stretches of days.

    Attributes:
        moved: days of months whose home is another one now.
    """

    library: Library
    models: ModelSet
    interrupted: Interrupted
    alike: AlikeInMeaning
    homes: Homes = field(default_factory=lambda: Homes({}))
    months: dict[int, Digest] = field(default_factory=dict)
    moved: list[str] = field(default_factory=list)
    left_out: frozenset[str] = frozenset()
    failed: dict[str, str] = field(default_factory=dict)
    _gone: dict[str, Event] = field(default_factory=dict)
    _imported: dict[str, Event] = field(default_factory=dict)
    _drafts: list[Draft] = field(default_factory=list)
    _absorbed: list[Draft] = field(default_factory=list)

    def learn_homes(self, days: Sequence[str] | None) -> None:
        """Find where home is in each month; only around these days, where given."""
        if days is None:
            self.months = digests(_sights(self.library, _FIRST, _LAST))
            self.homes = Homes(homes_of(self.months))
            return
        known = Homes.unpacked(self.library.stages.note(HOMES_NOTE))
        self.months = {int(month): said for month, said in unpacked(self.library.stages.note(_MONTHS_NOTE)).items()}
        changed = {month_of(date.fromisoformat(day)) for day in days if day != UNDATED}
        for month in changed:
            last = first_day(month + 1) - timedelta(days=1)
            said = digests(_sights(self.library, first_day(month), last)).get(month)
            self.months = {each: old for each, old in self.months.items() if each != month} | (
                {month: said} if said else {}
            )
        touched = {each for month in changed for each in range(month - MONTHS_AROUND, month + MONTHS_AROUND + 1)}
        own = {month: home for month, home in known.own.items() if month not in touched} | homes_of(
            self.months, touched
        )
        self.homes = Homes(own)
        if own != known.own:
            all_days = self.library.derived.days_with_memories()
            self.moved = [day for day in all_days if known.at(_day(day)) != self.homes.at(_day(day))]

    def everything(self) -> Generator[Progress, None, None]:
        """Derive all events anew."""
        known = list(map(_event, self.library.derived.events()))
        self._gone = {each.id: each for each in known if not is_imported(each)}
        self._imported = {each.id: each for each in known if is_imported(each)}
        stretch = Stretch(
            self.library.memories.matching(),
            self.library.events.moments(),
            self.homes,
            self.library.stages.note("owner"),
            self.left_out,
        )
        found = yield from self._derive(stretch)
        self._drafts, self._absorbed = found.drafts, found.absorbed

    def around(self, due: list[tuple[date, date]]) -> Generator[Progress, None, None]:
        """Derive the events that these stretches of days can reach."""
        while due:
            first, last = due.pop(0)
            for _ in range(_MOST_ROUNDS):
                old = self._known(first, last)
                found = yield from self._derive(self._stretch(first, last, old))
                spans = [(first, last), *map(_span, old), *map(days_of_draft, (*found.drafts, *found.absorbed))]
                wider = _hull((first, last), spans)
                if wider == (first, last):
                    break
                first, last = wider
            else:
                yield from self.everything()
                return
            self._take((first, last), old, found)
            # what one stretch has settled need not be looked at again by the next
            due = [(max(one, last + timedelta(days=1)), other) for one, other in due if other > last]

    def settled(self) -> tuple[list[str], list[Event]]:
        """Ids of derived events that are gone, and the fresh ones; an event that is as it was is neither."""
        owner = self.library.stages.note("owner")
        imported = list(self._imported.values())
        before = list(self._gone.values())
        fresh = [
            event
            for event in events_of(self._drafts, [each for each in before if not _is_absorbed(each)], owner)
            if not any(jaccard(event.member_ids, known.member_ids) >= _SAME_MEMBERS for known in imported)
        ]
        fresh += [_absorbed_event(draft) for draft in self._absorbed]
        unchanged = [event for event in fresh if event.id in self._gone and _is_as_it_was(event, self._gone[event.id])]
        kept = {event.id for event in unchanged}
        return (
            [each for each in self._gone if each not in kept],
            [event for event in fresh if event.id not in kept],
        )

    def failed_days(self) -> list[str]:
        """Days of memories whose week could not be named by the model."""
        return self.library.derived.days_of(list(self.failed))

    def _derive(self, stretch: Stretch) -> Generator[Progress, None, Derived]:
        found = yield from derive(self.library, self.models.chat, stretch, self.interrupted, self.alike)
        self.failed |= found.failed
        return found

    def _known(self, first: date, last: date) -> list[Event]:
        """Events derived before with a day among these."""
        found = list(map(_event, self.library.derived.events_between(first.isoformat(), last.isoformat())))
        self._imported |= {event.id: event for event in found if is_imported(event)}
        return [event for event in found if not is_imported(event)]

    def _stretch(self, first: date, last: date, old: Sequence[Event]) -> Stretch:
        """The days with as much around them as their events depend on."""
        store = self.library.events
        before = store.days_with_moments(first.isoformat(), NAMING_REACH + 1, later=False)
        after = store.days_with_moments(last.isoformat(), NAMING_REACH + 1, later=True)
        low = min([_moved(first, -_AROUND), *map(_day, before)])
        high = max([_moved(last, _AROUND), *map(_day, after)])
        moments = store.moments_between(low.isoformat(), high.isoformat())
        ids = [member for moment in moments for member in moment.member_ids]
        telling = [member for event in old if event.status is not EventStatus.LIVED for member in event.member_ids]
        return Stretch(
            self.library.memories.many(ids),
            moments,
            self.homes,
            self.library.stages.note("owner"),
            self.left_out,
            self.library.memories.many(telling),
        )

    def _take(self, days: tuple[date, date], old: Sequence[Event], found: Derived) -> None:
        """Replace the events of these days; nothing sticks out of them."""
        self._gone |= {event.id: event for event in old}
        self._drafts += [draft for draft in found.drafts if _meets(days_of_draft(draft), days)]
        self._absorbed += [draft for draft in found.absorbed if _meets(days_of_draft(draft), days)]


def is_quicker_whole(stretches: int, memories: int) -> bool:
    """Whether to derive all events anew instead of those around so many stretches of days."""
    return stretches * _USUAL_STRETCH > memories


def left_out(library: Library) -> frozenset[str]:
    """Ids of memories that make no event: by a rule of the person's, or their clock looks wrong and the person has not spoken."""
    return make_no_event(library) | _with_wrong_clock(library)


def _with_wrong_clock(library: Library) -> frozenset[str]:
    return frozenset(member for clock in open_clocks(library) for member in clock.member_ids)


def _key(library: Library, models: ModelSet) -> str:
    """What events depend on beside the memories."""
    rules = sorted(rule.id for rule in accepted_rules(library))
    read = (maker(models.chat), library.stages.note("owner"), bool(models.text_embedder), rules)
    return hashlib.blake2b(repr(read).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _sights(library: Library, first: date, last: date) -> Iterator[Seen]:
    known: dict[str, Place | None] = {}  # places repeat
    without = _with_wrong_clock(library)
    for memory_id, wall, day_only, place in library.derived.places_seen(first.isoformat(), last.isoformat()):
        if memory_id in without:
            continue
        if place not in known:
            known[place] = rows.place_from(place)
        if (where := known[place]) is not None:
            yield seen(datetime.fromisoformat(wall), where, day_only=day_only)


def _stretches(days: Sequence[date]) -> list[tuple[date, date]]:
    """Days near each other, together: their surroundings would be read twice."""
    found: list[tuple[date, date]] = []
    for day in days:
        if found and day - found[-1][1] <= _NEAR:
            found[-1] = (found[-1][0], day)
        else:
            found.append((day, day))
    return found


def _hull(days: tuple[date, date], spans: Sequence[tuple[date, date] | None]) -> tuple[date, date]:
    """The days grown to hold every span that meets them."""
    first, last = days
    for _ in range(len(spans) + 1):
        meeting = [span for span in spans if span and _meets(span, (first, last))]
        wider = min(span[0] for span in meeting), max(span[1] for span in meeting)
        if wider == (first, last):
            break
        first, last = wider
    return first, last


def _meets(span: tuple[date, date] | None, days: tuple[date, date]) -> bool:
    return span is not None and span[0] <= days[1] and span[1] >= days[0]


def _span(event: Event) -> tuple[date, date] | None:
    return (event.start.date(), event.end.date()) if event.start and event.end else None


def _event(row: Any) -> Event:  # of core.store.derived.DerivedEvent
    return event_unpacked(row.fields)


def _day(text: str) -> date:
    return date.fromisoformat(text)


def _moved(day: date, step: timedelta) -> date:
    """A day some days away, held within the calendar."""
    return date.fromordinal(min(max(day.toordinal() + step.days, 1), _LAST.toordinal()))


def _absorbed_event(draft: Draft) -> Event:
    """What only tells of an event that is shown, as a row that the next run finds."""
    [event] = events_of([draft], [], "")
    member = draft.members[0].id
    named = hashlib.sha256(f"{ABSORBED} {member} {draft.name}".encode()).hexdigest()[:32]
    return replace(event, id=named, provenance=replace(draft.provenance, model_revision=ABSORBED))


def _is_absorbed(event: Event) -> bool:
    return event.provenance is not None and event.provenance.model_revision == ABSORBED


def _is_as_it_was(event: Event, before: Event) -> bool:
    """Whether nothing but the time of making differs."""
    if event.provenance is None or before.provenance is None:
        return False
    made_at = before.provenance.made_at
    return replace(event, provenance=replace(event.provenance, made_at=made_at)) == before


def _alike(embedder: TextEmbedder | None) -> AlikeInMeaning:
    """Whether two names mean the same: by their words, and by their vectors where there is an embedder."""
    if embedder is None:
        return by_words
    known: dict[str, np.ndarray] = {}

    def vector(name: str) -> np.ndarray:
        if name not in known:
            known[name] = embedder.embed_passages([name])[0]
        return known[name]

    def alike(one: str, other: str) -> bool:
        return by_words(one, other) or float(vector(one) @ vector(other)) >= _SAME_MEANING

    return alike
