"""Whether damaged files can stop the program: fuzz.py [--files N] [--seconds S] [--seed N] [--keep DIR] [--json OUT].

Whole files of every format that is read are drawn and then spoiled: bytes flipped, the end cut off, pieces of one file put into
another, sizes in headers that lie. All go through scan, metadata and thumbnail. The bars: no file takes longer than its limit,
nothing ends the program, and every file is accounted for, as a memory, as a problem with its reason, or as left out. The floor
is the same files undamaged, all of which must become memories.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pylibjxl

from core.capture.decode import Decoder, TimeLimits, processes_here
from core.capture.pipeline import process
from core.capture.scan import add_folder
from core.jobs import run_to_end
from core.paths import Home
from core.records import FileState, Stage
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.core.capture import drawn, drawn_formats
from tests.fakes import FakeModels

_BATCH = 500
_LIMIT_S = 20.0
_SLACK_S = 5.0  # for what lies around a call: ending the process that is stuck, starting another


@dataclass
class Fuzzed:
    """What became of the files.

    Attributes:
        lost: names of which nothing is known.
        slowest_s: the longest that one call of the decoder took, and of which file.
        reasons: how often each reason was given for a problem.
    """

    files: int = 0
    memories: int = 0
    thumbnails: int = 0
    failed_stages: int = 0
    problems: int = 0
    left_out: int = 0
    lost: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    slowest: str = ""
    reasons: Counter[str] = field(default_factory=Counter)


class TimedDecoder(Decoder):
    """Notes the slowest call."""

    def __init__(self, log_file: Path, found: Fuzzed) -> None:
        limits = TimeLimits(_LIMIT_S, _LIMIT_S, _LIMIT_S, _LIMIT_S)
        super().__init__(log_file, times=limits, processes=processes_here())
        self._found = found

    def _call_twice(self, child: Any, method: str, *args: str | int, timeout_s: float) -> Any:  # as in Decoder
        began = time.perf_counter()
        try:
            return super()._call_twice(child, method, *args, timeout_s=timeout_s)
        finally:
            seconds = time.perf_counter() - began
            if seconds > self._found.slowest_s:
                self._found.slowest_s, self._found.slowest = seconds, f"{method} {args[0]}"


def whole_files(folder: Path) -> dict[str, bytes]:
    """A small file of every format, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = drawn.picture(200, 150, 3)
    said = drawn.exif({0x9003: "2024:05:10 10:00:00"}, {0x0110: "Bench", 0x0112: 6}, gps=(48.2, 16.4))
    plain.save(folder / "exif.jpg", exif=said)
    plain.save(folder / "progressive.jpg", progressive=True)
    plain.convert("CMYK").save(folder / "cmyk.jpg")
    plain.save(folder / "mpo.jpg", "MPO", save_all=True, append_images=[drawn.picture(200, 150, 4)])
    for suffix in ("png", "webp", "gif", "bmp", "avif", "tif"):
        plain.save(folder / f"a.{suffix}")
    plain.save(folder / "packed.tif", compression="tiff_lzw")
    plain.save(folder / "animated.gif", save_all=True, append_images=[drawn.picture(200, 150, 5)])
    plain.save(folder / "animated.png", save_all=True, append_images=[drawn.picture(200, 150, 6)])
    plain.save(folder / "animated.webp", save_all=True, append_images=[drawn.picture(200, 150, 7)])
    plain.convert("P").save(folder / "palette.png")
    (folder / "a.heic").write_bytes(drawn.HEIC)
    (folder / "a.jxl").write_bytes(pylibjxl.encode(np.asarray(plain)))
    drawn_formats.dng(folder / "a.dng", preview=True)
    drawn_formats.pdf(folder / "a.pdf", [["Words on a page"], ["More words"]], "A title")
    drawn.video(folder / "a.mp4", sound=True)
    drawn.video(folder / "a.mov")
    drawn_formats.moving(folder / "a.mkv", "mpeg4")
    drawn_formats.moving(folder / "a.avi", "mpeg4")
    drawn_formats.moving(folder / "a.webm", "libvpx")
    drawn_formats.moving(folder / "a.3gp", "mpeg4")
    drawn.wav(folder / "a.wav", seconds=0.2)
    drawn_formats.sound(folder / "a.m4a", "aac")
    drawn_formats.sound(folder / "a.flac", "flac")
    drawn_formats.sound(folder / "a.ogg", "libopus")
    drawn_formats.sound(folder / "a.mp3", "libmp3lame")
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def _flipped(body: bytearray, chance: random.Random, _others: list[bytes]) -> bytearray:
    for _ in range(chance.choice((1, 3, 10, 100))):
        body[chance.randrange(len(body))] = chance.randrange(256)
    return body


def _flipped_head(body: bytearray, chance: random.Random, _others: list[bytes]) -> bytearray:
    for _ in range(chance.choice((1, 2, 5))):
        body[chance.randrange(min(len(body), 600))] = chance.randrange(256)
    return body


def _cut(body: bytearray, chance: random.Random, _others: list[bytes]) -> bytearray:
    return body[: chance.randrange(len(body))]


def _spliced(body: bytearray, chance: random.Random, others: list[bytes]) -> bytearray:
    other = chance.choice(others)
    start, length = chance.randrange(len(other)), chance.randrange(1, 4000)
    at = chance.randrange(len(body))
    return body[:at] + other[start : start + length] + body[at + chance.choice((0, length)) :]


def _lying(body: bytearray, chance: random.Random, _others: list[bytes]) -> bytearray:
    """Numbers of two, four or eight bytes near the beginning that are far too large or small."""
    for _ in range(chance.choice((1, 2))):
        width = chance.choice((2, 4, 4, 8))
        value = chance.choice((0, 1, (1 << (8 * width)) - 1, 1 << (8 * width - 1), (1 << (8 * width - 1)) - 1, 65_535))
        number = (value & ((1 << 8 * width) - 1)).to_bytes(width, chance.choice(("big", "little")))
        at = chance.randrange(min(len(body), chance.choice((64, 400, 5_000))))
        body[at : at + width] = number
    return body


def _repeated(body: bytearray, chance: random.Random, _others: list[bytes]) -> bytearray:
    start = chance.randrange(len(body))
    piece = body[start : start + chance.randrange(1, 400)]
    return body[:start] + piece * chance.randrange(2, 60) + body[start:]


def _zeroed(body: bytearray, chance: random.Random, _others: list[bytes]) -> bytearray:
    start = chance.randrange(len(body))
    length = chance.randrange(1, len(body))
    body[start : start + length] = bytes(len(body[start : start + length]))
    return body


_SPOILS: tuple[Callable[[bytearray, random.Random, list[bytes]], bytearray], ...] = (
    _flipped, _flipped_head, _flipped_head, _cut, _spliced, _lying, _lying, _repeated, _zeroed,
)  # fmt: skip


def spoiled(whole: dict[str, bytes], count: int, first: int, seed: int) -> dict[str, bytes]:
    """So many damaged files by name; the same for the same seed."""
    names, bodies = list(whole), list(whole.values())
    found = {}
    for number in range(first, first + count):
        chance = random.Random(seed * 1_000_003 + number)
        name = names[number % len(names)]
        body = chance.choice(_SPOILS)(bytearray(whole[name]), chance, bodies)
        if chance.random() < 0.1:  # and the wrong name
            name = chance.choice(names)
        found[f"{number:06}-{name}"] = bytes(body)
    return found


def read_all(files: dict[str, bytes], folder: Path, found: Fuzzed) -> None:
    """Read the files as a library of their own and account for each."""
    album = folder / "album"
    album.mkdir(parents=True)
    for name, body in files.items():
        (album / name).write_bytes(body)
    library = open_library(Home(folder / "home"), ExactIndexes())
    try:
        add_folder(library, album)
        decoder = TimedDecoder(folder / "decoder.log", found)
        run_to_end(process(library, FakeModels(), Stage.THUMBNAILS, decoder=decoder))
        _account(library, album, files, found)
    finally:
        library.close()


def _account(library: Library, album: Path, files: dict[str, bytes], found: Fuzzed) -> None:
    found.files += len(files)
    thumbnails = library.stages.counts()[Stage.THUMBNAILS]
    found.thumbnails += thumbnails["done"]
    for name in files:
        file = library.files.by_path(str(album / name))
        if file is None:
            found.lost.append(name)
        elif file.state is FileState.UNREADABLE and file.reason:
            found.problems += 1
            found.reasons[file.reason.split(" (")[0][:60]] += 1
        elif file.memory_id is not None:
            found.memories += 1
            state = library.stages.state(file.memory_id, Stage.THUMBNAILS)
            found.failed_stages += state is not None and state[0] == "failed"
            if state is None:
                found.lost.append(name)
        elif library.files.parts(file.id):
            found.memories += 1
        else:
            found.lost.append(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=3_600.0, help="begin no further batch after so long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="keep the files that were lost here")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        whole = whole_files(folder / "whole")
        floor, found = Fuzzed(), Fuzzed()
        read_all(whole, folder / "floor", floor)
        for first in range(0, options.files, _BATCH):
            if time.monotonic() - began > options.seconds:
                break
            files = spoiled(whole, min(_BATCH, options.files - first), first, options.seed)
            before = len(found.lost)
            read_all(files, folder / str(first), found)
            for name in found.lost[before:]:
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / name).write_bytes(files[name])
            shutil.rmtree(folder / str(first))
    seconds = time.monotonic() - began
    print(f"floor: {floor.memories} of {floor.files} whole files of {len(whole)} formats became memories")
    print(f"{found.files} damaged files in {seconds:.0f} s, none of which ended the program")
    print(
        f"{found.memories} memories ({found.thumbnails} with a thumbnail, {found.failed_stages} with a stage that failed),"
        f" {found.problems} problems, {len(found.lost)} unaccounted for"
    )
    print(f"slowest call {found.slowest_s:.1f} s ({found.slowest}); the limit is {_LIMIT_S:.0f} s")
    for reason, count in found.reasons.most_common(12):
        print(f"  {count:>6} {reason}")
    for name in found.lost[:20]:
        print(f"  lost: {name}")
    if options.json:
        options.json.write_text(
            json.dumps({"files": found.files, "memories": found.memories, "problems": found.problems, "lost": found.lost,
                        "slowest_s": found.slowest_s, "seconds": seconds})
        )  # fmt: skip
    return 0 if not found.lost and found.slowest_s < _LIMIT_S + _SLACK_S else 1


if __name__ == "__main__":
    sys.exit(main())
