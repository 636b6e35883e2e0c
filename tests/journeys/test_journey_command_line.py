"""From a folder of pictures to a listed, searched, corrected and exported library, without any model."""

from pathlib import Path

import pytest

from tests.journeys.program import Program, draw_photo


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    for number in range(6):
        draw_photo(folder / f"IMG_{number}.jpg", number, f"2024:05:{10 + number} 10:00:00")
    (folder / "broken.jpg").write_bytes(b"\xff\xd8 not a picture")
    return folder


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def test_a_folder_becomes_a_library_that_can_be_listed_and_asked_about(program: Program, album: Path) -> None:
    assert program.run("add", str(album)).code == 0
    processed = program.run("process", "--json")
    assert processed.code == 0, processed.err
    assert processed.json["memories"] == 6

    listed = program.run("list", "--json", "--from", "2024-05-11", "--to", "2024-05-12").json
    assert sorted(Path(each["file"]).name for each in listed) == ["IMG_1.jpg", "IMG_2.jpg"]
    assert listed[0]["taken_at"].startswith("2024-05-12T10:00:00")

    answer = program.run("ask", "How many photos did I take in May 2024?", "--today", "2024-06-01", "--json").json
    assert answer["outcome"] == "answered"
    assert answer["value"] == 6
    assert {citation["id"] for citation in answer["citations"]} <= {
        each["id"] for each in program.run("list", "--json").json
    }


def test_a_file_that_cannot_be_read_is_a_problem_with_its_path_and_reason(program: Program, album: Path) -> None:
    program.run("add", str(album))
    program.run("process")
    problems = program.run("problems", "--json").json
    assert [Path(each["file"]).name for each in problems] == ["broken.jpg"]
    assert problems[0]["reason"]
    assert problems[0]["attempts"] >= 1


def test_a_question_about_nothing_that_is_there_is_not_found_and_shows_no_pictures(
    program: Program, album: Path
) -> None:
    program.run("add", str(album))
    program.run("process")
    answer = program.run("ask", "When did I last go to Blue Heron Ice Rink?", "--today", "2024-06-01", "--json").json
    assert answer["outcome"] == "not_found"
    assert answer["citations"] == []
    assert answer["searched"]


def test_a_renamed_event_keeps_its_name_over_a_new_run(program: Program, album: Path) -> None:
    program.run("add", str(album))
    program.run("process")
    identity = program.run("list", "--json").json[0]["id"]
    events = program.run("events", "list", "--json").json
    if not events:
        pytest.fail("six days of pictures in a row made no event")
    assert program.run("events", "rename", events[0]["id"], "The week of squares").code == 0
    draw_photo(album / "IMG_9.jpg", 9, "2024:05:16 10:00:00")
    program.run("process")
    names = [each["name"] for each in program.run("events", "list", "--json").json]
    assert "The week of squares" in names
    assert program.run("get", identity, "--json").json["id"] == identity


def test_an_exported_library_can_be_read_into_another_home(program: Program, album: Path, tmp_path: Path) -> None:
    program.run("add", str(album))
    program.run("process")
    assert program.run("export", str(tmp_path / "out.jsonl")).code == 0
    other = Program(tmp_path / "other")
    assert other.run("import", str(tmp_path / "out.jsonl"), "--json").json["memories"] == 6
    assert {each["id"] for each in other.run("list", "--json").json} == {
        each["id"] for each in program.run("list", "--json").json
    }


def test_originals_are_byte_for_byte_what_they_were(program: Program, album: Path) -> None:
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in album.iterdir()}
    program.run("add", str(album))
    program.run("process")
    memory = program.run("list", "--json").json[0]["id"]
    program.run("memory", "edit", memory, "date", "2023-01-01")
    program.run("memory", "forget", memory)
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in album.iterdir()} == before
