"""The first page of a new library: is what it offers off until chosen, kept, and shown alike on the other screens?"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from core.capture import pipeline
from core.engine import Engine
from core.paths import Home
from core.settings import Settings, load_settings
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from desktop.main_window import MainWindow, Screen
from tests.core.capture.conftest import InProcessDecoder
from tests.desktop.conftest import showing
from tests.fakes import FakeEmbedder, FakeFaces, FakeModels
from tests.people_drawn import draw_people

Wait = Callable[[Callable[[], bool]], None]


@pytest.fixture(autouse=True)
def decode_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode in this process: the child has its own tests and takes a second to start."""
    monkeypatch.setattr(pipeline, "Decoder", lambda *_, **__: InProcessDecoder())


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    models = FakeModels(text_embedder=FakeEmbedder(), faces=FakeFaces())
    made = Engine(open_library(Home(tmp_path / "library"), ExactIndexes()), models, Settings())
    yield made
    made.close()


@pytest.fixture
def window(app: QApplication, engine: Engine, tmp_path: Path) -> Iterator[MainWindow]:
    with showing(app, engine, tmp_path / "models") as made:
        yield made


def _click(window: MainWindow, text: str) -> None:
    next(each for each in window.welcome.findChildren(QPushButton) if each.text() == text).click()


def test_a_new_library_begins_with_everything_said_and_nothing_turned_on(window: MainWindow, engine: Engine) -> None:
    assert window.welcome.isVisible()
    assert not window.welcome.recognise.isChecked()
    assert not engine.options.settings.recognise_faces
    assert not any(box.isChecked() for box in window.welcome.left_alone.values())
    assert "nothing leaves it" in window.welcome.recognise.toolTip()
    assert "starter set is not complete" in window.welcome.models.text()


def test_faces_turned_on_at_first_are_on_everywhere_and_in_the_settings_file(
    window: MainWindow, engine: Engine, tmp_path: Path, wait: Wait
) -> None:
    window.welcome.recognise.click()
    wait(lambda: engine.options.settings.recognise_faces)
    wait(lambda: window.people.recognise.isChecked() and window.settings.recognise.isChecked())
    assert load_settings(tmp_path / "library" / "settings.toml").recognise_faces

    window.settings.recognise.click()
    wait(lambda: not engine.options.settings.recognise_faces)
    wait(lambda: not window.welcome.recognise.isChecked() and not window.people.recognise.isChecked())


def test_what_is_left_alone_is_kept_private_and_can_be_let_in_again(
    window: MainWindow, engine: Engine, wait: Wait
) -> None:
    window.welcome.left_alone["ids"].click()
    wait(lambda: engine.options.settings.never_understood == ("ids",))
    wait(lambda: window.settings.levels["ids"].currentText() == "Not understood at all")
    window.welcome.left_alone["ids"].click()
    wait(lambda: engine.options.settings.never_understood == ())


def test_it_leads_to_the_models_and_with_a_folder_to_the_timeline(
    window: MainWindow, engine: Engine, tmp_path: Path, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    _click(window, "Choose models…")
    assert window._screens.currentRow() == Screen.MODELS
    window.show_screen(Screen.LIBRARY)
    draw_people(tmp_path / "album" / "one.png", [1])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(tmp_path / "album"))
    _click(window, "Choose a folder…")
    wait(lambda: engine.count() == 1 and not window.welcome.isVisible())


def test_the_screens_stand_in_the_order_of_their_names(window: MainWindow) -> None:
    shown = [window._screens.item(row).text().upper() for row in range(window._screens.count())]
    assert shown == [screen.name for screen in Screen]
    assert shown.index("PEOPLE") == shown.index("EVENTS") + 1


def test_turning_faces_off_in_the_settings_offers_to_forget_them(
    window: MainWindow, engine: Engine, tmp_path: Path, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        draw_people(tmp_path / "album" / f"{number}.png", [1], f"2024:0{number + 1}:10 10:00:00", seed=number)
    window.settings.recognise.click()
    wait(lambda: engine.options.settings.recognise_faces)
    window.library_controller.add_folders([str(tmp_path / "album")])
    wait(lambda: len(engine.people.all()) == 1)
    asked: list[str] = []
    monkeypatch.setattr("desktop.faces_switch.confirmed", lambda _parent, question, *_: bool(asked.append(question)))
    window.settings.recognise.click()
    wait(lambda: not engine.options.settings.recognise_faces)
    wait(lambda: not window.people.recognise.isChecked())
    assert len(asked) == 1
    assert len(engine.people.all()) == 1

    window.settings.recognise.click()
    wait(lambda: window.people.recognise.isChecked())
    monkeypatch.setattr("desktop.faces_switch.confirmed", lambda *_: True)
    window.settings.recognise.click()
    wait(lambda: engine.people.all() == [] and not engine.options.settings.recognise_faces)
