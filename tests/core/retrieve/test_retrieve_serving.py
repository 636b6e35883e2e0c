"""A new embedder takes over when it has read everything; until then the former one answers, and the two never mix."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.capture.embeddings_stage import embed_due
from core.ports import TextEmbedder, never
from core.retrieve.embed import MEMORY, space
from core.retrieve.language import language_of
from core.retrieve.serving import language_warning, serving_embedder
from tests.core.ask.album import Album, year_of_nora
from tests.fakes import FakeEmbedder, FakeModels


@dataclass(slots=True)
class TwoEmbedders(FakeModels):
    """The second was used before and is installed yet."""

    former: list[FakeEmbedder] = field(default_factory=list)

    def former_text_embedder(self, space: str) -> TextEmbedder | None:
        return next((each for each in self.former if f"{each.model_id}@{each.revision}" == space), None)


@pytest.fixture
def album(tmp_path: Path) -> Iterator[Album]:
    made = year_of_nora(tmp_path / "library")
    yield made
    made.library.close()


def embed(album: Album, embedder: FakeEmbedder, batches: int | None = None) -> None:
    """Run the stage, to its end or for so many of its steps."""
    for number, _ in enumerate(embed_due(album.library, embedder, never), start=1):
        if number == batches:
            return


OLD = FakeEmbedder(model_id="old")
SAME_ID_NEW_WEIGHTS = FakeEmbedder(dimensions=128, model_id="old", revision="2")


@pytest.mark.parametrize(
    "new", [FakeEmbedder(dimensions=64, model_id="new"), SAME_ID_NEW_WEIGHTS], ids=["id", "revision"]
)
def test_the_former_vectors_answer_until_the_new_ones_are_all_there(album: Album, new: FakeEmbedder) -> None:
    models = TwoEmbedders(text_embedder=new, former=[OLD])
    embed(album, OLD)
    assert serving_embedder(album.library, models) is OLD
    embed(album, new, batches=1)
    assert serving_embedder(album.library, models) is OLD
    embed(album, new)
    assert serving_embedder(album.library, models) is new


def test_vectors_of_the_former_weights_go_when_the_new_ones_are_complete(album: Album) -> None:
    embed(album, OLD)
    embed(album, SAME_ID_NEW_WEIGHTS)
    spaces = {(kind, name) for kind, name, _ in album.library.embeddings.spaces()}
    assert spaces == {(MEMORY, space(SAME_ID_NEW_WEIGHTS))}
    assert album.library.indexes.index(MEMORY, space(OLD), OLD.dimensions).ids() == frozenset()


def test_no_space_ever_holds_a_vector_of_another_length(album: Album) -> None:
    embed(album, OLD)
    embed(album, SAME_ID_NEW_WEIGHTS, batches=1)
    for embedder in (OLD, SAME_ID_NEW_WEIGHTS):
        vectors = album.library.embeddings.owned(MEMORY, space(embedder))
        assert {len(vector) for vector in vectors.values()} <= {embedder.dimensions}


def test_a_former_model_that_was_removed_is_not_waited_for(album: Album) -> None:
    embed(album, OLD)
    new = FakeEmbedder(model_id="new")
    assert serving_embedder(album.library, FakeModels(text_embedder=new)) is new
    assert serving_embedder(album.library, FakeModels()) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Where did I eat ramen last winter?", "en"),
        ("Wo habe ich letzten Winter Ramen gegessen?", "de"),
        ("Où ai-je mangé des ramen l'hiver dernier ?", "fr"),
        ("¿Dónde comí ramen el invierno pasado?", "es"),
        ("Dove ho mangiato il ramen la scorsa estate?", "it"),
        ("Onde comi uma pizza com a minha irmã?", "pt"),
        ("Waar heb ik met mijn zus pizza gegeten?", "nl"),
        ("去年冬天我在哪里吃拉面", "zh"),
        ("去年の冬どこでラーメンを食べた", "ja"),
        ("Где я ел рамен прошлой зимой?", "ru"),
        ("라면을 어디서 먹었어", "ko"),
        ("أين أكلت", "ar"),
        ("ramen", ""),
        ("Dr. Müller 2024", ""),
        ("IMG_2034.jpg", ""),
        ("", ""),
        ("München café", ""),
    ],
)
def test_the_language_of_a_question_is_told_or_left_open(text: str, language: str) -> None:
    assert language_of(text) == language


def test_a_language_the_model_does_not_know_is_warned_of_with_what_to_do() -> None:
    english = FakeEmbedder(languages=("en",))
    warning = language_warning(english, "Wo habe ich letzten Winter Ramen gegessen?")
    assert "German" in warning
    assert "models get multilingual-e5-small-int8" in warning
    assert language_warning(english, "Where did I eat ramen?") == ""
    assert language_warning(english, "ramen") == ""
    assert language_warning(FakeEmbedder(), "Wo habe ich letzten Winter Ramen gegessen?") == ""
    assert language_warning(None, "Wo habe ich letzten Winter Ramen gegessen?") == ""
