"""Opens a JPEG XL picture: its facts from the header and the boxes around it, its pixels through libjxl. Runs in the decoding process."""

from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
import pylibjxl
from numpy.typing import NDArray
from PIL import ExifTags, Image

from core.capture import metadata
from core.capture.facts import FileFacts
from core.capture.formats import Format, Medium
from core.errors import PhotoTooLargeError, PhotoUnreadableError

_LARGEST_BYTES = 500_000_000
_MOST_BOXES = 200
_BROKEN = (RuntimeError, ValueError, TypeError, MemoryError, OverflowError)


def facts(file: BinaryIO, found: Format, max_pixels: int) -> FileFacts:
    """Size, camera, dates and position; pixels are only decoded for metadata that the file holds compressed.

    Raises:
        PhotoUnreadableError: the header cannot be read.
    """
    data = _read(file)
    about = _probed(data)
    boxes = _boxes(data)
    exif, packet = boxes.get(b"Exif", b""), boxes.get(b"xml ", b"")
    if b"brob" in boxes and about["width"] * about["height"] <= max_pixels:
        said = _decoded(data)[1]
        exif, packet = exif or said.get("exif", b""), packet or said.get("xmp", b"")
    shell = Image.new("RGB", (1, 1))
    shell.info["xmp"] = packet
    return metadata.facts_of(
        shell, _exif(exif), FileFacts(found.name, Medium.IMAGE, int(about["width"]), int(about["height"]))
    )


def image(file: BinaryIO, max_pixels: int) -> Image.Image:
    """The first frame as the file's own orientation turns it (its EXIF orientation means nothing), in 8 bits a channel.

    Raises:
        PhotoTooLargeError: more than `max_pixels`.
        PhotoUnreadableError: nothing can be decoded.
    """
    data = _read(file)
    about = _probed(data)
    count = int(about["width"]) * int(about["height"])
    if count > max_pixels:
        raise PhotoTooLargeError(
            f"The picture has {count / 1e6:,.0f} megapixels, more than the {max_pixels / 1e6:,.0f} that fit into memory.",
            "Save a smaller copy of it beside the original.",
        )
    values, said = _decoded(data)
    decoded = Image.fromarray(np.squeeze(values, axis=-1) if values.shape[-1] == 1 else values)
    if said.get("icc"):
        decoded.info["icc_profile"] = said["icc"]
    return decoded


def _read(file: BinaryIO) -> bytes:
    data = file.read(_LARGEST_BYTES + 1)
    if len(data) > _LARGEST_BYTES:
        raise PhotoTooLargeError("The file is larger than a JPEG XL picture should be.")
    return data


def _probed(data: bytes) -> Mapping[str, Any]:  # numbers and booleans, as libjxl names them
    try:
        return pylibjxl.probe(data)
    except _BROKEN as error:
        raise PhotoUnreadableError(
            "The picture cannot be decoded (no JPEG XL header).", "The file is damaged."
        ) from error


def _decoded(data: bytes) -> tuple[NDArray[np.uint8], Mapping[str, bytes]]:
    try:
        values, said = pylibjxl.decode(data, metadata=True)
    except _BROKEN as error:
        raise PhotoUnreadableError(f"The picture cannot be decoded ({error}).", "The file is damaged.") from error
    return np.ascontiguousarray(values, dtype=np.uint8), said


def _boxes(data: bytes) -> dict[bytes, bytes]:
    """The content of the first box of each kind; none in a bare codestream. Sizes are checked against what is there."""
    found: dict[bytes, bytes] = {}
    position = 0
    for _ in range(_MOST_BOXES):
        if data[:2] == b"\xff\x0a" or position + 8 > len(data):
            break
        length, kind, start = int.from_bytes(data[position : position + 4], "big"), data[position + 4 : position + 8], 8
        if length == 1:
            length, start = int.from_bytes(data[position + 8 : position + 16], "big"), 16
        end = position + length if length else len(data)
        if end < position + start:
            break
        if kind in (b"Exif", b"xml ", b"brob"):
            found.setdefault(kind, data[position + start : end])
        position = end
    return found


def _exif(block: bytes) -> Image.Exif:
    """The EXIF block of a box; its first four bytes say where the TIFF inside it begins."""
    exif = Image.Exif()
    skipped = 4 + int.from_bytes(block[:4], "big") if block[:2] not in (b"II", b"MM") else 0
    try:
        if len(block) > skipped:
            exif.load(b"Exif\0\0" + block[skipped:])
            exif.get(ExifTags.Base.DateTime)  # the directory is parsed at the first look
    except metadata.BAD_FIELD:
        return Image.Exif()
    return exif
