"""A window over a small drawn library, and a way to wait for it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from core.engine import Engine
from core.jobs import run_to_end
from core.paths import Home
from core.settings import Settings
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from desktop.main_window import MainWindow
from desktop.model_shelf import ModelShelf
from desktop.theme import apply_theme
from desktop.worker import EngineWorker
from tests.fakes import FakeEmbedder, FakeModels
from tests.journeys.program import draw_photo

Wait = Callable[[Callable[[], bool]], None]


@pytest.fixture(scope="session")
def app() -> QApplication:
    made = QApplication.instance() or QApplication(["madeleine-tests"])
    assert isinstance(made, QApplication)
    apply_theme(made, dark=False)
    return made


@pytest.fixture
def wait(app: QApplication) -> Wait:
    """Let the window live until a condition holds."""

    def until(condition: Callable[[], bool], timeout_s: float = 60.0) -> None:
        end = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() > end:
                pytest.fail("the window did not get there in time")
            app.processEvents()
            time.sleep(0.005)

    return until


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    for number in range(8):
        draw_photo(folder / f"IMG_{number}.jpg", number, f"2024:05:{10 + number // 4} 1{number}:00:00")
    return folder


@pytest.fixture
def engine(tmp_path: Path, album: Path) -> Iterator[Engine]:
    """An engine that has read the album, with no model but the fake embedder."""
    home = Home(tmp_path / "library")
    made = Engine(open_library(home, ExactIndexes()), FakeModels(text_embedder=FakeEmbedder()), Settings())
    try:
        made.add_folder(album)
        run_to_end(made.process())
        ids = made.timeline(100)
        made.correct.create_event("Two days of squares", ids[:4])
        made.correct.edit_memory(ids[0], "caption", "A red kite over the harbour")
        yield made
    finally:
        made.close()


@contextmanager
def showing(app: QApplication, engine: Engine, models_dir: Path, today: date | None = None) -> Iterator[MainWindow]:
    """A window over a library, closed with its thread at the end."""
    worker = EngineWorker(engine)
    made = MainWindow(engine, worker, ModelShelf(models_dir))
    if today is not None:
        made.set_today(today)
    made.show()
    app.processEvents()
    try:
        yield made
    finally:
        made.close()
        worker.stop()
        made.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        app.processEvents()


@pytest.fixture
def window(app: QApplication, engine: Engine, tmp_path: Path, wait: Wait) -> Iterator[MainWindow]:
    with showing(app, engine, tmp_path / "models", date(2024, 6, 1)) as made:
        yield made
