"""The text reader role on RapidOCR: `RapidTextReader` asks from the program, `ReaderService` answers in the child."""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.child import ChildLink
from core.errors import ModelError, ModelUnreadableError
from core.ports import Pixels
from core.records import TextLine
from models.hosted import HostedModel
from models.machine import inference_threads

LONGEST_EDGE = 2400
"""Letters are read from a picture of at most this size."""

FINDING_SHORT_EDGE = 840
"""Lines are looked for in a copy whose short edge is this. The finder misses a lone line in a large picture: of a two-line note in
a photo of 4000 px it found both lines of 32 px letters at 1120 x 840 and none at 1600 x 1200 (measured); it also costs half."""

_MOST_ENLARGED = 2.0
_FINDING_LONG_EDGE = 3360  # bounds memory: a banner of 2400 x 20 would become 100,000 wide
_LEAST_EDGE = 8
_TIMEOUT_S = 120.0
_TALL = 2.5
_OVERLAP = 0.12
_LEAST_LINES, _LEAST_WORDS = 3, 3
_GATE = 0.5
_UNREAD = "\ufffd"
_STANDING = 1.5  # from this on the library lays a line down
_TELLING = 3


@dataclass(frozen=True, slots=True)
class RapidTextReader(HostedModel):
    """A `core.ports.TextReader` whose networks are in a child process."""

    @property
    def scripts(self) -> tuple[str, ...]:
        """The scripts whose letters it learnt."""
        return self.entry.scripts

    def read(self, picture: Pixels) -> tuple[TextLine, ...]:
        """Lines in reading order, those hardly or not read last; see `core.ports.TextReader`."""
        lines = self.host.call(self.load, "read", np.ascontiguousarray(picture), timeout_s=_TIMEOUT_S)
        if not isinstance(lines, tuple) or not all(isinstance(line, TextLine) for line in lines):
            raise ModelError("The text reader's process sent something that is not lines of text.", "Try again.")
        return lines


def load(link: ChildLink, model_id: str, detector: str, recogniser: str, turner: str) -> "ReaderService":
    """The factory of the child's service; the three paths are the networks that find, read and turn lines."""
    return ReaderService(model_id, detector, recogniser, turner)


class ReaderService:
    """The child's side. Every path is given, so that the library never looks for a network on the internet."""

    def __init__(self, model_id: str, detector: str, recogniser: str, turner: str) -> None:
        from rapidocr import RapidOCR

        logging.getLogger("RapidOCR").disabled = True  # it logs on construction and on every picture
        parameters = {
            "Global.log_level": "critical",
            "Global.text_score": 0.0,  # `core.capture.visible_text` has the gate; what is not read is told too
            "Global.max_side_len": LONGEST_EDGE,
            "Det.model_path": detector,
            "Rec.model_path": recogniser,
            "Cls.model_path": turner,
            "EngineConfig.onnxruntime.intra_op_num_threads": inference_threads(),
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
        try:
            self._engine = RapidOCR(params=parameters)
            self._turns: list[int] = []
            self._steps = self._engine.run_ocr_steps
            self._engine.run_ocr_steps = self._all_lines  # type: ignore[method-assign,assignment]
        except (ValueError, OSError, RuntimeError) as error:
            raise ModelUnreadableError(
                f"The networks of {model_id} cannot be loaded: {error}.", "Install Madeleine again."
            ) from error

    def read(self, picture: Pixels) -> tuple[TextLine, ...]:
        """Read a picture; a very long one (a scrolled screenshot) in overlapping pieces."""
        if min(picture.shape[:2]) < _LEAST_EDGE:
            return ()  # no letter fits, and the finder divides by what is left of such an edge
        lines: list[TextLine] = []
        for left, top, piece in _pieces(picture):
            found = [_moved(line, left, top) for line in self._lines(piece)]
            lines += [line for line in found if not any(_is_same_place(line, known) for known in lines)]
        turned = _turn_of(lines)
        lines = [replace(line, turned=turned) for line in lines]
        unsure = tuple(
            line for line in lines if line.confidence < _GATE
        )  # their order says nothing, and would part no columns
        return in_reading_order([line for line in lines if line.confidence >= _GATE]) + unsure

    def _all_lines(self, picture: Any, record: Any) -> Any:  # the library has no types
        """The library's steps, without losing the lines that it found and could not read, nor how each was turned."""
        found, turns, read, crops = self._steps(picture, record)
        turner: Any = self._engine._load_cls_model()  # type: ignore[no-untyped-call]
        self._turns = _turns(found.boxes, turns.cls_res, turner.cls_thresh) if read.txts else []
        if read.txts:
            read.scores = [score if text.strip() else 0.0 for text, score in zip(read.txts, read.scores, strict=True)]
            read.txts = tuple(text if text.strip() else _UNREAD for text in read.txts)
        return found, turns, read, crops

    def close(self) -> None:
        """Nothing to free by hand."""

    def _aim(self, height: int, width: int) -> None:
        """Set the size in which lines are looked for; the library's own setting only knows one direction at a time."""
        finder: Any = self._engine._load_det_model()  # type: ignore[no-untyped-call]
        short, long = min(height, width), max(height, width)
        scale = min(FINDING_SHORT_EDGE / short, _MOST_ENLARGED, _FINDING_LONG_EDGE / long)
        if scale > 1:
            finder.limit_type, finder.limit_side_len = "min", round(short * scale)
        else:
            finder.limit_type, finder.limit_side_len = "max", round(long * scale)

    def _lines(self, piece: Pixels) -> Iterator[TextLine]:
        import cv2

        height, width = piece.shape[:2]
        scale = min(1.0, LONGEST_EDGE / max(height, width))
        if scale < 1.0:
            size = (max(1, round(width * scale)), max(1, round(height * scale)))
            piece = cv2.resize(piece, size, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        self._aim(*piece.shape[:2])
        result: Any = self._engine(piece[:, :, ::-1])  # the library wants blue first and has no types
        if result.boxes is None or result.txts is None:
            return
        for corners, text, score, turned in zip(result.boxes, result.txts, result.scores, self._turns, strict=True):
            (left, top), (right, bottom) = corners.min(axis=0) / scale, corners.max(axis=0) / scale
            box = (float(left), float(top), float(right), float(bottom))
            yield TextLine(text.replace(_UNREAD, "").strip(), float(score), box, turned)


def _turns(boxes: Any, turns: Any, sure: float) -> list[int]:  # the library has no types
    """How each line is turned: one that stands is laid down before it is looked at, and one on its head is said to be so."""
    found = []
    for (top_left, top_right, _, bottom_left), (label, score) in zip(boxes, turns, strict=True):
        stands = np.linalg.norm(bottom_left - top_left) >= _STANDING * np.linalg.norm(top_right - top_left)
        on_head = "180" in label and score > sure
        found.append(90 * stands + 180 * on_head)
    return [int(each) for each in found]


def _turn_of(lines: Sequence[TextLine]) -> int:
    """How the page is turned: as most of its letters are. Single letters look the same in several ways."""
    letters: Counter[int] = Counter()
    for line in lines:
        if len(line.text) >= _TELLING:
            letters[line.turned] += len(line.text)
    return letters.most_common(1)[0][0] if letters else 0


def in_reading_order(lines: Sequence[TextLine]) -> tuple[TextLine, ...]:
    """Columns of running text one after the other; else rows from top to bottom, each from left to right.

    Lines whose middles are within half a line height share a row.
    """
    if (gutter := _gutter(lines)) is not None:
        left = [line for line in lines if line.upright[2] <= gutter]
        right = [line for line in lines if line.upright[2] > gutter]
        return (*in_reading_order(left), *in_reading_order(right))
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=_middle):
        if rows and _middle(line) - _middle(rows[-1][0]) < 0.5 * min(_height(line), _height(rows[-1][0])):
            rows[-1].append(line)
        else:
            rows.append([line])
    return tuple(line for row in rows for line in sorted(row, key=lambda line: line.upright[0]))


def _gutter(lines: Sequence[TextLine]) -> float | None:
    """Where two columns of running text part; None where there are none. The prices of a receipt are no column of their own."""
    for edge in sorted({line.upright[2] for line in lines}):
        left = [line for line in lines if line.upright[2] <= edge]
        right = [line for line in lines if line.upright[2] > edge]
        if min(len(left), len(right)) < _LEAST_LINES or any(line.upright[0] < edge for line in right):
            continue
        shared = min(_bottom(left), _bottom(right)) - max(_top(left), _top(right))
        taller = max(_bottom(left) - _top(left), _bottom(right) - _top(right))
        if shared >= 0.5 * taller and _is_running(left) and _is_running(right):
            return edge
    return None


def _is_running(lines: Sequence[TextLine]) -> bool:
    """Whether lines are sentences: several words each, hardly a number at their end."""
    worded = sum(len(line.text.split()) >= _LEAST_WORDS and not line.text[-1:].isdigit() for line in lines)
    return worded * 4 >= 3 * len(lines)


def _top(lines: Sequence[TextLine]) -> float:
    return min(line.upright[1] for line in lines)


def _bottom(lines: Sequence[TextLine]) -> float:
    return max(line.upright[3] for line in lines)


def _pieces(picture: Pixels) -> Iterator[tuple[int, int, Pixels]]:
    """The picture, or overlapping pieces of a very long one: shrunk as a whole its letters would be too small."""
    height, width = picture.shape[:2]
    short, long = min(height, width), max(height, width)
    if long <= LONGEST_EDGE or long < _TALL * short:
        yield 0, 0, picture
        return
    length = max(2 * short, LONGEST_EDGE // 3)
    step = round(length * (1 - _OVERLAP))
    for start in range(0, max(1, long - (length - step)), step):
        if height >= width:
            yield 0, start, picture[start : start + length]
        else:
            yield start, 0, picture[:, start : start + length]


def _moved(line: TextLine, left: int, top: int) -> TextLine:
    box = line.box
    return replace(line, box=(box[0] + left, box[1] + top, box[2] + left, box[3] + top))


def _is_same_place(line: TextLine, other: TextLine) -> bool:
    """Whether two lines cover mostly the same pixels: read twice, in two pieces."""
    wide = min(line.box[2], other.box[2]) - max(line.box[0], other.box[0])
    high = min(line.box[3], other.box[3]) - max(line.box[1], other.box[1])
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (line.box, other.box))
    return wide > 0 and high > 0 and wide * high > 0.5 * smaller


def _middle(line: TextLine) -> float:
    return (line.upright[1] + line.upright[3]) / 2


def _height(line: TextLine) -> float:
    return line.upright[3] - line.upright[1]
