"""Between the window and the background thread: jobs go in, Qt signals come out on the window's thread.

The background thread is the only one that writes. Progress reaches the window at most ten times a second, so that a fast scan
cannot flood it (field notes, C25).
"""

import threading
import time
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from core.engine import Engine
from core.jobs import Job, News, Priority, Steps, Worker
from core.records import Answer, AskStep, Changes, FoldersSeen, Progress, Question
from core.rest import give_way

Result = TypeVar("Result")
_PROGRESS_EVERY_S = 0.1
_REFRESH_EVERY_S = 2.0


class _Signals(QObject):
    """Signals are delivered on the window's thread, whichever thread emits them."""

    progress = Signal(object)
    changed = Signal(object)
    told = Signal(str)
    idle = Signal()
    failed = Signal(object)
    deliver = Signal(object, object)


class EngineWorker:
    """Runs the engine's long work and the person's edits on one background thread.

    Attributes:
        signals: `progress` (Progress), `told` (what long work is doing), `changed` (Changes), `idle`,
            `failed` (an exception of a job without its own handler).
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._worker = Worker()
        self._is_paused, self._resting = engine.paused, ""
        self._worker.pause(engine.paused)
        self._processing: Job | None = None
        self._look_afresh = threading.Event()
        self._told_at = self._refreshed_at = 0.0
        self.signals = _Signals()
        self.signals.deliver.connect(_call)
        self._worker.start()
        if engine.options.settings.idle_priority:
            self.edit("give way", give_way)

    def stop(self) -> None:
        """End after the step in hand."""
        self._worker.stop()

    @property
    def paused(self) -> bool:
        """Whether the person paused background work."""
        return self._is_paused

    @property
    def resting(self) -> str:
        """Why background work stands still by itself; empty when it does not."""
        return self._resting

    def rest(self, reason: str) -> None:
        """Let background work stand still for a reason, or go on when there is none."""
        if reason != self._resting:
            self._resting = reason
            self._worker.pause(self._is_paused or bool(reason))
            self.signals.idle.emit()

    def pause(self, paused: bool) -> None:
        """Stop or resume background work; remembered over restarts."""
        self._is_paused = paused
        self._worker.pause(paused or bool(self._resting))
        self.edit("pause", lambda: self._engine.set_paused(paused))

    def process(self, *, afresh: bool = True) -> None:
        """Begin (or begin again) to bring the library up to date in the background.

        Args:
            afresh: look what lies in the folders too; False when only what was derived is due again.
        """
        if afresh:
            self._look_afresh.set()
        if self._processing is not None:
            self._processing.cancel()
        self._processing = self._worker.submit(
            Job(
                "process",
                Priority.BACKGROUND,
                self._start_processing,
                on_news=self._tell_progress,
                on_done=self._processed,
                on_error=self._failed,
            )
        )

    def _start_processing(self, job: Job) -> Steps:
        """Also called when the job goes on after an interruption: then the folders were looked at already."""
        afresh = self._look_afresh.is_set()
        if afresh:
            self._look_afresh.clear()
        return self._engine.process(interrupted=job.interrupted, afresh=afresh)

    def look_at_folders(self, on_seen: Callable[[FoldersSeen], None]) -> None:
        """Look whether the folders changed, once everything that waits is done, and read what is new."""

        def seen(result: FoldersSeen) -> None:
            self._deliver(on_seen, result)
            if result.is_news:
                self._deliver(lambda _: self.process(), None)

        self._worker.submit(
            Job(
                "look at folders",
                Priority.BACKGROUND,  # never in the way: a question overtakes it, a pause stops it
                lambda job: _at_once(self._engine.look_at_folders),
                on_done=seen,
                on_error=self._failed,
            )
        )

    def ask(
        self, question: Question, on_step: Callable[[AskStep], None], on_answer: Callable[[Answer], None],
        on_error: Callable[[Exception], None],
    ) -> Job:  # fmt: skip
        """Answer a question before everything else; the callbacks run on the window's thread."""
        return self._worker.submit(
            Job(
                "ask",
                Priority.QUESTION,
                lambda job: self._engine.ask(question, job.interrupted),
                on_news=lambda news: self._deliver(on_step, news) if isinstance(news, AskStep) else None,
                on_done=lambda answer: self._deliver(on_answer, answer),
                on_error=lambda error: self._deliver(on_error, error),
            )
        )

    def edit(
        self, name: str, act: Callable[[], Result], on_done: Callable[[Result], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
    ) -> None:  # fmt: skip
        """Run a short write; when it returns `Changes`, the views are told."""
        self._submit(name, Priority.EDIT, act, on_done, on_error)

    def look_up(
        self, name: str, act: Callable[[], Result], on_done: Callable[[Result], None],
        on_error: Callable[[Exception], None] | None = None,
    ) -> Job:  # fmt: skip
        """Run a read that is too slow for the window's thread."""
        return self._submit(name, Priority.QUESTION, act, on_done, on_error)

    def run(self, name: str, start: Callable[[Job], Steps], on_done: Callable[[object], None]) -> Job:
        """Run long work the person asked for (an import, a download) with its progress shown."""
        return self._worker.submit(
            Job(
                name,
                Priority.ASKED_FOR,
                start,
                on_news=self._tell_progress,
                on_done=lambda result: self._deliver(on_done, result),
                on_error=self._failed,
            )
        )

    def _submit(
        self, name: str, priority: Priority, act: Callable[[], Result], on_done: Callable[[Result], None] | None,
        on_error: Callable[[Exception], None] | None,
    ) -> Job:  # fmt: skip
        def finished(result: Result) -> None:
            if isinstance(result, Changes):
                self.signals.changed.emit(result)
                self._deliver(lambda _: self.process(afresh=False), None)  # what was derived from it is due again
            if on_done is not None:
                self._deliver(on_done, result)

        return self._worker.submit(
            Job(
                name,
                priority,
                lambda job: _at_once(act),
                on_done=finished,
                on_error=(lambda error: self._deliver(on_error, error)) if on_error else self._failed,
            )
        )

    def _tell_progress(self, news: News) -> None:
        now = time.monotonic()
        if isinstance(news, Progress) and (now - self._told_at > _PROGRESS_EVERY_S or news.done == news.total):
            self._told_at = now
            self.signals.progress.emit(news)
        elif isinstance(news, AskStep) and news.doing and now - self._told_at > _PROGRESS_EVERY_S:
            self._told_at = now
            self.signals.told.emit(news.doing)
        if now - self._refreshed_at > _REFRESH_EVERY_S:
            self._refreshed_at = now
            self.signals.changed.emit(Changes(memories=True))

    def _processed(self, result: Any) -> None:  # Any: `Processed` of a room that only the engine knows
        self.signals.changed.emit(Changes(memories=True, events=True, knowledge=True, roots=True))
        self.signals.idle.emit()
        for trouble in result.troubles:  # a model that does not load keeps its stage from running: the person must know
            self.signals.told.emit(str(trouble))

    def _failed(self, error: Exception) -> None:
        self.signals.failed.emit(error)

    def _deliver(self, callback: Callable[[Result], None], value: Result) -> None:
        self.signals.deliver.emit(callback, value)


def _call(callback: Callable[[object], None], value: object) -> None:
    callback(value)


def _at_once(act: Callable[[], Result]) -> Generator[News, None, Result]:
    """A job of a single step."""
    yield from ()
    return act()
