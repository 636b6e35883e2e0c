"""How are neighbouring items put together into one?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.ask.dates.items import Build, Item, Setting

_MOST_PASSES = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern over the codes of items, and what the matched items mean together."""

    pattern: re.Pattern[str]
    build: Build


def rule(pattern: str, build: Build) -> Rule:
    """A rule; the pattern may look at neighbours (lookaround) that it does not take."""
    return Rule(re.compile(pattern), build)


def rewrite(items: Sequence[Item], rules: Sequence[Rule], setting: Setting) -> list[Item]:
    """Apply the rules in order, several times, until nothing changes."""
    row = list(items)
    for _ in range(_MOST_PASSES):
        before = len(row)
        codes = "".join(item.code for item in row)
        for one in rules:
            row = _apply(one, row, setting)
        if len(row) == before and codes == "".join(item.code for item in row):
            break
    return row


def _apply(one: Rule, row: list[Item], setting: Setting) -> list[Item]:
    codes = "".join(item.code for item in row)
    done: list[Item] = []
    taken = 0
    for match in one.pattern.finditer(codes):
        built = _build(one.build, tuple(row[match.start() : match.end()]), setting)
        if built is None:
            continue
        done += row[taken : match.start()]
        done.append(replace(built, start=row[match.start()].start, end=row[match.end() - 1].end))
        taken = match.end()
    return done + row[taken:] if taken else row


def _build(build: Build, items: tuple[Item, ...], setting: Setting) -> Item | None:
    try:
        return build(setting, items)
    except (ValueError, OverflowError):
        # days that no calendar has: 31 April, the year 12000, five million weeks ago
        return None
