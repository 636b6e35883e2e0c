"""Are weights of the right size and the wrong content refused before a runtime sees them, in every role, and read only once?"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import models.installed
import models.verified
from core.errors import JobCancelled, ModelNotInstalledError, ModelUnreadableError
from core.ports import Interrupted, never
from models.catalogue import CatalogueEntry, Role, load_catalogue
from models.installed import InstalledModels
from models.verified import VerifiedWeights
from tests.models.test_models_failures import PICTURE, PROMPT

SOUND = np.sin(np.arange(16_000, dtype=np.float32))
CALLS: dict[Role, tuple[str, Callable[[InstalledModels], object]]] = {
    Role.CHAT: ("qwen2.5-coder-0.5b-instruct-q4_k_m", lambda found: found.chat and found.chat.complete(PROMPT)),
    Role.CAPTIONER: (
        "smolvlm2-500m-q8_0",
        lambda found: found.captioner and found.captioner.describe([PICTURE], PROMPT),
    ),
    Role.TEXT_EMBEDDER: (
        "minilm-l6-v2-int8",
        lambda found: found.text_embedder and found.text_embedder.embed_query("x"),
    ),
    Role.IMAGE_EMBEDDER: (
        "siglip2-base-p16-224-fp16",
        lambda found: found.image_embedder and found.image_embedder.embed_pictures([PICTURE]),
    ),
    Role.TRANSCRIBER: ("whisper-base", lambda found: found.transcriber and found.transcriber.transcribe(SOUND)),
    Role.FACES: ("dlib-face", lambda found: found.faces and found.faces.find(PICTURE)),
    Role.SCENES: ("efficientnet-lite0", lambda found: found.scenes and found.scenes.label(PICTURE)),
}
DAMAGED = {"a sign-in page": b"<!DOCTYPE html><html>Sign in", "only its beginning": b"GGUF\3\0\0\0", "nothing": b""}


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models.installed, "total_ram_mb", lambda: 16_000)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read in full, by name; only their beginnings really are, since sparse gigabytes take seconds."""
    names: list[str] = []

    def beginning(path: Path, cancelled: Interrupted = never) -> str:
        if cancelled():
            raise JobCancelled
        names.append(path.name)
        with path.open("rb") as file:
            return hashlib.sha256(file.read(64)).hexdigest()

    monkeypatch.setattr(models.verified, "sha256_of", beginning)
    return names


def weights(folder: Path, entry: CatalogueEntry, content: bytes) -> None:
    """Every file of a model at its full size; what is not written takes no room."""
    (folder / entry.id).mkdir(parents=True)
    for file in entry.files:
        (folder / entry.id / file.name).write_bytes(content)
        os.truncate(folder / entry.id / file.name, file.size_bytes)


def test_every_role_with_weights_of_its_own_is_tried() -> None:
    assert set(CALLS) == set(Role) - {Role.TEXT_READER}  # it comes with the program


@pytest.mark.parametrize("role", CALLS)
@pytest.mark.parametrize("way", DAMAGED)
def test_damaged_weights_of_every_role_are_refused_with_what_to_do_and_no_child_is_started(
    tmp_path: Path, read: list[str], role: Role, way: str
) -> None:
    model_id, call = CALLS[role]
    weights(tmp_path / "models", load_catalogue().get(model_id), DAMAGED[way])
    found = InstalledModels(tmp_path / "models", tmp_path / "logs")
    with pytest.raises(ModelUnreadableError, match="is damaged") as told:
        call(found)
    assert f"madeleine models get {model_id}" in told.value.hint
    assert found.pids() == {}
    assert len(read) == 1
    found.close()


@pytest.mark.parametrize("what", ["a folder", "another size", "gone"])
def test_what_is_no_file_of_that_size_is_not_installed(tmp_path: Path, what: str) -> None:
    entry = load_catalogue().get("minilm-l6-v2-int8")
    weights(tmp_path, entry, b"")
    path = tmp_path / entry.id / entry.files[0].name
    path.unlink()
    if what == "a folder":
        path.mkdir()
    elif what == "another size":
        path.write_bytes(b"x")
    found = InstalledModels(tmp_path, tmp_path / "logs")
    assert found.text_embedder is None
    found.close()


def test_weights_that_vanish_while_they_are_in_use_are_said(tmp_path: Path) -> None:
    entry = load_catalogue().get("minilm-l6-v2-int8")
    weights(tmp_path, entry, b"")
    found = InstalledModels(tmp_path, tmp_path / "logs")
    embedder = found.text_embedder
    assert embedder is not None
    (tmp_path / entry.id / entry.files[0].name).unlink()
    with pytest.raises(ModelNotInstalledError, match="lacks the file"):
        embedder.embed_query("x")
    found.close()


class TestVerified:
    """The looking itself, with files whose hashes are told."""

    @pytest.fixture
    def entry(self) -> CatalogueEntry:
        return load_catalogue().get("minilm-l6-v2-int8")

    @pytest.fixture
    def right(self, monkeypatch: pytest.MonkeyPatch, entry: CatalogueEntry, tmp_path: Path) -> list[str]:
        """Every file is what it should be; the names of those that were read."""
        weights(tmp_path / "models", entry, b"")
        names: list[str] = []

        def told(path: Path, cancelled: Interrupted = never) -> str:
            names.append(path.name)
            return next(file.sha256 for file in entry.files if file.name == path.name)

        monkeypatch.setattr(models.verified, "sha256_of", told)
        return names

    def verified(self, tmp_path: Path) -> VerifiedWeights:
        return VerifiedWeights(tmp_path / "models", tmp_path / "home", load_catalogue())

    def test_each_file_is_read_once_also_by_later_runs(
        self, tmp_path: Path, entry: CatalogueEntry, right: list[str]
    ) -> None:
        for _ in range(2):
            one = self.verified(tmp_path)
            one.make_sure(entry.id, never)
            one.make_sure(entry.id, never)
        assert right == [file.name for file in entry.files]

    def test_a_file_that_changed_is_read_again(self, tmp_path: Path, entry: CatalogueEntry, right: list[str]) -> None:
        one = self.verified(tmp_path)
        one.make_sure(entry.id, never)
        right.clear()
        os.utime(tmp_path / "models" / entry.id / "model.onnx", ns=(1, 1))
        one.make_sure(entry.id, never)
        assert right == ["model.onnx"]

    def test_where_the_models_may_not_be_written_it_is_kept_in_the_library(
        self, tmp_path: Path, entry: CatalogueEntry, right: list[str]
    ) -> None:
        (tmp_path / "models" / ".verified.json").mkdir()
        self.verified(tmp_path).make_sure(entry.id, never)
        right.clear()
        self.verified(tmp_path).make_sure(entry.id, never)
        assert right == []

    @pytest.mark.parametrize("note", ["", "[]", "{", '{"x": 1}', "\0"])
    def test_a_spoilt_note_only_costs_another_look(
        self, tmp_path: Path, entry: CatalogueEntry, right: list[str], note: str
    ) -> None:
        (tmp_path / "models" / ".verified.json").write_text(note)
        self.verified(tmp_path).make_sure(entry.id, never)
        assert len(right) == len(entry.files)

    def test_a_note_of_other_weights_proves_nothing(
        self, tmp_path: Path, entry: CatalogueEntry, right: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The catalogue of a newer version names another hash for a file of the same size."""
        self.verified(tmp_path).make_sure(entry.id, never)
        note = tmp_path / "models" / ".verified.json"
        note.write_text(note.read_text().replace(entry.files[0].sha256, "0" * 64))
        monkeypatch.setattr(models.verified, "sha256_of", lambda *_: "0" * 64)
        with pytest.raises(ModelUnreadableError):
            self.verified(tmp_path).make_sure(entry.id, never)

    def test_reading_gives_way(self, tmp_path: Path, entry: CatalogueEntry) -> None:
        weights(tmp_path / "models", entry, b"")
        with pytest.raises(JobCancelled):
            self.verified(tmp_path).make_sure(entry.id, lambda: True)

    def test_a_file_that_may_not_be_read_is_said(
        self, tmp_path: Path, entry: CatalogueEntry, right: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def denied(path: Path, cancelled: Interrupted = never) -> str:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(models.verified, "sha256_of", denied)
        with pytest.raises(ModelUnreadableError, match="Permission denied") as told:
            self.verified(tmp_path).make_sure(entry.id, never)
        assert "permissions" in told.value.hint
