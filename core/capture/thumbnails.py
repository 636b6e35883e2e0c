"""Keeps the small pictures of the library: named by content, so that moves, renames and copies need none of their own."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from core.errors import StoreError, StoreFullError
from core.paths import Home

THUMBNAIL_EDGE = 320
"""Long edge in pixels."""


def thumbnail_path(home: Home, content_key: str) -> Path:
    """Where the thumbnail of a content lies, whether it exists or not."""
    return home.thumbnails / content_key[:2] / f"{content_key}.jpg"


def store_thumbnail(home: Home, content_key: str, encoded: bytes) -> None:
    """Write it so that a reader sees all of it or nothing.

    Raises:
        StoreError: the disk is full or may not be written.
    """
    path = thumbnail_path(home, content_key)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(encoded)
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
