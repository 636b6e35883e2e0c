"""Numbers of things are said in the singular, the plural, or as none."""

import pytest

from core.counted import counted


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (1, "memory", "1 memory"),
        (2, "memory", "2 memories"),
        (0, "event", "no events"),
        (2, "person", "2 people"),
        (3, "city", "3 cities"),
    ],
)
def test_things_are_counted_as_one_says_it(number: int, noun: str, said: str) -> None:
    assert counted(number, noun) == said


def test_none_may_be_said_as_a_number() -> None:
    assert counted(0, "problem", "0") == "0 problems"
