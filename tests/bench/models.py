"""How long does each stage take with each tier of models, and how many calls does a burst save?

    python -m tests.bench.models --models FOLDER [--photos 60] [--json OUT]

Times every installed model once per drawn photo and prints photos an hour beside `models.speed`'s estimates for those whose
weights are not here; then draws a library of bursts, stacks it, and prints the share of captioner calls that near-duplicates
save by inheriting (floor: one call a photo).
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from core.capture.pipeline import process
from core.capture.scan import add_folder
from core.jobs import run_to_end
from core.paths import Home
from core.records import Stage
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from models.catalogue import load_catalogue
from models.installed import InstalledModels
from models.speed import speeds
from tests.fakes import FakeModels

_ORIGINAL, _EXIF = 0x9003, 0x8769


def draw_bursts(folder: Path, photos: int, seed: int = 0) -> int:
    """Draw a day's shooting: bursts of 1 to 8 shots of a scene, a few seconds apart, each shot a little moved; how many scenes."""
    random = np.random.default_rng(seed)
    when, drawn, scenes = datetime(2024, 5, 1, 9), 0, 0
    while drawn < photos:
        scenes += 1
        ground = random.integers(0, 256, (6, 8, 3), np.uint8)
        for _ in range(min(int(random.integers(1, 9)), photos - drawn)):
            picture = Image.fromarray(ground).resize((640, 480), Image.Resampling.BICUBIC)
            x, y = random.integers(-6, 7, 2)
            moved = picture.transform(picture.size, Image.Transform.AFFINE, (1, 0, int(x), 0, 1, int(y)))
            ImageDraw.Draw(moved).ellipse((300 + x, 200 + y, 340 + x, 260 + y), fill=(240, 220, 190))
            exif = Image.Exif()
            exif[_EXIF] = {_ORIGINAL: f"{when:%Y:%m:%d %H:%M:%S}"}
            moved.save(folder / f"IMG_{drawn:04}.jpg", exif=exif, quality=88)
            when += timedelta(seconds=2)
            drawn += 1
        when += timedelta(seconds=int(random.integers(20, 1800)))
    return scenes


def calls_saved(photos: int) -> tuple[int, int, int]:
    """(photos, scenes drawn, captioner calls needed) of a drawn library of bursts."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "album")
        folder.mkdir()
        scenes = draw_bursts(folder, photos)
        library = open_library(Home(Path(scratch, "home")), ExactIndexes())
        try:
            add_folder(library, folder)
            run_to_end(process(library, FakeModels(), Stage.NEAR_DUPLICATES))
            stacked = Counter(memory.representative_id or memory.id for memory in library.memories.matching())
        finally:
            library.close()
    return photos, scenes, len(stacked)


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    catalogue, rows = load_catalogue(), []
    with tempfile.TemporaryDirectory() as logs:
        models = InstalledModels(options.models, Path(logs))
        try:
            for speed in speeds(catalogue, models):
                tier = catalogue.get(speed.model_id).tier.value
                rows.append(
                    (speed.role, tier, speed.model_id, speed.seconds, speed.an_hour, speed.unit, speed.measured)
                )
        finally:
            models.close()
    for role, tier, model_id, seconds, an_hour, unit, measured in sorted(rows):
        kind = "measured" if measured else "estimated"
        sys.stdout.write(f"{role:15} {tier:9} {model_id:36} {seconds:9.3f} s  {an_hour:>9,} {unit} an hour  {kind}\n")
    photos, scenes, calls = calls_saved(options.photos)
    saved, best = 1 - calls / photos, 1 - scenes / photos
    sys.stdout.write(
        f"bursts: n={photos} photos of {scenes} scenes; {calls} captioner calls, {saved:.0%} saved "
        f"(floor 0%, at best {best:.0%})\n"
    )
    if options.json:
        options.json.write_text(json.dumps({"rows": rows, "photos": photos, "scenes": scenes, "calls": calls}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
