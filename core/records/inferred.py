"""What is inferred from many memories: moments, events, knowledge and the graph; and what the person corrected."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from core.records.memories import Provenance


class EventStatus(StrEnum):
    """Whether the person was there: lived, or only told of in a text or a talk: to come, long past, or no word of when."""

    LIVED = "lived"
    PLANNED = "planned"
    PAST = "past"
    MENTIONED = "mentioned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A composite context: memories that belong together, possibly inside a larger event.

    Attributes:
        start, end: wall time of the first and last moment; None when unknown.
        importance: 1 (small) to 3 (major), as in OmniQuery A.1.
        parent_id: the event it is part of (a trip contains days).
        member_ids: memory ids in time order.
        why: one sentence: the memories, the words or the rule it was inferred from.
        corrected: the person changed or confirmed it; a re-run keeps it.
        stale: something it was derived from has changed since.
    """

    id: str
    name: str
    start: datetime | None = None
    end: datetime | None = None
    place: str = ""
    summary: str = ""
    importance: int = 1
    parent_id: str | None = None
    member_ids: tuple[str, ...] = ()
    status: EventStatus = EventStatus.LIVED
    confidence: float = 0.5
    why: str = ""
    provenance: Provenance | None = None
    corrected: bool = False
    stale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Memories taken close together in time and place; the unit events are made of."""

    id: str
    start: datetime
    end: datetime
    place: str
    member_ids: tuple[str, ...]


class KnowledgeState(StrEnum):
    """Whether a statement is inferred, or has the person's word for or against it."""

    INFERRED = "inferred"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    OWN = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """A lasting statement about the person's life with its evidence.

    Attributes:
        kind: habit, companion, home, favourite, first, or fact.
        subject: what it is about (a place, person or activity), for finding it again in other words.
        evidence_ids: memories that support it, best first.
    """

    id: str
    statement: str
    kind: str = "fact"
    subject: str = ""
    evidence_ids: tuple[str, ...] = ()
    valid_from: date | None = None
    valid_to: date | None = None
    confidence: float = 0.5
    state: KnowledgeState = KnowledgeState.INFERRED
    why: str = ""
    provenance: Provenance | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """A camera's clock that looks wrong for some memories: proposed to the person, never put right without their word.

    Attributes:
        camera: the camera's name, or how its file names begin.
        shift_s: what has to be added to the times in seconds; None where only the person can know.
    """

    id: str
    camera: str
    shift_s: int | None
    why: str
    member_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What the person changed: kept for ever, applied over every re-run, undone only by the person.

    Attributes:
        target_kind: memory, event, knowledge, relation, clock, rule, answer, doubt, file, person, place or privacy.
        action: rename, redate, replace, importance, move, split, merge, confirm, lock, delete, edit, reject, add, forget, relate, unrelate,
            shift, accept, decline, dismiss.
        before, after: JSON texts of what the action changed.
        who: the owner's name where it was known; empty else.
    """

    id: str
    target_kind: str
    target_id: str
    action: str
    before: str = ""
    after: str = ""
    why: str = ""
    made_at: str = ""
    undone_at: str = ""
    who: str = ""


Attributes = tuple[tuple[str, tuple[str, ...]], ...]
"""Further arguments of a relation, by their role: (("attendee", ("David", "Rylen")), ("object", ("red ornaments",)))."""


@dataclass(frozen=True, slots=True)
class Concept:
    """What a node of the life graph stands for; two of one kind are the same where `ref`, else the key of the name, is.

    Attributes:
        kind: PersonAnimal, Event, Date, Location, Activity or Object.
        ref: the id of an event: two dinners of one name are two events.
    """

    kind: str
    name: str
    ref: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """One relation as one memory states it; n-ary facts keep their further arguments as attributes.

    Attributes:
        made_by: `rule`, or the model and prompt that read it from the memory's text.
    """

    source: Concept
    relation: str
    target: Concept
    memory_id: str
    attributes: Attributes = ()
    made_by: str = "rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldRelation:
    """What the person said of two concepts: `target` is `relation` of `source` (Mara, daughter, Nina: Nina is Mara's daughter).

    Attributes:
        holds: False where the person said that it is not so.
        attributes: as of a triple; `from` and `to` hold years or days between which it is true.
        correction_id: the correction that says it.
    """

    source: Concept
    relation: str
    target: Concept
    holds: bool = True
    attributes: Attributes = ()
    correction_id: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A concept of the life graph; `kind` is one of PersonAnimal, Event, Date, Location, Activity, Object."""

    id: str
    kind: str
    name: str
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes with its sources.

    Attributes:
        memory_ids: the memories it was read from; none where only the person said it.
        attributes: of all its sources together.
        made_by: `rule`, `person`, or the model that read it.
    """

    source_id: str
    relation: str
    target_id: str
    memory_ids: tuple[str, ...] = ()
    attributes: Attributes = ()
    made_by: str = "rule"
