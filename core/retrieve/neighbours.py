"""Lets memories of one moment support each other: what was captured within the hour of a good hit is likelier to be meant."""

from collections.abc import Sequence
from datetime import timedelta

from core.records import CapturedMemory

CONSIDERED = 60
"""How many of the best hits are looked at; what ranks lower is too weak to support or to be lifted into view."""
_SHARE = 0.15
"""How much of its neighbours' scores a memory gains: the first of 0.1, 0.15 and 0.3 that helps the camera rolls without loss on
the longer synthetic libraries (tests/bench/RESULTS.md)."""
_NEAR = timedelta(hours=1)
_SUPPORTERS = 3


def supported(ranked: Sequence[tuple[str, float]], memories: Sequence[CapturedMemory]) -> list[tuple[str, float]]:
    """The ranking with each of the memories lifted by its best neighbours in time; undated memories and the rest stay.

    Args:
        ranked: (id, score), best first.
        memories: those of the first `CONSIDERED` ids.
    """
    scores = dict(ranked)
    walls = {memory.id: memory.taken.wall for memory in memories if memory.taken.wall and not memory.taken.day_only}
    lifted = dict(scores)
    for memory_id, wall in walls.items():
        beside = (scores[other] for other, time in walls.items() if other != memory_id and abs(time - wall) <= _NEAR)
        lifted[memory_id] += _SHARE * sum(sorted(beside, reverse=True)[:_SUPPORTERS])
    return sorted(lifted.items(), key=lambda pair: -pair[1])
