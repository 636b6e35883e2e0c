"""Can a correction that comes from a file be replayed and undone? One that cannot would stop every later run."""

import math
import re
from collections.abc import Sequence
from datetime import datetime

from core.augment.clock_corrections import CLOCK, is_usable_clock
from core.augment.gist import Gist
from core.augment.people_board import PERSON, board_of, read_places
from core.augment.replay import replay
from core.augment.snapshots import Fields, knowledge_from, unpacked
from core.augment.spoken import edit_of
from core.augment.taught import RULE, is_usable_rule
from core.errors import RequestError
from core.records import Correction, DoubtKind, MemoryKind, Place
from core.retrieve.rejected import ANSWER
from core.store.doubtful import DOUBT
from core.store.told import RELATION, told_by

_SHA256 = re.compile(r"^[0-9a-f]{64}$")
_KNOWLEDGE_ACTIONS = ("add", "confirm", "edit", "reject")
_TEXTS = ("id", "name", "place", "summary", "why", "statement", "kind", "subject")


def is_usable(correction: Correction) -> bool:
    """Whether its action is known and its texts hold what the action needs."""
    try:
        before, after = unpacked(correction.before), unpacked(correction.after)
        for fields in (before, after, *_inner(before), *_inner(after)):
            _check_types(fields)
        if correction.target_kind == "event":
            replay([], [correction], frozenset(), _no_gist)
        elif correction.target_kind == "knowledge":
            _check_knowledge(correction.action, before, after)
        elif correction.target_kind == "place":
            _check_place(correction.action, after)
        elif correction.target_kind == ANSWER:
            _check_words(correction.action, "reject", after["question"])
        elif correction.target_kind == DOUBT:
            _check_words(correction.action, "dismiss", DoubtKind(after["kind"]), after["key"])
        elif correction.target_kind == "privacy":
            _check_privacy(after)
        elif correction.target_kind == "memory":
            _check_memory(correction.action, before, after)
        elif correction.target_kind == RELATION:
            if not correction.undone_at or correction.before or correction.after:  # else its words were forgotten
                told_by(correction)
        elif correction.target_kind == "file":
            _check_file(correction)
        elif correction.target_kind == PERSON:
            board_of([correction])
            read_places(before)
        elif correction.target_kind == CLOCK:
            return is_usable_clock(correction)
        elif correction.target_kind == RULE:
            return is_usable_rule(correction)
        else:
            return False
    except (KeyError, ValueError, TypeError, AttributeError, RequestError):
        return False
    return True


def _check_file(correction: Correction) -> None:
    if correction.action != "split" or not _SHA256.match(correction.target_id):
        raise ValueError(correction.action)


def _check_words(action: str, expected: str, *words: str) -> None:
    if action != expected or not all(isinstance(word, str) for word in words):
        raise ValueError(action)


def _check_privacy(after: Fields) -> None:
    if after["level"] not in ("chat", "understanding", "none"):
        raise ValueError(after["level"])


def _check_place(action: str, after: Fields) -> None:
    if action not in ("name", "unname") or not after["name"].strip():
        raise ValueError(action)
    if action == "name":
        numbers = [float(after[key]) for key in ("latitude", "longitude", "radius_m")]
        if set(after) != {"name", "latitude", "longitude", "radius_m"} or not all(map(math.isfinite, numbers)):
            raise ValueError(action)


def _inner(fields: Fields) -> list[Fields]:
    return [value for value in fields.values() if isinstance(value, dict)]


def _check_types(fields: Fields) -> None:
    """What becomes an event, a statement or a name must be of the kind the database holds."""
    for key in _TEXTS:
        if not isinstance(fields.get(key, ""), str):
            raise TypeError(key)
    for key in ("member_ids", "evidence_ids", "kept_ids"):
        if not _are_texts(fields.get(key, ())):
            raise TypeError(key)
    for key, low, high in (("importance", 1, 3), ("confidence", 0, 1)):
        value = fields.get(key, low)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(key)
    for key in ("parent_id", "to_id", "from_id", "other_id"):
        if not isinstance(fields.get(key), str | None):
            raise TypeError(key)


def _check_knowledge(action: str, before: Fields, after: Fields) -> None:
    if action not in _KNOWLEDGE_ACTIONS:
        raise ValueError(action)
    knowledge_from(after if action == "add" else before)
    if action == "edit":
        str(after["statement"])


def _check_memory(action: str, before: Fields, after: Fields) -> None:
    if action == "forget":
        return
    if action != "edit" or before["field"] != after["field"]:
        raise ValueError(action)
    for said in (before, after):
        edit_of(said["field"])
        if said["value"] is not None:
            _check_value(said["field"], said["value"])


def _check_value(field: str, value: object) -> None:
    if field == "place":
        if not isinstance(value, dict) or not all(
            isinstance(part, str | float | int | None) for part in value.values()
        ):
            raise TypeError(field)
        Place(**value)
    elif field == "date":
        wall, day_only = value if isinstance(value, list) else (None, None)
        if not isinstance(day_only, bool):
            raise TypeError(field)
        datetime.fromisoformat(str(wall))
    elif field == "kind":
        MemoryKind(str(value))
    elif field in ("caption", "title", "visible_text", "speech"):
        if not isinstance(value, str):
            raise TypeError(field)
    elif not _are_texts(value):
        raise TypeError(field)


def _are_texts(values: object) -> bool:
    return isinstance(values, list | tuple) and all(isinstance(value, str) for value in values)


def _no_gist(member_ids: Sequence[str]) -> Gist:
    return Gist()
