"""A file that was joined with a memory by mistake becomes a memory of its own, stays one, and can be given back."""

import os
import shutil
from pathlib import Path

import pytest

from core.augment.corrections import Corrector
from core.augment.usable import is_usable
from core.capture.splits import split_contents, split_file
from core.errors import RequestError
from core.records import Correction, FileRole, MemoryKind, Stage
from core.store.library import Library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing


def _pair(album: Path) -> None:
    drawn.jpeg(album / "IMG_1.JPG", 1, drawn.exif({drawn.ORIGINAL: "2022:03:04 12:00:00"}))
    drawn.video(album / "IMG_1.MOV")


def _shown(library: Library) -> list[str]:
    return sorted(memory.file_name for memory in library.memories.matching())


def test_a_split_clip_is_a_video_and_stays_one(library: Library, album: Path, capture: Capturing) -> None:
    _pair(album)
    capture(until=Stage.THUMBNAILS)
    photo = capture.named("IMG_1.JPG")
    assert _shown(library) == ["IMG_1.JPG"]

    split_id = split_file(library, photo.id, str(album / "IMG_1.MOV"))
    for _ in range(2):
        capture(until=Stage.THUMBNAILS)

    assert _shown(library) == ["IMG_1.JPG", "IMG_1.MOV"]
    video = library.memories.get(split_id)
    assert (video.kind, video.media.duration_s) == (MemoryKind.VIDEO, 1.0)
    assert library.memories.get(photo.id).media.duration_s == 0.0
    (album / "moved").mkdir()
    for name in ("IMG_1.JPG", "IMG_1.MOV"):
        shutil.move(album / name, album / "moved" / name)
    capture(until=Stage.THUMBNAILS)
    assert _shown(library) == ["IMG_1.JPG", "IMG_1.MOV"]


def test_undoing_a_split_joins_the_files_again(library: Library, album: Path, capture: Capturing) -> None:
    _pair(album)
    capture(until=Stage.THUMBNAILS)
    split_file(library, capture.named("IMG_1.JPG").id, "IMG_1.MOV")
    capture(until=Stage.THUMBNAILS)
    Corrector(library).undo()
    capture(until=Stage.THUMBNAILS)

    assert _shown(library) == ["IMG_1.JPG"]
    files = library.files.of_memory(capture.named("IMG_1.JPG").id)
    assert {file.role for file in files} == {FileRole.ORIGINAL, FileRole.CLIP}
    assert split_contents(library) == frozenset()


def test_an_edited_version_may_be_split_with_its_copies(library: Library, album: Path, capture: Capturing) -> None:
    block = drawn.exif({drawn.ORIGINAL: "2022:03:04 12:00:00"})
    for folder in ("one", "two"):
        drawn.jpeg(album / folder / "a.jpg", 1, block)
        drawn.jpeg(album / folder / "a-edited.jpg", 2, block)
    capture(until=Stage.THUMBNAILS)
    split_id = split_file(library, capture.named("a.jpg").id, "a-edited.jpg")
    capture(until=Stage.THUMBNAILS)

    assert _shown(library) == ["a-edited.jpg", "a.jpg"]
    assert len(library.files.of_memory(split_id)) == 2


def test_the_picture_itself_or_a_stranger_is_not_split(library: Library, album: Path, capture: Capturing) -> None:
    _pair(album)
    capture(until=Stage.THUMBNAILS)
    photo = capture.named("IMG_1.JPG").id

    for name, reason in (("IMG_1.JPG", "is what this memory is"), ("other.jpg", "no file of this memory")):
        with pytest.raises(RequestError, match=reason):
            split_file(library, photo, os.path.join(album, name))
    assert library.corrections.all() == []


@pytest.mark.parametrize(
    ("target", "action", "usable"),
    [("0" * 64, "split", True), ("0" * 64, "join", False), ("x", "split", False)],
)
def test_only_a_split_that_names_a_content_comes_in_from_a_file(target: str, action: str, usable: bool) -> None:
    assert is_usable(Correction(id="1", target_kind="file", target_id=target, action=action)) is usable
