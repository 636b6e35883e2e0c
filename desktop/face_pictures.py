"""Cuts faces out of the small pictures on helper threads and keeps the latest ones in memory."""

from collections import OrderedDict
from collections.abc import Callable

from PIL import Image, UnidentifiedImageError
from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal
from PySide6.QtGui import QImage, QPixmap

from core.engine import Engine
from core.errors import PhotoError
from core.records.people import Box, Face, frame_of, within_frame

FACE_PX = 96
_KEPT = 2_000
_AROUND = 0.35


class _Signals(QObject):
    loaded = Signal(str, QImage)


class FacePictures:
    """Pictures of faces by the face's id.

    Attributes:
        signals: `loaded` (face id, image) on the window's thread, once for each that was asked for and could be cut out.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._pool = QThreadPool()
        self._pool.setMaxThreadCount(1)
        self._kept: OrderedDict[str, QPixmap] = OrderedDict()
        self._asked: set[str] = set()
        self.signals = _Signals()
        self.signals.loaded.connect(self._keep)

    def pixmap(self, face: Face) -> QPixmap | None:
        """The face if it is at hand; else it is cut out and `loaded` tells when."""
        found = self._kept.get(face.id)
        if found is not None:
            self._kept.move_to_end(face.id)
        elif face.id not in self._asked:
            self._asked.add(face.id)
            self._pool.start(QRunnable.create(self._loader(face)))
        return found

    def close(self) -> None:
        """Wait for the helper thread."""
        self._pool.clear()
        self._pool.waitForDone()

    def _loader(self, face: Face) -> Callable[[], None]:
        def load() -> None:
            try:
                around = self._around(face)
            except (OSError, UnidentifiedImageError, PhotoError):
                return  # being rewritten at this moment, or offline: the next look finds it
            if around is None:
                return
            picture = _cut(around, within_frame(face.box))
            data = picture.tobytes()
            image = QImage(data, picture.width, picture.height, picture.width * 3, QImage.Format.Format_RGB888)
            self.signals.loaded.emit(face.id, image.copy())

        return load

    def _around(self, face: Face) -> Image.Image | None:
        """What the face is in: the small picture, or the frame of a video, which is decoded. None while there is none."""
        if frame_of(face.box):
            return Image.fromarray(self._engine.face_picture(face))
        path = self._engine.thumbnail(face.memory_id)
        if path is None:
            return None
        with Image.open(path) as opened:
            return opened.convert("RGB")

    def _keep(self, face_id: str, image: QImage) -> None:
        self._asked.discard(face_id)
        self._kept[face_id] = QPixmap.fromImage(image)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def _cut(picture: Image.Image, box: Box) -> Image.Image:
    """A square around the face with something of what is around it."""
    width, height = picture.size
    left, top, right, bottom = box[0] * width, box[1] * height, box[2] * width, box[3] * height
    side = max(right - left, bottom - top) * (1 + 2 * _AROUND)
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    around = (middle_x - side / 2, middle_y - side / 2, middle_x + side / 2, middle_y + side / 2)
    square = picture.crop(tuple(round(edge) for edge in around))  # type: ignore[arg-type]  # four of them
    return square.resize((FACE_PX, FACE_PX), Image.Resampling.LANCZOS)
