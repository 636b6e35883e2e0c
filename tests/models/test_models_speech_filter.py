"""What Whisper writes over silence, noise and music never reaches a memory."""

import numpy as np
import pytest

from models.transcriber import HeardSegment, believable, has_loop, loudest_second


def heard(text: str, **numbers: float) -> HeardSegment:
    return HeardSegment(0.0, 2.0, text, **numbers)


@pytest.mark.parametrize(
    "text",
    [
        "thank you thank you thank you",
        "Thanks for watching! Thanks for watching. Thanks for watching!",
        "la la la la",
        "I went there and I went there and I went there and",
        "ありがとう ありがとう ありがとう ありがとう",
    ],
)
def test_a_phrase_that_comes_three_times_in_a_row_is_a_loop(text: str) -> None:
    assert has_loop(text)
    assert believable([heard(text)]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "No, no, no!",
        "very very good and very very cheap",
        "Ask not what your country can do for you, ask what you can do",
        "",
    ],
)
def test_ordinary_repetition_is_speech(text: str) -> None:
    assert not has_loop(text)


def test_a_segment_that_is_probably_no_speech_and_improbable_text_is_dropped() -> None:
    assert believable([heard("hm", no_speech_prob=0.9, avg_logprob=-1.4)]) == ()
    assert len(believable([heard("hello there", no_speech_prob=0.9, avg_logprob=-0.3)])) == 1
    assert len(believable([heard("hello there", no_speech_prob=0.2, avg_logprob=-1.4)])) == 1


def test_text_that_compresses_too_well_is_dropped() -> None:
    assert believable([heard("abcabc", compression_ratio=2.5)]) == ()


def test_the_same_sentence_in_three_segments_in_a_row_is_dropped_and_the_rest_stays() -> None:
    segments = [heard("Hello Anna."), *[heard("Subtitles by someone")] * 3, heard("Bye.")]
    assert [segment.text for segment in believable(segments)] == ["Hello Anna.", "Bye."]


def test_the_energy_gate_looks_at_the_loudest_second() -> None:
    quiet = np.zeros(16_000 * 60, np.float32)
    assert loudest_second(quiet) == 0.0
    quiet[16_000 * 30 : 16_000 * 31] = 0.1
    assert loudest_second(quiet) == pytest.approx(0.1)
    assert loudest_second(np.full(100, 0.2, np.float32)) == pytest.approx(0.2)
    assert loudest_second(np.zeros(0, np.float32)) == 0.0
