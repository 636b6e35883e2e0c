"""What the person keeps private leaves nothing behind, is never asked about, and is understood again when they say so."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.capture import pipeline
from core.capture.privacy import domain_for, read_domain
from core.engine import Engine
from core.errors import RequestError, SettingsError
from core.jobs import run_to_end
from core.paths import Home
from core.records import CapturedMemory, MemoryFilter, Outcome, Question
from core.settings import Settings, load_settings
from core.store.chroma_index import ChromaIndexes
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.core.capture.conftest import InProcessDecoder
from tests.fakes import FakeEmbedder, FakeModels
from tests.journeys.program import draw_photo

WORD = "Quetzalbein"
PASSPORT = f"PASSPORT\nSurname {WORD}\nNationality Norsk\nDate of birth 4 May 1980\nP<NOR{WORD.upper()}<<ANNA<<<<<<<<"
STATEMENT = (
    f"Account statement\nIBAN SE45 5000 0000 0583 9825 7466\n{WORD}\nOpening balance 20.00\nClosing balance 3.00"
)
FINDING = f"Patient {WORD}\nDiagnosis: asthma\nDose 20 mg twice a day\nClinic"
RECIPE = "Pancakes\n3 eggs and a pint of milk"


@pytest.fixture(autouse=True)
def decode_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode in this process: the child has its own tests and takes a second to start."""
    monkeypatch.setattr(pipeline, "Decoder", lambda *_, **__: InProcessDecoder())


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    folder.mkdir()
    (folder / "pass.txt").write_text(PASSPORT)
    (folder / "recipe.txt").write_text(RECIPE)
    for number in range(5):
        (folder / f"note_{number}.txt").write_text(f"Remember number {number} of the garden")
    draw_photo(folder / "IMG_1.jpg", 1, "2024:05:10 10:00:00")
    return folder


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return open_library(Home(tmp_path / "home"), ExactIndexes())


@pytest.fixture
def engine(library: Library, album: Path) -> Iterator[Engine]:
    made = Engine(library, FakeModels(text_embedder=FakeEmbedder()), Settings())
    made.add_folder(album)
    run_to_end(made.process())
    try:
        yield made
    finally:
        made.close()


def _named(engine: Engine, name: str) -> CapturedMemory:
    return next(each for each in engine.memories(engine.timeline(100)) if each.file_name == name)


def _found(engine: Engine, word: str) -> list[str]:
    return [engine.memory(each.memory_id).file_name for each in engine.grep(word)]


def _files_with(folder: Path, word: str) -> list[str]:
    """Files of a folder that hold the word in any letter case, as UTF-8 or UTF-16."""
    kinds = [word.lower().encode(), word.upper().encode(), word.encode(), word.encode("utf-16-le")]
    return [
        str(path) for path in folder.rglob("*") if path.is_file() and any(kind in path.read_bytes() for kind in kinds)
    ]


@pytest.mark.parametrize(
    ("text", "domain"),
    [(PASSPORT, "ids"), (STATEMENT, "bank"), (FINDING, "health"), ("My card: 4111 1111 1111 1111 valid 04/27", "bank")],
)
def test_what_is_kept_out_of_understanding_later_leaves_no_word_in_the_whole_home(
    engine: Engine, library: Library, album: Path, text: str, domain: str
) -> None:
    engine.correct.forget_memory(_named(engine, "pass.txt").id)
    (album / "paper.txt").write_text(f"{text}\n{WORD}")
    run_to_end(engine.process())
    paper = _named(engine, "paper.txt")
    engine.correct.create_event("A day", [paper.id, _named(engine, "recipe.txt").id])
    assert _found(engine, WORD) == ["paper.txt"]

    engine.options.keep_private(domain, "understanding")

    assert _found(engine, WORD) == []
    after = _named(engine, "paper.txt")
    assert (after.private, after.visible_text, after.caption, after.title) == ("understanding", "", "", "")
    run_to_end(engine.process())
    assert _found(engine, WORD) == []
    engine.close()
    assert _files_with(library.home.folder, WORD) == []


def test_nothing_of_it_is_ever_written_when_the_domain_was_on_before(tmp_path: Path, album: Path) -> None:
    home = Home(tmp_path / "fresh")
    engine = Engine(
        open_library(home, ChromaIndexes(home.vectors)),
        FakeModels(text_embedder=FakeEmbedder()),
        Settings(never_understood=("ids",)),
    )
    engine.add_folder(album)
    run_to_end(engine.process())

    assert _named(engine, "pass.txt").private == "understanding"
    assert _found(engine, "pancakes") == ["recipe.txt"]
    assert engine.thumbnail(_named(engine, "IMG_1.jpg").id) is not None
    engine.close()
    assert _files_with(home.folder, WORD) == []


def test_switching_a_domain_off_understands_again(engine: Engine) -> None:
    before = _named(engine, "pass.txt")
    engine.correct.edit_memory(before.id, "title", "My own words")
    engine.options.keep_private("ids", "understanding")
    run_to_end(engine.process())
    assert _named(engine, "pass.txt").title == ""

    engine.options.allow("ids")
    assert _named(engine, "pass.txt").title == "My own words"  # what the person said was only put aside
    run_to_end(engine.process())

    after = _named(engine, "pass.txt")
    assert (after.id, after.private, after.visible_text) == (before.id, "", before.visible_text)
    assert _found(engine, WORD) == ["pass.txt"]


def test_what_is_kept_out_of_chat_is_still_found_by_the_person_but_by_no_question(engine: Engine) -> None:
    asked = Question(f"Show me {WORD}", date(2999, 1, 1))
    assert run_to_end(engine.ask(asked)).citations

    engine.options.keep_private("ids", "chat")
    run_to_end(engine.process())

    assert _found(engine, WORD) == ["pass.txt"]
    answer = run_to_end(engine.ask(asked))
    assert answer.outcome is Outcome.NOT_FOUND
    assert not answer.citations
    memory = _named(engine, "pass.txt")
    assert all(memory.id not in event.member_ids for event in engine.events())
    assert engine.search(WORD)[0].memory_id == memory.id
    engine.options.allow("ids")
    run_to_end(engine.process())
    assert run_to_end(engine.ask(asked)).citations


def test_a_private_person_and_a_private_folder_are_kept_out(engine: Engine, album: Path) -> None:
    photo = _named(engine, "IMG_1.jpg")
    engine.correct.edit_memory(photo.id, "people", "Ann Lee, Bo")
    inner = album / "diary"
    inner.mkdir()
    (inner / "day.txt").write_text("Dear diary, the zeppelin flew")
    run_to_end(engine.process())

    engine.options.keep_private("person:ann lee", "chat")
    engine.options.keep_private(f"folder:{inner}", "understanding")
    run_to_end(engine.process())

    assert engine.memory(photo.id).private == "chat"
    assert _named(engine, "day.txt").private == "understanding"
    assert _found(engine, "zeppelin") == []
    (inner / "night.txt").write_text("At night the zeppelin landed")
    run_to_end(engine.process())
    assert _found(engine, "zeppelin") == []
    (inner / "day.txt").rename(album / "day.txt")  # moved out of the folder, it is private no more
    run_to_end(engine.process())
    assert _found(engine, "zeppelin") == ["day.txt"]


def test_a_photo_loses_its_small_picture_and_gets_it_back(engine: Engine, library: Library) -> None:
    photo = _named(engine, "IMG_1.jpg")
    engine.options.keep_memory_private(photo.id, "understanding")
    assert engine.thumbnail(photo.id) is None
    assert list(library.home.thumbnails.rglob("*.*")) == []
    run_to_end(engine.process())
    assert engine.thumbnail(photo.id) is None

    engine.correct.undo()
    engine.options.settle_privacy()
    run_to_end(engine.process())

    assert engine.memory(photo.id).private == ""
    assert engine.thumbnail(photo.id) is not None


def test_the_persons_word_on_one_memory_stands_over_every_domain(engine: Engine) -> None:
    memory = _named(engine, "pass.txt")
    engine.options.keep_memory_private(memory.id, "none")

    engine.options.keep_private("ids", "understanding")
    run_to_end(engine.process())

    assert engine.memory(memory.id).private == ""
    assert _found(engine, WORD) == ["pass.txt"]


def test_a_correction_that_makes_a_memory_private_takes_hold_at_once(engine: Engine) -> None:
    engine.options.keep_private("person:Bo", "chat")
    photo = _named(engine, "IMG_1.jpg")
    assert engine.memory(photo.id).private == ""

    engine.correct.edit_memory(photo.id, "people", "Bo")

    assert engine.memory(photo.id).private == "chat"
    engine.correct.edit_memory(photo.id, "people", "Kim")
    assert engine.memory(photo.id).private == ""


def test_an_import_brings_no_word_of_what_is_private(engine: Engine, tmp_path: Path) -> None:
    engine.export_to(tmp_path / "all.jsonl")
    home = Home(tmp_path / "other")
    other = Engine(open_library(home, ExactIndexes()), FakeModels(), Settings(never_understood=("ids",)))

    run_to_end(other.import_from(tmp_path / "all.jsonl"))
    run_to_end(other.process())

    assert other.count() == engine.count()
    assert _found(other, WORD) == []
    assert _found(other, "pancakes") == ["recipe.txt"]
    other.close()
    assert _files_with(home.folder, WORD) == []


def test_private_memories_stay_in_the_timeline_with_their_date(engine: Engine) -> None:
    photo = _named(engine, "IMG_1.jpg")
    engine.options.keep_memory_private(photo.id, "understanding")
    run_to_end(engine.process())

    assert engine.count(MemoryFilter()) == 8
    assert engine.memory(photo.id).taken == photo.taken


def test_settings_and_list_say_what_is_private(engine: Engine, library: Library) -> None:
    engine.options.keep_private("ids", "chat")
    engine.options.keep_private("ids", "understanding")
    engine.options.keep_private("person:Ann", "chat")

    shown = {each.text: each.level for each in engine.options.domains()}
    assert (shown["ids"], shown["bank"], shown["person:Ann"]) == ("understanding", "", "chat")
    stored = load_settings(library.home.settings)
    assert (stored.never_understood, stored.hidden_from_chat) == (("ids",), ("person:Ann",))


@pytest.mark.parametrize("text", ["", "idz", "ids:x", "person:", "person: ", "folder:"])
def test_what_is_no_domain_is_refused(engine: Engine, text: str) -> None:
    with pytest.raises(SettingsError, match="no privacy domain"):
        engine.options.keep_private(text, "chat")
    with pytest.raises(RequestError):
        engine.options.allow(text)


@pytest.mark.parametrize(
    ("memory", "domains"),
    [
        (CapturedMemory(id="m", public_id="m", visible_text="Call me in May at 4111 1111 1111 1112"), ()),
        (CapturedMemory(id="m", public_id="m", visible_text="4111-1111-1111-1111"), ("bank",)),
        (CapturedMemory(id="m", public_id="m", visual_elements=("brassiere",)), ("intimate",)),
        (CapturedMemory(id="m", public_id="m", keywords=("NSFW",)), ("intimate",)),
        (CapturedMemory(id="m", public_id="m", visible_text="Sexy sale at the underwear shop"), ()),
        (
            CapturedMemory(id="m", public_id="m", people=("Ann Lee",)),
            ("person:ann", "person:Ann Lee", "person:ANN LEE"),
        ),
        (CapturedMemory(id="m", public_id="m", caption="Annika in the garden"), ()),
        (CapturedMemory(id="m", public_id="m", caption="Ann in the garden"), ("person:ann",)),
        (CapturedMemory(id="m", public_id="m", visible_text="May 2024"), ()),
    ],
)
def test_a_memory_falls_into_the_domains_that_fit_it(memory: CapturedMemory, domains: tuple[str, ...]) -> None:
    known = ("ids", "bank", "health", "intimate", "person:ann", "person:Ann Lee", "person:ANN LEE", "person:May")
    assert {each for each in known if domain_for(memory, [read_domain(each, "chat")])} == set(domains)


def test_a_private_folder_stays_private_when_the_library_moves_house(engine: Engine, album: Path) -> None:
    (album / "diary").mkdir()
    (album / "diary" / "day.txt").write_text("The zeppelin flew")
    engine.options.keep_private(f"folder:{album / 'diary'}", "understanding")
    engine.options.exclude(str(album / "diary" / "old"))
    engine.options.exclude("*.tmp")
    run_to_end(engine.process())
    assert _named(engine, "day.txt").private == "understanding"

    album.rename(album.parent / "moved")
    engine.relocate(str(album), album.parent / "moved")
    (album.parent / "moved" / "diary" / "night.txt").write_text("At night the zeppelin landed")
    run_to_end(engine.process())

    assert _found(engine, "zeppelin") == []
    assert {_named(engine, f"{name}.txt").private for name in ("day", "night")} == {"understanding"}
    assert engine.options.settings.exclusions == (str(album.parent / "moved" / "diary" / "old"), "*.tmp")


def test_an_event_loses_what_is_kept_out_of_chat_and_gets_it_back(engine: Engine, album: Path) -> None:
    for number in range(2, 6):
        draw_photo(album / f"IMG_{number}.jpg", number, f"2024:05:10 10:{number}0:00")
    run_to_end(engine.process())
    photo, other = _named(engine, "IMG_2.jpg"), _named(engine, "IMG_3.jpg")
    engine.correct.create_event("Our day", [photo.id, other.id])

    def members() -> set[str]:
        return set(next(event for event in engine.events() if event.name == "Our day").member_ids)

    engine.options.keep_memory_private(photo.id, "chat")
    assert members() == {other.id}
    engine.correct.confirm_event(next(event.id for event in engine.events() if event.name == "Our day"))
    run_to_end(engine.process())
    assert members() == {other.id}

    engine.options.keep_memory_private(photo.id, "none")
    run_to_end(engine.process())
    assert members() == {photo.id, other.id}
    assert engine.search("garden")
