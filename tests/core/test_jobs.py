"""Does the one background thread do the urgent first, stop when told, and outlive every bug?"""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.errors import JobCancelled, PhotoError
from core.jobs import Job, Priority, Steps, Worker, run_to_end
from core.records import Progress, Stage
from tests.harness.logs import ExpectedLog

WAIT_S = 10.0


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.stop()


class Recorder:
    """Makes jobs and remembers what happened to them, in order."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.events: list[str] = []
        self.results: dict[str, object] = {}
        self._ended = threading.Condition()

    def job(self, name: str, priority: Priority, steps: Callable[[Job], Steps]) -> Job:
        return Job(
            name, priority, steps, on_news=lambda news: self.events.append(f"{name}:{getattr(news, 'item', '')}"),
            on_done=lambda result: self._end(name, result), on_error=lambda error: self._end(name, error),
        )  # fmt: skip

    def submit(self, name: str, priority: Priority, steps: Callable[[Job], Steps]) -> Job:
        return self.worker.submit(self.job(name, priority, steps))

    def wait(self, *names: str) -> None:
        with self._ended:
            assert self._ended.wait_for(lambda: all(name in self.results for name in names), WAIT_S), (
                names,
                self.results,
            )

    def _end(self, name: str, result: object) -> None:
        with self._ended:
            self.events.append(f"{name} ended")
            self.results[name] = result
            self._ended.notify_all()


@pytest.fixture
def recorder(worker: Worker) -> Recorder:
    return Recorder(worker)


def news(item: object) -> Progress:
    return Progress(Stage.SCAN, 0, 0, str(item))


def counting(count: int) -> Callable[[Job], Steps]:
    def steps(job: Job) -> Steps:
        for number in range(count):
            yield news(number)
        return count

    return steps


class Gate:
    """A job that stands still inside a step until it is opened."""

    def __init__(self, rounds: int = 3) -> None:
        self.reached, self.opened = threading.Event(), threading.Event()
        self._rounds = rounds

    def steps(self, job: Job) -> Steps:
        for number in range(self._rounds):
            if number == 1:
                self.reached.set()
                assert self.opened.wait(WAIT_S)
            yield news(number)


def test_a_jobs_news_and_result_arrive_in_order(worker: Worker, recorder: Recorder) -> None:
    recorder.submit("scan", Priority.BACKGROUND, counting(3))
    worker.start()
    recorder.wait("scan")

    assert recorder.events == ["scan:0", "scan:1", "scan:2", "scan ended"]
    assert recorder.results == {"scan": 3}


def test_the_most_urgent_runs_first_and_equals_in_the_order_given(worker: Worker, recorder: Recorder) -> None:
    for name, priority in (
        ("b1", Priority.BACKGROUND),
        ("q", Priority.QUESTION),
        ("b2", Priority.BACKGROUND),
        ("e", Priority.EDIT),
    ):
        recorder.submit(name, priority, counting(2))
    worker.start()
    recorder.wait("b2")

    assert [event for event in recorder.events if event.endswith("ended")] == [
        "e ended",
        "q ended",
        "b1 ended",
        "b2 ended",
    ]
    assert recorder.events.index("b1 ended") < recorder.events.index("b2:0")


def test_a_question_overtakes_a_running_scan_which_then_goes_on(worker: Worker, recorder: Recorder) -> None:
    gate = Gate()
    scan = recorder.submit("scan", Priority.BACKGROUND, gate.steps)
    worker.start()
    assert gate.reached.wait(WAIT_S)
    assert not scan.interrupted()
    recorder.submit("ask", Priority.QUESTION, counting(2))
    assert scan.interrupted()
    gate.opened.set()
    recorder.wait("scan", "ask")

    assert recorder.events == ["scan:0", "scan:1", "ask:0", "ask:1", "ask ended", "scan:2", "scan ended"]


def test_a_job_that_gives_way_inside_a_step_starts_anew_from_what_it_stored(worker: Worker, recorder: Recorder) -> None:
    stored: list[int] = []
    reached, asked = threading.Event(), threading.Event()

    def steps(job: Job) -> Steps:
        for number in range(len(stored), 3):
            if number == 1 and not asked.is_set():
                reached.set()
                assert asked.wait(WAIT_S)
                if job.interrupted():
                    raise JobCancelled
            stored.append(number)
            yield news(number)
        return list(stored)

    recorder.submit("caption", Priority.BACKGROUND, steps)
    worker.start()
    assert reached.wait(WAIT_S)
    recorder.submit("ask", Priority.QUESTION, counting(1))
    asked.set()
    recorder.wait("caption", "ask")

    assert recorder.results["caption"] == [0, 1, 2]
    assert recorder.events.index("ask ended") < recorder.events.index("caption:1")


def test_a_pause_holds_background_work_and_nothing_else(worker: Worker, recorder: Recorder) -> None:
    worker.pause(True)
    background = recorder.submit("scan", Priority.BACKGROUND, counting(1))
    worker.start()
    for name, priority in (("ask", Priority.QUESTION), ("edit", Priority.EDIT), ("import", Priority.ASKED_FOR)):
        recorder.submit(name, priority, counting(1))
    recorder.wait("ask", "edit", "import")
    assert worker.paused
    assert background.interrupted()
    assert "scan" not in recorder.results

    worker.pause(False)
    recorder.wait("scan")
    assert not background.interrupted()


def test_a_pause_stops_a_running_background_job_at_its_next_step(worker: Worker, recorder: Recorder) -> None:
    gate = Gate()
    recorder.submit("scan", Priority.BACKGROUND, gate.steps)
    worker.start()
    assert gate.reached.wait(WAIT_S)
    worker.pause(True)
    gate.opened.set()
    recorder.submit("ask", Priority.QUESTION, counting(1))
    recorder.wait("ask")
    assert "scan:2" not in recorder.events

    worker.pause(False)
    recorder.wait("scan")
    assert recorder.events[-2:] == ["scan:2", "scan ended"]


def test_a_cancelled_job_ends_in_silence_and_lets_go_of_what_it_held(worker: Worker, recorder: Recorder) -> None:
    gate, let_go = Gate(), threading.Event()

    def steps(job: Job) -> Steps:
        try:
            yield from gate.steps(job)
        finally:
            let_go.set()

    job = recorder.submit("scan", Priority.BACKGROUND, steps)
    worker.start()
    assert gate.reached.wait(WAIT_S)
    job.cancel()
    assert job.interrupted()
    gate.opened.set()
    recorder.submit("after", Priority.BACKGROUND, counting(1))
    recorder.wait("after")

    assert let_go.is_set()
    assert "scan" not in recorder.results


def test_a_job_cancelled_before_its_turn_never_starts(worker: Worker, recorder: Recorder) -> None:
    worker.pause(True)
    job = recorder.submit("scan", Priority.BACKGROUND, counting(1))
    job.cancel()
    worker.start()
    recorder.submit("ask", Priority.QUESTION, counting(1))
    recorder.wait("ask")

    assert recorder.events == ["ask:0", "ask ended"]


def test_a_model_call_that_was_cancelled_ends_its_cancelled_job(worker: Worker, recorder: Recorder) -> None:
    def steps(job: Job) -> Steps:
        yield news("model")
        job.cancel()
        raise JobCancelled

    recorder.submit("caption", Priority.BACKGROUND, steps)
    recorder.submit("after", Priority.BACKGROUND, counting(1))
    worker.start()
    recorder.wait("after")

    assert recorder.events == ["caption:model", "after:0", "after ended"]


def test_an_expected_failure_is_handed_over_and_not_logged(worker: Worker, recorder: Recorder) -> None:
    failure = PhotoError("x.jpg is broken.")

    def steps(job: Job) -> Steps:
        yield news("x")
        raise failure

    recorder.submit("scan", Priority.BACKGROUND, steps)
    recorder.submit("after", Priority.BACKGROUND, counting(1))
    worker.start()
    recorder.wait("after")

    assert recorder.results["scan"] is failure


@pytest.mark.parametrize("where", ["start", "steps", "on_news", "on_done", "on_error"])
def test_a_bug_anywhere_in_a_job_does_not_end_the_thread(
    worker: Worker, recorder: Recorder, expected_log: ExpectedLog, where: str
) -> None:
    expected_log("buggy failed", logger="core.jobs")
    let_go = threading.Event()

    def bug(*_: Any) -> None:
        raise ZeroDivisionError(where)

    def steps(job: Job) -> Steps:
        try:
            yield news(0)
            if where in ("steps", "on_error"):
                bug()
        finally:
            let_go.set()

    job = recorder.job("buggy", Priority.BACKGROUND, steps)
    if where == "start":
        job.start = bug  # type: ignore[assignment]
    elif where != "steps":
        setattr(job, where, bug)
    worker.submit(job)
    recorder.submit("after", Priority.BACKGROUND, counting(1))
    worker.start()
    recorder.wait("after")

    assert let_go.is_set() or where == "start"
    if where in ("start", "steps", "on_news"):
        assert isinstance(recorder.results["buggy"], ZeroDivisionError)


def test_stopping_waits_for_the_step_in_hand_and_drops_the_rest(worker: Worker, recorder: Recorder) -> None:
    gate, let_go = Gate(), threading.Event()

    def steps(job: Job) -> Steps:
        try:
            yield from gate.steps(job)
        finally:
            let_go.set()

    job = recorder.submit("scan", Priority.BACKGROUND, steps)
    recorder.submit("never", Priority.BACKGROUND, counting(1))
    worker.start()
    assert gate.reached.wait(WAIT_S)
    threading.Timer(0.1, gate.opened.set).start()
    worker.stop()

    assert recorder.events == ["scan:0", "scan:1"]
    assert let_go.is_set()
    assert job.interrupted()


def test_a_worker_that_never_started_can_be_stopped(worker: Worker, recorder: Recorder) -> None:
    recorder.submit("never", Priority.BACKGROUND, counting(1))
    worker.stop()

    assert recorder.events == []


def test_a_job_can_be_driven_without_a_worker() -> None:
    seen: list[str] = []
    job = Job("scan", Priority.BACKGROUND, counting(2))

    result = run_to_end(job.start(job), lambda each: seen.append(getattr(each, "item", "")))

    assert (result, seen) == (2, ["0", "1"])
    assert not job.interrupted()


def test_a_failure_reaches_whoever_drives_a_job() -> None:
    def steps() -> Steps:
        yield news(0)
        raise PhotoError("x.jpg is broken.")

    with pytest.raises(PhotoError):
        run_to_end(steps())
