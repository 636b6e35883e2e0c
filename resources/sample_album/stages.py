"""How the evenings of the sample album are drawn: a concert and a karaoke bar."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from resources.sample_album.canvas import LANDSCAPE, Color, font, gradient, lay, lighter, write
from resources.sample_album.recipe import AlbumMemory


def stage(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A band under its banner, beams of light, hands of a crowd."""
    picture = _beams((14, 10, 34), ((120, 60, 220), (230, 60, 130), (40, 140, 230), (250, 170, 60)), rng)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 860, 1600, 1200), fill=(40, 28, 62))
    sign = Image.new("RGBA", (1160, 250), (16, 14, 30, 255))
    write(ImageDraw.Draw(sign), (580, 125), memory.text[0], 150, fill=(255, 236, 180), bold=True, anchor="mm")
    lay(picture, sign, (0.5, 0.16), 0, lift=16)
    draw = ImageDraw.Draw(picture)
    for x in (420, 800, 1180):
        _performer(draw, x, 870, (8, 6, 18))
    draw.ellipse((930, 710, 1060, 870), fill=(150, 60, 70))
    draw.rounded_rectangle((600, 760, 720, 870), 14, fill=(70, 60, 90))
    _crowd(draw, rng)
    return picture


def neon_stage(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """Two singers under a neon sign in a small bar."""
    picture = _beams((26, 10, 36), ((220, 60, 160), (60, 160, 230)), rng)
    layer = Image.new("RGB", LANDSCAPE)
    ImageDraw.Draw(layer).text(
        (800, 300), memory.text[0], font=font(220), fill=(255, 90, 180), anchor="mm", stroke_width=10
    )
    halo = layer.filter(ImageFilter.GaussianBlur(22))
    picture = Image.fromarray(np.minimum(np.asarray(picture, np.uint16) + np.asarray(halo), 255).astype(np.uint8))
    draw = ImageDraw.Draw(picture)
    draw.text((800, 300), memory.text[0], font=font(220), fill=(255, 232, 246), anchor="mm", stroke_width=5)
    draw.rectangle((0, 930, 1600, 1200), fill=(40, 18, 40))
    for x in (640, 960):
        _performer(draw, x, 940, (20, 10, 28))
    _crowd(draw, rng)
    return picture


def _beams(dark: Color, tones: tuple[Color, ...], rng: np.random.Generator) -> Image.Image:
    picture = gradient(LANDSCAPE, lighter(dark, 0.06), dark)
    light = Image.new("RGB", LANDSCAPE)
    for number, x in enumerate(np.linspace(120, 1480, 7)):
        beam = Image.new("L", LANDSCAPE)
        end = x + rng.uniform(-420, 420)
        ImageDraw.Draw(beam).polygon([(x - 8, 0), (x + 8, 0), (end + 130, 1000), (end - 130, 1000)], fill=120)
        light.paste(
            tones[number % len(tones)],
            mask=beam.resize((400, 300)).filter(ImageFilter.GaussianBlur(3)).resize(LANDSCAPE),
        )
    return Image.fromarray(np.minimum(np.asarray(picture, np.uint16) + np.asarray(light) // 2, 255).astype(np.uint8))


def _performer(draw: ImageDraw.ImageDraw, x: int, floor: int, shade: Color) -> None:
    draw.ellipse((x - 42, floor - 370, x + 42, floor - 280), fill=shade)
    draw.rounded_rectangle((x - 66, floor - 280, x + 66, floor - 110), 36, fill=shade)
    draw.polygon([(x - 60, floor - 130), (x + 60, floor - 130), (x + 76, floor + 10), (x - 76, floor + 10)], fill=shade)
    draw.line((x + 50, floor - 250, x + 96, floor - 290, x + 30, floor - 310), fill=shade, width=28, joint="curve")
    draw.line((x + 30, floor - 306, x + 14, floor - 330), fill=(180, 180, 190), width=16)


def _crowd(draw: ImageDraw.ImageDraw, rng: np.random.Generator) -> None:
    shade: Color = (8, 6, 16)
    for x in np.arange(20, 1600, 104) + rng.uniform(-24, 24, 16):
        y, size = rng.uniform(1030, 1090), rng.uniform(44, 58)
        draw.ellipse((x - size, y - size, x + size, y + size), fill=shade)
        draw.rounded_rectangle((x - 1.7 * size, y + size * 0.8, x + 1.7 * size, 1280), 50, fill=shade)
        if rng.random() < 0.4:
            draw.line((x + size, y + 90, x + size * 1.4, y - 120), fill=shade, width=26)
            draw.ellipse((x + size * 1.4 - 20, y - 150, x + size * 1.4 + 20, y - 106), fill=shade)
