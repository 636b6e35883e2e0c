"""Records of what the person changed, and of the rules that repeated changes suggest."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Change:
    """One correction in words.

    Attributes:
        who: the owner's name, where it was known.
        undone_at: when it was taken back; empty while it stands.
    """

    id: str
    what: str
    why: str
    who: str
    made_at: str
    undone_at: str
    target_kind: str
    target_id: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A rule that corrections suggest, or one that the person accepted.

    Attributes:
        kind: place, person, or no_event.
        text: the rule, as a person would say it.
        why: which corrections suggest it.
        fields: what the rule needs to be carried out.
    """

    id: str
    kind: str
    text: str
    why: str
    fields: dict[str, Any] = field(default_factory=dict, hash=False)


def shift_text(shift_s: int) -> str:
    """How far times are moved, in words: "366 days later", "1 hour earlier"."""
    hours = abs(shift_s) / 3600
    number, unit = (round(hours / 24, 1), "day") if hours >= 48 else (round(hours, 2), "hour")
    return f"{number:g} {unit}{'' if number == 1 else 's'} {'later' if shift_s > 0 else 'earlier'}"
