"""Where no text can tell how something looks, a vision model looks at the pictures that fit; never at others, and never alone believed."""

from datetime import date

import numpy as np
import pytest

from core.ask.answer import ask
from core.jobs import run_to_end
from core.ports import Pixels, never
from core.records import Answer, CapturedMemory, Outcome, Question
from tests.core.ask.album import Album
from tests.fakes import FakeCaptioner, FakeChat, FakeEmbedder, FakeModels


def looking(album: Album, question: str, captioner: FakeCaptioner | None, chat: FakeChat | None = None) -> Answer:
    def load(memory: CapturedMemory) -> Pixels:
        return np.zeros((8, 8, 3), np.uint8)

    models = FakeModels(chat=chat, text_embedder=FakeEmbedder(), captioner=captioner)
    return run_to_end(ask(album.library, models, Question(question, date(2025, 7, 1)), never, load))  # type: ignore[no-any-return]


@pytest.fixture
def golfer(album: Album) -> str:
    shirt = album.add("2025-05-20T12:00:00", "Playing golf in a new shirt on the green")
    album.embed(FakeEmbedder())
    return shirt


@pytest.mark.parametrize(
    "question",
    [
        "What brand was the shirt I wore playing golf?",
        "What colour is my golf shirt?",
        "Which logo is on the golf shirt?",
    ],
)
def test_pixels_tell_what_no_text_says(album: Album, golfer: str, question: str) -> None:
    captioner = FakeCaptioner(reply="The shirt is by Nordwind.")

    answer = looking(album, question, captioner)

    assert (answer.outcome, answer.value) == (Outcome.ANSWERED, "The shirt is by Nordwind.")
    assert [each.memory_id for each in answer.citations] == [golfer]
    assert "fake-captioner looked at 1 of the closest pictures" in answer.found_by
    assert captioner.seen == [1]


def test_a_model_that_finds_nothing_in_the_notes_leaves_it_to_the_pixels(album: Album, golfer: str) -> None:
    chat = FakeChat(["found: no\n"] * 3)

    answer = looking(album, "What was I carrying on the green in the new shirt?", FakeCaptioner(reply="A club."), chat)

    assert (answer.value, [each.memory_id for each in answer.citations]) == ("A club.", [golfer])


@pytest.mark.parametrize("reply", ["The brand cannot be determined.", "No visible logo.", "It is unclear."])
def test_a_picture_that_does_not_show_it_is_no_answer(album: Album, golfer: str, reply: str) -> None:
    answer = looking(album, "What brand was the shirt I wore playing golf?", FakeCaptioner(reply=reply))

    assert reply not in answer.text


def test_pictures_that_say_nothing_of_the_thing_are_not_looked_at(album: Album) -> None:
    captioner = FakeCaptioner(reply="It is red.")

    looking(album, "What brand was the submarine?", captioner)

    assert captioner.seen == []


def test_what_a_text_says_is_not_looked_for(album: Album) -> None:
    album.add("2025-05-21T12:00:00", "A blue kayak on the pier")
    album.embed(FakeEmbedder())
    captioner = FakeCaptioner(reply="It is red.")

    answer = looking(album, "What colour was the kayak on the pier?", captioner)

    assert ("blue" in answer.text, captioner.seen) == (True, [])
