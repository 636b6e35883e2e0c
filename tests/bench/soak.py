"""Whether memory stays flat over a long scan: soak.py [--files N] [--models DIR] [--json OUT].

The real program reads a folder of photos of many formats and a few videos; the resident memory of its whole process tree is
sampled all the while. Drift is the slope of a line through the samples behind the first fifth, in MB for 1,000 files; a file
counts as one when it went through all the stages that run. The bar is 5 MB for 1,000 files over 2,000 files. The floor is the
same measure of a Python process that does nothing.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import av
import numpy as np
from PIL import Image

from tests.journeys.program import Program

_WARM_UP = 0.2
_EVERY_S = 0.1
_BAR_MB = 5.0
_SUFFIXES = (".jpg", ".jpg", ".jpg", ".jpg", ".png", ".webp", ".heic", ".tif", ".gif")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def draw_many(folder: Path, count: int) -> None:
    """Pictures with grain, in the formats that people have, and a short video each hundred."""
    chance = np.random.default_rng(3)
    grain = chance.normal(0, 12, (480, 640, 3)).astype(np.float32)
    folder.mkdir(parents=True)
    for number in range(count):
        path = folder / f"{number // 200:02}" / f"IMG_{number:05}{_SUFFIXES[number % len(_SUFFIXES)]}"
        path.parent.mkdir(exist_ok=True)
        if number % 100 == 99:
            _draw_video(path.with_suffix(".mp4"), number)
            continue
        coarse = Image.fromarray(chance.integers(0, 255, (9, 12, 3), dtype=np.uint8)).resize((640, 480))
        pixels = np.asarray(coarse, dtype=np.float32) + np.roll(grain, number * 31, axis=1)
        picture = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
        if path.suffix in (".tif", ".gif"):
            picture = picture.resize((240, 180))
        # the HEIC library here reads and does not write: phones, too, save JPEG under that name
        picture.save(path, "JPEG" if path.suffix == ".heic" else None)


def _draw_video(path: Path, number: int) -> None:
    with av.open(str(path), "w") as target:
        stream = target.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        for step in range(12):
            frame = np.full((240, 320, 3), (number * 7 + step * 9) % 255, dtype=np.uint8)
            frame[step * 10 : step * 10 + 40, 60:200] = (number * 3) % 255
            target.mux(stream.encode(av.VideoFrame.from_ndarray(frame, "rgb24")))
        target.mux(stream.encode())


def tree_mb(pid: int) -> float:
    """Resident megabytes of a process and all that it started."""
    total, waiting = 0, [pid]
    while waiting:
        process = waiting.pop()
        try:
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE_BYTES
            for task in Path(f"/proc/{process}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:
            continue  # it ended meanwhile
    return total / 1e6


def slope_for_1000(samples: list[tuple[float, float]]) -> float:
    """MB that memory grows while 1,000 files go by; samples are (files, MB)."""
    if len(samples) < 2:
        return 0.0
    files, megabytes = np.array(samples).T
    if np.ptp(files) == 0:
        return 0.0
    return float(np.polyfit(files, megabytes, 1)[0]) * 1000


def watch(running: subprocess.Popen[str], database: Path, files: int) -> tuple[list[tuple[float, float]], set[str]]:
    """(files done, MB) all along a run, and the stages that ran."""
    samples: list[tuple[float, float]] = []
    stages: set[str] = set()
    rows: list[tuple[int, float]] = []
    while running.poll() is None:
        time.sleep(_EVERY_S)
        megabytes = tree_mb(running.pid)
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            counted = dict(connection.execute("SELECT stage, count(*) FROM stages GROUP BY stage"))
        stages |= set(counted)
        rows.append((sum(counted.values()), megabytes))
    most = rows[-1][0] if rows else 0
    if most:
        samples = [(done / most * files, megabytes) for done, megabytes in rows]
    return samples, stages


def floor_mb(seconds: float) -> float:
    """The same measure of a process that sleeps, over samples that pretend to be files."""
    sleeper = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({seconds + 1})"])
    samples = []
    for number in range(int(seconds / _EVERY_S)):
        time.sleep(_EVERY_S)
        samples.append((float(number), tree_mb(sleeper.pid)))
    sleeper.kill()
    sleeper.wait()
    return slope_for_1000(samples[len(samples) // 5 :])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--models", type=Path, help="with these models; without, only what needs none")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        draw_many(Path(folder, "album"), options.files)
        program = Program(Path(folder, "home"), options.models)
        program.home.mkdir()
        (program.home / "settings.toml").write_text('chat_model = "none"\n')
        program.run("add", str(Path(folder, "album")))
        running = program.start("process", "--until", "contexts")
        began = time.monotonic()
        samples, stages = watch(running, program.home / "madeleine.sqlite", options.files)
        seconds = time.monotonic() - began
        code = running.wait()
        errors = running.stderr.read() if running.stderr else ""
        running.communicate()
    behind = [each for each in samples if each[0] >= _WARM_UP * options.files]
    drift, floor = slope_for_1000(behind), floor_mb(3.0)
    highest = max((megabytes for _, megabytes in samples), default=0.0)
    found = {"files": options.files, "seconds": round(seconds, 1), "drift_mb": drift, "floor_mb": floor, "peak_mb": highest,
             "samples": len(behind), "stages": sorted(stages), "code": code}  # fmt: skip
    print(
        f"{options.files} files through {len(stages)} stages in {seconds:.0f} s, {len(behind)} samples: exit code {code}"
    )
    print(f"floor (a process that sleeps): {floor:+.2f} MB for 1,000 samples")
    print(f"ours, the whole tree: {drift:+.2f} MB for 1,000 files, peak {highest:.0f} MB; the bar is {_BAR_MB}")
    for start in range(0, options.files, max(1, options.files // 8)):
        window = [mb for done, mb in samples if start <= done < start + options.files // 8]
        if window:
            print(f"  from file {start:>5}: median {np.median(window):.0f} MB")
    if code:
        print(errors, file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps(found))
    return code or int(drift > _BAR_MB)


if __name__ == "__main__":
    sys.exit(main())
