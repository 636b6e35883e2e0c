"""The faces role: `FaceFinder` asks from the program; a service of `faces_dlib` or `faces_yunet` answers in the child."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.errors import ModelError
from core.ports import Pixels
from core.records import FaceFound
from models.catalogue import Runtime
from models.hosted import HostedModel

Found = list[tuple[tuple[float, float, float, float], float, list[float]]]
"""What a service sends: box, confidence and embedding of each face, in pixels of the picture it was given."""

FACTORIES = {Runtime.ONNX: "models.faces_yunet:load", Runtime.DLIB: "models.faces_dlib:load"}

_SAME_AT = {
    # dlib's own threshold for a pair, a distance of 0.6 between vectors of length 1.31 (measured), is a cosine of 0.895; its
    # makers group at 0.5. This one makes the mean within a group a distance of 0.5 (`core.capture.face_groups`).
    Runtime.DLIB: 0.912,
    # SFace: OpenCV's documented threshold for one person.
    Runtime.ONNX: 0.363,
}
_TIMEOUT_S = 180.0
_SMALLEST_PX = 20
"""A face of fewer pixels is not recognised as anybody's by either model."""


class FaceService(Protocol):
    """The child's side of a face model."""

    def find(self, picture: Pixels, likely: bool) -> Found:
        """Every face; `likely`: look longer, people are probably there."""

    def close(self) -> None:
        """Free what is not Python's."""


@dataclass(frozen=True, slots=True)
class FaceFinder(HostedModel):
    """A `core.ports.Faces` whose networks are in a child process."""

    @property
    def same_at(self) -> float:
        """Cosine from which two faces are rather one person than two."""
        return _SAME_AT[self.entry.runtime]

    def find(self, picture: Pixels, *, likely: bool = False) -> tuple[FaceFound, ...]:
        """Faces from left to right; see `core.ports.Faces`."""
        found = self.host.call(self.load, "find", picture, likely, timeout_s=_TIMEOUT_S)
        height, width = picture.shape[:2]
        nonsense = ModelError(f"The face model {self.model_id} sent something that is no face.", "Try again.")
        if not isinstance(found, list):
            raise nonsense
        try:
            faces = [self._checked(box, confidence, vector, width, height) for box, confidence, vector in found]
        except (TypeError, ValueError) as error:
            raise nonsense from error
        return tuple(sorted((face for face in faces if face is not None), key=lambda face: face.box))

    def _checked(
        self, box: tuple[float, float, float, float], confidence: float, vector: list[float], width: int, height: int
    ) -> FaceFound | None:
        """The face inside the picture, its embedding at unit length; None for one too small to be anybody's."""
        embedding = np.asarray(vector, dtype=np.float32)
        length = float(np.linalg.norm(embedding))
        if embedding.shape != (self.entry.dimensions,) or not np.isfinite(length) or length == 0:
            raise ValueError("no embedding")
        left, top, right, bottom = (float(edge) for edge in box)
        inside = (max(0.0, left), max(0.0, top), min(float(width), right), min(float(height), bottom))
        if min(inside[2] - inside[0], inside[3] - inside[1]) < _SMALLEST_PX:
            return None
        return FaceFound(inside, min(1.0, max(0.0, float(confidence))), tuple((embedding / length).tolist()))
