"""What the person may do with an answer in the chat."""

from collections.abc import Callable
from datetime import date

from PySide6.QtWidgets import QPushButton

from core.engine import Engine
from core.records import Answer, Outcome, TraceStep
from desktop.answer_actions import steps_of
from desktop.chat_view import AnswerBubble
from desktop.main_window import MainWindow

Wait = Callable[[Callable[[], bool]], None]


def pressed(bubble: AnswerBubble, text: str) -> None:
    button = next(each for each in bubble.findChildren(QPushButton) if each.text() == text)
    button.click()


def last_bubble(window: MainWindow) -> AnswerBubble:
    return window.chat.findChildren(AnswerBubble)[-1]


def asked(window: MainWindow, wait: Wait, text: str) -> AnswerBubble:
    window.chat_controller.ask(text)
    wait(lambda: not window.chat_controller.busy)
    return last_bubble(window)


def favourites(engine: Engine) -> int:
    return sum(memory.favourite for memory in engine.memories(engine.timeline(50)))


def test_a_command_is_carried_out_on_yes_and_taken_back_with_undo(
    window: MainWindow, engine: Engine, wait: Wait
) -> None:
    window.set_today(date(2024, 6, 1))
    bubble = asked(window, wait, "Mark the photos of May 10, 2024 as favourites")
    assert favourites(engine) == 0

    pressed(bubble, "Yes, do it")
    wait(lambda: favourites(engine) == 4)
    wait(lambda: "Marked 4 pictures" in bubble.found_by.text())
    pressed(bubble, "Undo")

    wait(lambda: favourites(engine) == 0)


def test_a_picture_that_is_not_meant_is_gone_from_the_next_answer(
    window: MainWindow, engine: Engine, wait: Wait
) -> None:
    window.set_today(date(2024, 6, 1))
    bubble = asked(window, wait, "How many photos did I take on May 10, 2024?")
    assert len(bubble.reference_buttons) == 4
    memory_id = next(iter(bubble._references))

    assert bubble.reference_menu is not None
    menu = bubble.reference_menu(memory_id)
    menu.actions()[0].trigger()

    wait(lambda: last_bubble(window) is not bubble and not window.chat_controller.busy)
    assert len(last_bubble(window).reference_buttons) == 3


def test_an_answer_is_kept_as_a_fact(window: MainWindow, engine: Engine, wait: Wait) -> None:
    window.set_today(date(2024, 6, 1))
    bubble = asked(window, wait, "How many photos did I take on May 10, 2024?")

    pressed(bubble, "Save as fact")

    wait(lambda: any("How many photos" in fact.statement for fact in engine.facts()))


def test_the_steps_of_a_model_can_be_read() -> None:
    answer = Answer(
        outcome=Outcome.ANSWERED, text="Blue.", trace=(TraceStep("search wall", "m1 A wall", "25 calls left."),)
    )

    assert steps_of(answer) == "1. search wall\nm1 A wall\n(25 calls left.)"
