"""Copies, resized copies and bursts (row 48 of the table of inputs)."""

import hashlib
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image

from core.capture.maker_note import apple_burst_id
from core.capture.near_duplicates import representatives
from core.records import CapturedMemory, Media, Origin, Stage, Taken
from core.store.library import Library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing
from tests.core.capture.test_capture_xmp import packet


def _shot(name: str, second: int = 0, burst: str = "") -> CapturedMemory:
    taken = Taken(datetime(2020, 2, 2, 10) + timedelta(seconds=second), None, Origin.EXIF_ORIGINAL, 0.95)
    return CapturedMemory(id=name, public_id=name, file_name=name, taken=taken, media=Media(burst=burst))


def test_the_cover_of_a_named_burst_stands_for_its_shots_however_different_they_look() -> None:
    burst = "00000IMG_0000{}_BURST20200202100000123{}.jpg"
    shots = [_shot(burst.format(number, "_COVER" if number == 2 else ""), number) for number in range(4)]
    looks = {shot.id: 0x1234_5678_9ABC_DEF0 >> number for number, shot in enumerate(shots)}
    other = _shot("00000IMG_00009_BURST20210202100000123.jpg", 9)
    found = representatives([*shots, other], {**looks, other.id: 0x0F0F_0F0F_0F0F_0F0F})

    assert found == {shot.id: shots[2].id for shot in shots if shot is not shots[2]}


def test_a_burst_whose_cover_joins_a_stack_follows_it() -> None:
    same = 0x1234_5678_9ABC_DEF0
    shots = [_shot("a.jpg"), _shot("x_BURST20200202100000.jpg", 1), _shot("y_BURST20200202100000.jpg", 2)]

    assert representatives(shots, {shot.id: same for shot in shots}) == {shots[1].id: "a.jpg", shots[2].id: "a.jpg"}


def test_copies_bursts_and_namesakes_are_told_apart(library: Library, album: Path, capture: Capturing) -> None:
    path = drawn.jpeg(album / "IMG_5.jpg", 4, drawn.exif({drawn.ORIGINAL: "2020:02:02 11:00:00"}))
    shutil.copy(path, album / "copy of IMG_5.jpg")
    with Image.open(path) as opened:
        opened.resize((160, 120)).save(album / "IMG_5_small.jpg")
    drawn.jpeg(album / "other" / "IMG_5.jpg", 3, drawn.exif({drawn.ORIGINAL: "2006:06:17 10:00:00"}))
    for second in range(6):
        block = drawn.exif({drawn.ORIGINAL: f"2020:02:02 10:00:0{second}"})
        drawn.jpeg(album / "BURST" / f"20200202_10000{second}_00{second}.jpg", 2, block)
    capture(until=Stage.NEAR_DUPLICATES)

    first = capture.named("20200202_100000_000.jpg").id
    stacked = {memory.file_name for memory in library.memories.matching() if memory.representative_id == first}
    copied = library.memories.id_of_content(hashlib.sha256(path.read_bytes()).hexdigest())

    assert stacked == {f"20200202_10000{number}_00{number}.jpg" for number in range(1, 6)}
    assert len(library.files.of_memory(copied or "")) == 2
    assert library.memories.count() == 6 + 3  # the burst, the photo with its copy, the small one, the namesake
    alone = [memory for memory in library.memories.matching() if memory.representative_id is None]
    assert len(alone) == 4


@pytest.mark.parametrize(
    "names",
    [
        ["00001IMG_00001_BURST1723801037429_COVER.jpg", "00002IMG_00002_BURST1723801037429.jpg"],
        ["DSC_0052_BURST20230709220904977_COVER.JPG", "DSC_0053_BURST20230709220904977.JPG"],
        ["IMG_20231014_183246_BURST001_COVER.jpg", "IMG_20231014_183246_BURST002.jpg", "IMG_20231014_183246_BURST003.jpg"],
        ["20231207_101605_001.jpg", "20231207_101605_002.jpg", "20231207_101605_031.jpg"],
        ["00100lPORTRAIT_00100_BURST20181229213517346_COVER.jpg", "00101lPORTRAIT_00101_BURST20181229213517346.jpg"],
    ],
)  # fmt: skip
def test_every_makers_way_of_naming_a_burst_is_known(names: list[str]) -> None:
    shots = [_shot(name, number) for number, name in enumerate(names)]

    assert representatives(shots, {}) == dict.fromkeys(names[1:], names[0])


@pytest.mark.parametrize(
    "names",
    [
        ["20231207_101605_001.jpg", "20231207_101606_002.jpg"],
        ["IMG_20231014_183246_BURST001.jpg", "IMG_20231014_183247_BURST002.jpg"],
        ["20231207_101605.jpg", "20231207_101605_HDR.jpg"],
        ["IMG_0001.jpg", "IMG_0002.jpg"],
    ],
)
def test_names_that_are_not_of_one_burst_are_not_stacked(names: list[str]) -> None:
    assert representatives([_shot(name, number) for number, name in enumerate(names)], {}) == {}


def test_shots_that_share_a_mark_are_one_burst_whatever_they_are_called() -> None:
    shots = [_shot("a.heic", 0, "one"), _shot("b.heic", 1, "one"), _shot("c.heic", 2, "two"), _shot("d.heic", 3)]

    assert representatives(shots, {}) == {"b.heic": "a.heic"}


def test_the_mark_of_an_apple_burst_is_read_from_the_maker_note() -> None:
    mark = b"A1B2C3D4-0000-4000-8000-123456789ABC"
    note = b"Apple iOS\0\0\1MM\0\1" + b"\0\x0b\0\2\0\0\0\x25\0\0\0\x1c" + mark + b"\0"

    assert apple_burst_id(note) == mark.decode()
    assert apple_burst_id(note[:30]) == apple_burst_id(b"") == ""


def test_a_burst_marked_in_xmp_is_one_stack(library: Library, album: Path, capture: Capturing) -> None:
    said = packet("", "xmlns:GCamera='http://ns.google.com/photos/1.0/camera/' GCamera:BurstID='b-1'").encode()
    for number in (1, 2):
        block = drawn.exif({drawn.ORIGINAL: f"2020:02:02 10:00:{number * 25}"})
        drawn.jpeg(album / f"{number}.jpg", number, block, xmp=said)
    capture(until=Stage.NEAR_DUPLICATES)

    assert capture.named("2.jpg").representative_id == capture.named("1.jpg").id
