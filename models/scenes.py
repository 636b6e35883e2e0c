"""The scenes role on EfficientNet-Lite0: `OnnxScenes` asks from the program, `SceneService` answers in the child."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.child import ChildLink
from core.errors import ModelError, ModelUnreadableError
from core.ports import Pixels
from core.records import SceneLabel
from models.hosted import HostedModel

GATE = 0.55
"""A group is named when its probability, over two looks, is at least this; below it drawings and plain walls get names."""

AGREEMENT = 0.4
"""And when each look alone gives it this much: chance resemblances seldom survive another crop."""

_DRAWN_FLAT, _DRAWN_COLOURS, _MOST_OF_IT, _SAME = 0.7, 400, 0.95, 2
"""A drawing: this share of its neighbouring pixels differ by at most two levels, and so few of 32,768 colours make nearly all of it.

Of the 55 drawn photos of the sample album 53 are so, and of 155 real pictures 26: clip art, squares, scans; none of those that get a
label (the nearest is a plane before a clear sky: 0.74 and 534 colours).
"""
_OF_DRAWINGS = frozenset(("document",))
_TIMEOUT_S = 60.0
_MEAN, _DEVIATION = np.array([123.675, 116.28, 103.53]), np.array([58.395, 57.12, 57.375])  # of ImageNet's colours
_MIDDLE = 0.875
_LEAST_EDGE = 32


@dataclass(frozen=True, slots=True)
class OnnxScenes(HostedModel):
    """A `core.ports.Scenes` whose network is in a child process."""

    def label(self, picture: Pixels) -> tuple[SceneLabel, ...]:
        """Labels above the gate, most likely first; see `core.ports.Scenes`."""
        labels = self.host.call(self.load, "label", np.ascontiguousarray(picture), timeout_s=_TIMEOUT_S)
        if not isinstance(labels, tuple) or not all(isinstance(label, SceneLabel) for label in labels):
            raise ModelError(f"The scene model {self.model_id} sent something that is not labels.", "Try again.")
        return labels


def load(link: ChildLink, model_id: str, checkpoint: str) -> "SceneService":
    """The factory of the child's service; the checkpoint is PyTorch's, read as data."""
    return SceneService(model_id, Path(checkpoint))


class SceneService:
    """The child's side. The network is built anew from the checkpoint at each start, which takes a tenth of a second."""

    def __init__(self, model_id: str, checkpoint: Path) -> None:
        from models.efficientnet import CLASSES, EDGE, build_network
        from models.onnx_session import open_session
        from models.scene_groups import GROUPS, membership
        from models.torch_weights import BadCheckpointError, read_checkpoint

        try:
            network = build_network(read_checkpoint(checkpoint))
        except (BadCheckpointError, KeyError, OSError) as error:
            raise ModelUnreadableError(
                f"The weights of {model_id} cannot be read: {error}.", f"Run: madeleine models get {model_id}"
            ) from error
        self._session = open_session(model_id, network)
        self._edge, self._groups, self._membership = EDGE, GROUPS, membership(CLASSES)

    def label(self, picture: Pixels) -> tuple[SceneLabel, ...]:
        """Name what two looks agree on: the whole picture, and its middle."""
        if min(picture.shape[:2]) < _LEAST_EDGE:
            return ()
        looks = np.stack([self._membership @ self._probabilities(each) for each in (picture, _middle(picture))])
        sure, least = looks.mean(axis=0), looks.min(axis=0)
        believed = (
            [group.name in _OF_DRAWINGS for group in self._groups] if is_drawn(picture) else [True] * len(self._groups)
        )
        named = [
            place
            for place in np.argsort(-sure)
            if believed[place] and sure[place] >= GATE and least[place] >= AGREEMENT
        ]
        return tuple(
            SceneLabel(self._groups[place].name, min(1.0, round(float(sure[place]), 3)), self._groups[place].is_place)
            for place in named
        )

    def close(self) -> None:
        """Nothing to free by hand."""

    def _probabilities(self, picture: Pixels) -> NDArray[np.float32]:
        from PIL import Image

        small = Image.fromarray(picture).resize((self._edge, self._edge), Image.Resampling.BICUBIC)
        scaled = ((np.asarray(small, np.float32) - _MEAN) / _DEVIATION).astype(np.float32)
        found: NDArray[np.float32] = self._session.run(None, {"picture": scaled.transpose(2, 0, 1)[np.newaxis]})[0][0]
        return found


def is_drawn(picture: Pixels) -> bool:
    """Whether a picture is a drawing: flat areas of few colours. The network learnt from photos; what it sees in one is chance.

    Paper is flat too, so a drawing may still be a document.
    """
    levels = picture.astype(np.int16)
    steps = np.abs(np.diff(levels, axis=1)).max(axis=2)
    if (steps <= _SAME).mean() < _DRAWN_FLAT:
        return False
    coarse = (picture >> 3).reshape(-1, 3).astype(np.int32)
    counts = np.bincount(coarse @ np.array([1024, 32, 1]))
    shares = np.sort(counts)[::-1].cumsum() / len(coarse)
    return int(np.searchsorted(shares, _MOST_OF_IT)) + 1 <= _DRAWN_COLOURS


def _middle(picture: Pixels) -> Pixels:
    """The middle square, in which the subject mostly is."""
    height, width = picture.shape[:2]
    edge = max(1, round(min(height, width) * _MIDDLE))
    top, left = (height - edge) // 2, (width - edge) // 2
    return picture[top : top + edge, left : left + edge]
