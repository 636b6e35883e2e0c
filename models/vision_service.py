"""The captioner role on llama.cpp, the child's side: shows pictures to a vision-language model through its projector.

Written for the generic handler of llama-cpp-python 0.3.36, which uses the chat template inside the weights (SmolVLM2, Qwen3-VL,
LFM2.5-VL alike). Weights and projector are one catalogue entry: a projector of another model is not noticed by the library.
"""

import base64
import io
import re
from collections.abc import Sequence
from typing import Any

from llama_cpp import Llama, llama_log_callback, mtmd_cpp
from llama_cpp.llama_chat_format import MTMDChatHandler
from PIL import Image

from core.child import ChildLink
from core.errors import ModelError, ModelUnreadableError
from core.ports import Pixels, Prompt, Reply
from models.grammar_sampler import TokenPicker
from models.llama_runtime import load_llama, uses_gpu
from models.llama_service import ChatService

_EDGE_ONE, _EDGE_MANY, _EDGE_ON_GPU = 640, 448, 1024
"""Longest edge that is shown. The time grows faster than the pixels: 13 s at 448, 32 s at 768, 62 s at 1024 (measured, one core)."""


def load(
    link: ChildLink, model_id: str, path: str, projector: str, context_tokens: int, gpu: str = "none"
) -> "VisionService":
    """The factory of the child's service; it answers `complete` as well, so that one model in memory plays both roles."""
    _silence()
    try:
        handler = MTMDChatHandler(clip_model_path=projector, verbose=False, use_gpu=uses_gpu(gpu))
        llama = load_llama(model_id, path, context_tokens, handler, gpu)
        handler._init_mtmd_context(llama)  # now, so that a bad projector is an error of loading
    except ValueError as error:
        raise ModelUnreadableError(
            f"The picture part of {model_id} cannot be loaded: {error}.",
            f"Check it with: madeleine models check; fetch it again with: madeleine models get {model_id}",
        ) from error
    return VisionService(link, llama, handler)


class VisionService(ChatService):
    """The child's side: one model, one prompt at a time."""

    def __init__(self, link: ChildLink, llama: Llama, handler: MTMDChatHandler) -> None:
        super().__init__(link, llama)
        self._handler = handler

    def describe(self, pictures: Sequence[Pixels], prompt: Prompt) -> Reply:
        """Look at the pictures, then write token by token."""
        edge = _EDGE_ON_GPU if self.is_on_gpu() else _EDGE_ONE if len(pictures) == 1 else _EDGE_MANY
        content: list[dict[str, Any]] = [  # the library's message parts are a union of typed dicts
            {"type": "image_url", "image_url": {"url": _data_uri(picture, edge)}} for picture in pictures
        ]
        # System and user text in one part: some templates (SmolVLM2) drop a system message that is plain text.
        content.append({"type": "text", "text": self._plain(f"{prompt.system}\n\n{prompt.user}".strip())})
        picker = TokenPicker(self._llama, prompt.grammar, prompt.temperature)
        try:
            seen = self._show([{"role": "user", "content": content}], prompt.max_tokens)
            text, written, is_complete = self._write(picker, prompt.max_tokens)
        finally:
            picker.close()
            self._reader.forget()  # ids at the pictures' places mean nothing to the next prompt
        return Reply(text, is_complete, seen, seen, written)

    def is_on_gpu(self) -> bool:
        """Whether a graphics card holds the weights."""
        return bool(self._llama.model_params.n_gpu_layers)

    def _show(self, messages: list[Any], max_tokens: int) -> int:  # messages as the library types them: a union
        """Let the model read pictures and text; returns how many tokens that were.

        The handler reads at once and would write lazily: with `stream` nothing is written until its result is iterated,
        which never happens, because the reply is written by `_write` within a grammar that has been checked.
        """
        try:
            self._handler(
                llama=self._llama, messages=messages, stream=True, max_tokens=max_tokens, enable_thinking=False
            )
        except ValueError as error:
            raise ModelError(f"The model cannot look at these pictures: {error}.", "Use fewer pictures.") from error
        self._refuse_too_long(self._llama.n_tokens, max_tokens)
        return int(self._llama.n_tokens)

    def _plain(self, text: str) -> str:
        """Text without control tokens and picture marks: words from a photo must not end a turn or stand for a picture."""
        data = text.encode("utf-8", "replace")
        marker = mtmd_cpp.mtmd_default_marker().decode("utf-8")
        as_text = self._llama.tokenize(data, add_bos=False, special=False)
        if marker not in text and as_text == self._llama.tokenize(data, add_bos=False, special=True):
            return text
        return re.sub(r"[<\[]", "(", text)


def _data_uri(picture: Pixels, edge: int) -> str:
    """The only form in which pictures are handed over: the library would open any other address, also on the internet."""
    image = Image.fromarray(picture)
    image.thumbnail((edge, edge), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode("ascii")


@llama_log_callback  # type: ignore[untyped-decorator]
def _say_nothing(level: int, text: bytes, _user_data: Any) -> None:  # Any: a pointer of ctypes
    """Kept at module level: the library holds only a pointer to it."""


def _silence() -> None:
    """The library prints the whole prompt to stderr, also when told to be quiet (measured)."""
    mtmd_cpp.mtmd_log_set(_say_nothing, None)
    mtmd_cpp.mtmd_helper_log_set(_say_nothing, None)
