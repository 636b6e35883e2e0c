"""What the models that read, hear and see return."""

from dataclasses import dataclass


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

    @property
    def clock(self) -> str:
        """When it begins, as a person reads it: 0:07, 12:30, 1:02:05."""
        minutes, seconds = divmod(int(self.start_s), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


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
    """What a picture shows, with the model's probability (0 to 1); `is_place` for where it was taken."""

    label: str
    confidence: float
    is_place: bool = False


@dataclass(frozen=True, slots=True)
class FaceFound:
    """A face: box in upright pixels, detection confidence, and a unit-length embedding."""

    box: tuple[float, float, float, float]
    confidence: float
    embedding: tuple[float, ...]
