"""Answers a question with given options: code rules out what the evidence speaks least of, the model picks among the rest."""

import re
from collections.abc import Generator
from dataclasses import replace

from core.ask.evidence import Evidence, said_in
from core.ask.gather import find, gather
from core.ask.plan import Plan, make_plan
from core.ask.prompts import choice_prompt
from core.ask.replies import read_letter
from core.ask.turn import Draft, Turn, not_found
from core.ask.weigh_options import weigh
from core.errors import ReplyError
from core.records import AskStep, Outcome, ValueType
from core.retrieve.match_words import words_of
from core.retrieve.search import search

_PER_OPTION = 2
_FROM_QUESTION = 7
_CHOSEN, _NEAREST = 0.6, 0.35
_FAR_BEHIND = 0.5  # of `weigh`: about one option wholly said in the best memory, and another half of it
_ALL_WORDS = 400
_MOST_OPTIONS = 8


def choose(turn: Turn, plan: Plan) -> Generator[AskStep, None, Draft]:
    """The letter of the best option, with the memories that speak for it."""
    yield AskStep(doing="Searching for what speaks for each option")
    options = turn.question.options[:_MOST_OPTIONS]
    evidence = _evidence(turn, plan, options)
    if not evidence.memories and plan.query.time:  # one option is right, so a time that leaves nothing was misread
        timeless = replace(plan.understood, query=replace(plan.query, time=None))
        evidence = _evidence(turn, make_plan(turn.library, turn.question, timeless), options)
    if not evidence.memories:
        return not_found(
            "I found nothing that speaks for any of the options.",
            "Memories by words and meaning, for the question and each option.",
        )
    yield AskStep(pictures=tuple(memory.id for memory in evidence.memories))
    ranked = _ranked(turn, plan, evidence, options)
    left = _still_open(ranked, options)
    letter, how, confidence = ranked[0][0], "", _NEAREST
    if len(left) == 1:
        how, confidence = "Took the option that the evidence speaks of by far the most", _CHOSEN
    elif turn.talk.is_able and {each for each, _ in left} <= frozenset("ABCDEFGH"):
        try:
            letter = _by_model(turn, plan, evidence, left)
            how, confidence = "The language model chose from the evidence", _CHOSEN
        except ReplyError as error:
            how = f"Took the option nearest to the evidence ({error})"
    else:
        how = "Took the option nearest to the evidence, because no language model is used"
    text = next(text for each, text in options if each == letter)
    return Draft(outcome=Outcome.ANSWERED, text=f"{letter}: {text}", value=letter, value_type=ValueType.CHOICE,
                 cited=_speaking_for(evidence, text), confidence=confidence, how=how)  # fmt: skip


def _evidence(turn: Turn, plan: Plan, options: tuple[tuple[str, str], ...]) -> Evidence:
    """The best for the question, then the best for each option, so that no option is judged without a witness."""
    gathered = gather(turn, plan, _FROM_QUESTION)
    ids = [memory.id for memory in gathered.evidence.memories]
    for _, text in options:
        hits = search(turn.library, turn.embedder, f"{plan.query.search_text} {text}"[:500], plan.scope, _PER_OPTION)
        ids.extend(hit.memory_id for hit in hits)
    ids = list(dict.fromkeys(ids or [hit.memory_id for hit in find(turn, plan, _FROM_QUESTION)]))
    turn.note_retrieved(ids)
    return Evidence(tuple(turn.library.memories.many(ids)), gathered.evidence.knowledge)


def _by_model(turn: Turn, plan: Plan, evidence: Evidence, options: tuple[tuple[str, str], ...]) -> str:
    """The letter that the model picks. Raises ReplyError."""
    asked_for = f"{plan.query.question} {' '.join(text for _, text in options)}"
    today = f"{turn.question.asked_on:%A} {turn.question.asked_on.isoformat()}"
    lines = evidence.lines(asked_for, turn.talk.evidence_lines)
    letters = frozenset(letter for letter, _ in options)
    return turn.talk.ask(
        choice_prompt(plan.query.question, today, lines, options), lambda text: read_letter(text, letters)
    )


def _still_open(ranked: list[tuple[str, float]], options: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The options that are not far behind the best, as they were given: fewer are easier to judge.

    Where only numbers tell the options apart, that their words stand in the evidence says nothing, so all stay.
    """
    if len({re.sub(r"[\d\W]+", "", text) for _, text in options}) == 1:
        return options
    best = ranked[0][1]
    kept = {letter for letter, score in ranked if best - score < _FAR_BEHIND}
    return tuple(option for option in options if option[0] in kept)


def _ranked(
    turn: Turn, plan: Plan, evidence: Evidence, options: tuple[tuple[str, str], ...]
) -> list[tuple[str, float]]:
    """Every option's letter and how much the evidence speaks for it, the best first."""
    texts = [text for _, text in options]
    weights = weigh(plan.query.question, texts, evidence.memories, turn.embedder)
    scored = [(letter, float(weight)) for (letter, _), weight in zip(options, weights, strict=True)]
    return sorted(scored, key=lambda each: -each[1])


def _speaking_for(evidence: Evidence, text: str) -> tuple[str, ...]:
    """The memories that share most words with the option chosen; the best of all where none does."""
    words = set(words_of(text))
    shared = {memory.id: len(words & set(words_of(said_in(memory), _ALL_WORDS))) for memory in evidence.memories}
    ranked = sorted(shared, key=lambda memory_id: -shared[memory_id])
    return tuple([each for each in ranked[:3] if shared[each]] or ranked[:1])
