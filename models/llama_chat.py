"""The chat role on llama.cpp, the program's side; `models.llama_service` answers in the child."""

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import ModelError
from core.ports import Interrupted, Prompt, Reply, never
from models.hosted import HostedModel


@dataclass(frozen=True, slots=True)
class LlamaChat(HostedModel):
    """A `core.ports.ChatModel` whose weights are in a child process."""

    @property
    def parameters_b(self) -> float:
        """Billions of parameters."""
        return self.entry.parameters_b

    @property
    def context_tokens(self) -> int:
        """Tokens for prompt and reply together."""
        return self.entry.context

    def complete(
        self, prompt: Prompt, *, on_text: Callable[[str], None] | None = None, interrupted: Interrupted = never
    ) -> Reply:
        """Answer the prompt; see `core.ports.ChatModel`."""
        return checked_reply(
            self.host.call(
                self.load, "complete", prompt, timeout_s=time_limit_s(prompt), on_part=on_text, interrupted=interrupted
            )
        )

    def check_grammar(self, grammar: str) -> None:
        """Try a grammar against the model's vocabulary; for a program's start and for tests.

        Raises:
            ModelError: it is not valid GBNF.
        """
        self.host.call(self.load, "check_grammar", grammar, timeout_s=30)


def time_limit_s(prompt: Prompt) -> float:
    """How long a call may take before its child counts as hung: ten times what 2 slow cores were measured to need."""
    return 120 + prompt.max_tokens * 1.0 + len(prompt.system + prompt.user) / 20


def checked_reply(reply: object) -> Reply:
    """A child's answer, if it is one.

    Raises:
        ModelError: it is something else.
    """
    if not isinstance(reply, Reply):
        raise ModelError("The language model's process sent something that is not a reply.", "Try again.")
    return reply
