"""A diary without tags is counted, added up and compared by what its sentences say; every answer cites them."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.ask.answer import ask
from core.jobs import run_to_end
from core.ports import never
from core.records import Answer, MemoryKind, Outcome, Question
from tests.core.ask.album import Album
from tests.core.ask.conftest import Ask
from tests.fakes import FakeModels

_DIARY = (
    ("2024-03-01", "I had coffee with Wanda and Piet. I ate waffles, cherries."),
    ("2024-03-02", "I bought apples, pears, milk, and soap from the market. I saw Wanda at the market."),
    ("2024-03-05", "I called Wanda for 20 minutes in the morning. I talked to her about the garden."),
    ("2024-03-05", "I talked to Piet for 1 hour in the evening."),
    ("2024-03-09", "I spent 30 talking to Wanda and Piet on various topics in the evening."),
    ("2024-03-12", "I did rowing with Kofi."),
    ("2024-03-14", "I did rowing today."),
    ("2024-03-15", "I did yoga."),
    ("2024-03-20", "I bought apples, plum juice online."),
    ("2024-04-02", "I went to Porto, Portugal for 4 days with Kofi."),
    ("2024-04-03", "During my trip to Porto, Portugal, I visited Clérigos Tower with Kofi."),
    ("2024-04-05", "I ate grilled sardines at Casa Nova with Kofi when I was in Porto, Portugal."),
    ("2024-05-01", "My friend and I went to Ghent, Belgium for 2 days."),
    ("2024-06-10", "I went to Porto, Portugal for 2 days."),
    ("2024-06-11", "During my trip to Porto, Portugal, I visited Crystal Gardens."),
    ("2024-06-20", "I was baking plum cake, scones with Piet."),
    ("2024-06-27", "I was baking plum cake."),
    ("2024-07-01", "I took Lena to the dentist for a dental check."),
    ("2024-07-03", "I had a dental check."),
    ("2024-08-02", "I had soup for dinner with Wanda."),
    ("2024-08-04", "I met Piet and Kofi in a restaurant."),
)  # fmt: skip


@pytest.fixture
def diary(tmp_path: Path) -> Iterator[Ask]:
    album = Album(tmp_path / "diary")
    for day, sentence in _DIARY:
        album.add(f"{day}T12:00:00", sentence, kind=MemoryKind.NOTE)

    def asking(text: str) -> Answer:
        question = Question(text, date(2024, 12, 31))
        return run_to_end(ask(album.library, FakeModels(), question, never))  # type: ignore[no-any-return]

    yield asking
    album.library.close()


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who did I talk to the most in March 2024?", "Piet"),
        ("Who was with me at the market on 2 March 2024?", ("Wanda",)),
        ("What sport did I do the most in March 2024?", "rowing"),
        ("What fruit do I buy most often?", "apples"),
        ("What do I bake the most?", "plum cake"),
        ("How long did I talk to Wanda in the evening on 9 March 2024?", 30),
        ("How long did I talk to Piet in total in March 2024?", 90),
        ("How long do I talk on average each day?", 55),
        ("How many dishes on average did I bake each day in June 2024?", 0.1),
        ("What did I eat in Porto?", ("grilled sardines",)),
        ("What did I buy at the market on 2 March 2024?", ("apples", "pears", "milk", "soap")),
        ("What drinks did I buy on 2 March 2024?", ("milk",)),
        ("How many places did I visit in Porto?", 2),
        ("Which places in Porto did I visit with Kofi?", ("Clérigos Tower",)),
        ("What did I buy on the day that I saw Wanda at the market?", ("apples", "pears", "milk", "soap")),
        ("How many times did I travel to Porto?", 2),
        ("How many trips did I make to Porto?", 2),
        ("What are my top 2 destinations?", ("Porto, Portugal", "Ghent, Belgium")),
        ("Where did I eat grilled sardines?", ("Casa Nova",)),
        ("Which restaurants did I eat at in Porto?", ("Casa Nova",)),
        ("Who did I speak with most often in March 2024?", "Piet"),
        ("How many different people did I talk to in March 2024?", 2),
        ("How many different people did I have dinner with in August 2024?", 1),
        ("Who did I have dinner with most in August 2024?", "Wanda"),
        ("What is my favourite sport?", "rowing"),
        ("What sport do I do least?", "yoga"),
        ("List all drinks I bought in 2024", ("milk", "plum juice")),
        ("How many hours did I talk to Piet in March 2024?", 1.5),
        ("Which cities did I visit in 2024?", ("Porto", "Ghent")),
        ("How many countries did I travel to?", 2),
        ("Which country did I travel to most?", "Portugal"),
        ("What was the average time I spent talking per day?", 55),
    ],
)
def test_sentences_are_counted_and_compared(diary: Ask, question: str, value: object) -> None:
    answer = diary(question)

    said = pytest.approx(value, abs=0.01) if isinstance(value, float) else value
    assert (answer.outcome, answer.value) == (Outcome.ANSWERED, said), answer.text
    assert answer.citations


def test_relatives_nobody_told_of_are_those_named_and_the_answer_says_so(diary: Ask) -> None:
    answer = diary("How many times did I take my kids to the dentist in 2024?")

    assert answer.value == 1
    assert "Nobody told me" in answer.text


def test_one_sentence_is_quoted_as_it_was_written(diary: Ask) -> None:
    assert "“I did rowing with Kofi”" in diary("Who was with me when I was rowing on 12 March 2024?").text


@pytest.mark.parametrize(
    "question",
    [
        "Who did I talk to the most in 1999?",
        "What fruit did I buy most often in 1999?",
        "What instrument did I play most?",
        "Which vegetables did I buy in 2024?",
    ],
)
def test_what_no_sentence_says_is_not_found(diary: Ask, question: str) -> None:
    answer = diary(question)

    assert (answer.outcome, answer.citations) == (Outcome.NOT_FOUND, ())


def test_pictures_with_people_and_places_are_left_to_the_other_rules(ask_nora: Ask) -> None:
    assert "read from sentences" not in ask_nora("Who did I see the most in 2025?").found_by
