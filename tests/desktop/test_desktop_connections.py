"""Can a person see in the window how things are connected, tell it, put it right and take it back?"""

import pytest
from PySide6.QtWidgets import QInputDialog, QMessageBox, QPushButton

from core.engine import Engine
from desktop.main_window import MainWindow
from tests.desktop.conftest import Wait


def press(window: MainWindow, text: str) -> None:
    [button] = [each for each in window.facts.connections.findChildren(QPushButton) if each.text() == text]
    button.click()


def rows(window: MainWindow) -> list[str]:
    shown = window.facts.connections.list
    return [shown.item(at).text() for at in range(shown.count())]


def test_a_relation_is_told_put_right_denied_and_undone(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = engine.status().owner or "Me"
    said = iter(["me, sister, Nina", "cousin"])
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: (next(said), True))
    press(window, "Tell…")
    wait(lambda: rows(window) == [f"✎ {owner} – sister → Nina"])
    press(window, "Something else…")
    wait(lambda: rows(window) == [f"✎ {owner} – cousin → Nina"])
    press(window, "Not so")
    wait(lambda: rows(window) == [])
    assert "who your sister is" in window.facts.connections.who.text()
    press(window, "Undo")
    wait(lambda: rows(window) == [f"✎ {owner} – cousin → Nina"])


def test_what_is_no_relation_is_refused_in_words(
    window: MainWindow, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Nina", True))
    press(window, "Tell…")
    wait(lambda: any("no name" in box.text() for box in window.findChildren(QMessageBox)))
    for box in window.findChildren(QMessageBox):
        box.close()


def test_a_name_shows_what_it_is_connected_with(window: MainWindow, engine: Engine) -> None:
    engine.relations.relate("me", "mother", "Eva")
    engine.relations.relate("Eva", "sister", "Ruth")
    window.facts.connections.name.setText("ruth")
    window.facts.connections.refresh()
    assert rows(window) == ["✎ Eva – sister → Ruth"]
    assert window.facts.connections.who.text() == "Ruth: your aunt"
    window.facts.connections.name.setText("Nobody At All")
    window.facts.connections.refresh()
    assert rows(window) == []
