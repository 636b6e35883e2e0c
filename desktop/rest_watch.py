"""Looks from time to time whether background work should stand still: on battery, or in quiet hours."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, QTimer

from core.engine import Engine
from core.rest import is_on_battery, reason_to_rest
from desktop.worker import EngineWorker

_LOOK_EVERY_MS = 20_000


def watch_rest(
    engine: Engine, worker: EngineWorker, parent: QObject, is_on_battery: Callable[[], bool] = is_on_battery
) -> QTimer:
    """Look now and every twenty seconds, and let the worker rest or go on."""
    timer = QTimer(parent)
    timer.setInterval(_LOOK_EVERY_MS)

    def look() -> None:
        settings = engine.options.settings
        drains = (
            settings.pause_on_battery and is_on_battery()
        )  # asked for only when it matters: that costs a process on a Mac
        worker.rest(reason_to_rest(settings, datetime.now().time(), is_on_battery=drains))

    timer.timeout.connect(look)
    timer.start()
    look()
    return timer
