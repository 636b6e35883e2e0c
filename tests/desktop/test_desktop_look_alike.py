"""Looking for alike pictures from the Memory screen, and being told what a model does not know and which one said what."""

from datetime import date
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from core.engine import LIKE, Engine
from core.errors import RequestError
from core.records import Origin, Provenance
from core.records.memories import Field
from desktop.main_window import MainWindow
from desktop.memory_dialog import MemoryDialog
from tests.desktop.conftest import Wait
from tests.fakes import FakeEmbedder


def test_looks_like_this_searches_the_library_for_alike_pictures(
    window: MainWindow, engine: Engine, wait: Wait
) -> None:
    memory_id = engine.timeline(100)[0]
    window.show_screen(1)
    window.open_memory(memory_id)
    dialog = window.findChild(MemoryDialog)
    assert dialog is not None
    dialog._find_alike()
    assert window.library.search.text() == f"{LIKE}{engine.memory(memory_id).public_id}"
    assert window._stack.currentIndex() == 0
    expected = len(engine.looking_like(memory_id))
    wait(lambda: window.library.grid.model().rowCount() == expected)


def test_alike_to_what_does_not_exist_is_a_sentence_in_the_library(
    window: MainWindow, engine: Engine, wait: Wait
) -> None:
    window.library.search.setText("like:nothing-of-that-name")
    wait(lambda: "nothing-of-that-name" in window.library.summary.text())
    with pytest.raises(RequestError):
        engine.search_box("like:nothing-of-that-name", date(2024, 6, 1))


def test_a_language_the_text_model_does_not_know_is_told_in_library_and_chat(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = FakeEmbedder(languages=("en",))
    monkeypatch.setattr(engine._models, "text_embedder", english)
    window.library.search.setText("Wo habe ich den roten Drachen gesehen")
    wait(lambda: "German" in window.library.summary.text())
    window.chat_controller.ask("Wo habe ich den roten Drachen gesehen?")
    wait(lambda: not window.chat_controller.busy)
    assert any("German" in label.text() for label in window.chat.findChildren(QLabel))


def test_the_memory_screen_names_the_model_that_said_it(window: MainWindow, engine: Engine, album: Path) -> None:
    memory_id = engine.timeline(100)[1]
    with engine._library.memories.edit(memory_id) as editing:
        editing.set_text(Field.VISIBLE_TEXT, "ROOM 7", Origin.MODEL, Provenance("reader-of-signs", "abc123"))
    window.open_memory(memory_id)
    dialog = window.findChild(MemoryDialog)
    assert dialog is not None
    assert any("by reader-of-signs" in label.text() for label in dialog.findChildren(QLabel))
    dialog.close()
