"""Answers that code computes over the complete set; where words cannot decide what belongs to it, the model judges candidates."""

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from core.ask.compute import Computed, Frame, compute
from core.ask.evidence import line_of, words_held
from core.ask.gather import gather
from core.ask.phrases import conditions
from core.ask.plan import Plan, members
from core.ask.prompts import judge_prompt, pick_prompt
from core.ask.replies import read_judgement, read_pick
from core.ask.turn import Draft, Turn, not_found
from core.counted import counted
from core.errors import ReplyError
from core.records import AskStep, CapturedMemory, Intent, Outcome, ValueType
from core.retrieve.match_words import words_of

MOST_JUDGED = 12
_COMPANIONS = re.compile(
    r"\b(?:with (?:me|us)|(?:was|were|been) there|came along|come along|joined|accompan\w+)\b", re.IGNORECASE
)
_SURE, _FITTING, _JUDGED, _PICKED = 0.95, 0.85, 0.55, 0.55


def answer(turn: Turn, plan: Plan) -> Generator[AskStep, None, Draft | None]:
    """The computed answer; None where this question turns out to be about the content of one memory."""
    content = plan.understood.content
    held = members(turn.library, plan, content)
    if content and not held:
        return (yield from _by_meaning(turn, plan))
    if (
        not content
        and not plan.names_something
        and not plan.query.time
        and plan.query.intent in (Intent.WHERE, Intent.WHEN)
    ):
        return None
    if content and plan.query.intent is Intent.COUNT and not plan.query.unit and turn.talk.is_able:
        return None  # "how many horses did we ride": the number is in the caption, not in the calendar
    yield AskStep(doing=f"Looking through {counted(len(held), 'memory')}")
    computed = _compute(turn, plan, held, content)
    asks_companions = _COMPANIONS.search(plan.query.question)
    if computed is None or (
        plan.query.intent is Intent.WHO and content and not computed.is_found and not asks_companions
    ):
        return None  # "whose business card": the name stands in the picture, not in its people
    if computed.support:
        yield AskStep(pictures=turn.note_retrieved(computed.support, "counted"))
    return _draft(turn, plan, computed, held, _FITTING if content else _SURE)


def _compute(turn: Turn, plan: Plan, held: Sequence[CapturedMemory], content: Sequence[str]) -> Computed | None:
    library = turn.library
    said = conditions(plan.query, plan.understood.place_groups, content)
    around = replace(plan.scope, people=plan.query.people, without_people=plan.query.without_people)
    frame = Frame(
        query=plan.query,
        members=held,
        around=lambda: library.memories.matching(around),
        place_groups=plan.understood.place_groups,
        said=said,
        owner=library.stages.note("owner"),
    )
    return compute(frame)


def _draft(turn: Turn, plan: Plan, computed: Computed, held: Sequence[CapturedMemory], confidence: float) -> Draft:
    total = counted(turn.library.memories.count(), "memory")
    searched = f"{counted(len(held), 'memory').capitalize()}{_said(plan)} of {total}."
    if not computed.is_found:
        return not_found(computed.text, searched, computed.how)
    return Draft(
        outcome=Outcome.ANSWERED,
        text=computed.text,
        value=computed.value,
        value_type=computed.value_type,
        cited=computed.support,
        confidence=confidence,
        how=computed.how,
        searched=searched,
    )


def _by_meaning(turn: Turn, plan: Plan) -> Generator[AskStep, None, Draft | None]:
    """No memory holds all the words: candidates by meaning, judged one by one for counts and sets, one picked for the rest."""
    yield AskStep(doing="Searching by meaning")
    gathered = gather(turn, plan, MOST_JUDGED)
    evidence = replace(gathered.evidence, memories=_asked_about(turn, plan, gathered.evidence.memories))
    candidates = list(evidence.memories)[:MOST_JUDGED]
    if not candidates:
        return _nothing(turn, plan)
    yield AskStep(pictures=tuple(memory.id for memory in candidates))
    is_about_one = plan.query.intent in (Intent.WHEN, Intent.WHERE, Intent.WHO)
    if not turn.talk.is_able:
        best = next(
            (
                memory
                for memory in candidates
                if words_held(memory, plan.understood.content) > len(plan.understood.content) // 2
            ),
            None,
        )
        if best is None or not is_about_one:
            return _nothing(turn, plan)
        return _read_from(turn, plan, best, "Read from the memory that holds most of the words")
    try:
        if is_about_one:
            return _picked(turn, plan, evidence.lines(plan.query.question, turn.talk.evidence_lines), candidates)
        return (yield from _judged(turn, plan, candidates))
    except ReplyError:
        return None


def _asked_about(turn: Turn, plan: Plan, memories: Sequence[CapturedMemory]) -> tuple[CapturedMemory, ...]:
    """Those within the time and selection of the question: what knowledge and relations brought along may lie elsewhere."""
    asked = set(turn.library.memories.ids_matching(plan.scope))
    return tuple(memory for memory in memories if memory.id in asked)


def _picked(turn: Turn, plan: Plan, lines: Sequence[str], candidates: Sequence[CapturedMemory]) -> Draft:
    """The model points at the memory meant; day, place and people are then read from that memory by code."""
    handle = turn.talk.ask(pick_prompt(plan.query.question, lines), read_pick)
    number = int(handle[1:]) - 1 if handle else -1
    if not 0 <= number < len(candidates) or not words_held(candidates[number], plan.understood.content):
        return _nothing(turn, plan)  # a small model rather picks something than nothing
    return _read_from(
        turn, plan, candidates[number], "The language model picked the memory; its facts were read by code"
    )


def _read_from(turn: Turn, plan: Plan, memory: CapturedMemory, how: str) -> Draft:
    """Day, place or people of one memory."""
    computed = _compute(turn, plan, [memory], ())
    if computed is None or not computed.is_found:
        return _nothing(turn, plan)
    value = computed.value
    if computed.value_type is ValueType.SET and isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    return Draft(outcome=Outcome.ANSWERED, text=computed.text, value=value, value_type=computed.value_type, cited=(memory.id,),
                 confidence=_PICKED, how=how)  # fmt: skip


def _nothing(turn: Turn, plan: Plan) -> Draft:
    total = counted(turn.library.memories.count(), "memory").capitalize()
    return not_found(f"I found nothing about that{_said(plan)}.", f"{total}, by words and by meaning.")


def _judged(turn: Turn, plan: Plan, candidates: Sequence[CapturedMemory]) -> Generator[AskStep, None, Draft | None]:
    wanted = " ".join((*plan.query.activities, *plan.query.objects)) or " ".join(plan.understood.content)
    words = words_of(wanted)
    kept: list[CapturedMemory] = []
    for number, memory in enumerate(candidates, start=1):
        yield AskStep(doing=f"Judging picture {number} of {len(candidates)}")
        if turn.talk.ask(judge_prompt(wanted, line_of(memory, words)), read_judgement):
            kept.append(memory)
    if not kept:
        return not_found(
            f"I found nothing that shows “{wanted}”{_said(plan)}.",
            f"The {len(candidates)} closest memories, one by one.",
        )
    kept.sort(key=lambda memory: (memory.taken.wall is None, memory.taken.wall))
    computed = _compute(turn, plan, kept, plan.understood.content)
    if computed is None:
        return None
    how = f"The language model judged {len(candidates)} candidates and kept {len(kept)}. {computed.how}"
    return replace(_draft(turn, plan, computed, kept, _JUDGED), how=how)


def _said(plan: Plan) -> str:
    return conditions(plan.query, plan.understood.place_groups)
