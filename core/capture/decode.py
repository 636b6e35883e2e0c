"""Asks the decoding processes for facts, pixels and sound, and survives whatever a file does to them."""

import os
import queue
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from core.capture.facts import FileFacts, Picture, Preview
from core.capture.memory_cap import ram_bytes
from core.capture.note import Note
from core.child import ChildDiedError, ChildProcess, ChildSpec
from core.errors import AppError, ModelTimedOutError, PhotoTooLargeError, PhotoUnreadableError
from core.ports import Pixels

_BYTES_PER_PIXEL = 4
_MOST_PIXELS = 256_000_000
_FEWEST_PIXELS = 64_000_000
_BASE_BYTES = 1 << 30  # the libraries themselves, and the buffers of a video
_COPIES = 3  # as decoded, in another mode, turned
_RECYCLE_AFTER = 500
_MOST_PROCESSES = 8
_WORTH_A_PROCESS = 20
"""How many files make it worth while to start another process."""
_RAM_A_PROCESS = 2 << 30


@dataclass(frozen=True, slots=True)
class DecodeLimits:
    """What one file may cost.

    Attributes:
        pixels: of a picture or frame; above it the file is refused by its header.
        sound_s: how much of a long recording is listened to.
        memory_bytes: of the decoding process; 0 leaves it without limit.
    """

    pixels: int
    sound_s: float = 20 * 60.0
    memory_bytes: int = 0


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds that one call may take."""

    facts_s: float = 30.0
    picture_s: float = 60.0
    sound_s: float = 180.0
    notes_s: float = 120.0


class Decoder:
    """Decoding processes, each started when it is needed and replaced every 500 files (libraries leak) or when it dies.

    Args:
        processes: how many may work at the same time. With more than one, `begin_preview` works ahead.
    """

    def __init__(
        self,
        log_file: Path | None = None,
        *,
        times: TimeLimits | None = None,
        factory: str = "core.capture.decode_worker:start",
        processes: int = 1,
    ) -> None:
        self._times = times or TimeLimits()
        self.processes = processes
        spec = ChildSpec("decoder", factory, (limits_here(),), recycle_after=_RECYCLE_AFTER, log_file=log_file)
        self._children = [ChildProcess(spec) for _ in range(processes)]
        self._free: queue.LifoQueue[ChildProcess] = queue.LifoQueue()  # the warm ones first
        for child in reversed(self._children):
            self._free.put(child)
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="decoding")
        self._has_begun = False
        self._begun: dict[str, Future[Preview]] = {}
        self._closing = threading.Event()

    def begin(self, files: int) -> None:
        """Start the processes that so many files will keep busy, while the caller does something else."""
        if self.processes > 1 and not self._has_begun:
            self._has_begun = True
            for child in self._children[: 1 + files // _WORTH_A_PROCESS]:
                self._threads.submit(self._warm, child)

    def _warm(self, child: ChildProcess) -> None:
        with suppress(ChildDiedError, AppError):  # the first file that needs it meets the same, and says so
            child.start()

    def facts(self, path: str) -> FileFacts:
        """What the file says about itself; no pixel is decoded.

        Raises:
            PhotoError: with the reason for the person; also when the file ended the process twice or took too long.
        """
        return cast(FileFacts, self._call("facts", path, timeout_s=self._times.facts_s))

    def picture(self, path: str | Path, edge: int) -> Pixels:
        """Upright RGB pixels with a long edge of at most `edge`; of a video, a frame that represents it. Raises as `facts`."""
        return cast(Picture, self._call("picture", str(path), edge, timeout_s=self._times.picture_s)).pixels

    def begin_preview(self, path: str, edge: int, keep_at: str) -> None:
        """Work ahead: what `preview` will be asked next for this file, in another process meanwhile."""
        if self.processes > 1 and path not in self._begun:
            self._begun[path] = self._threads.submit(self._preview, path, edge, keep_at)

    def preview(self, path: str, edge: int, keep_at: str) -> Preview:
        """Make the thumbnail of a file at `keep_at`, if it is not there yet, and say what it shows.

        Raises:
            PhotoError: as `facts`.
            StoreError: the thumbnail cannot be written.
        """
        begun = self._begun.pop(path, None)
        return begun.result() if begun is not None else self._preview(path, edge, keep_at)

    def _preview(self, path: str, edge: int, keep_at: str) -> Preview:
        return cast(Preview, self._call("preview", path, edge, keep_at, timeout_s=self._times.picture_s))

    def frames(self, path: str, edge: int, most: int) -> tuple[Pixels, ...]:
        """Of a video up to `most` upright frames, one a scene; of anything else its picture. Raises as `facts`."""
        return cast("tuple[Pixels, ...]", self._call("frames", path, edge, most, timeout_s=self._times.sound_s))

    def samples(self, path: str) -> NDArray[np.float32]:
        """Mono sound, 16,000 samples a second, at most `DecodeLimits.sound_s`; empty without a sound track. Raises as `facts`."""
        return cast("NDArray[np.float32]", self._call("samples", path, timeout_s=self._times.sound_s))

    def notes(self, path: str) -> tuple[Note, ...]:
        """What the notes in a file say: one, or those of a calendar, mailbox or chat. Raises as `facts`."""
        return cast("tuple[Note, ...]", self._call("notes", path, timeout_s=self._times.notes_s))

    def note(self, path: str, label: str) -> Note | None:
        """The note of this label; None where the file has it no more. Raises as `facts`."""
        return cast("Note | None", self._call("note", path, label, timeout_s=self._times.notes_s))

    def close(self) -> None:
        """End the processes, for good; what they have in hand is given up."""
        self._closing.set()
        self._threads.shutdown(cancel_futures=True)
        self._begun.clear()
        for child in self._children:
            child.close()

    def _call(
        self, method: str, *args: str | int, timeout_s: float
    ) -> Any:  # what the method returns; see DecodeService
        """One call by a process that is free; a death is answered with one more try, a second one with the file's quarantine."""
        child = self._free.get()
        try:
            return self._call_twice(child, method, *args, timeout_s=timeout_s)
        finally:
            self._free.put(child)

    def _call_twice(self, child: ChildProcess, method: str, *args: str | int, timeout_s: float) -> Any:  # as `_call`
        for last in (False, True):
            try:
                return child.call(method, *args, timeout_s=timeout_s, interrupted=self._closing.is_set)
            except ChildDiedError as death:
                if last:
                    raise PhotoUnreadableError(
                        f"Decoding the file ended the decoder twice (code {death.exit_code}).",
                        "It is left alone until it changes.",
                    ) from death
            except ModelTimedOutError as error:
                raise PhotoTooLargeError(
                    f"Decoding the file took longer than {timeout_s:.0f} seconds.", "It is left alone until it changes."
                ) from error
        raise AssertionError("unreachable: the second try returns or raises")


def processes_here() -> int:
    """How many pictures may be decoded at the same time: as many as this program has cores, within what memory allows."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, _MOST_PROCESSES, ram_bytes() // _RAM_A_PROCESS))


def limits_here() -> DecodeLimits:
    """What one file may cost on this machine: pixels for a quarter of its memory, and memory for a few copies of them."""
    pixels = min(_MOST_PIXELS, max(_FEWEST_PIXELS, ram_bytes() // 4 // _BYTES_PER_PIXEL))
    return DecodeLimits(pixels, memory_bytes=_BASE_BYTES + _COPIES * _BYTES_PER_PIXEL * pixels)
