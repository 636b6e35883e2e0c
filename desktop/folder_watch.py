"""Looks at the library's folders from time to time for as long as the window is open."""

from PySide6.QtCore import QObject, QTimer

from core.records import FoldersSeen
from desktop.worker import EngineWorker


def watch_folders(worker: EngineWorker, parent: QObject) -> QTimer:
    """Look now, and again after each look. What was added, renamed or removed is read in the background.

    A look that fails is shown and is the last one: the next would fail the same way every few seconds.
    """
    timer = QTimer(parent)
    timer.setSingleShot(True)

    def look() -> None:
        worker.look_at_folders(look_again)

    def look_again(seen: FoldersSeen) -> None:
        timer.start(round(seen.look_again_s * 1_000))

    timer.timeout.connect(look)
    look()
    return timer
