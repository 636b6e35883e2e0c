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
    codes = "".join(item.code for item in row)
    for _ in range(_MOST_PASSES):
        before = codes
        for one in rules:
            changed = _apply(one, row, codes, setting)
            if changed is not None:
                row = changed
                codes = "".join(item.code for item in row)
        if codes == before:
            break
    return row


def _apply(one: Rule, row: list[Item], codes: str, setting: Setting) -> list[Item] | None:
    """The row with every match of the rule put together; None when there is none."""
    done: list[Item] = []
    taken = 0
    for match in one.pattern.finditer(codes):
        built = _build(one.build, tuple(row[match.start() : match.end()]), setting)
        if built is None:
            continue
        done += row[taken : match.start()]
        done.append(replace(built, start=row[match.start()].start, end=row[match.end() - 1].end))
        taken = match.end()
    return done + row[taken:] if taken else None


def _build(build: Build, items: tuple[Item, ...], setting: Setting) -> Item | None:
    try:
        return build(setting, items)
    except (ValueError, OverflowError):
        # days that no calendar has: 31 April, the year 12000, five million weeks ago
        return None
