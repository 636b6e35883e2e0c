"""Memories of one moment support each other in a ranking."""

from datetime import datetime

from core.records import CapturedMemory, Taken
from core.retrieve.neighbours import supported


def at(memory_id: str, time: str | None, *, day_only: bool = False) -> CapturedMemory:
    taken = Taken(datetime.fromisoformat(time), day_only=day_only) if time else Taken()
    return CapturedMemory(id=memory_id, public_id=memory_id, taken=taken)


def order(ranked: list[tuple[str, float]], *memories: CapturedMemory) -> list[str]:
    return [memory_id for memory_id, _ in supported(ranked, memories)]


def test_a_memory_beside_good_hits_passes_one_that_stands_alone() -> None:
    ranked = [("best", 1.0), ("alone", 0.52), ("beside", 0.5)]

    assert order(
        ranked, at("best", "2024-05-01T10:00"), at("alone", "2024-07-01T10:00"), at("beside", "2024-05-01T10:40")
    ) == [
        "best",
        "beside",
        "alone",
    ]


def test_an_hour_later_is_another_moment_and_a_bare_day_is_none() -> None:
    ranked = [("best", 1.0), ("alone", 0.52), ("later", 0.5), ("day", 0.5)]
    memories = (
        at("best", "2024-05-01T10:00"),
        at("alone", "2024-07-01T10:00"),
        at("later", "2024-05-01T11:01"),
        at("day", "2024-05-01T10:00", day_only=True),
    )

    assert order(ranked, *memories) == ["best", "alone", "later", "day"]


def test_undated_memories_and_those_not_looked_at_keep_their_score() -> None:
    ranked = [("a", 1.0), ("undated", 0.9), ("far", 0.1)]

    assert supported(ranked, [at("a", "2024-05-01T10:00"), at("undated", None)]) == ranked
