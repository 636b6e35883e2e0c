"""Small fakes of the models: deterministic, without weights, without processes."""

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.errors import ModelError
from core.ports import Captioner, ChatModel, Interrupted, Pixels, Prompt, Reply, TextEmbedder, Vectors, never


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
    image_embedder: None = None
    text_reader: None = None
    transcriber: None = None
    faces: None = None
    scenes: None = None

    def look_again(self) -> None:
        """Nothing new."""

    def close(self) -> None:
        """Nothing to end."""
