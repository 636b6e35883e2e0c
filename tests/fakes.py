"""Small fakes of the models: deterministic, without weights, without processes."""

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.errors import ModelError
from core.ports import (
    Captioner,
    ChatModel,
    Faces,
    ImageEmbedder,
    Interrupted,
    Pixels,
    Prompt,
    Reply,
    Scenes,
    TextEmbedder,
    Vectors,
    never,
)
from core.records import FaceFound


@dataclass(slots=True)
class FakeEmbedder:
    """A bag of words hashed into a few hundred numbers: texts that share words are close, nothing else is."""

    dimensions: int = 256
    model_id: str = "fake-embedder"
    revision: str = "1"
    languages: tuple[str, ...] = ()
    texts: int = 0

    def embed_passages(self, texts: Sequence[str], *, interrupted: Interrupted = never) -> Vectors:
        self.texts += len(texts)
        return np.stack([self._row(text) for text in texts]) if texts else np.zeros((0, self.dimensions), np.float32)

    def embed_query(self, text: str) -> Vectors:
        return self._row(text)

    def _row(self, text: str) -> Vectors:
        row = np.zeros(self.dimensions, np.float32)
        for word in re.findall(r"\w+", text.casefold()):
            row[zlib.crc32(word.encode()) % self.dimensions] += 1
        length = float(np.linalg.norm(row))
        return row / length if length else row


@dataclass(slots=True)
class FakeChat:
    """Answers from a queue of replies (a text, or an error to raise) and remembers every prompt."""

    replies: list[str | ModelError] = field(default_factory=list)
    model_id: str = "fake-chat"
    revision: str = "1"
    parameters_b: float = 1.5
    context_tokens: int = 4096
    prompts: list[Prompt] = field(default_factory=list)

    def complete(
        self, prompt: Prompt, *, on_text: Callable[[str], None] | None = None, interrupted: Interrupted = never
    ) -> Reply:
        self.prompts.append(prompt)
        reply = self.replies.pop(0) if self.replies else ModelError("The fake has no more replies.")
        if isinstance(reply, ModelError):
            raise reply
        if on_text:
            on_text(reply)
        size = len(prompt.system + prompt.user) // 4
        return Reply(
            reply, complete=True, prompt_tokens=size, fresh_prompt_tokens=size, completion_tokens=len(reply) // 4
        )


@dataclass(slots=True)
class FakeCaptioner:
    """Says the same about every picture."""

    reply: str = "A lake."
    model_id: str = "fake-captioner"
    revision: str = "1"
    seen: list[int] = field(default_factory=list)

    def describe(self, pictures: Sequence[Pixels], prompt: Prompt, *, interrupted: Interrupted = never) -> Reply:
        self.seen.append(len(pictures))
        return Reply(self.reply, complete=True)


@dataclass(slots=True)
class FakeModels:
    """A `ModelSet` of whatever is given."""

    chat: ChatModel | None = None
    captioner: Captioner | None = None
    text_embedder: TextEmbedder | None = None
    image_embedder: ImageEmbedder | None = None
    text_reader: None = None
    transcriber: None = None
    faces: Faces | None = None
    scenes: Scenes | None = None

    def former_text_embedder(self, space: str) -> TextEmbedder | None:
        """No other one."""
        return None

    complaints: tuple[str, ...] = ()

    def choose_chat(self, wish: str) -> None:
        """Whatever it is."""

    def look_again(self) -> None:
        """Nothing new."""

    def close(self) -> None:
        """Nothing to end."""


@dataclass(slots=True)
class FakeFaces:
    """Sees a face in each square of a colour (255, n, 0): the face of person number n // 10, never twice quite alike.

    Attributes:
        spread: how far the faces of one person lie apart; at 0.4 their mean cosine is 0.86.
        grow: what makes another model's boxes larger.
    """

    model_id: str = "fake-faces"
    revision: str = "1"
    same_at: float = 0.5
    spread: float = 0.4
    grow: int = 0
    error: Exception | None = None
    likely: list[bool] = field(default_factory=list)

    def find(self, picture: Pixels, *, likely: bool = False) -> tuple[FaceFound, ...]:
        self.likely.append(likely)
        if self.error is not None:
            raise self.error
        found = []
        for number in range(25):
            rows, columns = np.where((picture == (255, number * 10, 0)).all(axis=2))
            if len(rows):
                box = (
                    columns.min() - self.grow,
                    rows.min() - self.grow,
                    columns.max() + 1 + self.grow,
                    rows.max() + 1 + self.grow,
                )
                seed = zlib.crc32(picture.tobytes()) ^ number
                found.append(FaceFound(tuple(map(float, box)), 0.9, self.embedding(number, seed)))  # type: ignore[arg-type]
        return tuple(sorted(found, key=lambda face: face.box))

    def embedding(self, number: int, seed: int) -> tuple[float, ...]:
        """One face of a person."""
        middle = np.random.default_rng(number + len(self.model_id + self.revision)).normal(size=64)
        noise = np.random.default_rng(seed).normal(size=64)
        row = middle / np.linalg.norm(middle) + self.spread * noise / np.linalg.norm(noise)
        return tuple((row / np.linalg.norm(row)).tolist())
