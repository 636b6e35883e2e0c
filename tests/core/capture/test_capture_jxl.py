"""JPEG XL: bare and in a container, with its own metadata, too large, damaged."""

from datetime import datetime
from pathlib import Path

import numpy as np
import pylibjxl
import pytest

from core.capture.decode import DecodeLimits
from core.capture.formats import JXL, sniff
from core.errors import PhotoTooLargeError, PhotoUnreadableError
from core.records import MemoryKind, Origin
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, InProcessDecoder
from tests.core.capture.test_capture_xmp import packet


def _jxl(path: Path, picture: object, **more: object) -> Path:
    path.write_bytes(pylibjxl.encode(np.asarray(picture), **more))
    return path


def _exif_box(block: object) -> bytes:
    return b"\0\0\0\0" + block.tobytes()[6:]  # type: ignore[attr-defined]


def test_a_jpeg_xl_picture_is_a_photo_with_its_date_and_caption(capture: Capturing, album: Path) -> None:
    said = "<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>At the quay</rdf:li></rdf:Alt></dc:description>"
    block = drawn.exif({drawn.ORIGINAL: "2024:06:01 09:00:00", drawn.OFFSET_ORIGINAL: "-07:00"}, {drawn.MODEL: "Box 1"})
    _jxl(album / "a.jxl", drawn.quartered(), exif=_exif_box(block), xmp=packet(said).encode())
    capture()

    memory = capture.named("a.jxl")

    assert (memory.kind, memory.media.width, memory.media.height) == (MemoryKind.PHOTO, 64, 32)
    assert (memory.taken.wall, memory.taken.utc_offset_minutes) == (datetime(2024, 6, 1, 9), -420)
    assert (memory.taken.origin, memory.media.camera) == (Origin.EXIF_ORIGINAL, "Box 1")
    assert memory.caption == "At the quay"


def test_its_colours_and_transparency_are_shown(album: Path, decoder: InProcessDecoder) -> None:
    path = _jxl(album / "a.jxl", drawn.quartered(), lossless=True)
    clear = np.zeros((32, 32, 4), dtype=np.uint8)
    grey = _jxl(album / "grey.jxl", np.full((32, 32, 1), 90, dtype=np.uint8), lossless=True)

    assert tuple(decoder.picture(path, 64)[16, 8]) == (200, 30, 30)
    assert tuple(decoder.picture(_jxl(album / "b.jxl", clear, lossless=True), 64)[0, 0]) == (236, 236, 236)
    assert tuple(decoder.picture(grey, 64)[0, 0]) == (90, 90, 90)


def test_one_that_is_too_large_is_refused_by_its_header(album: Path) -> None:
    path = _jxl(album / "a.jxl", np.zeros((300, 400, 3), dtype=np.uint8))

    with pytest.raises(PhotoTooLargeError, match="megapixels"):
        InProcessDecoder(DecodeLimits(100_000)).picture(path, 64)


@pytest.mark.parametrize("kept", [0.5, 0.1])
def test_a_damaged_one_is_a_problem_with_a_reason(album: Path, decoder: InProcessDecoder, kept: float) -> None:
    whole = _jxl(album / "a.jxl", drawn.picture(), exif=_exif_box(drawn.exif({}))).read_bytes()
    (album / "a.jxl").write_bytes(whole[: int(len(whole) * kept)])

    with pytest.raises(PhotoUnreadableError, match="cannot be decoded"):
        decoder.picture(album / "a.jxl", 64)


@pytest.mark.parametrize("head", [b"\xff\x0a\x0f\x06", b"\0\0\0\x0cJXL \r\n\x87\n\0\0"])
def test_both_forms_are_known_by_their_first_bytes(head: bytes) -> None:
    assert sniff(head + b"\0" * 20, "a.jpg") is JXL


@pytest.mark.parametrize("size", [0, 7, 0xFFFF_FFFF])
def test_boxes_that_lie_about_their_length_spoil_only_themselves(
    album: Path, decoder: InProcessDecoder, size: int
) -> None:
    whole = _jxl(album / "a.jxl", drawn.quartered(), exif=_exif_box(drawn.exif({}))).read_bytes()
    at = whole.index(b"Exif")
    (album / "a.jxl").write_bytes(whole[: at - 4] + size.to_bytes(4, "big") + whole[at:])

    facts = decoder.facts(str(album / "a.jxl"))

    assert (facts.width, facts.camera) == (64, "")
