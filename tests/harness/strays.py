"""Which threads and child processes did a test leave behind? They are named, and the test fails."""

import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path

_GRACE_S = 3.0

# Threads of libraries that live as long as the process, by name, with the reason.
_LIBRARY_THREADS = (
    "asyncio_",  # default executor of an event loop a library keeps (chromadb's client)
    "Dummy-",  # a native thread (Qt, onnxruntime, llama.cpp) that called into Python once; not ours to join
    "QThread",  # Qt's own name for a pool thread; QThreads of ours are joined by their owner
    "OtelBatch",  # chromadb imports opentelemetry, whose exporter thread ends with the process
    "tqdm_monitor",  # one per process, a daemon that only looks at progress bars
)
_LIBRARY_THREAD_TYPES = ("TMonitor",)  # tqdm's monitor keeps the default name


@dataclass(frozen=True)
class Started:
    """What ran before the test."""

    threads: frozenset[int | None]
    children: frozenset[int]


def started() -> Started:
    """Remember what runs now."""
    return Started(frozenset(thread.ident for thread in threading.enumerate()), frozenset(_children()))


def left_behind(before: Started) -> list[str]:
    """Name what runs now, did not run before and does not end within the grace time. Stray processes are ended."""
    deadline = time.monotonic() + _GRACE_S
    while True:
        threads, children = _new_threads(before), _new_children(before)
        if not threads and not children:
            return []
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    names = [f"thread {thread.name!r} ({type(thread).__name__})" for thread in threads]
    for pid in children:
        names.append(f"child process {pid} ({_command(pid)})")
        os.kill(pid, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)  # else it blames the next test too
    return names


def _new_threads(before: Started) -> list[threading.Thread]:
    return [
        thread
        for thread in threading.enumerate()
        if thread.ident not in before.threads
        and thread.is_alive()
        and not thread.name.startswith(_LIBRARY_THREADS)
        and type(thread).__name__ not in _LIBRARY_THREAD_TYPES
    ]


def _new_children(before: Started) -> list[int]:
    tracker = getattr(resource_tracker._resource_tracker, "_pid", None)  # one per process, started by the first `spawn`
    return [pid for pid in _children() if pid not in before.children and pid != tracker]


def _children() -> list[int]:
    """Running children of this process. Linux only; elsewhere the list is empty and only threads are watched."""
    found = []
    for listing in Path("/proc/self/task").glob("*/children"):
        try:
            found += [int(pid) for pid in listing.read_text().split()]
        except OSError:
            continue  # the thread ended while we looked
    return [pid for pid in found if not _has_ended(pid)]


def _has_ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()[:200]
    except OSError:
        return "ended"
