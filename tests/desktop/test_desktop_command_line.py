"""Does every command take its words as a person or a script writes them, wherever they stand, and fail in a sentence?"""

import io
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core.errors import AppError
from core.paths import Home
from desktop import __main__ as program
from desktop import cli
from desktop.terminal import Terminal

COMMANDS = (
    ["add", "folder"], ["process"], ["status"], ["problems"], ["export", "x"], ["import", "x"], ["doctor"], ["ask", "q"],
    ["search", "t"], ["grep", "t"], ["list"], ["get", "1"], ["view", "1", "q"], ["events"], ["events", "list"],
    ["events", "undo"], ["facts"], ["facts", "add", "s"], ["memory", "forget", "1"], ["models"],
)  # fmt: skip


class _Reached(AppError):
    """The command would have begun."""


def start(words: Sequence[str]) -> int:
    return cli.main(words, lambda home: 0, lambda home, picture: None)


@pytest.fixture
def opened_homes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, bool]]:
    """The homes that commands were about to work in, and whether they were to print JSON."""
    seen: list[tuple[Path, bool]] = []
    made: list[bool] = []

    class Watched(Terminal):
        def __init__(self, *, as_json: bool) -> None:
            super().__init__(as_json=as_json)
            made.append(as_json)

    def record(home: Home, *_: object, **__: object) -> None:
        seen.append((home.folder, made[-1]))
        raise _Reached("The command would begin.")

    monkeypatch.setattr(cli, "Terminal", Watched)
    for module in (cli.cli_library, cli.cli_ask, cli.cli_edit):
        monkeypatch.setattr(module, "opened", record)
    monkeypatch.setattr(cli.cli_models, "ModelShelf", lambda models: record(Home(models.parent)))
    return seen


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("place", ["before", "after"])
def test_the_home_and_json_mean_the_same_before_and_after_a_command(
    command: list[str],
    place: str,
    opened_homes: list[tuple[Path, bool]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MADELEINE_HOME", str(tmp_path / "another"))
    monkeypatch.delenv("MADELEINE_MODELS", raising=False)
    common = ["--json", "--home", str(tmp_path / "meant")]
    assert start([*common, *command] if place == "before" else [*command, *common]) == 1
    assert opened_homes == [(tmp_path / "meant", True)]


@pytest.mark.parametrize(
    "words", [["--home", "", "status"], ["add", ""], ["export", " "], ["import", ""]], ids=" ".join
)
def test_an_empty_path_is_wrong_usage_and_never_another_folder(
    words: list[str], opened_homes: list[tuple[Path, bool]], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        start(words)
    assert ended.value.code == 2
    assert opened_homes == []
    assert "names no file or folder" in capsys.readouterr().err


@pytest.mark.parametrize("home", ["/dev/null", "/dev/null/inside", "/proc/nowhere", "~nobody-of-that-name/x"])
def test_a_home_that_cannot_be_one_is_told_in_a_sentence(
    home: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "~nobody-of-that-name").write_text("a file where the folder would be")
    monkeypatch.chdir(tmp_path)
    assert start(["status", "--home", home]) == 1
    assert "cannot be opened" in capsys.readouterr().err


@pytest.mark.parametrize("inside", ["thumbnails", "logs", "backups", "lock", "madeleine.sqlite", "settings.toml"])
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_something_else_in_the_place_of_a_part_of_the_home_is_told_in_a_sentence(
    inside: str, kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    if kind == "folder":
        (home / inside).mkdir()
    else:
        (home / inside).write_bytes(b"\xff rubbish \x00" * 100)
    is_right = (inside, kind) in {("lock", "file"), ("thumbnails", "folder"), ("logs", "folder"), ("backups", "folder")}
    assert start(["status", "--home", str(home)]) == (0 if is_right else 1)
    said = capsys.readouterr().err
    assert is_right or said.startswith("madeleine: ")


@pytest.mark.parametrize(
    "words",
    [["get", "\udcff"], ["events", "show", "\udcff"], ["memory", "forget", "\udcff"], ["facts", "confirm", "\udcff"]],
    ids=lambda words: words[0],
)
def test_bytes_that_are_no_text_name_nothing(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert start([*words, "--home", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("madeleine: ")


@pytest.mark.parametrize(
    "error", [PermissionError(13, "Permission denied", "/the/file"), OSError("broken"), ValueError("a bug")]
)
def test_what_nobody_foresaw_is_a_sentence_and_not_a_trace(
    error: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(cli, "home_at", _raising(error))
    assert program.main(["status"]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("madeleine: ")
    assert "Traceback" not in said.err + said.out


def _raising(error: Exception) -> Callable[[object], Home]:
    def fail(_: object) -> Home:
        raise error

    return fail


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_an_output_that_lacks_letters_stops_no_command(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding))
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    said = {"name": "東京 😀 é"}
    Terminal(as_json=True).result(said, "")
    assert json.loads(raw.getvalue().decode(encoding)) == said
    Terminal(as_json=False).result({}, said["name"])
    Terminal(as_json=True).error(AppError("東京 “é”"))
    assert len(raw.getvalue().splitlines()) == 3


@pytest.mark.parametrize("command", ["events", "facts", "memory"])
def test_help_says_what_each_action_does(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        start([command, "--help"])
    lines = capsys.readouterr().out.splitlines()
    actions = lines[lines.index("  ACTION") + 1 : lines.index("options:") - 1]
    assert len(actions) >= 2
    # a long name stands on a line of its own, what it does on the next
    told = [line for at, line in enumerate(actions) if len(line.split()) > 1 or actions[at + 1].startswith(" " * 8)]
    assert told == actions


@pytest.mark.parametrize(
    "words",
    [
        ["list", "--from", "yesterday"],
        ["events", "redate", "x", "yesterday"],
        ["process", "--until", "soon"],
        ["list", "--type", "x"],
    ],
)
def test_a_wrong_value_is_refused_in_the_words_of_the_person(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        start(words)
    said = capsys.readouterr().err
    assert f"'{words[-1]}' is no" in said
    assert "invalid" not in said


def test_the_window_is_not_tried_without_a_display(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert start([]) == 1
    assert "no display" in capsys.readouterr().err
    monkeypatch.setenv("DISPLAY", ":0")
    assert start([]) == 0


def test_the_version_is_told_without_a_library(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        start(["--version"])

    assert ended.value.code == 0
    assert re.fullmatch(r"madeleine \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)
