"""Does the program outlive a child process that crashes, hangs or goes on when it should not?"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.child import ChildDiedError, ChildProcess, ChildSpec
from core.errors import JobCancelled, ModelCrashedError, ModelTimedOutError, ModelUnreadableError, PhotoUnreadableError
from tests.harness.logs import ExpectedLog

SERVICES = "tests.core.child_services"
QUICK_S = 60.0


@pytest.fixture
def child(tmp_path: Path) -> Iterator[ChildProcess]:
    process = ChildProcess(ChildSpec("helper", f"{SERVICES}:service", (str(tmp_path),), {"OF_THE_CHILD": "yes"}))
    yield process
    process.close()


def test_a_call_is_answered_by_another_process_which_stays(child: ChildProcess) -> None:
    assert child.pid is None
    assert child.call("add", 2, 3, timeout_s=QUICK_S) == 5

    pid = child.call("pid", timeout_s=QUICK_S)
    assert pid == child.pid != os.getpid()


def test_an_abort_is_told_and_the_next_call_starts_anew(child: ChildProcess) -> None:
    with pytest.raises(ChildDiedError) as death:
        child.call("abort", timeout_s=QUICK_S)

    assert death.value.exit_code == -signal.SIGABRT
    assert child.pid is None
    assert child.call("add", 1, 1, timeout_s=QUICK_S) == 2


def test_an_abort_is_answered_with_one_more_try(child: ChildProcess, expected_log: ExpectedLog) -> None:
    expected_log(r"helper died on abort_once .*attempt 1", logger="core.child")

    assert child.call_surviving("abort_once", timeout_s=QUICK_S) == "survived"


def test_two_aborts_on_the_same_item_are_enough(child: ChildProcess, tmp_path: Path, expected_log: ExpectedLog) -> None:
    expected_log(r"helper died on abort", logger="core.child")

    with pytest.raises(ModelCrashedError, match="stopped unexpectedly twice") as crash:
        child.call_surviving("abort", timeout_s=QUICK_S)

    assert "Problems" in crash.value.hint
    assert (tmp_path / "started").read_text() == "xx"


def test_a_bug_in_the_service_ends_only_the_child(child: ChildProcess) -> None:
    with pytest.raises(ChildDiedError):
        child.call("fail", timeout_s=QUICK_S)

    assert child.call("add", 1, 1, timeout_s=QUICK_S) == 2


def test_a_child_that_hangs_is_ended_in_time(child: ChildProcess) -> None:
    child.call("add", 1, 1, timeout_s=QUICK_S)
    began = time.monotonic()

    with pytest.raises(ModelTimedOutError, match="did not finish hang"):
        child.call("hang", timeout_s=0.3)

    assert time.monotonic() - began < 5
    assert child.pid is None
    assert child.call("add", 1, 1, timeout_s=QUICK_S) == 2


def test_an_expected_error_comes_back_as_it_was_raised_and_the_child_stays(child: ChildProcess) -> None:
    pid = child.call("pid", timeout_s=QUICK_S)

    with pytest.raises(PhotoUnreadableError) as refusal:
        child.call("refuse", timeout_s=QUICK_S)

    assert (refusal.value.message, refusal.value.hint, refusal.value.retryable) == (
        "x.jpg cannot be decoded.",
        "Look at it.",
        True,
    )
    assert child.call("pid", timeout_s=QUICK_S) == pid


def test_parts_come_in_order_before_the_result(child: ChildProcess) -> None:
    parts: list[int] = []

    assert child.call("talk", 50, timeout_s=QUICK_S, on_part=parts.append) == "end"
    assert parts == list(range(50))
    assert child.call("talk", 3, timeout_s=QUICK_S) == "end"  # nobody listens, nothing is left over
    assert child.call("add", 1, 1, timeout_s=QUICK_S) == 2


def test_an_interrupted_call_stops_at_once_and_the_child_stays(child: ChildProcess) -> None:
    pid = child.call("pid", timeout_s=QUICK_S)
    parts: list[int] = []

    with pytest.raises(JobCancelled):
        child.call(
            "count_until_interrupted", timeout_s=QUICK_S, on_part=parts.append, interrupted=lambda: len(parts) >= 3
        )

    assert 3 <= len(parts) < 100
    assert child.call("pid", timeout_s=QUICK_S) == pid
    assert child.call("talk", 2, timeout_s=QUICK_S) == "end"  # the interruption is over


def test_a_child_that_does_not_listen_is_ended(child: ChildProcess) -> None:
    child.call("add", 1, 1, timeout_s=QUICK_S)

    with pytest.raises(JobCancelled):
        child.call("hang", timeout_s=QUICK_S, interrupted=lambda: True)

    assert child.pid is None


def test_what_the_child_prints_neither_blocks_it_nor_is_seen(
    child: ChildProcess, capfd: pytest.CaptureFixture[str]
) -> None:
    assert child.call("print_a_lot", timeout_s=QUICK_S) == "yes"

    assert capfd.readouterr() == ("", "")


def test_the_childs_output_goes_to_its_log_file(tmp_path: Path) -> None:
    child = ChildProcess(
        ChildSpec(
            "helper", f"{SERVICES}:service", (str(tmp_path),), {"OF_THE_CHILD": "yes"}, log_file=tmp_path / "log.txt"
        )
    )
    child.call("print_a_lot", timeout_s=QUICK_S)
    child.close()

    assert (tmp_path / "log.txt").read_text().count("prompt\n") == 200_000


def test_the_child_cannot_reach_the_network(child: ChildProcess) -> None:
    assert child.call("connect", timeout_s=QUICK_S) == "NetworkForbiddenError"


def test_a_child_is_replaced_after_its_number_of_calls(tmp_path: Path) -> None:
    child = ChildProcess(ChildSpec("helper", f"{SERVICES}:service", (str(tmp_path),), recycle_after=2))
    pids = [child.call("pid", timeout_s=QUICK_S) for _ in range(4)]
    child.close()

    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_a_service_that_cannot_be_built_says_why_each_time() -> None:
    child = ChildProcess(ChildSpec("model", f"{SERVICES}:unreadable"))

    for _ in range(2):
        with pytest.raises(ModelUnreadableError, match=r"model\.gguf cannot be read"):
            child.call("add", 1, 1, timeout_s=QUICK_S)
        assert child.pid is None
    child.close()


def test_a_service_that_dies_while_it_is_built_is_a_death(expected_log: ExpectedLog) -> None:
    expected_log("model died on add", logger="core.child")
    child = ChildProcess(ChildSpec("model", f"{SERVICES}:dies_at_start"))

    with pytest.raises(ModelCrashedError):
        child.call_surviving("add", 1, 1, timeout_s=QUICK_S)
    child.close()


def test_closing_twice_is_closing_once(child: ChildProcess) -> None:
    child.call("add", 1, 1, timeout_s=QUICK_S)
    child.close()
    child.close()

    assert child.pid is None


PARENT = """
import sys, time
from core.child import ChildProcess, ChildSpec
if __name__ == "__main__":
    child = ChildProcess(ChildSpec("helper", "tests.core.child_services:service", (sys.argv[1],)))
    print(child.call("pid", timeout_s=60), flush=True)
    child.call("hang", timeout_s=600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    root = Path(__file__).resolve().parents[2]
    parent = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()

    deadline = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
