"""What the core needs from the outside: one Protocol per model role, and the vector index.

`models/` implements the roles, `core/store` the index; tests use fakes. Nothing here computes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.records import FaceFound, SceneLabel, TextLine, Transcript

Pixels = NDArray[np.uint8]
"""An upright RGB picture, shape (height, width, 3)."""

Vectors = NDArray[np.float32]
"""Unit-length rows, shape (n, dimensions)."""

Interrupted = Callable[[], bool]
"""Asked between tokens and batches; True means: stop now, something more urgent waits or the person cancelled."""


def never() -> bool:
    """The `Interrupted` of work that nothing may stop."""
    return False


class Model(Protocol):
    """What every role can say about itself; stored with each result it makes."""

    @property
    def model_id(self) -> str:
        """The catalogue's id."""

    @property
    def revision(self) -> str:
        """The pinned revision of the weights; a different revision never mixes with this one's results."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One call of a chat model.

    Attributes:
        grammar: GBNF that bounds the reply; empty means free text. Never built from a person's or a picture's text.
        max_tokens: must be enough for the longest reply that the grammar allows; a cut reply is an error.
        version: of prompt and grammar together, stored with the result.
    """

    system: str
    user: str
    version: str
    grammar: str = ""
    max_tokens: int = 256
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a chat model wrote. `fresh_prompt_tokens` are those not served from the prompt cache."""

    text: str
    complete: bool
    prompt_tokens: int = 0
    fresh_prompt_tokens: int = 0
    completion_tokens: int = 0


class ChatModel(Model, Protocol):
    """A language model that follows a prompt."""

    @property
    def parameters_b(self) -> float:
        """Size in billions of parameters; decides how much evidence it may read and whether it may plan."""

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and reply may have together."""

    def complete(
        self, prompt: Prompt, *, on_text: Callable[[str], None] | None = None, interrupted: Interrupted = never
    ) -> Reply:
        """Answer the prompt; `on_text` gets each piece as it is written.

        Raises:
            JobCancelled: `interrupted` said so.
            ModelError: crashed twice, timed out, or the prompt does not fit the context.
        """


class Captioner(Model, Protocol):
    """A vision-language model."""

    def describe(self, pictures: Sequence[Pixels], prompt: Prompt, *, interrupted: Interrupted = never) -> Reply:
        """Answer the prompt about up to six pictures. Raises as `ChatModel.complete`."""


@runtime_checkable
class WideCaptioner(Captioner, Protocol):
    """A vision-language model that says how much it can look at."""

    def picture_edge(self) -> int:
        """The long edge, in pixels, at which it is best shown a picture on this machine; may load it. Raises as `describe`."""

    @property
    def most_pictures(self) -> int:
        """How many pictures it can look at in one call."""

    @property
    def takes_portrait(self) -> bool:
        """Whether it can tell a second picture apart from the one it is asked about."""


class TextEmbedder(Model, Protocol):
    """Turns text into vectors whose dot product is closeness of meaning."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes of the languages it knows; empty means many."""

    def embed_passages(self, texts: Sequence[str], *, interrupted: Interrupted = never) -> Vectors:
        """One row a text, in order; equal to embedding them one by one."""

    def embed_query(self, text: str) -> Vectors:
        """One row, made for finding passages."""


class ImageEmbedder(Model, Protocol):
    """Turns pictures and texts into vectors of one space."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    @property
    def same_scene(self) -> float:
        """Cosine of two pictures below which they are not one scene; every model has a scale of its own."""

    @property
    def fits_text(self) -> float:
        """Cosine of a text and a picture below which the picture does not show it."""

    def embed_pictures(self, pictures: Sequence[Pixels], *, interrupted: Interrupted = never) -> Vectors:
        """One row a picture, in order; equal to embedding them one by one."""

    def embed_text(self, text: str) -> Vectors:
        """One row, for finding pictures that look like the text."""


class TextReader(Model, Protocol):
    """Reads the text that is visible in a picture."""

    @property
    def scripts(self) -> tuple[str, ...]:
        """Names of the scripts whose letters it knows ("Latin", "Chinese"), for the person."""

    def read(self, picture: Pixels) -> tuple[TextLine, ...]:
        """Lines in reading order; empty when there is no text, which is a result. A line without text was found and not read."""


class Transcriber(Model, Protocol):
    """Writes down speech."""

    def transcribe(self, samples: NDArray[np.float32], *, interrupted: Interrupted = never) -> Transcript:
        """Samples are mono, 16,000 a second, -1 to 1. Silence, noise and music give no segments."""


class Faces(Model, Protocol):
    """Finds faces and gives each an embedding."""

    @property
    def same_at(self) -> float:
        """Cosine of two embeddings from which they are rather one person than two."""

    def find(self, picture: Pixels, *, likely: bool = False) -> tuple[FaceFound, ...]:
        """Faces from left to right, boxes in pixels of the picture. `likely`: look longer, people are probably there."""


class Scenes(Model, Protocol):
    """Says what kind of thing or scene a picture shows."""

    def label(self, picture: Pixels) -> tuple[SceneLabel, ...]:
        """Labels above the model's gate, most likely first; empty when unsure."""


class ModelSet(Protocol):
    """The installed models by role; None where the role has none. A model is loaded at its first use, not here."""

    @property
    def chat(self) -> ChatModel | None: ...
    @property
    def captioner(self) -> Captioner | None: ...
    @property
    def text_embedder(self) -> TextEmbedder | None: ...
    @property
    def image_embedder(self) -> ImageEmbedder | None: ...
    @property
    def text_reader(self) -> TextReader | None: ...
    @property
    def transcriber(self) -> Transcriber | None: ...
    @property
    def faces(self) -> Faces | None: ...
    @property
    def scenes(self) -> Scenes | None: ...

    def former_text_embedder(self, space: str) -> TextEmbedder | None:
        """The installed embedder of a vector space (`ID@REVISION`), though another is used by now; None where it is gone."""

    def look_again(self) -> None:
        """Take in models that were installed or removed since the program began."""

    def choose_chat(self, wish: str) -> None:
        """Use this language model from the next call on: `auto`, `none` or an id. Raises AppError when that cannot be."""

    @property
    def complaints(self) -> tuple[str, ...]:
        """What the person chose and cannot be used now, in sentences; the role does without until it can."""

    def close(self) -> None:
        """End every child process."""


@dataclass(frozen=True, slots=True)
class Near:
    """A vector found: the id of its owner and the cosine similarity (-1 to 1)."""

    owner_id: str
    similarity: float


class VectorIndex(Protocol):
    """Finds the nearest vectors of one kind. Rebuildable from the store at any time; never the truth.

    Contract, tested alike for every implementation: recall@50 of at least 0.99 unfiltered, exact when `among` is given;
    results best first; `put` of a known id replaces it.
    """

    def put(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Add or replace; all of the index's dimensions."""

    def remove(self, owner_ids: Sequence[str]) -> None:
        """Forget; unknown ids are ignored."""

    def nearest(self, vector: NDArray[np.float32], k: int, among: Sequence[str] | None = None) -> list[Near]:
        """The k nearest, only `among` these ids where given. An empty index gives an empty list."""

    def ids(self) -> frozenset[str]:
        """Every id held."""

    def vectors(self, owner_ids: Sequence[str] | None = None) -> Mapping[str, NDArray[np.float32]]:
        """The vectors held, of all owners or of these; unknown ids are left out."""

    def clear(self) -> None:
        """Forget everything."""


class VectorIndexes(Protocol):
    """One index per kind of vector and model: `memory`, `event`, `knowledge`, `context`."""

    def index(self, kind: str, model_id: str, dimensions: int) -> VectorIndex:
        """The index of a kind, created when new."""

    def spaces(self) -> list[tuple[str, str, int]]:
        """(kind, model id, dimensions) of every index there is."""

    @property
    def is_trusted(self) -> bool:
        """Whether the indexes hold what was last put into them; False after a kill, when they must be compared."""

    def close(self) -> None:
        """Let go of files and processes."""
