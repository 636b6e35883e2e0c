"""Loads small pictures for the views on helper threads and keeps the latest ones in memory."""

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from PIL import Image, UnidentifiedImageError
from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QPainter, QPixmap

from core.engine import Engine

_KEPT = 2_000
_PENDING = 400


class _Signals(QObject):
    loaded = Signal(str, QImage)


class Thumbnails:
    """Small pictures by memory id.

    Attributes:
        signals: `loaded` (memory id, image) on the window's thread, once for each that was asked for and exists.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._pool = QThreadPool()
        self._pool.setMaxThreadCount(2)
        self._kept: OrderedDict[str, QPixmap] = OrderedDict()
        self._asked: set[str] = set()
        self.signals = _Signals()
        self.signals.loaded.connect(self._keep)

    def pixmap(self, memory_id: str) -> QPixmap | None:
        """The picture if it is at hand; else it is loaded and `loaded` tells when."""
        found = self._kept.get(memory_id)
        if found is not None:
            self._kept.move_to_end(memory_id)
        elif memory_id not in self._asked and len(self._asked) < _PENDING:
            self._asked.add(memory_id)
            self._pool.start(QRunnable.create(self._loader(memory_id)))
        return found

    def forget_missing(self) -> None:
        """Look again for pictures that were not there before."""
        self._asked.clear()

    def close(self) -> None:
        """Wait for the helper threads."""
        self._pool.clear()
        self._pool.waitForDone()

    def _loader(self, memory_id: str) -> Callable[[], None]:
        def load() -> None:
            path = self._engine.thumbnail(memory_id)
            image = _read(path) if path else None
            if image is not None:
                self.signals.loaded.emit(memory_id, image)

        return load

    def _keep(self, memory_id: str, image: QImage) -> None:
        self._asked.discard(memory_id)
        self._kept[memory_id] = _squared(image)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def _squared(image: QImage) -> QPixmap:
    """On a square without colour, so that pictures of all shapes stand in line."""
    side = max(image.width(), image.height(), 1)
    square = QPixmap(side, side)
    square.fill(Qt.GlobalColor.transparent)
    painter = QPainter(square)
    painter.drawImage((side - image.width()) // 2, (side - image.height()) // 2, image)
    painter.end()
    return square


def _read(path: Path) -> QImage | None:
    """Decoded by Pillow, never by Qt's own plug-ins (field notes: Qt's image limits)."""
    try:
        with Image.open(path) as opened:
            picture = opened.convert("RGB")
    except (OSError, UnidentifiedImageError):
        return None  # being rewritten at this moment, or damaged: the next scan makes it anew
    data = picture.tobytes()
    return QImage(data, picture.width, picture.height, picture.width * 3, QImage.Format.Format_RGB888).copy()
