"""Writing that the reader never learnt is said, not kept as garbage."""

from pathlib import Path

import pytest

from core.capture.visible_text import is_unknown_script
from core.records import Stage
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, FakeModels, FakeReader, line


@pytest.mark.parametrize(
    ("read", "unknown"),
    [
        ((("CLICO UCXIO 4UINI", 0.66), ("CCOU UIGAIU", 0.82)), True),
        ((("333-5350", 0.72),), True),
        ((("Welcome", 0.99), ("smudge here", 0.6)), False),
        ((("Welcome", 0.88),), False),
        ((("3 o", 0.6),), False),
        ((), False),
    ],
)
def test_not_one_sure_line_means_letters_that_were_never_learnt(
    read: tuple[tuple[str, float], ...], unknown: bool
) -> None:
    lines = [line(text, 30.0 * number, confidence=sure) for number, (text, sure) in enumerate(read)]

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
    assert "cannot read" in row["reason"]
