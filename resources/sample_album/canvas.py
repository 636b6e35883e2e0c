"""What makes a drawing look like a photo: fonts, light, desks, shadows under paper, lens and grain."""

from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

Color = tuple[int, int, int]
Size = tuple[int, int]

LANDSCAPE: Size = (1600, 1200)
PORTRAIT: Size = (1200, 1600)
SCREEN: Size = (900, 1800)

INK: Color = (38, 38, 44)
WHITE: Color = (255, 255, 255)
PAPER: Color = (251, 249, 243)

_MIDDLE = 128
_GRAIN = 400


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The typeface inside Pillow, so that the album looks the same on every system."""
    face = ImageFont.load_default(size)
    if not isinstance(face, ImageFont.FreeTypeFont):
        raise TypeError(
            "This Pillow was built without FreeType; install the official Pillow wheel to draw the sample album."
        )
    return face


def write(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    words: str,
    size: int,
    *,
    fill: Color = INK,
    bold: bool = False,
    anchor: str = "la",
) -> None:
    """Write one line. The typeface has one weight; bold is a thicker outline of it."""
    draw.text(at, words, font=font(size), fill=fill, anchor=anchor, stroke_width=max(1, size // 34) if bold else 0)


def wrapped(words: str, size: int, width: int) -> list[str]:
    """The words broken into lines that fit the width in pixels."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font(size).getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fitting(words: str, size: int, width: int) -> int:
    """The largest font size up to `size` at which the words fit the width on one line."""
    length = font(size).getlength(words)
    return size if length <= width else int(size * width / length)


def gradient(size: Size, *stops: Color) -> Image.Image:
    """Colours blended from top to bottom."""
    width, height = size
    rows = np.linspace(0, len(stops) - 1, height)
    column = np.stack(
        [np.interp(rows, range(len(stops)), [stop[channel] for stop in stops]) for channel in range(3)], 1
    )
    return Image.fromarray(column[:, None, :].astype(np.uint8)).resize((width, height), Image.Resampling.NEAREST)


def wood(size: Size, rng: np.random.Generator, tone: Color = (156, 112, 74)) -> Image.Image:
    """A table top: long grain, a few joints."""
    width, height = size
    grain = rng.normal(0, 1, (height // 3, max(2, width // 220)))
    streaks = Image.fromarray(np.clip(128 + 15 * grain, 0, 255).astype(np.uint8)).resize(size, Image.Resampling.BICUBIC)
    table = ImageChops.overlay(Image.new("RGB", size, tone), streaks.convert("RGB"))
    draw = ImageDraw.Draw(table)
    joint = int(rng.integers(90, 200))
    while joint < height:
        draw.line((0, joint, width, joint), fill=darker(tone, 0.62), width=3)
        draw.line((0, joint + 3, width, joint + 3), fill=lighter(tone, 0.12), width=2)
        joint += int(rng.integers(230, 330))
    return table


def cloth(size: Size, tone: Color) -> Image.Image:
    """A checked table cloth."""
    sheet = Image.new("RGB", size, lighter(tone, 0.75))
    stripes = Image.new("RGBA", size)
    draw = ImageDraw.Draw(stripes)
    for start in range(0, max(size), 160):
        draw.rectangle((start, 0, start + 79, size[1]), fill=(*tone, 110))
    sheet.paste(stripes, mask=stripes)
    across = Image.new("RGBA", size)
    draw = ImageDraw.Draw(across)
    for start in range(0, max(size), 160):
        draw.rectangle((0, start, size[0], start + 79), fill=(*tone, 110))
    sheet.paste(across, mask=across)
    return sheet


def wall(size: Size, rng: np.random.Generator, tone: Color) -> Image.Image:
    """A plastered wall with a soft lamp somewhere above."""
    rough = rng.normal(128, 9, (size[1] // 8, size[0] // 8))
    plaster = Image.fromarray(np.clip(rough, 0, 255).astype(np.uint8)).resize(size, Image.Resampling.BICUBIC)
    painted = ImageChops.overlay(gradient(size, lighter(tone, 0.25), tone, darker(tone, 0.82)), plaster.convert("RGB"))
    return glow(painted, (size[0] * rng.uniform(0.3, 0.7), size[1] * 0.1), size[0] * 0.55, (255, 244, 214), 0.28)


def glow(
    picture: Image.Image, at: tuple[float, float], radius: float, color: Color, strength: float = 0.8
) -> Image.Image:
    """Add light that fades away from a point."""
    width, height = picture.size
    y, x = np.ogrid[0:height:8, 0:width:8]
    distance = np.hypot(x - at[0], y - at[1]) / radius
    light = (np.exp(-2.2 * distance**2) * 255 * strength).astype(np.uint8)
    mask = Image.fromarray(light).resize(picture.size, Image.Resampling.BICUBIC)
    lit = ImageChops.screen(picture, Image.new("RGB", picture.size, color))
    return Image.composite(lit, picture, mask)


def lay(picture: Image.Image, card: Image.Image, at: tuple[float, float], angle: float = 0.0, lift: int = 14) -> None:
    """Put a card onto the picture, centred on a point given as fractions, with a soft shadow `lift` pixels away."""
    turned = card.convert("RGBA").rotate(angle, Image.Resampling.BICUBIC, expand=True)
    left = round(picture.width * at[0] - turned.width / 2)
    top = round(picture.height * at[1] - turned.height / 2)
    alpha = turned.getchannel("A")
    margin = 4 * lift
    small = ((turned.width + 2 * margin) // 4, (turned.height + 2 * margin) // 4)
    shade = Image.new("L", small)
    shade.paste(alpha.resize((turned.width // 4, turned.height // 4)), (margin // 4, margin // 4))
    shade = shade.filter(ImageFilter.GaussianBlur(lift / 4)).point(lambda value: value * 0.5)
    shadow = shade.resize((small[0] * 4, small[1] * 4), Image.Resampling.BILINEAR)
    picture.paste((18, 14, 12), (left - margin + lift // 2, top - margin + lift), shadow)
    picture.paste(turned, (left, top), alpha)


def as_photo(picture: Image.Image, rng: np.random.Generator) -> Image.Image:
    """Take a photo of the drawing: a little soft, a little dark in the corners, with grain."""
    soft = picture.convert("RGB").filter(ImageFilter.BoxBlur(0.6))
    # One tile of grain is repeated: drawn pixel by pixel, it took most of the time of the whole album.
    noise = np.clip(rng.normal(_MIDDLE, 2.6, (_GRAIN, _GRAIN)), 0, 255).astype(np.uint8)
    repeats = (-(-soft.height // _GRAIN), -(-soft.width // _GRAIN))
    grain = Image.fromarray(np.tile(noise, repeats)[: soft.height, : soft.width]).convert("RGB")
    return ImageChops.add(ImageChops.multiply(soft, _vignette(soft.size)), grain, scale=1, offset=-_MIDDLE)


@lru_cache(maxsize=4)
def _vignette(size: Size) -> Image.Image:
    y, x = np.ogrid[-1:1:64j, -1:1:64j]
    light = (255 * np.clip(1.02 - 0.15 * (x * x + y * y), 0, 1)).astype(np.uint8)
    return Image.fromarray(light).resize(size, Image.Resampling.BICUBIC).convert("RGB")


def again(picture: Image.Image, rng: np.random.Generator) -> Image.Image:
    """The same view a moment later: the hand has moved a little."""
    width, height = picture.size
    zoom, turn = 1 / rng.uniform(1.015, 1.035), rng.uniform(-0.006, 0.006)
    shift_x, shift_y = (1 - zoom) * width * rng.uniform(0.2, 0.8), (1 - zoom) * height * rng.uniform(0.2, 0.8)
    moved = (zoom, turn, shift_x - turn * height / 2, -turn, zoom, shift_y + turn * width / 2)
    return picture.transform(picture.size, Image.Transform.AFFINE, moved, Image.Resampling.BICUBIC)


def darker(color: Color, factor: float) -> Color:
    """The colour with that share of its light."""
    return (int(color[0] * factor), int(color[1] * factor), int(color[2] * factor))


def lighter(color: Color, share: float) -> Color:
    """The colour mixed with that share of white."""
    red, green, blue = (int(value + (255 - value) * share) for value in color)
    return (red, green, blue)
