"""The engine as its two users see it: what one call changes, another shows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engine import Engine
from core.errors import PhotoMissingError
from core.jobs import run_to_end
from core.paths import Home
from core.retrieve.embed import MEMORY, content_text, space
from core.settings import Settings
from core.store.embeddings import text_hash
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.fakes import FakeEmbedder, FakeModels
from tests.journeys.program import draw_photo

EMBEDDER = FakeEmbedder()


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return open_library(Home(tmp_path / "library"), ExactIndexes())


@pytest.fixture
def engine(library: Library, tmp_path: Path) -> Iterator[Engine]:
    made = Engine(library, FakeModels(text_embedder=EMBEDDER), Settings(owner="Mara"))
    for number in range(3):
        draw_photo(tmp_path / "album" / f"IMG_{number}.jpg", number, f"2024:05:1{number} 10:00:00")
    try:
        made.add_folder(tmp_path / "album")
        run_to_end(made.process())
        yield made
    finally:
        made.close()


@pytest.mark.parametrize(
    ("field", "value"), [("caption", "A heron on the ice"), ("place", "Lund, Sweden"), ("people", "Ines")]
)
def test_what_is_derived_from_a_corrected_value_is_made_anew(
    engine: Engine, library: Library, field: str, value: str
) -> None:
    memory_id = engine.timeline(1)[0]
    engine.correct.edit_memory(memory_id, field, value)
    run_to_end(engine.process())
    text = content_text(engine.memory(memory_id))
    assert library.embeddings.missing(MEMORY, space(EMBEDDER), {memory_id: text}) == {}, text_hash(text)
    assert engine.search(value)[0].memory_id == memory_id
    if field == "caption":
        assert engine.memory(memory_id).caption == value


def test_status_counts_every_stage_and_names_the_owner(engine: Engine) -> None:
    status = engine.status()
    assert (status.memories, status.owner) == (3, "Mara")
    assert all(
        counts["done"] + counts["nothing"] == 3
        for stage, counts in status.stages.items()
        if stage in ("metadata", "thumbnails")
    )
    assert status.models["chat"] == ""


def test_a_pause_is_remembered_by_the_library(engine: Engine) -> None:
    engine.set_paused(True)
    assert engine.status().paused
    engine.set_paused(False)
    assert not engine.status().paused


def test_an_original_that_is_gone_is_said_to_be_so_and_its_memory_stays(engine: Engine, tmp_path: Path) -> None:
    memory_id = engine.timeline(1)[0]
    engine.original(memory_id).unlink()
    with pytest.raises(PhotoMissingError, match="cannot be reached"):
        engine.original(memory_id)
    run_to_end(engine.process())
    assert engine.count() == 3
    assert engine.thumbnail(memory_id) is not None
