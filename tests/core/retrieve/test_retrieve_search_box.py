"""What is typed into the search box becomes words and conditions."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.records import MemoryFilter, MemoryKind, Place
from core.retrieve.names import person_names, place_names, tokens_of
from core.retrieve.search import search
from core.retrieve.search_box import parse_search, places_called
from tests.core.ask.album import Album, year_of_nora

TODAY = date(2025, 7, 1)


@pytest.fixture
def album(tmp_path: Path) -> Iterator[Album]:
    made = year_of_nora(tmp_path / "library")
    yield made
    made.library.close()


@pytest.mark.parametrize(
    ("typed", "rest", "wanted"),
    [
        ("coffee", "coffee", MemoryFilter()),
        ("with:Elif coffee", "coffee", MemoryFilter(people=("Elif Demir",))),
        ('at:"harbour cafe" with:"Jonas Berg"', "", MemoryFilter(people=("Jonas Berg",), places=("Harbour Café",))),
        ("at:Lisbon", "", MemoryFilter(places=("Lisbon",))),
        ("-with:Elif waffles", "waffles", MemoryFilter(without_people=("Elif Demir",))),
        ("type:screenshots pass", "pass", MemoryFilter(kinds=(MemoryKind.SCREENSHOT,))),
        ("on:2025-02", "", MemoryFilter(first_day=date(2025, 2, 1), last_day=date(2025, 2, 28))),
        ("on:2025", "", MemoryFilter(first_day=date(2025, 1, 1), last_day=date(2025, 12, 31))),
        ("on:today", "", MemoryFilter(first_day=TODAY, last_day=TODAY)),
        ("on:2025-02-30 x", "on:2025-02-30 x", MemoryFilter()),
        ("on:someday", "on:someday", MemoryFilter()),
        ("type:sculpture", "type:sculpture", MemoryFilter()),
        ("with:Matilda", "", MemoryFilter(people=("Matilda",))),
        ("in:nowhere", "", MemoryFilter(ids=())),
        ("https://example.org in:", "https://example.org in:", MemoryFilter()),
        ("Bargain:5", "Bargain:5", MemoryFilter()),
    ],
)
def test_filters_are_taken_out_of_the_words(album: Album, typed: str, rest: str, wanted: MemoryFilter) -> None:
    assert parse_search(typed, album.library, TODAY) == (rest, wanted)


def test_in_names_an_event_in_full_or_in_part(album: Album) -> None:
    event = album.library.events.all()[0]

    assert parse_search('in:"tideconf 2025"', album.library, TODAY)[1].event_ids == (event.id,)
    assert parse_search("in:tideconf", album.library, TODAY)[1].event_ids == (event.id,)


def test_days_in_words_are_read_where_a_reader_is_given(album: Album) -> None:
    from core.ask.dates import find_days

    rest, wanted = parse_search('on:"last month" x', album.library, TODAY, find_days)

    assert (rest, wanted.first_day, wanted.last_day) == ("x", date(2025, 6, 1), date(2025, 6, 30))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("at the Museum of Tides, East Wing. yesterday", ["Museum of Tides, East Wing."]),
        ("in klatterhallen (north branch)", ["Klätterhallen (North Branch)"]),
        ("at Klätterhallen", ["Klätterhallen (North Branch)"]),
        ("in Lisbon", ["Lisbon"]),
        ("in Lisbon City", ["Lisbon City"]),
        ("from Hotel Azul to Harbour Café", ["Hotel Azul", "Harbour Café"]),
        ("nowhere", []),
    ],
)
def test_places_are_found_by_their_longest_name(album: Album, text: str, names: list[str]) -> None:
    index = place_names(album.library.memories.vocabulary().places)

    assert [mention.names[0] for mention in index.find(tokens_of(text))] == names


def test_people_are_found_by_full_name_part_and_order_and_near_spelling() -> None:
    index = person_names({"Elif Demir": 3, "王小明": 2, "several street performers": 1})

    assert index.find(tokens_of("with Demir Elif"))[0].names == ("Elif Demir",)
    assert index.find(tokens_of("Elif's birthday"))[0].names == ("Elif Demir",)
    assert index.find(tokens_of("我和王小明在一起"))[0].names == ("王小明",)
    assert index.find(tokens_of("Street")) == []
    assert index.near("Elif Demirr") == ("Elif Demir",)
    assert index.near("Matilda Okonkwo") == ()


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("Köln", "Cologne"),
        ("Köln", "colonia"),
        ("Genève", "Geneva"),
        ("Munich", "München"),
        ("Vienna", "Wien"),
        ("Prague", "Praha"),
        ("Göteborg", "Gothenburg"),
        ("The Hague", "Den Haag"),
        ("Donostia / San Sebastián", "San Sebastián"),
        ("Xi’an", "Xian"),
    ],
)
def test_a_city_is_found_by_its_names_in_other_languages(tmp_path: Path, stored: str, typed: str) -> None:
    album = Album(tmp_path / "library")
    there = album.add("2025-03-01T10:00", "A bridge", place=Place(city=stored))
    album.add("2025-03-02T10:00", "A tower", place=Place(city="Lund"))

    _, wanted = parse_search(f"at:{typed.replace(' ', '_')}", album.library, TODAY)
    assert album.library.memories.ids_matching(wanted) == [there]
    assert places_called(album.library, typed) == (stored,)
    if " " not in typed:
        assert [each.memory_id for each in search(album.library, None, f"{typed} bridges", MemoryFilter(), 1)] == [
            there
        ]
    album.library.close()


def test_a_name_of_the_library_goes_before_another_language(tmp_path: Path) -> None:
    album = Album(tmp_path / "library")
    album.add("2025-03-01T10:00", place=Place(city="Geneva", region="Illinois"))
    album.add("2025-03-02T10:00", place=Place(city="Genève"))

    assert places_called(album.library, "geneva") == ("Geneva",)
    assert set(places_called(album.library, "Genf")) == {"Geneva", "Genève"}
    assert places_called(album.library, "Geneva nights") == ("Geneva nights",)
    album.library.close()
