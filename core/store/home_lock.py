"""Lets only one Madeleine at a time use a home."""

import os
import sys
from pathlib import Path

from core.errors import StoreError, StoreLockedError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LOCKED_BYTE = 1_024  # behind the text: Windows lets nobody read a locked byte


class HomeLock:
    """A lock of the operating system on one file, which also tells who holds it. It ends with its process, however that ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock.

        Raises:
            StoreLockedError: another Madeleine has the home; the message names its process.
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
            holder = _holder(descriptor)
            os.close(descriptor)
            raise _held(self._path, holder) from error
        except OSError as error:
            os.close(descriptor)
            raise _unusable(self._path, error) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back; safe to call twice. The file stays: removing it could remove another's lock."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.ftruncate(descriptor, 0)
            os.close(descriptor)


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    text = os.read(descriptor, 32).decode("ascii", "replace").strip()
    return text if text.isdigit() else ""


def _held(path: Path, holder: str) -> StoreLockedError:
    who = f" (process {holder})" if holder else ""
    return StoreLockedError(
        f"Another Madeleine{who} has the library in {path.parent} open.",
        "Close its window or end that process, or choose another library with --home.",
        retryable=True,
    )


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"The library in {path.parent} cannot be opened ({error.strerror}).",
        "Check that the folder may be written to and lies on a local disk.",
    )
