"""From a folder of pictures to a listed, searched, corrected and exported library, without any model."""

import json
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


def test_a_renamed_event_keeps_its_name_over_a_new_run(program: Program, tmp_path: Path) -> None:
    pack = tmp_path / "memories.jsonl"
    days = [("Lund", f"2024-04-{day:02}") for day in range(1, 20)] + [
        ("Lisbon", f"2024-05-{day:02}") for day in range(3, 7)
    ]
    lines = [
        {"id": f"{city}-{day}", "taken_at": f"{day}T{hour}:00:00", "caption": f"A street in {city}",
         "place": {"city": city, "country": "Sweden" if city == "Lund" else "Portugal"}}
        for city, day in days for hour in (10, 18)
    ]  # fmt: skip
    pack.write_text("".join(json.dumps(line) + "\n" for line in lines[:-1]))
    program.run("import", str(pack))
    assert program.run("process").code == 0
    trip = next(each for each in program.run("events", "list", "--json").json if "Lisbon" in each["name"])
    assert program.run("events", "rename", trip["id"], "Honeymoon").code == 0

    pack.write_text(json.dumps(lines[-1]) + "\n")
    program.run("import", str(pack))
    program.run("process")
    renamed = next(each for each in program.run("events", "list", "--json").json if each["name"] == "Honeymoon")
    assert renamed["corrected"]
    assert lines[-1]["id"] in renamed["members"]
    assert program.run("events", "undo").code == 0
    assert "Honeymoon" not in [each["name"] for each in program.run("events", "list", "--json").json]


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
