"""Are people found by their relation, told or put together, and is nothing said about one that nobody told?"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.ask.answer import ask
from core.augment.corrections import Corrector
from core.augment.relations import Relations
from core.jobs import run_to_end
from core.ports import never
from core.records import Answer, Outcome, Place, Question
from tests.core.ask.album import HARBOUR, HOTEL, MUSEUM, OWNER, Album
from tests.fakes import FakeEmbedder, FakeModels

LAKE = Place("Lake Cabin", "", "", "Mora", "Dalarna", "Sweden")
TOLD = (
    ("me", "sister", "Ida Lindgren"), ("me", "mother", "Eva Lindgren"), ("Eva", "sister", "Ruth Berg"), ("Ruth", "husband", "Otto Berg"),
    ("Ruth", "dog", "Bello"), ("Ruth", "daughter", "Lea Berg"), ("Ida", "son", "Tim"), ("me", "partner", "Max"),
    ("Max", "mother", "Ada"), ("me", "friend", "Ben"), ("me", "friend", "Cleo"),
)  # fmt: skip


@pytest.fixture
def album(tmp_path: Path) -> Iterator[Album]:
    """A family's year; who is who was told."""
    made = Album(tmp_path / "library")
    made.add("2025-01-04T12:00", "Soup", place=HARBOUR, people=(OWNER, "Ida Lindgren"))
    made.add("2025-02-10T12:00", "A hall", place=MUSEUM, people=("Ida Lindgren", "Tim"))
    made.add("2025-02-11T12:00", "A hall", place=MUSEUM, people=("Ruth Berg",))
    made.add("2025-03-01T12:00", "Fog", place=LAKE, people=("Ruth Berg", "Otto Berg", "Bello"))
    made.add("2025-03-02T12:00", "Sun", place=LAKE)
    made.add("2025-04-01T12:00", "A bed", place=HOTEL, people=("Max",))
    made.add("2025-04-20T12:00", "A chat", text="Ruth's birthday is on 9 May, don't forget!")
    made.add("2025-04-21T12:00", "A chat", text="Pat's birthday is on 2 June")
    made.add("2025-05-03T12:00", "A lamp", place=HARBOUR, people=("Eva Lindgren",))
    relations = Relations(made.library)
    for source, relation, target in TOLD:
        relations.relate(source, relation, target)
    relations.relate("me", "boss", "Kim", since="2019", until="2023")
    relations.relate("me", "boss", "Lou", since="2024")
    made.embed(FakeEmbedder())
    yield made
    made.library.close()


def asked(album: Album, text: str) -> Answer:
    models = FakeModels(text_embedder=FakeEmbedder())
    return run_to_end(ask(album.library, models, Question(text, date(2025, 7, 1)), never))


def value(album: Album, text: str) -> object:
    answer = asked(album, text)
    assert answer.outcome is Outcome.ANSWERED, answer
    return answer.value


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is my sister?", "Ida Lindgren"),
        ("Who is my boss?", "Lou"),
        ("Who was my former boss?", "Kim"),
        ("Who is my aunt?", "Ruth Berg"),
        ("Who is my uncle?", "Otto Berg"),
        ("What is the name of my aunt's dog?", "Bello"),
        ("Who is my sister's son?", "Tim"),
        ("Who is my nephew?", "Tim"),
        ("Who is my cousin?", "Lea Berg"),
        ("Who is my mother-in-law?", "Ada"),
        ("Who is Tim's grandmother?", "Eva Lindgren"),
        ("Who is the husband of Ruth?", "Otto Berg"),
        ("Who are my friends?", ("Ben", "Cleo")),
        ("Who is Ruth?", "aunt"),
        ("How is Tim related to me?", "nephew"),
        ("How am I related to Tim?", "aunt or uncle"),
        ("What is Lea to Ida?", "cousin"),
        ("Is Ruth my aunt?", "yes"),
        ("Is Ida my aunt?", "no"),
        ("How many friends do I have?", 2),
    ],
)
def test_who_people_are_to_each_other(album: Album, question: str, expected: object) -> None:
    assert value(album, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where did I go with my sister?", ("Harbour Café", "Museum of Tides, East Wing.")),
        ("How many days did I spend with my aunt?", 2),
        ("When was I last with my mother?", "2025-05-03"),
        ("When did I first see my sister's son?", "2025-02-10"),
        ("On how many days was I at the Lake Cabin with my aunt and my uncle?", 1),
        ("How many days was I at the Lake Cabin without my aunt?", 1),
        ("On how many days was I at the Museum of Tides with my family?", 2),
        ("How often did I see my partner?", 1),
    ],
)
def test_a_relation_is_as_good_as_a_name(album: Album, question: str, expected: object) -> None:
    assert value(album, question) == expected


def test_the_day_somebody_has_is_theirs_and_nobody_elses(album: Album) -> None:
    answer = asked(album, "When is my aunt's birthday?")
    assert answer.outcome is Outcome.ANSWERED
    assert "9 May" in answer.text
    assert [citation.memory_id for citation in answer.citations] == [album.ids[6]]
    assert asked(album, "When is my mother's birthday?").outcome is Outcome.NOT_FOUND


def test_it_is_said_by_which_relations_somebody_was_found(album: Album) -> None:
    answer = asked(album, "Where did I go with my aunt?")
    assert (
        "Read “aunt” as Ruth Berg: Eva Lindgren is the mother of Nora Lindgren; Ruth Berg is the sister of Eva Lindgren."
        in answer.found_by
    )


def test_what_a_relation_rests_on_is_shown_by_pictures_of_them(album: Album) -> None:
    assert [citation.memory_id for citation in asked(album, "Who is my aunt?").citations] == [
        album.ids[2],
        album.ids[3],
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Where did I go with my brother?", "Who is my grandfather?", "When is my brother's birthday?", "Show me pictures with my daughter",
        "How many days did I spend without my niece at the Harbour Café?", "Where was I with my brother's wife?",
        "Who is my aunt's cat?", "Do I have a brother?", "What did my godmother give me?",
    ],
)  # fmt: skip
def test_nothing_is_said_of_somebody_nobody_told(album: Album, question: str) -> None:
    answer = asked(album, question)
    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.citations == ()
    assert "under People" in answer.text


def test_two_who_fit_are_asked_about(album: Album) -> None:
    Relations(album.library).relate("me", "sister", "Nina")
    answer = asked(album, "Where did I go with my sister?")
    assert answer.outcome is Outcome.AMBIGUOUS
    assert answer.readings == ("Ida Lindgren (for “my sister”)", "Nina (for “my sister”)")


def test_a_correction_changes_the_answer_and_undo_changes_it_back(album: Album) -> None:
    Relations(album.library).unrelate("me", "boss", "Lou")
    assert asked(album, "Who is my boss?").value == "Kim"
    Corrector(album.library).undo()
    assert asked(album, "Who is my boss?").value == "Lou"
    Relations(album.library).fix("me", "sister", "Ida", "cousin")
    assert asked(album, "Where did I go with my sister?").outcome is Outcome.NOT_FOUND
    Corrector(album.library).undo()
    assert asked(album, "Where did I go with my sister?").outcome is Outcome.ANSWERED


def test_words_of_pictures_are_searched_where_nobody_told_but_texts_speak_of_them(album: Album) -> None:
    album.add("2025-05-05T12:00", "The toolbox that my brother gave me", place=HARBOUR)
    album.embed(FakeEmbedder())
    answer = asked(album, "When did I get the toolbox from my brother?")
    assert answer.value == "2025-05-05"
