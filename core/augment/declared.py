"""Which facts do texts and speech state in so many words? Two memories are needed, or the same words twice.

Where a later statement says otherwise, the earlier one ends in time; where both are said in the same time, both are shown as
contradicting each other. A name is never completed and nothing is concluded.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise

from core.records import CapturedMemory, Knowledge, Provenance
from core.text_keys import printable, text_key

VERSION = "declared-2"
_DECLARED = "rule:declared"
_FEWEST = 2
_DISPUTED = 0.4
_NAME = r"(?P<who>[A-Z][\w'’-]*[\w](?: [A-Z][\w'’-]*[\w]){0,2})"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAY = rf"(?P<what>(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS}))|(?:(?:{_MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?))"
_ORGANISATION = r"(?P<what>[A-Z][\w&'’-]+(?: [A-Z][\w&'’-]+){0,3})"
_PLACE = r"(?P<what>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2})"
_THING = r"(?P<what>[a-z]+(?: [a-z]+)?)"
_PRONOUNS = "I He She It We They You Who This That There Someone Everybody Nobody My Our His Her Their Your"
_NO_NAMES = frozenset(text_key(word) for word in _PRONOUNS.split())
_CHANGING = frozenset(("work", "residence", "studies", "job"))
"""What may be one thing now and another later; somebody may have several allergies, but only one birthday."""
_SINGLE = frozenset((*_CHANGING, "birthday"))

_PATTERNS: Sequence[tuple[str, re.Pattern[str], str]] = tuple(
    (about, re.compile(pattern), said)
    for about, pattern, said in (
        ("birthday", rf"\b{_NAME}['’]s birthday (?:is|falls|was)(?: on)? (?:the )?{_DAY}", "{who}'s birthday is on {what}."),
        ("birthday", rf"\b[Bb]irthday of {_NAME}[:,]? (?:is )?(?:on )?(?:the )?{_DAY}", "{who}'s birthday is on {what}."),
        ("birthday", rf"\b{_NAME} (?:was born on|turns \d+ on|celebrates on) (?:the )?{_DAY}", "{who}'s birthday is on {what}."),
        ("allergy", rf"\b{_NAME} is allergic to {_THING}", "{who} is allergic to {what}."),
        ("diet", rf"\b{_NAME} is (?:a )?(?P<what>vegan|vegetarian|pescatarian|coeliac|celiac|lactose intolerant)\b", "{who} is {what}."),
        ("work", rf"\b{_NAME} (?:works (?:at|for)|started (?:working )?at) {_ORGANISATION}", "{who} works at {what}."),
        ("job", rf"\b{_NAME} works as an? {_THING}", "{who} works as {what}."),
        ("studies", rf"\b{_NAME} studies at {_ORGANISATION}", "{who} studies at {what}."),
        ("residence", rf"\b{_NAME} (?:lives in|moved to|now lives in) {_PLACE}", "{who} lives in {what}."),
    )
)  # fmt: skip


@dataclass(slots=True)
class _Said:
    """One fact with the memories that state it."""

    about: str
    who: str
    statement: str
    what: str
    members: list[CapturedMemory] = field(default_factory=list)

    @property
    def days(self) -> list[date]:
        """When it was said, the first time first."""
        return sorted({memory.taken.day for memory in self.members if memory.taken.day})


def declared(memories: Iterable[CapturedMemory]) -> list[Knowledge]:
    """Facts that at least two memories state, with their time where another followed."""
    saying: dict[tuple[str, str, str], _Said] = {}
    for memory in memories:
        for about, who, what, text in _stated(memory):
            key = (about, text_key(who), _bare(what))
            said = saying.setdefault(key, _Said(about, text_key(who), text, _bare(what)))
            if memory not in said.members:
                said.members.append(memory)
    groups: dict[tuple[str, str], list[_Said]] = defaultdict(list)
    for said in saying.values():
        if len(said.members) >= _FEWEST:
            groups[(said.about, said.who)].append(said)
    return [fact for (about, _), group in groups.items() for fact in _facts(about, group)]


def stated_of(memory: CapturedMemory) -> set[str]:
    """Of whom a memory's text or speech states facts, as keys."""
    return {text_key(who) for _, who, _, _ in _stated(memory)}


def fact_of(item: Knowledge) -> str:
    """Of whom a stated fact is, as a key; empty for any other statement."""
    if not item.provenance or item.provenance.made_by != _DECLARED:
        return ""
    return item.subject.partition(" of ")[2].rpartition(": ")[0]


def _stated(memory: CapturedMemory) -> Iterator[tuple[str, str, str, str]]:
    """(about, who, what, statement) of each fact in a memory's text and speech."""
    text = " ".join(printable(f"{memory.visible_text} {memory.speech}").split())
    if not text:
        return
    for about, pattern, template in _PATTERNS:
        for match in pattern.finditer(text):
            if text_key(match["who"].split()[0]) in _NO_NAMES:
                continue
            yield (
                about,
                match["who"],
                match["what"],
                template.replace("{who}", match["who"]).replace("{what}", match["what"]),
            )


def _facts(about: str, group: list[_Said]) -> list[Knowledge]:
    """The facts of one kind about one person: followed by one another, or side by side where they contradict."""
    facts = [_fact(said) for said in group]
    if about not in _SINGLE or len(group) < 2:
        return facts
    order = sorted(range(len(group)), key=lambda at: group[at].days or [date.max])
    for earlier, later in pairwise(order):
        first, last = group[earlier].days, group[later].days
        if about in _CHANGING and first and last and first[-1] < last[0]:
            until = last[0]
            facts[earlier] = replace(
                facts[earlier],
                valid_to=until,
                why=f"{facts[earlier].why} From {until.isoformat()} on they say: {group[later].statement}",
            )
            facts[later] = replace(facts[later], valid_from=until)
        else:
            facts[earlier] = _disputed(facts[earlier], group[later].statement)
            facts[later] = _disputed(facts[later], group[earlier].statement)
    return facts


def _disputed(fact: Knowledge, other: str) -> Knowledge:
    return replace(fact, confidence=_DISPUTED, why=f"{fact.why} Contradicted by: {other}")


def _fact(said: _Said) -> Knowledge:
    return Knowledge(
        id="",
        statement=said.statement,
        kind="fact",
        subject=f"{said.about} of {said.who}: {said.what}",
        evidence_ids=tuple(memory.id for memory in said.members),
        confidence=min(0.9, 0.5 + 0.1 * len(said.members)),
        why=f"{len(said.members)} memories say so in their text or speech.",
        provenance=Provenance(_DECLARED, "", VERSION),
    )


def _bare(what: str) -> str:
    """4th of May, May 4 and 4 May are one day."""
    words = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text_key(what)).replace(" of ", " ").split()
    return " ".join(sorted(words))
