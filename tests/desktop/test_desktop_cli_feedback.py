"""What was wrong or right about an answer is said on the command line and applied to the next one."""

import json
from pathlib import Path

import pytest

from desktop import cli
from tests.core.ask.ravi import year_of_ravi
from tests.fakes import FakeEmbedder

QUESTION = "Which churches did I visit on the trip to Barcelona?"


def run(home: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    code = cli.main(["--home", str(home), *words, "--json"], lambda folder: 0, lambda folder, picture: None)
    said = capsys.readouterr().out
    return code, json.loads(said) if said.strip() else {}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    year_of_ravi(tmp_path, FakeEmbedder()).close()
    return tmp_path / "library"


def cited(answer: dict[str, object]) -> set[str]:
    return {each["id"] for each in answer["citations"]}  # type: ignore[index, attr-defined]


def test_a_picture_that_is_not_meant_is_left_out_of_the_next_answer(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, before = run(home, capsys, "ask", QUESTION, "--today", "2025-06-30")
    one = sorted(cited(before))[0]

    code, after = run(home, capsys, "feedback", "not-this", QUESTION, one, "--today", "2025-06-30")
    _, again = run(home, capsys, "ask", QUESTION, "--today", "2025-06-30")

    assert (code, after["left_out"]) == (0, 1)
    assert one not in cited(after) | cited(again)


def test_a_wrong_answer_is_looked_for_again_without_its_pictures(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, before = run(home, capsys, "ask", "What was the name of the whiskey?", "--today", "2025-06-30")

    code, after = run(home, capsys, "feedback", "wrong", "What was the name of the whiskey?", "--today", "2025-06-30")

    assert code == 0
    assert not cited(before) & cited(after)


def test_an_answer_is_kept_as_a_fact_and_one_without_pictures_is_not_wrong(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, fact = run(
        home, capsys, "feedback", "save", "How many times did I visit Sagrada Família?", "--today", "2025-06-30"
    )
    refused, _ = run(home, capsys, "feedback", "wrong", "What did I do in March 1999?")

    assert (code, fact["state"], refused) == (0, "own", 1)
    assert "Sagrada" in str(fact["statement"])


def test_more_like_a_picture_is_found(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(
        ["--home", str(home), "feedback", "more-like", "nothing"], lambda folder: 0, lambda folder, picture: None
    )

    assert code == 1
    assert "nothing" in capsys.readouterr().err
