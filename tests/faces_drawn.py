"""Draws portraits that a real detector takes for faces; all of them look like one person to a real recogniser (measured)."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

SIZE = 480


def draw_portrait(path: Path, seed: int, taken: str) -> None:
    """A photo of somebody from the front; the seed decides skin, hair and background."""
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0x9003] = taken
    exif[0x010F] = "Madeleine tests"
    path.parent.mkdir(parents=True, exist_ok=True)
    portrait(seed).save(path, exif=exif, quality=92)


def portrait(seed: int) -> Image.Image:
    """A head with hair, brows, eyes, nose and mouth, shaded a little."""
    random = np.random.default_rng(seed)
    picture = Image.new("RGB", (SIZE, SIZE), tuple(int(each) for each in random.integers(120, 220, 3)))
    draw = ImageDraw.Draw(picture)
    skin = tuple(int(random.uniform(*each)) for each in ((190, 235), (150, 190), (120, 160)))
    shade, dark = tuple(int(each * 0.75) for each in skin), tuple(int(each * 0.35) for each in skin)
    middle, wide, high = SIZE / 2, SIZE * random.uniform(0.17, 0.20), SIZE * random.uniform(0.23, 0.27)

    def oval(x: float, y: float, across: float, down: float, colour: tuple[int, ...]) -> None:
        """Around a point; all in parts of the face."""
        left, top = middle + (x - across) * wide, middle + (y - down) * high
        draw.ellipse((left, top, left + 2 * across * wide, top + 2 * down * high), fill=colour)

    oval(0, -0.27, 1.18, 0.98, tuple(int(each) for each in random.integers(20, 80, 3)))  # hair
    draw.rectangle((middle - wide * 0.45, middle + high * 0.6, middle + wide * 0.45, middle + high * 1.6), fill=shade)
    oval(0, 0.02, 1, 0.97, skin)
    for side in (-0.42, 0.42):
        oval(side, -0.15, 0.29, 0.15, shade)
        oval(side, -0.15, 0.22, 0.07, (240, 240, 240))
        oval(side, -0.15, 0.10, 0.08, (30, 20, 20))
        oval(side, -0.36, 0.26, 0.04, dark)
    oval(0, 0.27, 0.2, 0.07, shade)
    for side in (-0.1, 0.1):
        oval(side, 0.3, 0.055, 0.03, dark)
    oval(0, 0.56, 0.36, 0.09, (170, 70, 70))
    oval(0, 0.55, 0.36, 0.015, (80, 20, 20))
    return picture.filter(ImageFilter.GaussianBlur(SIZE / 180))
