"""Walks the life graph from what a question names to what it asks for (LifeGraph, 4.3): code where it suffices, a large model to prune.

Rounds: candidates beside the paths so far are rated together, the best few kept; then it is asked whether they suffice. Where
the paths lack what the question wants to see, the pictures they were read from are fetched.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.ask.plan import Plan
from core.ask.prompts import enough_prompt, prune_prompt
from core.ask.replies import read_judgement, read_numbers
from core.ask.turn import Turn
from core.errors import ReplyError
from core.graph.traverse import Path, walk
from core.records import Intent, Knowledge
from core.retrieve.match_words import words_of
from core.store.graph import ACTIVITY, DATE, EVENT, LOCATION, OBJECT, PERSON

_WIDTH, _DEPTH = 5, 2
_MODEL_RATES = 24
_FETCHED = 8
_WANTED = {
    Intent.WHERE: LOCATION, Intent.WHEN: DATE, Intent.WHO: PERSON,
}  # fmt: skip
_LOOKED_AT = (
    "wear wearing wore worn color colour colors colours look looks looked looking hold holding held stand standing sit sitting hair "
    "shirt dress hat background expression posture shape pattern"
)
_SEEN_WORDS = frozenset(_LOOKED_AT.split())
"""What a graph does not hold: the pictures themselves have to be looked at."""


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk found.

    Attributes:
        statements: the paths as statements with the memories they rest on, the best first.
        memory_ids: pictures to look at, the best first; empty where the paths suffice.
        suffices: the paths hold what is asked.
        rounds: how many steps were taken.
    """

    statements: tuple[Knowledge, ...] = ()
    memory_ids: tuple[str, ...] = ()
    suffices: bool = False
    rounds: int = 0


def walked(turn: Turn, plan: Plan) -> Walked:
    """Walk from the people, events and places of a question; nothing where it names none."""
    query = plan.query
    events = [event.name for event in turn.library.events.many(query.event_ids)]
    entries = [*query.people, *query.any_people, *events, *query.places[:2]]
    content = _content(plan)
    rounds = 0

    def judge(paths: Sequence[Path]) -> Sequence[float]:
        nonlocal rounds
        rounds += 1
        rates = [_rate(path, content, _WANTED.get(query.intent)) for path in paths]
        return _rated_by_model(turn, plan, paths, rates) if _is_large(turn) else rates

    def enough(paths: Sequence[Path]) -> bool:
        return _suffice(turn, plan, paths, content)

    paths = [
        path
        for path in walk(turn.library, entries, width=_WIDTH, depth=_DEPTH, judge=judge, enough=enough)
        if path.score > 0.15
    ]
    suffices = _suffice(turn, plan, paths, content) and not _SEEN_WORDS & set(words_of(query.question))
    fetched = dict.fromkeys(memory for path in paths for memory in _sources(path))
    allowed = _allowed(turn, plan, list(fetched))
    return Walked(
        statements=tuple(_statement(path, allowed) for path in paths[:_WIDTH]),
        memory_ids=tuple(each for each in fetched if each in allowed)[:_FETCHED] if not suffices else (),
        suffices=suffices,
        rounds=rounds,
    )


def spoken(path: Path) -> str:
    """A path as a line: "Ida Lindgren – during → Trip to Porto – activity (with Ida; object: boat) → rowing"."""
    parts = [path.start.name]
    for step in path.steps:
        arguments = "; ".join(f"{role}: {', '.join(names[:4])}" for role, names in step.attributes)
        arrow = f"– {step.relation}{f' ({arguments})' if arguments else ''} →"
        parts += [
            arrow if step.outward else f"← {step.relation}{f' ({arguments})' if arguments else ''} –",
            step.node.name,
        ]
    return " ".join(parts)


def _content(plan: Plan) -> frozenset[str]:
    asked = {word for each in plan.understood.kin for word in words_of(each.words)}
    return frozenset(word for word in plan.understood.content if word not in asked)


def _rate(path: Path, content: frozenset[str], wanted: str | None) -> float:
    """How much of the question a path holds: its words, and a concept of the kind asked for at its end."""
    said = words_of(spoken(path), 200)
    held = sum(any(other.startswith(word[: max(4, len(word) - 2)]) for other in said) for word in content)
    share = held / len(content) if content else 0.0
    kind = 1.0 if wanted and path.end.kind == wanted else 0.5 if path.end.kind in (EVENT, ACTIVITY, OBJECT) else 0.2
    return 0.7 * share + 0.3 * kind if content else kind


def _is_large(turn: Turn) -> bool:
    chat = turn.talk.chat
    return turn.talk.is_able and chat is not None and chat.parameters_b >= 4.0


def _rated_by_model(turn: Turn, plan: Plan, paths: Sequence[Path], rates: Sequence[float]) -> Sequence[float]:
    """The model picks among the best by code, all in one call; a reply that does not fit leaves the rates of code."""
    order = sorted(range(len(paths)), key=lambda at: -rates[at])[:_MODEL_RATES]
    try:
        picked = turn.talk.ask(
            prune_prompt(plan.query.question, [spoken(paths[at]) for at in order], _WIDTH), read_numbers
        )
    except ReplyError:
        return rates
    better = {order[number - 1]: 1.0 - 0.02 * rank for rank, number in enumerate(picked) if 0 < number <= len(order)}
    return [max(rate * 0.5, better.get(at, 0.0)) for at, rate in enumerate(rates)]


def _suffice(turn: Turn, plan: Plan, paths: Sequence[Path], content: frozenset[str]) -> bool:
    """Whether one path holds every word asked for and ends in a concept of the kind asked for; else a large model is asked."""
    wanted = _WANTED.get(plan.query.intent)
    if any(_rate(path, content, wanted) > 0.99 and wanted for path in paths):
        return True
    if not paths or not _is_large(turn):
        return False
    try:
        return turn.talk.ask(enough_prompt(plan.query.question, [spoken(path) for path in paths[:8]]), read_judgement)
    except ReplyError:
        return False


def _sources(path: Path) -> tuple[str, ...]:
    """The memories of the last step first: they show both what was named and what was found."""
    return tuple(dict.fromkeys(memory for step in reversed(path.steps) for memory in step.memory_ids[:_FETCHED]))


def _allowed(turn: Turn, plan: Plan, memory_ids: list[str]) -> frozenset[str]:
    """Those within the exact conditions of the question."""
    wanted = set(turn.library.memories.ids_matching(plan.exact))
    return frozenset(each for each in memory_ids if each in wanted)


def _statement(path: Path, allowed: frozenset[str]) -> Knowledge:
    evidence = tuple(each for each in _sources(path) if each in allowed)
    return Knowledge(id="", statement=spoken(path), kind="relation", evidence_ids=evidence, confidence=path.score)
