"""Commands in questions, pictures as questions and steps on the command line."""

import json
from pathlib import Path

import pytest

from core.records import Event
from desktop import cli
from desktop.cli_events import nested
from tests.core.ask.ravi import year_of_ravi
from tests.fakes import FakeEmbedder


def main(words: list[str]) -> int:
    return cli.main(words, lambda home: 0, lambda home, picture: None)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    year_of_ravi(tmp_path, FakeEmbedder()).close()
    return tmp_path / "library"


def test_a_command_is_carried_out_only_with_a_yes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "--home",
        str(home),
        "ask",
        "Mark the pictures of the beach as favourites",
        "--today",
        "2025-06-30",
        "--json",
    ]

    main(command)
    proposed = json.loads(capsys.readouterr().out)
    main([*command, "--yes"])
    done = json.loads(capsys.readouterr().out)
    main(["--home", str(home), "get", "r025", "--json"])

    assert (proposed["proposal"]["kind"], proposed["proposal"]["ids"], proposed["carried_out"]) == (
        "favourite",
        ["r025", "r026"],
        "",
    )
    assert done["carried_out"].startswith("Marked 2 pictures as favourite. To take it back: madeleine events undo ")
    assert json.loads(capsys.readouterr().out)["favourite"] is True


def test_a_picture_of_the_library_is_a_question(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--home", str(home), "ask", "--image", "r050", "--json"])

    answer = json.loads(capsys.readouterr().out)
    assert answer["value"] == ["Dana Cole", "Mira Menon"]
    assert answer["citations"][0]["id"] == "r050"


def test_an_empty_library_says_what_to_do_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--home", str(tmp_path / "new"), "ask", "Where was I in May?"])

    assert "madeleine process" in capsys.readouterr().err


def test_an_event_stands_below_the_one_it_is_part_of() -> None:
    day, trip = Event(id="day", name="A day", parent_id="trip"), Event(id="trip", name="A trip")
    toast, orphan = (
        Event(id="toast", name="A toast", parent_id="day"),
        Event(id="orphan", name="A walk", parent_id="gone"),
    )

    lines = nested([toast, day, orphan, trip])

    assert [(len(line) - len(line.lstrip()), line.split("[")[1].split("]")[0]) for line in lines] == [
        (0, "orphan"), (0, "trip"), (4, "day"), (8, "toast"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("person", "said"), [("me", "Nina is your sister."), ("Dana Cole", "Nina is Dana Cole's sister.")]
)
def test_a_relation_is_repeated_as_one_says_it(
    home: Path, capsys: pytest.CaptureFixture[str], person: str, said: str
) -> None:
    main(["--home", str(home), "people", "relate", person, "sister", "Nina"])

    assert said in capsys.readouterr().out
