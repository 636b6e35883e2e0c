"""What interrupts background work does not make it begin anew: the folders are looked at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from core.capture import pipeline
from core.engine import Engine
from core.errors import JobCancelled
from core.jobs import run_to_end
from core.records import Stage
from desktop.worker import EngineWorker
from tests.desktop.conftest import Wait
from tests.journeys.program import draw_photo


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry a scan that ran to its end."""
    seen: list[str] = []
    real = pipeline.scan

    def counted(*args: object, **more: object) -> Iterator[object]:
        yield from real(*args, **more)  # type: ignore[arg-type]
        seen.append("scan")

    monkeypatch.setattr(pipeline, "scan", counted)
    return seen


@pytest.fixture
def worker(app: QApplication, engine: Engine) -> Iterator[EngineWorker]:
    made = EngineWorker(engine)
    yield made
    made.stop()


def test_a_correction_makes_what_was_derived_due_and_does_not_read_the_folders_again(
    worker: EngineWorker, engine: Engine, scans: list[str], wait: Wait
) -> None:
    ends: list[bool] = []
    worker.signals.idle.connect(lambda: ends.append(True))
    worker.process()
    wait(lambda: len(ends) == 1)
    memory_id = engine.timeline(1)[0]

    worker.edit("title", lambda: engine.correct.edit_memory(memory_id, "title", "The old mill"))
    wait(lambda: len(ends) == 2)

    assert engine.memory(memory_id).title == "The old mill"
    assert scans == ["scan"]


def test_work_that_is_asked_for_anew_reads_the_folders_again(
    worker: EngineWorker, scans: list[str], wait: Wait
) -> None:
    ends: list[bool] = []
    worker.signals.idle.connect(lambda: ends.append(True))
    for number in (1, 2):
        worker.process()
        wait(lambda number=number: len(ends) == number)  # type: ignore[misc]

    assert scans == ["scan", "scan"]


def test_an_edit_during_the_scan_does_not_lose_the_scan(engine: Engine, scans: list[str]) -> None:
    given_up = engine.process()
    next(given_up)
    given_up.close()

    run_to_end(engine.process(Stage.THUMBNAILS, afresh=False))
    assert scans == ["scan"]
    run_to_end(engine.process(Stage.THUMBNAILS, afresh=False))
    assert scans == ["scan"]


def test_a_run_that_gave_way_to_a_question_goes_on_behind_its_scan(
    engine: Engine, scans: list[str], album: Path
) -> None:
    asked: list[bool] = []

    def run_until_asked() -> None:
        for news in engine.process(interrupted=lambda: bool(asked)):
            if getattr(news, "stage", None) is Stage.CONTEXTS:
                asked.append(True)

    engine.correct.edit_memory(engine.timeline(1)[0], "title", "The old mill")
    draw_photo(album / "new.jpg", 99)
    with pytest.raises(JobCancelled):
        run_until_asked()
    run_to_end(engine.process(afresh=False))

    assert scans == ["scan"]
