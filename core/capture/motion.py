"""Finds the short clip that phones hide inside a still picture: behind a JPEG's end, or in a box of a HEIC file."""

import io
import os
from typing import BinaryIO

_LARGEST_CLIP = 200_000_000
_SAMSUNG_END = b"SEFT"
_SAMSUNG_CLIP = b"MotionPhoto_Data"
_MOST_BOXES = 200


def clip_in(file: BinaryIO, clip_bytes: int) -> BinaryIO | None:
    """The clip as a file of its own; None when there is none.

    Args:
        clip_bytes: its length as XMP tells, counted from the file's end; 0 when XMP tells nothing.
    """
    size = file.seek(0, os.SEEK_END)
    for start, length in (
        (size - clip_bytes, clip_bytes) if 0 < clip_bytes < size else (0, 0),
        _in_box(file, size),
        _of_samsung(file, size),
    ):
        if 8 < length <= _LARGEST_CLIP:
            file.seek(start)
            clip = file.read(length)
            if clip[4:8] == b"ftyp":
                return io.BytesIO(clip)
    return None


def _in_box(file: BinaryIO, size: int) -> tuple[int, int]:
    """(start, length) of the content of the box `mpvd` at the top level of a HEIC file."""
    file.seek(4)
    if file.read(4) != b"ftyp":
        return 0, 0
    position = 0
    for _ in range(_MOST_BOXES):
        file.seek(position)
        head = file.read(16)
        if len(head) < 8:
            break
        length, start = int.from_bytes(head[:4], "big"), 8
        if length == 1:
            length, start = int.from_bytes(head[8:16], "big"), 16
        if head[4:8] == b"mpvd":
            return position + start, (length or size - position) - start
        if length < 8:
            break
        position += length
    return 0, 0


def _of_samsung(file: BinaryIO, size: int) -> tuple[int, int]:
    """(start, length) of the clip in the trailer that Samsung's older phones write behind the picture."""
    if size < 100 or size > _LARGEST_CLIP:
        return 0, 0
    file.seek(size - len(_SAMSUNG_END))
    if file.read() != _SAMSUNG_END:
        return 0, 0
    file.seek(0)
    found = file.read().rfind(_SAMSUNG_CLIP + b"\0\0\0")  # the clip's first box begins with its length
    return (found + len(_SAMSUNG_CLIP), size - found - len(_SAMSUNG_CLIP)) if found > 0 else (0, 0)
