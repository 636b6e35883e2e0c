"""In the window: what the person may want to check, and files that were joined by mistake."""

import shutil
from pathlib import Path

import pytest

from core.engine import Engine
from core.jobs import run_to_end
from core.records import Changes, Stage
from desktop import memory_dialog, problems_view
from desktop.main_window import MainWindow
from desktop.memory_dialog import MemoryDialog
from tests.core.capture import drawn
from tests.desktop.conftest import Wait
from tests.journeys.program import draw_photo


def test_the_problems_page_lists_what_to_check_and_opens_it(
    window: MainWindow, engine: Engine, album: Path, wait: Wait
) -> None:
    draw_photo(album / "IMG_20110719_113639.jpg", 3, "2018:07:20 09:00:00")
    run_to_end(engine.process(Stage.METADATA))
    page = window.problems
    window._stack.setCurrentWidget(page)
    wait(lambda: page.doubts.count() == 1)

    assert page.to_check.text() == "1 thing you may want to check"
    assert "its file's name says 2011-07-19" in page.doubts.item(0).text()
    page.doubts.itemActivated.emit(page.doubts.item(0))
    wait(lambda: page.findChild(MemoryDialog) is not None)
    dialog = page.findChild(MemoryDialog)
    assert dialog is not None
    dialog.close()


def test_what_is_right_as_it_is_leaves_the_list_and_comes_back_with_an_undo(
    window: MainWindow, engine: Engine, album: Path, wait: Wait
) -> None:
    for number, name in enumerate(("IMG_20110719_113639.jpg", "IMG_20120719_113639.jpg")):
        draw_photo(album / name, number, "2018:07:20 09:00:00")
    run_to_end(engine.process(Stage.METADATA))
    page = window.problems
    window._stack.setCurrentWidget(page)
    wait(lambda: page.doubts.count() == 2)
    page.doubts.setCurrentRow(0)
    page.leave.click()
    wait(lambda: page.doubts.count() == 1)

    assert "IMG_2012" in page.doubts.item(0).text()
    assert len(engine.review()) == 1
    engine.correct.undo()
    assert len(engine.review()) == 2


def test_a_file_is_split_off_in_the_window(
    window: MainWindow, engine: Engine, album: Path, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = drawn.jpeg(album / "a.jpg", 1, drawn.exif({drawn.ORIGINAL: "2022:03:04 12:00:00"}))
    drawn.video(album / "a.mov")
    shutil.copy(photo, album / "copy.jpg")
    run_to_end(engine.process(Stage.THUMBNAILS))
    memory = next(each for each in engine.memories(engine.timeline(100)) if len(each.files) == 3)
    asked: list[list[str]] = []

    def clip_of(_parent: object, _label: str, choices: list[str]) -> int:
        asked.append(choices)
        return next(number for number, path in enumerate(choices) if path.endswith("a.mov"))

    monkeypatch.setattr(memory_dialog, "asked_choice", clip_of)
    before = engine.count()
    dialog = MemoryDialog(engine, window.problems._worker, memory.id, None, window)
    dialog._split()
    wait(lambda: engine.count() == before + 1)

    assert len(asked[0]) == 2
    dialog.close()


def test_the_window_counts_no_stages_and_lists_the_first_of_many_problems(
    window: MainWindow, engine: Engine, album: Path, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        (album / f"{number}.jpg").write_bytes(b"")
    run_to_end(engine.process(Stage.SCAN))
    monkeypatch.setattr(problems_view, "_MOST_SHOWN", 2)
    monkeypatch.setattr(engine, "status", lambda: pytest.fail("counts every stage of every memory"))
    window._say_what_is_missing()
    window._worker.edit("look", lambda: Changes(memories=True, people=True))
    wait(lambda: window.problems.list.count() == 2)

    assert window.problems.summary.text() == "3 files need a look (the first 2)"
