"""Finds faces with YuNet and describes them with SFace, through OpenCV's own drivers of the two. Runs in the child."""

from typing import Any

import cv2
import numpy as np

from core.child import ChildLink
from core.errors import ModelUnreadableError
from core.ports import Pixels
from models.faces import Found
from models.machine import inference_threads

_EDGE = 1280
"""YuNet finds faces of about 10 to 300 pixels: larger pictures are looked at smaller."""
_SCORE, _OVERLAP, _MOST = 0.7, 0.3, 500
_LIKELY_SCORE = 0.6


def load(_link: ChildLink, model_id: str, detector: str, recogniser: str) -> "YunetFaces":
    """The factory of the child's service."""
    return YunetFaces(model_id, detector, recogniser)


class YunetFaces:
    """One picture a call, one face at a time: what is in memory does not grow with the faces of a group picture."""

    def __init__(self, model_id: str, detector: str, recogniser: str) -> None:
        cv2.setNumThreads(inference_threads())
        try:
            self._detector = cv2.FaceDetectorYN.create(detector, "", (320, 320), _SCORE, _OVERLAP, _MOST)
            self._recogniser = cv2.FaceRecognizerSF.create(recogniser, "")
        except cv2.error as error:
            raise ModelUnreadableError(
                f"The networks of {model_id} cannot be loaded: {error.err}.",
                f"Check them with: madeleine models check; fetch them again with: madeleine models get {model_id}",
            ) from error

    def find(self, picture: Pixels, likely: bool) -> Found:
        """Every face with its embedding, in pixels of the picture given."""
        small, scale = _shrunk(picture[:, :, ::-1])
        height, width = small.shape[:2]
        self._detector.setInputSize((width, height))
        self._detector.setScoreThreshold(_LIKELY_SCORE if likely else _SCORE)
        _, rows = self._detector.detect(small)
        return [] if rows is None else [self._described(small, row, scale) for row in rows]

    def close(self) -> None:
        """Nothing to free by hand."""

    def _described(
        self, picture: Pixels, row: Any, scale: float
    ) -> tuple[tuple[float, float, float, float], float, list[float]]:
        # row: OpenCV's fifteen numbers of a face: box, five points, score
        vector = self._recogniser.feature(self._recogniser.alignCrop(picture, row))
        left, top, width, height = (float(each) / scale for each in row[:4])
        return (left, top, left + width, top + height), float(row[14]), np.ravel(vector).tolist()


def _shrunk(picture: Pixels) -> tuple[Pixels, float]:
    """The picture with its long edge at most `_EDGE`, and by how much it was scaled."""
    scale = min(1.0, _EDGE / max(picture.shape[:2]))
    picture = np.ascontiguousarray(picture)
    if scale == 1.0:
        return picture, scale
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), scale
