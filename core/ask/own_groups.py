"""Which of the person's own groups ("friends from summer school") does a question mean? Read like people meant by a relation."""

import re
from collections.abc import Collection, Mapping, Sequence

from core.ask.kin import KinMention
from core.retrieve.match_words import words_of
from core.retrieve.names import NameIndex, Token

_MOST_TURNED = 5
_SINGLE = re.compile(
    r"\b(?:with|and|without|see|saw|seen|meet|met|of|from|by|for|in|are|is|were|was|did|do|which|any|anybody|anyone|someone|who)"
    r"\s+(?:(?:my|our|the|all)\s+)*$|\b(?:my|our)\s+$",
    re.IGNORECASE,
)
"""What stands before a group of one word where people are meant: "with the climbers", not "a climbers' magazine"."""

_OWN = re.compile(r"(?:\b(?:my|our|the|all)\s+)+$", re.IGNORECASE)


def with_groups(
    kin: Sequence[KinMention],
    text: str,
    tokens: Sequence[Token],
    groups: Mapping[str, Sequence[str]],
    pictured: Collection[str],
) -> list[KinMention]:
    """The people meant by relations, and those meant by groups; a group goes before a relation that says no more than it.

    Args:
        groups: names of members by the group's name.
        pictured: the names that may be used, because they are in memories that may.
    """
    found = _find(text, tokens, groups, pictured)
    kept = [each for each in kin if not any(_covers(group, each) for group in found)]
    found = [group for group in found if all(group.end <= each.start or each.end <= group.start for each in kept)]
    return sorted([*kept, *found], key=lambda each: each.start)


def _find(
    text: str, tokens: Sequence[Token], groups: Mapping[str, Sequence[str]], pictured: Collection[str]
) -> list[KinMention]:
    index = NameIndex()
    for group in groups:
        index.add(group, _turned(words_of(group)))
    found = []
    for mention in index.find(tokens):
        names = tuple(dict.fromkeys(name for group in mention.names for name in groups[group] if name in pictured))
        words = text[mention.start : mention.end]
        if names and (" " in words or _SINGLE.search(text[: mention.start])):
            how = f"the group “{mention.names[0]}” under People"
            start = len(_OWN.sub("", text[: mention.start]))
            found.append(KinMention(start=start, end=mention.end, words=words, names=names, several=True, how=how))
    return found


def _turned(words: Sequence[str]) -> list[str]:
    """Other orders in which people say a group's name: "my summer school friends"."""
    if not 1 < len(words) <= _MOST_TURNED:
        return []
    return [" ".join((*words[at:], *words[:at])) for at in range(len(words))]


def _covers(group: KinMention, kin: KinMention) -> bool:
    """Whether a relation says nothing beyond the group."""
    return group.start <= kin.start and group.start < kin.end <= group.end
