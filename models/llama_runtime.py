"""Loads a GGUF model and speaks to it in tokens: chat template, prompt reading with reuse, token pieces. Runs in the child.

Only one thread ever uses a model: two abort the process (measured).
"""

import ctypes
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import llama_cpp
from llama_cpp import Llama
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from core.errors import JobCancelled, ModelUnreadableError
from models.machine import inference_threads

log = logging.getLogger(__name__)

_CHUNK = 128
"""Prompt tokens read between two questions whether to stop: two seconds at 65 tokens a second (measured; 512 reads 67)."""

_KEPT_PREFIXES = 4
_WORTH_RESTORING = 24
_SYSTEM, _USER = "@@MADELEINE-SYSTEM@@", "@@MADELEINE-USER@@"


def load_llama(
    model_id: str, path: str, context_tokens: int, chat_handler: Any = None, gpu: str = "none"
) -> Llama:  # Any: an untyped library
    """Load the weights.

    Args:
        gpu: `none`; `all` of the layers onto the graphics card; `auto` does so where the runtime was built for one and it has
            room, and otherwise says in the log that the processor does the work.

    Raises:
        ModelUnreadableError: the runtime refuses the file.
    """
    if gpu == "auto" and uses_gpu(gpu):
        try:
            return load_llama(model_id, path, context_tokens, chat_handler, "all")
        except ModelUnreadableError as error:
            log.warning("the processor runs %s, the graphics card does not: %s", model_id, error)
            gpu = "none"
    threads = inference_threads()
    try:
        return Llama(
            model_path=path,
            chat_handler=chat_handler,
            n_ctx=context_tokens,
            n_batch=1024,
            n_ubatch=512 if chat_handler is None else 1024,  # image tokens must fit one micro-batch
            n_gpu_layers=-1 if uses_gpu(gpu) else 0,
            n_threads=threads,
            n_threads_batch=threads,
            flash_attn=True,  # less memory at the same speed, also on a CPU (measured)
            seed=1,
            verbose=False,
        )
    except (ValueError, RuntimeError, OSError) as error:
        raise ModelUnreadableError(
            f"The weights of {model_id} cannot be loaded: {error}.",
            f"Check them with: madeleine models check; fetch them again with: madeleine models get {model_id}",
        ) from error


def uses_gpu(gpu: str) -> bool:
    """Whether layers go onto a graphics card: as the person set it, or by what the runtime was built for."""
    return gpu == "all" or (gpu == "auto" and bool(llama_cpp.llama_supports_gpu_offload()))


@dataclass(frozen=True, slots=True)
class PromptTokens:
    """A prompt as tokens; the first `system_end` of them are the same for every call with the same system text."""

    tokens: tuple[int, ...]
    system_end: int


class ChatTemplate:
    """The model's own chat template, filled in without letting the text act as template.

    The words of a photo or a question are tokenized as plain text: a `<|im_end|>` in them stays eleven characters and cannot
    end the person's turn.
    """

    def __init__(self, llama: Llama) -> None:
        self._llama = llama
        self._formatter = Jinja2ChatFormatter(
            template=llama.metadata.get("tokenizer.chat_template") or _CHATML,
            bos_token=_token_text(llama, llama.token_bos()),
            eos_token=_token_text(llama, llama.token_eos()),
        )
        self._with_system = self._rendered([{"role": "system", "content": _SYSTEM}, {"role": "user", "content": _USER}])
        self._without_system = self._rendered([{"role": "user", "content": _USER}])

    def tokens(self, system: str, user: str) -> PromptTokens:
        """The whole prompt, ready for the reply."""
        rendered = self._with_system if system else self._without_system
        before_user, _, after_user = rendered.partition(_USER)
        before_system, found, after_system = before_user.partition(_SYSTEM)
        head = self._frame(before_system)
        if found:
            head += self._text(system) + self._frame(after_system)
        tokens = head + self._text(user) + self._frame(after_user)
        return PromptTokens(tuple(tokens), len(head))

    def _rendered(self, messages: list[Any]) -> str:  # messages as llama-cpp-python types them: a union of ten
        prompt: str = self._formatter(messages=messages, enable_thinking=False).prompt
        return prompt

    def _frame(self, text: str) -> list[int]:
        return self._llama.tokenize(text.encode("utf-8"), add_bos=False, special=True) if text else []

    def _text(self, text: str) -> list[int]:
        return self._llama.tokenize(text.encode("utf-8", "replace"), add_bos=False, special=False) if text else []


class PromptReader:
    """Lets the model read prompts, and skips what it has read before.

    Besides the prompt that is in memory now, the state after each of the last few system texts is kept: augmenting a
    question and answering it alternate between two of them, and reading 300 tokens again costs four seconds on 2 cores.
    """

    def __init__(self, llama: Llama) -> None:
        self._llama = llama
        self._kept: list[tuple[tuple[int, ...], Any]] = []  # the state is a ctypes array of bytes

    def read(self, prompt: PromptTokens, interrupted: Callable[[], bool]) -> int:
        """Read a prompt to its end; returns how many tokens had to be read afresh.

        Raises:
            JobCancelled: `interrupted` said so between two chunks; what was read stays useful.
        """
        tokens = prompt.tokens
        reused = min(self._in_memory(tokens), len(tokens) - 1)
        kept = next((held for held in self._kept if tokens[: len(held[0])] == held[0]), None)
        if kept is not None and len(kept[0]) - reused >= _WORTH_RESTORING and len(kept[0]) < len(tokens):
            reused = self._restore(*kept)
        reused = self._cut(reused)
        for end in _stops(reused, prompt.system_end, len(tokens)):
            if interrupted():
                raise JobCancelled
            self._llama.eval(tokens[self._llama.n_tokens : end])
            if end == prompt.system_end:
                self._keep(tokens[:end])
        return len(tokens) - reused

    def forget(self) -> None:
        """Start from nothing: pictures leave token ids behind that mean something else."""
        self._llama.reset()  # type: ignore[no-untyped-call]
        self._llama._ctx.kv_cache_clear()  # type: ignore[no-untyped-call]

    def _in_memory(self, tokens: Sequence[int]) -> int:
        held = self._llama.input_ids[: self._llama.n_tokens]
        same = 0
        for ours, theirs in zip(held.tolist(), tokens, strict=False):
            if ours != theirs:
                break
            same += 1
        return same

    def _cut(self, length: int) -> int:
        """Drop what was read after `length` tokens; some hybrid models cannot, and start over."""
        if length < self._llama.n_tokens and not self._llama._ctx.kv_cache_seq_rm(-1, length, -1):
            self.forget()
            return 0
        self._llama.n_tokens = length
        return length

    def _keep(self, tokens: tuple[int, ...]) -> None:
        if len(tokens) < _WORTH_RESTORING or any(held == tokens for held, _ in self._kept):
            return
        context = self._llama.ctx
        size = llama_cpp.llama_state_seq_get_size(context, 0)
        state = (ctypes.c_uint8 * size)()
        if llama_cpp.llama_state_seq_get_data(context, state, size, 0) == size:
            self._kept = [(tokens, state), *self._kept][:_KEPT_PREFIXES]

    def _restore(self, tokens: tuple[int, ...], state: Any) -> int:  # Any: see __init__
        self.forget()
        if not llama_cpp.llama_state_seq_set_data(self._llama.ctx, state, len(state), 0):
            log.warning("a kept prompt could not be restored")
            self.forget()
            return 0
        self._llama.input_ids[: len(tokens)] = tokens
        self._llama.n_tokens = len(tokens)
        return len(tokens)


def token_bytes(llama: Llama, token: int) -> bytes:
    """What a token adds to the text; control tokens add nothing."""
    size = 64
    while True:
        buffer = ctypes.create_string_buffer(size)
        written = llama_cpp.llama_token_to_piece(llama._model.vocab, token, buffer, size, 0, False)
        if written >= 0:
            return buffer.raw[:written]
        size = -written


def ends_reply(llama: Llama, token: int) -> bool:
    """Whether a token is one that ends the reply."""
    return bool(llama_cpp.llama_vocab_is_eog(llama._model.vocab, token))


def _stops(start: int, system_end: int, end: int) -> list[int]:
    """Where reading pauses: every `_CHUNK` tokens, at the end of the system text and at the end."""
    stops = set(range(start + _CHUNK, end, _CHUNK)) | {end}
    if start < system_end < end:
        stops.add(system_end)
    return sorted(stops)


def _token_text(llama: Llama, token: int) -> str:
    if token < 0:
        return ""
    text: bytes = llama_cpp.llama_vocab_get_text(llama._model.vocab, token) or b""
    return text.decode("utf-8", "replace")


_CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
