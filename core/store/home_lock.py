"""Lets only one Madeleine at a time use a home, on this computer and, where a folder is shared, on all.

The lock of the operating system holds on one computer. On a drive of another computer, or in a folder that a service copies between
computers, it often does not reach the others: there the file also says who holds it, and its time shows that they still do.
"""

import os
import platform
import sys
import threading
import time
import uuid
from pathlib import Path

from core.errors import StoreError, StoreLockedError
from core.text_keys import printable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LOCKED_BYTE = 1_024  # behind the text: Windows lets nobody read a locked byte
_ALIVE_EVERY_S = 60.0
_ALIVE_FOR_S = 600.0
"""After how long without a sign of life the other computer is taken to have let go: it crashed, or lost the connection."""


class HomeLock:
    """A lock of the operating system on one file, which also tells who holds it. It ends with its process, however that ends."""

    def __init__(self, path: Path, *, is_shared: bool = False, computer: str = "") -> None:
        """A lock on a file.

        Args:
            path: the file.
            is_shared: whether other computers may see the file while the lock of this system does not reach them.
            computer: what tells this computer from others; empty: found out.
        """
        self._path = path
        self._is_shared = is_shared
        self._computer = computer or _this_computer()
        self._descriptor: int | None = None
        self._released = threading.Event()
        self._pulse: threading.Thread | None = None

    def acquire(self) -> None:
        """Take the lock.

        Raises:
            StoreLockedError: another Madeleine has the home; the message names its process, or its computer.
            StoreError: the file cannot be written, or its file system knows no locks.
        """
        if self._descriptor is not None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise _unusable(self._path, error) from error
        try:
            _lock(descriptor)
        except (BlockingIOError, PermissionError) as error:
            pid, computer = _holder(descriptor)
            os.close(descriptor)
            raise self._held(pid, computer) from error
        except OSError as error:
            os.close(descriptor)
            raise _unusable(self._path, error) from error
        pid, computer = _holder(descriptor)
        is_alive = time.time() - os.fstat(descriptor).st_mtime < _ALIVE_FOR_S
        if self._is_shared and computer and computer != self._computer and is_alive:
            os.close(descriptor)
            raise self._held(pid, computer)
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, f"{os.getpid()}\n{self._computer}".encode())
        self._descriptor = descriptor
        if self._is_shared:
            self._released.clear()
            self._pulse = threading.Thread(target=self._stay_alive, name="madeleine-home-lock", daemon=True)
            self._pulse.start()

    def release(self) -> None:
        """Give the lock back; safe to call twice. The file stays: removing it could remove another's lock."""
        descriptor, self._descriptor = self._descriptor, None
        self._released.set()
        if self._pulse is not None:
            self._pulse.join()
            self._pulse = None
        if descriptor is not None:
            os.ftruncate(descriptor, 0)
            os.close(descriptor)

    def _stay_alive(self) -> None:
        """Give the file a new time now and then, for computers that see nothing else of us."""
        while not self._released.wait(_ALIVE_EVERY_S):
            try:
                os.utime(self._path)
            except OSError:
                continue  # the connection is gone for a while; the other computers see that

    def _held(self, pid: str, computer: str) -> StoreLockedError:
        place = printable(str(self._path.parent))
        if computer and computer != self._computer:
            name = printable(computer.partition(" ")[2])
            return StoreLockedError(
                f"The library in {place} is open on another computer ({name}), or was until a moment ago.",
                "Close Madeleine there and wait until the folder has been copied. If that computer crashed, try again in ten minutes "
                f"(where a clock was set back, delete {self._path.name} in it once it is open nowhere). "
                "Better: keep a library on one computer only; `madeleine export` and `import` take it to another.",
                retryable=True,
            )
        who = f" (process {pid})" if pid else ""
        return StoreLockedError(
            f"Another Madeleine{who} has the library in {place} open.",
            "Close its window or end that process, or choose another library with --home.",
            retryable=True,
        )


def _this_computer() -> str:
    """What tells this computer from others: the address of its network card where it has one, and its name."""
    node = uuid.getnode()
    is_made_up = bool(node >> 40 & 1)  # another one in each process
    return f"{'-' if is_made_up else f'{node:012x}'} {platform.node() or 'unnamed'}"


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(descriptor: int) -> tuple[str, str]:
    """(process, computer) of who wrote the file last; empty where it does not say."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    pid, _, computer = os.read(descriptor, 512).decode("utf-8", "replace").strip().partition("\n")
    return (pid if pid.isdigit() else ""), computer.strip()


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"The library in {path.parent} cannot be opened ({error.strerror}).",
        "Check that the folder may be written to and lies on a local disk.",
    )
