"""How a picture becomes a HEIC file: one HEVC frame from PyAV's encoder in the container of ISO/IEC 23008-12.

Pillow and pi-heif read HEIC and do not write it, and the album needs a real one.
"""

import struct

import av
import numpy as np
from PIL import Image

_START_CODE = b"\x00\x00\x01"
_VPS, _SPS, _PPS = 32, 33, 34
_IDR = (19, 20)
_PICTURE_ID, _EXIF_ID = 1, 2


def heic_bytes(picture: Image.Image, exif: bytes) -> bytes:
    """The file's bytes; width and height must be even. `exif` is a TIFF block, without the `Exif` marker."""
    headers, frame = _encoded(picture)
    # The item starts with the distance to the TIFF header, here none (ISO/IEC 23008-12, A.2.1).
    items = (frame, struct.pack(">I", 0) + exif)
    file_type = _box(b"ftyp", b"heic" + struct.pack(">I", 0) + b"mif1heic")
    length = len(_meta(picture.size, headers, items, 0))
    meta = _meta(picture.size, headers, items, len(file_type) + length + 8)
    return file_type + meta + _box(b"mdat", b"".join(items))


def _encoded(picture: Image.Image) -> tuple[list[bytes], bytes]:
    """The parameter sets, and the frame with the length before each unit."""
    encoder = av.CodecContext.create("libx265", "w")
    encoder.width, encoder.height = picture.size
    encoder.pix_fmt = "yuv420p"
    encoder.framerate = 1  # type: ignore[assignment]  # PyAV takes an int as well
    encoder.options = {
        "preset": "fast",
        "crf": "20",
        "x265-params": "keyint=1:log-level=none:pools=1:frame-threads=1:info=0",
    }
    image = av.VideoFrame.from_ndarray(np.asarray(picture.convert("RGB")), format="rgb24")
    stream = b"".join(bytes(packet) for packet in (*encoder.encode(image), *encoder.encode(None)))
    units = [unit.rstrip(b"\x00") for unit in stream.split(_START_CODE) if unit.rstrip(b"\x00")]
    headers = [unit for unit in units if _unit_type(unit) in (_VPS, _SPS, _PPS)]
    slices = [unit for unit in units if _unit_type(unit) in _IDR]
    return headers, b"".join(struct.pack(">I", len(unit)) + unit for unit in slices)


def _unit_type(unit: bytes) -> int:
    return unit[0] >> 1 & 0x3F


def _meta(size: tuple[int, int], headers: list[bytes], items: tuple[bytes, bytes], data_offset: int) -> bytes:
    offsets = (data_offset, data_offset + len(items[0]))
    places = b"".join(
        struct.pack(">HHHII", number, 0, 1, offset, len(item))
        for number, offset, item in zip((_PICTURE_ID, _EXIF_ID), offsets, items, strict=True)
    )
    entries = b"".join(
        _full_box(b"infe", struct.pack(">HH", number, 0) + kind + b"\x00", version=2)
        for number, kind in ((_PICTURE_ID, b"hvc1"), (_EXIF_ID, b"Exif"))
    )
    describes = _box(b"cdsc", struct.pack(">HHH", _EXIF_ID, 1, _PICTURE_ID))
    properties = _hevc_configuration(headers) + _full_box(b"ispe", struct.pack(">II", *size))
    # Property 1 (the decoder's configuration) is essential: its high bit is set.
    applies = _full_box(b"ipma", struct.pack(">IHBBB", 1, _PICTURE_ID, 2, 0x81, 0x02))
    return _full_box(
        b"meta",
        _full_box(b"hdlr", struct.pack(">I", 0) + b"pict" + bytes(13))
        + _full_box(b"pitm", struct.pack(">H", _PICTURE_ID))
        + _full_box(b"iloc", struct.pack(">BBH", 0x44, 0x00, 2) + places)
        + _full_box(b"iinf", struct.pack(">H", 2) + entries)
        + _full_box(b"iref", describes)
        + _box(b"iprp", _box(b"ipco", properties) + applies),
    )


def _hevc_configuration(headers: list[bytes]) -> bytes:
    """The `hvcC` box (ISO/IEC 14496-15, 8.3.3.1), its profile copied from the sequence parameter set."""
    sequence = next(unit for unit in headers if _unit_type(unit) == _SPS)
    profile = sequence.replace(b"\x00\x00\x03", b"\x00\x00")[3:15]
    fixed = b"\x01" + profile + struct.pack(">HBBBBHB", 0xF000, 0xFC, 0xFD, 0xF8, 0xF8, 0, 0x0F)
    arrays = b"".join(struct.pack(">BHH", 0x80 | _unit_type(unit), 1, len(unit)) + unit for unit in headers)
    return _box(b"hvcC", fixed + bytes([len(headers)]) + arrays)


def _box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content) + 8) + kind + content


def _full_box(kind: bytes, content: bytes, version: int = 0) -> bytes:
    return _box(kind, struct.pack(">I", version << 24) + content)
