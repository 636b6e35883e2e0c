"""How fast a library is read, beside plain programs that do only the unavoidable: scan.py [photos] [rescan] [growth].

photos  Metadata and thumbnails of 12-megapixel JPEGs from nothing to stored. The floor: two processes in which Pillow
        opens the same files, decodes them in draft mode and saves a thumbnail; nothing is hashed, read or stored.
        The bar is 1.5 times the floor's time.
rescan  A second scan of an unchanged tree of tiny files, the program already open. The floor: `find -printf` over the same
        tree. The bar is 6 times the floor's time; a bare walk with `stat` and one read of the database is shown too.
growth  Seconds a file for a first scan with metadata, for libraries of 1,000, 10,000 and 100,000 tiny pictures: the cost
        of a file must not grow with the library.

Ours and the floor run in turn, several times; what is compared is the best of each, because a busy machine only ever adds.
"""

import argparse
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from core.capture.pipeline import process
from core.capture.scan import add_folder, scan
from core.jobs import run_to_end
from core.paths import Home
from core.records import Stage
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.fakes import FakeModels

_SIZE = (4000, 3000)
_EDGE = 320
_FLOOR_PROCESSES = 2
_PHOTO_BAR = 1.5
_RESCAN_BAR = 6.0


def draw_camera_photos(folder: Path, count: int) -> list[str]:
    """Photos of 12 megapixels, each its own, with the fine grain that makes a camera's files 3-5 MB."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(5)
    grain = chance.normal(0, 7, (_SIZE[1], _SIZE[0], 3)).astype(np.float32)
    paths = []
    for number in range(count):
        path = folder / f"IMG_{number:05}.jpg"
        paths.append(str(path))
        if path.exists():
            continue
        coarse = Image.fromarray(chance.integers(0, 255, (30, 40, 3), dtype=np.uint8))
        ground = np.asarray(coarse.resize(_SIZE, Image.Resampling.BICUBIC), dtype=np.float32)
        shifted = np.roll(grain, (number * 37, number * 53), axis=(0, 1))
        exif = Image.Exif()
        exif.get_ifd(0x8769)[0x9003] = f"2024:{1 + number % 12:02}:{1 + number % 28:02} 10:{number % 60:02}:00"
        exif[0x010F], exif[0x0112] = "Madeleine bench", 1 + 5 * (number % 2)
        picture = Image.fromarray(np.clip(ground + shifted, 0, 255).astype(np.uint8))
        picture.save(path, quality=90, subsampling=2, exif=exif)
    return paths


def draw_tiny(folder: Path, count: int, first: int = 0) -> None:
    """Pictures of a few hundred bytes, a hundred to a folder, each with a content of its own."""
    plain = Image.new("RGB", (16, 16), (120, 90, 60))
    sample = folder.parent / "sample.jpg"
    folder.mkdir(parents=True, exist_ok=True)
    plain.save(sample, quality=50)
    body = sample.read_bytes()
    for number in range(first, first + count):
        path = folder / f"{number // 10_000:03}" / f"{number // 100 % 100:02}" / f"IMG_{number:06}.jpg"
        if number % 100 == 0:
            path.parent.mkdir(parents=True, exist_ok=True)
        comment = f"number {number}".encode()
        path.write_bytes(body[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + body[2:])


def opened_library(folder: Path) -> Library:
    """A new library without models."""
    return open_library(Home(folder), ExactIndexes())


def timed(act: Callable[[], object]) -> float:
    """Seconds that it takes."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def floor_photo(job: tuple[str, str]) -> None:
    """The least that a thumbnail costs."""
    path, target = job
    with Image.open(path) as image:
        image.draft("RGB", (_EDGE, _EDGE))
        image.thumbnail((_EDGE, _EDGE))
        image.save(target, "JPEG", quality=82)


def measure_photos(folder: Path, count: int, rounds: int, album: Path | None) -> dict[str, float]:
    """Seconds for the photos, ours and the floor's."""
    paths = draw_camera_photos(album or folder / "album", count)
    size_mb = sum(os.path.getsize(path) for path in paths) / 1e6 / count
    ours, floor = [], []
    targets = folder / "floor"
    targets.mkdir()
    jobs = [(path, str(targets / os.path.basename(path))) for path in paths]
    with ProcessPoolExecutor(_FLOOR_PROCESSES, mp_context=get_context("spawn")) as pool:
        list(pool.map(floor_photo, jobs[:_FLOOR_PROCESSES]))  # started and imported before the clock runs
        for number in range(rounds):
            floor.append(timed(lambda: list(pool.map(floor_photo, jobs))))
            ours.append(_our_photos(folder / f"library-{number}", Path(paths[0]).parent, count))
    return {
        "photos": count, "megabytes_each": round(size_mb, 2), "floor_s": min(floor), "ours_s": min(ours),
        "floor_per_s": count / min(floor), "ours_per_s": count / min(ours), "ratio": min(ours) / min(floor),
    }  # fmt: skip


def _our_photos(home: Path, album: Path, count: int) -> float:
    library = opened_library(home)
    try:
        add_folder(library, album)
        seconds = timed(lambda: run_to_end(process(library, FakeModels(), Stage.THUMBNAILS)))
        done = library.stages.counts()[Stage.THUMBNAILS]["done"]
        if done != count:
            raise SystemExit(f"only {done} of {count} thumbnails were made")
    finally:
        library.close()
    return seconds


def measure_rescan(folder: Path, count: int, rounds: int, *, whole: bool) -> dict[str, Any]:
    """Seconds to find an unchanged tree unchanged: `find`, a bare walk, our scan, and a whole run with nothing to do."""
    tree = folder / "tree"
    draw_tiny(tree, count)
    library = opened_library(folder / "library")
    try:
        add_folder(library, tree)
        run_to_end(process(library, FakeModels(), Stage.THUMBNAILS if whole else Stage.SCAN))
        times: dict[str, list[float]] = {"find": [], "bare": [], "scan": [], "run": []}
        for _ in range(rounds):
            times["find"].append(timed(lambda: _find(tree)))
            times["bare"].append(timed(lambda: _bare_walk(tree, library.home.database)))
            times["scan"].append(timed(lambda: run_to_end(scan(library))))
            until = Stage.THUMBNAILS if whole else Stage.SCAN
            times["run"].append(timed(lambda until=until: run_to_end(process(library, FakeModels(), until))))
    finally:
        library.close()
    best = {name: min(seconds) for name, seconds in times.items()}
    return {
        "files": count, "until": "thumbnails" if whole else "scan", "find_s": best["find"], "bare_s": best["bare"],
        "scan_s": best["scan"], "run_s": best["run"],
        "bare_ratio": best["bare"] / best["find"], "ratio": best["scan"] / best["find"],
        "run_ratio": best["run"] / best["find"],
    }  # fmt: skip


def _find(tree: Path) -> None:
    command = ["find", str(tree), "-type", "f", "-printf", "%p %s %T@\\n"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def _bare_walk(tree: Path, database: Path) -> None:
    """What no rescan can avoid: names, `stat`, and what is known of them."""
    connection = sqlite3.connect(database)
    known = {row[0]: row[1:] for row in connection.execute("SELECT path, size_bytes, modified_ns FROM files")}
    connection.close()
    waiting = [os.fsencode(tree)]
    changed = 0
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    about = entry.stat(follow_symlinks=False)
                    changed += known.get(entry.path) != (about.st_size, about.st_mtime_ns)
    if changed:
        raise SystemExit(f"{changed} files of an unchanged tree look changed")


def measure_growth(folder: Path, sizes: list[int]) -> dict[str, Any]:
    """Milliseconds a file that the last tenth of each library's files cost to scan and describe."""
    library = opened_library(folder / "library")
    per_file: dict[str, dict[str, float]] = {}
    known = 0
    try:
        (folder / "tree").mkdir()
        add_folder(library, folder / "tree")
        for size in sizes:
            step = max(200, min(1000, size // 10))
            for until in (size - step, size):  # all but the last, then the last ones alone under the clock
                draw_tiny(folder / "tree", until - known, known)
                began = time.perf_counter()
                run_to_end(scan(library))
                scanned = time.perf_counter()
                run_to_end(process(library, FakeModels(), Stage.THUMBNAILS))
                ended = time.perf_counter()
                known = until
            idle = timed(lambda: run_to_end(process(library, FakeModels(), Stage.THUMBNAILS)))
            per_file[str(size)] = {
                "scan_ms": (scanned - began) / step * 1000, "all_ms": (ended - began) / step * 1000,
                "nothing_to_do_s": idle, "files_timed": step,
                "less_looking_ms": max(0.0, ended - began - idle * 2) / step * 1000,
            }  # fmt: skip
    finally:
        library.close()
    return {"sizes": sizes, "per_file": per_file}


def report_photos(found: dict[str, float]) -> None:
    print(f"{found['photos']:.0f} photos of 12 megapixels, {found['megabytes_each']} MB each")
    print(
        f"floor (two processes, Pillow draft decode and save): {found['floor_s']:.2f} s, {found['floor_per_s']:.1f}/s"
    )
    print(f"ours (scan, hash, metadata, thumbnail, stored): {found['ours_s']:.2f} s, {found['ours_per_s']:.1f}/s")
    print(f"{found['ratio']:.2f} times the floor; the bar is {_PHOTO_BAR}")


def report_rescan(found: dict[str, Any]) -> None:
    print(f"rescan of {found['files']:.0f} unchanged files")
    print(f"floor (find -printf): {found['find_s']:.3f} s")
    print(f"bare walk, stat, one database read: {found['bare_s']:.3f} s, {found['bare_ratio']:.2f} times the floor")
    print(f"our scan: {found['scan_s']:.3f} s, {found['ratio']:.2f} times the floor; the bar is {_RESCAN_BAR}")
    print(
        f"a run with nothing to do, up to {found['until']}: {found['run_s']:.3f} s, {found['run_ratio']:.2f} times the floor"
    )


def report_growth(found: dict[str, Any]) -> None:
    print("milliseconds a tiny picture, for the last ones added to a library of so many (scan to thumbnail)")
    for size, each in found["per_file"].items():
        print(
            f"{int(size):>8}: {each['all_ms']:.2f} in all, {each['less_looking_ms']:.2f} without looking at the unchanged"
            f" rest ({each['nothing_to_do_s']:.2f} s a run with nothing to do)"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["photos", "rescan", "growth"])
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--whole", action="store_true", help="rescan after everything was decoded too (takes long)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--album", type=Path, help="draw the photos here and keep them for the next run")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    random.seed(5)
    found: dict[str, Any] = {}
    measures: dict[str, Callable[[Path], dict[str, Any]]] = {
        "photos": lambda folder: measure_photos(folder, options.photos, options.rounds, options.album),
        "rescan": lambda folder: measure_rescan(folder, options.files, options.rounds, whole=options.whole),
        "growth": lambda folder: measure_growth(folder, options.sizes),
    }
    reports = {"photos": report_photos, "rescan": report_rescan, "growth": report_growth}
    for part in options.parts:
        with tempfile.TemporaryDirectory() as folder:
            found[part] = measures[part](Path(folder))
        reports[part](found[part])
    if options.json:
        options.json.write_text(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
