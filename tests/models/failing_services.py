"""A service for a host's child that fails in the way its load says, whatever it is asked for."""

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from core.child import ChildLink

GARBAGE: dict[str, Any] = {  # whatever a broken library may hand back
    "nothing": None,
    "a number": 7,
    "a dictionary": {"nonsense": 1},
    "a list of texts": ["no", "vector", "no", "line"],
    "an empty array": np.zeros((0, 3), np.float32),
    "not numbers": np.full((1, 384), np.nan, np.float32),
}


def load(link: ChildLink, way: str) -> "FailingService":
    """The factory."""
    return FailingService(way)


class FailingService:
    """Aborts, hangs or answers garbage."""

    def __init__(self, way: str) -> None:
        self._way = way

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return self._fail

    def _fail(self, *args: object) -> Any:  # as in GARBAGE
        if self._way == "abort":
            os.abort()
        if self._way == "hang":
            time.sleep(600)
        return GARBAGE[self._way]
