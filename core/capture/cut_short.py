"""Does a file end before it says it does? Told by the lengths in its headers, for containers of boxes, chunks and elements.

MP4, MOV, HEIC and AVIF are boxes, AVI, WAV and WebP chunks, MKV and WebM elements. Others do not say how long they are.
"""

import os
from typing import BinaryIO

_MOST_BOXES = 200
_BOXES = frozenset(
    {
        b"ftyp", b"moov", b"mdat", b"meta", b"free", b"skip", b"wide", b"uuid", b"moof", b"mfra", b"sidx", b"styp", b"pnot",
        b"udta", b"mpvd",
    }
)  # fmt: skip
_LONGEST_RIFF = 0x7FFF_0000  # programs that record into a pipe write about two or four gigabytes, for they cannot come back to fill it in
_EBML, _SEGMENT = b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"


def is_cut_short(file: BinaryIO) -> bool:
    """Whether bytes are missing at the end. The file's position moves."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(12)
    if head[:4] == b"RIFF":
        length = int.from_bytes(head[4:8], "little")
        return 0 < length < _LONGEST_RIFF and 8 + length > size
    if head[:4] == _EBML:
        return _is_segment_cut(file, size)
    return head[4:8] in _BOXES and _is_box_cut(file, size)


def _is_box_cut(file: BinaryIO, size: int) -> bool:
    """Whether a box at the top level ends behind the file. What stands behind the last known box is somebody else's."""
    position = 0
    for _ in range(_MOST_BOXES):
        file.seek(position)
        head = file.read(16)
        if len(head) < 8 or head[4:8] not in _BOXES:
            return False
        length = int.from_bytes(head[:4], "big")
        if length == 1:
            length = int.from_bytes(head[8:16], "big")
        if length < 8:
            return False  # it reaches to the end, or makes no sense
        position += length
        if position > size:
            return True
    return False


def _is_segment_cut(file: BinaryIO, size: int) -> bool:
    file.seek(len(_EBML))
    header = _element_length(file)
    if header is None:
        return False
    file.seek(header, os.SEEK_CUR)
    if file.read(len(_SEGMENT)) != _SEGMENT:
        return False
    length = _element_length(file)
    return length is not None and file.tell() + length > size


def _element_length(file: BinaryIO) -> int | None:
    """A length in EBML's own form; None where it is unknown, as in what is streamed."""
    first = file.read(1)
    if not first or first[0] == 0:
        return None
    more = 8 - first[0].bit_length()
    bits = 7 * (more + 1)
    value = int.from_bytes(first + file.read(more), "big") & ((1 << bits) - 1)
    return None if value == (1 << bits) - 1 else value
