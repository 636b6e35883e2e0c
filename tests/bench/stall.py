"""How long the window's event loop stands still while a library is being read: stall.py [--photos N] [--json OUT].

A timer asks to be called every 5 ms; a stall is how much later than that it is called. The floor is the same timer in the same
process with the same window and nothing being read. The bar is a 99th percentile under 100 ms (field notes, "Acceptance bars").
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from core.paths import Home
from desktop.app import application
from desktop.build import opened
from desktop.main_window import MainWindow
from desktop.model_shelf import ModelShelf
from desktop.worker import EngineWorker
from tests.journeys.program import draw_photo

_TICK_S = 0.005


class Stalls:
    """Measures how late the event loop calls back, in milliseconds."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setInterval(int(_TICK_S * 1000))
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self._last = time.perf_counter()
        self._timer.start()

    def stop(self) -> list[float]:
        self._timer.stop()
        late, self.late_ms = self.late_ms, []
        return late

    def _tick(self) -> None:
        now = time.perf_counter()
        self.late_ms.append(max(0.0, (now - self._last - _TICK_S) * 1000))
        self._last = now


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def live(app: QApplication, seconds: float) -> None:
    """Let the window live for a while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents()
        time.sleep(0.001)


def measure(photos: int, folder: Path) -> dict[str, float]:
    """Draw photos, show the window, read them, and return the stalls."""
    for number in range(photos):
        draw_photo(
            folder / "album" / f"{number // 500}" / f"IMG_{number}.jpg", number, f"20{10 + number % 14}:05:10 10:00:00"
        )
    app = application()
    home = Home(folder / "library")
    home.create()
    home.settings.write_text('chat_model = "none"\n')
    with opened(home) as engine:
        worker = EngineWorker(engine)
        window = MainWindow(engine, worker, ModelShelf(home.models))
        window.show()
        live(app, 1.0)
        stalls = Stalls()
        stalls.start()
        live(app, 3.0)
        idle = stalls.stop()
        finished: list[bool] = []
        worker.signals.idle.connect(lambda: finished.append(True))
        stalls.start()
        started = time.monotonic()
        window.library_controller.add_folders([str(folder / "album")])
        while not finished and time.monotonic() - started < 1800:
            app.processEvents()
            time.sleep(0.001)
        busy = stalls.stop()
        seconds = time.monotonic() - started
        window.close()
        worker.stop()
    return {
        "photos": photos,
        "seconds": round(seconds, 1),
        "idle_p99_ms": round(percentile(idle, 0.99), 1),
        "busy_p50_ms": round(percentile(busy, 0.5), 1),
        "busy_p99_ms": round(percentile(busy, 0.99), 1),
        "busy_max_ms": round(max(busy, default=0.0), 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    os.environ["MADELEINE_MODELS"] = "/nonexistent"  # reading, not recognising, is what could flood the window
    with tempfile.TemporaryDirectory() as folder:
        found = measure(options.photos, Path(folder))
    print(f"{found['photos']:.0f} photos read in {found['seconds']} s with the window open")
    print(f"floor: idle window, p99 {found['idle_p99_ms']} ms late")
    print(
        f"ours: while reading, p50 {found['busy_p50_ms']} ms, p99 {found['busy_p99_ms']} ms, longest {found['busy_max_ms']} ms"
    )
    if options.json:
        options.json.write_text(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
