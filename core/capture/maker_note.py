"""Reads the two marks in Apple's maker note that we need: what a photo shares with its clip, and with the others of its burst."""

import struct

_HEAD = b"Apple iOS\0\0\1"
_BURST_ID = 0x000B
_CONTENT_ID = 0x0011
_ASCII = 2
_MOST_FIELDS = 200


def apple_content_id(note: object) -> str:
    """The content identifier, empty when there is none or the note is another maker's."""
    return _text(note, _CONTENT_ID)


def apple_burst_id(note: object) -> str:
    """The burst's identifier, empty as `apple_content_id`."""
    return _text(note, _BURST_ID)


def _text(note: object, wanted: int) -> str:
    if not isinstance(note, bytes) or not note.startswith(_HEAD) or len(note) < 16:
        return ""
    order = ">" if note[12:14] == b"MM" else "<"
    (count,) = struct.unpack_from(f"{order}H", note, 14)
    for number in range(min(count, _MOST_FIELDS)):
        start = 16 + 12 * number
        if start + 12 > len(note):
            return ""
        tag, kind, length, offset = struct.unpack_from(f"{order}HHII", note, start)
        if tag == wanted and kind == _ASCII and 4 < length <= 100 and offset + length <= len(note):
            return note[offset : offset + length].split(b"\0")[0].decode("ascii", "ignore").strip()
    return ""
