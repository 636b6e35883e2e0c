"""How the launch of the rocket is drawn, for the photos and for the video."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from resources.sample_album.canvas import LANDSCAPE, Color, gradient, lay, write
from resources.sample_album.nature import clouds, filled_below, sea
from resources.sample_album.recipe import AlbumMemory

_WIDTH, _HEIGHT = LANDSCAPE


def rocket(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A rocket on its column of smoke, a board of the organisers in front."""
    picture = launch_sky(LANDSCAPE, rng)
    draw_rocket(picture, (800, 110), 1.05, rng)
    board = Image.new("RGBA", (900, 190), (24, 28, 40, 255))
    sheet = ImageDraw.Draw(board)
    sheet.rectangle((10, 10, 889, 179), outline=(90, 100, 120, 255), width=4)
    write(sheet, (450, 95), memory.text[0], 92, fill=(255, 206, 90), bold=True, anchor="mm")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((560, 1020, 590, 1200), fill=(60, 60, 66))
    draw.rectangle((1010, 1020, 1040, 1200), fill=(60, 60, 66))
    lay(picture, board, (0.5, 0.86), rng.uniform(-1, 1), lift=12)
    draw = ImageDraw.Draw(picture)
    for x in (20, 130, 240, 1360, 1470, 1580):
        head = rng.uniform(34, 42)
        y = rng.uniform(1060, 1100)
        draw.ellipse((x - head, y - head, x + head, y + head), fill=(38, 34, 40))
        draw.rounded_rectangle((x - 2 * head, y + head * 0.9, x + 2 * head, 1260), 44, fill=(38, 34, 40))
    return picture


def launch_sky(size: tuple[int, int], rng: np.random.Generator) -> Image.Image:
    """The sea under an afternoon sky, as the launch needs it; any size of 4:3 or wider."""
    width, height = size
    picture = gradient(LANDSCAPE, (70, 130, 200), (160, 200, 230), (236, 232, 214))
    clouds(picture, rng, 6)
    sea(picture, rng, 880, ((70, 120, 150), (48, 88, 118)))
    draw = ImageDraw.Draw(picture)
    xs = np.linspace(0, _WIDTH, 90)
    filled_below(draw, xs, 1040 + 16 * np.sin(xs / 150) + 8 * np.sin(xs / 37), (112, 122, 76))
    top = (_HEIGHT - _WIDTH * height // width) // 2
    return picture.resize(size, Image.Resampling.BICUBIC, box=(0, top, _WIDTH, _HEIGHT - top))


def draw_rocket(picture: Image.Image, tip: tuple[float, float], scale: float, rng: np.random.Generator) -> None:
    """A rocket with its tip at a point of the picture, on flame and smoke down to the horizon."""
    x, y = tip
    horizon = picture.height * 0.735
    smoke = Image.new("L", picture.size)
    puffs = ImageDraw.Draw(smoke)
    foot = y + 330 * scale
    for share in np.linspace(0, 1, 46):
        level = foot + (horizon - foot) * share
        if level > horizon + 4:
            break
        size = (18 + 60 * share) * scale
        drift = rng.normal(0, 10 + 26 * share) * scale
        puffs.ellipse(
            (x + drift - size, level - size, x + drift + size, level + size), fill=int(rng.integers(170, 250))
        )
    for offset in rng.uniform(-260, 260, 26) * scale:
        size = rng.uniform(36, 80) * scale
        puffs.ellipse((x + offset - size, horizon - size, x + offset + size, horizon + size * 0.7), fill=215)
    picture.paste((246, 242, 236), mask=smoke.filter(ImageFilter.GaussianBlur(7 * scale)))
    draw = ImageDraw.Draw(picture)

    def polygon(points: Sequence[tuple[float, float]], color: Color) -> None:
        draw.polygon([(x + across * scale, y + down * scale) for across, down in points], fill=color)

    flame = rng.uniform(0.85, 1.15)
    polygon([(-30, 262), (30, 262), (0, 262 + 190 * flame)], (255, 150, 60))
    polygon([(-17, 262), (17, 262), (0, 262 + 120 * flame)], (255, 240, 180))
    polygon([(-34, 190), (-82, 284), (-34, 262)], (206, 66, 52))
    polygon([(34, 190), (82, 284), (34, 262)], (176, 52, 42))
    polygon([(-34, 70), (34, 70), (34, 262), (-34, 262)], (244, 244, 246))
    polygon([(10, 70), (34, 70), (34, 262), (10, 262)], (214, 216, 224))
    polygon([(-34, 70), (0, 0), (34, 70)], (206, 66, 52))
    polygon([(-34, 150), (34, 150), (34, 168), (-34, 168)], (40, 70, 130))
