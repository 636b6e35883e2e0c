"""Is whatever ends the getting of a model told, and does it stop when nobody waits for it any more?"""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import DownloadFailedError, JobCancelled
from core.jobs import run_to_end
from core.records import AskStep
from desktop import model_shelf
from desktop.model_shelf import ModelShelf
from models.weights import FetchProgress


def fetching(
    monkeypatch: pytest.MonkeyPatch, act: Callable[[Callable[[FetchProgress], None], Callable[[], bool]], None]
) -> None:
    monkeypatch.setattr(
        model_shelf, "fetch", lambda model_id, folder, on_progress, cancelled, accepted: act(on_progress, cancelled)
    )


@pytest.mark.parametrize(
    "error", [DownloadFailedError("No."), JobCancelled(), OSError(5, "I/O error"), KeyError("bug")]
)
def test_whatever_ends_it_reaches_the_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(on_progress: Callable[[FetchProgress], None], cancelled: Callable[[], bool]) -> None:
        raise error

    fetching(monkeypatch, fail)
    with pytest.raises(type(error)):
        run_to_end(ModelShelf(tmp_path).fetch("x", accept_licence=False, cancelled=lambda: False))


def test_progress_is_told_and_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def some(on_progress: Callable[[FetchProgress], None], cancelled: Callable[[], bool]) -> None:
        on_progress(FetchProgress("x", "model", 5_000_000, 10_000_000))
        time.sleep(0.3)

    fetching(monkeypatch, some)
    told: list[str] = []
    run_to_end(
        ModelShelf(tmp_path).fetch("x", accept_licence=False, cancelled=lambda: False),
        lambda news: told.append(news.doing) if isinstance(news, AskStep) else None,
    )
    assert "x: 5 of 10 MB" in told


def test_it_stops_when_it_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()

    def endless(on_progress: Callable[[FetchProgress], None], cancelled: Callable[[], bool]) -> None:
        while not cancelled():
            time.sleep(0.01)
        stopped.set()
        raise JobCancelled

    fetching(monkeypatch, endless)
    steps = ModelShelf(tmp_path).fetch("x", accept_licence=False, cancelled=lambda: False)
    next(steps)
    steps.close()
    assert stopped.wait(5)
