"""Estimates how long the rest of a stage will take, from its latest items."""

import time
from collections import deque
from collections.abc import Callable

_WINDOW = 50
_ENOUGH = 3


class Pace:
    """A moving average over the last fifty items."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends: deque[float] = deque([clock()], maxlen=_WINDOW + 1)

    def item_done(self) -> None:
        """Count one more."""
        self._ends.append(self._clock())

    def seconds_left(self, items: int) -> float | None:
        """Seconds for so many more items; None until three were done."""
        done = len(self._ends) - 1
        if done < _ENOUGH:
            return None
        return (self._ends[-1] - self._ends[0]) / done * items
