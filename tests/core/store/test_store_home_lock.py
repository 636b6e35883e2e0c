"""Does only one Madeleine at a time get a home, and does a dead one leave it free?"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import StoreError, StoreLockedError
from core.paths import Home
from core.store import home_place
from core.store.home_lock import HomeLock
from core.store.home_place import doubts, is_shared

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

        assert (tmp_path / "lock").read_text().splitlines()[0] == str(os.getpid())
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

    assert (tmp_path / "lock").read_text().splitlines()[0] == str(os.getpid())
    second.release()
    assert (tmp_path / "lock").read_text() == ""


def test_a_home_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StoreError, match="cannot be opened"):
        HomeLock(tmp_path / "file" / "lock").acquire()


def _left_by(path: Path, computer: str, minutes_ago: float) -> None:
    """The file of a Madeleine on another computer that did not close, as a shared folder shows it."""
    path.write_text(f"4711\n{computer}")
    then = time.time() - minutes_ago * 60
    os.utime(path, (then, then))


def test_a_library_that_another_computer_has_open_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    _left_by(path, "00aa studio-mac", minutes_ago=2)
    lock = HomeLock(path, is_shared=True, computer="00bb laptop")

    with pytest.raises(StoreLockedError, match=r"another computer \(studio-mac\)") as held:
        lock.acquire()

    assert "export" in held.value.hint
    assert path.read_text().endswith("studio-mac")  # their file stays theirs


def test_a_computer_that_gives_no_sign_of_life_has_let_go(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    _left_by(path, "00aa studio-mac", minutes_ago=11)
    lock = HomeLock(path, is_shared=True, computer="00bb laptop")

    lock.acquire()

    assert path.read_text() == f"{os.getpid()}\n00bb laptop"
    lock.release()


def test_on_a_disk_of_this_computer_what_another_one_left_does_not_matter(tmp_path: Path) -> None:
    _left_by(tmp_path / "lock", "00aa studio-mac", minutes_ago=1)  # an external disk, pulled out there
    lock = HomeLock(tmp_path / "lock", computer="00bb laptop")

    lock.acquire()
    lock.release()


def test_our_own_file_from_a_crash_on_a_shared_folder_is_taken_at_once(tmp_path: Path) -> None:
    _left_by(tmp_path / "lock", "00bb laptop", minutes_ago=0)
    lock = HomeLock(tmp_path / "lock", is_shared=True, computer="00bb laptop")

    lock.acquire()
    lock.release()
    other = HomeLock(tmp_path / "lock", is_shared=True, computer="00aa studio-mac")
    other.acquire()  # closed properly: nobody has it
    other.release()


@pytest.mark.parametrize(
    ("folder", "service"),
    [("Dropbox", "Dropbox"), ("OneDrive - Contoso", "OneDrive"), ("Google Drive", "Google Drive"), ("Mobile Documents", "iCloud"),
     ("Nextcloud", "Nextcloud"), ("Dropboxes", ""), ("photos", "")],
)  # fmt: skip
def test_a_home_in_a_folder_that_a_service_copies_is_told(tmp_path: Path, folder: str, service: str) -> None:
    home = Home(tmp_path / folder / "madeleine")

    said = doubts(home)

    assert is_shared(home) == bool(service)
    assert [service in each for each in said] == ([True] if service else [])


def test_a_home_in_a_folder_of_syncthing_is_told(tmp_path: Path) -> None:
    (tmp_path / "shared" / ".stfolder").mkdir(parents=True)

    assert "Syncthing" in doubts(Home(tmp_path / "shared" / "library"))[0]


def test_a_home_on_a_drive_of_another_computer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_place, "is_on_network", lambda place: True)

    assert "drive of another computer" in doubts(Home(tmp_path))[0]
    assert is_shared(Home(tmp_path))


def test_a_lock_from_the_future_says_how_to_get_out(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    _left_by(path, "00aa studio-mac", minutes_ago=-60 * 24)  # a clock was set back

    with pytest.raises(StoreLockedError) as held:
        HomeLock(path, is_shared=True, computer="00bb laptop").acquire()

    assert "delete lock in it once it is open nowhere" in held.value.hint
