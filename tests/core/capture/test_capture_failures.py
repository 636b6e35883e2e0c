"""A model of any role that aborts, hangs or talks garbage over one memory: that one is marked, the rest goes on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from core.errors import AppError, ModelCrashedError, ModelError, ModelTimedOutError
from core.ports import Pixels, Prompt, Reply, Vectors
from core.records import FaceFound, SceneLabel, Stage, TextLine, Transcript
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, FakeModels

WAYS: dict[str, AppError] = {
    "abort": ModelCrashedError("It stopped unexpectedly twice on the same item.", "Retry it from Problems."),
    "hang": ModelTimedOutError("It did not finish within 60 seconds.", "Retry it from Problems."),
    "garbage": ModelError("It sent something that is no result.", "Try again."),
}
POISON = (250, 10, 10)


@dataclass
class Model:
    """Fails over the red picture, the loud recording and the text that says so; knows nothing of the others."""

    error: AppError
    model_id: str = "fake"
    revision: str = "1"
    dimensions: int = 3
    languages: tuple[str, ...] = ()
    same_scene: float = 0.9
    fits_text: float = 0.5
    same_at: float = 0.5

    def look(self, picture: Pixels) -> None:
        if np.abs(picture.reshape(-1, 3).mean(axis=0) - POISON).max() < 40:
            raise self.error

    def read(self, picture: Pixels) -> tuple[TextLine, ...]:
        self.look(picture)
        return ()

    def label(self, picture: Pixels) -> tuple[SceneLabel, ...]:
        self.look(picture)
        return ()

    def find(self, picture: Pixels, *, likely: bool = False) -> tuple[FaceFound, ...]:
        self.look(picture)
        return ()

    def describe(self, pictures: Sequence[Pixels], prompt: Prompt, **_: Any) -> Reply:
        self.look(pictures[0])
        return Reply('{"caption":"A plain picture.","scene":"","activity":"","objects":[]}', complete=True)

    def embed_pictures(self, pictures: Sequence[Pixels], **_: Any) -> Vectors:
        self.look(pictures[0])
        return np.array([[1, 0, 0]], np.float32)

    def transcribe(self, samples: NDArray[np.float32], **_: Any) -> Transcript:
        if np.abs(samples).max() > 0.5:
            raise self.error
        return Transcript(())

    def embed_passages(self, texts: Sequence[str], **_: Any) -> Vectors:
        if any("POISON" in text for text in texts):
            raise self.error
        return np.tile(np.array([[1, 0, 0]], np.float32), (len(texts), 1))


ROLES = {
    "text_reader": Stage.TEXT,
    "scenes": Stage.SCENES,
    "faces": Stage.FACES,
    "captioner": Stage.CAPTION,
    "image_embedder": Stage.NEAR_DUPLICATES,
    "transcriber": Stage.SPEECH,
    "text_embedder": Stage.EMBEDDINGS,
}


@pytest.fixture
def three(album: Path, role: str) -> Path:
    """Three memories, of which `b` is the one that the role's model cannot bear."""
    for name, colour in (("a", (30, 60, 200)), ("b", POISON), ("c", (20, 190, 60))):
        if role == "transcriber":
            drawn.wav(album / f"{name}.wav", loud=0.9 if name == "b" else 0.2, seconds=1 + 0.1 * ord(name) - 9)
        elif role == "text_embedder":
            (album / f"{name}.txt").write_text("POISON" if name == "b" else f"The {name} of the bakery")
        else:
            Image.new("RGB", (320, 240), colour).save(album / f"{name}.jpg")
    return album


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("role", ROLES)
def test_one_memory_is_marked_with_the_reason_and_the_rest_goes_on(
    three: Path, capture: Capturing, role: str, way: str
) -> None:
    library = capture.library
    done = capture(FakeModels(**{role: Model(WAYS[way])}), with_faces=lambda: True)
    states = {
        memory.file_name[0]: (library.stages.state(memory.id, ROLES[role]) or ("never", ""))[0]
        for memory in library.memories.matching()
    }
    assert states["b"] == "failed"
    assert {states["a"], states["c"]} <= {"done", "nothing"}
    assert done.troubles == []
    assert [WAYS[way].message in problem.reason for problem in library.files.problems()] == [True]
