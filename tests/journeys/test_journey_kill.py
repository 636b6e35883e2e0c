"""A scan that is killed with -9 at random points loses nothing that was said and does nothing twice that was finished."""

from pathlib import Path

from core.capture.decode import processes_here
from tests.journeys.killing import WatchedProgram, scan_with_kills

_PHOTOS, _KILLS = 60, 5


def test_a_scan_killed_at_random_points_keeps_corrections_and_finishes_nothing_twice(tmp_path: Path) -> None:
    program = WatchedProgram(tmp_path / "home", tmp_path / "album", tmp_path / "watcher")

    found = scan_with_kills(program, _PHOTOS, _KILLS, seed=11)

    assert found.kills == _KILLS
    assert found.finished is not None
    assert found.finished.code == 0, found.finished.err
    stages = found.finished.json["stages"]
    for stage in ("scan", "metadata", "thumbnails"):
        assert (stages[stage]["done"], stages[stage]["failed"]) == (_PHOTOS, 0), stage
    assert found.thumbnails_again == 0
    assert found.files_again <= found.kills * processes_here()  # what each of them had in hand
    assert len(found.titles) >= 1
    for memory_id, title in found.titles.items():
        assert program.run("get", memory_id, "--json").json["title"] == title
    assert program.run("doctor", "--json").json == []
