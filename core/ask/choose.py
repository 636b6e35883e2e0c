"""Answers a question with given options: the model picks a letter from evidence, or the option nearest to the evidence wins."""

import re
from collections.abc import Generator
from dataclasses import replace

from core.ask.evidence import Evidence, line_of
from core.ask.gather import find, gather
from core.ask.plan import Plan, make_plan
from core.ask.prompts import choice_prompt
from core.ask.replies import read_letter
from core.ask.turn import Draft, Turn, not_found
from core.errors import ReplyError
from core.records import AskStep, Outcome, ValueType
from core.retrieve.match_words import words_of
from core.retrieve.search import search

_PER_OPTION = 2
_FROM_QUESTION = 7
_CHOSEN, _NEAREST = 0.6, 0.35
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
    lines = evidence.lines(f"{plan.query.question} {' '.join(text for _, text in options)}", turn.talk.evidence_lines)
    letters = frozenset(letter for letter, _ in options)
    letter, how, confidence = "", "The language model chose from the evidence", _CHOSEN
    if turn.talk.is_able and letters <= frozenset("ABCDEFGH"):
        today = f"{turn.question.asked_on:%A} {turn.question.asked_on.isoformat()}"
        try:
            letter = turn.talk.ask(
                choice_prompt(plan.query.question, today, lines, options), lambda text: read_letter(text, letters)
            )
        except ReplyError as error:
            how = f"Took the option nearest to the evidence ({error})"
    else:
        how = "Took the option nearest to the evidence, because no language model is installed"
    if not letter:
        letter, confidence = _nearest(turn, evidence, options), _NEAREST
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


def _nearest(turn: Turn, evidence: Evidence, options: tuple[tuple[str, str], ...]) -> str:
    """The option whose words the evidence holds most of, weighed by how far up the evidence stands; meaning decides ties."""
    scores: dict[str, float] = {}
    for letter, text in options:
        words = set(words_of(text))
        scores[letter] = sum(
            len(words & set(words_of(line_of(memory), 200))) / (len(words) or 1) / (rank + 1)
            for rank, memory in enumerate(evidence.memories)
        )
    if turn.embedder is not None:
        seen = turn.embedder.embed_passages([line_of(memory) for memory in evidence.memories[:_FROM_QUESTION]])
        asked = turn.embedder.embed_passages([text for _, text in options])
        for (letter, text), row in zip(options, asked, strict=True):
            scores[letter] += float((seen @ row).max()) * (0.2 if re.fullmatch(r"[\d\W]*\w{0,12}", text) else 1.0)
    return max(scores, key=lambda letter: scores[letter])


def _speaking_for(evidence: Evidence, text: str) -> tuple[str, ...]:
    """The memories that share most words with the option chosen; the best of all where none does."""
    words = set(words_of(text))
    ranked = sorted(evidence.memories, key=lambda memory: -len(words & set(words_of(line_of(memory), 200))))
    kept = [memory.id for memory in ranked[:3] if words & set(words_of(line_of(memory), 200))]
    return tuple(kept or [evidence.memories[0].id])
