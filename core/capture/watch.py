"""Notices that something was added, removed or renamed in the roots, by the times of their folders; reads no file.

Looking is cheap (one `stat` a folder) and needs no service of the system, none of which works everywhere, on the drives of other
computers or for twenty thousand folders. A file that is overwritten in place changes no folder: the scan that is due now and then
finds it. A drive of another computer is looked at more rarely, by a thread of its own: when it is gone, one look can take minutes.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.capture.exclusions import is_junk_folder, is_package
from core.records import FoldersSeen
from core.volumes import is_on_network

_MOST_FOLDERS = 50_000
_LOOK_EVERY_S = 10.0
_LOOK_FAR_EVERY_S = 120.0
_SCAN_EVERY_S = 600.0
_SCAN_SHARE = 300.0
"""A scan costs some times a look: how many looks must fit between two scans that nothing gave reason for."""
_SHARE = 0.01
"""Of the time that passes, how much looking may take."""
_SETTLED_S = 3.0  # a coarser clock than this is on no disk: until then two changes may have the same time
_PATIENCE = 6
"""How many looks a folder may go on changing before what is there is read anyway."""


@dataclass(frozen=True, slots=True)
class _Folder:
    """`stamp` is its time of change in nanoseconds, -1 while that is too fresh to be trusted."""

    stamp: int
    inner: tuple[str, ...] = ()


class FolderWatch:
    """Watches the folders of a library. The first look only remembers.

    Args:
        roots: the roots at this moment.
        leave_out: a folder whose changes are our own.
        is_far: which roots lie on a drive of another computer.
        with_far: whether these are watched.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        roots: Callable[[], Iterable[str]],
        leave_out: str,
        is_far: Callable[[str], bool] = is_on_network,
        *,
        with_far: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._roots = roots
        self._leave_out = leave_out
        self._is_far = is_far
        self._with_far = with_far
        self._clock = clock
        self._far: dict[str, _FarLook] = {}
        self._known: dict[str, dict[str, _Folder]] | None = None
        self._changing = 0
        self._scan_due_at = clock() + _SCAN_EVERY_S

    def look(self) -> FoldersSeen:
        """Look once. It is time to scan when something changed and then stood still for a look (a copy may take minutes).

        It is so too when the last scan was long ago.
        """
        began = self._clock()
        before, self._known = self._known, self._look()
        changed = before is not None and any(
            self._known[root] != before[root] for root in self._known if root in before
        )
        if changed:
            self._changing += 1
        is_news = self._changing > 0 and (not changed or self._changing >= _PATIENCE)
        took_s = self._clock() - began
        if is_news or self._clock() >= self._scan_due_at:
            is_news, self._changing = True, 0
            self._scan_due_at = self._clock() + max(_SCAN_EVERY_S, took_s * _SCAN_SHARE)
        return FoldersSeen(is_news, max(_LOOK_EVERY_S, took_s / _SHARE))

    def _look(self) -> dict[str, dict[str, _Folder]]:
        roots = list(self._roots())
        known = self._known or {}
        found: dict[str, dict[str, _Folder]] = {}
        for root in roots:
            leave_out = {*roots, self._leave_out} - {root}
            if not self._is_far(root):
                found[root] = self._folders(root, leave_out, known.get(root, {}))
            elif self._with_far():
                folders = self._look_far(root, leave_out, known.get(root, {}))
                if folders is not None:
                    found[root] = folders
        return found

    def _look_far(self, root: str, leave_out: set[str], before: dict[str, _Folder]) -> dict[str, _Folder] | None:
        """What the last look that came to an end saw; None before the first. Begins another when it is time."""
        look = self._far.setdefault(root, _FarLook())
        if look.is_free and self._clock() >= look.due_at:
            look.due_at = self._clock() + _LOOK_FAR_EVERY_S
            look.begin(lambda: self._folders(root, leave_out, look.seen if look.seen is not None else before))
        return look.seen

    def _folders(self, root: str, leave_out: set[str], before: dict[str, _Folder]) -> dict[str, _Folder]:
        """Every folder of a root; a root that is gone has none."""
        found: dict[str, _Folder] = {}
        waiting = [root]
        now_ns = time.time_ns()
        while waiting and len(found) < _MOST_FOLDERS:
            path = waiting.pop()
            try:
                modified_ns = os.stat(path, follow_symlinks=False).st_mtime_ns
                known = before.get(path)
                is_same = known is not None and known.stamp == modified_ns
                inner = known.inner if known is not None and is_same else _inner(path)
            except OSError:
                continue
            is_settled = not 0 <= now_ns - modified_ns < _SETTLED_S * 1e9
            found[path] = _Folder(modified_ns if is_settled else -1, inner)
            waiting.extend(each for each in inner if each not in leave_out)
        return found


class _FarLook:
    """A look that may hang, on a thread that nobody waits for."""

    def __init__(self) -> None:
        self.seen: dict[str, _Folder] | None = None
        self.due_at = 0.0
        self._thread: threading.Thread | None = None

    @property
    def is_free(self) -> bool:
        """Whether no look is under way."""
        return self._thread is None or not self._thread.is_alive()

    def begin(self, look: Callable[[], dict[str, _Folder]]) -> None:
        """Look in the background."""

        def run() -> None:
            self.seen = look()

        self._thread = threading.Thread(target=run, name="madeleine-far-look", daemon=True)
        self._thread.start()


def _inner(path: str) -> tuple[str, ...]:
    with os.scandir(path) as entries:
        return tuple(
            sorted(
                entry.path
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and not is_junk_folder(entry.name) and not is_package(entry.name)
            )
        )
