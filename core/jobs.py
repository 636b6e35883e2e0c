"""One background thread that drives everything: generator jobs by priority, with pause, cancel and progress.

The thread advances one job by one step at a time, so a question overtakes a running scan at its next yield and the scan goes
on afterwards. Only this thread writes to the store while the window is open.
"""

import heapq
import itertools
import logging
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from core.errors import AppError, JobCancelled
from core.records import AskStep, Progress

log = logging.getLogger(__name__)

News = Progress | AskStep
Steps = Generator[News, None, Any]  # what a job returns is its own business


class Priority(IntEnum):
    """Smaller runs first."""

    EDIT = 0
    QUESTION = 1
    ASKED_FOR = 5
    BACKGROUND = 9


@dataclass(slots=True)
class Job:
    """Work written as a generator: it yields news often, and its return value is its result.

    The callbacks run on the worker's thread. Exactly one of `on_done` and `on_error` is called, or neither when cancelled.
    """

    name: str
    priority: Priority
    start: Callable[["Job"], Steps]
    on_news: Callable[[News], None] = lambda news: None
    on_done: Callable[[Any], None] = lambda result: None
    on_error: Callable[[Exception], None] = lambda error: None
    cancelled: threading.Event = field(default_factory=threading.Event)
    worker: "Worker | None" = None
    steps: Steps | None = None

    def cancel(self) -> None:
        """Stop at the next yield, or inside a model call that asks `interrupted`."""
        self.cancelled.set()
        if self.worker is not None:
            self.worker.wake()

    def interrupted(self) -> bool:
        """Whether the step in hand should stop: cancelled, paused, or something more urgent waits."""
        return self.cancelled.is_set() or (self.worker is not None and self.worker.wants_to_leave(self))


class Worker:
    """The background thread. Start it once; `stop` waits for the step in hand."""

    def __init__(self) -> None:
        self._order = itertools.count()
        self._waiting: list[tuple[int, int, Job]] = []
        self._news = threading.Condition()
        self._stopping = False
        self._paused = False
        self._thread = threading.Thread(target=self._run, name="madeleine-worker", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def stop(self, timeout_s: float = 30.0) -> None:
        """End after the step in hand; what waits is dropped (jobs resume from the store at the next start)."""
        with self._news:
            self._stopping = True
            self._news.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def submit(self, job: Job) -> Job:
        """Queue a job; jobs of equal priority run in the order given."""
        with self._news:
            job.worker = self
            heapq.heappush(self._waiting, (job.priority, next(self._order), job))
            self._news.notify_all()
        return job

    def wake(self) -> None:
        """Look again at what waits."""
        with self._news:
            self._news.notify_all()

    @property
    def paused(self) -> bool:
        """Whether background jobs stand still; questions and edits still run."""
        return self._paused

    def pause(self, paused: bool) -> None:
        """Stop or resume background jobs."""
        with self._news:
            self._paused = paused
            self._news.notify_all()

    def wants_to_leave(self, job: Job) -> bool:
        """Whether a job should give way now."""
        if self._stopping or (self._paused and job.priority is Priority.BACKGROUND):
            return True
        waiting = self._waiting
        return bool(waiting) and waiting[0][0] < job.priority

    def _next(self) -> tuple[int, int, Job] | None:
        """The most urgent job that may run; None when stopping. Waits while there is none."""
        with self._news:
            while not self._stopping:
                for entry in sorted(self._waiting):
                    if not (self._paused and entry[2].priority is Priority.BACKGROUND) or entry[2].cancelled.is_set():
                        self._waiting.remove(entry)
                        heapq.heapify(self._waiting)
                        return entry
                self._news.wait()
            return None

    def _run(self) -> None:
        while (entry := self._next()) is not None:
            if self._step(entry[2]):
                with self._news:
                    heapq.heappush(self._waiting, entry)
        for _, _, job in self._waiting:
            _close(job)

    def _step(self, job: Job) -> bool:
        """Advance a job by one step; False when it has ended. The one place where any exception of a job is caught."""
        try:
            if job.cancelled.is_set():
                _close(job)
                return False
            if job.steps is None:
                job.steps = job.start(job)
            job.on_news(next(job.steps))
        except StopIteration as end:
            _tell(job, job.on_done, end.value)
            return False
        except JobCancelled:
            return self._resume_later(job)
        except AppError as error:
            _tell(job, job.on_error, error)
            return False
        except Exception as error:  # the job boundary: a bug in one job must not end the thread
            log.exception("job %s failed", job.name)
            _tell(job, job.on_error, error)
            return False
        return True

    def _resume_later(self, job: Job) -> bool:
        """A job that gave way starts anew from what it stored; a cancelled one is over."""
        job.steps = None
        return not job.cancelled.is_set()


def _close(job: Job) -> None:
    if job.steps is not None:
        job.steps.close()


def _tell(job: Job, callback: Callable[[Any], None], value: object) -> None:
    """Hand over how a job ended; what it held is let go first."""
    try:
        _close(job)
        callback(value)
    except Exception:  # still the job boundary: the callback is the caller's code, the thread is everyone's
        log.exception("what follows job %s failed", job.name)


def run_to_end(steps: Steps, on_news: Callable[[News], None] = lambda news: None) -> Any:  # the job's own result
    """Drive a job in the calling thread (command line, tests) and return its result."""
    while True:
        try:
            news = next(steps)
        except StopIteration as end:
            return end.value
        on_news(news)
