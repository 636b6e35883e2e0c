"""Questions a new user asked of their own pictures, answered from the picture that speaks of what was asked about."""

import pytest

from core.records import Place
from tests.core.ask.album import Album
from tests.core.ask.conftest import Ask

LISBON = Place(city="Lisbon", country="Portugal", latitude=38.71, longitude=-9.14)


@pytest.fixture
def stay(album: Album) -> Album:
    """A hotel's slip, a sign beside it, a tavern's bill, and an appointment."""
    slip = album.add(
        "2025-05-12T15:00:00",
        "A slip.",
        place=Place("Hotel Miradouro", city="Lisbon", country="Portugal"),
        text="Hotel Miradouro\n4 nights\nTOTAL EUR 412.00",
    )
    sign = album.add("2025-05-12T15:20:00", "A sign.", place=LISBON, text="Wi-Fi: Guests\nPassword: pastel-de-nata-77")
    album.add(
        "2025-05-13T20:00:00",
        "A bill.",
        place=Place("Tasca do Jaime", city="Lisbon", country="Portugal"),
        text="Tasca do Jaime\nTOTAL EUR 24.50",
    )
    album.add("2025-04-20T20:00:00", "A reminder.", text="Dentist Dr. Huber\nTuesday 29 April 2025 at 09:15")
    album.moment([slip, sign])
    return album  # fmt: skip


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How much did the hotel in Lisbon cost?", "412.00"),
        ("What was the Wi-Fi password of the hotel on 12 May 2025?", "pastel-de-nata-77"),
        ("When is my dentist appointment?", "29 April 2025"),
        ("Where did I stay in May 2025 in Lisbon?", "Hotel Miradouro"),
    ],
)
@pytest.mark.usefixtures("stay")
def test_the_value_is_that_of_the_thing_asked_about(ask_nora: Ask, question: str, value: str) -> None:
    answer = ask_nora(question)
    assert value in answer.text
    assert answer.citations


@pytest.mark.usefixtures("stay")
def test_what_is_not_found_is_said_with_what_it_should_belong_to(ask_nora: Ask) -> None:
    assert "“aquarium”" in ask_nora("What was the Wi-Fi password at the aquarium?").text
