"""Every word exchanged with the language model in one turn: asks, parses, asks once more, and counts tokens."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from core.errors import ModelError, ReplyError
from core.ports import ChatModel, Interrupted, Prompt

_Parsed = TypeVar("_Parsed")

SMALL_MODEL_LINES, LARGE_MODEL_LINES = 12, 25
_LARGE_B = 4.0


@dataclass(slots=True)
class Talk:
    """The conversation of one turn with the chat model, which may be absent.

    Attributes:
        failure: why the model was given up in this turn; the answer says it. Empty while all is well.
    """

    chat: ChatModel | None
    interrupted: Interrupted
    calls: int = 0
    prompt_tokens: int = 0
    fresh_prompt_tokens: int = 0
    completion_tokens: int = 0
    failure: str = ""

    @property
    def is_able(self) -> bool:
        """Whether there is a model that may be asked."""
        return self.chat is not None and not self.failure

    @property
    def name(self) -> str:
        """The model's id where it said anything in this turn, else empty."""
        return self.chat.model_id if self.chat and self.calls else ""

    @property
    def evidence_lines(self) -> int:
        """How many lines of evidence the model may read (design, section 7)."""
        return LARGE_MODEL_LINES if self.chat and self.chat.parameters_b >= _LARGE_B else SMALL_MODEL_LINES

    def ask(
        self, prompt: Prompt, parse: Callable[[str], _Parsed], on_text: Callable[[str], None] | None = None
    ) -> _Parsed:
        """The model's parsed reply; a reply that does not fit is asked for once more, less strictly at temperature 0.

        Raises:
            ReplyError: the second reply does not fit either, or the model failed (then `failure` says why).
            JobCancelled: the turn was interrupted.
        """
        try:
            return parse(self._complete(prompt, on_text))
        except ReplyError:
            return parse(self._complete(replace(prompt, temperature=0.4), None))

    def _complete(self, prompt: Prompt, on_text: Callable[[str], None] | None) -> str:
        if self.chat is None or self.failure:
            raise ReplyError("There is no language model to ask.")
        try:
            reply = self.chat.complete(prompt, on_text=on_text, interrupted=self.interrupted)
        except ModelError as error:
            self.failure = str(error)
            raise ReplyError(f"The language model failed: {error}") from error
        self.calls += 1
        self.prompt_tokens += reply.prompt_tokens
        self.fresh_prompt_tokens += reply.fresh_prompt_tokens
        self.completion_tokens += reply.completion_tokens
        if not reply.complete:
            raise ReplyError("The language model's reply was cut off.")
        return reply.text
