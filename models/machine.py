"""What this computer has: memory and processor cores, without any third-party package."""

import ctypes
import os
import sys
from functools import lru_cache
from pathlib import Path

_MB = 1024 * 1024


@lru_cache(maxsize=1)
def total_ram_mb() -> int:
    """Memory of the machine in MB, or of the container where that has less."""
    ram = _windows_ram_bytes() if sys.platform == "win32" else _posix_ram_bytes()
    limit = _container_limit_bytes()
    return min(ram, limit or ram) // _MB


@lru_cache(maxsize=1)
def usable_cores() -> int:
    """Processor cores this process may use; at least 1. Two hardware threads of one core count once where known."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    physical = _linux_physical_cores() or max(1, (os.cpu_count() or 1) // (1 if sys.platform == "darwin" else 2))
    return max(1, min(allowed, physical))


def inference_threads() -> int:
    """Threads for one model: all cores but one, so that the window stays smooth; both of two.

    Measured on 2 cores with Qwen2.5-Coder-1.5B: 1 thread reads 32 tokens a second and writes 6.8, 2 threads 67 and 9.4.
    """
    cores = usable_cores()
    return cores if cores <= 2 else cores - 1


def _posix_ram_bytes() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _windows_ram_bytes() -> int:
    kilobytes = ctypes.c_ulonglong()
    ctypes.WinDLL("kernel32").GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))  # type: ignore[attr-defined, unused-ignore]
    return kilobytes.value * 1024


def _container_limit_bytes() -> int | None:
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            text = Path(name).read_text("ascii").strip()
        except OSError:
            continue
        if text.isdigit():
            return int(text)
    return None


def _linux_physical_cores() -> int | None:
    """Distinct (package, core) pairs of the kernel's list; None where it does not tell."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        return None
    pairs = set()
    package = ""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "physical id":
            package = value.strip()
        elif key.strip() == "core id":
            pairs.add((package, value.strip()))
    return len(pairs) or None
