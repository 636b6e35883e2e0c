"""Kinds, near-duplicates, thumbnails, pace and exclusions, each by its own."""

import errno
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.capture.exclusions import is_junk_file, is_junk_folder, is_package
from core.capture.facts import FileFacts, Tag
from core.capture.fingerprints import fingerprint_of
from core.capture.formats import Medium
from core.capture.kinds import kind_of
from core.capture.near_duplicates import differing_bits, representatives
from core.capture.pace import Pace
from core.capture.thumbnails import store_thumbnail, thumbnail_path
from core.errors import StoreError, StoreFullError
from core.paths import Home
from core.records import CapturedMemory, Media, MemoryKind, Origin, Taken
from tests.core.capture import drawn


@pytest.mark.parametrize(
    ("facts", "path", "kind"),
    [
        (FileFacts("png", Medium.IMAGE, 1080, 2340), "/a/x.png", MemoryKind.SCREENSHOT),
        (FileFacts("png", Medium.IMAGE, 1920, 1080), "/a/x.png", MemoryKind.SCREENSHOT),
        (FileFacts("png", Medium.IMAGE, 800, 800), "/a/x.png", MemoryKind.PHOTO),
        (FileFacts("jpeg", Medium.IMAGE, 1080, 2340), "/a/x.jpg", MemoryKind.PHOTO),
        (FileFacts("jpeg", Medium.IMAGE, 900, 700), "/a/Screenshot_20190201-212530.jpg", MemoryKind.SCREENSHOT),
        (FileFacts("jpeg", Medium.IMAGE, 900, 700), "/a/Bildschirmfoto 2020.png", MemoryKind.SCREENSHOT),
        (FileFacts("jpeg", Medium.IMAGE, 900, 700), "/a/Screenshots/x.jpg", MemoryKind.SCREENSHOT),
        (FileFacts("png", Medium.IMAGE, 900, 700, tags={Tag.COMMENT: "Screenshot"}), "/a/IMG_1.PNG", MemoryKind.SCREENSHOT),
        (FileFacts("jpeg", Medium.IMAGE, 900, 700, camera="Box"), "/a/screenshot of my camera.jpg", MemoryKind.PHOTO),
        (FileFacts("jpeg", Medium.IMAGE, 900, 700, tags={Tag.SOFTWARE: "EPSON Scan"}), "/a/x.jpg", MemoryKind.DOCUMENT),
        (FileFacts("mp4", Medium.VIDEO), "/a/x.mp4", MemoryKind.VIDEO),
        (FileFacts("m4a", Medium.AUDIO), "/a/x.m4a", MemoryKind.RECORDING),
    ],
)  # fmt: skip
def test_kinds_follow_from_content_name_and_shape(facts: FileFacts, path: str, kind: MemoryKind) -> None:
    assert kind_of(facts, path, path.rsplit("/", 1)[1]) is kind


def _photo(name: str, second: float, kind: MemoryKind = MemoryKind.PHOTO, confidence: float = 0.95) -> CapturedMemory:
    wall = datetime(2020, 2, 2, 10) + timedelta(seconds=second)
    return CapturedMemory(
        id=name, public_id=name, kind=kind, taken=Taken(wall, None, Origin.EXIF_ORIGINAL, confidence), media=Media(4, 3)
    )


def test_a_burst_is_one_stack_behind_its_first_picture() -> None:
    dense = 0x0F0F_0F0F_0F0F_0F0F
    photos = [_photo("a", 0), _photo("b", 3), _photo("c", 12), _photo("d", 60), _photo("e", 61)]
    bits = {"a": dense, "b": dense ^ 0b11, "c": dense ^ 0b1111, "d": dense, "e": ~dense}

    assert representatives(photos, bits) == {"b": "a", "c": "a"}


def test_screenshots_undated_and_unlike_pictures_are_never_stacked() -> None:
    same = 0x0F0F_0F0F_0F0F_0F0F
    photos = [
        _photo("a", 0),
        _photo("screen", 1, MemoryKind.SCREENSHOT),
        _photo("guess", 2, confidence=0.2),
        _photo("unlike", 3),
        _photo("flat", 4),
    ]

    assert representatives(photos, {"a": same, "screen": same, "guess": same, "unlike": 0x3333_3333_3333_3333}) == {}


def test_few_telling_bits_allow_few_differences() -> None:
    assert representatives([_photo("a", 0), _photo("b", 1)], {"a": 0b1111, "b": 0b1111_0000}) == {}


def test_a_fingerprint_survives_recompression_and_tells_pictures_apart() -> None:
    import numpy as np

    first = fingerprint_of(np.asarray(drawn.picture(320, 240, 1)))
    smaller = fingerprint_of(np.asarray(drawn.picture(320, 240, 1).resize((160, 120))))
    other = fingerprint_of(np.asarray(drawn.picture(320, 240, 4)))

    assert first is not None
    assert smaller is not None
    assert other is not None
    assert differing_bits(first, smaller) <= 4
    assert differing_bits(first, other) > 4
    assert fingerprint_of(np.full((40, 40, 3), 90, dtype=np.uint8)) is None


def test_a_thumbnail_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    store_thumbnail(thumbnail_path(home, "ab12"), b"picture")
    assert thumbnail_path(home, "ab12").read_bytes() == b"picture"

    def full(*_paths: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("core.capture.thumbnails.os.replace", full)
    with pytest.raises(StoreFullError, match="full"):
        store_thumbnail(thumbnail_path(home, "cd34"), b"picture")
    assert list(thumbnail_path(home, "cd34").parent.iterdir()) == []


def test_a_home_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "thumbnails").write_text("in the way")

    with pytest.raises(StoreError, match="cannot be written"):
        store_thumbnail(thumbnail_path(Home(tmp_path), "ab12"), b"x")


def test_the_time_left_follows_from_the_latest_items() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    assert pace.seconds_left(10) is None
    for _ in range(3):
        now[0] += 10
        pace.item_done()
    assert pace.seconds_left(10) == pytest.approx(100)
    for _ in range(60):
        now[0] += 1
        pace.item_done()

    assert pace.seconds_left(10) == pytest.approx(10)


def test_junk_and_packages_are_known_by_name() -> None:
    assert all(
        is_junk_file(name) for name in ("Thumbs.db", "._IMG.jpg", ".hidden", "desktop.ini", "a.crdownload", "~$a.docx")
    )
    assert all(is_junk_folder(name) for name in ("@eaDir", ".thumbnails", "$RECYCLE.BIN", "#recycle"))
    assert is_package("Photos Library.photoslibrary")
    assert not any(is_junk_file(name) or is_package(name) for name in ("IMG_1.jpg", "Holidays", "a.b.c.jpg"))
