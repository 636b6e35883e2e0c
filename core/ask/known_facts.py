"""Answers what is known of one person: when is Ruth's birthday, where does Ben work. From facts first, then from texts that name them."""

import re
from collections.abc import Sequence

from core.ask.dates import find_days
from core.ask.phrases import listed
from core.ask.plan import Plan
from core.ask.turn import Draft, Turn, not_found
from core.records import Intent, Knowledge, KnowledgeState, Outcome, ValueType
from core.retrieve.match_words import match_all, words_of
from core.text_keys import text_key

_OF_A_PERSON = re.compile(
    r"\{person\} (?:'s?|’s?) \w|\{person\} \w+ing? (?:from|to|for|at|in)\b|\b(?:do|does|did|is|was|when's|what's) \{person\} (?!and\b)|"
    r"\{person\} (?:birthday|anniversary|job|employer|address|allerg\w+)"
)
_COMPANION = re.compile(r"\b(?:with|without|and|see|saw|meet|met) (?:i and )?\{person\}|\{person\} and (?:i|me)\b")
_DECIDED = (KnowledgeState.OWN, KnowledgeState.CONFIRMED)
_MOST_TEXTS = 20
_SURE, _READ = 0.9, 0.8


def answer(turn: Turn, plan: Plan) -> Draft | None:
    """What is known of the one person asked about; None where the question is about something else."""
    query = plan.query
    content = [word for word in plan.understood.content if word not in _kin_words(plan)]
    is_of_person = _OF_A_PERSON.search(plan.understood.mask) and not _COMPANION.search(plan.understood.mask)
    if len(query.people) != 1 or not content or len(content) > 3 or not is_of_person:
        return None
    if query.intent not in (Intent.WHAT, Intent.WHERE, Intent.WHEN):
        return None
    name = query.people[0]
    if facts := _facts_about(turn, name, content):
        return _from_facts(turn, facts)
    if query.unit == "said_date" or (query.intent is Intent.WHEN and "birthday" in content):
        return _from_texts(turn, plan, name, content)
    return None


def _kin_words(plan: Plan) -> frozenset[str]:
    return frozenset(word for each in plan.understood.kin for word in words_of(each.words))


def _facts_about(turn: Turn, name: str, content: Sequence[str]) -> list[Knowledge]:
    """Facts that name the person and hold all the words; those with the person's word rule out the others."""
    parts = set(words_of(name))
    found = []
    for item in turn.library.knowledge.all():
        said = words_of(item.statement)
        begins = set(said[: len(parts) + 1])
        if (
            (item.kind == "fact" or item.state in _DECIDED)
            and parts & begins
            and all(_has(word, said) for word in content)
        ):
            found.append(item)
    decided = [item for item in found if item.state in _DECIDED]
    present = [item for item in decided or found if item.valid_to is None]
    return present or decided or found


def _has(word: str, said: Sequence[str]) -> bool:
    stem = word[: max(4, len(word) - 2)]
    return any(other.startswith(stem) for other in said)


def _from_facts(turn: Turn, facts: Sequence[Knowledge]) -> Draft:
    cited = turn.note_retrieved([each for item in facts for each in item.evidence_ids[:4]], "evidence of a known fact")
    statements = tuple(dict.fromkeys(item.statement for item in facts))
    if len(statements) > 1:
        text = f"That is said in several ways: {listed(statements, 'or')} Which one is right? Say so under Knowledge."
        return Draft(outcome=Outcome.AMBIGUOUS, text=text, readings=statements, cited=cited, confidence=0.5)
    said_so = facts[0].state in _DECIDED
    return Draft(
        outcome=Outcome.ANSWERED,
        text=statements[0],
        value=statements[0],
        value_type=ValueType.TEXT,
        cited=cited,
        confidence=max(facts[0].confidence, _SURE if said_so else 0.0),
        how=f"A known fact: {'you said so' if said_so else facts[0].why}",
    )


def _from_texts(turn: Turn, plan: Plan, name: str, content: Sequence[str]) -> Draft:
    """A day that stands in one line with the person's name and what is asked: "Ruth's birthday is on 9 May"."""
    library = turn.library
    parts = [word for word in words_of(name) if len(word) > 1]
    for part in parts:
        hits = library.memories.by_words(match_all([part, *content]), _MOST_TEXTS, plan.scope)
        for memory in library.memories.many([memory_id for memory_id, _ in hits]):
            day = _day_in(f"{memory.visible_text}\n{memory.caption}\n{memory.speech}", part, content, plan)
            if day:
                turn.note_retrieved([memory.id], "its text names them and the day")
                return Draft(
                    outcome=Outcome.ANSWERED, text=f"{day}, as {name}'s {' '.join(content)} is given there.", value=day,
                    value_type=ValueType.TEXT, cited=(memory.id,), confidence=_READ, how="Read in a text that names them",
                )  # fmt: skip
    text = f"I found no {' '.join(content)} of {name}. You can add it under Knowledge."
    return not_found(text, f"All known facts, and all texts that name {name}.")


def _day_in(text: str, part: str, content: Sequence[str], plan: Plan) -> str:
    """The day of the line that speaks of the person: by name, or as "my …" below their name in a chat."""
    sender: frozenset[str] = frozenset()
    for line in re.split(r"\n|(?<=[.!?])\s", text):
        said = frozenset(words_of(line))
        if said and len(said) <= 3 and not any(char.isdigit() for char in line):
            sender = said
        names_them = part in said or (part in sender and re.search(r"\bmy\b", line, re.IGNORECASE))
        if not names_them or not all(word[:5] in text_key(line) for word in content):
            continue
        days = [day for day in find_days(line, plan.query.asked_on) if day.words and day.first_day == day.last_day]
        if days:
            return re.sub(r"^(?:on|at|in) ", "", days[0].words)
    return ""
