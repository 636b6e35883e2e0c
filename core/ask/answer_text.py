"""Answers that stand in what memories show or say: values copied from visible text, pictures found, sentences phrased by the model."""

import re
from collections.abc import Generator, Sequence

from core.ask import look
from core.ask.evidence import Evidence, around, best_sentence, line_of
from core.ask.gather import Gathered, gather, is_exact
from core.ask.lookup import (
    FoundValue,
    asks_amount,
    attribute_asked,
    direction,
    find_amount,
    find_day,
    find_value,
    items_of,
)
from core.ask.phrases import conditions, kind_word, listed, moment_of
from core.ask.plan import Plan, members
from core.ask.prompts import answer_prompt, extract_prompt
from core.ask.question_forms import kinds_in
from core.ask.replies import AnswerReply, read_answer, read_value
from core.ask.streaming import streamed
from core.ask.turn import Draft, Turn, not_found
from core.ask.verify import occurs_in, supporting, unsupported
from core.counted import counted
from core.errors import ReplyError
from core.records import AskStep, CapturedMemory, Intent, Outcome, ValueType
from core.retrieve.fuse import without_repeats
from core.retrieve.match_words import match_any, words_of
from core.retrieve.names import token_keys
from core.text_keys import text_key

_COPIED, _EXTRACTED, _PHRASED, _QUOTED = 0.9, 0.7, 0.65, 0.4
_SHOWN = 24
_SHOWN_OF_ALL = 60
_READ_FOR_VALUE = 16
_WRITTEN = 160
_BELONGS_TO = re.compile(
    r"\b(?:at|in|of|for|from|near|by) (?:the |my |our |a |an |this |that )?([^\W\d_][\w'’-]*)", re.IGNORECASE
)
_ASKS_OPINION = re.compile(
    r"^(?:am i|are (?:we|you|they)|is (?:he|she|it|this|that)|will i|should i|do i (?:look|seem)|does (?:he|she) (?:like|love))\b"
)
"""What somebody is like or will be: that a picture holds the words is no answer."""
_ASKS_ITEMS = re.compile(
    r"^(?:and )?what (?:food |dishes |meal |drinks? |else )?(?:did|have|had) (?:i|we)\b.*"
    r"\b(?:eat|order|drink|buy|bought|ordered|have for|had for)\b",
    re.IGNORECASE,
)


def answer(turn: Turn, plan: Plan) -> Generator[AskStep, None, Draft]:
    """The answer that the best evidence gives, or what was searched when there is none."""
    yield AskStep(doing="Searching your memories")
    gathered = gather(turn, plan)
    evidence = gathered.evidence
    if not evidence.memories:
        return not_found(f"I found nothing about that{_said(plan)}.", _searched(turn, plan))
    yield AskStep(pictures=tuple(memory.id for memory in evidence.memories[:_SHOWN]))
    if plan.query.intent is Intent.FIND:
        return _all_pictures(turn, plan) if is_exact(plan) else _found_pictures(turn, plan, gathered)
    copied = _copied(turn, plan, evidence)
    if copied is not None:
        return copied
    if plan.query.unit == "whether":
        decided = _whether(turn, plan)
        if decided is not None:
            return decided
    is_of_looks = look.asks_looks(plan.query.question) and not look.is_told(plan, evidence.memories[0])
    if is_of_looks and (seen := (yield from look.answer(turn, plan, evidence))) is not None:
        return seen
    if not turn.talk.is_able:
        return _quoted_best(plan, evidence, "")
    yield AskStep(doing="Writing the answer")
    try:
        written = yield from _phrased(turn, plan, evidence)
    except ReplyError as error:
        written = _quoted_best(plan, evidence, str(error))
    if written.outcome is Outcome.NOT_FOUND and not is_of_looks:
        seen = yield from look.answer(turn, plan, evidence)
        return seen or written
    return written


def _all_pictures(turn: Turn, plan: Plan) -> Draft:
    """Every picture that fulfils the conditions, the same that counting counts, the newest first."""
    held = members(turn.library, plan)
    if not held:
        return not_found(f"I found nothing{_said(plan)}.", _searched(turn, plan))
    cited = turn.note_retrieved([memory.id for memory in reversed(held)][:_SHOWN_OF_ALL], "fulfils every condition")
    text = f"I found {counted(len(held), 'picture')}{_said(plan)}."
    if len(held) > len(cited):
        text += f" The newest {len(cited)} are shown."
    return Draft(outcome=Outcome.ANSWERED, text=text, value=text, value_type=ValueType.TEXT, cited=tuple(cited),
                 confidence=_COPIED, how="All that fulfil every condition", searched="")  # fmt: skip


def _found_pictures(turn: Turn, plan: Plan, gathered: Gathered) -> Draft:
    """For "show me …": the pictures are the answer; those that say all of it first, then what is nearly as close."""
    strong = gathered.found[0].score * 0.5
    kept = [each.memory_id for each in gathered.found if each.score >= strong]
    content = [word for word in plan.understood.content if not kinds_in(word)]
    rank = {each.memory_id: number for number, each in enumerate(gathered.found)}
    held = members(turn.library, plan, content) if content else []
    exact = {memory.id for memory in held}
    first = turn.note_retrieved(
        sorted((memory.id for memory in without_repeats(held)), key=lambda each: rank.get(each, len(rank)))[:_SHOWN],
        "says all of it",
    )
    also = [each for each in kept if each not in exact][: _SHOWN - len(first)]
    text = f"I found {counted(len(first) + len(also), 'picture')}{_said(plan)}."
    if first and also:
        text = f"I found {counted(len(first), 'picture')} with all of it{_said(plan)}, and {len(also)} like it."
    is_said = (
        not content
        or first
        or turn.library.memories.by_words(match_any(words_of(" ".join(content))) or '""', 1, plan.scope)
    )
    if not is_said:
        text = f"Nothing says {listed([f'“{word}”' for word in content], 'or')}{_said(plan)}. These are the closest by meaning."
    return Draft(outcome=Outcome.ANSWERED, text=text, value=text, value_type=ValueType.TEXT, cited=(*first, *also),
                 confidence=_PHRASED if is_said else _QUOTED, how="Ranked by words and meaning", searched="")  # fmt: skip


def _copied(turn: Turn, plan: Plan, evidence: Evidence) -> Draft | None:
    """A value that stands in a picture's text: by its pattern, or copied by the model and checked letter for letter.

    What is written in one place is no answer about another, so a place named must be where the memory is or in its text.
    """
    question, content = plan.query.question, plan.understood.content
    memories = [each for each in evidence.memories if _is_at(each, plan.understood.place_groups)][:_READ_FOR_VALUE]
    memories.sort(key=lambda memory: -direction(memory, question))
    attribute = attribute_asked(question)
    if plan.query.unit == "money" or asks_amount(question):
        return _value_draft(find_amount(memories, content))
    if plan.query.unit == "said_date":
        return _value_draft(find_day(memories, plan.query.asked_on, content))
    if _ASKS_ITEMS.search(question):
        return _items_draft(memories, content, question)
    if attribute is None:
        return None
    qualifiers = _qualifiers(question, content)
    speaking = [each for each in memories if _speaks_of(turn, each, qualifiers)]
    memories = speaking if find_value(attribute, speaking) else [*speaking, *_beside(turn, memories, speaking)]
    found = find_value(attribute, memories)
    if found is None and turn.talk.is_able:
        found = _extracted(turn, question, attribute.name, memories)
    if found is None:
        return not_found(
            f"I found no {attribute.name}{_of(qualifiers)}{_said(plan)} in the text of your pictures.",
            _searched(turn, plan),
        )
    return _value_draft(found)


def _is_at(memory: CapturedMemory, groups: Sequence[Sequence[str]]) -> bool:
    text = f" {' '.join(token_keys(f'{memory.visible_text} {memory.caption} {memory.title} {memory.speech}'))} "
    parts = memory.place
    keys = (
        {text_key(part) for part in (parts.name, parts.street, parts.district, parts.city, parts.region, parts.country)}
        if parts
        else set()
    )
    return all(
        any(text_key(name) in keys or f" {' '.join(token_keys(name))} " in text for name in group) for group in groups
    )


def _qualifiers(question: str, content: Sequence[str]) -> list[str]:
    """What the value belongs to ("the password at grandma's", "the code of my bike lock"), as far as it is no known name."""
    said = {text_key(word) for word in content}
    named = (text_key(re.sub(r"['’]s?$", "", word)) for word in _BELONGS_TO.findall(question))
    return [word for word in named if word and any(word[:4] == other[:4] for other in said)]


def _speaks_of(turn: Turn, memory: CapturedMemory, qualifiers: Sequence[str]) -> bool:
    """Whether a memory, its place or an event it is part of speaks of everything that the value belongs to."""
    if not qualifiers:
        return True
    events = [event.name for event in turn.library.events.many(memory.event_ids)]
    place = memory.place.label if memory.place else ""
    parts = (memory.visible_text, memory.caption, memory.speech, memory.environment, place, *memory.activities, *events)
    words = token_keys(" ".join(parts))
    return all(any(word[:5] == qualifier[:5] for word in words) for qualifier in qualifiers)


def _beside(turn: Turn, memories: Sequence[CapturedMemory], speaking: Sequence[CapturedMemory]) -> list[CapturedMemory]:
    """Those captured in one go with one that speaks of it: the sign with the password hangs beside the hotel's desk."""
    moments = turn.library.events.moments_of([each.id for each in speaking])
    there = {member for moment in moments for member in moment.member_ids}
    return [each for each in memories if each.id in there and each not in speaking]


def _of(qualifiers: Sequence[str]) -> str:
    return f" that belongs to {listed([f'“{word}”' for word in qualifiers])}" if qualifiers else ""


def _value_draft(found: FoundValue | None) -> Draft | None:
    if found is None:
        return None
    moment = moment_of(found.memory)
    text = f"{found.value} ({found.attribute}; {moment[0].lower()}{moment[1:]})."
    return Draft(outcome=Outcome.ANSWERED, text=text, value=found.value, value_type=ValueType.TEXT, cited=(found.memory.id,),
                 confidence=_COPIED, how=f"Copied from the text in a {kind_word(found.memory)}")  # fmt: skip


def _items_draft(memories: Sequence[CapturedMemory], content: Sequence[str], question: str) -> Draft | None:
    """For "what did I eat": the lines of the receipt, where the best memory is one."""
    for memory in memories[:3]:
        items = items_of(memory)
        if items and (content or memory is memories[0]):
            text = f"{listed(items)} (receipt; {moment_of(memory)[0].lower()}{moment_of(memory)[1:]})."
            return Draft(outcome=Outcome.ANSWERED, text=text, value=listed(items), value_type=ValueType.TEXT, cited=(memory.id,),
                         confidence=_EXTRACTED, how="Read from the lines of a receipt")  # fmt: skip
    return None


def _extracted(turn: Turn, question: str, name: str, memories: Sequence[CapturedMemory]) -> FoundValue | None:
    for memory in [each for each in memories if each.visible_text][:2]:
        try:
            value = turn.talk.ask(extract_prompt(question, memory.visible_text), read_value)
        except ReplyError:
            return None
        if value and occurs_in(value, memory.visible_text):
            return FoundValue(name, value, memory)
    return None


def _whether(turn: Turn, plan: Plan) -> Draft | None:
    """Yes where memories hold everything asked; None where only meaning can tell."""
    if not plan.names_something and not plan.query.time and not plan.understood.content:
        return None
    if not plan.names_something and _ASKS_OPINION.search(plan.understood.mask):
        return not_found("Your memories do not say enough to infer that.", _searched(turn, plan))
    held = members(turn.library, plan, plan.understood.content)
    if held:
        turn.note_retrieved([memory.id for memory in held[:_SHOWN]], "fulfils every condition")
        text = f"Yes. {moment_of(held[-1])}: {best_sentence(held[-1], words_of(plan.query.question)) or kind_word(held[-1])}"
        return Draft(outcome=Outcome.ANSWERED, text=text, value="yes", value_type=ValueType.TEXT,
                     cited=tuple(memory.id for memory in reversed(held[-_SHOWN:]) if memory.id in turn.retrieved), confidence=_COPIED,
                     how=f"{counted(len(held), 'memory').capitalize()} fulfil every condition")  # fmt: skip
    if plan.understood.content and turn.talk.is_able:
        return None
    return not_found(f"I found nothing that shows it{_said(plan)}.", _searched(turn, plan))


def _phrased(turn: Turn, plan: Plan, evidence: Evidence) -> Generator[AskStep, None, Draft]:
    """The model's sentence over at most twelve lines, kept only if every number, date and name in it has a source.

    Raises:
        ReplyError: the reply does not fit, cites nothing that was given, or claims what no line says.
    """
    lines = evidence.lines(plan.query.question, turn.talk.evidence_lines)
    owner = turn.library.stages.note("owner")
    today = f"{turn.question.asked_on:%A} {turn.question.asked_on.isoformat()}"
    prompt = answer_prompt(plan.query.question, today, owner, lines)
    reply: AnswerReply = yield from streamed(lambda on_text: turn.talk.ask(prompt, read_answer, on_text))
    if not reply.text:
        return not_found(
            f"Your memories do not say{_said(plan)}.", f"{_searched(turn, plan)} The {len(lines)} closest were read."
        )
    cited = evidence.cited(reply.handles)
    if not cited:
        raise ReplyError("The language model named no note.")
    vocabulary = turn.library.memories.vocabulary()
    strange = unsupported(reply.text, [*lines, plan.query.question, today], vocabulary.people)
    if strange:
        raise ReplyError(f"The language model's sentence claimed {', '.join(strange[:3])}, which no memory says.")
    said = {
        memory.id: f"{line_of(memory)} {memory.visible_text} {memory.speech}"
        for memory in turn.library.memories.many(cited)
    }
    cited = supporting(reply.text, plan.query.question, said)
    return Draft(outcome=Outcome.ANSWERED, text=reply.text, value=reply.text, value_type=ValueType.TEXT, cited=cited, confidence=_PHRASED,
                 explanation="; ".join(line_of(memory)[:120] for memory in turn.library.memories.many(cited)[:2]),
                 how=f"Phrased by the language model from {counted(len(lines), 'memory')}")  # fmt: skip


def _quoted_best(plan: Plan, evidence: Evidence, problem: str) -> Draft:
    """Without a model: the sentence of the best memory, in its own words, and the text in it."""
    best, words = evidence.memories[0], words_of(plan.query.question)
    sentence = best_sentence(best, words) or f"a {kind_word(best)}"
    written = around(best.visible_text, words, _WRITTEN)
    if written and written not in sentence:
        sentence = f"{sentence} — “{written}”"
    how = "Quoted from the closest memory, because no language model is used"
    if problem:
        how = f"Quoted from the closest memory, because the model's own words could not be used: {problem}"
    return Draft(outcome=Outcome.ANSWERED, text=f"{moment_of(best)}: {sentence}", value=sentence, value_type=ValueType.TEXT,
                 cited=(best.id,), confidence=_QUOTED, how=how)  # fmt: skip


def _said(plan: Plan) -> str:
    return conditions(plan.query, plan.understood.place_groups)


def _searched(turn: Turn, plan: Plan) -> str:
    number = turn.library.memories.count(plan.scope)
    return f"{counted(number, 'memory').capitalize()}{conditions(plan.query, ())} by words{' and meaning' if turn.embedder else ''}."
