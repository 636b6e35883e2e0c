"""Questions that words and pictures cannot settle: says what is not known and asks, with the readings, instead of guessing."""

import re
from collections.abc import Sequence

from core.ask.compute import on_days
from core.ask.evidence import best_sentence
from core.ask.implied import expressions
from core.ask.lookup import asks_amount
from core.ask.money import Sum, amount_of
from core.ask.phrases import conditions, listed, moment_of, spoken_day
from core.ask.plan import Plan, members
from core.ask.turn import Draft, Turn
from core.counted import counted
from core.records import CapturedMemory, Intent, MemoryFilter, Outcome
from core.retrieve.match_words import match_all, match_any, words_of

_TASTE = re.compile(
    r"\b(?P<word>best|nicest|prettiest|most beautiful|coolest|funniest|cutest|favou?rite|greatest|finest)\b(?: \w+)? "
    r"(?P<thing>selfies?|photos?|pictures?|images?|shots?|videos?|portraits?|clips?)\b"
)
_WORKED_AS = re.compile(r"\bwork(?:ed|ing)?\b(?: \w+)? as (?:an? )?(?P<trade>[a-z]+)\b")
_PEOPLES = (
    "korean chinese japanese german french spanish italian american british english indian mexican brazilian russian ukrainian polish "
    "dutch swedish norwegian danish finnish turkish greek arab iranian israeli egyptian nigerian kenyan african asian european vietnamese "
    "thai filipino indonesian malaysian australian canadian irish scottish portuguese swiss austrian belgian czech hungarian romanian "
    "latino asian european vietnamese thai jewish muslim christian hindu buddhist gay lesbian black white rich poor"
)
_KIND_OF_PEOPLE = re.compile(
    rf"\b(?P<kind>{'|'.join(_PEOPLES.split())})\s+(?P<noun>friends?|people|persons?|guys?|girls?|women|woman|men|man|couples?|colleagues?|"
    r"classmates?|students?|famil(?:y|ies)|kids?|neighbou?rs?)\b"
)
_TALKS = "meeting|call|lecture|class|seminar|interview|conversation"
_TALKED = re.compile(
    rf"\b(?:content|discuss\w*|talk(?:ed)? about|topic|notes?|conclusion|decid\w+|about)\b.*\b(?P<what>{_TALKS})\b|"
    rf"\b(?P<second>{_TALKS})\b.*\b(?:content|about|discuss\w*|talk(?:ed)? about)\b"
)
_SHOWN = 12
_UNSURE = 0.4


def answer(turn: Turn, plan: Plan) -> Draft | None:
    """The question put back with its readings; None where it can be answered."""
    for rule in (_taste, _kind_of_people, _worked_as, _talked):
        if (draft := rule(turn, plan)) is not None:
            return draft
    return None


def amounts_differ(turn: Turn, plan: Plan) -> Draft | None:
    """Several prices for "the price of the medicine", where receipts of it differ and nothing in the question chooses one."""
    query, content = (
        plan.query,
        [word for word in plan.understood.content if word not in ("price", "cost", "total", "bill", "pay", "paid")],
    )
    is_open = not (
        query.time or query.order or query.people or query.event_ids or query.places or query.unit == "money_average"
    )
    if not asks_amount(query.question) or query.intent is not Intent.WHAT or not is_open or not content:
        return None
    held = next((found for each in expressions(content) if (found := _matching(turn, plan, each))), [])
    priced = [(memory, amount) for memory in held if (amount := amount_of(memory))]
    by_day = {memory.taken.day: (memory, Sum(amount.number, amount.currency).spoken) for memory, amount in priced}
    if len(by_day) < 2 or len({said for _, said in by_day.values()}) < 2:
        return None
    ordered = sorted(by_day.values(), key=lambda pair: str(pair[0].taken.wall), reverse=True)[:_SHOWN]
    readings = tuple(f"{said} ({moment_of(memory)[0].lower()}{moment_of(memory)[1:]})" for memory, said in ordered)
    cited = turn.note_retrieved([memory.id for memory, _ in ordered], "a receipt of it")
    text = f"There are {len(ordered)} receipts that fit. The latest says {readings[0]}. Which one do you mean?"
    return Draft(outcome=Outcome.AMBIGUOUS, text=text, readings=readings, cited=cited, confidence=_UNSURE,
                 how="Several receipts hold all the words")  # fmt: skip


def _matching(turn: Turn, plan: Plan, expression: str) -> list[CapturedMemory]:
    ids = [memory_id for memory_id, _ in turn.library.memories.by_words(expression, 60, plan.exact)]
    return turn.library.memories.matching(MemoryFilter(ids=tuple(ids))) if ids else []


def _taste(turn: Turn, plan: Plan) -> Draft | None:
    """The best selfie: the person's own favourites and ratings decide; without them nobody but the person can."""
    match = _TASTE.search(plan.understood.mask)
    if match is None or plan.query.intent is Intent.COMMAND:
        return None
    thing = match["thing"].rstrip("s")
    is_general = thing in ("photo", "picture", "image", "shot", "video", "clip")
    content = [
        word for word in plan.understood.content if word not in match["word"].split() and word not in ("beautiful",)
    ]
    held = members(turn.library, plan, content or ([] if is_general else [thing]))
    if not held:
        return None
    marked = [memory for memory in held if memory.favourite] or [memory for memory in held if (memory.rating or 0) >= 4]
    if marked:
        marked.sort(key=lambda memory: (memory.rating or 0, str(memory.taken.wall)), reverse=True)
        cited = turn.note_retrieved([memory.id for memory in marked[:_SHOWN]], "you marked it")
        lead = f"{moment_of(marked[0])}: {best_sentence(marked[0], ())}"
        text = f"You marked {counted(len(marked), thing)} as favourite or rated it highly; which is best is yours to say. {lead}"
        return Draft(
            outcome=Outcome.ANSWERED, text=text, cited=cited, confidence=0.6, how="Took what you marked yourself"
        )
    cited = turn.note_retrieved([memory.id for memory in held[-_SHOWN:]], "one of them")
    days = tuple(
        dict.fromkeys(f"{moment_of(memory)}: {best_sentence(memory, ())}"[:120] for memory in reversed(held[-4:]))
    )
    text = f"Which {thing} is the {match['word']} is a matter of taste, and you have marked none. "
    text += f"Here are {counted(len(held), thing)}; which do you prefer?"
    return Draft(outcome=Outcome.AMBIGUOUS, text=text, readings=days, cited=cited, confidence=_UNSURE)


def _kind_of_people(turn: Turn, plan: Plan) -> Draft | None:
    """Where somebody comes from or what they believe does not show in a picture, and is not guessed from a face or a name."""
    match = _KIND_OF_PEOPLE.search(plan.understood.mask)
    if match is None:
        return None
    if turn.library.memories.by_words(match_all([match["kind"], match["noun"].rstrip("s")]), 1, plan.scope):
        return None  # somebody wrote it
    text = (
        f"I cannot know who is {match['kind'].capitalize()}: pictures do not say it, and I do not guess it from faces or names. "
        f"Name them, or put them into a group under People (“{match['kind'].capitalize()} {match['noun']}”)"
    )
    with_others = [memory for memory in turn.library.memories.matching(plan.scope) if memory.people][-_SHOWN:]
    names = list(dict.fromkeys(name for memory in with_others for name in memory.people))
    said = conditions(plan.query, plan.understood.place_groups)
    tail = f". People who are named{said}: {listed(names[:6])}." if names and plan.query.time else "."
    return Draft(outcome=Outcome.NEEDS_DETAIL, text=text + tail, searched="What is written and known of people")


def _worked_as(turn: Turn, plan: Plan) -> Draft | None:
    """Work and leisure look the same: the readings are what was done, and the person says which of it was work."""
    match = _WORKED_AS.search(plan.understood.mask)
    if match is None:
        return None
    stem = match["trade"][:-2] if match["trade"].endswith(("er", "or")) else match["trade"]
    ids = [
        memory_id for memory_id, _ in turn.library.memories.by_words(match_any([stem, f"{stem}ing"]), 200, plan.exact)
    ]
    held = turn.library.memories.matching(MemoryFilter(ids=tuple(ids))) if ids else []
    if not held or any("work" in words_of(f"{memory.caption} {memory.title}") for memory in held):
        return None
    groups: dict[str, list[CapturedMemory]] = {}
    for memory in held:
        groups.setdefault(
            next((each for each in memory.activities if stem[:5] in each), best_sentence(memory, [stem])), []
        ).append(memory)
    readings = tuple(f"{name} ({counted(len(on_days(group)), 'day')})" for name, group in groups.items())[:6]
    days = on_days(held)
    cited = turn.note_retrieved([memory.id for memory in days.values()][-_SHOWN:], "may be work or leisure")
    said = ", ".join(spoken_day(day) for day in list(days)[:6])
    text = (
        f"I cannot tell work from leisure here: {counted(len(days), 'day')} show it ({said}). Which of these were work?"
    )
    return Draft(outcome=Outcome.AMBIGUOUS, text=text, readings=readings, cited=cited, confidence=_UNSURE)


def _talked(turn: Turn, plan: Plan) -> Draft | None:
    """What was said in a meeting that no memory mentions: asks what kind of trace there may be."""
    match = _TALKED.search(plan.understood.mask)
    if match is None:
        return None
    what = match["what"] or match["second"]
    if turn.library.memories.by_words(match_any([what, f"{what}s"]), 1, plan.scope):
        return None
    near: Sequence[CapturedMemory] = turn.library.memories.matching(plan.scope) if plan.query.time else ()
    notes = [memory for memory in near if memory.visible_text or memory.speech][-4:]
    said = conditions(plan.query, plan.understood.place_groups)
    text = f"No memory mentions a {what}{said}. Give me a clue: "
    text += "is it a notebook page, a whiteboard, a screenshot or a recording, and from which day?"
    if not notes:
        return Draft(outcome=Outcome.NEEDS_DETAIL, text=text, searched=f"All texts{said} for “{what}”")
    readings = tuple(f"{moment_of(memory)}: {best_sentence(memory, ())}"[:120] for memory in reversed(notes))
    cited = turn.note_retrieved([memory.id for memory in reversed(notes)], "writing from that time")
    return Draft(
        outcome=Outcome.AMBIGUOUS,
        text=f"{text} These hold writing from that time.",
        readings=readings,
        cited=cited,
        confidence=0.3,
    )
