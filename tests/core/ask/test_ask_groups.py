"""Are the person's own groups ("friends from summer school") found by search and in questions, and nothing else read as one?"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.ask.answer import ask
from core.augment.people import People
from core.augment.relations import Relations
from core.jobs import run_to_end
from core.ports import never
from core.records import Answer, MemoryFilter, Outcome, Question
from core.retrieve.search_box import parse_search, with_person
from tests.core.ask.album import HARBOUR, HOTEL, MUSEUM, Album
from tests.fakes import FakeEmbedder, FakeModels

TODAY = date(2025, 7, 1)
SCHOOL = "friends from summer school"


@pytest.fixture
def album(tmp_path: Path) -> Iterator[Album]:
    made = Album(tmp_path / "library")
    made.add("2025-01-04T12:00", "Soup", place=HARBOUR, people=("Ben Holm",))
    made.add("2025-02-10T12:00", "A hall", place=MUSEUM, people=("Cleo Roy", "Dora"))
    made.add("2025-03-11T12:00", "A bed", place=HOTEL, people=("Dora",))
    made.add("2025-04-01T12:00", "A climbers magazine", place=HOTEL)
    made.add("2025-05-01T12:00", "A rope", place=HARBOUR, people=("Eva",))
    people = People(made.library)
    for name, group in (("Ben Holm", SCHOOL), ("Cleo Roy", SCHOOL), ("Eva", "Climbers"), ("Dora", "Family")):
        held = [memory.public_id for memory in made.library.memories.matching(MemoryFilter(people=(name,)))]
        people.add(name, held[:1])
        people.put_in_group(name, group)
    made.embed(FakeEmbedder())
    yield made
    made.library.close()


def asked(album: Album, text: str) -> Answer:
    return run_to_end(ask(album.library, FakeModels(text_embedder=FakeEmbedder()), Question(text, TODAY), never))


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ('with:"friends from summer school"', ["Soup", "A hall"]),
        ("with:Friends_from_Summer_School", ["Soup", "A hall"]),
        ('with:"friends from summer school" with:Dora', ["A hall"]),
        ('with:"friends from summer school" with:family', ["A hall"]),
        ("with:climbers", ["A rope"]),
        ('-with:"friends from summer school" -with:climbers', ["A bed", "A climbers magazine"]),
        ("with:strangers", []),
    ],
)
def test_the_search_box_takes_a_group_as_anybody_in_it(album: Album, typed: str, found: list[str]) -> None:
    rest, wanted = parse_search(typed, album.library, TODAY)
    assert rest == ""
    assert [memory.caption for memory in album.library.memories.matching(wanted)] == found


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many photos are there with my friends from summer school?", 2),
        ("How many photos do I have with the summer school friends?", 2),
        ("How many photos with the climbers do I have?", 1),
        ("How many photos without my friends from summer school are there?", 3),
        ("Where did I go with my friends from summer school in February?", "Museum of Tides, East Wing."),
        ("When did I last see my friends from summer school?", "2025-02-10"),
        ("How many photos are there with my family?", 2),
    ],
)
def test_a_question_takes_a_group_as_anybody_in_it(album: Album, question: str, value: object) -> None:
    answer = asked(album, question)
    assert answer.outcome is Outcome.ANSWERED
    assert str(value) in str(answer.value)


def test_who_is_in_a_group_is_told_with_where_that_comes_from(album: Album) -> None:
    answer = asked(album, "Who are my friends from summer school?")
    assert answer.value == ("Ben Holm", "Cleo Roy")
    assert "under People" in answer.text


def test_a_relation_that_says_more_than_the_group_stays_a_relation(album: Album) -> None:
    Relations(album.library).relate("Ben Holm", "sister", "Eva")
    assert asked(album, "Who is Ben's sister?").value == "Eva"


def test_a_word_that_is_also_a_group_stays_a_word(album: Album) -> None:
    found = asked(album, "Show me the climbers magazine")
    assert [album.ids.index(each.memory_id) for each in found.citations][:1] == [3]


def test_a_group_shows_nobody_who_is_kept_out_of_chat(album: Album) -> None:
    held = album.library.memories.matching(MemoryFilter(people=("Cleo Roy",)))
    album.library.private.mark(held[0].id, "hand", "chat")
    answer = run_to_end(
        ask(
            album.library.for_chat(),
            FakeModels(text_embedder=FakeEmbedder()),
            Question("Who are my friends from summer school?", TODAY),
            never,
        )
    )
    assert "Cleo" not in answer.text


def test_a_name_goes_before_a_group_of_the_same_name(album: Album) -> None:
    People(album.library).put_in_group("Eva", "Dora")
    assert with_person(album.library, MemoryFilter(), "dora") == MemoryFilter(people=("Dora",))
