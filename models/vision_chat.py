"""The captioner role on llama.cpp, the program's side; `models.vision_service` answers in the child."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import ModelError
from core.ports import Interrupted, Pixels, Prompt, Reply, never
from models.hosted import HostedModel
from models.llama_chat import checked_reply, time_limit_s

MOST_PICTURES = 6
_SECONDS_A_PICTURE = 120.0


@dataclass(frozen=True, slots=True)
class LlamaCaptioner(HostedModel):
    """A `core.ports.Captioner` whose weights are in a child process."""

    def describe(self, pictures: Sequence[Pixels], prompt: Prompt, *, interrupted: Interrupted = never) -> Reply:
        """Answer the prompt about the pictures; see `core.ports.Captioner`."""
        if not 1 <= len(pictures) <= MOST_PICTURES:
            raise ModelError(
                f"{self.model_id} looks at one to {MOST_PICTURES} pictures at a time, not {len(pictures)}."
            )
        sent = [np.ascontiguousarray(picture) for picture in pictures]
        timeout_s = time_limit_s(prompt) + _SECONDS_A_PICTURE * len(sent)
        return checked_reply(
            self.host.call(self.load, "describe", sent, prompt, timeout_s=timeout_s, interrupted=interrupted)
        )
