"""Does the build put the licences where a person finds them, and stop on an unknown one?"""

from pathlib import Path

import pytest

from installers import build, licences
from tests.harness.logs import ExpectedLog


def test_the_bundle_gets_every_licence_text_and_the_notices(tmp_path: Path) -> None:
    build.add_licences(tmp_path / "madeleine", "what is in here")

    folder = tmp_path / "madeleine" / "licences"
    assert (folder / "THIRD_PARTY_NOTICES.txt").read_text() == "what is in here"
    assert "Apache License" in (folder / "Apache-2.0.txt").read_text()
    for name, words in {
        "GPL-3.0": "GENERAL PUBLIC",
        "LGPL-3.0": "LESSER GENERAL",
        "LGPL-2.1": "LESSER GENERAL",
    }.items():
        assert words in (folder / f"{name}.txt").read_text()


def test_an_unknown_licence_stops_the_build_before_anything_is_frozen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_log: ExpectedLog
) -> None:
    expected_log("Not built, because of licences:\nnewcomer: look it up")

    def refuse() -> str:
        raise licences.LicenceError("newcomer: look it up")

    monkeypatch.setattr(build, "check_licences", refuse)
    monkeypatch.setattr(build, "freeze", lambda out: pytest.fail("frozen all the same"))

    assert build.main(["--out", str(tmp_path)]) == 1
    assert list(tmp_path.iterdir()) == []


def test_links_do_not_count_twice_in_the_size(tmp_path: Path) -> None:
    (tmp_path / "library.so.1").write_bytes(b"x" * 100)
    (tmp_path / "library.so").symlink_to("library.so.1")

    assert build.folder_bytes(tmp_path) == 100
