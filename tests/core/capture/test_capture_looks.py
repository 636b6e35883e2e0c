"""With an image embedder near-duplicates are told by what they show, on that model's scale; without one by 64 bits."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.augment.forget import forget
from core.errors import ModelCrashedError, ModelUnreadableError
from core.ports import Interrupted, Pixels, Vectors, never
from core.records import Stage
from core.retrieve.embed import PICTURE, space
from core.store.library import Library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, FakeModels
from tests.harness.logs import ExpectedLog

GREEN, BLUE, RED = (20, 200, 30), (20, 30, 220), (220, 30, 20)


@dataclass
class Eyes:
    """Sees the mean colour, as far from grey as it is."""

    model_id: str = "fake-eyes"
    revision: str = "1"
    dimensions: int = 4
    same_scene: float = 0.97
    fits_text: float = 0.5
    seen: list[tuple[int, ...]] = field(default_factory=list)
    error: Exception | None = None
    hates: tuple[int, int, int] = (0, 0, 0)

    def embed_pictures(self, pictures: Sequence[Pixels], *, interrupted: Interrupted = never) -> Vectors:
        rows = []
        for picture in pictures:
            self.seen.append(picture.shape)
            colour = picture.reshape(-1, 3).mean(axis=0)
            if self.error is not None and np.abs(colour - self.hates).max() < 30:
                raise self.error
            row = np.array([*(colour - 128) / 128, 0.05], np.float32)
            rows.append(row / np.linalg.norm(row))
        return np.stack(rows)

    def embed_text(self, text: str) -> Vectors:
        raise AssertionError("capture reads no text with its eyes")


def shot(album: Path, name: str, colour: tuple[int, int, int], when: str, mark: int = 0) -> None:
    """A plain photo with a mark somewhere, which turns its 64 bits around."""
    picture = Image.new("RGB", (320, 240), colour)
    picture.paste((255, 255, 255), (mark, mark, mark + 60, mark + 40))
    picture.paste((0, 0, 0), (260 - mark, mark, 300 - mark, mark + 80))
    picture.save(album / name, exif=drawn.exif({drawn.ORIGINAL: when}))


def stacks(library: Library) -> dict[str, str]:
    memories = {memory.id: memory for memory in library.memories.matching()}
    return {
        memory.file_name: memories[memory.representative_id].file_name
        for memory in memories.values()
        if memory.representative_id
    }


@pytest.fixture
def bursts(album: Path) -> Path:
    """Two shots of one scene whose hashes differ, another scene a moment later, and the same scene a day later."""
    shot(album, "a1.jpg", GREEN, "2024:05:01 10:00:00", 0)
    shot(album, "a2.jpg", GREEN, "2024:05:01 10:00:02", 150)
    shot(album, "b1.jpg", BLUE, "2024:05:01 10:00:04", 0)
    shot(album, "a3.jpg", GREEN, "2024:05:02 10:00:00", 0)
    shot(album, "c1.jpg", RED, "2024:05:03 10:00:00", 0)
    return album


def test_a_scene_is_told_by_what_it_shows_and_only_close_in_time(bursts: Path, capture: Capturing) -> None:
    capture(FakeModels(image_embedder=Eyes()))
    assert stacks(capture.library) == {"a2.jpg": "a1.jpg"}


def test_every_picture_is_embedded_once_also_over_runs_and_copies(bursts: Path, capture: Capturing) -> None:
    (bursts / "copy.jpg").write_bytes((bursts / "c1.jpg").read_bytes())
    eyes = Eyes()
    capture(FakeModels(image_embedder=eyes))
    capture(FakeModels(image_embedder=eyes))
    assert len(eyes.seen) == 5
    assert len(capture.library.embeddings.owner_ids(PICTURE, space(eyes))) == 5


def test_another_model_looks_again_and_never_mixes_with_the_first(bursts: Path, capture: Capturing) -> None:
    capture(FakeModels(image_embedder=Eyes()))
    newer = Eyes(revision="2", dimensions=4)
    capture(FakeModels(image_embedder=newer))
    assert len(newer.seen) == 5
    assert {name for kind, name, _ in capture.library.embeddings.spaces() if kind == PICTURE} >= {"fake-eyes@2"}


def test_a_floor_too_low_for_a_library_of_look_alikes_is_raised(album: Path, capture: Capturing) -> None:
    for day in range(1, 9):
        shot(album, f"{day}.jpg", (100 + 9 * day, 150, 150), f"2024:05:0{day} 10:00:00")
    shot(album, "9a.jpg", (109, 150, 150), "2024:05:09 10:00:00", 0)
    shot(album, "9b.jpg", (172, 150, 150), "2024:05:09 10:00:02", 150)  # as unlike the first as any two days are
    capture(FakeModels(image_embedder=Eyes(same_scene=0.1)))
    assert stacks(capture.library) == {}


def test_a_picture_the_model_dies_of_is_marked_and_the_rest_goes_on(bursts: Path, capture: Capturing) -> None:
    eyes = Eyes(error=ModelCrashedError("It stopped twice.", "Retry it from Problems."), hates=(40, 50, 210))
    capture(FakeModels(image_embedder=eyes))
    library = capture.library
    states = {
        memory.file_name: library.stages.state(memory.id, Stage.NEAR_DUPLICATES)
        for memory in library.memories.matching()
    }
    assert {name for name, state in states.items() if state is not None and state[0] == "failed"} == {"b1.jpg"}
    assert stacks(library)["a2.jpg"] == "a1.jpg"


def test_a_model_that_does_not_load_leaves_the_64_bits_and_is_told(
    bursts: Path, capture: Capturing, expected_log: ExpectedLog
) -> None:
    expected_log("compared without fake-eyes", logger="core.capture.stacks_stage")
    broken = Eyes(error=ModelUnreadableError("It cannot be loaded.", "Fetch it again."), hates=GREEN)
    done = capture(FakeModels(image_embedder=broken))
    assert [str(trouble.message) for trouble in done.troubles] == ["It cannot be loaded."]
    eyes = Eyes()
    capture(FakeModels(image_embedder=eyes))
    assert stacks(capture.library) == {"a2.jpg": "a1.jpg"}


def test_forgetting_a_memory_forgets_what_it_looked_like(bursts: Path, capture: Capturing) -> None:
    eyes = Eyes()
    capture(FakeModels(image_embedder=eyes))
    memory = capture.named("c1.jpg")
    forget(capture.library, memory.id)
    assert memory.id not in capture.library.embeddings.owner_ids(PICTURE, space(eyes))
    assert memory.id not in capture.library.indexes.index(PICTURE, space(eyes), eyes.dimensions).ids()
