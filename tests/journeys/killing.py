"""Kills a running scan at random points, and counts from outside how often each file was really read and decoded.

Every process of the program notes each file it opens in the album and each thumbnail it finishes (an audit hook, so nothing of
the program takes part in the counting).
"""

import hashlib
import os
import random
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.journeys.program import Program, Ran, draw_photo

_WATCH = """
import os, sys
_log = os.open(os.environ["WORK_SEEN"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
_album = os.environ["ALBUM_WATCHED"]
_child = "--multiprocessing-fork" in sys.argv or "spawn_main" in " ".join(sys.orig_argv)
def _watch(event, args):
    if event == "open" and isinstance(args[0], str) and args[0].startswith(_album) and os.path.isfile(args[0]):
        os.write(_log, f"{'decoder' if _child else 'scan'} {os.path.basename(args[0])}\\n".encode())
    elif event == "os.rename" and str(args[0]).endswith(".part") and "thumbnails" in str(args[1]):
        os.write(_log, f"thumbnail {os.path.basename(args[1])}\\n".encode())
sys.addaudithook(_watch)
"""
_WAIT_S = 240.0


@dataclass
class Killed:
    """What a scan with kills did.

    Attributes:
        kills: how often it was killed, in the middle of its work.
        thumbnails_again: thumbnails that were finished more than once.
        files_again: files that were opened once more because a kill came before what was found in them was stored.
        titles: the corrections that were made between the kills, by memory id.
        finished: what the last run said, which nobody killed.
    """

    kills: int = 0
    thumbnails_again: int = 0
    files_again: int = 0
    titles: dict[str, str] = field(default_factory=dict)
    finished: Ran | None = None


class WatchedProgram(Program):
    """A program whose work on an album is noted in a file."""

    def __init__(self, home: Path, album: Path, watcher: Path) -> None:
        super().__init__(home)
        watcher.mkdir(parents=True)
        (watcher / "sitecustomize.py").write_text(_WATCH)
        self.seen = watcher / "seen"
        self.seen.touch()
        self.album = album
        self.environment = {
            **self.environment,
            "PYTHONPATH": os.pathsep.join([str(watcher), *filter(None, [os.environ.get("PYTHONPATH")]), os.getcwd()]),
            "WORK_SEEN": str(self.seen),
            "ALBUM_WATCHED": str(album),
        }

    def work_done(self) -> list[str]:
        """One line a piece of work, in order."""
        return self.seen.read_text().splitlines()


def scan_with_kills(program: WatchedProgram, photos: int, kills: int, seed: int) -> Killed:
    """Draw photos, read them up to their thumbnails, and kill that many times at random points; each photo's work is counted."""
    chance = random.Random(seed)  # noqa: S311 - which points are tried, not a secret
    for number in range(photos):
        draw_photo(
            program.album / f"IMG_{number:04}.jpg", number, f"2024:05:{1 + number % 28:02} 10:{number % 60:02}:00"
        )
    found = Killed()
    if (added := program.run("add", str(program.album))).code != 0:
        raise AssertionError(added.err)
    pieces_a_photo = 4  # read by the scan, opened for its headers, opened for its pixels, thumbnail finished
    for number in range(kills):
        at = len(program.work_done()) + chance.randint(1, max(2, pieces_a_photo * photos // (kills + 1)))
        found.kills += _run_and_kill(program, at, whole_group=number % 2 == 0)
        if number % 3 == 1:
            _correct(program, found.titles, f"Title {number}")
    found.finished = program.run("process", "--until", "thumbnails", "--json", timeout_s=_WAIT_S)
    _count(program, found)
    return found


def _run_and_kill(program: WatchedProgram, at: int, *, whole_group: bool) -> bool:
    """Start the scan, and kill it after so many pieces of work; False when it ended by itself first."""
    running = program.start("process", "--until", "thumbnails")
    try:
        end = time.monotonic() + _WAIT_S
        while running.poll() is None and len(program.work_done()) < at:
            if time.monotonic() > end:
                raise AssertionError("the scan stands still")
            time.sleep(0.002)
        was_running = running.poll() is None
        if whole_group:
            os.killpg(running.pid, signal.SIGKILL)
        else:
            running.kill()  # what it had started must end by itself
    except ProcessLookupError:
        was_running = False
    finally:
        _finish(running)
    return was_running


def _finish(running: subprocess.Popen[str]) -> None:
    running.communicate()
    deadline = time.monotonic() + 10
    while _has_group(running.pid):
        if time.monotonic() > deadline:
            raise AssertionError("a child outlived the program by ten seconds")
        time.sleep(0.01)


def _has_group(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _correct(program: Program, titles: dict[str, str], title: str) -> None:
    """Give the first memory without a title of ours one, as a person would between two runs."""
    listed = program.run("list", "-k", "1000", "--json").json
    fresh = next((each["id"] for each in listed if each["id"] not in titles), None)
    if fresh is not None and program.run("memory", "edit", fresh, "title", title).code == 0:
        titles[fresh] = title


def _count(program: WatchedProgram, found: Killed) -> None:
    """A photo is read once by the scan, and by a decoder once for its headers and once for its pixels."""
    work = Counter(program.work_done())
    names = {hashlib.sha256(path.read_bytes()).hexdigest(): path.name for path in program.album.iterdir()}
    for digest, name in names.items():
        thumbnails = work[f"thumbnail {digest}.jpg"]
        found.thumbnails_again += thumbnails - 1
        found.files_again += (work[f"scan {name}"] - 1) + (work[f"decoder {name}"] - 2)
