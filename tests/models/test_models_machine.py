"""How much memory is free is read as each system tells it."""

from pathlib import Path

import pytest

import models.machine as machine

_VM_STAT = """Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               10000.
Pages active:                            400000.
Pages inactive:                           20000.
Pages speculative:                         1000.
Pages wired down:                        100000.
Pages purgeable:                           2000.
"""


def test_free_memory_is_at_most_all_memory_and_more_than_nothing() -> None:
    assert 0 < machine.available_ram_mb() <= machine.total_ram_mb()


def test_macos_counts_what_it_gives_away_when_asked() -> None:
    assert machine._vm_stat_bytes(_VM_STAT) == 33_000 * 16_384
    assert machine._vm_stat_bytes("") is None


def test_a_containers_limit_counts_less_what_it_uses_without_its_cache(tmp_path: Path) -> None:
    for name, text in (("memory.max", "4000"), ("memory.current", "3500"), ("memory.stat", "anon 3000\nfile 500\n")):
        (tmp_path / name).write_text(text)
    assert machine._container_available_bytes(tmp_path) == 1000
    (tmp_path / "memory.max").write_text("max")
    assert machine._container_available_bytes(tmp_path) is None
    assert machine._container_available_bytes(tmp_path / "none") is None


def test_the_tightest_word_counts_and_a_silent_system_means_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_available_bytes", lambda: 3_000 * 2**20)
    monkeypatch.setattr(machine, "_container_available_bytes", lambda: 1_000 * 2**20)
    assert machine.available_ram_mb() == 1_000
    monkeypatch.setattr(machine, "_available_bytes", lambda: None)
    monkeypatch.setattr(machine, "_container_available_bytes", lambda: None)
    assert machine.available_ram_mb() == machine.total_ram_mb()
