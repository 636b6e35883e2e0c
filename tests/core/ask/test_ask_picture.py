"""A picture as the question is compared with what the library holds, and what cannot be told is said."""

import numpy as np

from core.ask.picture import about_memory, about_pixels
from core.records import Outcome
from tests.core.ask.album import Album
from tests.fakes import FakeModels


def test_a_picture_of_the_library_is_told_from_what_is_known(album: Album) -> None:
    memory = album.library.memories.get(album.ids[6])

    answer = about_memory(album.library, FakeModels(), memory)

    assert answer.value == ("Elif Demir", "Jonas Berg")
    assert "2 March 2025 at Harbour Café" in answer.text
    assert answer.citations[0].memory_id == memory.id


def test_a_strange_picture_without_models_is_not_guessed(album: Album) -> None:
    answer = about_pixels(album.library, FakeModels(), np.zeros((8, 8, 3), np.uint8))

    assert (answer.outcome, answer.citations) == (Outcome.NOT_FOUND, ())
    assert "faces, scenes or pictures that look alike" in answer.text
