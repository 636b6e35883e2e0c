"""How water, clouds, ridges, trees and snow are drawn; the outdoor scenes are made of them."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from resources.sample_album.canvas import LANDSCAPE, WHITE, Color, gradient, lighter

_WIDTH, _HEIGHT = LANDSCAPE


def clouds(
    picture: Image.Image, rng: np.random.Generator, count: int, tone: Color = WHITE, strength: float = 0.8
) -> None:
    """Soft clouds in the upper half."""
    small = (picture.width // 4, picture.height // 4)
    mask = Image.new("L", small)
    draw = ImageDraw.Draw(mask)
    for _ in range(count):
        x, y = rng.uniform(0, small[0]), rng.uniform(small[1] * 0.05, small[1] * 0.4)
        for _ in range(7):
            across, up, size = rng.normal(0, 30), rng.normal(0, 5), rng.uniform(8, 20)
            draw.ellipse(
                (x + across - size * 1.5, y + up - size * 0.7, x + across + size * 1.5, y + up + size * 0.7),
                fill=int(255 * strength),
            )
    picture.paste(tone, mask=mask.filter(ImageFilter.GaussianBlur(5)).resize(picture.size, Image.Resampling.BICUBIC))


def sea(picture: Image.Image, rng: np.random.Generator, top: int, tones: Sequence[Color]) -> None:
    """Water from a horizon down to the edge, with glints."""
    picture.paste(gradient((picture.width, picture.height - top), *tones), (0, top))
    draw = ImageDraw.Draw(picture)
    for _ in range(170):
        y = top + (picture.height - top) * rng.random() ** 1.6
        x, half = rng.uniform(0, picture.width), 8 + (y - top) * rng.uniform(0.04, 0.16)
        draw.line(
            (x - half, y, x + half, y), fill=lighter(tones[0], rng.uniform(0.1, 0.4)), width=2 + int((y - top) / 150)
        )


def ridges(picture: Image.Image, rng: np.random.Generator, rows: Sequence[tuple[int, int, Color]]) -> None:
    """Mountain ridges from far to near: base line, height, colour."""
    draw = ImageDraw.Draw(picture)
    xs = np.linspace(0, picture.width, 260)
    for base, height, tone in rows:
        outline = sum(height / step * np.abs(np.sin(xs / (430 / step) + rng.uniform(0, 6))) for step in (1, 2, 4, 9))
        filled_below(draw, xs, base + height - np.asarray(outline), tone)


def filled_below(draw: ImageDraw.ImageDraw, xs: np.ndarray, ys: np.ndarray, tone: Color) -> None:
    draw.polygon([(0, _HEIGHT), *zip(xs.tolist(), ys.tolist(), strict=True), (_WIDTH, _HEIGHT)], fill=tone)


def tree(draw: ImageDraw.ImageDraw, x: float, base: float, height: float, rng: np.random.Generator) -> None:
    draw.rectangle((x - 5, base - height * 0.4, x + 5, base), fill=(84, 58, 40))
    tone = ((206, 116, 40), (226, 160, 60), (150, 90, 40), (96, 110, 56))[int(rng.integers(4))]
    for across, up, size in ((0, 0.75, 0.34), (-0.2, 0.55, 0.3), (0.2, 0.55, 0.3)):
        size *= height
        draw.ellipse(
            (
                x + across * height - size,
                base - up * height - size,
                x + across * height + size,
                base - up * height + size,
            ),
            fill=tone,
        )
        tone = lighter(tone, 0.08)


def bare_tree(
    draw: ImageDraw.ImageDraw, x: float, y: float, length: float, turn: float, depth: int, rng: np.random.Generator
) -> None:
    if depth == 0:
        return
    end_x, end_y = x + length * np.cos(turn), y + length * np.sin(turn)
    draw.line((x, y, end_x, end_y), fill=lighter((70, 60, 62), 0.06 * (7 - depth)), width=2 * depth + 1)
    for side in (-1, 1):
        bare_tree(
            draw, end_x, end_y, length * rng.uniform(0.58, 0.76), turn + side * rng.uniform(0.2, 0.6), depth - 1, rng
        )


def snowfall(draw: ImageDraw.ImageDraw, rng: np.random.Generator, count: int) -> None:
    for x, y, size in rng.uniform((0, 0, 3), (_WIDTH, _HEIGHT, 9), (count, 3)):
        draw.ellipse((x - size, y - size, x + size, y + size), fill=(250, 251, 255))
