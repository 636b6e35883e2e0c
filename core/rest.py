"""Should background work stand still now? On battery and in quiet hours, if the person said so. And does it give way to others?"""

import ctypes
import os
import subprocess
import sys
import threading
from datetime import time
from pathlib import Path

from core.settings import Settings, hours_of

_POWER = Path("/sys/class/power_supply")
_NICE = 15


def reason_to_rest(settings: Settings, now: time, *, is_on_battery: bool) -> str:
    """Why background work stands still, as the end of "Waiting: …"; empty when it need not."""
    if settings.pause_on_battery and is_on_battery:
        return "the computer runs on its battery"
    hours = hours_of(settings.quiet_hours)
    if hours is not None and _is_within(now, *hours):
        return f"quiet hours until {hours[1]:%H:%M}"
    return ""


def is_on_battery(power: Path = _POWER) -> bool:
    """Whether the computer runs on its battery; False where it has none, or where that cannot be told."""
    if sys.platform == "win32":
        state = (ctypes.c_ubyte * 12)()
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(ctypes.byref(state))) and state[0] == 0
    if sys.platform == "darwin":
        try:
            told = subprocess.run(
                ["/usr/bin/pmset", "-g", "batt"], capture_output=True, text=True, timeout=5, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return "'Battery Power'" in told.stdout
    return _drains(power)


def give_way() -> None:
    """Let the calling thread, and the processes it starts from now on, work only with what other programs leave over."""
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.SetThreadPriority(kernel.GetCurrentThread(), -15)
    elif sys.platform == "darwin":
        os.setpriority(os.PRIO_DARWIN_THREAD, 0, os.PRIO_DARWIN_BG)  # type: ignore[attr-defined]
    else:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)  # Linux counts threads as processes here


def _is_within(now: time, first: time, last: time) -> bool:
    """Whether a time lies in a span that may go over midnight."""
    return first <= now < last if first <= last else now >= first or now < last


def _drains(power: Path) -> bool:
    """Linux: no mains is plugged in, and a battery of the computer itself (not of its mouse) is there."""
    has_battery = False
    try:
        supplies = sorted(power.iterdir())
    except OSError:
        return False
    for supply in supplies:
        kind = _read(supply / "type")
        if kind in ("Mains", "USB") and _read(supply / "online") == "1":
            return False
        if kind == "Battery" and _read(supply / "scope") != "Device":
            has_battery = has_battery or _read(supply / "status") == "Discharging"
    return has_battery


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""  # the kernel shows only what a supply has
