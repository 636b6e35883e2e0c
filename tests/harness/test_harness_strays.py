"""Are threads and child processes that a test leaves behind named?"""

import subprocess
import sys
import threading

import pytest

from tests.harness import strays


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strays, "_GRACE_S", 0.1)


def test_a_thread_that_goes_on_is_named() -> None:
    before = strays.started()
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="forgotten", daemon=True)
    thread.start()

    names = strays.left_behind(before)
    end.set()
    thread.join()

    assert names == ["thread 'forgotten' (Thread)"]


@pytest.mark.skipif(sys.platform != "linux", reason="children are listed from /proc")
def test_a_child_process_that_goes_on_is_named_and_ended() -> None:
    before = strays.started()
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)  # forgotten"])

    names = strays.left_behind(before)

    assert len(names) == 1
    assert f"child process {child.pid}" in names[0]
    assert child.wait(timeout=10) != 0


def test_what_has_ended_is_not_named() -> None:
    before = strays.started()
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    subprocess.run([sys.executable, "-c", ""], check=True)

    assert strays.left_behind(before) == []
