"""Embedders of pictures and of many languages, driven by tiny networks with the real ones' inputs and outputs."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import JobCancelled, ModelUnreadableError
from core.ports import Pixels
from models.catalogue import Runtime, load_catalogue
from models.host import Load, ModelHost
from models.image_embedder import OnnxImageEmbedder, PictureService, TextService
from models.installed import InstalledModels
from models.text_embedder import EmbedderService, OnnxTextEmbedder
from tests.models.tiny_onnx import FILES, SIGLIP_TOKENS, write_tiny_e5, write_tiny_siglip

SIGLIP = load_catalogue().get("siglip2-base-p16-224-fp16")
E5 = load_catalogue().get("multilingual-e5-small-int8")


class Link:
    """A child's link without a child."""

    def __init__(self, *, stops: bool = False) -> None:
        self.stops = stops

    def interrupted(self) -> bool:
        return self.stops


@pytest.fixture
def host(tmp_path: Path) -> Iterator[ModelHost]:
    host = ModelHost(tmp_path / "logs")
    yield host
    host.close()


def picture(seed: int, height: int = 90, width: int = 160) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def siglip(host: ModelHost, folder: Path) -> OnnxImageEmbedder:
    vision, text, tokenizer = map(str, write_tiny_siglip(folder))
    of_pictures = Load(
        SIGLIP.id, Runtime.ONNX, "models.image_embedder:load_pictures", (SIGLIP.id, vision), 10, (vision,)
    )
    arguments = (SIGLIP.id, text, tokenizer, SIGLIP_TOKENS)
    of_text = Load(SIGLIP.id, Runtime.ONNX, "models.image_embedder:load_text", arguments, 10, (text, tokenizer))
    return OnnxImageEmbedder(host, of_pictures, SIGLIP, of_text)


def test_pictures_and_texts_become_unit_vectors_of_one_space(host: ModelHost, tmp_path: Path) -> None:
    embedder = siglip(host, tmp_path)
    pictures = embedder.embed_pictures([picture(1), picture(2, 300, 40)])
    text = embedder.embed_text("A dog on the beach")
    assert pictures.shape == (2, 768)
    assert text.shape == (1, 768)
    assert np.allclose(np.linalg.norm([*pictures, *text], axis=1), 1, atol=1e-5)
    assert embedder.embed_pictures([]).shape == (0, 768)
    assert (embedder.dimensions, embedder.same_scene, embedder.fits_text) == (768, 0.92, 0.08)


def test_two_batches_of_pictures_equal_the_pictures_one_by_one(tmp_path: Path) -> None:
    vision, _, _ = write_tiny_siglip(tmp_path)
    service = PictureService(Link(), "m", str(vision))  # type: ignore[arg-type]
    pictures = [picture(seed) for seed in range(5)]
    together = np.concatenate([service.embed_pictures(pictures[:3]), service.embed_pictures(pictures[3:])])
    assert np.array_equal(together, np.concatenate([service.embed_pictures([each]) for each in pictures]))


def test_two_batches_of_texts_equal_the_texts_one_by_one(tmp_path: Path) -> None:
    network, tokenizer = map(str, write_tiny_e5(tmp_path))
    service = EmbedderService(Link(), "m", network, tokenizer, 512)  # type: ignore[arg-type]
    texts = ["passage: a dog", "passage: on the beach on the beach", "passage: snow", "passage: a cat"]
    together = np.concatenate([service.embed(texts[:2]), service.embed(texts[2:])])
    assert np.array_equal(together, np.concatenate([service.embed([each]) for each in texts]))


def test_a_network_that_wants_half_floats_gets_them(tmp_path: Path) -> None:
    vision, _, _ = write_tiny_siglip(tmp_path, element="float16")
    half = PictureService(Link(), "m", str(vision)).embed_pictures([picture(1)])  # type: ignore[arg-type]
    vision, _, _ = write_tiny_siglip(tmp_path, element="float32")
    whole = PictureService(Link(), "m", str(vision)).embed_pictures([picture(1)])  # type: ignore[arg-type]
    assert half.dtype == np.float32
    assert float(half[0] @ whole[0]) > 0.99


def test_a_lightly_changed_picture_is_closer_than_another(tmp_path: Path) -> None:
    vision, _, _ = write_tiny_siglip(tmp_path)
    service = PictureService(Link(), "m", str(vision))  # type: ignore[arg-type]
    dark, light = np.full((90, 160, 3), 20, np.uint8), np.full((90, 160, 3), 220, np.uint8)
    one, same, other = service.embed_pictures([dark, dark + 3, light])
    assert float(one @ same) > float(one @ other)


def test_text_is_read_in_lower_case_and_at_one_length(tmp_path: Path) -> None:
    _, text, tokenizer = map(str, write_tiny_siglip(tmp_path))
    service = TextService("m", text, tokenizer, SIGLIP_TOKENS)
    assert np.array_equal(service.embed_text("A DOG"), service.embed_text("a dog"))
    assert not np.array_equal(service.embed_text("a dog"), service.embed_text("a cat"))
    assert service.embed_text("dog " * 500).shape == (1, 768)
    assert np.isfinite(service.embed_text("")).all()


def test_a_question_stops_the_embedding_of_pictures(tmp_path: Path) -> None:
    vision, _, _ = write_tiny_siglip(tmp_path)
    with pytest.raises(JobCancelled):
        PictureService(Link(stops=True), "m", str(vision)).embed_pictures([picture(1)])  # type: ignore[arg-type]


def test_e5_is_told_what_is_a_question_and_what_a_passage(host: ModelHost, tmp_path: Path) -> None:
    network, tokenizer = map(str, write_tiny_e5(tmp_path))
    load = Load(E5.id, Runtime.ONNX, "models.text_embedder:load", (E5.id, network, tokenizer, 512), 10)
    e5 = OnnxTextEmbedder(host, load, E5)
    query, passage = e5.embed_query("a dog"), e5.embed_passages(["a dog"])
    plain = OnnxTextEmbedder(host, load, replace(E5, prompt_format="plain"))
    assert query.shape == passage.shape == (1, 384)
    assert np.array_equal(query, plain.embed_query("query: a dog"))
    assert np.array_equal(passage, plain.embed_query("passage: a dog"))
    assert not np.array_equal(query, passage)
    assert e5.languages == ()


@pytest.mark.parametrize("broken", FILES)
def test_a_damaged_file_of_the_image_embedder_is_a_sentence(host: ModelHost, tmp_path: Path, broken: str) -> None:
    embedder = siglip(host, tmp_path)
    (tmp_path / broken).write_bytes(b"<!DOCTYPE html>")
    with pytest.raises(ModelUnreadableError) as caught:
        embedder.embed_pictures([picture(1)]) if broken == FILES[0] else embedder.embed_text("a dog")
    assert "madeleine models get" in caught.value.hint


def test_the_catalogues_files_fill_the_role(tmp_path: Path) -> None:
    (tmp_path / SIGLIP.id).mkdir()
    for file in SIGLIP.files:
        with (tmp_path / SIGLIP.id / file.name).open("wb") as sparse:
            sparse.truncate(file.size_bytes)
    embedder = InstalledModels(tmp_path, tmp_path / "logs").image_embedder
    assert embedder is not None
    assert (embedder.model_id, embedder.dimensions) == (SIGLIP.id, 768)
