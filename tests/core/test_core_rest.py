"""Background work stands still when the person said so, and only then."""

import os
import threading
from datetime import time
from pathlib import Path

import pytest

from core.rest import give_way, is_on_battery, reason_to_rest
from core.settings import Settings


@pytest.mark.parametrize(
    ("hours", "now", "rests"),
    [
        ("", "12:00", False),
        ("09:00-17:30", "09:00", True),
        ("09:00-17:30", "17:30", False),
        ("22:00-07:00", "23:59", True),
        ("22:00-07:00", "06:59", True),
        ("22:00-07:00", "12:00", False),
        ("08:00-08:00", "08:00", False),
    ],
)
def test_quiet_hours_may_go_over_midnight(hours: str, now: str, rests: bool) -> None:
    said = reason_to_rest(Settings(quiet_hours=hours), time.fromisoformat(now), is_on_battery=False)

    assert bool(said) == rests


def test_a_battery_stops_work_only_when_that_is_wanted() -> None:
    assert reason_to_rest(Settings(), time(12), is_on_battery=True) == ""
    assert "battery" in reason_to_rest(Settings(pause_on_battery=True), time(12), is_on_battery=True)
    assert reason_to_rest(Settings(pause_on_battery=True), time(12), is_on_battery=False) == ""


@pytest.mark.skipif(not Path("/proc").exists(), reason="how Linux tells")
@pytest.mark.parametrize(
    ("supplies", "on_battery"),
    [
        ({}, False),
        ({"AC": {"type": "Mains", "online": "1"}, "BAT0": {"type": "Battery", "status": "Charging"}}, False),
        ({"AC": {"type": "Mains", "online": "0"}, "BAT0": {"type": "Battery", "status": "Discharging"}}, True),
        ({"BAT0": {"type": "Battery", "status": "Discharging"}}, True),
        ({"mouse": {"type": "Battery", "status": "Discharging", "scope": "Device"}}, False),
        ({"ucsi": {"type": "USB", "online": "1"}, "BAT1": {"type": "Battery", "status": "Discharging"}}, False),
    ],
)
def test_the_battery_of_the_computer_is_told_from_others(
    tmp_path: Path, supplies: dict[str, dict[str, str]], on_battery: bool
) -> None:
    for name, about in supplies.items():
        (tmp_path / name).mkdir()
        for key, value in about.items():
            (tmp_path / name / key).write_text(f"{value}\n")

    assert is_on_battery(tmp_path) == on_battery


@pytest.mark.skipif(not Path("/proc").exists(), reason="how Linux tells")
def test_only_the_thread_that_gives_way_does() -> None:
    seen: list[int] = []

    def work() -> None:
        give_way()
        seen.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    before = os.getpriority(os.PRIO_PROCESS, 0)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert seen == [max(before, 15)] or seen == [15]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before
