"""Reads one line of a sibling file (events, people, facts, graph, corrections) into its record."""

import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Self, TypeVar

from core.records import (
    Attributes,
    Concept,
    Correction,
    Event,
    EventStatus,
    Knowledge,
    KnowledgeState,
    Provenance,
    Triple,
)
from core.store.json_lines import BadLineError
from core.text_keys import printable, text_key

_TOKEN = re.compile(r"⟨memory (\d+)⟩")
_Choice = TypeVar("_Choice", bound=StrEnum)


class Named:
    """The fields of one JSON object, read by name; a field that does not fit refuses the whole line."""

    def __init__(self, fields: Mapping[str, object]) -> None:
        self._fields = fields

    @classmethod
    def of(cls, value: object) -> Self:
        """Wrap a parsed line.

        Raises:
            BadLineError: it is no object.
        """
        if not isinstance(value, dict):
            raise BadLineError("it is not a JSON object")
        return cls(value)

    def text(self, key: str, *, needed: bool = False) -> str:
        """A text; empty when absent, unless it is `needed`."""
        value = self._fields.get(key)
        if value is None and not needed:
            return ""
        if not isinstance(value, str) or (needed and not text_key(value)):
            raise BadLineError(f"{key} is missing or no text")
        return printable(value)

    def number(self, key: str, default: float) -> float:
        """A number from 0 to 1."""
        value = self._fields.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise BadLineError(f"{key} is no number from 0 to 1")
        return float(value)

    def level(self, key: str) -> int:
        """1 (small) to 3 (major); 1 when absent."""
        value = self._fields.get(key, 1)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 3:
            raise BadLineError(f"{key} is not 1, 2 or 3")
        return value

    def choice(self, key: str, default: _Choice) -> _Choice:
        """One of an enumeration's values."""
        value = self._fields.get(key, default)
        try:
            return type(default)(str(value))
        except ValueError:
            raise BadLineError(f"{key} {value!r} is unknown") from None

    def yes(self, key: str) -> bool:
        """A truth value; False when absent."""
        return self._fields.get(key) is True

    def when(self, key: str) -> datetime | None:
        """A wall time, or None."""
        try:
            return (
                datetime.fromisoformat(text).replace(tzinfo=None, microsecond=0) if (text := self.text(key)) else None
            )
        except ValueError:
            raise BadLineError(f"{key} is no date") from None

    def day(self, key: str) -> date | None:
        """A day, or None."""
        moment = self.when(key)
        return moment.date() if moment else None

    def texts(self, key: str) -> list[str]:
        """A list of texts or numbers, as texts."""
        values = self._fields.get(key) or []
        if not isinstance(values, list):
            raise BadLineError(f"{key} is no list")
        return [
            printable(str(value)) for value in values if isinstance(value, (str, int)) and not isinstance(value, bool)
        ]

    def lists(self, key: str) -> Attributes:
        """An object of lists of texts; empty when absent."""
        value = self._fields.get(key) or {}
        if not isinstance(value, dict):
            raise BadLineError(f"{key} is no object")
        return tuple((printable(role), tuple(Named(value).texts(role))) for role in value if isinstance(role, str))

    def numbers(self, key: str) -> list[float]:
        """A list of finite numbers."""
        values = self._fields.get(key) or []
        if not isinstance(values, list) or not all(
            isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) for value in values
        ):
            raise BadLineError(f"{key} is no list of numbers")
        return [float(value) for value in values]

    def parts(self, key: str) -> "list[Named]":
        """A list of objects inside; empty when absent."""
        values = self._fields.get(key) or []
        if not isinstance(values, list):
            raise BadLineError(f"{key} is no list")
        return [Named.of(value) for value in values]

    def part(self, key: str) -> "Named":
        """An object inside."""
        return Named.of(self._fields.get(key))

    def made(self) -> Provenance:
        """What the line says it came from."""
        return Provenance(*(self.text(key) for key in ("made_by", "model_revision", "prompt_version", "made_at")))


def read_person(line: Named) -> tuple[str, bool]:
    """(name, whether they own the library)."""
    return line.text("name", needed=not line.text("id")), line.yes("is_owner")


def read_event(line: Named, memory_ids: Mapping[str, str]) -> Event:
    """An event; members that are not in the library are left out."""
    return Event(
        id=line.text("id", needed=True),
        name=line.text("name", needed=True),
        start=line.when("start"),
        end=line.when("end"),
        place=line.text("place"),
        summary=line.text("summary"),
        importance=line.level("importance"),
        parent_id=line.text("parent") or None,
        member_ids=tuple(memory_ids[member] for member in line.texts("members") if member in memory_ids),
        status=line.choice("status", EventStatus.LIVED),
        confidence=line.number("confidence", 0.5),
        why=line.text("why"),
        provenance=line.made(),
        corrected=line.yes("corrected"),
        stale=line.yes("stale"),
    )


def read_fact(line: Named, memory_ids: Mapping[str, str]) -> Knowledge:
    """A statement; evidence that is not in the library is left out."""
    return Knowledge(
        id=line.text("id", needed=True),
        statement=line.text("statement", needed=True),
        kind=line.text("kind") or "fact",
        subject=line.text("subject"),
        evidence_ids=tuple(memory_ids[memory] for memory in line.texts("evidence") if memory in memory_ids),
        valid_from=line.day("from"),
        valid_to=line.day("to"),
        confidence=line.number("confidence", 0.5),
        state=line.choice("state", KnowledgeState.INFERRED),
        why=line.text("why"),
        provenance=line.made(),
    )


def read_edge(line: Named, memory_ids: Mapping[str, str]) -> list[Triple]:
    """The triples of one relation, one for each memory it was read from; what the person told comes with the corrections."""
    source, target = (
        Concept(end.text("kind", needed=True), end.text("name", needed=True), end.text("event"))
        for end in (line.part("source"), line.part("target"))
    )
    return [
        Triple(
            source=source,
            relation=line.text("relation", needed=True),
            target=target,
            memory_id=memory_ids[each],
            attributes=line.lists("attributes"),
            made_by=line.text("made_by") or "rule",
        )
        for each in line.texts("memories")
        if each in memory_ids
    ]


def read_correction(line: Named, memory_ids: Mapping[str, str]) -> Correction:
    """A correction, its memories named by the ids they have in this library."""
    target_kind, target = line.text("target_kind", needed=True), line.text("target", needed=True)
    memories = line.texts("memories")

    def memory_id(match: re.Match[str]) -> str:
        position = int(match[1])
        public_id = memories[position] if position < len(memories) else ""
        return memory_ids.get(public_id, match[0])

    before, after = (_TOKEN.sub(memory_id, line.text(key)) for key in ("before", "after"))
    return Correction(
        id=line.text("id", needed=True),
        target_kind=target_kind,
        target_id=memory_ids.get(target, target) if target_kind in ("memory", "privacy", "answer", "doubt") else target,
        action=line.text("action", needed=True),
        before=before,
        after=after,
        why=line.text("why"),
        made_at=line.text("made_at"),
        undone_at=line.text("undone_at"),
        who=line.text("who"),
    )
