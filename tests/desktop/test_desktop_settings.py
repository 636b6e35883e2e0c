"""The Settings screen and what a memory's menu and the Problems screen add: each change holds and is shown."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QListWidget, QPlainTextEdit, QPushButton

from core.capture import pipeline
from core.engine import Engine
from core.jobs import run_to_end
from core.records import Changes, Stage
from core.settings import load_settings
from desktop import memory_menu, problems_view, rest_watch, settings_view
from desktop.main_window import MainWindow
from desktop.memory_dialog import MemoryDialog
from desktop.tiles import tile
from desktop.worker import EngineWorker
from tests.core.capture.conftest import InProcessDecoder

Wait = Callable[[Callable[[], bool]], None]


@pytest.fixture(autouse=True)
def decode_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode in this process: the child has its own tests and takes a second to start."""
    monkeypatch.setattr(pipeline, "Decoder", lambda *_, **__: InProcessDecoder())


def _click(parent: object, text: str) -> None:
    found = [each for each in parent.findChildren(QPushButton) if each.text() == text]  # type: ignore[attr-defined]
    found[0].click()


def _texts(shown: QListWidget) -> list[str]:
    return [shown.item(row).text() for row in range(shown.count())]


def _worker(window: MainWindow) -> EngineWorker:
    return window.problems._worker


def test_a_setting_is_kept_when_it_is_changed(window: MainWindow, engine: Engine, tmp_path: Path, wait: Wait) -> None:
    owner, battery = window.settings.fields["owner"], window.settings.fields["pause_on_battery"]
    assert isinstance(owner, QLineEdit)
    assert isinstance(battery, QCheckBox)

    owner.setText("Mara")
    owner.editingFinished.emit()
    battery.click()

    wait(lambda: engine.options.settings.owner == "Mara" and engine.options.settings.pause_on_battery)
    assert load_settings(tmp_path / "library" / "settings.toml") == engine.options.settings
    assert engine.status().owner == "Mara"


def test_a_setting_that_cannot_be_is_told_and_stays_as_it_was(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(settings_view, "show_error", lambda parent, error: told.append(str(error)))
    hours = window.settings.fields["quiet_hours"]
    assert isinstance(hours, QLineEdit)

    hours.setText("late")
    hours.editingFinished.emit()

    wait(lambda: bool(told))
    assert "no span of hours" in told[0]
    assert (engine.options.settings.quiet_hours, hours.text()) == ("", "")


def test_folders_exclusions_and_places_are_listed_and_changed(
    window: MainWindow, engine: Engine, album: Path, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = window.settings
    [folder] = _texts(settings.folders.list)
    assert str(album) in folder
    assert "8 files" in folder

    answers = iter(["*.tmp", "Home", "55.7, 13.2, 200"])
    monkeypatch.setattr(settings_view, "asked_text", lambda parent, label: next(answers))
    _click(settings, "Leave out pattern…")
    wait(lambda: _texts(settings.exclusions.list) == ["*.tmp"])
    _click(settings, "Name a place…")
    wait(lambda: "200 m" in _texts(settings.places.list)[0])
    settings.exclusions.list.setCurrentRow(0)
    _click(settings, "Read again")
    wait(lambda: engine.options.settings.exclusions == ())
    settings.folders.list.setCurrentRow(0)
    monkeypatch.setattr(settings_view, "asked_choice", lambda parent, label, choices: 1)
    _click(settings, "Remove…")
    wait(lambda: _texts(settings.folders.list) == ["No folder yet."])
    assert engine.count() == 0
    assert len(list(album.iterdir())) == 8


def test_a_privacy_domain_is_switched_on_and_off(window: MainWindow, engine: Engine, wait: Wait) -> None:
    box = window.settings.levels["health"]

    box.setCurrentIndex(2)
    box.activated.emit(2)
    wait(lambda: engine.options.settings.never_understood == ("health",))
    box.setCurrentIndex(1)
    box.activated.emit(1)
    wait(lambda: engine.options.settings.hidden_from_chat == ("health",))
    box.setCurrentIndex(0)
    box.activated.emit(0)
    wait(lambda: engine.options.settings.hidden_from_chat == engine.options.settings.never_understood == ())


def test_a_note_shows_its_words_in_its_tile_and_in_its_dialog(
    window: MainWindow, engine: Engine, album: Path, wait: Wait
) -> None:
    (album / "list.txt").write_text("Milk and bread <b>not bold</b>")
    (album / "empty.md").write_text("# x")
    run_to_end(engine.process())
    note = next(each for each in engine.memories(engine.timeline(50)) if each.file_name == "list.txt")
    photo = next(each for each in engine.memories(engine.timeline(50)) if each.file_name == "IMG_0.jpg")

    dialog = MemoryDialog(engine, _worker(window), note.id, None, window)
    [pane] = dialog.findChildren(QPlainTextEdit)

    assert "Milk and bread <b>not bold</b>" in pane.toPlainText()
    assert pane.isReadOnly()
    assert tile(note).toImage() != tile(photo).toImage()
    dialog.close()


def test_a_memory_is_kept_private_and_names_its_place_from_its_menu(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = engine.timeline(1)[0]
    told: list[str] = []
    dialog = MemoryDialog(engine, _worker(window), memory_id, None, window)
    [more] = dialog.findChildren(memory_menu.MoreButton)
    monkeypatch.setattr(memory_menu, "asked_choice", lambda parent, label, choices: 0)
    monkeypatch.setattr(memory_menu, "asked_text", lambda parent, label: "Home")
    monkeypatch.setattr(memory_menu, "show_error", lambda parent, error: told.append(str(error)))

    more.keep_private()
    wait(lambda: engine.memory(memory_id).private == "chat")
    more.name_place()

    wait(lambda: bool(told))
    assert "position of this memory is not known" in told[0]
    dialog.close()


def test_a_problem_says_how_often_it_was_tried_and_shows_its_folder(
    window: MainWindow, engine: Engine, album: Path, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    (album / "broken.jpg").write_bytes(b"no picture")
    run_to_end(engine.process())
    shown: list[str] = []
    monkeypatch.setattr(problems_view, "reveal", shown.append)
    _worker(window).signals.changed.emit(Changes(memories=True))
    wait(lambda: window.problems.list.count() == 1)
    window.problems.list.setCurrentRow(0)

    _click(window.problems, "Show in folder")

    assert shown == [str(album / "broken.jpg")]
    assert "Scan, tried 1 time" in _texts(window.problems.list)[0]


def test_a_memory_whose_file_is_gone_is_marked_until_it_is_back(
    window: MainWindow, engine: Engine, album: Path, tmp_path: Path
) -> None:
    (album / "IMG_0.jpg").rename(tmp_path / "away.jpg")
    run_to_end(engine.process())
    gone = [each for each in engine.memories(engine.timeline(50)) if each.is_missing]
    assert [each.file_name for each in gone] == ["IMG_0.jpg"]

    (tmp_path / "away.jpg").rename(album / "IMG_0.jpg")
    run_to_end(engine.process())

    assert not any(each.is_missing for each in engine.memories(engine.timeline(50)))


def test_the_window_rests_on_battery_and_goes_on_at_the_mains(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker, drains = _worker(window), [True]
    engine.options.change("pause_on_battery", "yes")

    timer = rest_watch.watch_rest(engine, worker, window, lambda: drains[0])
    assert "battery" in worker.resting
    assert not worker.paused
    wait(lambda: "battery" in window._progress_text.text())
    worker.pause(True)
    drains[0] = False
    timer.timeout.emit()

    assert worker.resting == ""
    assert worker.paused  # the person's own pause stays
    worker.pause(False)
    timer.stop()


def test_the_libraries_of_other_programs_and_what_is_always_left_out_are_told(
    window: MainWindow, engine: Engine, album: Path
) -> None:
    (album / "Old.photoslibrary").mkdir()
    run_to_end(engine.process(Stage.SCAN))
    window.settings.exclusions.refresh()

    [told] = _texts(window.settings.exclusions.list)
    assert "Old.photoslibrary\nThis is another program's library; export the pictures" in told
    assert any("Always left out: hidden files" in label.text() for label in window.settings.findChildren(QLabel))
