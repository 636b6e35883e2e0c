"""The real starter models on pictures of the drawn album: what follows from their words is seen, and nothing is invented."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from core.capture.pipeline import process
from core.capture.scan import add_folder
from core.jobs import run_to_end
from core.paths import Home
from core.records import AtomicContext, CapturedMemory, ContextKind, Origin, Stage
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from models.installed import InstalledModels
from resources.sample_album import album_facts
from resources.sample_album.saving import save
from tests.core.capture.conftest import FakeModels

pytestmark = pytest.mark.integration

RECEIPT, MENU, CONFERENCE, CARD = (
    "IMG_20240302_112015.jpg", "IMG_20240514_190504.jpg", "IMG_20240513_125020.jpg", "IMG_20240515_125530.jpg",
)  # fmt: skip
VET, BAND = "IMG_20240425_174810.jpg", "IMG_20240817_211530.jpg"
NAMES = (RECEIPT, MENU, CONFERENCE, CARD, VET, BAND)


@dataclass(frozen=True)
class Understood:
    """A memory of the album and what is said of it."""

    memory: CapturedMemory
    contexts: tuple[AtomicContext, ...]

    def values(self, kind: ContextKind) -> set[str]:
        return {each.value for each in self.contexts if each.kind is kind}


@pytest.fixture(scope="module")
def understood(models_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Understood]:
    """Six pictures with words in them, read and understood once for all tests of this module."""
    folder = tmp_path_factory.mktemp("sample")
    album = folder / "album"
    album.mkdir()
    for fact in album_facts():
        if fact.file in NAMES:
            save(fact, album)
    library = open_library(Home(folder / "home"), ExactIndexes())
    models = InstalledModels(models_dir, folder / "logs", "qwen2.5-coder-1.5b-instruct-q4_k_m", "none")
    try:
        add_folder(library, album)
        run_to_end(process(library, FakeModels(chat=models.chat, text_reader=models.text_reader), Stage.CONTEXTS))
        found = library.memories.matching()
        return {each.file_name: Understood(each, tuple(library.memories.contexts(each.id))) for each in found}
    finally:
        models.close()
        library.close()


def test_a_receipt_means_shopping_a_menu_a_restaurant_and_a_conference_sign_its_venue(
    understood: dict[str, Understood],
) -> None:
    assert "shopping" in understood[RECEIPT].values(ContextKind.ACTIVITY)
    assert understood[MENU].values(ContextKind.ENVIRONMENT) == {"restaurant"}
    assert "conference venue" in understood[CONFERENCE].values(ContextKind.ENVIRONMENT)


def test_documents_are_known_by_the_words_that_were_read(understood: dict[str, Understood]) -> None:
    kinds = {name: understood[name].memory.document.get("kind") for name in NAMES}

    assert [kinds[name] for name in (RECEIPT, MENU, CONFERENCE, CARD)] == [
        "receipt",
        "menu",
        "wifi_sign",
        "business_card",
    ]
    assert kinds[BAND] is None


def test_nothing_is_said_that_no_word_bears_out(understood: dict[str, Understood]) -> None:
    for name in NAMES:
        shown = f"{understood[name].memory.visible_text} {understood[name].memory.document.get('kind', '')}".casefold()
        for each in understood[name].contexts:
            if each.origin is Origin.MODEL:
                assert any(word[:4] in shown for word in each.value.split()), (name, each)
    assert not {"tram stop", "waiting for a tram", "bird hide"} & {each.value for each in understood[BAND].contexts}
