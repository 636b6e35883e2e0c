"""What work tells about itself: progress, problems and what it changed."""

from dataclasses import dataclass
from enum import StrEnum

from core.records.memories import Stage


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is. `seconds_left` is None until it can be told."""

    stage: Stage
    done: int
    total: int
    item: str = ""
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """What a write changed, so that views refresh only that."""

    memories: bool = False
    events: bool = False
    knowledge: bool = False
    roots: bool = False
    people: bool = False

    def __or__(self, other: "Changes") -> "Changes":
        return Changes(
            self.memories or other.memories,
            self.events or other.events,
            self.knowledge or other.knowledge,
            self.roots or other.roots,
            self.people or other.people,
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """A file or step that did not work: a result with a reason, never a stop."""

    file: str
    reason: str
    stage: Stage
    attempts: int
    memory_id: str | None = None
    ignored: bool = False


class DoubtKind(StrEnum):
    """Why the person may want to look at a memory."""

    DATE_CONFLICT = "date_conflict"
    FUTURE_DATE = "future_date"
    IMPOSSIBLE_TIME = "impossible_time"
    PRINTED_DATE = "printed_date"
    STALE_POSITION = "stale_position"
    FAR_POSITION = "far_position"
    SMALLER_COPY = "smaller_copy"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something about a memory that only the person can decide; what is shown stays as it is.

    Attributes:
        suggestion: the other day, or the public id of the other memory; empty where there is none.
    """

    memory_id: str
    kind: DoubtKind
    reason: str
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class FoldersSeen:
    """One look at the library's folders: whether it is time to scan, and when to look again."""

    is_news: bool
    look_again_s: float
