"""Is the model's sentence shown while it is written, and only the sentence?"""

import threading

import pytest

from core.ask.answer import ask
from core.ask.streaming import SentencePieces, streamed
from core.errors import JobCancelled, ReplyError
from core.ports import never
from core.records import AskStep, Question
from tests.core.ask.album import Album
from tests.core.ask.conftest import TODAY
from tests.fakes import FakeChat, FakeEmbedder, FakeModels

REPLY = "found: yes\nanswer: A dog by the lake.\nfrom: m1\n"


@pytest.mark.parametrize("size", [1, 3, 7, len(REPLY)])
def test_only_the_sentence_comes_out_whatever_the_pieces(size: int) -> None:
    pieces = SentencePieces()
    shown = [pieces.feed(REPLY[at : at + size]) for at in range(0, len(REPLY), size)]
    assert "".join(shown) == "A dog by the lake."


def test_a_reply_that_found_nothing_shows_nothing() -> None:
    assert SentencePieces().feed("found: no\n") == ""


def test_words_come_out_while_the_call_still_runs() -> None:
    may_end = threading.Event()

    def call(on_text: object) -> str:
        assert callable(on_text)
        on_text("found: yes\nanswer: A dog")
        may_end.wait(10)
        on_text(" by the lake.\n")
        return "done"

    steps = streamed(call)
    assert next(steps) == AskStep(text="A dog")
    may_end.set()
    assert next(steps) == AskStep(text=" by the lake.")
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert end.value.value == "done"


@pytest.mark.parametrize("error", [ReplyError("no"), JobCancelled()])
def test_what_the_call_raises_is_raised_to_the_asker(error: Exception) -> None:
    def call(on_text: object) -> str:
        raise error

    with pytest.raises(type(error)):
        list(streamed(call))


def test_a_phrased_answer_is_streamed_before_it_is_finished(album: Album) -> None:
    chat = FakeChat(["found: yes\nanswer: You had waffles.\nfrom: m1\n"])
    models = FakeModels(chat=chat, text_embedder=FakeEmbedder())
    steps = list(ask(album.library, models, Question("What did we eat with Elif and Jonas?", TODAY), never))
    texts = [step.text for step in steps if step.text]
    assert "".join(texts) == "You had waffles."
    assert steps.index(next(step for step in steps if step.text)) > steps.index(
        next(step for step in steps if step.pictures)
    )
