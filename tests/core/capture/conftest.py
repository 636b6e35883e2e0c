"""A real library in a temporary home, decoding in this process (the child has its own tests), and models that are fakes."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.capture import image_file
from core.capture.decode import DecodeLimits, Decoder
from core.capture.decode_worker import DecodeService
from core.capture.pipeline import process
from core.capture.scan import add_folder
from core.jobs import run_to_end
from core.paths import Home
from core.ports import Interrupted, Pixels, never
from core.records import CapturedMemory, SpokenSegment, Stage, TextLine, Transcript
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library


class InProcessDecoder(Decoder):
    """The decoding service without its process."""

    def __init__(self, limits: DecodeLimits | None = None) -> None:
        super().__init__()
        image_file.prepare()
        self.service = DecodeService(limits or DecodeLimits(50_000_000))

    def _call(self, method: str, *args: str | int, timeout_s: float) -> Any:  # as in Decoder
        return getattr(self.service, method)(*args)


@dataclass
class FakeReader:
    """Reads the same lines in every picture, and counts."""

    lines: tuple[TextLine, ...] = ()
    model_id: str = "fake-reader"
    revision: str = "1"
    scripts: tuple[str, ...] = ("Latin",)
    error: Exception | None = None
    seen: list[tuple[int, ...]] = field(default_factory=list)

    def read(self, picture: Pixels) -> tuple[TextLine, ...]:
        self.seen.append(picture.shape)
        if self.error is not None:
            raise self.error
        return self.lines


@dataclass
class FakeTranscriber:
    """Hears the same words in everything, and counts."""

    text: str = "hello there"
    model_id: str = "fake-ears"
    revision: str = "1"
    heard: list[int] = field(default_factory=list)

    def transcribe(self, samples: NDArray[np.float32], *, interrupted: Interrupted = never) -> Transcript:
        self.heard.append(len(samples))
        return Transcript((SpokenSegment(0.0, 1.0, self.text),) if self.text else ())


@dataclass
class FakeEmbedder:
    """Three dimensions: length, vowels, and one."""

    model_id: str = "fake-embedder"
    revision: str = "1"
    dimensions: int = 3
    languages: tuple[str, ...] = ()
    embedded: list[str] = field(default_factory=list)

    def embed_passages(self, texts: list[str], *, interrupted: Interrupted = never) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        rows = np.array(
            [[len(text), sum(text.count(vowel) for vowel in "aeiou"), 1] for text in texts], dtype=np.float32
        )
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self.embed_passages([text])


@dataclass
class FakeModels:
    """A `ModelSet` of whatever roles a test fills."""

    chat: Any = None
    captioner: Any = None
    text_embedder: Any = None
    image_embedder: Any = None
    text_reader: Any = None
    transcriber: Any = None
    faces: Any = None
    scenes: Any = None

    def former_text_embedder(self, space: str) -> Any | None:
        """No other one."""
        return None

    complaints: tuple[str, ...] = ()

    def choose_chat(self, wish: str) -> None:
        """Whatever it is."""

    def look_again(self) -> None:
        return None

    def close(self) -> None:
        return None


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    opened = open_library(Home(tmp_path / "home"), ExactIndexes())
    yield opened
    opened.close()


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """The person's folder."""
    folder = tmp_path / "album"
    folder.mkdir()
    return folder


@pytest.fixture
def decoder() -> InProcessDecoder:
    return InProcessDecoder()


@dataclass
class Capturing:
    """Adds the album and processes it."""

    library: Library
    album: Path

    def __call__(self, models: Any = None, until: Stage = Stage.EMBEDDINGS, **more: Any) -> Any:
        add_folder(self.library, self.album)
        more.setdefault("decoder", InProcessDecoder())
        return run_to_end(process(self.library, models or FakeModels(), until, **more))

    def named(self, file_name: str) -> CapturedMemory:
        return next(memory for memory in self.library.memories.matching() if memory.file_name == file_name)


@pytest.fixture
def capture(library: Library, album: Path) -> Capturing:
    return Capturing(library, album)


@pytest.fixture(params=["UTC", "Asia/Taipei", "America/New_York"])
def system_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The test runs once in each of three time zones of the system."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def line(text: str, top: float = 0.0, left: float = 0.0, confidence: float = 0.9) -> TextLine:
    """A line of text 20 pixels high."""
    return TextLine(text, confidence, (left, top, left + 10.0 * len(text), top + 20.0))


def lines(*texts: str) -> tuple[TextLine, ...]:
    """Lines one below the other."""
    return tuple(line(text, 30.0 * number) for number, text in enumerate(texts))
