"""What the models that read, hear and see return."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text read from a picture.

    Attributes:
        text: empty for a line that was found and could not be read.
        confidence: 0 to 1.
        box: (left, top, right, bottom) in pixels of the picture.
        turned: by how many degrees the page is turned clockwise in the picture: 0, 90, 180 or 270.
    """

    text: str
    confidence: float
    box: tuple[float, float, float, float]
    turned: int = 0

    @property
    def upright(self) -> tuple[float, float, float, float]:
        """The box as it lies when the page is turned upright; where it starts is nobody's business, only how boxes lie to each other."""
        left, top, right, bottom = self.box
        if self.turned == 90:
            return top, -right, bottom, -left
        if self.turned == 180:
            return -right, -bottom, -left, -top
        if self.turned == 270:
            return -bottom, left, -top, right
        return self.box


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
