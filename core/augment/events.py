"""How do moments become named events? The language model where there is one, rules everywhere else, and who says so."""

import hashlib
import json
import logging
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from core.augment import prompts
from core.augment.drafts import AlikeInMeaning, Draft, by_words, merged
from core.augment.gist import gist
from core.augment.model_names import is_at_home_and_elsewhere, well_said
from core.augment.moments import in_order
from core.augment.occasions import Occasion, occasion
from core.augment.rule_events import (
    NAMED_REACH,
    VERSION,
    announced_drafts,
    is_meal_at_home,
    is_outing,
    named_drafts,
    outing_drafts,
    outing_name,
    told_drafts,
    trip_drafts,
)
from core.augment.usual import Homes
from core.augment.windows import Window, windows
from core.errors import ModelError, ReplyError
from core.ports import ChatModel, Interrupted, Reply
from core.records import CapturedMemory, EventStatus, Moment, Progress, Provenance, Stage
from core.store.library import Library
from core.text_keys import text_key

log = logging.getLogger(__name__)

_SMALL_B = 3.0
_HARDLY = 0.3
"""Below this a time is that of a file, which a copy sets anew: old pictures copied today are no event of today."""
_TOGETHER_WITHIN = timedelta(days=3)
_MEANWHILE = timedelta(days=1)


@dataclass(slots=True)
class Derived:
    """What one run found.

    Attributes:
        absorbed: what only tells of one of the drafts, kept so that it is found again when that one changes.
        failed: by the id of a memory, why the model could not name its week; its events have names by rule.
        calls, cached: replies asked for now and taken from earlier runs.
        refused: names the model gave that its members do not bear out.
    """

    drafts: list[Draft] = field(default_factory=list)
    absorbed: list[Draft] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    refused: list[str] = field(default_factory=list)


def maker(chat: ChatModel | None) -> str:
    """What names events now; a part of the stage's input."""
    asked = f"{chat.model_id}@{chat.revision} {prompts.VERSION}" if chat else "rule"
    return f"{asked} {VERSION}"


@dataclass(frozen=True, slots=True)
class Stretch:
    """What events are derived from: a stretch of days with what lies around it, or the whole library.

    Attributes:
        memories: dated ones in time order; ids in `left_out` make no event (a wrong clock, a rule of the person's).
        telling: memories from anywhere that tell of an event in the stretch.
    """

    memories: Sequence[CapturedMemory]
    moments: Sequence[Moment]
    homes: Homes
    owner: str
    left_out: frozenset[str] = frozenset()
    telling: Sequence[CapturedMemory] = ()


def derive(
    library: Library,
    chat: ChatModel | None,
    stretch: Stretch,
    interrupted: Interrupted,
    alike: AlikeInMeaning = by_words,
) -> Generator[Progress, None, Derived]:
    """Find events; yields after each window. Every reply is kept, so a run that is stopped goes on where it was."""
    memories = [
        each for each in stretch.memories if each.id not in stretch.left_out and each.taken.confidence >= _HARDLY
    ]
    by_id = {memory.id: memory for memory in memories}
    occasions = [occasion(moment, by_id, stretch.homes, stretch.owner) for moment in stretch.moments]
    occasions = [each for each in occasions if each.members]
    trips = trip_drafts(memories, stretch.homes)
    telling = {memory.id: memory for memory in (*stretch.memories, *stretch.telling)}
    told = told_drafts(in_order(telling.values()))
    named, by_sign = named_drafts(memories, occasions), announced_drafts(memories)
    derived = Derived()
    by_model = (yield from _ask(library, chat, occasions, interrupted, derived)) if chat else []
    lived = [_by_sign(draft, named) for draft in by_model if draft.status is EventStatus.LIVED]
    told += [draft for draft in by_model if draft.status is not EventStatus.LIVED]
    covered = frozenset().union(*(draft.ids for draft in (*lived, *named, *by_sign)))
    settled = frozenset(each.id for each in occasions if covered & set(each.member_ids))
    by_rule = outing_drafts(occasions, settled)
    derived.drafts, derived.absorbed = merged(
        [*_trips_named(trips, lived), *named, *by_sign, *lived, *by_rule, *told], alike
    )
    return derived


def _by_sign(draft: Draft, named: Sequence[Draft]) -> Draft:
    """A model's group that holds most of an occasion that signs name is that occasion, and the signs name it better."""
    for occasion_named in named:
        holds_most = len(draft.ids & occasion_named.ids) * 2 >= len(occasion_named.ids)
        if holds_most and _lies_around(draft, occasion_named):
            return replace(draft, name=occasion_named.name)
    return draft


def _lies_around(draft: Draft, occasion_named: Draft) -> bool:
    mine, theirs = gist(draft.members), gist(occasion_named.members)
    if mine.start is None or mine.end is None or theirs.start is None or theirs.end is None:
        return False
    first, last = theirs.start.date() - _MEANWHILE, theirs.end.date() + _MEANWHILE
    return first <= mine.start.date() and mine.end.date() <= last


def _trips_named(trips: Sequence[Draft], lived: list[Draft]) -> list[Draft]:
    """Trips, with the model's name where it has seen most of one and says that it was a journey."""
    found = []
    for trip in trips:
        for draft in lived:
            share = len(draft.ids & trip.ids) / len(trip.ids)
            if share >= 0.5 and "trip" in draft.name.casefold() and draft.ids <= trip.ids:
                trip = replace(trip, name=draft.name, provenance=draft.provenance, why=f"{trip.why} {draft.why}")
                break
        found.append(trip)
    lived[:] = [draft for draft in lived if not any(_retells(draft, trip) for trip in found)]
    return found


def _retells(draft: Draft, trip: Draft) -> bool:
    """Whether a draft is only a piece of a trip under the trip's name."""
    return "trip" in draft.name.casefold().split() and len(draft.ids & trip.ids) * 2 > len(draft.ids)


def _ask(
    library: Library, chat: ChatModel, occasions: Sequence[Occasion], interrupted: Interrupted, derived: Derived
) -> Generator[Progress, None, list[Draft]]:
    due = windows(occasions, _most_moments(chat))
    drafts: list[Draft] = []
    began = time.monotonic()
    for done, window in enumerate(due):
        left = (time.monotonic() - began) / derived.calls * (len(due) - done) if derived.calls else None
        yield Progress(Stage.EVENTS, done, len(due), f"week of {window.first_day.isoformat()}", left)
        drafts += _window_drafts(library, chat, window, interrupted, derived)
    yield Progress(Stage.EVENTS, len(due), len(due))
    return drafts


def _most_moments(chat: ChatModel) -> int:
    """A larger model may read a longer week."""
    return prompts.MOST_MOMENTS if _is_small(chat) else prompts.MOST_MOMENTS * 2


def _is_small(chat: ChatModel) -> bool:
    return chat.parameters_b < _SMALL_B


def _window_drafts(
    library: Library, chat: ChatModel, window: Window, interrupted: Interrupted, derived: Derived
) -> list[Draft]:
    """Ask about one window; one that fails is tried once more in two halves, and then noted, never lost."""
    try:
        return _drafts(library, chat, window, interrupted, derived)
    except (ModelError, ReplyError) as first:
        log.info("a week could not be named at first: %s", type(first).__name__)
    middle = (len(window.occasions) + 1) // 2
    drafts: list[Draft] = []
    for half in (window.occasions[:middle], window.occasions[middle:]):
        try:
            if half:
                drafts += _drafts(library, chat, replace(window, occasions=half), interrupted, derived)
        except (ModelError, ReplyError) as error:
            reason = f"The week of {window.first_day.isoformat()} was named by rule: {error.message}"
            derived.failed[half[0].members[0].id] = reason
    return drafts


def _drafts(
    library: Library, chat: ChatModel, window: Window, interrupted: Interrupted, derived: Derived
) -> list[Draft]:
    if not prompts.fits(window.occasions, chat):
        raise ReplyError("The week is too dense for the language model's context.")
    prompt = prompts.window_prompt(window.occasions)
    said = [prompt.system, prompt.user, prompt.version, prompt.grammar, chat.model_id, chat.revision]
    key = "events " + hashlib.sha256(json.dumps(said).encode()).hexdigest()
    known = library.stages.cached_reply(key)
    reply = Reply(known, complete=True) if known is not None else chat.complete(prompt, interrupted=interrupted)
    derived.cached += known is not None
    derived.calls += known is None
    derived.prompt_tokens += reply.prompt_tokens
    derived.completion_tokens += reply.completion_tokens
    if not reply.complete:
        raise ReplyError("The language model's answer about a week was cut off.", retryable=True)
    found = prompts.read_reply(reply.text, window.occasions, is_small=_is_small(chat))
    if known is None:  # only what could be read is kept: another try may do better
        library.stages.cache_reply(key, reply.text, reply.prompt_tokens, reply.completion_tokens)
    derived.refused += found.refused
    return _believed(found, Provenance(chat.model_id, chat.revision, prompts.VERSION), is_small=_is_small(chat))


def _believed(reply: prompts.WindowReply, made: Provenance, *, is_small: bool) -> list[Draft]:
    drafts = []
    for group in reply.groups:
        occasions = _coherent(group.occasions)
        if not prompts.is_borne_out(group.name, occasions, is_small=is_small):
            group = replace(group, name="")  # it was of moments that do not belong here
        if len(occasions) == 1 and not is_outing(occasions[0]):
            continue  # an activity that stands alone stays an atomic context
        if all(map(is_meal_at_home, occasions)):
            continue  # and so do the meals of many days
        if len(occasions) == 1 and not group.name:
            continue  # the rules name it
        members = tuple(memory for each in occasions for memory in each.members)
        strongest = max(occasions, key=lambda each: each.worth)
        name = well_said(group.name, occasions) if group.name else outing_name(strongest, {})[0]
        days = len({memory.taken.day for memory in members})
        drafts.append(
            Draft(
                name=name,
                members=members,
                importance=min(group.importance, 2) if days == 1 else group.importance,
                why=f"The language model {'named' if group.name else 'joined'} these: {gist(members).summary}",
                provenance=made,
                confidence=0.6,
                reach=NAMED_REACH,
            )
        )
    for mention in reply.mentions:
        drafts.append(
            Draft(
                name=mention.name,
                members=mention.occasion.members,
                importance=1,
                why="Its name stands in the text of these memories.",
                provenance=made,
                confidence=0.4,
                status=mention.status,
                reach=NAMED_REACH,
            )
        )
    return drafts


def _coherent(occasions: Sequence[Occasion]) -> list[Occasion]:
    """The moments of a group that have something in common with another one: people, a place, or telling words.

    Small models like to join whatever the week holds.
    """
    if len(occasions) == 1:
        return list(occasions)
    tied = [each for each in occasions if any(_have_in_common(each, other) for other in occasions if other is not each)]
    return tied or [max(occasions, key=lambda each: each.worth)]


def _have_in_common(one: Occasion, other: Occasion) -> bool:
    people = {text_key(name) for name in one.people} & {text_key(name) for name in other.people}
    same_place = bool(one.place) and text_key(one.place) == text_key(other.place)
    things = [
        {text_key(thing) for each in side.members for thing in (*each.activities, *each.visual_elements)}
        for side in (one, other)
    ]
    if abs(one.start - other.start) > _TOGETHER_WITHIN or is_at_home_and_elsewhere(one, other):
        return False
    return same_place or bool(people and things[0] & things[1]) or len(things[0] & things[1]) >= 2
