"""Whether the gold answers of the sample album follow from the album's own truth."""

import json
from datetime import date, timedelta, timezone
from importlib.resources import files
from typing import Any

import pytest
import reverse_geocode

from resources.sample_album import AlbumMemory, album_facts

FACTS = album_facts()
BY_NAME = {memory.file: memory for memory in FACTS}
# Any: what JSON holds; its shape is what the first test checks.
QUESTIONS: list[dict[str, Any]] = json.loads(
    files("resources.sample_album").joinpath("questions.json").read_text("utf-8")
)
BY_QUESTION = {question["question"]: question for question in QUESTIONS}


def words_of(memory: AlbumMemory) -> str:
    return " ".join((*memory.pieces, memory.says)).casefold()


def days_of(memories: list[AlbumMemory]) -> set[date]:
    return {memory.taken_at.date() for memory in memories}


def test_every_question_is_complete_and_its_evidence_is_in_the_album() -> None:
    assert len(QUESTIONS) >= 12
    for question in QUESTIONS:
        assert {"question", "answer_type", "answer", "today", "kind", "evidence_files"} <= set(question)
        assert question["answer_type"] in {"number", "date", "set", "text", "none"}
        assert set(question["evidence_files"]) <= set(BY_NAME)
        assert bool(question["evidence_files"]) == (question["answer_type"] != "none")
        assert date.fromisoformat(question["today"]) > FACTS[-1].taken_at.date()


def test_every_text_answer_can_be_read_or_heard_in_its_evidence() -> None:
    for question in (question for question in QUESTIONS if question["answer_type"] in {"text", "set"}):
        if question.get("needs") == "speech":
            continue
        shown = " ".join(words_of(BY_NAME[name]) for name in question["evidence_files"])
        answers = (
            question["answer"]
            if question["answer_type"] == "set"
            else [question["answer"], *question.get("accept", [])]
        )
        assert all(answer.casefold() in shown for answer in answers), question["question"]


def test_the_code_that_is_heard_is_spoken_in_the_voice_note() -> None:
    question = BY_QUESTION["What is the code of my bike lock?"]

    spoken = words_of(BY_NAME[question["evidence_files"][0]])

    assert "four seven one two" in spoken
    assert question["answer"] == "4712"


@pytest.mark.parametrize(
    ("asked", "words", "first", "last"),
    [
        ("How often did I go climbing in March 2024?", "bloc house", date(2024, 3, 1), date(2024, 3, 31)),
        ("How often did I buy lactose-free milk?", "lactose-free milk", date.min, date.max),
    ],
)
def test_a_count_is_the_number_of_days_and_its_evidence_is_complete(
    asked: str, words: str, first: date, last: date
) -> None:
    question = BY_QUESTION[asked]

    found = [memory for memory in FACTS if words in words_of(memory) and first <= memory.taken_at.date() <= last]

    assert question["answer"] == len(days_of(found))
    assert set(question["evidence_files"]) == {memory.file for memory in found}


@pytest.mark.parametrize(
    ("asked", "words", "pick"),
    [
        ("When did I last go to the cinema?", "orion cinema", max),
        ("When did I first go climbing?", "bloc house", min),
    ],
)
def test_first_and_last_are_the_ends_of_all_such_days(asked: str, words: str, pick: Any) -> None:
    days = days_of([memory for memory in FACTS if words in words_of(memory)])

    assert BY_QUESTION[asked]["answer"] == pick(days).isoformat()


def test_what_is_not_found_is_nowhere_in_the_album() -> None:
    assert not any("scuba" in words_of(memory) or "diving" in words_of(memory) for memory in FACTS)
    assert [memory.file for memory in FACTS if "password" in words_of(memory)] == ["IMG_20240513_125020.jpg"]


def test_the_places_are_real_enough_for_offline_geocoding_to_name_their_city() -> None:
    places = {memory.place for memory in FACTS if memory.place}

    for place in places:
        assert reverse_geocode.get((place.latitude, place.longitude))["city"] == place.city


def test_the_offset_is_that_of_the_place_on_that_day() -> None:
    for memory in (memory for memory in FACTS if memory.place):
        is_summer = date(2024, 3, 31) <= memory.taken_at.date() < date(2024, 10, 27)
        hours = int(is_summer) + int(memory.place is not None and memory.place.city == "Vienna")
        assert memory.taken_at.tzinfo == timezone(timedelta(hours=hours))


def test_receipts_add_up() -> None:
    for memory in (memory for memory in FACTS if memory.draw == "receipt"):
        rows = [line.split(" | ") for line in memory.text if " | " in line]
        *items, total = [float(amount) for _, amount in rows]
        assert sum(items) == pytest.approx(total)
