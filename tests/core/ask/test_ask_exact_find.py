"""Pictures that are asked for by time, place, person or kind alone are all there, the same that counting counts."""

from datetime import date, datetime
from pathlib import Path

import pytest

from core.ask.answer import ask
from core.jobs import run_to_end
from core.ports import never
from core.records import Answer, MemoryKind, Origin, Outcome, Place, Question, Taken
from tests.core.ask.album import Album
from tests.core.ask.conftest import Ask
from tests.fakes import FakeEmbedder, FakeModels

GRANDMA = Place("grandma's", "", "", "Lund", "Skåne", "Sweden")


@pytest.fixture
def many(tmp_path: Path) -> Album:
    """Seventy pictures at grandma's and eight others that speak of her."""
    album = Album(tmp_path / "library")
    for number in range(70):
        when = f"2025-03-{1 + number % 28:02}T{number % 24:02}:00"
        album.add(when, f"A cake of number {number}", place=GRANDMA, people=("Elif Demir",) if number < 30 else ())
    for number in range(8):
        place = Place(city="Malmö", country="Sweden")
        album.add(f"2025-04-{1 + number:02}T10:00", f"Grandma in a garden {number}", place=place)
    album.embed(FakeEmbedder())
    return album


def _ask(album: Album, text: str, today: date = date(2025, 7, 1)) -> Answer:
    models = FakeModels(text_embedder=FakeEmbedder())
    return run_to_end(ask(album.library, models, Question(text, today), never))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("shown", "counted"),
    [
        ("Show me the photos at grandma's", "How many photos did I take at grandma's?"),
        ("show me all photos from grandma's", "How many photos did I take at grandma's?"),
        ("photos in Lund", "How many photos did I take in Lund?"),
        ("Show me everything from Sweden", "How many photos did I take in Sweden?"),
        ("Display all images from Malmö", "How many photos did I take in Malmö?"),
        ("Show me the photos with Elif", "How many photos are there with Elif?"),
        ("Show me the photos with Elif at grandma's", "How many photos with Elif at grandma's?"),
        ("Show me the photos from April 2025", "How many photos did I take in April 2025?"),
        ("Find my pictures at grandma's in March 2025", "How many pictures did I take at grandma's in March 2025?"),
    ],
)
def test_what_is_shown_is_what_is_counted(many: Album, shown: str, counted: str) -> None:
    found, number = _ask(many, shown), _ask(many, counted)

    assert found.text.startswith(f"I found {number.value} picture")
    assert {each.memory_id for each in found.citations} <= set(many.ids)
    assert len(found.citations) == min(number.value, 60)  # type: ignore[call-overload]
    assert ("The newest 60 are shown." in found.text) == (number.value > 60)  # type: ignore[operator]
    if number.value <= 60:  # type: ignore[operator]
        assert {each.memory_id for each in found.citations} == {each.memory_id for each in number.citations}
    many.library.close()


def test_what_says_more_is_ranked_by_meaning(many: Album) -> None:
    found = _ask(many, "Show me the garden photos")

    assert set(many.ids[70:]) <= {each.memory_id for each in found.citations}
    many.library.close()


def test_a_note_of_which_only_the_files_time_is_known_is_found_after_the_day_of_asking(
    album: Album, ask_nora: Ask
) -> None:
    note = album.add(None, "The bicycle lock opens with 4712", kind=MemoryKind.NOTE)
    later = album.add("2026-11-02T10:00", "Another bicycle lock")
    with album.library.memories.edit(note) as edit:
        edit.set_taken(Taken(datetime(2026, 11, 30, 9), None, Origin.FILE_TIME, 0.1))
    album.embed(FakeEmbedder())
    found = ask_nora("Show me the bicycle lock")

    assert found.outcome is Outcome.ANSWERED
    assert note in {each.memory_id for each in found.citations}
    assert later not in {each.memory_id for each in found.citations}
    assert note not in {each.memory_id for each in ask_nora("What did I photograph this year?").citations}
