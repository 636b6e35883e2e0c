"""Stopping a question in the Chat: it says so, keeps the pictures found, and nothing of the turn comes in afterwards."""

import threading
from collections.abc import Generator

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPushButton

from core.engine import Engine
from core.errors import JobCancelled
from core.ports import Interrupted, never
from core.records import Answer, AskStep, Outcome, Question
from desktop.chat_view import AnswerBubble
from desktop.main_window import MainWindow
from tests.desktop.conftest import Wait

QUESTION = "What did the kite look like?"


class SlowAsk:
    """In place of the engine's `ask`: shows pictures and half a sentence, then thinks until it is let go."""

    def __init__(self, pictures: tuple[str, ...], late: bool) -> None:
        self._pictures, self._late = pictures, late
        self.may_end = threading.Event()
        self.ended = threading.Event()

    def __call__(self, question: Question, interrupted: Interrupted = never) -> Generator[AskStep, None, Answer]:
        yield AskStep(pictures=self._pictures, text="It was re")
        self.may_end.wait(10)
        self.ended.set()
        if interrupted() and not self._late:
            raise JobCancelled
        return Answer(outcome=Outcome.ANSWERED, text="It was red.")


def begun(window: MainWindow, wait: Wait) -> AnswerBubble:
    window.chat_controller.ask(QUESTION)
    bubble = window.chat.findChildren(AnswerBubble)[-1]
    wait(lambda: "It was re" in bubble.text.text())
    return bubble


@pytest.mark.parametrize("late", [False, True])
def test_a_stopped_answer_says_so_and_keeps_its_pictures_but_no_half_sentence(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    found = tuple(engine.timeline(3))
    slow = SlowAsk(found, late)
    monkeypatch.setattr(engine, "ask", slow)
    bubble = begun(window, wait)

    window.chat.stop.click()
    slow.may_end.set()
    wait(slow.ended.is_set)
    QCoreApplication.processEvents()

    assert bubble.text.text() == "Stopped before there was an answer. These pictures had been found."
    assert bubble.references == found
    assert not window.chat_controller.busy
    assert [each.text() for each in bubble.findChildren(QPushButton)] == ["Ask again"]


def test_stopping_before_anything_was_found_shows_no_pictures(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowAsk((), late=False)
    monkeypatch.setattr(engine, "ask", slow)
    bubble = begun(window, wait)

    window.chat.stop.click()
    slow.may_end.set()

    assert bubble.text.text() == "Stopped before there was an answer."
    assert bubble.reference_buttons == ()


def test_a_stopped_question_can_be_asked_again(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowAsk((), late=False)
    monkeypatch.setattr(engine, "ask", slow)
    bubble = begun(window, wait)
    window.chat.stop.click()
    slow.may_end.set()

    next(each for each in bubble.findChildren(QPushButton) if each.text() == "Ask again").click()

    wait(lambda: not window.chat_controller.busy)
    assert window.chat.findChildren(AnswerBubble)[-1].text.text() == "It was red."


def test_another_question_stops_the_one_in_hand(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowAsk((), late=False)
    monkeypatch.setattr(engine, "ask", slow)
    first = begun(window, wait)

    window.chat_controller.ask("And the harbour?")
    slow.may_end.set()

    wait(lambda: not window.chat_controller.busy)
    assert first.text.text().startswith("Stopped")
    assert window.chat.findChildren(AnswerBubble)[-1].text.text() == "It was red."


def test_a_new_conversation_is_not_disturbed_by_the_answer_of_the_old_one(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowAsk(tuple(engine.timeline(2)), late=True)
    monkeypatch.setattr(engine, "ask", slow)
    begun(window, wait)

    window.chat.restarted.emit()
    slow.may_end.set()
    wait(slow.ended.is_set)
    QCoreApplication.processEvents()

    assert not window.chat_controller.busy


def test_pictures_stand_beside_each_other_as_far_as_the_panel_has_room(
    window: MainWindow, engine: Engine, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowAsk(tuple(engine.timeline(3)), late=False)
    monkeypatch.setattr(engine, "ask", slow)
    bubble = begun(window, wait)
    window.chat.stop.click()
    slow.may_end.set()

    def columns(width: int) -> int:
        bubble.fit(width)
        window.chat.layout().activate()
        QCoreApplication.processEvents()
        return len({each.x() for each in bubble.reference_buttons})

    assert [columns(width) for width in (150, 300, 400, 300)] == [1, 2, 3, 2]


def test_pictures_shown_before_cover_nothing_until_they_are_gone(window: MainWindow, engine: Engine) -> None:
    bubble = AnswerBubble(window._thumbnails, lambda _: None)
    window.chat.add_answer(bubble)
    bubble.show_references([(memory_id, "A square") for memory_id in engine.timeline(2)])
    before = bubble.reference_buttons

    bubble.show_references([(memory_id, "A square") for memory_id in engine.timeline(1)])

    assert all(each.isHidden() for each in before)
    assert not bubble.reference_buttons[0].isHidden()
