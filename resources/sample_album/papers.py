"""How the papers and boxes of the sample album are drawn: receipts, tickets, cards, a badge, a menu, tablets, on a table."""

import numpy as np
from PIL import Image, ImageDraw

from resources.sample_album.canvas import (
    INK,
    LANDSCAPE,
    PAPER,
    PORTRAIT,
    WHITE,
    Color,
    cloth,
    darker,
    fitting,
    glow,
    gradient,
    lay,
    lighter,
    wood,
    write,
)
from resources.sample_album.recipe import AlbumMemory

_WOODS: tuple[Color, ...] = ((156, 112, 74), (188, 150, 108), (112, 82, 62))
_CLOTHS: tuple[Color, ...] = ((176, 58, 56), (58, 98, 150), (84, 128, 84))


def receipt(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A till receipt; a dinner's lies on a checked cloth, a shop's on wood."""
    is_dinner = memory.taken_at.hour >= 19
    background = cloth(PORTRAIT, _pick(_CLOTHS, rng)) if is_dinner else wood(PORTRAIT, rng, _pick(_WOODS, rng))
    if is_dinner:
        _plate(background, (0.9, 0.06))
    lay(background, _receipt_paper(memory.text, rng), (0.5, 0.53), rng.uniform(-3.2, 3.2), lift=10)
    return glow(background, (rng.uniform(100, 500), 100), 1100, (255, 236, 200), 0.16)


def _receipt_paper(text: tuple[str, ...], rng: np.random.Generator) -> Image.Image:
    width, pad, step = 840, 60, 84
    paper = Image.new("RGBA", (width, 2 * pad + 40 + step * (len(text) + 1)), (*PAPER, 255))
    draw = ImageDraw.Draw(paper)
    crease = int(rng.integers(paper.height // 3, paper.height // 2))
    draw.rectangle((0, crease, width, paper.height), fill=(*darker(PAPER, 0.965), 255))
    draw.line((0, crease, width, crease), fill=(*darker(PAPER, 0.93), 255), width=6)
    write(draw, (width / 2, pad + 30), text[0], fitting(text[0], 68, width - 2 * pad), bold=True, anchor="mm")
    y = pad + 30 + step
    for line in text[1:]:
        if line.startswith("TOTAL"):
            for x in range(pad, width - pad, 26):
                draw.line((x, y - 22, x + 14, y - 22), fill=INK, width=3)
            y += 24
        _row(draw, line, y, (pad, width - pad), bold=line.startswith("TOTAL"))
        y += step
    for x in range(0, width, 30):
        draw.polygon([(x, paper.height), (x + 15, paper.height - 14), (x + 30, paper.height)], fill=(0, 0, 0, 0))
    return paper


def _row(draw: ImageDraw.ImageDraw, line: str, y: float, sides: tuple[int, int], *, bold: bool = False) -> None:
    """A line in the middle, or a left and a right part."""
    size = 54 if bold else 47
    if " | " not in line:
        write(draw, ((sides[0] + sides[1]) / 2, y), line, fitting(line, 44, sides[1] - sides[0]), anchor="mm")
        return
    left, right = line.split(" | ")
    write(draw, (sides[0], y), left, size, bold=bold, anchor="lm")
    write(draw, (sides[1], y), right, size, bold=bold, anchor="rm")


def _plate(picture: Image.Image, at: tuple[float, float]) -> None:
    plate = Image.new("RGBA", (620, 620))
    draw = ImageDraw.Draw(plate)
    draw.ellipse((0, 0, 619, 619), fill=(240, 240, 238, 255))
    draw.ellipse((90, 90, 530, 530), fill=(228, 229, 230, 255), outline=(214, 214, 216, 255), width=6)
    lay(picture, plate, at, lift=16)


def ticket(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """An admission ticket with a torn-off edge."""
    tint: Color = _pick(((150, 40, 52), (32, 82, 118), (96, 62, 128), (30, 104, 84)), rng)
    background = wood(LANDSCAPE, rng, _pick(_WOODS, rng))
    card = Image.new("RGBA", (1240, 640), (*lighter(tint, 0.86), 255))
    draw = ImageDraw.Draw(card)
    draw.rectangle((0, 0, 1240, 150), fill=(*tint, 255))
    write(draw, (70, 75), memory.text[0], 78, fill=WHITE, bold=True, anchor="lm")
    write(draw, (70, 230), memory.text[1], 72, fill=darker(tint, 0.8), bold=True, anchor="lm")
    for number, line in enumerate(memory.text[2:]):
        for x, piece in zip((70, 720), line.split(" | "), strict=False):
            write(draw, (x, 350 + 92 * number), piece, 52, anchor="lm")
    for y in range(20, 640, 44):
        draw.ellipse((1166, y, 1184, y + 18), fill=(*lighter(tint, 0.5), 255))
    for y in range(0, 660, 60):
        draw.ellipse((1222, y - 16, 1258, y + 16), fill=(0, 0, 0, 0))
        draw.ellipse((-18, y - 16, 18, y + 16), fill=(0, 0, 0, 0))
    lay(background, card, (0.5, 0.51), rng.uniform(-4, 4))
    return glow(background, (1200, 100), 1200, (255, 240, 210), 0.18)


def business_card(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A small printed card, name first."""
    tint: Color = _pick(((20, 96, 110), (170, 84, 40), (60, 72, 140)), rng)
    background = wood(LANDSCAPE, rng, _pick(_WOODS, rng))
    card = Image.new("RGBA", (1120, 660), (*PAPER, 255))
    draw = ImageDraw.Draw(card)
    draw.rectangle((0, 0, 44, 660), fill=(*tint, 255))
    draw.ellipse((930, 70, 1050, 190), fill=(*lighter(tint, 0.3), 255))
    draw.ellipse((966, 106, 1050, 190), fill=(*PAPER, 255))
    write(draw, (110, 150), memory.text[0], fitting(memory.text[0], 88, 780), fill=tint, bold=True, anchor="lm")
    for number, line in enumerate(memory.text[1:]):
        write(draw, (110, 330 + 100 * number), line, fitting(line, 58, 940), anchor="lm")
    lay(background, card, (0.5, 0.5), rng.uniform(-4, 4), lift=8)
    return glow(background, (300, 200), 1000, (255, 244, 220), 0.2)


def badge(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A conference badge on its lanyard, lying on a table."""
    event, name, home, role, place = memory.text
    tint: Color = (96, 64, 140)
    background = wood(PORTRAIT, rng, _WOODS[1])
    draw = ImageDraw.Draw(background)
    draw.line((380, -20, 585, 430), fill=tint, width=54)
    draw.line((900, -20, 615, 430), fill=darker(tint, 0.85), width=54)
    card = Image.new("RGBA", (860, 1060))
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle((0, 0, 859, 1059), 36, fill=(*WHITE, 255))
    draw.rounded_rectangle((0, 0, 859, 330), 36, fill=(*tint, 255))
    draw.rectangle((0, 280, 859, 330), fill=(*tint, 255))
    draw.rounded_rectangle((350, 34, 510, 66), 16, fill=(*darker(tint, 0.5), 255))
    write(draw, (430, 200), event, 92, fill=WHITE, bold=True, anchor="mm")
    write(draw, (430, 470), name, 96, bold=True, anchor="mm")
    write(draw, (430, 590), home, 56, fill=(90, 92, 104), anchor="mm")
    draw.rounded_rectangle((190, 690, 670, 810), 30, fill=(*lighter(tint, 0.82), 255))
    write(draw, (430, 750), role, 64, fill=tint, bold=True, anchor="mm")
    write(draw, (430, 930), place, 54, anchor="mm")
    lay(background, card, (0.5, 0.57), rng.uniform(-3, 3))
    clip = ImageDraw.Draw(background)
    clip.rounded_rectangle((565, 360, 640, 480), 14, fill=(176, 178, 184), outline=(120, 122, 130), width=5)
    return glow(background, (900, 200), 1000, (255, 250, 235), 0.18)


def menu(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """The menu of an inn: house, dishes with prices."""
    house, title, *dishes, note = memory.text
    background = wood(PORTRAIT, rng, _WOODS[2])
    card = Image.new("RGBA", (960, 1300), (244, 234, 210, 255))
    draw = ImageDraw.Draw(card)
    gold: Color = (140, 92, 40)
    draw.rectangle((30, 30, 929, 1269), outline=(*gold, 255), width=6)
    draw.rectangle((46, 46, 913, 1253), outline=(*gold, 255), width=2)
    write(draw, (480, 150), house, 82, fill=gold, bold=True, anchor="mm")
    write(draw, (480, 270), title, 66, anchor="mm")
    draw.line((300, 330, 660, 330), fill=(*gold, 255), width=4)
    for number, dish in enumerate(dishes):
        _row(draw, dish, 430 + 128 * number, (110, 850))
    write(draw, (480, 1180), note, 44, fill=gold, anchor="mm")
    lay(background, card, (0.5, 0.51), rng.uniform(-2.5, 2.5))
    _plate(background, (1.02, 0.93))
    return glow(background, (200, 150), 1100, (255, 214, 150), 0.3)


def medicine(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A box of tablets, and a few of them."""
    name, strength, use, dose, count = memory.text
    tint: Color = (32, 132, 160)
    background = wood(LANDSCAPE, rng, (196, 178, 156))
    box = Image.new("RGBA", (1180, 720), (*WHITE, 255))
    draw = ImageDraw.Draw(box)
    box.paste(gradient((1180, 120), lighter(tint, 0.4), tint).convert("RGBA"), (0, 600))
    draw.polygon([(1180, 0), (1180, 420), (860, 0)], fill=(*lighter(tint, 0.55), 255))
    draw.polygon([(1180, 0), (1180, 260), (985, 0)], fill=(*tint, 255))
    write(draw, (70, 120), name, 116, fill=tint, bold=True, anchor="lm")
    write(draw, (70, 260), strength, 72, bold=True, anchor="lm")
    write(draw, (70, 390), use, 60, anchor="lm")
    write(draw, (70, 500), dose, 60, anchor="lm")
    write(draw, (70, 660), count, 56, fill=WHITE, bold=True, anchor="lm")
    lay(background, box, (0.47, 0.45), rng.uniform(-3, 3), lift=24)
    pill = Image.new("RGBA", (110, 110))
    round_pill = ImageDraw.Draw(pill)
    round_pill.ellipse((0, 0, 109, 109), fill=(246, 246, 242, 255), outline=(214, 214, 208, 255), width=4)
    round_pill.line((18, 55, 92, 55), fill=(214, 214, 208, 255), width=5)
    for at in ((0.9, 0.86), (0.81, 0.92), (0.93, 0.7)):
        lay(background, pill, at, rng.uniform(0, 180), lift=6)
    return background


def _pick(choices: tuple[Color, ...], rng: np.random.Generator) -> Color:
    return choices[int(rng.integers(len(choices)))]
