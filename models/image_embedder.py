"""The image embedder role on SigLIP's two networks: `OnnxImageEmbedder` asks from the program, `PictureService` and `TextService` answer.

One network sees pictures, the other reads text, into the same space. They are loaded apart: the second has three times the
weight and is only wanted while somebody searches.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.child import ChildLink
from core.errors import JobCancelled, ModelError, ModelUnreadableError
from core.ports import Interrupted, Pixels, Vectors, never
from models.host import Load
from models.hosted import HostedModel

EDGE = 224
_TIMEOUT_S = 60.0
_SECONDS_A_PICTURE = 10.0
_EMBEDDING, _HIDDEN = ("pooler_output", "image_embeds", "text_embeds"), "last_hidden_state"
_PAD = "<pad>"
_FLOATS = {"tensor(float)": np.float32, "tensor(float16)": np.float16}


@dataclass(frozen=True, slots=True)
class OnnxImageEmbedder(HostedModel):
    """A `core.ports.ImageEmbedder` whose networks are in a child process; `load` is the one that sees pictures."""

    text_load: Load

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self.entry.dimensions

    @property
    def same_scene(self) -> float:
        """See `core.ports.ImageEmbedder`."""
        return self.entry.same_scene

    @property
    def fits_text(self) -> float:
        """See `core.ports.ImageEmbedder`."""
        return self.entry.fits_text

    def embed_pictures(self, pictures: Sequence[Pixels], *, interrupted: Interrupted = never) -> Vectors:
        """One row a picture, in order; see `core.ports.ImageEmbedder`."""
        if not pictures:
            return np.zeros((0, self.dimensions), np.float32)
        timeout_s = _TIMEOUT_S + _SECONDS_A_PICTURE * len(pictures)
        given = [np.ascontiguousarray(each) for each in pictures]
        return self._checked(
            self.host.call(self.load, "embed_pictures", given, timeout_s=timeout_s, interrupted=interrupted), len(given)
        )

    def embed_text(self, text: str) -> Vectors:
        """One row of shape (1, dimensions)."""
        return self._checked(self.host.call(self.text_load, "embed_text", text, timeout_s=_TIMEOUT_S), 1)

    def _checked(self, vectors: object, rows: int) -> Vectors:
        if (
            not isinstance(vectors, np.ndarray)
            or vectors.shape != (rows, self.dimensions)
            or not np.isfinite(vectors).all()
        ):
            raise ModelError(
                f"The embedder {self.model_id} sent something that is not a vector a picture.", "Try again."
            )
        return vectors


def load_pictures(link: ChildLink, model_id: str, network: str) -> "PictureService":
    """The factory of the child's service that sees."""
    return PictureService(link, model_id, network)


def load_text(link: ChildLink, model_id: str, network: str, tokenizer: str, tokens: int) -> "TextService":
    """The factory of the child's service that reads."""
    return TextService(model_id, network, tokenizer, tokens)


class PictureService:
    """The child's side for pictures: squeezed to the network's square, one a run, so that no vector depends on its neighbours."""

    def __init__(self, link: ChildLink, model_id: str, network: str) -> None:
        from models.onnx_session import open_session

        self._link = link
        self._session = open_session(model_id, network)
        self._output = _output(self._session, model_id)
        (put,) = self._session.get_inputs()
        self._name, self._float = put.name, _FLOATS[put.type]

    def embed_pictures(self, pictures: Sequence[Pixels]) -> Vectors:
        """One row a picture."""
        rows = []
        for picture in pictures:
            if self._link.interrupted():
                raise JobCancelled
            rows.append(self._one(picture))
        return np.stack(rows)

    def close(self) -> None:
        """Nothing to free by hand."""

    def _one(self, picture: Pixels) -> NDArray[np.float32]:
        from PIL import Image

        small = Image.fromarray(picture).resize((EDGE, EDGE), Image.Resampling.BILINEAR)
        scaled = np.asarray(small, np.float32) / 127.5 - 1  # half the range on either side of grey
        given = scaled.transpose(2, 0, 1)[np.newaxis].astype(self._float)
        return _unit(self._session.run([self._output], {self._name: given})[0][0])


class TextService:
    """The child's side for text: lower case, padded to the length the network was trained with."""

    def __init__(self, model_id: str, network: str, tokenizer: str, tokens: int) -> None:
        from tokenizers import Tokenizer

        from models.onnx_session import open_session

        try:
            self._tokenizer = Tokenizer.from_file(tokenizer)
        except Exception as error:
            raise ModelUnreadableError(
                f"The tokenizer of {model_id} cannot be read: {error}.", f"Run: madeleine models get {model_id}"
            ) from error
        self._tokenizer.enable_truncation(tokens)
        self._tokenizer.enable_padding(length=tokens, pad_id=self._tokenizer.token_to_id("<pad>") or 0, pad_token=_PAD)
        self._session = open_session(model_id, network)
        self._output = _output(self._session, model_id)
        self._inputs = {put.name for put in self._session.get_inputs()}

    def embed_text(self, text: str) -> Vectors:
        """One row."""
        encoded = self._tokenizer.encode(text.lower())
        # The network was trained to look at the padding too; where it still asks for a mask, that is all ones.
        ids = np.array([encoded.ids], np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        found = self._session.run([self._output], {name: feeds[name] for name in self._inputs})[0][0]
        return _unit(found)[np.newaxis]

    def close(self) -> None:
        """Nothing to free by hand."""


def _output(session: object, model_id: str) -> str:
    """The name of the output that is the embedding.

    Raises:
        ModelUnreadableError: the network has none: it is another kind of network.
    """
    names = [put.name for put in session.get_outputs()]  # type: ignore[attr-defined]  # onnxruntime has no types
    found = [name for name in _EMBEDDING if name in names] or [name for name in names if name != _HIDDEN]
    if not found:
        raise ModelUnreadableError(
            f"The network of {model_id} gives no embedding.", f"Run: madeleine models get {model_id}"
        )
    return found[0]


def _unit(values: NDArray[np.generic]) -> NDArray[np.float32]:
    wide = np.asarray(values, np.float32).reshape(-1)
    vector: NDArray[np.float32] = wide / max(float(np.linalg.norm(wide)), 1e-12)
    return vector
