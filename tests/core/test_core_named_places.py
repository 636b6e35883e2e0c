"""The person's names for places stand over the map's, survive everything, and are used by search and questions."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.capture import pipeline
from core.engine import Engine
from core.errors import RequestError
from core.jobs import run_to_end
from core.paths import Home
from core.records import CapturedMemory, Question
from core.settings import Settings
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from tests.core.capture import drawn
from tests.core.capture.conftest import InProcessDecoder
from tests.fakes import FakeEmbedder, FakeModels

LUND, NEAR, OSLO = (55.7047, 13.1910), (55.7056, 13.1910), (59.9139, 10.7522)


@pytest.fixture(autouse=True)
def decode_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode in this process: the child has its own tests and takes a second to start."""
    monkeypatch.setattr(pipeline, "Decoder", lambda *_, **__: InProcessDecoder())


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    for number, position in enumerate((LUND, NEAR, OSLO)):
        stamp = {0x9003: f"2024:05:1{number} 12:00:00"}
        drawn.jpeg(folder / f"{number}.jpg", number, drawn.exif(stamp, gps=position))
    drawn.jpeg(folder / "nowhere.jpg", 9)
    return folder


@pytest.fixture
def engine(tmp_path: Path, album: Path) -> Iterator[Engine]:
    made = Engine(
        open_library(Home(tmp_path / "home"), ExactIndexes()), FakeModels(text_embedder=FakeEmbedder()), Settings()
    )
    made.add_folder(album)
    run_to_end(made.process())
    try:
        yield made
    finally:
        made.close()


def _named(engine: Engine, name: str) -> CapturedMemory:
    return next(each for each in engine.memories(engine.timeline(100)) if each.file_name == name)


def _places(engine: Engine) -> list[str]:
    return [place.name if (place := _named(engine, f"{number}.jpg").place) else "" for number in range(3)]


def _at(engine: Engine, text: str) -> set[str]:
    return {engine.memory(each.memory_id).file_name for each in engine.search_box(text, date(2024, 6, 1))}


def test_a_name_from_a_memory_is_shown_wherever_it_reaches_and_nowhere_else(engine: Engine) -> None:
    place = engine.options.name_place_of("Grandma's", _named(engine, "0.jpg").id)

    assert (place.latitude, place.longitude) == pytest.approx(LUND, abs=1e-4)
    assert _places(engine) == ["Grandma's", "Grandma's", ""]
    shown = _named(engine, "0.jpg").place
    assert shown is not None
    assert (shown.city, shown.country) == ("Lund", "Sweden")
    assert _at(engine, "at:grandma's") == _at(engine, 'at:"Grandma\'s"') == {"0.jpg", "1.jpg"}


def test_a_question_uses_the_name(engine: Engine) -> None:
    engine.options.name_place("Grandma's", *LUND)
    run_to_end(engine.process())

    answer = run_to_end(engine.ask(Question("How many photos did I take at grandma's?", date(2024, 6, 1))))

    assert {engine.memory(each.memory_id).file_name for each in answer.citations} == {"0.jpg", "1.jpg"}


def test_a_name_outlives_a_rescan_and_reaches_new_pictures(engine: Engine, album: Path) -> None:
    engine.options.name_place("Home", *LUND)
    (album / "0.jpg").rename(album / "renamed.jpg")
    drawn.jpeg(album / "new.jpg", 5, drawn.exif(gps=LUND))

    run_to_end(engine.process())

    assert _at(engine, "at:home") == {"renamed.jpg", "1.jpg", "new.jpg"}


def test_the_smallest_circle_around_a_picture_names_it(engine: Engine) -> None:
    engine.options.name_place("Town", *LUND, 5_000)
    engine.options.name_place("Desk", *LUND, 20)

    assert _places(engine) == ["Desk", "Town", ""]


def test_a_name_is_moved_by_naming_again_and_undone_like_any_correction(engine: Engine) -> None:
    engine.options.name_place("Home", *LUND)
    engine.options.name_place("home", *OSLO)
    assert _places(engine) == ["", "", "home"]

    engine.correct.undo()
    run_to_end(engine.process())
    assert _places(engine) == ["Home", "Home", ""]
    engine.options.unname_place("HOME")
    assert _places(engine) == ["", "", ""]
    place = _named(engine, "0.jpg").place
    assert place is not None
    assert place.city == "Lund"


def test_what_the_person_said_about_one_picture_stands_over_the_name(engine: Engine) -> None:
    engine.correct.edit_memory(_named(engine, "0.jpg").id, "place", "The attic")

    engine.options.name_place("Home", *LUND)

    assert _places(engine) == ["The attic", "Home", ""]


def test_names_travel_with_an_export(engine: Engine, tmp_path: Path) -> None:
    engine.options.name_place("Home", *LUND)
    engine.export_to(tmp_path / "all.jsonl")
    other = Engine(open_library(Home(tmp_path / "other"), ExactIndexes()), FakeModels(), Settings())

    run_to_end(other.import_from(tmp_path / "all.jsonl"))
    run_to_end(other.process())

    assert [each.name for each in other.options.places()] == ["Home"]
    assert _places(other) == ["Home", "Home", ""]
    other.options.unname_place("Home")
    assert _places(other) == ["", "", ""]
    assert (place := _named(other, "0.jpg").place) is not None
    assert place.city == "Lund"
    other.close()


def test_what_cannot_be_a_place_is_refused(engine: Engine) -> None:
    with pytest.raises(RequestError, match="position of this memory is not known"):
        engine.options.name_place_of("Home", _named(engine, "nowhere.jpg").id)
    for name, latitude, longitude, radius in (
        ("", 1.0, 1.0, 100.0), ("x" * 101, 1.0, 1.0, 100.0), ("Home", 91.0, 1.0, 100.0), ("Home", 0.0, 0.0, 100.0),
        ("Home", float("nan"), 1.0, 100.0), ("Home", 1.0, 1.0, float("nan")), ("Home", 1.0, 1.0, 1e9),
    ):  # fmt: skip
        with pytest.raises(RequestError):
            engine.options.name_place(name, latitude, longitude, radius)
    assert engine.options.places() == []


def test_a_place_at_the_edge_of_the_map_reaches_over_it(engine: Engine, album: Path) -> None:
    drawn.jpeg(album / "fiji.jpg", 6, drawn.exif(gps=(-16.85, 179.9999)))
    run_to_end(engine.process())

    engine.options.name_place("Date line", -16.85, -179.9999)

    place = _named(engine, "fiji.jpg").place
    assert place is not None
    assert place.name == "Date line"
