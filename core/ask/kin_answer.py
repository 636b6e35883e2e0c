"""Answers about who people are to each other: from what the person told, turned round and put together by code; nothing is guessed."""

import re
from collections.abc import Sequence

from core.ask.phrases import listed
from core.ask.plan import COMPUTED, Plan
from core.ask.turn import Draft, Turn, not_found
from core.counted import counted
from core.graph.kinship import Kinship
from core.graph.relation_words import SYMMETRIC, relation_word
from core.records import Intent, MemoryFilter, Outcome, ValueType
from core.retrieve.match_words import match_phrase
from core.store.told import ME
from core.text_keys import text_key

_WHO_IS = re.compile(
    r"^(?:and |so |tell me |do you know )*(?:(?:who|what)(?:'s| is| are| was| were)(?: the names? of)?|name|list)"
    r"(?: all)?(?: of)? \{person\}(?:'s? names?| called| named)?[ ?.!]*$"
    r"|^(?:and )?what(?:'s| is| are) \{person\} (?:'s? )?(?:names?|called)[ ?.!]*$"
)
_IS_IT = re.compile(r"^(?:and )?(?:is|was|are) (?P<one>\{person\}|i) (?P<two>\{person\})[ ?.!]*$")
_HOW_RELATED = re.compile(
    r"^(?:and )?(?:how (?:is|are|am|was) (?P<one>\{person\}|i) (?:and (?P<and>\{person\}|i|me) )?(?:related|connected)"
    r"(?: (?:to|with) (?:(?P<two>\{person\}|me)|each other))?"
    r"|what (?:is|am|are|was) (?P<three>\{person\}|i) (?:of|to) (?P<four>\{person\}|me))[ ?.!]*$"
)
_HAVE = re.compile(
    r"\b(?:how many (?P<counted>[\w-]+)|(?P<any>do|does|did|have|has)\b.*?) (?:do i|does \{person\}|i|\{person\}) have\b"
)
_HAVE_ANY = re.compile(r"^(?:and )?(?:do i|does \{person\}) have (?:a |an |any |some )?(?P<word>[\w -]+?)[ ?.!]*$")
_COMPANION = re.compile(
    r"\b(?:with|without|and|meet|met|see|saw|seen|visit\w*|of|joined|accompan\w+|except)\s+(?:both\s+|all\s+)?(?:of\s+)?(?:my|our)\s+[\w\s'’-]*$",
    re.IGNORECASE,
)
_CITED = 12


def answer(turn: Turn, plan: Plan) -> Draft | None:
    """The answer to a question about relations; None where it asks for something else."""
    kinship = Kinship.of(turn.library.graph.told())
    mask = plan.understood.mask
    for rule in (_who_is, _is_it, _how_related, _have):
        if (draft := rule(turn, plan, kinship, mask)) is not None:
            return draft
    return _untold(turn, plan)


def help_with(turn: Turn, missing: Sequence[tuple[str, str]]) -> str:
    """What would help where a relation is not told: whose it is, and which."""
    owner = turn.library.stages.note("owner") or ME
    whose, word = missing[0]
    is_own = text_key(whose) == text_key(owner)
    asked = f"your {word}" if is_own else f"the {word} of {whose}"
    return (
        f"I do not know who {asked} is: nobody told me. "
        f"Tell me under People, or with: madeleine graph relate {'me' if is_own else f'“{whose}”'} “{word}” NAME"
    )


def _who_is(turn: Turn, plan: Plan, kinship: Kinship, mask: str) -> Draft | None:
    """Who is my boss; what is the name of my aunt's dog; who is Nina."""
    if not _WHO_IS.search(mask):
        return None
    kin = [each for each in plan.understood.kin if each.names]
    if not kin:
        return _who_is_named(turn, plan, kinship)
    mention = kin[0]
    text = f"{listed(mention.names)} ({mention.how})."
    value: str | tuple[str, ...] = mention.names if mention.several or len(mention.names) > 1 else mention.names[0]
    kind = ValueType.SET if isinstance(value, tuple) else ValueType.TEXT
    return Draft(
        outcome=Outcome.ANSWERED,
        text=text,
        value=value,
        value_type=kind,
        cited=_portraits(turn, mention.names),
        confidence=0.95 if mention.is_sure else 0.6,
        how=f"Looked up “{mention.words}” among the relations you told",
    )


def _who_is_named(turn: Turn, plan: Plan, kinship: Kinship) -> Draft | None:
    """Who is Nina: what she is to the owner, as told."""
    if len(plan.query.people) != 1:
        return None
    name = plan.query.people[0]
    owner = turn.library.stages.note("owner") or ME
    relations = kinship.relations(owner, name)
    way = kinship.how(owner, name)
    if not way:
        return None
    said = f"your {relations[0]}" if relations else "somebody you know through others"
    return Draft(
        outcome=Outcome.ANSWERED, text=f"{name} is {said} ({way}).", value=relations[0] if relations else name,
        value_type=ValueType.TEXT, cited=_portraits(turn, [name]), confidence=0.95, how="Followed the relations you told",
    )  # fmt: skip


def _is_it(turn: Turn, plan: Plan, kinship: Kinship, mask: str) -> Draft | None:
    """Is Ruth my aunt."""
    match = _IS_IT.match(mask)
    kin = [each for each in plan.understood.kin if each.names]
    if match is None or not kin:
        return None
    named = [name for name in (*plan.query.people, *plan.query.any_people) if name not in kin[-1].names] or list(
        plan.query.people
    )
    asked = turn.library.stages.note("owner") if match["one"] == "i" else named[0] if named else ""
    is_so = text_key(asked) in {text_key(name) for name in kin[-1].names}
    text = f"Yes: {kin[-1].how}." if is_so else f"No: as you told me, that is {listed(kin[-1].names)} ({kin[-1].how})."
    return Draft(
        outcome=Outcome.ANSWERED, text=text, value="yes" if is_so else "no", value_type=ValueType.TEXT,
        cited=_portraits(turn, [asked]), confidence=0.9, how="Compared with the relations you told",
    )  # fmt: skip


def _how_related(turn: Turn, plan: Plan, kinship: Kinship, mask: str) -> Draft | None:
    """How is Ruth related to me; what is Tim to Ruth."""
    match = _HOW_RELATED.match(mask)
    if match is None:
        return None
    owner = turn.library.stages.note("owner") or ME
    ends = [match["one"] or match["three"], match["and"] or match["two"] or match["four"] or "me"]
    people = iter((*plan.query.people, *plan.query.any_people))
    names = [owner if end in ("i", "me") else next(people, "") for end in ends]
    if not all(names) or text_key(names[0]) == text_key(names[1]):
        return None
    relations = kinship.relations(names[1], names[0])
    way = kinship.how(names[1], names[0])
    if not way:
        return not_found(
            f"Nothing that you told me joins {names[0]} and {names[1]}. Say it under People, or with: madeleine graph relate.",
            "The relations you told.",
        )
    whose = "your" if names[1] == owner else f"{names[1]}'s"
    who = "You are" if names[0] == owner else f"{names[0]} is"
    text = f"{who} {whose} {relations[0]} ({way})." if relations else f"{who} joined with {names[1]} so: {way}."
    return Draft(
        outcome=Outcome.ANSWERED, text=text, value=relations[0] if relations else way, value_type=ValueType.TEXT,
        cited=_portraits(turn, names), confidence=0.95, how="Followed the relations you told",
    )  # fmt: skip


def _have(turn: Turn, plan: Plan, kinship: Kinship, mask: str) -> Draft | None:
    """How many cousins do I have; does Nina have children."""
    match = _HAVE.search(mask) if mask.startswith("how many") else None
    any_match = _HAVE_ANY.match(mask)
    word = match["counted"] if match else any_match["word"] if any_match else None
    if not word or relation_word(word) is None:
        return None
    whose = plan.query.people[0] if plan.query.people else turn.library.stages.note("owner") or ME
    names = [each.name for each in kinship.related(whose, word)]
    if not names:
        return not_found(help_with(turn, [(whose, word)]), "The relations you told.")
    value: int | str = len(names) if match else "yes"
    text = f"{counted(len(names), 'person').capitalize()}: {listed(names)}." if match else f"Yes: {listed(names)}."
    return Draft(
        outcome=Outcome.ANSWERED, text=text, value=value, value_type=ValueType.NUMBER if match else ValueType.TEXT,
        cited=_portraits(turn, names), confidence=0.9, how="Counted among the relations you told; others may be untold",
    )  # fmt: skip


def _untold(turn: Turn, plan: Plan) -> Draft | None:
    """A question about somebody nobody told of: not found, with what would help; where texts speak of them, those are searched."""
    query = plan.query
    missing = [each for each in plan.understood.kin if each.missing]
    if not missing or query.intent is Intent.CHOICE:
        return None
    words = [each.missing[1] for each in missing if each.missing]
    is_condition = any(_COMPANION.search(query.question[: each.end]) for each in missing)
    carries_it = (
        (is_condition and not plan.understood.content) or _WHO_IS.search(_as_person(plan)) or query.intent in COMPUTED
    )
    spoken = all(_is_spoken_of(turn, word, own=bool(carries_it)) for word in words)
    if spoken:
        return None
    return not_found(
        help_with(turn, [each.missing for each in missing if each.missing]),
        "The relations you told, and all texts for these words.",
    )


def _as_person(plan: Plan) -> str:
    """The masked question, with an untold relation masked too."""
    mask = plan.understood.mask
    for each in plan.understood.kin:
        mask = re.sub(rf"(?:\b(?:my|our) )?{re.escape(each.words.casefold())}\b", "{person}", mask)
    return mask


def _is_spoken_of(turn: Turn, word: str, *, own: bool) -> bool:
    """Whether any text of the library has the word; `own`: as somebody's own, "my sister"."""
    said = relation_word(word)
    is_family = said is not None and (said.sex or said.role in SYMMETRIC or said.role in ("parent", "child"))
    phrases = [f"my {word}", f"our {word}"] if own and is_family else [word]
    return any(turn.library.memories.by_words(match_phrase(phrase.split()), 1) for phrase in phrases)


def _portraits(turn: Turn, names: Sequence[str]) -> tuple[str, ...]:
    """Pictures of these people, those with nobody else first."""
    found: list[str] = []
    for name in names[:_CITED]:
        members = turn.library.memories.matching(MemoryFilter(people=(name,)))
        members.sort(key=lambda memory: (len(memory.people), str(memory.taken.wall or "")))
        found += [memory.id for memory in members[: max(1, 3 // len(names))]]
    return turn.note_retrieved(tuple(dict.fromkeys(found)), "a picture of them")
