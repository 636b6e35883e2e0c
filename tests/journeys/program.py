"""Starts the program as a person would: a process of its own, over a home of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # whatever the command printed
        """The last line of the output as JSON."""
        return json.loads(self.out.splitlines()[-1])


class Program:
    """The command line over one home."""

    def __init__(self, home: Path, models: Path | None = None) -> None:
        self.home = home
        self.environment: Mapping[str, str] = {
            **os.environ,
            "MADELEINE_HOME": str(home),
            "MADELEINE_MODELS": str(models or home / "no-models"),
            "PYTHONWARNINGS": "default",
        }

    def run(self, *words: str, timeout_s: float = 240.0) -> Ran:
        """Run one command to its end."""
        done = subprocess.run(
            [sys.executable, "-m", "desktop", *words],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start one command and go on."""
        return subprocess.Popen(
            [sys.executable, "-m", "desktop", *words],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


def draw_photo(path: Path, seed: int, taken: str = "2024:05:10 10:00:00") -> None:
    """A small photo that looks unlike those of other seeds, with its time in EXIF."""
    picture = Image.new("RGB", (320, 240), ((37 * seed) % 256, (91 * seed) % 256, 140))
    draw = ImageDraw.Draw(picture)
    for step in range(6):
        left = (seed * 53 + step * 61) % 280
        draw.rectangle(
            (left, step * 38, left + 30 + seed % 7 * 5, step * 38 + 30),
            fill=(step * 40, (seed * 29) % 256, 200 - step * 20),
        )
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0x9003] = taken
    exif[0x010F] = "Madeleine tests"
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, exif=exif)
