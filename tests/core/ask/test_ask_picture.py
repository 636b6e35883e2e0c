"""A picture as the question is compared with what the library holds, and what cannot be told is said."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.ask.picture import about_memory, about_pixels, asked_of_picture
from core.ports import Interrupted, Pixels, Vectors, never
from core.records import Outcome, Question, ValueType
from core.retrieve.embed import PICTURE, index_of, space
from tests.core.ask.album import Album
from tests.core.ask.conftest import TODAY
from tests.fakes import FakeModels


class SameEyes:
    """Every picture looks like every other one."""

    model_id, revision, dimensions, same_scene, fits_text = "same-eyes", "1", 4, 0.8, 0.2

    def embed_pictures(self, pictures: Sequence[Pixels], *, interrupted: Interrupted = never) -> Vectors:
        return np.full((len(pictures), self.dimensions), 0.5, np.float32)

    def embed_text(self, text: str) -> Vectors:
        return np.full((1, self.dimensions), 0.5, np.float32)


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


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("When was this?", "2025-03-02", ValueType.DATE),
        ("Where was this taken?", "Harbour Café", ValueType.TEXT),
        ("Who is this?", ("Elif Demir", "Jonas Berg"), ValueType.SET),
        ("Is this Jonas Berg?", "yes", ValueType.TEXT),
        ("Is this Priya Nair?", "no", ValueType.TEXT),
    ],
)
def test_the_words_that_come_with_a_picture_say_what_is_told(
    album: Album, text: str, value: object, kind: ValueType
) -> None:
    memory = album.library.memories.get(album.ids[6])

    answer = about_memory(album.library, FakeModels(), memory, asked_of_picture(album.library, Question(text, TODAY)))

    assert (answer.value, answer.value_type) == (value, kind), answer.text


def test_only_pictures_of_the_time_asked_about_look_like_it(album: Album) -> None:
    eyes = SameEyes()
    looks = eyes.embed_text("").reshape(-1)
    album.library.embeddings.put(
        PICTURE, space(eyes), {each: each for each in album.ids}, dict.fromkeys(album.ids, looks)
    )
    index_of(album.library, eyes, PICTURE).put(album.library.embeddings.owned(PICTURE, space(eyes)))
    asked = asked_of_picture(album.library, Question("Show me pictures like this from May 2025", TODAY))

    answer = about_pixels(album.library, FakeModels(image_embedder=eyes), np.zeros((8, 8, 3), np.uint8), asked)

    days = [memory.taken.day for memory in album.library.memories.many([each.memory_id for each in answer.citations])]
    assert days
    assert all(day and (day.year, day.month) == (2025, 5) for day in days)
    assert "in May 2025 look" in answer.text
