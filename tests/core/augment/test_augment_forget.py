"""Is nothing left of a forgotten memory, in the database, the indexes and the folders of the home?"""

from pathlib import Path

import pytest

from core.augment.corrections import Corrector
from core.errors import RequestError
from core.records import SourceFile
from core.store.library import Library
from tests.core.augment.life import BISTRO, named, remember, run, shown
from tests.fakes import FakeChat, FakeEmbedder, FakeModels

WORD = "Zyxquartz"


@pytest.fixture
def secret(library: Library, month: dict[str, list[str]]) -> str:
    """A memory at the dinner with a word that stands nowhere else, everywhere it can stand."""
    found = remember(
        library,
        "2024-05-06T19:50",
        f"A letter about {WORD}",
        place=BISTRO,
        people=(f"{WORD} Person",),
        activities=(WORD.lower(),),
        text=f"{WORD} Festival",
        content_key="ab" * 32,
    )
    root = library.files.add_root("/photos")
    library.files.put(SourceFile(id="f", root_id=root.id, path="/photos/a.jpg", memory_id=found, sha256="ab" * 32))
    (library.home.thumbnails / ("ab" * 32 + ".jpg")).write_bytes(b"picture")
    models = FakeModels(chat=FakeChat(['{"events":[],"mentioned":[]}'] * 9), text_embedder=FakeEmbedder())
    run(library, models)
    return found


def test_every_trace_of_a_forgotten_memory_is_gone(library: Library, secret: str) -> None:
    correct = Corrector(library)
    correct.edit_memory(secret, "caption", f"My {WORD}")
    correct.set_importance(named(library, next(e.name for e in shown(library) if secret in e.member_ids)).id, 3)
    correct.forget_memory(secret)
    run(library, FakeModels(text_embedder=FakeEmbedder()))
    library.database.read().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    library.database.read().execute("VACUUM")
    home = library.home.folder
    holding = [path for path in home.rglob("*") if path.is_file() and WORD.lower() in _lowered(path)]
    assert holding == []
    assert not list(library.home.thumbnails.iterdir())
    for kind in ("memory", "event", "knowledge", "context"):
        assert secret not in library.embeddings.owner_ids(kind, "fake-embedder@1")
    assert not any(secret in event.member_ids for event in shown(library))


def test_forgetting_leaves_the_rest_of_the_event_and_cannot_be_undone(
    library: Library, secret: str, month: dict[str, list[str]]
) -> None:
    Corrector(library).forget_memory(secret)
    dinner = next(event for event in shown(library) if month["dinner"][0] in event.member_ids)
    assert set(dinner.member_ids) == set(month["dinner"])
    assert WORD not in dinner.summary
    forgotten = next(each for each in library.corrections.all() if each.action == "forget")
    with pytest.raises(RequestError, match="cannot be undone"):
        Corrector(library).undo(forgotten.id)


def test_what_was_corrected_before_a_forget_can_still_be_undone(
    library: Library, secret: str, month: dict[str, list[str]]
) -> None:
    event = next(event for event in shown(library) if month["dinner"][0] in event.member_ids)
    Corrector(library).rename_event(event.id, "Supper club")
    Corrector(library).forget_memory(secret)

    Corrector(library).undo()

    assert "Supper club" not in {each.name for each in shown(library)}


def test_an_event_whose_last_memory_is_forgotten_goes_with_it(library: Library, month: dict[str, list[str]]) -> None:
    run(library)
    for memory_id in month["dinner"]:
        Corrector(library).forget_memory(memory_id)
    assert [event.name for event in shown(library)] == ["Trip to Porto", "HCI Forum 2024"]


def _lowered(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "ignore").lower()
