"""Which facts do texts and speech state in so many words? Two memories of different days, or the same words twice, are needed."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.records import CapturedMemory, Knowledge, Provenance
from core.text_keys import printable, text_key

VERSION = "declared-1"
_FEWEST = 2
_NAME = r"(?P<who>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2})"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAY = rf"(?P<what>(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS}))|(?:(?:{_MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?))"

_ORGANISATION = r"(?P<what>[A-Z][\w&'’-]+(?: [A-Z][\w&'’-]+){0,3})"
_PLACE = r"(?P<what>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2})"

_PATTERNS: Sequence[tuple[str, re.Pattern[str], str]] = (
    (
        "birthday",
        re.compile(rf"\b{_NAME}['’]s birthday (?:is|falls)(?: on)? (?:the )?{_DAY}"),
        "{who}'s birthday is on {what}.",
    ),
    (
        "birthday",
        re.compile(rf"\b[Bb]irthday of {_NAME}[:,]? (?:is )?(?:on )?(?:the )?{_DAY}"),
        "{who}'s birthday is on {what}.",
    ),
    ("allergy", re.compile(rf"\b{_NAME} is allergic to (?P<what>[a-z]+(?: [a-z]+)?)"), "{who} is allergic to {what}."),
    ("work", re.compile(rf"\b{_NAME} works (?:at|for) {_ORGANISATION}"), "{who} works at {what}."),
    ("residence", re.compile(rf"\b{_NAME} (?:lives in|moved to) {_PLACE}"), "{who} lives in {what}."),
)


def declared(memories: Iterable[CapturedMemory]) -> list[Knowledge]:
    """Facts that at least two memories state."""
    saying: dict[tuple[str, str, str], list[CapturedMemory]] = defaultdict(list)
    statements: dict[tuple[str, str, str], str] = {}
    for memory in memories:
        text = " ".join(printable(f"{memory.visible_text} {memory.speech}").split())
        for about, pattern, template in _PATTERNS:
            for match in pattern.finditer(text):
                who, what = match["who"], match["what"]
                key = (about, text_key(who), _bare(what))
                statements.setdefault(key, template.replace("{who}", who).replace("{what}", what))
                if memory not in saying[key]:
                    saying[key].append(memory)
    return [
        Knowledge(
            id="",
            statement=statements[key],
            kind="fact",
            subject=f"{key[0]} of {key[1]}: {key[2]}",
            evidence_ids=tuple(memory.id for memory in members),
            confidence=min(0.9, 0.5 + 0.1 * len(members)),
            why=f"{len(members)} memories say so in their text or speech.",
            provenance=Provenance("rule:declared", "", VERSION),
        )
        for key, members in saying.items()
        if len(members) >= _FEWEST
    ]


def _bare(what: str) -> str:
    """4th of May, May 4 and 4 May are one day."""
    words = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text_key(what)).replace(" of ", " ").split()
    return " ".join(sorted(words))
