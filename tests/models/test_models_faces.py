"""Do the real drivers of YuNet and SFace find, place and describe faces, and does dlib load its real weights?"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import ModelError, ModelUnreadableError
from core.ports import Pixels
from models.catalogue import load_catalogue
from models.faces import FACTORIES, FaceFinder
from models.faces_yunet import YunetFaces
from models.host import Load, ModelHost
from models.installed import InstalledModels
from tests.models.tiny_faces import write_tiny_faces

ENTRY = load_catalogue().get("yunet-sface")
RED, PINK = (250, 10, 30), (250, 10, 200)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    detector, recogniser = write_tiny_faces(tmp_path_factory.mktemp("tiny-faces"))
    return str(detector), str(recogniser)


class Direct(ModelHost):
    """The host without its process; one test below has a real one."""

    def call(self, load: Load, method: str, *args: Any, **_: Any) -> Any:  # as in ModelHost
        return getattr(YunetFaces(*load.args), method)(*args)


@pytest.fixture
def host(tmp_path: Path) -> ModelHost:
    return Direct(tmp_path)


def test_faces_are_found_in_a_process_of_their_own(weights: tuple[str, str], tmp_path: Path) -> None:
    host = ModelHost(tmp_path)
    try:
        assert len(finder(host, weights).find(a_picture((128, 64, RED)))) == 1
        assert list(host.pids()) == [ENTRY.runtime]
    finally:
        host.close()


def finder(host: ModelHost, files: tuple[str, str], factory: str = "") -> FaceFinder:
    load = Load(ENTRY.id, ENTRY.runtime, factory or FACTORIES[ENTRY.runtime], (ENTRY.id, *files), 50, files)
    return FaceFinder(host, load, ENTRY)


def a_picture(*faces: tuple[int, int, tuple[int, int, int]], size: tuple[int, int] = (480, 640)) -> Pixels:
    picture = np.full((*size, 3), 90, np.uint8)
    for left, top, colour in faces:
        picture[top : top + 32, left : left + 32] = colour
    return picture


def test_faces_come_from_left_to_right_with_box_confidence_and_unit_embedding(
    host: ModelHost, weights: tuple[str, str]
) -> None:
    found = finder(host, weights).find(a_picture((416, 320, PINK), (128, 64, RED)))
    assert [face.box for face in found] == [(128, 64, 160, 96), (416, 320, 448, 352)]
    assert all(0.9 < face.confidence <= 1 for face in found)
    assert [len(face.embedding) for face in found] == [128, 128]
    np.testing.assert_allclose([np.linalg.norm(face.embedding) for face in found], 1, atol=1e-5)


def test_a_face_is_like_itself_elsewhere_and_unlike_another(host: ModelHost, weights: tuple[str, str]) -> None:
    model = finder(host, weights)
    red, pink = model.find(a_picture((128, 64, RED), (416, 320, PINK)))
    [again] = model.find(a_picture((256, 256, RED)))
    assert np.dot(red.embedding, again.embedding) > np.dot(red.embedding, pink.embedding)


def test_several_faces_together_are_described_as_each_alone(host: ModelHost, weights: tuple[str, str]) -> None:
    model = finder(host, weights)
    together = model.find(a_picture((128, 64, RED), (416, 320, PINK)))
    alone = [*model.find(a_picture((128, 64, RED))), *model.find(a_picture((416, 320, PINK)))]
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_allclose(one.embedding, other.embedding, atol=1e-5)


def test_a_large_picture_is_looked_at_smaller_and_its_boxes_are_its_own(
    host: ModelHost, weights: tuple[str, str]
) -> None:
    large = np.kron(a_picture((128, 64, RED)), np.ones((4, 4, 1), np.uint8))
    found = finder(host, weights).find(large)
    assert found
    assert min(face.box[0] for face in found) == pytest.approx(512, abs=8)
    assert max(face.box[3] for face in found) == pytest.approx(384, abs=8)


def test_a_picture_without_faces_has_none(host: ModelHost, weights: tuple[str, str]) -> None:
    model = finder(host, weights)
    assert model.find(a_picture()) == ()
    assert model.find(np.zeros((1, 1, 3), np.uint8)) == ()


def test_weights_that_are_none_say_so(host: ModelHost, tmp_path: Path) -> None:
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    bad = str(tmp_path / "bad.onnx")
    with pytest.raises(ModelUnreadableError, match="yunet-sface"):
        finder(host, (bad, bad)).find(a_picture())


def test_an_embedding_of_another_length_is_refused(host: ModelHost, weights: tuple[str, str]) -> None:
    model = finder(host, weights)
    other = FaceFinder(model.host, model.load, replace(ENTRY, dimensions=64))
    with pytest.raises(ModelError, match="no face"):
        other.find(a_picture((128, 64, RED)))


@pytest.mark.integration
def test_dlib_loads_its_real_weights_and_sees_no_face_in_noise(models_dir: Path, tmp_path: Path) -> None:
    models = InstalledModels(models_dir, tmp_path)
    try:
        assert models.faces is not None
        noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8)
        assert models.faces.find(noise, likely=True) == ()
    finally:
        models.close()
