"""What a source file says about itself: read once in the decoding process, interpreted by dates, places and kinds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.capture.described import NOTHING_SAID, Described
from core.capture.formats import Medium


class Tag(StrEnum):
    """The raw texts that a file may carry; each is kept as written, so that a bad one spoils only itself."""

    EXIF_ORIGINAL = "exif_original"
    EXIF_DIGITIZED = "exif_digitized"
    EXIF_MODIFIED = "exif_modified"
    OFFSET_ORIGINAL = "offset_original"
    OFFSET_DIGITIZED = "offset_digitized"
    OFFSET_MODIFIED = "offset_modified"
    XMP_ORIGINAL = "xmp_original"
    IPTC_CREATED = "iptc_created"
    VIDEO_CREATION_DATE = "video_creationdate"
    VIDEO_CREATION_TIME = "video_creation_time"
    GPS_TIME = "gps_time"
    COMMENT = "comment"
    SOFTWARE = "software"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One source file as its headers describe it.

    Attributes:
        format: name in `core.capture.formats`.
        width, height: upright pixels; 0 for a recording.
        latitude, longitude: as written, signs applied, not yet judged (see `places`).
        has_audio: a video or recording with at least one audio stream.
        content_id: Apple's mark that a photo and a clip were taken as one.
        burst_id: the mark that the shots of one burst share.
        described: what the embedded XMP and IPTC say.
        title, text: of a document that holds its words as words.
    """

    format: str
    medium: Medium
    width: int = 0
    height: int = 0
    duration_s: float = 0.0
    camera: str = ""
    latitude: float | None = None
    longitude: float | None = None
    has_audio: bool = False
    tags: Mapping[Tag, str] = field(default_factory=dict)
    content_id: str = ""
    burst_id: str = ""
    described: Described = NOTHING_SAID
    title: str = ""
    text: str = ""
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """Upright RGB pixels, and whether part of the file was missing."""

    pixels: NDArray[np.uint8]
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What is known once a thumbnail is there: the perceptual hash (None where it shows nothing to compare), and if all was there."""

    fingerprint: int | None
    damaged: bool = False
