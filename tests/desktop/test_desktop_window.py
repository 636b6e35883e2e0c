"""What a person does in the window, on a real engine and database."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMessageBox, QPushButton

from core.engine import Engine
from core.errors import RequestError
from desktop.chat_view import AnswerBubble
from desktop.main_window import MainWindow
from desktop.memory_dialog import MemoryDialog
from tests.desktop.conftest import Wait
from tests.journeys.program import draw_photo


def test_the_library_shows_every_memory_newest_first_with_its_thumbnail(
    window: MainWindow, engine: Engine, wait: Wait
) -> None:
    model = window.library.grid.model()
    assert model.rowCount() == 8
    assert [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(8)] == engine.timeline(100)
    newest = engine.timeline(1)[0]
    wait(lambda: window._thumbnails.pixmap(newest) is not None)
    assert "17:00" in model.index(0, 0).data(Qt.ItemDataRole.DisplayRole)
    assert "kite" in model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_typing_narrows_the_library_and_clearing_brings_it_back(window: MainWindow, wait: Wait) -> None:
    model = window.library.grid.model()
    QTest.keyClicks(window.library.search, "kite")
    wait(lambda: model.rowCount() == 1)
    assert "1 result" in window.library.summary.text()
    window.library.search.clear()
    wait(lambda: model.rowCount() == 8)


def test_a_dropped_folder_is_read_and_its_pictures_appear(window: MainWindow, tmp_path: Path, wait: Wait) -> None:
    draw_photo(tmp_path / "more" / "IMG_100.jpg", 100, "2024:05:20 10:00:00")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "more"))])
    drop = QDropEvent(
        QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.library.dropEvent(drop)
    wait(lambda: window.library.grid.model().rowCount() == 9)
    wait(lambda: "Up to date" in window._progress_text.text())


def test_a_question_is_answered_with_thumbnails_that_open_the_memory(
    window: MainWindow, engine: Engine, wait: Wait
) -> None:
    QTest.keyClicks(window.chat.input, "How many photos did I take on May 10, 2024?")
    QTest.keyClick(window.chat.input, Qt.Key.Key_Return)
    wait(lambda: not window.chat_controller.busy)
    bubble = window.chat.findChild(AnswerBubble)
    assert bubble is not None
    assert "4" in bubble.text.text()
    assert bubble.found_by.text()
    assert len(bubble.reference_buttons) == 4
    bubble.reference_buttons[0].click()
    wait(lambda: window.findChild(MemoryDialog) is not None)
    dialog = window.findChild(MemoryDialog)
    assert dialog is not None
    wait(lambda: dialog._picture.accessibleName() != "")
    dialog.close()


def test_a_question_about_nothing_shows_no_thumbnails(window: MainWindow, wait: Wait) -> None:
    window.chat_controller.ask("When was I last at the Blue Heron Ice Rink?")
    wait(lambda: not window.chat_controller.busy)
    bubble = window.chat.findChild(AnswerBubble)
    assert bubble is not None
    assert bubble.reference_buttons == ()


def test_an_event_can_be_renamed_and_the_new_name_undone(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_screen(1)
    event = next(event for event in engine.events() if event.name == "Two days of squares")
    window.events_controller.open_event(event.id)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Kite festival", True))
    window.events.buttons["rename"].click()
    wait(lambda: window.events.name.text() == "Kite festival")
    assert engine.event(event.id).corrected
    window.events.buttons["undo"].click()
    wait(lambda: window.events.name.text() == "Two days of squares")


def test_selected_pictures_can_be_moved_out_of_an_event(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_screen(1)
    event = next(event for event in engine.events() if event.name == "Two days of squares")
    window.events_controller.open_event(event.id)
    grid = window.events.grid
    grid.setCurrentIndex(grid.model().index(0, 0))
    (chosen,) = grid.selected_ids()
    monkeypatch.setattr(QInputDialog, "getItem", lambda _parent, _title, _label, items, **__: (items[0], True))
    window.events.buttons["move"].click()
    wait(lambda: chosen not in engine.event(event.id).member_ids)
    assert len(engine.event(event.id).member_ids) == 3


def test_an_event_that_was_none_can_be_removed(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_screen(1)
    event = next(event for event in engine.events() if event.name == "Two days of squares")
    window.events_controller.open_event(event.id)
    monkeypatch.setattr("desktop.events_controller.confirmed", lambda *args: True)
    window.events.buttons["delete"].click()
    wait(lambda: event.id not in {each.id for each in engine.events()})
    assert engine.count() == 8


def test_a_caption_edited_in_the_memory_screen_is_kept_and_found(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = engine.timeline(2)[1]
    window.open_memory(memory_id)
    dialog = window.findChild(MemoryDialog)
    assert dialog is not None
    monkeypatch.setattr("desktop.memory_dialog.asked_text", lambda *args: "Grandmother's teapot")
    dialog._edit("caption")
    wait(lambda: engine.memory(memory_id).caption == "Grandmother's teapot")
    wait(lambda: "teapot" in dialog.windowTitle())
    assert engine.search("teapot")[0].memory_id == memory_id
    dialog.close()


def test_pausing_is_shown_and_remembered(window: MainWindow, engine: Engine, wait: Wait) -> None:
    window._pause.click()
    wait(lambda: engine.paused)
    assert window._pause.text() == "Resume"
    window._pause.click()
    wait(lambda: not engine.paused)


def test_every_screen_opens_by_keyboard(window: MainWindow, app: QApplication) -> None:
    for position in range(5):
        QTest.keyClick(window, Qt.Key(Qt.Key.Key_1.value + position), Qt.KeyboardModifier.ControlModifier)
        app.processEvents()
        assert window._stack.currentIndex() == position


def test_an_error_names_what_happened_and_what_to_do(window: MainWindow, tmp_path: Path, wait: Wait) -> None:
    window.library.folders_given.emit([str(tmp_path / "nowhere" / "at all")])
    wait(lambda: window.findChild(QMessageBox) is not None)
    box = window.findChild(QMessageBox)
    assert box is not None
    assert "nowhere" in box.text()
    box.close()


def test_the_window_can_be_drawn_in_light_and_dark(window: MainWindow, app: QApplication) -> None:
    from desktop.theme import apply_theme

    shots: list[QImage] = []
    for dark in (False, True):
        apply_theme(app, dark=dark)
        app.processEvents()
        shots.append(window.grab().toImage())
    apply_theme(app, dark=False)
    corner = QPoint(shots[0].width() // 2, shots[0].height() - 60)
    assert shots[0].pixelColor(corner).lightness() > 200
    assert shots[1].pixelColor(corner).lightness() < 90


def test_the_models_screen_says_which_letters_the_text_reader_knows(window: MainWindow) -> None:
    table = window.models.table
    shown = {table.item(row, 0).text(): table.item(row, 4).text() for row in range(table.rowCount())}

    assert shown["rapidocr-ppocrv6"] == "text reader (Latin, Chinese, Japanese)"


def test_the_language_model_for_answers_is_chosen_on_the_models_screen(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    def row_of(model_id: str) -> int:
        return next(row for row in range(table.rowCount()) if table.item(row, 0).text() == model_id)

    table, model_id = window.models.table, "qwen2.5-coder-0.5b-instruct-q4_k_m"
    answer = next(each for each in window.models.findChildren(QPushButton) if each.text() == "Answer with it")
    table.selectRow(row_of(model_id))
    answer.click()
    wait(lambda: engine.options.settings.chat_model == model_id)
    wait(lambda: table.item(row_of(model_id), 1).text() == "not installed, chosen for answers")

    table.selectRow(row_of(model_id))
    answer.click()
    wait(lambda: engine.options.settings.chat_model == "auto")

    told: list[str] = []
    monkeypatch.setattr("desktop.models_view.show_error", lambda _parent, error: told.append(str(error)))

    def refuse(wish: str) -> None:
        raise RequestError(f"{wish} cannot be used as chat.")

    engine.options._choose_chat = refuse
    table.selectRow(row_of("whisper-base"))
    answer.click()
    wait(lambda: bool(told))
    assert engine.options.settings.chat_model == "auto"
    for entry in window.models._entries:
        table.selectRow(row_of(entry.id))
        assert window.models.state.text() == ("" if entry.installed else entry.reason)
    wait(lambda: "Up to date" in window._progress_text.text())


def test_the_window_fits_a_small_laptop(window: MainWindow) -> None:
    """1366 x 768 with a task bar; every screen counts, because the largest one sets what the window needs."""
    needs = window.minimumSizeHint()
    assert (needs.width() <= 1280, needs.height() <= 700) == (True, True), needs
