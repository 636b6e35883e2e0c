"""Finds and describes faces with dlib: its fast detector first, its thorough one where people are likely. Runs in the child."""

from typing import Any

import cv2
import dlib
import numpy as np

from core.child import ChildLink
from core.errors import ModelUnreadableError
from core.ports import Pixels
from core.records.people import Box, overlap
from models.faces import Found

_FAST_EDGE, _THOROUGH_EDGE = 1280, 640
"""The fast detector takes 0.06 s at 1280 px and needs faces of 80 px; the thorough one takes 2.1 s at 640 px (2 cores)."""
_SURE, _HINT = 0.3, -0.3
"""Scores of the fast detector: from `_SURE` on it is a face; a weaker one is a reason to look thoroughly."""
_THOROUGH_SCORE = 0.5
_SAME_FACE = 0.3


def load(_link: ChildLink, model_id: str, recogniser: str, landmarks: str, detector: str) -> "DlibFaces":
    """The factory of the child's service; the files in the order of the catalogue."""
    return DlibFaces(model_id, recogniser, landmarks, detector)


class DlibFaces:
    """One picture a call, one face at a time."""

    def __init__(self, model_id: str, recogniser: str, landmarks: str, detector: str) -> None:
        try:
            self._fast = dlib.get_frontal_face_detector()
            self._thorough = dlib.cnn_face_detection_model_v1(detector)
            self._landmarks = dlib.shape_predictor(landmarks)
            self._recogniser = dlib.face_recognition_model_v1(recogniser)
        except RuntimeError as error:
            raise ModelUnreadableError(
                f"The networks of {model_id} cannot be loaded: {error}.",
                f"Check them with: madeleine models check; fetch them again with: madeleine models get {model_id}",
            ) from error

    def find(self, picture: Pixels, likely: bool) -> Found:
        """Every face with its embedding, in pixels of the picture given."""
        large, scale = _shrunk(picture, _FAST_EDGE)
        rectangles, scores, _ = self._fast.run(large, 0, _HINT)
        boxes = [(_box(each), float(score)) for each, score in zip(rectangles, scores, strict=True)]
        found = [(box, score) for box, score in boxes if score >= _SURE]
        if likely or len(boxes) > len(found) or len(found) > 1:
            found = _joined(found, self._looked_thoroughly(large))
        return [self._described(large, box, score, scale) for box, score in found]

    def close(self) -> None:
        """Nothing to free by hand."""

    def _looked_thoroughly(self, picture: Pixels) -> list[tuple[Box, float]]:
        small, scale = _shrunk(picture, _THOROUGH_EDGE)
        hits = [(hit.rect, float(hit.confidence)) for hit in self._thorough(small, 0)]
        boxes = [(_box(rectangle), score) for rectangle, score in hits if score >= _THOROUGH_SCORE]
        return [((box[0] / scale, box[1] / scale, box[2] / scale, box[3] / scale), score) for box, score in boxes]

    def _described(self, picture: Pixels, box: Box, score: float, scale: float) -> tuple[Box, float, list[float]]:
        left, top, right, bottom = box
        rectangle = dlib.rectangle(round(left), round(top), round(right), round(bottom))
        vector = self._recogniser.compute_face_descriptor(picture, self._landmarks(picture, rectangle))
        confidence = min(1.0, 0.5 + score / 4)  # scores run from about 0 to beyond 2
        return (left / scale, top / scale, right / scale, bottom / scale), confidence, np.asarray(vector).tolist()


def _box(rectangle: Any) -> Box:  # dlib has no types
    return (
        float(rectangle.left()),
        float(rectangle.top()),
        float(rectangle.right() + 1),
        float(rectangle.bottom() + 1),
    )


def _joined(first: list[tuple[Box, float]], more: list[tuple[Box, float]]) -> list[tuple[Box, float]]:
    """The faces of both detectors, each once."""
    found = list(first)
    for box, score in more:
        if all(overlap(box, known) < _SAME_FACE for known, _ in found):
            found.append((box, score))
    return found


def _shrunk(picture: Pixels, edge: int) -> tuple[Pixels, float]:
    """The picture with its long edge at most so long, and by how much it was scaled."""
    scale = min(1.0, edge / max(picture.shape[:2]))
    if scale == 1.0:
        return np.ascontiguousarray(picture), scale
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), scale
