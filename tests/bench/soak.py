"""Whether memory stays flat over a long scan: soak.py [--files N] [--until STAGE] [--models DIR] [--json OUT].

Twice over a folder of photos of many formats and a few videos, the resident memory of the whole process tree sampled all the
while. First one run of the real program: in each stage the slope of a line through the samples behind its first fifth (while
a stage begins, it starts processes and loads libraries). Then one process that stays open, as the window does, and reads the
same files in ten rounds: the slope through the highest memory of each round, without the first three. Both in MB for 1,000
files; the bar is 5. The floor is the same measure of a process that sleeps.
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

from core.engine import Engine
from core.paths import Home
from core.records import Stage
from core.settings import Settings
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from tests.fakes import FakeModels
from tests.journeys.program import Program

_WARM_UP = 0.2
_EVERY_S = 0.1
_BAR_MB = 5.0
_ROUNDS = 10
_FEWEST = 20  # samples; a stage that is over sooner has no slope worth telling
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


def watch(running: subprocess.Popen[str], database: Path) -> dict[str, list[tuple[float, float]]]:
    """By stage that ran: (files done in it, MB) all along it."""
    samples: dict[str, list[tuple[float, float]]] = {}
    before: dict[str, int] = {}
    while running.poll() is None:
        time.sleep(_EVERY_S)
        megabytes = tree_mb(running.pid)
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            counted = dict(connection.execute("SELECT stage, count(*) FROM stages GROUP BY stage"))
        for stage, count in counted.items():
            if count > before.get(stage, 0):
                samples.setdefault(stage, []).append((float(count), megabytes))
        before = counted
    return samples


def drift_of(samples: list[tuple[float, float]], files: int) -> float:
    """The slope behind a stage's beginning."""
    return slope_for_1000([each for each in samples if each[0] >= _WARM_UP * files])


def measure_rounds(album: Path, home: Path, files: int, until: Stage) -> list[tuple[float, float]]:
    """(files so far, highest MB of the round) of one process that reads ever more of them."""
    waiting = sorted(path for path in album.rglob("*") if path.is_file())
    inbox = home.parent / "inbox"
    inbox.mkdir()
    library = open_library(Home(home), ExactIndexes())
    engine = Engine(library, FakeModels(), Settings())
    peaks = []
    try:
        engine.add_folder(inbox)
        share = files // _ROUNDS
        for number in range(_ROUNDS):
            for path in waiting[number * share : (number + 1) * share]:
                path.rename(inbox / path.name)
            highest, last = 0.0, 0.0
            for _ in engine.process(until):
                if time.monotonic() - last > _EVERY_S:
                    last = time.monotonic()
                    highest = max(highest, tree_mb(os.getpid()))
            peaks.append((float((number + 1) * share), highest))
    finally:
        engine.close()
    return peaks


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
    parser.add_argument(
        "--until", type=Stage, default=Stage.NEAR_DUPLICATES, help="the last stage; from `text` on it takes hours"
    )
    parser.add_argument("--models", type=Path, help="with these models; without, only what needs none")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        draw_many(Path(folder, "album"), options.files)
        program = Program(Path(folder, "home"), options.models)
        program.home.mkdir()
        (program.home / "settings.toml").write_text('chat_model = "none"\n')
        program.run("add", str(Path(folder, "album")))
        running = program.start("process", "--until", options.until)
        samples = watch(running, program.home / "madeleine.sqlite")
        _, errors = running.communicate()
        rounds = measure_rounds(Path(folder, "album"), Path(folder, "home2"), options.files, options.until)
    stages = {stage: drift_of(each, options.files) for stage, each in samples.items() if len(each) >= _FEWEST}
    over_rounds, floor = slope_for_1000(rounds[3:]), floor_mb(3.0)
    print(f"floor (a process that sleeps): {floor:+.2f} MB for 1,000 samples; the bar is {_BAR_MB}")
    print(f"one run of {options.files} files, exit code {running.returncode}:")
    for stage, drift in stages.items():
        highest = max(megabytes for _, megabytes in samples[stage])
        print(f"  {stage:>16}: {drift:+.2f} MB for 1,000 files, peak {highest:.0f} MB, {len(samples[stage])} samples")
    print(f"one process, {_ROUNDS} rounds: {over_rounds:+.2f} MB for 1,000 files")
    print("  peaks: " + ", ".join(f"{megabytes:.0f}" for _, megabytes in rounds) + " MB")
    if running.returncode:
        print(errors, file=sys.stderr)
    found = {"files": options.files, "stages_mb": stages, "rounds_mb": over_rounds, "floor_mb": floor, "rounds": rounds}
    if options.json:
        options.json.write_text(json.dumps(found))
    return running.returncode or int(max([*stages.values(), over_rounds]) > _BAR_MB)


if __name__ == "__main__":
    sys.exit(main())
