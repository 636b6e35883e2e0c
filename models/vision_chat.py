"""The captioner role on llama.cpp, the program's side; `models.vision_service` answers in the child."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import ModelError
from core.ports import Interrupted, Pixels, Prompt, Reply, never
from models.hosted import HostedModel
from models.llama_chat import checked_reply, time_limit_s

MOST_PICTURES = 10
_EDGE_ON_PROCESSOR, _EDGE_ON_GPU = 448, 1024
"""The time grows faster than the pixels: 13 s at 448, 32 s at 768, 62 s at 1024 (measured, one core)."""

_LEAST_FOR_TWO_B = 2.0
"""Smaller models mix up what they see in two pictures (their makers give no figures for several)."""

_SECONDS_A_PICTURE = 120.0


@dataclass(frozen=True, slots=True)
class LlamaCaptioner(HostedModel):
    """A `core.ports.Captioner` whose weights are in a child process."""

    def picture_edge(self) -> int:
        """See `core.ports.WideCaptioner`; the child knows where its weights are."""
        on_gpu = self.host.call(self.load, "is_on_gpu", timeout_s=_SECONDS_A_PICTURE)
        return _EDGE_ON_GPU if on_gpu is True else _EDGE_ON_PROCESSOR

    @property
    def most_pictures(self) -> int:
        """See `core.ports.WideCaptioner`."""
        return MOST_PICTURES

    @property
    def takes_portrait(self) -> bool:
        """See `core.ports.WideCaptioner`."""
        return self.entry.parameters_b >= _LEAST_FOR_TWO_B

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
