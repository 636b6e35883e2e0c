"""Is every word about people kept over re-runs, undone one by one, carried by export and import, and forgotten without a trace?"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.capture import pipeline
from core.engine import Engine
from core.errors import RequestError
from core.jobs import run_to_end
from core.paths import Home
from core.records import ContextKind, MemoryFilter, Stage
from core.records.people import Face, Person, PersonKind
from core.settings import Settings
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from tests.core.capture.conftest import InProcessDecoder
from tests.fakes import FakeEmbedder, FakeFaces, FakeModels
from tests.people_drawn import draw_people

ANNA, BEN, CLEO = 1, 5, 9


def opened(folder: Path, faces: FakeFaces | None = None) -> Engine:
    models = FakeModels(text_embedder=FakeEmbedder(), faces=faces or FakeFaces())
    return Engine(open_library(Home(folder), ExactIndexes()), models, Settings())


@pytest.fixture(autouse=True)
def decode_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode in this process: the child has its own tests and takes a second to start."""
    monkeypatch.setattr(pipeline, "Decoder", lambda *_, **__: InProcessDecoder())


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    for number in range(4):
        draw_people(folder / f"anna{number}.png", [ANNA], f"2024:0{number + 1}:10 10:00:00", seed=number)
        draw_people(folder / f"ben{number}.png", [BEN], f"2024:0{number + 1}:11 10:00:00", seed=10 + number)
    draw_people(folder / "both.png", [ANNA, BEN], "2024:06:10 10:00:00", seed=20)
    draw_people(folder / "dog.png", [], "2024:07:10 10:00:00", seed=30)
    return folder


@pytest.fixture
def engine(tmp_path: Path, album: Path) -> Iterator[Engine]:
    made = opened(tmp_path / "home")
    made.options.change("recognise_faces", "yes")
    made.add_folder(album)
    run_to_end(made.process())
    yield made
    made.close()


def read(engine: Engine) -> None:
    """What is made of a memory alone; events and the graph are read where a test is about them."""
    run_to_end(engine.process(Stage.CONTEXTS))


def shot(engine: Engine, name: str) -> str:
    return next(memory.id for memory in engine.memories(engine.timeline(100)) if memory.file_name == f"{name}.png")


def who(engine: Engine, name: str) -> tuple[str, ...]:
    return tuple(sorted(engine.memory(shot(engine, name)).people))


def someone(engine: Engine, name: str) -> Person:
    memory = shot(engine, name)
    return next(person for person in engine.people.all() if memory in engine.people.memories(person.id))


def face(engine: Engine, name: str) -> Face:
    return next(each for each in engine.people.faces(someone(engine, name).id) if each.memory_id == shot(engine, name))


def name_both(engine: Engine) -> None:
    engine.people.name(someone(engine, "anna0").id, "Anna")
    engine.people.name(someone(engine, "ben0").id, "Ben")


def state(engine: Engine) -> object:
    people = [(each.id, each.name, each.kind, each.favourite, each.groups, each.faces) for each in engine.people.all()]
    return people, {memory.file_name: memory.people for memory in engine.memories(engine.timeline(100))}


WORDS: dict[str, Callable[[Engine], object]] = {
    "name": lambda engine: engine.people.name(engine.people.get("Anna").id, "Annika"),
    "merge": lambda engine: engine.people.merge(engine.people.get("Anna").id, engine.people.get("Ben").id),
    "same name": lambda engine: engine.people.name(engine.people.get("Ben").id, "anna"),
    "split": lambda engine: engine.people.split(engine.people.get("Anna").id, [face(engine, "anna3")], "Cleo"),
    "split off unnamed": lambda engine: engine.people.split(engine.people.get("Anna").id, [face(engine, "anna3")]),
    "assign": lambda engine: engine.people.assign(engine.people.get("Ben").id, [face(engine, "anna3")]),
    "not this": lambda engine: engine.people.not_this(engine.people.get("Anna").id, [face(engine, "anna3")]),
    "not a face": lambda engine: engine.people.not_a_face([face(engine, "anna3")]),
    "group": lambda engine: engine.people.put_in_group(engine.people.get("Anna").id, "friends from summer school"),
    "favourite": lambda engine: engine.people.set_favourite(engine.people.get("Ben").id),
    "pet": lambda engine: engine.people.set_kind(engine.people.get("Ben").id, PersonKind.PET),
    "pet by hand": lambda engine: engine.people.add("Rex", [shot(engine, "dog")]),
}


@pytest.mark.parametrize("word", WORDS)
def test_every_word_outlives_a_rerun_another_model_and_an_undo_takes_only_it_back(
    engine: Engine, tmp_path: Path, word: str
) -> None:
    name_both(engine)
    read(engine)
    before = state(engine)
    WORDS[word](engine)
    after = state(engine)
    assert after != before

    read(engine)
    assert state(engine) == after
    engine._models = FakeModels(text_embedder=FakeEmbedder(), faces=FakeFaces(revision="2", grow=5))
    read(engine)
    assert state(engine) == after

    engine.correct.undo()
    assert state(engine) == before
    read(engine)
    assert state(engine) == before
    assert engine.examine() == []


def test_people_are_found_by_the_search_box_and_named_in_captions(engine: Engine) -> None:
    name_both(engine)
    read(engine)
    assert engine.count(MemoryFilter(people=("Anna", "Ben"))) == 1
    assert engine.count(MemoryFilter(people=("Anna",))) == 5
    assert "Anna" in engine.memory(shot(engine, "anna1")).caption


def test_a_rerun_never_brings_back_what_the_person_denied(engine: Engine, album: Path) -> None:
    name_both(engine)
    anna = engine.people.get("Anna")
    engine.people.not_this(anna.id, [face(engine, "anna3")])
    for number in range(30, 36):
        draw_people(album / f"more{number}.png", [ANNA], "2024:08:10 10:00:00", seed=number)
    read(engine)
    assert who(engine, "anna3") == ()
    assert who(engine, "more30") == ("Anna",)


def test_what_is_no_face_is_shown_nowhere(engine: Engine) -> None:
    engine.people.not_a_face([face(engine, "anna3")])
    read(engine)
    assert engine.people.loose_faces() == []
    assert sorted(person.faces for person in engine.people.all()) == [4, 5]


def test_after_a_split_faces_nobody_confirmed_go_to_whom_they_resemble(tmp_path: Path, album: Path) -> None:
    """Two people taken for one: pointing out one wrong face of the second frees the others."""
    engine = opened(tmp_path / "other", FakeFaces(same_at=-0.9))
    engine.options.change("recognise_faces", "yes")
    engine.add_folder(album)
    (album / "both.png").unlink()
    read(engine)
    [mixed] = [person for person in engine.people.all() if person.faces >= 8]
    engine.people.set_favourite(mixed.id)
    engine._models = FakeModels(text_embedder=FakeEmbedder(), faces=FakeFaces(same_at=0.5))
    engine.people.split(mixed.id, [face(engine, "ben0")], "Ben")
    engine.people.assign(mixed.id, [face(engine, "anna0")])
    read(engine)
    assert {who(engine, f"ben{number}") for number in range(4)} == {("Ben",)}
    assert {face(engine, f"anna{number}").person_id for number in range(4)} == {mixed.id}
    engine.close()


def test_names_groups_and_examples_travel_with_export_and_import(engine: Engine, tmp_path: Path, album: Path) -> None:
    name_both(engine)
    engine.people.put_in_group(engine.people.get("Anna").id, "friends from summer school")
    engine.people.not_this(engine.people.get("Anna").id, [face(engine, "anna3")])
    engine.people.add("Rex", [shot(engine, "dog")])
    read(engine)
    before = state(engine)
    engine.export_to(tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.people.jsonl").read_text("utf-8").splitlines()]
    anna = next(line for line in lines if line["name"] == "Anna")
    assert anna["groups"] == ["friends from summer school"]
    assert {"memory", "box", "embedding", "space"} <= set(anna["examples"][0])

    other = opened(tmp_path / "other")
    run_to_end(other.import_from(tmp_path / "out.jsonl"))
    assert who(other, "both") == ("Anna", "Ben")
    assert [person.name for person in other.people.all()] == [person.name for person in engine.people.all()]
    other.options.change("recognise_faces", "yes")
    other.add_folder(album)
    read(other)
    assert state(other)[1] == before[1]  # type: ignore[index]
    assert [person.faces for person in other.people.all()] == [person.faces for person in engine.people.all()]
    other.close()


def test_people_without_their_corrections_are_imported_too(engine: Engine, tmp_path: Path) -> None:
    name_both(engine)
    engine.people.set_favourite(engine.people.get("Anna").id)
    read(engine)
    engine.export_to(tmp_path / "out.jsonl")
    (tmp_path / "out.corrections.jsonl").unlink()
    other = opened(tmp_path / "other")
    run_to_end(other.import_from(tmp_path / "out.jsonl"))
    assert {(person.name, person.favourite) for person in other.people.all()} == {("Anna", True), ("Ben", False)}
    run_to_end(other.import_from(tmp_path / "out.jsonl"))
    assert len(other.people.all()) == 2
    other.close()


def test_a_name_known_from_another_library_is_recognised_in_new_pictures(engine: Engine, tmp_path: Path) -> None:
    name_both(engine)
    read(engine)
    engine.export_to(tmp_path / "out.jsonl")
    other = opened(tmp_path / "other")
    run_to_end(other.import_from(tmp_path / "out.jsonl"))
    other.options.change("recognise_faces", "yes")
    draw_people(tmp_path / "fresh" / "fresh.png", [BEN], "2024:09:10 10:00:00", seed=77)
    other.add_folder(tmp_path / "fresh")
    read(other)
    assert who(other, "fresh") == ("Ben",)
    other.close()


def every_text(folder: Path) -> str:
    with sqlite3.connect(folder / "madeleine.sqlite") as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type='table'")]
        return " ".join(str(row) for table in tables for row in connection.execute(f"SELECT * FROM {table}"))  # noqa: S608


def test_forgetting_somebody_leaves_no_name_and_no_face(engine: Engine, tmp_path: Path) -> None:
    name_both(engine)
    engine.people.name(engine.people.get("Anna").id, "Annabelle")
    engine.people.put_in_group(engine.people.get("Annabelle").id, "cousins of Annabelle")
    engine.relations.relate("Ben", "sister", "Annabelle")
    engine.correct.undo()
    engine.relations.relate("Ben", "sister", "Annabelle")
    run_to_end(engine.process())
    assert "Annabelle" in every_text(tmp_path / "home")

    engine.people.forget(engine.people.get("Annabelle").id)
    assert who(engine, "both") == ("Ben",)
    assert [person.name for person in engine.people.all()] == ["Ben"]
    assert len(engine.people.loose_faces()) == 0
    run_to_end(engine.process())
    for text in ("Annabelle", "annabelle"):
        assert text not in every_text(tmp_path / "home")
    assert [person.name for person in engine.people.all()] == ["Ben"]

    engine._models = FakeModels(text_embedder=FakeEmbedder(), faces=FakeFaces(revision="2"))
    run_to_end(engine.process())
    assert [person.name for person in engine.people.all()] == ["Ben"]
    assert len(engine.people.loose_faces()) == 0
    with pytest.raises(RequestError, match="Annabelle"):
        engine.people.get("Annabelle")


def test_turning_faces_off_can_forget_them_all(engine: Engine) -> None:
    name_both(engine)
    read(engine)
    engine.options.change("recognise_faces", "no")
    engine.people.forget_all()
    read(engine)
    assert engine.people.all() == []
    assert who(engine, "both") == ()
    assert "Anna" not in engine.memory(shot(engine, "anna0")).caption
    engine.options.change("recognise_faces", "yes")
    read(engine)
    assert sorted(person.faces for person in engine.people.all()) == [5, 5]


def test_faces_that_an_older_version_turned_on_in_the_library_are_a_setting_now(tmp_path: Path) -> None:
    library = open_library(Home(tmp_path / "home"), ExactIndexes())
    library.stages.set_note("faces", "yes")
    made = Engine(library, FakeModels(), Settings(owner="Mara"))
    assert made.options.settings.recognise_faces
    made.options.change("recognise_faces", "no")
    made.close()

    again = Engine(open_library(Home(tmp_path / "home"), ExactIndexes()), FakeModels(), Settings(owner="Mara"))
    assert not again.options.settings.recognise_faces
    again.close()


def test_a_forgotten_memory_takes_its_faces_along(engine: Engine) -> None:
    name_both(engine)
    memory = shot(engine, "anna0")
    engine.correct.forget_memory(memory)
    assert engine.people.get("Anna").faces == 4
    assert memory not in {each.memory_id for each in engine.people.faces(engine.people.get("Anna").id)}
    read(engine)
    assert engine.people.get("Anna").faces == 4


def test_portraits_are_spread_over_the_years(engine: Engine, album: Path) -> None:
    for year in range(2010, 2024):
        draw_people(album / f"y{year}.png", [CLEO], f"{year}:05:10 10:00:00", seed=year)
    read(engine)
    cleo = someone(engine, "y2010")
    assert cleo.faces == 14
    years = [
        wall.year
        for each in engine.people.portraits(cleo.id, 5)
        if (wall := engine.memory(each.memory_id).taken.wall) is not None
    ]
    assert len(years) == 5
    assert years == sorted(years)
    assert years[-1] - years[0] >= 9


def test_the_person_typing_who_is_in_a_memory_stays_above_the_faces(engine: Engine) -> None:
    name_both(engine)
    engine.correct.edit_memory(shot(engine, "both"), "people", "Dora")
    read(engine)
    assert who(engine, "both") == ("Dora",)
    contexts = engine.contexts(shot(engine, "both"))
    assert {each.value for each in contexts if each.kind is ContextKind.PERSON} == {"Anna", "Ben", "Dora"}


@pytest.mark.parametrize("name", ["", "   ", "…", "x" * 201])
def test_a_name_without_a_letter_or_without_end_is_refused(engine: Engine, name: str) -> None:
    with pytest.raises(RequestError):
        engine.people.name(someone(engine, "anna0").id, name)


def test_nonsense_is_refused(engine: Engine) -> None:
    name_both(engine)
    anna = engine.people.get("Anna")
    for act in (
        lambda: engine.people.merge(anna.id, anna.id),
        lambda: engine.people.split(anna.id, []),
        lambda: engine.people.not_this(anna.id, []),
        lambda: engine.people.not_a_face([]),
        lambda: engine.people.put_in_group(anna.id, "nobody's", into=False),
        lambda: engine.people.get("Zed"),
        lambda: engine.people.faces_in("nothing"),
        lambda: engine.people.found(anna, [engine.memory(shot(engine, "ben0")).public_id]),
    ):
        with pytest.raises(RequestError):
            act()
