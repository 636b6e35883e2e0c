"""The decoding process: the only place where a stranger's bytes meet a decoder. Talk to it through `core.capture.decode`."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.capture import image_file, media_file, pdf_file, raw_file
from core.capture.cut_short import is_cut_short
from core.capture.decode import DecodeLimits
from core.capture.facts import FileFacts, Picture, Preview
from core.capture.fingerprints import fingerprint_of
from core.capture.formats import (
    HEAD_BYTES,
    RAW,
    SEQUENCE_BRANDS,
    TIFF,
    TIFF_STARTS,
    Format,
    Medium,
    describe,
    directory_start,
    is_raw_directory,
    sniff,
)
from core.capture.memory_cap import hold_to
from core.capture.note import Note
from core.capture.notes import notes_in
from core.capture.thumbnails import kept_preview, store_thumbnail, thumbnail_comment
from core.child import ChildLink
from core.errors import (
    PhotoError,
    PhotoMissingError,
    PhotoTooLargeError,
    PhotoUnreadableError,
    PhotoUnsupportedError,
)

_T = TypeVar("_T")


class DecodeService:
    """Answers one call at a time; every method takes a path and raises `PhotoError` with a sentence for the person."""

    def __init__(self, limits: DecodeLimits) -> None:
        self._limits = limits
        self._read_last: tuple[tuple[str, int, int], tuple[Note, ...]] | None = None

    def facts(self, path: str) -> FileFacts:
        """What the file says about itself."""
        return _with_file(path, self._facts)

    def picture(self, path: str, edge: int) -> Picture:
        """The picture, or the frame that represents a video."""
        return _with_file(path, lambda file, found: self._picture(file, found, edge))

    def frames(self, path: str, edge: int, most: int) -> tuple[NDArray[np.uint8], ...]:
        """Frames of the scenes of a video; of anything else its picture."""
        return _with_file(path, lambda file, found: self._frames(file, found, edge, most))

    def preview(self, path: str, edge: int, keep_at: str) -> Preview:
        """Makes the thumbnail, unless a run that was killed had made it, and says what it shows."""
        target = Path(keep_at)
        if (kept := kept_preview(target)) is not None:
            return kept
        picture = self.picture(path, edge)
        preview = Preview(fingerprint_of(picture.pixels), picture.damaged)
        store_thumbnail(target, image_file.encoded(picture.pixels, thumbnail_comment(preview)))
        return preview

    def samples(self, path: str) -> NDArray[np.float32]:
        """The sound, see `media_file.samples`."""
        return _with_file(path, self._samples)

    def note(self, path: str, label: str) -> Note | None:
        """The note of this label: a mailbox of thousands must not travel once for each of its mails."""
        return next((note for note in self.notes(path) if note.label == label), None)

    def notes(self, path: str) -> tuple[Note, ...]:
        """What the notes in a file say. The last file's are kept: its notes are asked for one by one."""
        about = os.stat(path)
        stamp = (path, about.st_size, about.st_mtime_ns)
        if self._read_last is None or self._read_last[0] != stamp:
            notes = _with_file(path, lambda file, found: notes_in(file, found, os.path.basename(path)))
            self._read_last = stamp, notes
        return self._read_last[1]

    def _facts(self, file: BinaryIO, found: Format) -> FileFacts:
        facts = _facts(file, found, self._limits.pixels)
        return facts if found.medium is Medium.NOTE else replace(facts, damaged=is_cut_short(file))

    def _samples(self, file: BinaryIO, found: Format) -> NDArray[np.float32]:
        sounding: BinaryIO | None = image_file.clip(file, found) if found.medium is Medium.IMAGE else file
        return media_file.samples(sounding, self._limits.sound_s) if sounding else np.zeros(0, dtype=np.float32)

    def _frames(self, file: BinaryIO, found: Format, edge: int, most: int) -> tuple[NDArray[np.uint8], ...]:
        if found.medium is not Medium.VIDEO:
            return (self._picture(file, found, edge).pixels,)
        return media_file.scene_frames(file, edge, most, self._limits.pixels)

    def _picture(self, file: BinaryIO, found: Format, edge: int) -> Picture:
        if found.medium is Medium.NOTE:
            raise PhotoUnsupportedError("A note has no picture.")
        if found.medium is Medium.PAGES:
            return pdf_file.pixels(file, edge)
        if found is RAW:
            return _or_else(
                file,
                lambda: raw_file.pixels(file, edge, self._limits.pixels),
                lambda: image_file.pixels(file, TIFF, edge, self._limits.pixels),
                _is_tiff,
            )
        if found.medium is Medium.IMAGE:
            return _or_else(
                file,
                lambda: image_file.pixels(file, found, edge, self._limits.pixels),
                lambda: media_file.frame(file, edge, self._limits.pixels),
                _is_sequence,
            )
        return media_file.frame(file, edge, self._limits.pixels)


def start(_link: ChildLink, limits: DecodeLimits) -> DecodeService:
    """The factory of the child process. It steps back for the person's own work."""
    if hasattr(os, "nice"):
        os.nice(5)
    image_file.prepare()
    if limits.memory_bytes:
        hold_to(limits.memory_bytes)
    return DecodeService(limits)


def _facts(file: BinaryIO, found: Format, max_pixels: int) -> FileFacts:
    if found.medium is Medium.NOTE:
        return FileFacts(found.name, Medium.NOTE)
    if found.medium is Medium.PAGES:
        return pdf_file.facts(file, found)
    if found is RAW:
        return _or_else(
            file, lambda: raw_file.facts(file, found), lambda: image_file.facts(file, TIFF, max_pixels), _is_tiff
        )
    if found.medium is Medium.IMAGE:
        return _or_else(
            file,
            lambda: image_file.facts(file, found, max_pixels),
            lambda: _still(media_file.facts(file, found)),
            _is_sequence,
        )
    return media_file.facts(file, found)


def _has_raw_directory(file: BinaryIO, head: bytes) -> bool:
    """Whether the file's first directory, which may lie anywhere in it, is that of a camera's raw file."""
    file.seek(directory_start(head))
    return is_raw_directory(head, file.read(HEAD_BYTES))


def _or_else(file: BinaryIO, first: Callable[[], _T], second: Callable[[], _T], fits: Callable[[bytes], bool]) -> _T:
    """What one library makes of a file; where it refuses one whose head fits, what another makes of it."""
    try:
        return first()
    except PhotoTooLargeError:
        raise
    except PhotoError as refusal:
        file.seek(0)
        head = file.read(HEAD_BYTES)
        file.seek(0)
        if not fits(head):
            raise
        try:
            return second()
        except PhotoUnreadableError:
            raise refusal from None


def _is_tiff(head: bytes) -> bool:
    """A picture that only its name called raw data."""
    return head.startswith(TIFF_STARTS)


def _is_sequence(head: bytes) -> bool:
    """A HEIC that moves: libheif wants a still one, but inside it is a video."""
    return head[8:12] in SEQUENCE_BRANDS


def _still(facts: FileFacts) -> FileFacts:
    """A moving picture as the photo that its first frame is."""
    return replace(facts, medium=Medium.IMAGE, duration_s=0.0, has_audio=False)


def _with_file(path: str, work: Callable[[BinaryIO, Format], _T]) -> _T:
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD_BYTES)
            found = sniff(head, os.path.basename(path))
            if found is None:
                raise PhotoUnsupportedError(describe(head))
            if found is TIFF and _has_raw_directory(file, head):
                found = RAW
            file.seek(0)
            return work(file, found)
    except PhotoError:
        raise
    except FileNotFoundError as error:
        raise PhotoMissingError("The file is not there any more.") from error
    except OSError as error:
        raise PhotoUnreadableError(
            f"The file cannot be read ({error.strerror}).", "Check its permissions and the disk."
        ) from error
