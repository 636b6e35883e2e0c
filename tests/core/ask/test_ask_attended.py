"""Questions for the events somebody was at list them all, by kind, with their pictures."""

import pytest

from core.records import Outcome, ValueType
from tests.core.ask.album import HOTEL, MUSEUM, Album
from tests.core.ask.conftest import Ask


@pytest.fixture
def forum(album: Album) -> Album:
    """A conference with a reception, a keynote, a dinner with Priya and a night of songs inside, and a party at home after it."""
    talk = album.add("2025-05-20T09:30:00", "A keynote.", place=MUSEUM)
    toast = album.add("2025-05-20T19:00:00", "A toast.", place=HOTEL)
    plate = album.add("2025-05-21T20:00:00", "A plate.", place=HOTEL, people=("Priya Nair",))
    song = album.add("2025-05-21T23:00:00", "A song.", place=HOTEL)
    album.event("Ocean Forum 2025", "2025-05-20T09:30:00", "2025-05-21T23:00:00", [talk, toast, plate, song])
    album.event("Welcome Reception", "2025-05-20T19:00:00", "2025-05-20T19:00:00", [toast])
    album.event("Keynote", "2025-05-20T09:30:00", "2025-05-20T09:30:00", [talk])
    album.event("Dinner with Priya Nair", "2025-05-21T20:00:00", "2025-05-21T20:00:00", [plate])
    album.event("Karaoke Night", "2025-05-21T23:00:00", "2025-05-21T23:00:00", [song])
    cake = album.add("2025-06-01T15:00:00", "A cake.", people=("Jonas Berg",))
    album.event("Birthday party of Jonas", "2025-06-01T15:00:00", "2025-06-01T15:00:00", [cake])
    return album


@pytest.mark.parametrize(
    ("question", "names"),
    [
        (
            "What social events did I attend during Ocean Forum 2025?",
            ("Welcome Reception", "Dinner with Priya Nair", "Karaoke Night"),
        ),
        ("Which work events did I go to during the Ocean Forum?", ("Keynote",)),
        ("What events were there on 20 May 2025?", ("Ocean Forum 2025",)),
        ("What events did I attend in May 2025?", ("TideConf 2025", "Ocean Forum 2025")),
        ("List all the social events I attended in June 2025", ("Birthday party of Jonas",)),
        ("Which parties did I go to in 2025?", ("Welcome Reception", "Karaoke Night", "Birthday party of Jonas")),
        ("Which birthday parties did I go to?", ("Birthday party of Jonas",)),
        ("What social events did I attend with Priya Nair in May 2025?", ("Dinner with Priya Nair",)),
    ],
)
@pytest.mark.usefixtures("forum")
def test_events_are_listed_by_kind_time_and_people(ask_nora: Ask, question: str, names: tuple[str, ...]) -> None:
    answer = ask_nora(question)

    assert (answer.value, answer.value_type) == (names, ValueType.SET), answer.text
    assert answer.citations


@pytest.mark.usefixtures("forum")
def test_events_are_counted_without_those_inside_another(ask_nora: Ask) -> None:
    assert ask_nora("How many events did I attend in May 2025?").value == 2


@pytest.mark.usefixtures("forum")
def test_a_kind_of_event_that_nothing_shows_is_not_made_up(ask_nora: Ask) -> None:
    answer = ask_nora("Which sports events did I attend during Ocean Forum 2025?")

    assert answer.outcome is Outcome.NOT_FOUND
    assert not answer.citations


@pytest.mark.usefixtures("forum")
def test_what_happened_at_an_event_is_still_told_day_by_day(ask_nora: Ask) -> None:
    assert "20 May 2025:" in ask_nora("What happened at the Ocean Forum?").text
