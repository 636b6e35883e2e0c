"""Compares two things a question names ("more beach or more hiking"), and finds who was with both, each side by the same computing."""

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from core.ask.augment_query import augment
from core.ask.compute import on_days
from core.ask.phrases import listed, spoken_range
from core.ask.plan import Plan, make_plan, members
from core.ask.talk import Talk
from core.ask.turn import Draft, Turn, not_found
from core.counted import counted
from core.records import AskStep, CapturedMemory, DayRange, Intent, Outcome, ValueType
from core.text_keys import text_key

_SIDES = (
    re.compile(
        r"^(?:and )?(?:do|did|have|was|were|am|are) (?:i|we) (?:\w+ )?(?:with |at |in |to )?(?P<one>[^?]+?)\s+or\s+(?P<two>[^?]+?)\s+"
        r"(?:more|less) (?:often|frequently|time|days)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:more|less|fewer|rather|longer)\b(?P<one>[^?]*?)(?:,)?\s+or\s+(?P<two>[^?]+)", re.IGNORECASE),
    re.compile(r"^compare\s+(?P<one>.+?)\s+(?:and|with|to|versus|vs\.?)\s+(?P<two>[^?]+)", re.IGNORECASE),
    re.compile(r"\bdifference between\s+(?P<one>.+?)\s+and\s+(?P<two>[^?]+)", re.IGNORECASE),
)
_BOTH = re.compile(r"\bboth\s+(?:at\s+|on\s+|in\s+)?(?P<one>[^?]+?)\s+and\s+(?P<two>[^?]+)", re.IGNORECASE)
_FILLING = re.compile(
    r"^\W*(?:(?:often|frequently|times|time|days|of|to|at|with|on|in|the|a|an|my|more|did|do|i|go|went|going|often,)\s+)+|[,:]",
    re.IGNORECASE,
)
_SURE = 0.85


@dataclass(frozen=True, slots=True)
class Side:
    """One of the things compared: what it is called and its complete set."""

    name: str
    members: Sequence[CapturedMemory]

    @property
    def days(self) -> int:
        """On how many distinct days."""
        return len(on_days(self.members))


def answer(turn: Turn, plan: Plan) -> Generator[AskStep, None, Draft | None]:
    """The side with more distinct days; None where the question names no two sides."""
    if plan.query.intent is not Intent.COMPARE:
        return None
    yield AskStep(doing="Comparing")
    sides = _by_time(turn, plan) or _by_words(turn, plan, _SIDES)
    if not sides:
        return None
    if not any(side.days for side in sides):
        names = listed([f"“{side.name}”" for side in sides], "nor")
        return not_found(
            f"I found neither {names}{_when(plan)}.", f"{counted(turn.library.memories.count(plan.scope), 'memory')}."
        )
    asks_less = re.search(r"\b(?:less|fewer)\b", plan.query.question, re.IGNORECASE)
    ranked = sorted(sides, key=lambda side: side.days, reverse=not asks_less)
    told = listed([f"{side.name}: {counted(side.days, 'day')}" for side in sides])
    is_tie = len({side.days for side in sides}) == 1
    verdict = "Both as often" if is_tie else ranked[0].name[:1].upper() + ranked[0].name[1:]
    cited = [memory.id for side in ranked for memory in list(on_days(side.members).values())[:12]]
    turn.note_retrieved(cited, "counted")
    return Draft(outcome=Outcome.ANSWERED, text=f"{verdict} ({told}){_when(plan)}.", value="equal" if is_tie else ranked[0].name,
                 value_type=ValueType.TEXT, cited=tuple(dict.fromkeys(cited)), confidence=_SURE,
                 how="Counted distinct days of each side")  # fmt: skip


def with_both(turn: Turn, plan: Plan) -> Draft | None:
    """Who was there on both occasions that a question names; None where it asks for something else."""
    if plan.query.intent is not Intent.WHO or not _BOTH.search(plan.query.question):
        return None
    sides = _by_words(turn, plan, (_BOTH,))
    if len(sides) != 2 or not all(side.members for side in sides):
        return None
    owner = text_key(turn.library.stages.note("owner"))
    held = [{text_key(name): name for memory in side.members for name in memory.people} for side in sides]
    names = sorted((held[0][key] for key in held[0].keys() & held[1].keys() if key != owner), key=text_key)
    if not names:
        return not_found("Nobody is named in both.", f"{counted(sum(len(side.members) for side in sides), 'memory')}.")
    common = {text_key(name) for name in names}
    cited = [
        memory.id for side in sides for memory in side.members if common & {text_key(each) for each in memory.people}
    ][:24]
    turn.note_retrieved(cited, "names someone who was at both")
    return Draft(outcome=Outcome.ANSWERED, text=f"{listed(names)}.", value=tuple(names), value_type=ValueType.SET, cited=tuple(cited),
                 confidence=_SURE, how="Took the people named on both sides")  # fmt: skip


def _by_time(turn: Turn, plan: Plan) -> list[Side]:
    """The stretches of time that a question names one by one, each with what else it asks for."""
    time = plan.query.time
    stretches = time.apart if time else ()
    if len(stretches) < 2:
        return []
    held = members(turn.library, plan, plan.understood.content)
    sides = []
    for first, last in stretches:
        inside = [memory for memory in held if memory.taken.day and first <= memory.taken.day <= last]
        sides.append(Side(re.sub(r"^(?:in|on|from) ", "", spoken_range(DayRange(first, last))), inside))
    return sides


def _by_words(turn: Turn, plan: Plan, patterns: Sequence[re.Pattern[str]]) -> list[Side]:
    match = next((found for pattern in patterns if (found := pattern.search(plan.query.question))), None)
    if match is None:
        return []
    sides = []
    for words in (match["one"], match["two"]):
        name = " ".join(_FILLING.sub(" ", f" {words.strip()} ").split()).rstrip(".!")
        time = plan.query.time.words if plan.query.time else ""
        name = " ".join(name.replace(time, " ").split()) if time else name
        name = re.sub(r"\s+(?:in|on|at|during|last|this)$", "", name)
        if not name:
            return []
        sides.append(Side(name, _members(turn, plan, name)))
    return sides


def _members(turn: Turn, plan: Plan, name: str) -> list[CapturedMemory]:
    """What one side is about, within the time and with the people of the whole question."""
    asked = replace(turn.question, text=f"How many times was I at {name}", options=(), conversation_id=None)
    understood = augment(turn.library, asked, Talk(None, turn.talk.interrupted))
    query = replace(
        understood.query,
        time=plan.query.time or understood.query.time,
        people=understood.query.people or plan.query.people,
    )
    side = make_plan(turn.library, asked, replace(understood, query=query))
    return (
        members(turn.library, side, understood.content)
        if understood.content or side.names_something or query.time
        else []
    )


def _when(plan: Plan) -> str:
    return f" {spoken_range(plan.query.time)}" if plan.query.time and not plan.query.time.apart else ""
