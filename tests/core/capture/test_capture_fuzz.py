"""Damaged files of every format: none stops the run, none takes too long, each is a memory or a problem with its reason."""

from pathlib import Path

from tests.bench.fuzz import Fuzzed, read_all, spoiled, whole_files


def test_whole_files_of_every_format_become_memories_and_damaged_ones_are_all_accounted_for(tmp_path: Path) -> None:
    whole = whole_files(tmp_path / "whole")
    intact, damaged = Fuzzed(), Fuzzed()

    read_all(whole, tmp_path / "intact", intact)
    read_all(spoiled(whole, 150, first=0, seed=77), tmp_path / "damaged", damaged)

    assert (intact.memories, intact.problems, intact.lost, intact.failed_stages) == (len(whole), 0, [], 0)
    assert damaged.lost == []
    assert damaged.memories + damaged.problems == damaged.files == 150
    assert damaged.slowest_s < 25
