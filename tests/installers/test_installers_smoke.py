"""Does the smoke test notice a frozen program that is broken? Small scripts stand in for it."""

import sys
from pathlib import Path

import pytest
from PIL import ExifTags, Image

from installers.smoke_test import (
    Frozen,
    SmokeError,
    answers_with_the_model,
    draw_sign,
    lists_its_models,
    opens_its_window,
    starts_empty,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script with a first line stands in for the program")


def program(tmp_path: Path, body: str) -> Frozen:
    """A frozen program that runs `body`."""
    script = tmp_path / "madeleine"
    script.write_text(f"#!{sys.executable}\nimport os, sys\n{body}\n")
    script.chmod(0o755)
    return Frozen(script, tmp_path, None)


def test_a_program_that_fails_is_quoted(tmp_path: Path) -> None:
    frozen = program(tmp_path, "sys.exit('No module named chromadb.api.rust')")

    with pytest.raises(SmokeError, match=r"status --json ended with 1:\s+No module named chromadb"):
        starts_empty(frozen)


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    frozen = program(tmp_path, "import time; time.sleep(60)")

    with pytest.raises(SmokeError, match="did not end within 1 s"):
        frozen.run("status", timeout_s=1)


def test_a_bundle_without_its_catalogue_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(SmokeError, match="does not know the starter tier"):
        lists_its_models(program(tmp_path, "print('[]')"))


def test_a_window_that_closes_by_itself_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(SmokeError, match="closed by itself with 1"):
        opens_its_window(program(tmp_path, "sys.exit('Could not load the Qt platform plugin')"))


def test_the_program_sees_its_own_home_and_nothing_of_the_source_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    frozen = program(tmp_path, "print(os.environ.get('PYTHONPATH'), os.environ['MADELEINE_HOME'], os.getcwd())")

    assert frozen.run().split() == ["None", str(tmp_path / "library"), str(tmp_path)]


def test_the_drawn_sign_is_dark_on_light_and_knows_its_place(tmp_path: Path) -> None:
    draw_sign(tmp_path / "sign.jpg")

    with Image.open(tmp_path / "sign.jpg") as picture:
        darkest, lightest = picture.convert("L").getextrema()
        position = picture.getexif().get_ifd(ExifTags.IFD.GPSInfo)
    assert darkest < 10
    assert lightest > 245
    assert position[ExifTags.GPS.GPSLatitudeRef] == "N"
    assert position[ExifTags.GPS.GPSLatitude] == (64.0, 8.0, 47.0)


def test_an_answer_without_the_language_model_is_noticed(tmp_path: Path) -> None:
    frozen = program(tmp_path, """print('{"text": "Your memories do not say.", "completion_tokens": 0}')""")

    with pytest.raises(SmokeError, match="the language model wrote nothing"):
        answers_with_the_model(frozen)
