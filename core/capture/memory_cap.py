"""Says how much memory this machine has, and holds a process to a part of it, so that one file cannot take the machine down.

Linux counts what a process really writes to; macOS only its address space, so the cap is wider there; Windows is told through a
job object. The ways of macOS and Windows are written by their documentation and have not been run.
"""

import ctypes
import importlib
import os
import sys
from pathlib import Path

_UNKNOWN = 0
_ADDRESS_SPACE_BYTES = 64 << 30  # macOS maps its shared libraries into tens of gigabytes
_LIMIT_PROCESS_MEMORY = 0x100
_EXTENDED_LIMITS = 9
_LIMITED_BY = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX."""

    _fields_ = (
        ("length", ctypes.c_uint32), ("load", ctypes.c_uint32), ("total", ctypes.c_uint64), ("available", ctypes.c_uint64),
        ("rest", ctypes.c_uint64 * 5),
    )  # fmt: skip


class _JobLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION: of its fields only the flags and the memory of a process are set."""

    _fields_ = (
        ("times", ctypes.c_int64 * 2), ("flags", ctypes.c_uint32), ("working_set", ctypes.c_size_t * 2), ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t), ("classes", ctypes.c_uint32 * 2), ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t), ("job_memory", ctypes.c_size_t), ("peaks", ctypes.c_size_t * 2),
    )  # fmt: skip


def ram_bytes() -> int:
    """Memory of the machine, or what its container grants; 0 where nothing tells."""
    return min((each for each in (_machine_bytes(), _container_bytes()) if each), default=_UNKNOWN)


def hold_to(limit_bytes: int) -> None:
    """Let this process allocate no more: what asks for more gets a `MemoryError`, or ends the process."""
    if sys.platform == "win32":
        _hold_on_windows(limit_bytes)
        return
    resource = importlib.import_module("resource")  # Windows has none
    name = resource.RLIMIT_DATA if sys.platform.startswith("linux") else resource.RLIMIT_AS
    limit = limit_bytes if sys.platform.startswith("linux") else max(limit_bytes, _ADDRESS_SPACE_BYTES)
    _, highest = resource.getrlimit(name)
    resource.setrlimit(name, (limit if highest == resource.RLIM_INFINITY else min(limit, highest), highest))


def _machine_bytes() -> int:
    if sys.platform == "win32":
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        known = ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status))
        return int(status.total) if known else _UNKNOWN
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return _UNKNOWN


def _container_bytes() -> int:
    for path in _LIMITED_BY:
        try:
            text = path.read_text("ascii").strip()
        except OSError:
            continue
        if text.isdigit():
            return int(text)
    return _UNKNOWN


def _hold_on_windows(limit_bytes: int) -> None:
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32")
        kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
        job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
        limits = _JobLimits(flags=_LIMIT_PROCESS_MEMORY, process_memory=limit_bytes)
        if kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)):
            kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess()))
