"""A picture kept out of understanding leaves no face, no vector, no small picture and no label in the whole home."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from core.capture import pipeline
from core.engine import Engine
from core.jobs import run_to_end
from core.paths import Home
from core.ports import Interrupted, Pixels, Vectors, never
from core.records import CapturedMemory, SceneLabel
from core.records.people import PersonKind
from core.settings import Settings
from core.store.chroma_index import ChromaIndexes
from core.store.library import open_library
from tests.core.capture.conftest import InProcessDecoder
from tests.fakes import FakeEmbedder, FakeFaces, FakeModels
from tests.people_drawn import draw_people

LABEL = "Quetzalbein"


@dataclass
class RememberingFaces(FakeFaces):
    """Notes the embeddings that it gave, as they are stored."""

    given: list[bytes] = field(default_factory=list)

    def find(self, picture: Pixels, *, likely: bool = False) -> tuple:  # type: ignore[type-arg]
        found = FakeFaces.find(self, picture, likely=likely)
        self.given += [np.asarray(face.embedding, "<f4").tobytes() for face in found]
        return found


@dataclass
class Labeller:
    """Sees the same rare thing in every picture."""

    model_id: str = "fake-scenes"
    revision: str = "1"

    def label(self, picture: Pixels) -> tuple[SceneLabel, ...]:
        return (SceneLabel(LABEL, 0.9, is_place=False),)


@dataclass
class PictureEmbedder:
    """A vector of noise a picture."""

    dimensions: int = 32
    same_scene: float = 0.99
    fits_text: float = 0.5
    model_id: str = "fake-eyes"
    revision: str = "1"
    given: list[bytes] = field(default_factory=list)

    def embed_pictures(self, pictures: Sequence[Pixels], *, interrupted: Interrupted = never) -> Vectors:
        rows = np.stack([np.random.default_rng(int(picture.sum())).normal(size=32) for picture in pictures])
        vectors: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        self.given += [row.astype("<f4").tobytes() for row in vectors]
        return vectors

    def embed_text(self, text: str) -> Vectors:
        return np.full((32,), 32**-0.5, np.float32)


@dataclass
class Opened:
    """A home at work, with what its models gave away."""

    engine: Engine
    home: Home
    faces: RememberingFaces
    eyes: PictureEmbedder

    def memory(self, name: str) -> CapturedMemory:
        return next(each for each in self.engine.memories(self.engine.timeline(100)) if each.file_name == name)

    def faces_of(self, memory_id: str) -> int:
        """Faces still stored: what is left can only be seen where it would be."""
        return len(self.engine._library.people.faces(memory_ids=[memory_id]))


@pytest.fixture
def private_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "album" / "private"
    draw_people(folder / "us.png", (1, 2), seed=1)
    return folder


def _open(tmp_path: Path, settings: Settings) -> Opened:
    home = Home(tmp_path / "home")
    faces, eyes = RememberingFaces(), PictureEmbedder()
    models = FakeModels(text_embedder=FakeEmbedder(), image_embedder=eyes, faces=faces, scenes=Labeller())
    engine = Engine(open_library(home, ChromaIndexes(home.vectors)), models, settings)
    engine.options.change("recognise_faces", "yes")
    engine.add_folder(tmp_path / "album")
    run_to_end(engine.process())
    return Opened(engine, home, faces, eyes)


@pytest.fixture
def decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "Decoder", lambda *_, **__: InProcessDecoder())


def _holding(folder: Path, pieces: list[bytes]) -> list[str]:
    return [
        str(path) for path in folder.rglob("*") if path.is_file() and any(each in path.read_bytes() for each in pieces)
    ]


@pytest.mark.usefixtures("decoding")
def test_a_picture_made_private_later_leaves_no_face_vector_label_or_small_picture(
    tmp_path: Path, private_folder: Path
) -> None:
    opened = _open(tmp_path, Settings())
    memory = opened.memory("us.png")
    secrets = [*opened.faces.given, *opened.eyes.given]
    assert len(opened.faces.given) == 2
    assert opened.eyes.given
    assert opened.faces_of(memory.id) == 2
    assert LABEL in memory.visual_elements

    opened.engine.options.keep_private(f"folder:{private_folder}", "understanding")
    run_to_end(opened.engine.process())

    after = opened.memory("us.png")
    assert (after.private, after.people, after.visual_elements) == ("understanding", (), ())
    assert (opened.faces_of(memory.id), opened.engine.contexts(memory.id)) == (0, [])
    assert opened.engine.thumbnail(memory.id) is None
    assert list(opened.home.thumbnails.rglob("*.*")) == []
    assert all(person.faces == 0 for person in opened.engine.people.all())
    opened.engine.close()
    assert _holding(opened.home.folder, [*secrets, LABEL.encode(), LABEL.lower().encode()]) == []


@pytest.mark.usefixtures("decoding")
def test_a_picture_that_was_private_before_is_looked_at_by_no_model(tmp_path: Path, private_folder: Path) -> None:
    opened = _open(tmp_path, Settings(never_understood=(f"folder:{private_folder}",)))

    assert opened.memory("us.png").private == "understanding"
    assert opened.faces.given == []
    assert opened.eyes.given == []
    assert opened.engine.people.all() == []
    opened.engine.close()
    assert _holding(opened.home.folder, [LABEL.encode(), LABEL.lower().encode()]) == []


@pytest.mark.usefixtures("decoding")
def test_a_private_person_leaves_no_face_in_pictures_found_before(tmp_path: Path, private_folder: Path) -> None:
    opened = _open(tmp_path, Settings())
    memory = opened.memory("us.png")
    opened.engine.people.add("Annabelle", [memory.id], PersonKind.PERSON)

    opened.engine.options.keep_private("person:Annabelle", "understanding")
    run_to_end(opened.engine.process())

    assert opened.memory("us.png").private == "understanding"
    assert opened.faces_of(memory.id) == 0
    opened.engine.close()
    assert _holding(opened.home.folder, [*opened.faces.given, *opened.eyes.given]) == []
