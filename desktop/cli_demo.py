"""The demo: draws the sample album, understands it, and answers questions about it with the pictures that prove it."""

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path

from core.engine import Engine
from core.jobs import run_to_end
from core.paths import Home, default_home
from core.records import Answer, Outcome, Question
from desktop.build import home_at, opened
from desktop.cli_ask import answer_text
from desktop.json_view import answer_json
from desktop.terminal import Terminal
from resources.sample_album import draw_album

_OWNER = "Mara Lindholm"
AddCommand = Callable[[str, str], argparse.ArgumentParser]


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question about the sample album with its right answer."""

    question: str
    today: date
    answer_type: str
    answer: object


def add_commands(add: AddCommand) -> None:
    """Register the command."""
    command = add("demo", "draw a sample album, understand it and answer questions about it")
    command.add_argument(
        "--headless", action="store_true", help="print the answers and save a screenshot; open no window"
    )


def run(
    options: argparse.Namespace,
    terminal: Terminal,
    open_window: Callable[[Path], int],
    save_screenshot: Callable[[Path, Path], None],
) -> int:
    """Run the demo in a folder of its own beside the person's library; the exit code is 1 when too few answers are right."""
    folder = home_at(options.home).folder if options.home else default_home().with_name("madeleine-demo")
    home, album = Home(folder / "library"), folder / "album"
    if not any(album.glob("*")):
        terminal.note("Drawing the sample album …")
        draw_album(album)
    with opened(home) as engine:
        engine.correct.set_owner(_OWNER)
        engine.add_folder(album)
        run_to_end(engine.process(), terminal.news)
        right, total = _ask_all(engine, terminal)
    terminal.note(f"{right} of {total} answers are right.")
    if not options.headless and has_display():
        return open_window(home.folder)
    picture = folder / "madeleine.png"
    save_screenshot(home.folder, picture)
    terminal.note(f"The window as it would look: {picture}")
    return 0 if right * 8 >= total * 7 else 1


def demo_questions() -> list[DemoQuestion]:
    """The questions that ship with the sample album."""
    text = (files("resources.sample_album") / "questions.json").read_text(encoding="utf-8")
    return [
        DemoQuestion(each["question"], date.fromisoformat(each["today"]), each["answer_type"], each["answer"])
        for each in json.loads(text)
    ]


def is_right(expected: DemoQuestion, answer: Answer) -> bool:
    """Grade an answer by code: equal numbers and dates, the right members of a set, the right words in a text."""
    if expected.answer_type == "none":
        return answer.outcome is Outcome.NOT_FOUND and not answer.citations
    if answer.outcome is not Outcome.ANSWERED or not answer.citations:
        return False
    said = f"{answer.text} {answer.value}".casefold()
    if expected.answer_type == "number":
        return isinstance(answer.value, int | float) and abs(answer.value - float(str(expected.answer))) < 0.01
    wanted = expected.answer if isinstance(expected.answer, list) else [expected.answer]
    return all(str(each).casefold() in said for each in wanted)


def _ask_all(engine: Engine, terminal: Terminal) -> tuple[int, int]:
    right, questions = 0, demo_questions()
    for expected in questions:
        answer = run_to_end(engine.ask(Question(expected.question, expected.today)), terminal.news)
        good = is_right(expected, answer)
        right += good
        mark = "right" if good else f"expected {expected.answer}"
        terminal.result(
            {"question": expected.question, "right": good, **answer_json(engine, answer)},
            f"? {expected.question}\n{answer_text(engine, answer)}\n    {answer.seconds:.1f} s, {answer.outcome}, {mark}\n",
        )
    return right, len(questions)


def has_display() -> bool:
    """Whether a window can be shown at all."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
