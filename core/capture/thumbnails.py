"""Keeps the small pictures of the library: named by content, so that moves, renames and copies need none of their own.

Each carries in its comment what was found while it was made. The decoding process writes it the moment it is done, so a run
that is killed before the database knows takes it as it is: nothing is decoded twice, however many are decoded at once.
"""

import errno
import os
import re
from contextlib import suppress
from pathlib import Path

from PIL import Image

from core.capture.facts import Preview
from core.errors import StoreError, StoreFullError
from core.paths import Home

THUMBNAIL_EDGE = 320
"""Long edge in pixels."""
THUMBNAIL_RULES = "1"
"""Changes when thumbnails or their perceptual hashes are made in another way."""
_COMMENT = re.compile(rb"madeleine thumbnail (\S+) (-?\d+|none) (whole|damaged)")


def thumbnail_path(home: Home, content_key: str) -> Path:
    """Where the thumbnail of a content lies, whether it exists or not."""
    return home.thumbnails / content_key[:2] / f"{content_key}.jpg"


def thumbnail_comment(preview: Preview) -> str:
    """What a thumbnail says about itself; `kept_preview` reads it."""
    fingerprint = "none" if preview.fingerprint is None else preview.fingerprint
    return f"madeleine thumbnail {THUMBNAIL_RULES} {fingerprint} {'damaged' if preview.damaged else 'whole'}"


def kept_preview(path: Path) -> Preview | None:
    """What the thumbnail at a path says about itself; None when there is none, or one of other rules."""
    try:
        with Image.open(path, formats=("JPEG",)) as image:
            said = _COMMENT.fullmatch(image.info.get("comment", b""))
    except (OSError, SyntaxError):
        return None
    if said is None or said[1].decode() != THUMBNAIL_RULES:
        return None
    return Preview(None if said[2] == b"none" else int(said[2]), said[3] == b"damaged")


def store_thumbnail(path: Path, encoded: bytes) -> None:
    """Write it so that a reader sees all of it or nothing.

    Raises:
        StoreError: the disk is full or may not be written.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        _write(partial, encoded)
        os.replace(partial, path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFullError(
                "The disk that holds the thumbnails is full.", "Free some space and start again.", retryable=True
            ) from error
        raise StoreError(
            f"The thumbnail {path} cannot be written ({error.strerror}).", "Check the folder's permissions."
        ) from error


def _write(path: Path, encoded: bytes) -> None:
    try:
        path.write_bytes(encoded)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encoded)
