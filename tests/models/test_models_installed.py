"""Which installed model plays which role, without loading any."""

from pathlib import Path

import pytest

import models.installed
from core.errors import ModelNotInstalledError, RequestError
from core.ports import ModelSet
from models.catalogue import load_catalogue
from models.installed import InstalledModels
from models.weights import installed_ids

CHAT_15, CHAT_05 = "qwen2.5-coder-1.5b-instruct-q4_k_m", "qwen2.5-coder-0.5b-instruct-q4_k_m"


def pretend(models_dir: Path, *model_ids: str) -> None:
    """Files of the right size that take no room on the disk."""
    for entry in map(load_catalogue().get, model_ids):
        (models_dir / entry.id).mkdir(parents=True)
        for file in entry.files:
            with (models_dir / entry.id / file.name).open("wb") as sparse:
                sparse.truncate(file.size_bytes)


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models.installed, "total_ram_mb", lambda: 16_000)


def opened(models_dir: Path, chat: str | None = "auto") -> ModelSet:
    return InstalledModels(models_dir, models_dir / "logs", chat)


def patient(models_dir: Path, chat: str) -> InstalledModels:
    """As the program opens it with the person's settings."""
    return InstalledModels(models_dir, models_dir / "logs", chat, is_patient=True)


@pytest.fixture
def full(tmp_path: Path) -> Path:
    pretend(tmp_path, CHAT_15, CHAT_05, "minilm-l6-v2-int8", "whisper-base")
    return tmp_path


def test_an_empty_folder_has_only_what_comes_with_the_program(tmp_path: Path) -> None:
    assert installed_ids(tmp_path) == ("rapidocr-ppocrv6",)
    models = opened(tmp_path)
    assert (models.chat, models.captioner, models.text_embedder, models.transcriber) == (None,) * 4
    assert models.text_reader is not None
    assert models.text_reader.model_id == "rapidocr-ppocrv6"


def test_every_role_of_the_starter_tier_is_filled(full: Path) -> None:
    models = opened(full)
    assert models.chat is not None
    assert (models.chat.model_id, models.chat.parameters_b, models.chat.context_tokens) == (CHAT_15, 1.5, 4096)
    assert models.text_embedder is not None
    assert (models.text_embedder.dimensions, models.text_embedder.languages) == (384, ("en",))
    assert models.transcriber is not None
    assert models.transcriber.model_id == "whisper-base"


def test_the_scene_model_is_used_when_its_weights_are_there(tmp_path: Path) -> None:
    assert opened(tmp_path).scenes is None
    pretend(tmp_path, "efficientnet-lite0")
    scenes = opened(tmp_path).scenes
    assert scenes is not None
    assert scenes.model_id == "efficientnet-lite0"


def test_the_person_may_choose_a_model_or_none(full: Path) -> None:
    chosen = opened(full, chat=CHAT_05).chat
    assert chosen is not None
    assert chosen.model_id == CHAT_05
    assert opened(full, chat="none").chat is None
    assert opened(full, chat=None).chat is None


def test_little_memory_makes_the_small_model_the_default(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models.installed, "total_ram_mb", lambda: 4_000)
    chat = opened(full).chat
    assert chat is not None
    assert chat.model_id == CHAT_05


def test_a_wrong_choice_is_said_at_once(full: Path) -> None:
    with pytest.raises(RequestError, match="cannot be used as chat"):
        opened(full, chat="whisper-base")
    with pytest.raises(ModelNotInstalledError, match="qwen3-vl-2b"):
        opened(full, chat="qwen3-vl-2b-instruct-q4_k_m")
    with pytest.raises(RequestError, match="no model"):
        opened(full, chat="qwen")


@pytest.mark.parametrize(
    "wish", ["nonsense", "whisper-base", "qwen3-vl-2b-instruct-q4_k_m", "", "../../etc", "a" * 500]
)
def test_a_wish_of_the_settings_that_cannot_be_met_leaves_the_role_empty_and_says_so(full: Path, wish: str) -> None:
    """A typo in the settings, or a model that was removed, must not keep the program from starting."""
    found = patient(full, wish)
    assert found.chat is None
    assert found.text_embedder is not None
    [said] = found.complaints
    assert said.startswith("The chosen chat model is not used")


def test_another_language_model_is_used_at_once_and_a_wrong_one_changes_nothing(full: Path) -> None:
    found = patient(full, "nonsense")
    with pytest.raises(RequestError):
        found.choose_chat("nonsense too")
    assert len(found.complaints) == 1
    for wish, model_id in ((CHAT_05, CHAT_05), ("auto", CHAT_15), ("none", "")):
        found.choose_chat(wish)
        assert (found.chat.model_id if found.chat else "") == model_id
        assert found.complaints == ()


def test_a_chosen_model_that_is_removed_and_got_again_is_missed_and_used_again(full: Path) -> None:
    found = patient(full, CHAT_05)
    weights = full / CHAT_05 / "model.gguf"
    weights.rename(full / "elsewhere")
    found.look_again()
    assert found.chat is None
    assert "not installed" in found.complaints[0]
    (full / "elsewhere").rename(weights)
    found.look_again()
    assert found.chat is not None
    assert found.complaints == ()


def test_one_vision_model_plays_both_roles_from_one_load(tmp_path: Path) -> None:
    pretend(tmp_path, "qwen3-vl-2b-instruct-q4_k_m")
    both = InstalledModels(tmp_path, tmp_path / "logs")
    assert both.chat is not None
    assert both.captioner is not None
    assert both.chat.load == both.captioner.load  # type: ignore[attr-defined]


def test_a_file_of_the_wrong_size_is_not_installed(full: Path) -> None:
    with (full / "whisper-base" / "model.bin").open("wb") as torn:
        torn.truncate(1000)
    assert "whisper-base" not in installed_ids(full)
    assert opened(full).transcriber is None


def test_weights_of_another_revision_never_mix(full: Path) -> None:
    revisions = {entry.revision for entry in load_catalogue().entries if entry.installable}
    assert len(revisions) == len([entry for entry in load_catalogue().entries if entry.installable])
