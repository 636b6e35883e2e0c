"""Captured memories, the files they were read from, and what is said about each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
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
    SEGMENTS = "segments"
    FAVOURITE = "favourite"
    RATING = "rating"
    KEYWORDS = "keywords"
    DOCUMENT = "document"
    MEDIA = "media"


class Origin(StrEnum):
    """Where a value came from. The names appear in the interchange format's `origins` and on screen."""

    PERSON = "person"
    NAMED_PLACE = "named_place"
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
    Origin.NAMED_PLACE: 95,
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
    """The size and length of what was captured; sizes are upright pixels, `duration_s` is seconds.

    Attributes:
        burst: the mark that the camera gave all shots of one burst.
    """

    width: int = 0
    height: int = 0
    duration_s: float = 0.0
    camera: str = ""
    damaged: bool = False
    burst: str = ""


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
        is_missing: whether each of its files was gone at the last scan; it comes back with any of them.
        private: what the person keeps it out of: `chat`, `understanding`, or empty.
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
    private: str = ""
    is_missing: bool = False


class FileState(StrEnum):
    """What the last scan saw of a source file.

    `ONLINE_ONLY`: the name is here and the content in somebody's cloud; opening it would download it, so nothing opens it.
    """

    PRESENT = "present"
    MISSING = "missing"
    ONLINE_ONLY = "online_only"
    UNREADABLE = "unreadable"
    IGNORED = "ignored"


class FileRole(StrEnum):
    """What a source file is to its memory: one memory may have many files."""

    ORIGINAL = "original"
    EDITED = "edited"
    CLIP = "clip"
    RAW = "raw"


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
    role: FileRole = FileRole.ORIGINAL


@dataclass(frozen=True, slots=True)
class Root:
    """A folder the person added. `online` is False while the folder itself cannot be reached; its memories stay."""

    id: str
    path: str
    online: bool = True
