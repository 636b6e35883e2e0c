"""Counts, dates, people and places are computed by code, however the question is worded."""

import pytest

from core.records import Knowledge, Outcome, ValueType
from core.retrieve.embed import KNOWLEDGE, embed_missing
from tests.core.ask.album import HARBOUR, Album
from tests.core.ask.conftest import Ask
from tests.fakes import FakeChat, FakeEmbedder


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many times did I go to the Harbour Café?", 3),
        ("How often was I at Harbour Cafe in 2025?", 3),
        ("On how many days did I visit Harbour Café in January 2025?", 1),
        ("How many visits to the Harbour Café did I make together with Elif Demir?", 3),
        ("How often have Jonas Berg and I been to Harbour Café?", 1),
        ("How many times did I hang out with Elif?", 3),
        ("How many times did I go to the Harbour Café in January and June 2025?", 2),
        ("How many times was I at Harbour Café without Elif Demir?", 0),
        ("Number of days I spent in Gothenburg in February 2025?", 3),
        ("How many days was I in Lisbon?", 3),
        ("how many days was i in lisbon city between april 2025 and june 2025?", 3),
        ("How frequently did I climb at Klätterhallen?", 3),
        ("How many times did Nora Lindgren go to Klatterhallen from the start of February 2025 to the end of March 2025?", 3),
        ("How many days passed between my first and my last visit to Harbour Café?", 166),
        ("What is the number of days from the first to the last time I was at Harbour Café?", 166),
        ("How many different people did I meet in May 2025?", 1),
        ("How many cities did I visit in 2025?", 2),
        ("How many screenshots did I take in May 2025?", 1),
        ("How much did I spend in total in May and June 2025?", 48.5),
    ],
)  # fmt: skip
def test_a_number_is_counted_over_everything(ask_nora: Ask, question: str, value: float) -> None:
    answer = ask_nora(question)

    assert (answer.value, answer.value_type) == (value, ValueType.NUMBER), answer.text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("When was I last at Harbour Café?", "2025-06-20"),
        ("What was the date of my most recent visit to the Harbour Café?", "2025-06-20"),
        ("When did I first go to Klätterhallen (North Branch)?", "2025-02-11"),
        ("On which date was I at Museum of Tides, East Wing. for the first time?", "2025-05-07"),
        ("When did I last see Jonas?", "2025-03-02"),
        ("When was the last time I met Elif Demir before March 2025?", "2025-01-05"),
        ("What is the date of my latest photo with Priya Nair?", "2025-05-07"),
        ("Which month did I first climb?", "2025-02"),
        ("When did I see a bonfire?", "2025-06-20"),
    ],
)
def test_a_date_comes_from_the_memories(ask_nora: Ask, question: str, value: str) -> None:
    answer = ask_nora(question)

    assert (answer.value, answer.value_type) == (value, ValueType.DATE), answer.text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who was with me at Harbour Café on March 2, 2025?", ("Elif Demir", "Jonas Berg")),
        ("On January 5, 2025 at Harbour Café, who was there with me?", ("Elif Demir",)),
        ("Which people did I meet in May 2025?", ("Priya Nair",)),
        ("List the cities I was in during 2025.", ("Gothenburg", "Lisbon City")),
        ("Which countries did I visit in May 2025?", ("Portugal",)),
        ("Who did I see the most in 2025?", "Elif Demir"),
        ("Who was with me most often in February 2025?", "Jonas Berg"),
        ("Which place did I visit most in 2025?", "Harbour Café"),
        ("Where did I go right after Harbour Café on January 5, 2025?", "Home"),
        ("What place did I visit immediately before Home on January 5, 2025?", "Harbour Café"),
        ("On May 7, 2025, where was I next after Museum of Tides, East Wing.?", "Hotel Azul"),
        ("Where was I with Priya Nair on 7 May 2025?", ("Hotel Azul", "Museum of Tides, East Wing.")),
    ],
)
def test_people_and_places_are_those_recorded(ask_nora: Ask, question: str, value: object) -> None:
    answer = ask_nora(question)

    assert answer.value == value, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How many times have I been to Cedar Street Planetarium?",
        "When did I last go to Blue Heron Ice Rink?",
        "Where was I with Matilda Okonkwo?",
        "How often did Rasmus Lindqvist and I go climbing?",
        "What did I eat at Cedar Street Planetarium?",
        "Have I ever met Matilda Okonkwo?",
        "how often was i at the blue heron ice rink?",
    ],
)
def test_whoever_and_wherever_nothing_names_is_not_found_and_shows_no_pictures(ask_nora: Ask, question: str) -> None:
    answer = ask_nora(question)

    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.citations == ()
    assert answer.searched


def test_a_known_place_in_a_month_without_it_is_a_zero_and_not_a_riddle(ask_nora: Ask) -> None:
    answer = ask_nora("How many times was I at Harbour Café in February 2025?")

    assert (answer.outcome, answer.value, answer.citations) == (Outcome.ANSWERED, 0, ())


def test_a_count_cites_one_memory_of_each_day(ask_nora: Ask, album: Album) -> None:
    answer = ask_nora("How many times did I go to the Harbour Café?")

    days = [album.library.memories.get(citation.memory_id).taken.day for citation in answer.citations]
    assert len(days) == len(set(days)) == 3


def test_a_slip_of_the_pen_is_read_as_the_name_it_is_near_and_said_so(ask_nora: Ask) -> None:
    answer = ask_nora("When did I last see Elif Demirr?")

    assert answer.value == "2025-06-20"
    assert "Elif Demirr" in answer.found_by


def test_a_name_that_fits_two_people_is_asked_back(album: Album, ask_nora: Ask) -> None:
    album.add("2025-04-01T12:00:00", "Lunch.", people=("Jonas Dahl",))
    album.add("2025-04-02T12:00:00", "Lunch.", people=("Jonas Dahl",))

    answer = ask_nora("When did I last see Jonas?")

    assert answer.outcome is Outcome.AMBIGUOUS
    assert len(answer.readings) == 2


def test_no_structured_question_costs_a_model_call(ask_nora: Ask) -> None:
    answer = ask_nora("How many times did I go to the Harbour Café?")

    assert (answer.model, answer.prompt_tokens) == ("", 0)


def test_a_question_during_an_event_is_about_its_days(ask_nora: Ask) -> None:
    during = ask_nora("Who did I meet during TideConf 2025?")
    before = ask_nora("Who did I meet before TideConf 2025?")

    assert during.value == ("Priya Nair",)
    assert before.value == ("Elif Demir", "Jonas Berg")


def test_what_lies_after_the_day_of_asking_is_not_known_yet(album: Album, ask_nora: Ask) -> None:
    album.add("2026-01-01T12:00:00", "Next year's coffee.", place=HARBOUR)

    assert ask_nora("When was I last at Harbour Café?").value == "2025-06-20"


def test_a_month_without_a_year_is_the_latest_with_memories_and_the_answer_says_which(
    album: Album, ask_nora: Ask
) -> None:
    album.add("2023-12-03T10:00:00", "Saffron buns.", place=HARBOUR)

    answer = ask_nora("How many times was I at Harbour Café in December?")

    assert (answer.value, "December 2023" in answer.text) == (1, True)


def test_what_a_known_fact_rests_on_counts_only_within_the_time_asked_about(album: Album, ask_nora: Ask) -> None:
    climbs = Knowledge(
        id="climbs", statement="Bouldering: climbing at Klätterhallen in May", evidence_ids=tuple(album.ids[3:6])
    )
    album.library.knowledge.put(climbs)
    list(embed_missing(album.library, FakeEmbedder(), KNOWLEDGE, {climbs.id: climbs.statement}))

    answer = ask_nora("How many days did I go bouldering in May?", chat=FakeChat(["yes"] * 12))

    assert answer.value == 1
    assert not {each.memory_id for each in answer.citations} & set(album.ids[3:6])


def test_a_follow_up_takes_over_what_it_leaves_out(ask_nora: Ask) -> None:
    first = ask_nora("How many times was I at Harbour Café in January 2025?")
    second = ask_nora("And in March 2025?", conversation=first.conversation_id)
    third = ask_nora("Who was with me there?", conversation=first.conversation_id)

    assert (first.value, second.value) == (1, 1)
    assert third.value == ("Elif Demir", "Jonas Berg")


def test_a_new_question_in_the_same_conversation_stands_alone(ask_nora: Ask) -> None:
    first = ask_nora("How many times was I at Harbour Café in January 2025?")
    second = ask_nora("How many days was I in Lisbon?", conversation=first.conversation_id)

    assert second.value == 3


@pytest.mark.parametrize("name", ["Lab Retreat 2024", "CHI 2025"])
def test_an_event_is_known_by_its_name_without_the_year(ask_nora: Ask, album: Album, name: str) -> None:
    album.event(name, "2025-03-02T00:00:00", "2025-03-02T23:00:00", [album.ids[6]])
    said = name.rsplit(" ", 1)[0]

    answer = ask_nora(f"Who was I with during {said if said.isupper() else f'the {said.lower()}'}?")

    assert "Elif Demir" in str(answer.value)
    assert "Jonas Berg" in str(answer.value)
