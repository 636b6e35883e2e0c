"""Where a language model's layers go: as the person set it, else wherever the runtime can put them."""

from pathlib import Path
from typing import Any

import llama_cpp
import pytest

from core.errors import ModelUnreadableError, SettingsError
from core.settings import Settings, changed
from models import llama_runtime
from models.llama_runtime import load_llama
from tests.harness.logs import ExpectedLog


class FakeLlama:
    """Says with how many layers it was loaded; a small card refuses them."""

    small_card = False

    def __init__(self, *, n_gpu_layers: int, **_: Any) -> None:  # what the library takes
        if n_gpu_layers and self.small_card:
            raise ValueError("out of memory")
        self.layers = n_gpu_layers


@pytest.fixture
def llama(monkeypatch: pytest.MonkeyPatch) -> type[FakeLlama]:
    monkeypatch.setattr(llama_runtime, "Llama", FakeLlama)
    monkeypatch.setattr(FakeLlama, "small_card", False)
    return FakeLlama


def built_for_gpu(monkeypatch: pytest.MonkeyPatch, *, built: bool) -> None:
    monkeypatch.setattr(llama_cpp, "llama_supports_gpu_offload", lambda: built)


def layers(gpu: str) -> int:
    loaded: Any = load_llama("m", "m.gguf", 512, gpu=gpu)
    number: int = loaded.layers
    return number


@pytest.mark.parametrize(
    ("gpu", "built", "expected"),
    [("auto", True, -1), ("auto", False, 0), ("none", True, 0), ("all", True, -1), ("all", False, -1)],
)
def test_the_setting_decides_how_many_layers_go_to_the_card(
    llama: type[FakeLlama], monkeypatch: pytest.MonkeyPatch, gpu: str, built: bool, expected: int
) -> None:
    built_for_gpu(monkeypatch, built=built)
    assert layers(gpu) == expected


def test_a_card_without_room_leaves_the_work_to_the_processor_and_the_log_says_so(
    llama: type[FakeLlama], monkeypatch: pytest.MonkeyPatch, expected_log: ExpectedLog
) -> None:
    expected_log("the processor runs m", logger="models.llama_runtime")
    built_for_gpu(monkeypatch, built=True)
    monkeypatch.setattr(llama, "small_card", True)
    assert layers("auto") == 0


def test_who_wants_all_layers_on_the_card_is_told_when_it_has_no_room(
    llama: type[FakeLlama], monkeypatch: pytest.MonkeyPatch
) -> None:
    built_for_gpu(monkeypatch, built=True)
    monkeypatch.setattr(llama, "small_card", True)
    with pytest.raises(ModelUnreadableError, match="out of memory"):
        layers("all")


def test_only_known_values_can_be_set(tmp_path: Path) -> None:
    assert changed(Settings(), "gpu", "none").gpu == "none"
    with pytest.raises(SettingsError, match="gpu cannot be 'maybe'"):
        changed(Settings(), "gpu", "maybe")
