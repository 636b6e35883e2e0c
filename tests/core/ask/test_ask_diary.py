"""What a sentence of a diary says is read by code: companions, things, time, places."""

import pytest

from core.ask.diary import (
    companions_told,
    days_away,
    is_diary,
    minutes_told,
    places_gone_to,
    spots_told,
    things_told,
    verb_in,
)
from core.ask.sorts import is_of_sort


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lunch with Ama, Boris and Chloé at the pier.", ("Ama", "Boris", "Chloé")),
        ("Ama, Boris and I went rowing.", ("Ama", "Boris")),
        ("I talked to Ama Mensah for an hour.", ("Ama Mensah",)),
        ("I went to Lisbon, Portugal.", ()),
        ("I met friends on Monday.", ()),
        ("On Monday and I forget when.", ()),
    ],
)
def test_companions_are_names_in_the_role_of_companions(text: str, names: tuple[str, ...]) -> None:
    assert companions_told(text) == names


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("for 1.5 hours", 90),
        ("for 10 min and 1 hour", 70),
        ("I spent 40 talking", 40),
        ("I ran 5 km", None),
        ("for 2 h", 120),
    ],
)
def test_minutes_are_read_in_any_unit(text: str, minutes: float | None) -> None:
    assert minutes_told(text) == minutes


@pytest.mark.parametrize(
    ("text", "verb", "things"),
    [
        ("I bought some apples, two pears, and a brush from the shop.", "buy", ("apples", "two pears", "brush")),
        ("I ate fish and chips with Ama.", "eat", ("fish and chips",)),
        ("I had lunch. I ate soup.", "eat", ("soup",)),
        ("I enjoyed baking on Sunday.", "cook", ()),
        ("I ate at home.", "eat", ()),
    ],
)
def test_things_are_listed_as_written(text: str, verb: str, things: tuple[str, ...]) -> None:
    assert things_told(text, verb) == things


@pytest.mark.parametrize(
    ("asked", "verb"), [("what did i buy", "buy"), ("what did i do", "do"), ("what i had", "eat"), ("who are you", "")]
)
def test_helping_verbs_count_where_there_is_no_other(asked: str, verb: str) -> None:
    assert verb_in(asked.split()) == verb


def test_a_journey_says_where_and_for_how_long() -> None:
    text = "We flew to Oslo, Norway for a week."

    assert (places_gone_to(text), days_away(text), is_diary(text)) == (("Oslo, Norway",), 7, True)
    assert spots_told("I ate pie at the mill with Ama.") == ("the mill",)


@pytest.mark.parametrize(
    ("thing", "sort", "is_so"),
    [("plums", "fruit", True), ("plum juice", "fruit", False), ("plum juice", "drink", True), ("carrot", "fruit", False),
     ("cherries", "fruit", True), ("plum juice", "juice", True), ("", "fruit", False)],
)  # fmt: skip
def test_a_thing_is_of_the_sort_of_its_last_word(thing: str, sort: str, is_so: bool) -> None:
    assert is_of_sort(thing, sort) is is_so
