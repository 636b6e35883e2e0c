"""Pictures are found by what they show: for a text, and for another picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import RequestError
from core.ports import Interrupted, Pixels, Vectors, never
from core.records import MemoryFilter, MemoryKind
from core.retrieve.embed import PICTURE, index_of, space
from core.retrieve.look_alike import looking_like
from core.retrieve.search import EVERYTHING, search
from tests.core.ask.album import Album, year_of_nora
from tests.fakes import FakeEmbedder


@dataclass
class Eyes:
    """Knows a zebra, a boat and nothing else."""

    model_id: str = "fake-eyes"
    revision: str = "1"
    dimensions: int = 3
    same_scene: float = 0.9
    fits_text: float = 0.5
    texts: list[str] = field(default_factory=list)

    def embed_pictures(self, pictures: Sequence[Pixels], *, interrupted: Interrupted = never) -> Vectors:
        raise AssertionError("a search looks at no picture")

    def embed_text(self, text: str) -> Vectors:
        self.texts.append(text)
        return unit("zebra" in text, "boat" in text, 0.2)[np.newaxis]


def unit(*values: float) -> NDArray[np.float32]:
    row = np.array(values, np.float32)
    length: np.float32 = np.linalg.norm(row)
    return row / length


@pytest.fixture
def album(tmp_path: Path) -> Iterator[Album]:
    made = year_of_nora(tmp_path / "library")
    made.embed(FakeEmbedder())
    yield made
    made.library.close()


def show(album: Album, eyes: Eyes, looks: dict[int, NDArray[np.float32]]) -> None:
    """Let pictures, by their number in the album, look like that."""
    for number, vector in looks.items():
        owner = {album.ids[number]: f"pixels:{number}"}
        album.library.embeddings.put(PICTURE, space(eyes), owner, {f"pixels:{number}": vector})
    index_of(album.library, eyes, PICTURE).put(album.library.embeddings.owned(PICTURE, space(eyes)))


LOOKS = {1: unit(1, 0, 0.1), 2: unit(0.9, 0.1, 0.3), 5: unit(0, 1, 0.1), 6: unit(0.1, 0.1, 1)}


def test_a_picture_of_what_no_word_says_is_found_and_says_why(album: Album) -> None:
    eyes = Eyes()
    show(album, eyes, LOOKS)
    found = search(album.library, FakeEmbedder(), "zebra", k=5, eyes=eyes)
    assert [album.ids.index(each.memory_id) for each in found] == [1, 2]
    assert "looks like it (1.0" in found[0].why
    assert search(album.library, FakeEmbedder(), "zebra", k=5) == []


def test_words_still_count_beside_looks(album: Album) -> None:
    eyes = Eyes()
    show(album, eyes, LOOKS)
    found = search(album.library, FakeEmbedder(), "grilled sardines on a boat", k=5, eyes=eyes)
    assert {10, 5} <= {album.ids.index(each.memory_id) for each in found}


def test_conditions_apply_before_looks(album: Album) -> None:
    eyes = Eyes()
    show(album, eyes, LOOKS)
    nothing = MemoryFilter(kinds=(MemoryKind.RECORDING,))
    assert search(album.library, None, "zebra", nothing, eyes=eyes) == []


def test_the_text_is_not_even_read_while_no_picture_was_looked_at(album: Album) -> None:
    eyes = Eyes()
    search(album.library, None, "zebra", eyes=eyes)
    assert eyes.texts == []


def test_vectors_of_another_revision_are_not_searched(album: Album) -> None:
    show(album, Eyes(), LOOKS)
    assert search(album.library, None, "zebra", eyes=Eyes(revision="2")) == []


def test_memories_that_look_alike_come_best_first_without_the_one_asked_about(album: Album) -> None:
    eyes = Eyes()
    show(album, eyes, LOOKS)
    found = looking_like(album.library, eyes, album.ids[1], EVERYTHING, 2)
    assert [album.ids.index(each.memory_id) for each in found] == [2, 6]
    assert found[0].why.startswith("looks alike (0.9")


def test_what_was_not_looked_at_yet_is_said(album: Album) -> None:
    eyes = Eyes()
    show(album, eyes, LOOKS)
    with pytest.raises(RequestError, match="Nothing is known yet") as caught:
        looking_like(album.library, eyes, album.ids[0], EVERYTHING)
    assert "process" in caught.value.hint
    with pytest.raises(RequestError, match="no picture to compare"):
        looking_like(album.library, None, album.ids[0], EVERYTHING)


def test_without_a_model_nearly_equal_pictures_are_found_by_their_hash(album: Album) -> None:
    for number, bits in {1: 0x0F0F, 2: 0x0F0E, 3: 0x0F3F, 4: ~0x0F0F}.items():
        with album.library.memories.edit(album.ids[number]) as editing:
            editing.set_fingerprint(bits, None)
    found = looking_like(album.library, None, album.ids[1], EVERYTHING)
    assert [album.ids.index(each.memory_id) for each in found] == [2, 3]
