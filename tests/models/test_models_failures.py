"""Whatever the child of a role does (abort, hang, garbage), its caller gets a sentence, and the next call works."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import core.child
import models.host
from core.errors import ModelCrashedError, ModelError, ModelTimedOutError
from core.ports import Prompt
from models import faces, image_embedder, llama_chat, scenes, text_embedder, text_reader, transcriber, vision_chat
from models.catalogue import CatalogueEntry, Role, Runtime, load_catalogue
from models.host import Load, ModelHost
from tests.harness.logs import ExpectedLog
from tests.models.failing_services import GARBAGE

PICTURE = np.full((8, 8, 3), 100, np.uint8)
PROMPT = Prompt("s", "u", "v/1")
Call = Callable[[ModelHost, Load, CatalogueEntry], object]

CALLS: dict[Role, tuple[str, Call]] = {
    Role.CHAT: (
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
        lambda host, load, entry: llama_chat.LlamaChat(host, load, entry).complete(PROMPT),
    ),
    Role.CAPTIONER: (
        "smolvlm2-500m-q8_0",
        lambda host, load, entry: vision_chat.LlamaCaptioner(host, load, entry).describe([PICTURE], PROMPT),
    ),
    Role.TEXT_EMBEDDER: (
        "minilm-l6-v2-int8",
        lambda host, load, entry: text_embedder.OnnxTextEmbedder(host, load, entry).embed_query("x"),
    ),
    Role.IMAGE_EMBEDDER: (
        "siglip2-base-p16-224-fp16",
        lambda host, load, entry: image_embedder.OnnxImageEmbedder(host, load, entry, load).embed_pictures([PICTURE]),
    ),
    Role.TEXT_READER: (
        "rapidocr-ppocrv6",
        lambda host, load, entry: text_reader.RapidTextReader(host, load, entry).read(PICTURE),
    ),
    Role.TRANSCRIBER: (
        "whisper-base",
        lambda host, load, entry: transcriber.WhisperTranscriber(host, load, entry).transcribe(
            np.sin(np.arange(16_000, dtype=np.float32))
        ),
    ),
    Role.FACES: ("dlib-face", lambda host, load, entry: faces.FaceFinder(host, load, entry).find(PICTURE)),
    Role.SCENES: ("efficientnet-lite0", lambda host, load, entry: scenes.OnnxScenes(host, load, entry).label(PICTURE)),
}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[ModelHost]:
    host = ModelHost(tmp_path / "logs")
    yield host
    host.close()


def ask(host: ModelHost, role: Role, way: str) -> object:
    model_id, call = CALLS[role]
    entry = load_catalogue().get(model_id)
    return call(host, Load(model_id, Runtime.ONNX, "tests.models.failing_services:load", (way,), 10), entry)


def test_every_role_is_tried() -> None:
    assert set(CALLS) == set(Role)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("way", GARBAGE)
def test_garbage_of_every_role_is_a_sentence_and_never_a_result(
    host: ModelHost, role: Role, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ModelHost, "call", lambda *_, **__: GARBAGE[way])
    with pytest.raises(ModelError):
        ask(host, role, way)


@pytest.mark.parametrize("role", Role)
def test_an_abort_of_every_role_costs_its_call_and_the_next_one_works(
    host: ModelHost, role: Role, expected_log: ExpectedLog
) -> None:
    expected_log("died on run", logger="core.child")
    with pytest.raises(ModelCrashedError, match="twice"):
        ask(host, role, "abort")
    with pytest.raises(ModelError):
        ask(host, role, "a number")


@pytest.mark.parametrize("role", Role)
def test_a_hang_of_every_role_ends_at_its_time_limit(
    host: ModelHost, role: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models.host, "LOADING_S", 0)
    real = core.child.ChildProcess.call_surviving
    monkeypatch.setattr(
        core.child.ChildProcess,
        "call_surviving",
        lambda self, *args, timeout_s, **more: real(self, *args, timeout_s=min(timeout_s, 0.3), **more),
    )
    with pytest.raises(ModelTimedOutError):
        ask(host, role, "hang")
