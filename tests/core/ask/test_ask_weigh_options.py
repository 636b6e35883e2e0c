"""How much the evidence speaks for each option: by all of its words, most by those that tell the options apart."""

import pytest

from core.ask.weigh_options import by_words, said_in, weigh
from tests.core.ask.album import Album
from tests.fakes import FakeEmbedder


def best(question: str, options: list[str], texts: list[str]) -> str:
    weights = by_words(question, options, texts)
    return options[int(weights.argmax())]


@pytest.mark.parametrize(
    ("options", "texts", "wanted"),
    [
        (["Blood test and ECG", "CT scan and ECG"], ["Payment for blood tests and an ECG"], "Blood test and ECG"),
        (["Haikou Food Court", "Old Pier Tea"], ["Haikou: tea at the pier", "Haikou: rain"], "Old Pier Tea"),
        (
            ["Park in the north", "Park in the south"],
            ["A park, park and again a park in the south"],
            "Park in the south",
        ),
        (["Kite", "Ball"], ["A kite in the wind", "A ball", "Nothing"], "Kite"),
    ],
)
def test_the_option_with_most_of_its_telling_words_in_the_best_evidence_weighs_most(
    options: list[str], texts: list[str], wanted: str
) -> None:
    assert best("Which?", options, texts) == wanted


def test_words_of_the_question_weigh_less_than_what_it_asks_for() -> None:
    options = ["Breakfast bar", "Noodle house"]
    assert best("Where did we have breakfast?", options, ["Breakfast: a bowl in the noodle house"]) == "Noodle house"


def test_what_all_options_say_weighs_nothing() -> None:
    assert by_words("Which?", ["The lake", "The lake"], ["A lake"]).tolist() == [0.0, 0.0]


def test_without_evidence_words_nothing_is_told_apart() -> None:
    assert by_words("Which?", ["1", "§", ""], ["A lake", ""]).tolist() == [0.0, 0.0, 0.0]


def test_the_end_of_a_long_text_counts_as_well(album: Album) -> None:
    memory_id = album.add("2025-06-02T12:00:00", "A receipt.", text="item\n" * 200 + "electrocardiogram")
    memory = album.library.memories.get(memory_id)

    assert "electrocardiogram" in said_in(memory)
    weights = weigh("Which examination?", ["Ultrasound", "Electrocardiogram"], [memory], None)
    assert weights[1] > weights[0]


def test_meaning_is_added_where_a_model_for_it_is_installed(album: Album) -> None:
    memory = album.library.memories.get(album.add("2025-06-02T12:00:00", "A kite over the harbour."))
    options = ["A kite", "A spaceship"]

    with_meaning = weigh("What flew?", options, [memory], FakeEmbedder())

    assert with_meaning[0] - with_meaning[1] > 1.0
