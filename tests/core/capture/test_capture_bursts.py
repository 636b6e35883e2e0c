"""Copies, resized copies and bursts (row 48 of the table of inputs)."""

import hashlib
import shutil
from datetime import datetime, timedelta
from pathlib import Path

from PIL import Image

from core.capture.near_duplicates import representatives
from core.records import CapturedMemory, Origin, Stage, Taken
from core.store.library import Library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing


def _shot(name: str, second: int = 0) -> CapturedMemory:
    wall = datetime(2020, 2, 2, 10) + timedelta(seconds=second)
    return CapturedMemory(id=name, public_id=name, file_name=name, taken=Taken(wall, None, Origin.EXIF_ORIGINAL, 0.95))


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
