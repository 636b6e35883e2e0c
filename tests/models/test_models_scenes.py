"""The scene network is read as data, built right, and names only what it is sure of."""

import io
import os
import pickle
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
import pytest
from PIL import Image, ImageDraw

from core.errors import ModelUnreadableError
from models.efficientnet import EDGE, build_network
from models.scene_groups import GROUPS, class_numbers, membership
from models.scenes import SceneService, is_drawn
from models.torch_weights import BadCheckpointError, read_checkpoint
from tests.models.tiny_checkpoint import MAGIC, PROTOCOL, Floats, tiny_efficientnet, write_checkpoint


def test_tensors_come_out_of_a_checkpoint_as_they_went_in(tmp_path: Path) -> None:
    tensors = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([0.5], np.float32)}
    read = read_checkpoint(write_checkpoint(tmp_path / "w.pth", tensors))
    assert list(read) == ["a", "b"]
    assert all(np.array_equal(read[name], tensors[name]) for name in tensors)


def test_a_transposed_tensor_is_read_in_the_order_of_its_indices(tmp_path: Path) -> None:
    stored = np.arange(6, dtype=np.float32).reshape(2, 3)
    read = read_checkpoint(write_checkpoint(tmp_path / "w.pth", {"a": stored}, steps={"a": (1, 2)}))
    assert read["a"].tolist() == [[0, 2, 4], [1, 3, 5]]


def test_a_checkpoint_that_wants_to_run_something_is_refused_and_runs_nothing(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (os.mkdir, (str(tmp_path / "ran"),))

    parts = [pickle.dumps(each, protocol=2) for each in (MAGIC, PROTOCOL, {}, {"a": Evil()}, ["a"])]
    (tmp_path / "w.pth").write_bytes(b"".join(parts))
    with pytest.raises(BadCheckpointError, match=r"asks for (posix|nt)\.mkdir"):
        read_checkpoint(tmp_path / "w.pth")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("steps", [(30, 1), (3, -1), (0, 40), (1 << 30, 1)])
def test_a_tensor_that_reaches_beyond_its_numbers_is_refused(tmp_path: Path, steps: tuple[int, int]) -> None:
    tensors = {"a": np.arange(6, dtype=np.float32).reshape(2, 3)}
    with pytest.raises(BadCheckpointError, match="does not fit"):
        read_checkpoint(write_checkpoint(tmp_path / "w.pth", tensors, steps={"a": steps}))


@pytest.mark.parametrize("kept", [0, 1, 10, 60, 200, -1])
def test_a_torn_checkpoint_is_refused(tmp_path: Path, kept: int) -> None:
    path = write_checkpoint(tmp_path / "w.pth", {"a": np.ones(9, np.float32)})
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(BadCheckpointError):
        read_checkpoint(path)


@pytest.mark.parametrize("content", [b"PK\3\4 a checkpoint of today", b"<!DOCTYPE html>", pickle.dumps([1, 2])])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "w.pth").write_bytes(content)
    with pytest.raises(BadCheckpointError):
        read_checkpoint(tmp_path / "w.pth")


def test_the_built_network_computes_what_plain_numpy_computes() -> None:
    tensors = tiny_efficientnet()
    picture = np.random.default_rng(1).normal(0, 1, (3, EDGE, EDGE)).astype(np.float32)
    session = ort.InferenceSession(build_network(tensors), providers=["CPUExecutionProvider"])
    (ours,) = session.run(None, {"picture": picture[np.newaxis]})
    assert np.allclose(ours[0], plain_numpy(tensors, picture), rtol=1e-3, atol=1e-6)


def plain_numpy(tensors: Mapping[str, Floats], last: Floats) -> Floats:
    """The network as its paper says, convolution by convolution, with TensorFlow's padding."""

    def convolution(source: Floats, name: str, norm: str, stride: int = 1) -> Floats:
        kernel = tensors[f"{name}.weight"].astype(np.float64)
        edge, size = kernel.shape[-1], source.shape[-1]
        out = -(-size // stride)
        padding = max((out - 1) * stride + edge - size, 0)
        before = padding // 2
        padded = np.pad(source, ((0, 0), (before, padding - before), (before, padding - before)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (edge, edge), (1, 2))[:, ::stride, ::stride]
        if kernel.shape[1] == 1 and kernel.shape[0] == source.shape[0] > 3:
            found = np.einsum("chwij,cij->chw", windows, kernel[:, 0])
        else:
            found = np.einsum("chwij,ocij->ohw", windows, kernel)
        mean, variance = tensors[f"{norm}.running_mean"], tensors[f"{norm}.running_var"]
        scaled = (found - mean[:, None, None]) / np.sqrt(variance + 1e-3)[:, None, None]
        out_of_it: Floats = scaled * tensors[f"{norm}.weight"][:, None, None] + tensors[f"{norm}.bias"][:, None, None]
        return out_of_it

    last = np.clip(convolution(last, "_conv_stem", "_bn0", 2), 0, 6)
    for number, stride in enumerate((1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)):
        name, came_in = f"_blocks.{number}.", last
        if number:
            last = np.clip(convolution(last, f"{name}_expand_conv", f"{name}_bn0"), 0, 6)
        last = np.clip(convolution(last, f"{name}_depthwise_conv", f"{name}_bn1", stride), 0, 6)
        last = convolution(last, f"{name}_project_conv", f"{name}_bn2")
        last = last + came_in if stride == 1 else last
    last = np.clip(convolution(last, "_conv_head", "_bn1"), 0, 6).mean(axis=(1, 2))
    raw = tensors["_fc.weight"] @ last + tensors["_fc.bias"]
    shares: Floats = np.exp(raw - raw.max()) / np.exp(raw - raw.max()).sum()
    return shares


def test_groups_that_are_sure_are_named_narrow_and_wide(tmp_path: Path) -> None:
    labels = SceneService("m", write_checkpoint(tmp_path / "w.pth", tiny_efficientnet(285))).label(_photo("things"))
    assert {label.label for label in labels} == {"cat", "animal"}
    assert all(0.9 < label.confidence <= 1 and not label.is_place for label in labels)


def test_a_kind_of_place_says_so(tmp_path: Path) -> None:
    labels = SceneService("m", write_checkpoint(tmp_path / "w.pth", tiny_efficientnet(978))).label(_photo("things"))
    assert {(label.label, label.is_place) for label in labels} == {("beach", True), ("by the water", True)}


def test_nothing_is_named_where_it_is_unsure_or_too_small_to_see(tmp_path: Path) -> None:
    tensors = tiny_efficientnet()
    tensors["_fc.bias"][:] = 0
    unsure = SceneService("m", write_checkpoint(tmp_path / "w.pth", tensors))
    assert unsure.label(np.full((300, 200, 3), 90, np.uint8)) == ()
    sure = SceneService("m", write_checkpoint(tmp_path / "w.pth", tiny_efficientnet()))
    assert sure.label(np.zeros((3, 900, 3), np.uint8)) == ()


@pytest.mark.parametrize("content", [b"", b"<html>", pickle.dumps({"a": 1})])
def test_weights_that_are_something_else_are_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "w.pth").write_bytes(content)
    with pytest.raises(ModelUnreadableError, match="weights of m cannot be read") as caught:
        SceneService("m", tmp_path / "w.pth")
    assert "models get m" in caught.value.hint


def test_the_tensors_of_another_network_are_a_sentence(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "w.pth", {"conv1.weight": np.ones(3, np.float32)})
    with pytest.raises(ModelUnreadableError, match="_conv_stem"):
        SceneService("m", tmp_path / "w.pth")


def test_every_group_names_classes_that_exist_and_no_two_share_a_name() -> None:
    assert len({group.name for group in GROUPS}) == len(GROUPS)
    assert all(0 <= number < 1000 for group in GROUPS for number in class_numbers(group))
    assert membership(1000).sum(axis=1).min() >= 1


def _photo(kind: str) -> npt.NDArray[np.uint8]:
    """What a camera gives: noise of its sensor over whatever is there."""
    random = np.random.default_rng(3)
    ground = np.asarray(Image.fromarray(random.integers(0, 256, (9, 12, 3), np.uint8)).resize((512, 384))).astype(float)
    if kind == "sky":
        ground[:200] = np.linspace((90, 140, 220), (190, 210, 240), 200)[:, np.newaxis]
    if kind == "night":
        ground *= 0.1
    noisy = ground + random.normal(0, 6, ground.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _drawing(kind: str) -> npt.NDArray[np.uint8]:
    picture = Image.new("RGB", (512, 384), (200, 220, 250))
    pen = ImageDraw.Draw(picture)
    if kind == "gradient":
        picture.paste(Image.linear_gradient("L").resize((512, 384)).convert("RGB"))
    pen.polygon([(0, 384), (200, 120), (420, 384)], fill=(60, 120, 70))
    pen.ellipse((330, 40, 410, 120), fill=(250, 220, 90), outline="black", width=4)
    pen.rectangle((300, 230, 480, 384), fill=(150, 60, 50), outline="black", width=3)
    if kind == "saved as JPEG":
        held = io.BytesIO()
        picture.save(held, "JPEG", quality=85)
        picture = Image.open(held).convert("RGB")
    return np.asarray(picture)


@pytest.mark.parametrize("kind", ["flat", "gradient", "saved as JPEG"])
def test_a_drawing_is_told_from_a_photo(kind: str) -> None:
    assert is_drawn(_drawing(kind))


@pytest.mark.parametrize("kind", ["things", "sky", "night"])
def test_a_photo_is_no_drawing(kind: str) -> None:
    assert not is_drawn(_photo(kind))


def test_nothing_but_paper_is_seen_in_a_drawing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = SceneService("tiny", write_checkpoint(tmp_path / "w.pth", tiny_efficientnet()))
    place = {group.name: number for number, group in enumerate(service._groups)}

    def sure_of(name: str) -> None:
        row = np.zeros((len(service._groups), 1))
        row[place[name]] = 0.9
        monkeypatch.setattr(service, "_membership", row)
        monkeypatch.setattr(service, "_probabilities", lambda _: np.ones(1))

    for name, in_photo, in_drawing in (("building", 1, 0), ("document", 1, 1)):
        sure_of(name)
        assert len(service.label(_photo("things"))) == in_photo
        assert len(service.label(_drawing("flat"))) == in_drawing
