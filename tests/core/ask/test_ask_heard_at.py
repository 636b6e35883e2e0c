"""Answers from speech say at what time it is said."""

import pytest

from core.ask.heard_at import heard_at
from core.records import SpokenSegment, Transcript

_NOTE = Transcript(
    (SpokenSegment(0.0, 3.0, "Hello, it is me."), SpokenSegment(65.5, 70.0, "The code of my bike lock is 4712.")), "en"
)


def test_the_stretch_that_shares_most_words_with_the_answer_is_found() -> None:
    found = heard_at(_NOTE, "What is the code of my bike lock? It is 4712.")

    assert found is not None
    assert found.clock == "1:05"


def test_no_time_is_said_where_no_word_is_shared() -> None:
    assert heard_at(_NOTE, "A picture of Vienna") is None
    assert heard_at(Transcript(), "code") is None


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0:00"), (7, "0:07"), (750.9, "12:30"), (3725, "1:02:05")])
def test_times_are_written_as_people_read_them(seconds: float, text: str) -> None:
    assert SpokenSegment(seconds, seconds + 1, "").clock == text
