"""Does only one Madeleine at a time get a home, and does a dead one leave it free?"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import StoreError, StoreLockedError
from core.store.home_lock import HomeLock

HOLDER = """
import sys
from pathlib import Path
from core.store.home_lock import HomeLock
HomeLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_elsewhere(path: Path) -> Iterator[subprocess.Popen[str]]:
    root = Path(__file__).resolve().parents[3]
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    assert holder.stdout.readline() == "held\n"
    try:
        yield holder
    finally:
        holder.stdin.close()
        holder.wait()
        holder.stdout.close()


def test_a_second_madeleine_is_told_who_has_the_library(tmp_path: Path) -> None:
    with held_elsewhere(tmp_path / "home" / "lock") as holder:
        with pytest.raises(StoreLockedError, match=rf"process {holder.pid}\) has the library") as held:
            HomeLock(tmp_path / "home" / "lock").acquire()

        assert str(tmp_path / "home") in held.value.message
        assert "--home" in held.value.hint


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_the_lock_of_a_killed_madeleine_is_free(tmp_path: Path) -> None:
    with held_elsewhere(tmp_path / "lock") as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        lock = HomeLock(tmp_path / "lock")
        lock.acquire()

        assert (tmp_path / "lock").read_text() == str(os.getpid())
        lock.release()


def test_a_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    first, second = HomeLock(tmp_path / "lock"), HomeLock(tmp_path / "lock")
    first.acquire()
    first.acquire()
    with pytest.raises(StoreLockedError):
        second.acquire()
    first.release()
    first.release()
    second.acquire()

    assert (tmp_path / "lock").read_text() == str(os.getpid())
    second.release()
    assert (tmp_path / "lock").read_text() == ""


def test_a_home_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StoreError, match="cannot be opened"):
        HomeLock(tmp_path / "file" / "lock").acquire()
