"""Notices that something was added, removed or renamed in the roots, by the times of their folders; reads no file.

Looking is cheap (one `stat` a folder) and needs no service of the system, none of which works everywhere or for twenty thousand
folders. A file that is overwritten in place changes no folder; the next scan finds it.
"""

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.capture.exclusions import is_junk_folder, is_package
from core.capture.volumes import is_on_network
from core.records import FoldersSeen

_MOST_FOLDERS = 50_000
_LOOK_EVERY_S = 10.0
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
        is_far: which roots are not watched: looking at a drive of another computer can take minutes when it is gone.
    """

    def __init__(
        self, roots: Callable[[], Iterable[str]], leave_out: str, is_far: Callable[[str], bool] = is_on_network
    ) -> None:
        self._roots = roots
        self._leave_out = leave_out
        self._is_far = is_far
        self._known: dict[str, dict[str, _Folder]] | None = None
        self._changing = 0

    def look(self) -> FoldersSeen:
        """Look once. It is time to scan when something changed and then stood still for a look (a copy may take minutes)."""
        began = time.monotonic()
        before, self._known = self._known, self._look()
        changed = before is not None and any(
            self._known[root] != before[root] for root in self._known if root in before
        )
        if changed:
            self._changing += 1
        is_news = self._changing > 0 and (not changed or self._changing >= _PATIENCE)
        if is_news:
            self._changing = 0
        return FoldersSeen(is_news, max(_LOOK_EVERY_S, (time.monotonic() - began) / _SHARE))

    def _look(self) -> dict[str, dict[str, _Folder]]:
        roots = list(self._roots())
        known = self._known or {}
        return {root: self._folders(root, {*roots, self._leave_out} - {root}, known.get(root, {}))
                for root in roots if not self._is_far(root)}  # fmt: skip

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


def _inner(path: str) -> tuple[str, ...]:
    with os.scandir(path) as entries:
        return tuple(
            sorted(
                entry.path
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and not is_junk_folder(entry.name) and not is_package(entry.name)
            )
        )
