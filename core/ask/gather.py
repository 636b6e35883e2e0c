"""Gathers the evidence for a question that meaning decides: memories and knowledge, best first."""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from core.ask.evidence import Evidence
from core.ask.plan import Plan
from core.ask.question_forms import kinds_in
from core.ask.turn import Turn
from core.ask.walk import walked
from core.records import CapturedMemory, Found, Intent, Knowledge, MemoryFilter
from core.retrieve.embed import KNOWLEDGE, index_of
from core.retrieve.fuse import Ranked, fuse
from core.retrieve.match_words import words_of
from core.retrieve.search import limits_of, listing, search

_STATEMENT_CLOSE = 0.5
_STATEMENTS = 2
_FROM_GRAPH = 4
_NAMED_WEIGHT = 0.25
"""How much the search narrowed to the named people and places counts beside the one that is not; captions often leave them out."""
_BEFORE, _AFTER = timedelta(days=14), timedelta(days=30)
_SEQUENCE = re.compile(
    r"\b(?:later|after|afterwards?|before|until|next|then|subsequent\w*|follow\w*|previous\w*|prior|since|ultimate\w*|final\w*|"
    r"eventually|reason|why|led|lead|caused?|because|result\w*|prepar\w*|plan\w*|trigger\w*|attribut\w*|how many days|purpose|"
    r"progress|completed?|outcome|impact)\b",
    re.IGNORECASE,
)
"""Words of questions whose answer may lie before or after the time they name: what led to it, what came of it."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a search for a question found."""

    found: tuple[Found, ...]
    evidence: Evidence


def gather(turn: Turn, plan: Plan, k: int = 24) -> Gathered:
    """Search by the question's statement within its time; people and places named come first but are no condition.

    Captions seldom repeat who and where, and place names vary in spelling, so a strict filter would lose evidence; computed
    answers use the strict one.
    """
    found = find(turn, plan, k)
    turn.note_retrieved([each.memory_id for each in found])
    memories = turn.library.memories.many([each.memory_id for each in found])
    known = _knowledge(turn, plan, memories)
    if plan.understood.kin:
        known = [*_by_relations(turn, plan, memories), *known]
    return Gathered(tuple(found), Evidence(tuple(memories), tuple(known)))


def is_exact(plan: Plan) -> bool:
    """Whether time, people, places, events and kinds say all of what to look for: "my screenshots", "the photos at grandma's"."""
    is_find = plan.query.intent is Intent.FIND
    is_named = bool(plan.scope.kinds) or (is_find and (plan.names_something or plan.query.time is not None))
    return is_named and all(kinds_in(word) for word in plan.understood.content)


def _by_relations(turn: Turn, plan: Plan, memories: list[CapturedMemory]) -> list[Knowledge]:
    """What the life graph says; the pictures it was read from come first where it does not suffice."""
    reached = walked(turn, plan)
    evidence = [each for item in reached.statements for each in item.evidence_ids[:2]]
    known = {memory.id for memory in memories}
    wanted = [each for each in dict.fromkeys([*reached.memory_ids, *evidence]) if each not in known]
    turn.note_retrieved(wanted, "reached by relations")
    fetched = turn.library.memories.many(wanted)
    memories[:] = (
        [*fetched[:_FROM_GRAPH], *memories, *fetched[_FROM_GRAPH:]] if not reached.suffices else [*memories, *fetched]
    )
    return list(reached.statements[:_STATEMENTS])


def find(turn: Turn, plan: Plan, k: int) -> list[Found]:
    """The k best memories for a question (see `gather`).

    Where the question tells a sequence ("noticed on 5 April; how many days later …"), places left over go to the weeks around its time.
    """
    found = _in_time(turn, plan, k)
    if len(found) < k and plan.query.intent is not Intent.FIND and _SEQUENCE.search(plan.query.question):
        around = _around(turn, plan)
        if around is not None:
            known = {each.memory_id for each in found}
            text = plan.query.search_text or plan.query.question
            more = search(turn.library, turn.embedder, text, around, k, turn.eyes)
            found += [
                replace(each, why=f"near the time asked about; {each.why}")
                for each in more
                if each.memory_id not in known
            ]
    return found[:k]


def _around(turn: Turn, plan: Plan) -> MemoryFilter | None:
    """The weeks around the time of a question, never after the day of asking; None without a time."""
    time = plan.query.time
    first, last = (time.first_day or time.last_day, time.last_day or time.first_day) if time else (None, None)
    if first is None or last is None:
        return None
    begin, end = max(first, date.min + _BEFORE) - _BEFORE, min(last, date.max - _AFTER) + _AFTER
    return replace(
        plan.scope,
        ids=turn.question.within,
        first_day=begin,
        last_day=max(min(end, plan.query.asked_on), begin),
        hours=None,
        weekdays=(),
    )


def _in_time(turn: Turn, plan: Plan, k: int) -> list[Found]:
    library, embedder, text = turn.library, turn.embedder, plan.query.search_text or plan.query.question
    if is_exact(plan):
        return listing(library, plan.exact, k)
    if limit := limits_of(library, text, plan.scope):
        turn.limits.append(limit)
    open_hits = search(library, embedder, text, plan.scope, k, turn.eyes)
    if plan.exact == plan.scope:
        return open_hits
    named = search(library, embedder, text, plan.exact, k, turn.eyes)
    whys = {each.memory_id: each.why for each in [*open_hits, *named]}
    ranked = fuse(
        [Ranked([each.memory_id for each in open_hits], 1.0), Ranked([each.memory_id for each in named], _NAMED_WEIGHT)]
    )
    return [Found(memory_id, round(score, 4), whys[memory_id]) for memory_id, score in ranked[:k]]


def _knowledge(turn: Turn, plan: Plan, memories: list[CapturedMemory]) -> list[Knowledge]:
    """Statements close in meaning that have evidence among what was found, or are about the whole life."""
    everything = turn.library.knowledge.all()
    if not everything:
        return []
    if turn.embedder is None:
        asked = set(words_of(plan.query.question))
        close = [item for item in everything if len(asked & set(words_of(item.statement))) >= 2]
        return close[:_STATEMENTS]
    vector = turn.embedder.embed_query(plan.query.statement[:2_000]).reshape(-1)
    near = index_of(turn.library, turn.embedder, KNOWLEDGE).nearest(vector, _STATEMENTS)
    wanted = {each.owner_id for each in near if each.similarity >= _STATEMENT_CLOSE}
    chosen = [item for item in everything if item.id in wanted]
    extra = [each for item in chosen for each in item.evidence_ids[:3]]
    known = {memory.id for memory in memories}
    for memory in turn.library.memories.many([each for each in dict.fromkeys(extra) if each not in known]):
        memories.append(memory)
        turn.note_retrieved([memory.id], "evidence of a known fact")
    return chosen
