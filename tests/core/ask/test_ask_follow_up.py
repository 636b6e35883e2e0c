"""A follow-up asks the same again of something else, narrows what was asked, or is about what was answered; nothing is lost."""

from collections.abc import Callable

import pytest

from core.records import Answer, Outcome
from tests.core.ask.album import HARBOUR, Album
from tests.core.ask.conftest import Ask

Talking = Callable[[str], Answer]


@pytest.fixture
def talk(ask_nora: Ask) -> Talking:
    """One conversation."""
    conversation: list[str] = []

    def say(text: str) -> Answer:
        answer = ask_nora(text, conversation=conversation[-1] if conversation else None)
        conversation.append(answer.conversation_id)
        return answer

    return say


def test_what_was_counted_is_counted_again_in_another_month(talk: Talking) -> None:
    assert talk("How many days did I go climbing in February 2025?").value == 3
    assert talk("and in March 2025?").outcome is Outcome.NOT_FOUND
    assert talk("and waffles?").value == 1


def test_least_follows_most(talk: Talking) -> None:
    assert talk("Who did I meet most often?").value == "Elif Demir"
    assert talk("and least?").value == "Priya Nair"


def test_a_day_that_was_the_answer_is_what_the_next_question_is_about(talk: Talking) -> None:
    assert talk("When was I last at Harbour Café?").value == "2025-06-20"
    assert talk("Who was with me?").value == ("Elif Demir",)


def test_before_that_goes_back_to_the_time_before(talk: Talking) -> None:
    assert talk("When was I last at Harbour Café?").value == "2025-06-20"
    assert talk("and before that?").value == "2025-03-02"
    assert talk("and before that?").value == "2025-01-05"


@pytest.mark.parametrize("piece", ["only those from May 2025", "just in May 2025", "and in May 2025"])
def test_a_piece_of_a_sentence_narrows_what_was_asked(talk: Talking, album: Album, piece: str) -> None:
    assert talk("Show me the pictures with Priya Nair").citations
    assert {each.memory_id for each in talk(piece).citations} == {album.ids[9], album.ids[10]}
    assert talk("without Priya Nair and only in January 2025").outcome is not Outcome.AMBIGUOUS


def test_a_question_with_words_of_its_own_stands_alone(talk: Talking, album: Album) -> None:
    talk("How many days did I go climbing in February 2025?")
    album.add("2025-06-28T12:00:00", "Lunch.", place=HARBOUR, people=("Omar Said",))
    assert talk("How many days was I at Harbour Café?").value == 4


@pytest.mark.parametrize("question", ["Am I a good person?", "Is it going to rain?", "Are we happy?"])
def test_that_pictures_hold_the_words_is_no_answer_to_a_question_of_opinion(
    ask_nora: Ask, album: Album, question: str
) -> None:
    album.add("2025-06-21T12:00:00", "A good and happy person in the rain.")
    answer = ask_nora(question)
    assert (answer.outcome, answer.citations) == (Outcome.NOT_FOUND, ())


@pytest.mark.parametrize("question", ["Who is Priya Nair?", "who's Priya Nair"])
def test_who_somebody_is_is_told_from_the_pictures_with_them(ask_nora: Ask, question: str) -> None:
    answer = ask_nora(question)
    assert answer.text.startswith("2 memories on 1 day with Priya Nair")
    assert answer.citations


def test_at_least_asks_for_no_superlative(ask_nora: Ask) -> None:
    assert "least" not in ask_nora("How often was I at Harbour Café at least once in 2025?").found_by
