"""The records that travel between the layers: frozen, complete, free of databases, widgets and model runtimes.

One word, one meaning: a *captured memory* is one photo, screenshot, video, recording, document or note as the person lived it;
a *source file* is one of the files on disk it was read from; an *atomic context* is one statement about one memory;
an *event* is a composite context; *knowledge* is a lasting statement drawn from many memories.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum


class MemoryKind(StrEnum):
    """What the person captured."""

    PHOTO = "photo"
    SCREENSHOT = "screenshot"
    VIDEO = "video"
    RECORDING = "recording"
    DOCUMENT = "document"
    NOTE = "note"


class ContextKind(StrEnum):
    """The seven kinds of atomic context (OmniQuery, section 4)."""

    TIME = "time"
    PLACE = "place"
    PERSON = "person"
    VISUAL_ELEMENT = "visual_element"
    ENVIRONMENT = "environment"
    ACTIVITY = "activity"
    EMOTION = "emotion"


class Stage(StrEnum):
    """The steps from a file to the graph, in the order they run."""

    SCAN = "scan"
    METADATA = "metadata"
    THUMBNAILS = "thumbnails"
    NEAR_DUPLICATES = "near_duplicates"
    TEXT = "text"
    FACES = "faces"
    SCENES = "scenes"
    SPEECH = "speech"
    CAPTION = "caption"
    CONTEXTS = "contexts"
    EMBEDDINGS = "embeddings"
    MOMENTS = "moments"
    EVENTS = "events"
    KNOWLEDGE = "knowledge"
    GRAPH = "graph"


class Field(StrEnum):
    """The values of a memory that may come from several origins; the origin of highest rank is shown (see `ORIGIN_RANK`)."""

    KIND = "kind"
    TAKEN = "taken"
    PLACE = "place"
    TITLE = "title"
    CAPTION = "caption"
    VISIBLE_TEXT = "visible_text"
    SPEECH = "speech"
    FAVOURITE = "favourite"
    RATING = "rating"
    KEYWORDS = "keywords"
    DOCUMENT = "document"
    MEDIA = "media"


class Origin(StrEnum):
    """Where a value came from. The names appear in the interchange format's `origins` and on screen."""

    PERSON = "person"
    XMP_SIDECAR = "xmp_sidecar"
    IMPORTED = "imported"
    EXIF_ORIGINAL = "exif_original"
    EMBEDDED_XMP = "embedded_xmp"
    EXIF_DIGITIZED = "exif_digitized"
    TAKEOUT = "takeout"
    VIDEO_CREATION_DATE = "video_creationdate"
    VIDEO_CREATION_TIME = "video_creation_time"
    GPS = "gps"
    MODEL = "model"
    RULE = "rule"
    FILE_NAME = "file_name"
    FILE_TIME = "file_time"
    UNKNOWN = "unknown"


ORIGIN_RANK: Mapping[Origin, int] = {
    Origin.PERSON: 100,
    Origin.XMP_SIDECAR: 90,
    Origin.IMPORTED: 85,
    Origin.EXIF_ORIGINAL: 80,
    Origin.EMBEDDED_XMP: 75,
    Origin.EXIF_DIGITIZED: 70,
    Origin.TAKEOUT: 65,
    Origin.VIDEO_CREATION_DATE: 62,
    Origin.VIDEO_CREATION_TIME: 60,
    Origin.GPS: 55,
    Origin.MODEL: 50,
    Origin.RULE: 40,
    Origin.FILE_NAME: 30,
    Origin.FILE_TIME: 10,
    Origin.UNKNOWN: 0,
}
"""Which origin wins where several speak (design, section 4: the date policy; a person's word over everything)."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a derived value came from.

    Attributes:
        made_by: a model id of the catalogue, or `rule:NAME` for code.
        made_at: UTC, ISO 8601 with seconds.
    """

    made_by: str
    model_revision: str = ""
    prompt_version: str = ""
    made_at: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """When a memory was captured, as the clock on the wall showed it.

    Attributes:
        wall: local wall time without zone; None when nothing is known. The day of a memory is the day of `wall`.
        utc_offset_minutes: offset of the wall clock from UTC where it is known.
        confidence: 0 to 1; below 0.5 the time is not good enough for answers about exact days.
        day_only: True where only the day is known and the time of `wall` means nothing.
    """

    wall: datetime | None = None
    utc_offset_minutes: int | None = None
    origin: Origin = Origin.UNKNOWN
    confidence: float = 0.0
    day_only: bool = False

    @property
    def day(self) -> date | None:
        """The calendar day on the wall, or None for an undated memory."""
        return self.wall.date() if self.wall else None


UNDATED = Taken()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory was captured: named parts from small to large, and coordinates in degrees where known."""

    name: str = ""
    street: str = ""
    district: str = ""
    city: str = ""
    region: str = ""
    country: str = ""
    latitude: float | None = None
    longitude: float | None = None

    @property
    def label(self) -> str:
        """The place as a person would say it: the smallest named part, then the city and country."""
        parts: list[str] = []
        for part in (self.name or self.street or self.district, self.city or self.region, self.country):
            if part and part not in parts:
                parts.append(part)
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class AtomicContext:
    """One statement about one memory, of one of the seven kinds.

    Attributes:
        confidence: 0 to 1.
        why: the words, sign or rule it was read from, for the person.
    """

    kind: ContextKind
    value: str
    confidence: float = 1.0
    origin: Origin = Origin.RULE
    why: str = ""
    provenance: Provenance | None = None


@dataclass(frozen=True, slots=True)
class Media:
    """The size and length of what was captured; sizes are upright pixels, `duration_s` is seconds."""

    width: int = 0
    height: int = 0
    duration_s: float = 0.0
    camera: str = ""
    damaged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedMemory:
    """One photo, screenshot, video, recording, document or note, with everything known about it.

    Every value is the one of the highest-ranked origin; corrections are already applied.

    Attributes:
        id: full random id, never shown to a model.
        public_id: the id a person, the command line and the interchange format use; kept on import.
        people: names, the owner's own name included where it was recorded.
        files: absolute paths of the source files, present ones first; undecodable bytes are surrogates.
        document: fields of a recognised document (`kind`, `merchant`, `total`, `date`).
        origins: field name to the origin of the value shown.
        representative_id: for a near-duplicate, the memory it inherits its caption from.
    """

    id: str
    public_id: str
    kind: MemoryKind = MemoryKind.PHOTO
    taken: Taken = UNDATED
    place: Place | None = None
    title: str = ""
    caption: str = ""
    visible_text: str = ""
    speech: str = ""
    people: tuple[str, ...] = ()
    visual_elements: tuple[str, ...] = ()
    activities: tuple[str, ...] = ()
    environment: str = ""
    emotion: str = ""
    keywords: tuple[str, ...] = ()
    favourite: bool = False
    rating: int | None = None
    document: Mapping[str, str] = field(default_factory=dict)
    media: Media = Media()
    file_name: str = ""
    files: tuple[str, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)
    event_ids: tuple[str, ...] = ()
    representative_id: str | None = None


class FileState(StrEnum):
    """What the last scan saw of a source file."""

    PRESENT = "present"
    MISSING = "missing"
    UNREADABLE = "unreadable"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file on disk. Its identity is its content; the path is an attribute.

    Attributes:
        path: absolute path as Python sees it (undecodable bytes as surrogates); convert with `os.fsencode` to store.
        sha256: hex digest of the content; empty while unread.
        modified_ns: mtime in nanoseconds at the last look.
    """

    id: str
    root_id: str
    path: str
    memory_id: str | None = None
    sha256: str = ""
    size_bytes: int = 0
    modified_ns: int = 0
    state: FileState = FileState.PRESENT
    reason: str = ""
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Root:
    """A folder the person added. `online` is False while the folder itself cannot be reached; its memories stay."""

    id: str
    path: str
    online: bool = True


class EventStatus(StrEnum):
    """Whether the person was there: lived, planned in a message, or only mentioned."""

    LIVED = "lived"
    PLANNED = "planned"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What the person changed: kept for ever, applied over every re-run, undone only by the person.

    Attributes:
        target_kind: memory, event, or knowledge.
        action: rename, redate, replace, move_in, move_out, split, merge, confirm, delete, edit, reject, add, forget.
        before, after: JSON texts of what the action changed.
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


@dataclass(frozen=True, slots=True)
class Node:
    """A concept of the life graph; `kind` is one of PersonAnimal, Event, Date, Location, Activity, Object."""

    id: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes with the memories it was read from."""

    source_id: str
    relation: str
    target_id: str
    memory_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A file or step that did not work: a result with a reason, never a stop."""

    file: str
    reason: str
    stage: Stage
    attempts: int
    memory_id: str | None = None
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Exact conditions, all of which must hold; empty means no condition.

    Attributes:
        first_day, last_day: inclusive days on the wall; an undated memory never matches a day.
        people: every one of them is in the memory.
        without_people: none of them is in the memory.
        places: any of them equals (by `text_key`) one part of the memory's place.
        kinds: any of them.
        event_ids: any of them.
        ids: any of them.
        hours: (first hour, last hour) on the wall, inclusive, may wrap past midnight.
        weekdays: 0 is Monday.
    """

    first_day: date | None = None
    last_day: date | None = None
    people: tuple[str, ...] = ()
    without_people: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    kinds: tuple[MemoryKind, ...] = ()
    event_ids: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None
    hours: tuple[int, int] | None = None
    weekdays: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether every memory matches."""
        return self == MemoryFilter()


@dataclass(frozen=True, slots=True)
class Found:
    """One search result: a memory, how well it matches (0 to 1, comparable within one result list) and why."""

    memory_id: str
    score: float
    why: str = ""


class Intent(StrEnum):
    """What kind of answer a question wants."""

    FIND = "find"
    COUNT = "count"
    WHEN = "when"
    WHERE = "where"
    WHO = "who"
    WHAT = "what"
    LIST = "list"
    DURATION = "duration"
    MOST = "most"
    NEXT = "next"
    PREVIOUS = "previous"
    CHOICE = "choice"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class DayRange:
    """Inclusive days; None on one side is open. `words` is the text of the question it was read from."""

    first_day: date | None = None
    last_day: date | None = None
    words: str = ""
    hours: tuple[int, int] | None = None
    weekdays: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AugmentedQuery:
    """A question turned into what code can execute (OmniQuery, section 6.1).

    Attributes:
        statement: the question as a statement, for meaning search.
        search_text: the words that say what to look for, without dates, places and people already understood.
        event_relation: how the named event limits time: during, before, after, about; empty without an event.
        filled_by: which model or `rule` filled intent, activities and objects.
        notes: what was understood, one short sentence each, for "how it was found".
    """

    question: str
    asked_on: date
    intent: Intent = Intent.FIND
    time: DayRange | None = None
    places: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    without_people: tuple[str, ...] = ()
    unknown_names: tuple[str, ...] = ()
    event_ids: tuple[str, ...] = ()
    event_relation: str = ""
    activities: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    kinds: tuple[MemoryKind, ...] = ()
    order: str = ""
    unit: str = ""
    statement: str = ""
    search_text: str = ""
    filled_by: str = "rule"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A memory that supports an answer; it was retrieved in the turn that cites it."""

    memory_id: str
    why: str = ""


class Outcome(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    AMBIGUOUS = "ambiguous"
    NOT_FOUND = "not_found"
    NEEDS_DETAIL = "needs_detail"
    STOPPED = "stopped"


class ValueType(StrEnum):
    """What `Answer.value` is."""

    NUMBER = "number"
    DATE = "date"
    SET = "set"
    TEXT = "text"
    CHOICE = "choice"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Question:
    """One question and its frame.

    Attributes:
        asked_on: the day "today" means.
        options: choices as (letter, text); the answer's value is then a letter.
        within: memory ids the answer must come from; None for the whole library.
        conversation_id: the conversation it follows up; None starts a new one.
    """

    text: str
    asked_on: date
    options: tuple[tuple[str, str], ...] = ()
    within: tuple[str, ...] | None = None
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the person reads, and everything needed to trust or distrust it.

    Attributes:
        value: number, ISO date, sorted set, text or choice letter, by `value_type`.
        citations: in order of support, all retrieved in this turn; empty on `not_found`.
        found_by: one sentence: what was understood and how it was computed.
        searched: what was looked through, for "not found".
        model: the model that phrased or judged; empty when code did everything.
        first_pictures_s: seconds until the first pictures could be shown; None when there were none.
    """

    outcome: Outcome
    text: str
    value: int | float | str | tuple[str, ...] | None = None
    value_type: ValueType = ValueType.NONE
    explanation: str = ""
    citations: tuple[Citation, ...] = ()
    confidence: float = 0.0
    found_by: str = ""
    searched: str = ""
    readings: tuple[str, ...] = ()
    model: str = ""
    seconds: float = 0.0
    first_pictures_s: float | None = None
    prompt_tokens: int = 0
    fresh_prompt_tokens: int = 0
    completion_tokens: int = 0
    conversation_id: str = ""


@dataclass(frozen=True, slots=True)
class AskStep:
    """News from a question that is being answered.

    Attributes:
        doing: what is happening, for the person.
        pictures: memory ids found so far, best first.
        text: a piece of the answer as it is written (append to what came before).
    """

    doing: str = ""
    pictures: tuple[str, ...] = ()
    text: str = ""


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

    def __or__(self, other: "Changes") -> "Changes":
        return Changes(
            self.memories or other.memories,
            self.events or other.events,
            self.knowledge or other.knowledge,
            self.roots or other.roots,
        )


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text read from a picture: confidence 0 to 1, box as (left, top, right, bottom) in upright pixels."""

    text: str
    confidence: float
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SpokenSegment:
    """A stretch of speech; times are seconds from the start of the clip."""

    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was said. No segments means that no speech was found, which is a result."""

    segments: tuple[SpokenSegment, ...] = ()
    language: str = ""

    @property
    def text(self) -> str:
        """All that was said, in order."""
        return " ".join(segment.text.strip() for segment in self.segments).strip()


@dataclass(frozen=True, slots=True)
class SceneLabel:
    """What a picture shows, with the model's probability (0 to 1)."""

    label: str
    confidence: float


@dataclass(frozen=True, slots=True)
class FaceFound:
    """A face: box in upright pixels, detection confidence, and a unit-length embedding."""

    box: tuple[float, float, float, float]
    confidence: float
    embedding: tuple[float, ...]


def days_inclusive(first: date, last: date) -> tuple[date, ...]:
    """Every day from first to last, both included; empty when last is before first."""
    return tuple(first + timedelta(days=step) for step in range((last - first).days + 1))
