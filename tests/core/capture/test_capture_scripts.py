"""Writing that the reader never learnt is said, not kept as garbage."""

from pathlib import Path

import pytest

from core.capture.visible_text import is_unknown_script
from core.records import Stage, TextLine
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, FakeModels, FakeReader, line


def _found(text: str, sure: float, top: float) -> TextLine:
    """A line as a reader gives it; what it could not read still has a place."""
    return line(text, top, confidence=sure) if text else TextLine("", 0.0, (0.0, top, 200.0, top + 20.0))


@pytest.mark.parametrize(
    ("read", "unknown"),
    [
        ((("CLICO UCXIO 4UINI", 0.66), ("CCOU UIGAIU", 0.82)), True),
        ((("333-5350", 0.72),), False),
        ((("Ofnunguetee der Bichel", 0.70),), False),
        ((("", 0.0),), True),
        ((("CLICO UCXIO 4UINI", 0.66), ("", 0.0)), True),
        ((("Welcome", 0.97), ("", 0.0)), False),
        ((("Welcome", 0.99), ("smudge here", 0.6)), False),
        ((("Welcome", 0.88),), False),
        ((("3 o", 0.6),), False),
        ((), False),
    ],
)
def test_not_one_sure_line_means_letters_that_were_never_learnt(
    read: tuple[tuple[str, float], ...], unknown: bool
) -> None:
    lines = [_found(text, sure, 30.0 * number) for number, (text, sure) in enumerate(read)]

    assert is_unknown_script(lines) is unknown


def test_a_memory_in_an_unknown_script_says_so_and_keeps_no_garbage(capture: Capturing, album: Path) -> None:
    drawn.jpeg(album / "a.jpg", 1)
    read = (line("CLICO UCXIO 4UINI", confidence=0.66), line("CCOU UIGAIU", 30.0, confidence=0.82))
    capture(FakeModels(text_reader=FakeReader(read)))
    memory = capture.named("a.jpg")

    assert memory.visible_text == ""
    row = (
        capture.library.database.read()
        .execute("SELECT state, reason FROM stages WHERE stage=?", (Stage.TEXT,))
        .fetchone()
    )
    assert row["state"] == "nothing"
    assert "in letters this reader does not know (it knows Latin)" in row["reason"]


def test_a_spot_that_was_taken_for_a_line_is_no_writing() -> None:
    assert not is_unknown_script(
        [TextLine("", 0.0, (0.0, 0.0, 30.0, 25.0)), TextLine("", 0.0, (0.0, 50.0, 60.0, 58.0))]
    )


@pytest.mark.parametrize("read", ["QAK", "Ofnunguetee der Bichel"])
def test_a_single_blurred_line_of_a_known_script_is_kept(capture: Capturing, album: Path, read: str) -> None:
    drawn.jpeg(album / "a.jpg", 1)
    capture(FakeModels(text_reader=FakeReader((line(read, confidence=0.7),))))

    assert capture.named("a.jpg").visible_text == read
