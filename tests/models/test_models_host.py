"""Children that die, hang or talk nonsense cost one call; one large model is in memory at a time."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import models.host
from core.errors import (
    JobCancelled,
    ModelCrashedError,
    ModelNotInstalledError,
    ModelTimedOutError,
    NotEnoughRamError,
)
from models.catalogue import Runtime
from models.host import Load, ModelHost
from tests.harness.logs import ExpectedLog


@pytest.fixture
def host(tmp_path: Path) -> Iterator[ModelHost]:
    host = ModelHost(tmp_path / "logs")
    yield host
    host.close()


def a_load(tmp_path: Path, name: str = "fake", runtime: Runtime = Runtime.ONNX, ram_mb: int = 10) -> Load:
    return Load(name, runtime, "tests.models.fake_services:load", (str(tmp_path), name), ram_mb)


def history(tmp_path: Path) -> list[str]:
    return [line.partition(" in ")[0] for line in (tmp_path / "history").read_text().splitlines()]


def test_a_call_returns_the_result_and_its_parts_in_order(host: ModelHost, tmp_path: Path) -> None:
    parts: list[str] = []
    assert host.call(a_load(tmp_path), "echo", "boat", timeout_s=10, on_part=parts.append) == "boat"
    assert parts == ["b", "o", "a", "t"]


def test_the_child_is_told_not_to_spin_and_not_to_look_online(host: ModelHost, tmp_path: Path) -> None:
    load = a_load(tmp_path)
    assert host.call(load, "environment", "OMP_WAIT_POLICY", timeout_s=10) == "passive"
    assert host.call(load, "environment", "HF_HUB_OFFLINE", timeout_s=10) == "1"


def test_an_abort_is_tried_once_more(host: ModelHost, tmp_path: Path, expected_log: ExpectedLog) -> None:
    expected_log("died on run", logger="core.child")
    assert host.call(a_load(tmp_path), "abort_once", timeout_s=10) == "alive"


def test_a_second_abort_is_an_error_and_the_next_call_works(
    host: ModelHost, tmp_path: Path, expected_log: ExpectedLog
) -> None:
    expected_log("died on run", logger="core.child")
    load = a_load(tmp_path)
    with pytest.raises(ModelCrashedError):
        host.call(load, "abort", timeout_s=10)
    assert host.call(load, "echo", "still here", timeout_s=10) == "still here"


def test_a_hang_ends_at_its_time_limit(host: ModelHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models.host, "LOADING_S", 0)
    load = a_load(tmp_path)
    host.call(load, "echo", "warm", timeout_s=10)
    with pytest.raises(ModelTimedOutError):
        host.call(load, "hang", timeout_s=0.3)
    assert host.call(load, "echo", "on", timeout_s=10) == "on"


def test_a_cancelled_call_stops_and_keeps_its_child(host: ModelHost, tmp_path: Path) -> None:
    load = a_load(tmp_path)
    host.call(load, "echo", "warm", timeout_s=10)
    before = host.pids()
    until = time.monotonic() + 0.2
    with pytest.raises(JobCancelled):
        host.call(load, "obey", timeout_s=30, interrupted=lambda: time.monotonic() > until)
    assert host.pids() == before


def test_small_models_of_one_runtime_share_a_child(host: ModelHost, tmp_path: Path) -> None:
    for name in ("a", "b", "a"):
        host.call(a_load(tmp_path, name), "echo", name, timeout_s=10)
    assert history(tmp_path) == ["load a", "load b"]


def test_a_large_model_closes_the_large_one_before_it_is_loaded(host: ModelHost, tmp_path: Path) -> None:
    for name in ("chat", "captioner"):
        host.call(a_load(tmp_path, name, Runtime.LLAMA, ram_mb=1200), "echo", name, timeout_s=10)
    assert history(tmp_path) == ["load chat", "close chat", "load captioner"]


def test_a_large_model_ends_the_child_of_another_runtime_that_holds_one(host: ModelHost, tmp_path: Path) -> None:
    host.call(a_load(tmp_path, "chat", Runtime.LLAMA, ram_mb=1200), "echo", "x", timeout_s=10)
    host.call(a_load(tmp_path, "small", Runtime.ONNX), "echo", "x", timeout_s=10)
    host.call(a_load(tmp_path, "turbo", Runtime.WHISPER, ram_mb=2000), "echo", "x", timeout_s=10)
    assert set(host.pids()) == {Runtime.ONNX, Runtime.WHISPER}


def test_missing_weights_and_too_little_memory_are_said_without_starting_a_child(
    host: ModelHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Load("m", Runtime.ONNX, "x:y", (), 10, (str(tmp_path / "model.onnx"),))
    with pytest.raises(ModelNotInstalledError, match=r"model\.onnx"):
        host.call(gone, "echo", timeout_s=1)
    monkeypatch.setattr(models.host, "total_ram_mb", lambda: 4000)
    with pytest.raises(NotEnoughRamError, match=r"8\.0 GB of memory; this computer has 4\.0 GB"):
        host.call(a_load(tmp_path, ram_mb=8000), "echo", timeout_s=1)
    assert host.pids() == {}


def test_a_model_that_fits_the_computer_but_not_beside_what_runs_now_is_refused_with_what_to_do(
    host: ModelHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models.host, "total_ram_mb", lambda: 16_000)
    monkeypatch.setattr(models.host, "available_ram_mb", lambda: 900)
    load = a_load(tmp_path, ram_mb=2000)
    with pytest.raises(NotEnoughRamError, match=r"2\.0 GB of memory; of the 16\.0 GB .* 0\.9 GB are free") as caught:
        host.call(load, "echo", "x", timeout_s=10)
    assert "Close other programs" in str(caught.value)
    assert caught.value.retryable
    assert all(pid is None for pid in host.pids().values())

    monkeypatch.setattr(models.host, "available_ram_mb", lambda: 2_500)
    assert host.call(load, "echo", "x", timeout_s=10) == "x"
    monkeypatch.setattr(models.host, "available_ram_mb", lambda: 500)  # the model itself holds it now
    assert host.call(load, "echo", "again", timeout_s=10) == "again"
    # another large one takes its place, so its memory counts as free
    assert host.call(a_load(tmp_path, "other", ram_mb=2400), "echo", "y", timeout_s=10) == "y"


def test_a_child_that_nobody_asks_is_ended_and_the_next_call_starts_another(tmp_path: Path) -> None:
    host = ModelHost(tmp_path / "logs", idle_s=0.2)
    load = a_load(tmp_path)
    host.call(load, "echo", "x", timeout_s=10)
    until = time.monotonic() + 10
    while host.pids() and time.monotonic() < until:
        time.sleep(0.05)
    assert host.pids() == {}
    assert host.call(load, "echo", "again", timeout_s=10) == "again"
    host.close()


def test_a_child_at_work_is_not_idle_however_long_it_takes(tmp_path: Path) -> None:
    host = ModelHost(tmp_path / "logs", idle_s=0.1)
    load = a_load(tmp_path)
    host.call(load, "echo", "x", timeout_s=10)
    until = time.monotonic() + 0.6
    with pytest.raises(JobCancelled):
        host.call(load, "obey", timeout_s=30, interrupted=lambda: time.monotonic() > until)
    assert [line for line in history(tmp_path) if line.startswith("load")] == ["load fake"]
    host.close()
