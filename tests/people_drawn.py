"""Draws pictures with faces that `tests.fakes.FakeFaces` recognises."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

FACE_PX = 40
SIZE = (320, 240)


def draw_people(path: Path, people: Sequence[int], taken: str = "2024:05:10 10:00:00", seed: int = 0) -> None:
    """A photo of people by number, side by side from the left, in an order that the seed decides."""
    picture = Image.new("RGB", SIZE, ((37 * seed) % 200, (91 * seed) % 200, 140))
    draw = ImageDraw.Draw(picture)
    for place, number in enumerate(people):
        left, top = 20 + place * 60 + seed % 7, 30 + seed % 50
        draw.rectangle((left, top, left + FACE_PX - 1, top + FACE_PX - 1), fill=(255, number * 10, 0))
    for step in range(5):
        draw.rectangle(
            (seed * 31 % 280, 120 + step * 20, seed * 31 % 280 + 30, 135 + step * 20), fill=(20 * step, seed % 256, 99)
        )
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0x9003] = taken
    exif[0x010F] = "Madeleine tests"
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, exif=exif)
