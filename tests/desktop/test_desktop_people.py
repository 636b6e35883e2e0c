"""What a person does on the People screen, on a real engine and database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QItemSelectionModel
from PySide6.QtWidgets import QApplication, QInputDialog

from core.capture import pipeline
from core.engine import Engine
from core.paths import Home
from core.records import Changes
from core.settings import Settings
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from desktop.main_window import MainWindow
from desktop.model_shelf import ModelShelf
from desktop.worker import EngineWorker
from tests.core.capture.conftest import InProcessDecoder
from tests.desktop.conftest import Wait, showing
from tests.fakes import FakeEmbedder, FakeFaces, FakeModels
from tests.people_drawn import draw_people

ANNA, BEN = 1, 12


@pytest.fixture(autouse=True)
def decode_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode in this process: the child has its own tests and takes a second to start."""
    monkeypatch.setattr(pipeline, "Decoder", lambda *_, **__: InProcessDecoder())


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    for number in range(5):
        draw_people(tmp_path / "album" / f"a{number}.png", [ANNA], f"20{10 + 3 * number}:05:10 10:00:00", seed=number)
        draw_people(tmp_path / "album" / f"b{number}.png", [BEN], f"2024:05:1{number} 10:00:00", seed=20 + number)
    models = FakeModels(text_embedder=FakeEmbedder(), faces=FakeFaces())
    made = Engine(open_library(Home(tmp_path / "library"), ExactIndexes()), models, Settings())
    made.add_folder(tmp_path / "album")
    yield made
    made.close()


@pytest.fixture
def window(app: QApplication, engine: Engine, tmp_path: Path, wait: Wait) -> Iterator[MainWindow]:
    """The window with faces turned on by its own switch, and found."""
    with showing(app, engine, tmp_path / "models") as made:
        made.people.recognise.click()
        wait(lambda: len(engine.people.all()) == 2 and made.people.list.model().rowCount() == 2)
        wait(lambda: "Up to date" in made._progress_text.text())
        yield made


def type_in(monkeypatch: pytest.MonkeyPatch, *texts: str) -> None:
    answers = iter(texts)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: (next(answers), True))


def choose(monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    def answer(_parent: object, _title: str, _label: str, items: list[str], **_: object) -> tuple[str, bool]:
        return next(item for item in items if wanted in item), True

    monkeypatch.setattr(QInputDialog, "getItem", answer)


def select_face(window: MainWindow, row: int) -> None:
    faces = window.people.faces
    faces.selectionModel().select(faces.model().index(row, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect)


def test_faces_are_off_until_the_switch_is_pressed(
    app: QApplication, engine: Engine, tmp_path: Path, wait: Wait
) -> None:
    worker = EngineWorker(engine)
    made = MainWindow(engine, worker, ModelShelf(tmp_path / "models"))
    try:
        assert not made.people.recognise.isChecked()
        assert "on this computer only" in made.people.notice.text()
        assert not engine.options.settings.recognise_faces
    finally:
        made.close()
        worker.stop()
        made.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        app.processEvents()


def test_a_group_is_named_corrected_and_undone(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = engine.people.all()[0]
    window.people_controller.open_person(first.id)
    assert window.people.name.text() == "Who is this?"
    type_in(monkeypatch, "Anna", "Cleo")
    window.people.buttons["name"].click()
    wait(lambda: window.people.name.text() == "Anna")
    assert window.people.portraits.model().rowCount() == 5

    select_face(window, 0)
    choose(monkeypatch, "Somebody new")
    window.people.buttons["split"].click()
    wait(lambda: "Cleo" in {person.name for person in engine.people.all()})
    window.people.buttons["undo"].click()
    wait(lambda: "Cleo" not in {person.name for person in engine.people.all()})
    assert engine.people.get("Anna").faces == 5

    window.people_controller.open_person(engine.people.get("Anna").id)
    select_face(window, 0)
    window.people.buttons["not_this"].click()
    wait(lambda: engine.people.get("Anna").faces == 4)
    window.people.buttons["undo"].click()
    wait(lambda: engine.people.get("Anna").faces == 5)


def test_relations_groups_favourites_and_pets_are_said_by_buttons(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = engine.people.all()
    engine.people.name(one.id, "Anna")
    engine.people.name(other.id, "Ben")
    window._worker.signals.changed.emit(Changes(people=True))
    window.people_controller.open_person(one.id)
    type_in(monkeypatch, "son", "friends from summer school")
    choose(monkeypatch, "Ben")
    window.people.buttons["relate"].click()
    wait(lambda: window.people.relations.text() == "son: Ben")
    window.people.buttons["group"].click()
    wait(lambda: engine.people.get("Anna").groups == ("friends from summer school",))
    window.people.buttons["favourite"].click()
    wait(lambda: window.people.name.text() == "★ Anna")
    window.people_controller.open_person(other.id)
    window.people.buttons["pet"].click()
    wait(lambda: window.people.name.text() == "Ben (pet)")


def test_turning_it_off_offers_to_forget_every_face(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.faces_switch.confirmed", lambda *args: True)
    window.people.recognise.click()
    wait(lambda: engine.people.all() == [])
    assert not engine.options.settings.recognise_faces
    assert engine.people.loose_faces() == []


def test_somebody_is_forgotten_only_when_the_person_confirms(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.people_controller.open_person(engine.people.all()[0].id)
    monkeypatch.setattr("desktop.people_controller.confirmed", lambda *args: False)
    window.people.buttons["forget"].click()
    assert len(engine.people.all()) == 2
    monkeypatch.setattr("desktop.people_controller.confirmed", lambda *args: True)
    window.people.buttons["forget"].click()
    wait(lambda: len(engine.people.all()) == 1)
