"""What is put into a folder while the window is open appears by itself."""

from pathlib import Path

import pytest

from core.engine import Engine
from core.records import FoldersSeen
from desktop.folder_watch import watch_folders
from desktop.main_window import MainWindow
from tests.desktop.conftest import Wait
from tests.journeys.program import draw_photo


def test_a_picture_that_is_put_into_a_folder_appears(
    window: MainWindow, engine: Engine, album: Path, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = engine.look_at_folders

    def at_once() -> FoldersSeen:
        return FoldersSeen(look().is_news, 0.01)

    monkeypatch.setattr(engine, "look_at_folders", at_once)
    before = engine.count()
    timer = watch_folders(window._worker, window)
    draw_photo(album / "later.jpg", 77, "2024:05:20 10:00:00")

    wait(lambda: engine.count() == before + 1)

    timer.stop()
