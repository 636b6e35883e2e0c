"""Every option of the library can be seen and changed from the command line, and a mistake is said in a sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.capture import pipeline
from core.capture.exclusions import is_junk_file, is_junk_folder, is_package
from desktop import cli
from tests.core.capture import drawn
from tests.core.capture.conftest import InProcessDecoder

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def decode_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode in this process: the child has its own tests and takes a second to start."""
    monkeypatch.setattr(pipeline, "Decoder", lambda *_, **__: InProcessDecoder())


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    drawn.jpeg(folder / "kept" / "a.jpg", 1)
    drawn.jpeg(folder / "Drafts" / "b.jpg", 2)
    (folder / "pass.txt").write_text("PASSPORT\nSurname Quetzal\nNationality Norsk\nDate of birth 4 May 1980")
    return folder


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command over a home and returns what it printed as JSON; for one that fails, its sentence."""
    monkeypatch.setenv("MADELEINE_MODELS", str(tmp_path / "no-models"))

    def run(*words: str) -> Any:
        code = cli.main(
            ["--json", "--home", str(tmp_path / "home"), *words], lambda home: 0, lambda home, picture: None
        )
        shown = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert (code != 0) == (isinstance(shown, dict) and "error" in shown)
        return shown

    return run


def _names(run: Run) -> list[str]:
    return sorted(Path(each["file"]).name for each in run("list"))


def test_a_setting_is_seen_changed_and_refused(run: Run) -> None:
    assert run("settings")["owner"] == ""
    assert run("settings", "set", "owner", "Mara") == {"owner": "Mara"}
    assert run("settings", "list")["owner"] == "Mara"
    assert run("status")["owner"] == "Mara"
    assert "no setting" in run("settings", "set", "ownr", "x")["error"]
    assert "no span of hours" in run("settings", "set", "quiet_hours", "soon")["error"]


def test_a_language_model_that_is_none_is_refused_and_one_in_the_file_does_not_keep_the_program_from_starting(
    run: Run, tmp_path: Path
) -> None:
    assert "no model" in run("settings", "set", "chat_model", "nonsense")["error"]
    assert run("settings")["chat_model"] == "auto"
    (tmp_path / "home" / "settings.toml").write_text('chat_model = "nonsense"\n')
    assert run("settings")["chat_model"] == "nonsense"
    assert run("status")["models"]["chat"] == ""
    assert run("settings", "set", "chat_model", "none") == {"chat_model": "none"}


def test_faces_are_off_until_a_setting_or_the_people_command_turns_them_on(run: Run) -> None:
    assert run("settings")["recognise_faces"] is False
    assert run("settings", "set", "recognise_faces", "yes") == {"recognise_faces": True}
    run("people", "off")
    assert run("settings")["recognise_faces"] is False
    run("people", "on")
    assert run("settings")["recognise_faces"] is True
    assert "yes or no" in run("settings", "set", "recognise_faces", "sometimes")["error"]


def test_an_exclusion_is_left_out_and_taken_back(run: Run, album: Path) -> None:
    run("add", str(album))
    run("exclusions", "add", "drafts/*")
    run("process", "--until", "metadata")
    assert _names(run) == ["a.jpg", "pass.txt"]

    assert run("exclusions", "remove", "drafts/*") == []
    run("process", "--until", "metadata")
    assert _names(run) == ["a.jpg", "b.jpg", "pass.txt"]
    run("exclusions", "add", str(album / "kept"))
    run("process", "--until", "metadata")
    assert _names(run) == ["a.jpg", "b.jpg", "pass.txt"]  # what is known already stays
    assert "is not excluded" in run("exclusions", "remove", "other")["error"]


def test_a_folder_that_is_removed_keeps_what_is_known_and_finds_it_again(run: Run, album: Path) -> None:
    run("add", str(album))
    run("process", "--until", "thumbnails")
    known = {each["id"] for each in run("list")}
    [folder] = run("folders")
    assert (folder["path"], folder["present"], folder["missing"]) == (str(album), 3, 0)

    assert run("folders", "remove", str(album))["forgotten"] == 0
    assert run("folders") == []
    assert {each["id"] for each in run("list")} == known
    run("add", str(album))
    run("process", "--until", "thumbnails")
    assert {each["id"] for each in run("list")} == known


def test_a_folder_can_be_forgotten_with_all_that_is_known_of_it(run: Run, album: Path, tmp_path: Path) -> None:
    other = drawn.jpeg(tmp_path / "other" / "c.jpg", 1)  # a copy of a.jpg: it lies elsewhere too
    run("add", str(album), str(other.parent))
    run("process")

    assert run("folders", "remove", str(album), "--forget")["forgotten"] == 2
    run("process")
    assert len(run("list")) == 1
    assert run("doctor") == []
    assert (album / "pass.txt").exists()
    files = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert not [path for path in files if b"Quetzal" in path.read_bytes() or b"quetzal" in path.read_bytes()]
    run("add", str(album))
    run("process")
    assert len(run("list")) == 3
    assert "not a folder of the library" in run("folders", "remove", "/nowhere")["error"]


def test_privacy_is_seen_and_changed(run: Run, album: Path) -> None:
    run("add", str(album))
    run("process")
    assert len(run("grep", "quetzal")) == 1

    assert run("privacy", "exclude", "ids") == {"domain": "ids", "kept_out_of": "understanding", "memories": 1}
    assert run("grep", "quetzal") == []
    assert {each["domain"]: each["kept_out_of"] for each in run("privacy")}["ids"] == "understanding"
    run("privacy", "include", "ids")
    run("process")
    [found] = run("grep", "quetzal")
    assert run("privacy", "mark", found["id"], "chat")["kept_out_of"] == "chat"
    assert run("get", found["id"])["private"] == "chat"
    assert "no privacy domain" in run("privacy", "exclude", "secrets")["error"]
    assert "is not kept private" in run("privacy", "include", "bank")["error"]


def test_a_place_is_named_asked_for_and_let_go(run: Run, tmp_path: Path) -> None:
    drawn.jpeg(tmp_path / "trip" / "hut.jpg", 3, drawn.exif(gps=(59.91, 10.75)))
    run("add", str(tmp_path / "trip"))
    run("process")
    [memory] = run("list")

    assert run("places", "name", "Grandma's", "--like", memory["id"])["memories"] == 1
    assert len(run("search", "at:grandma's")) == 1
    assert run("get", memory["id"])["place"]["name"] == "Grandma's"
    assert run("get", memory["id"])["place"]["city"] == "Oslo"
    run("places", "name", "Work", "59.9101", "10.7501", "--radius", "40")
    assert {each["name"] for each in run("places")} == {"Grandma's", "Work"}
    run("process")
    assert run("get", memory["id"])["place"]["name"] == "Work"  # the smaller circle is the more exact word
    run("places", "remove", "work")
    run("events", "undo")
    assert "Say where it is" in run("places", "name", "X")["error"]
    assert "no position" in run("places", "name", "X", "123", "1")["error"]
    assert "cannot reach" in run("places", "name", "X", "1", "1", "--radius", "0")["error"]
    assert "named no place" in run("places", "remove", "moon")["error"]


def test_row_47_leavings_of_other_programs_are_left_out_and_listed_in_exclusions(run: Run, album: Path) -> None:
    leavings = (
        ".hidden.jpg",
        "@eaDir/thumb.jpg",
        ".thumbnails/1.jpg",
        "._IMG_1.JPG",
        "Thumbs.db",
        ".trashed-1-a.jpg",
        "x.jpg.part",
    )
    for number, name in enumerate(leavings):
        drawn.jpeg(album / name, number)
    drawn.jpeg(album / "My.photoslibrary" / "a.jpg", 40)
    run("add", str(album))
    run("process", "--until", "metadata")
    listed = run("exclusions", "list")

    assert _names(run) == ["a.jpg", "b.jpg", "pass.txt"]
    assert run("problems") == []
    assert [Path(each["file"]).name for each in listed["other_libraries"]] == ["My.photoslibrary"]
    assert "export the pictures from it" in listed["other_libraries"][0]["reason"]
    assert {".*", "~$*", "*.part", "thumbs.db", "@eadir/", "*.photoslibrary/"} <= set(listed["always"])
    assert listed["excluded"] == []
    run("exclusions", "add", "drafts/*")
    assert run("exclusions")["excluded"] == ["drafts/*"]
    for pattern in listed["always"]:
        name = pattern.rstrip("/").replace("*", "a" if pattern.startswith("*") else "")
        assert (is_junk_folder(name) or is_package(name)) if pattern.endswith("/") else is_junk_file(name)
