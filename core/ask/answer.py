"""Answers a question: understand, plan, compute what code can, let the model phrase or judge the rest, check, and remember the turn."""

import json
from collections.abc import Generator
from dataclasses import asdict, replace

from core.ask import (
    actions,
    age,
    agent,
    answer_computed,
    answer_text,
    attended,
    compare,
    digest,
    kin_answer,
    known_facts,
    persona,
    told_days,
    unclear,
)
from core.ask.augment_query import Understood, augment
from core.ask.choose import choose
from core.ask.follow_up import last_asked, query_text
from core.ask.heard_at import heard_at
from core.ask.phrases import conditions, listed
from core.ask.plan import COMPUTED, Plan, make_plan
from core.ask.talk import Talk
from core.ask.tools import PictureLoader
from core.ask.turn import Draft, Turn, not_found
from core.ports import Interrupted, ModelSet
from core.records import Answer, AskStep, Citation, Intent, Outcome, Question
from core.retrieve.serving import serving_embedder
from core.store.library import Library
from core.store.transcripts import transcript_in
from core.text_keys import printable

Drafting = Generator[AskStep, None, Draft]


def ask(
    library: Library,
    models: ModelSet,
    question: Question,
    interrupted: Interrupted,
    load_picture: PictureLoader | None = None,
) -> Generator[AskStep, None, Answer]:
    """Answer one question, yielding what is being done and the pictures found so far; the turn is stored at the end.

    Raises:
        JobCancelled: interrupted while a model was at work; nothing of the turn is stored.
    """
    turn = Turn(
        library,
        serving_embedder(library, models),
        Talk(models.chat, interrupted),
        question,
        models.image_embedder,
        models.captioner,
        load_picture,
    )
    yield AskStep(doing="Reading the question")
    understood = augment(library, question, turn.talk, last_asked(library, question.conversation_id))
    plan = make_plan(library, question, understood)
    draft = yield from _draft(turn, plan)
    answer = _finished(turn, plan, draft)
    conversation = question.conversation_id or library.conversations.begin()
    answer = replace(answer, conversation_id=conversation)
    library.conversations.add(
        conversation, understood.query.question, query_text(understood.query), _answer_text(answer)
    )
    yield AskStep(pictures=tuple(citation.memory_id for citation in answer.citations))
    return answer


def _draft(turn: Turn, plan: Plan) -> Drafting:
    early = _without_looking(plan.understood) or actions.answer(turn, plan)
    if early is not None:
        return early
    if turn.question.with_agent and turn.talk.is_able and not turn.question.options:
        looked_up = yield from agent.answer(turn, plan)
        if looked_up is not None:
            return looked_up
    draft = yield from _directly(turn, plan)
    if not turn.trace and agent.is_due(turn, draft) and not turn.question.options:
        looked_up = yield from agent.answer(turn, plan)
        if looked_up is not None and looked_up.outcome is Outcome.ANSWERED:
            return looked_up
    return draft


def _directly(turn: Turn, plan: Plan) -> Drafting:
    """By code, and by the model where it phrases, picks or judges."""
    query = plan.query
    if not turn.question.options:
        special = unclear.answer(turn, plan) or age.answer(turn, plan)
        if special is not None:
            return special
    if not turn.question.options and (told := told_days.answer(turn, plan)) is not None:
        return told
    about_people = kin_answer.answer(turn, plan) or known_facts.answer(turn, plan)
    if about_people is not None and not turn.question.options:
        return about_people
    if turn.question.options:
        return (yield from choose(turn, plan))
    for rule in (compare.with_both, persona.answer, attended.answer, digest.answer, unclear.amounts_differ):
        if (told := rule(turn, plan)) is not None:
            return told
    compared = yield from compare.answer(turn, plan)
    if compared is not None:
        return compared
    if query.intent in COMPUTED:
        draft = yield from answer_computed.answer(turn, plan)
        if draft is not None:
            return draft
    return (yield from answer_text.answer(turn, plan))


def _without_looking(understood: Understood) -> Draft | None:
    """The outcomes that need no search: nothing asked, a command, a name nobody knows, a name several people have."""
    query = understood.query
    if not any(char.isalnum() for char in query.question):
        text = "I did not find a question in that. Ask, for example, “When was I last at the harbour?”"
        return Draft(outcome=Outcome.NEEDS_DETAIL, text=text)
    if query.intent is Intent.COMMAND:
        return None
    if query.unknown_names and query.intent is not Intent.CHOICE:
        names = listed([f"“{name}”" for name in query.unknown_names], "or")
        return not_found(
            f"I found nothing in your library that names {names}.", f"All names, places and texts, for {names}."
        )
    if understood.unclear and query.intent is not Intent.CHOICE:
        text = f"That name fits several people: {listed(understood.unclear, 'or')}. Whom do you mean?"
        return Draft(outcome=Outcome.AMBIGUOUS, text=text, readings=understood.unclear)
    return None


def _finished(turn: Turn, plan: Plan, draft: Draft) -> Answer:
    """The answer with the guarantees every one has: only retrieved memories are cited, and none where nothing was found."""
    shows = draft.outcome in (Outcome.ANSWERED, Outcome.AMBIGUOUS) or draft.proposal is not None
    cited = [memory_id for memory_id in dict.fromkeys(draft.cited) if memory_id in turn.retrieved] if shows else []
    talk = turn.talk
    return Answer(
        outcome=draft.outcome,
        text=printable(draft.text),
        value=draft.value if draft.outcome is Outcome.ANSWERED else None,
        value_type=draft.value_type,
        explanation=draft.explanation,
        citations=tuple(Citation(memory_id, _why(turn, memory_id, draft)) for memory_id in cited),
        confidence=round(draft.confidence, 2) if shows else 0.0,
        found_by=_found_by(turn, plan, draft),
        searched=draft.searched,
        readings=draft.readings,
        trace=turn.trace,
        proposal=draft.proposal,
        model=talk.name,
        seconds=round(turn.seconds(), 3),
        first_pictures_s=round(turn.first_pictures_s, 3) if turn.first_pictures_s is not None and cited else None,
        prompt_tokens=talk.prompt_tokens,
        fresh_prompt_tokens=talk.fresh_prompt_tokens,
        completion_tokens=talk.completion_tokens,
    )


def _why(turn: Turn, memory_id: str, draft: Draft) -> str:
    """Why a memory is cited, and at what time of it the words of question and answer are said."""
    why = turn.retrieved[memory_id]
    said = heard_at(transcript_in(turn.library.memories.values(memory_id)), f"{turn.question.text} {draft.text}")
    return "; ".join(part for part in (why, f"said at {said.clock}" if said else "") if part)


def _found_by(turn: Turn, plan: Plan, draft: Draft) -> str:
    """One line: what was understood, how it was computed, and what could not be used."""
    query = plan.query
    events = [f"{query.event_relation} {event.name}" for event in turn.library.events.many(query.event_ids)]
    understood = " ".join([conditions(query, plan.understood.place_groups).strip(), *events]).strip()
    parts = [f"Understood: {query.intent.value}{f' ({query.order})' if query.order else ''} {understood}".strip() + "."]
    parts += [
        part if part.endswith(".") else f"{part}."
        for part in (*query.notes, plan.note, draft.how, *dict.fromkeys(turn.limits))
        if part
    ]
    if turn.talk.failure:
        parts.append(f"The language model could not be used: {turn.talk.failure}")
    if turn.embedder is None:
        parts.append("Searched by words only, because no model for meaning is installed.")
    return " ".join(parts)


def _answer_text(answer: Answer) -> str:
    return json.dumps(asdict(answer), default=str, ensure_ascii=False)
