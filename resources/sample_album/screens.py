"""How the screenshots of the sample album are drawn: app screens with large, plain text."""

import numpy as np
from PIL import Image, ImageDraw

from resources.sample_album.canvas import SCREEN, WHITE, Color, darker, fitting, font, gradient, lighter, wrapped, write
from resources.sample_album.recipe import AlbumMemory

_BODY: Color = (52, 54, 64)
_QUIET: Color = (122, 126, 140)


def checkin(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """The check-in page of a climbing hall: a big tick on the brand's colour."""
    hall, state, day, hour, name, visit = memory.text
    brand: Color = (224, 88, 52)
    screen = Image.new("RGB", SCREEN, (250, 247, 244))
    screen.paste(gradient((900, 760), lighter(brand, 0.12), darker(brand, 0.88)))
    draw = ImageDraw.Draw(screen)
    for _ in range(26):
        x, y, size = rng.uniform(0, 900), rng.uniform(110, 740), rng.uniform(14, 46)
        draw.ellipse((x - size, y - size * 0.7, x + size, y + size * 0.7), fill=darker(brand, rng.uniform(0.84, 0.97)))
    _status_bar(draw, memory, WHITE)
    write(draw, (450, 190), hall, 64, fill=WHITE, bold=True, anchor="mm")
    draw.ellipse((300, 300, 600, 600), fill=WHITE)
    draw.line((368, 455, 428, 518, 540, 385), fill=(46, 160, 92), width=34, joint="curve")
    write(draw, (450, 680), state, 70, fill=WHITE, bold=True, anchor="mm")
    draw.rounded_rectangle((60, 820, 840, 1330), 40, fill=WHITE, outline=(232, 226, 220), width=3)
    write(draw, (450, 930), day, fitting(day, 58, 700), fill=_BODY, bold=True, anchor="mm")
    write(draw, (450, 1035), hour, 72, fill=brand, bold=True, anchor="mm")
    draw.line((130, 1110, 770, 1110), fill=(232, 226, 220), width=3)
    write(draw, (450, 1180), name, 54, fill=_BODY, anchor="mm")
    write(draw, (450, 1262), visit, 48, fill=_QUIET, anchor="mm")
    draw.rounded_rectangle((150, 1460, 750, 1580), 60, fill=brand)
    write(draw, (450, 1520), "Book a course", 48, fill=WHITE, anchor="mm")
    _home_bar(draw, _QUIET)
    return screen


def chat(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A conversation; the first line of text is the contact, the others are `name | message`."""
    tint: Color = [(74, 111, 165), (78, 140, 110), (140, 96, 150)][int(rng.integers(3))]
    screen = gradient(SCREEN, lighter(tint, 0.88), lighter(tint, 0.78))
    draw = ImageDraw.Draw(screen)
    draw.rectangle((0, 0, 900, 250), fill=tint)
    _status_bar(draw, memory, WHITE)
    draw.ellipse((50, 120, 150, 220), fill=lighter(tint, 0.55))
    contact = memory.text[0]
    write(draw, (100, 170), contact[0], 56, fill=tint, bold=True, anchor="mm")
    write(draw, (190, 170), contact, 60, fill=WHITE, bold=True, anchor="lm")
    top = 300
    for line in memory.text[1:]:
        name, message = line.split(" | ", 1)
        top = _bubble(draw, top, name, message, tint) + 34
    draw.rounded_rectangle((40, 1640, 860, 1740), 50, fill=WHITE)
    draw.ellipse((765, 1650, 845, 1730), fill=tint)
    draw.polygon([(790, 1668), (830, 1690), (790, 1712)], fill=WHITE)
    _home_bar(draw, darker(tint, 0.7))
    return screen


def _bubble(draw: ImageDraw.ImageDraw, top: int, name: str, message: str, tint: Color) -> int:
    """One message, the owner's on the right; returns where it ends."""
    is_own = name == "Mara"
    lines = wrapped(message, 46, 590)
    width = int(max(font(46).getlength(line) for line in lines)) + 80
    width = max(width, 240)
    left = 860 - width if is_own else 40
    bottom = top + 104 + 60 * len(lines)
    draw.rounded_rectangle((left, top, left + width, bottom), 36, fill=lighter(tint, 0.62) if is_own else WHITE)
    write(draw, (left + 38, top + 24), name, 38, fill=darker(tint, 0.85), bold=True)
    for number, line in enumerate(lines):
        write(draw, (left + 38, top + 76 + 60 * number), line, 46, fill=_BODY)
    return bottom


def boarding_pass(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A boarding pass in a wallet app: airports large, then pairs of labels and values, then a code."""
    return _pass(memory, rng, (24, 74, 124), airports=True)


def train_ticket(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A train ticket in a wallet app."""
    return _pass(memory, rng, (26, 104, 92), airports=False)


def _pass(memory: AlbumMemory, rng: np.random.Generator, tint: Color, *, airports: bool) -> Image.Image:
    title, *rows = memory.text
    screen = gradient(SCREEN, darker(tint, 0.55), darker(tint, 0.35))
    draw = ImageDraw.Draw(screen)
    _status_bar(draw, memory, WHITE)
    draw.rounded_rectangle((50, 140, 850, 1690), 46, fill=WHITE)
    draw.rounded_rectangle((50, 140, 850, 270), 46, fill=tint)
    draw.rectangle((50, 220, 850, 270), fill=tint)
    write(draw, (450, 205), title, 56, fill=WHITE, bold=True, anchor="mm")
    top = 330
    for number in range(2 if airports else 1):
        left, right = rows.pop(0).split(" | ")
        size = 96 if airports and number == 0 else 52
        write(draw, (100, top), left, size, fill=tint, bold=size > 60)
        write(draw, (800, top), right, size, fill=tint, bold=size > 60, anchor="ra")
        top += size + 34
    draw.line((100, top + 10, 800, top + 10), fill=(214, 220, 226), width=3)
    top += 50
    for label_row, value_row in zip(rows[::2], rows[1::2], strict=True):
        labels, values = label_row.split(" | "), value_row.split(" | ")
        for x, label, value in zip((100, 500), labels, values, strict=True):
            write(draw, (x, top), label, 36, fill=_QUIET)
            write(draw, (x, top + 50), value, 48, fill=_BODY, bold=True)
        top += 158
    _square_code(draw, rng, (450, 1390), 380 if airports else 440)
    _home_bar(draw, WHITE)
    return screen


def email(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """An e-mail: subject, the sender's banner in two lines, then the body."""
    subject, sender, day, *body = memory.text
    tint: Color = (96, 64, 140)
    screen = Image.new("RGB", SCREEN, WHITE)
    draw = ImageDraw.Draw(screen)
    _status_bar(draw, memory, _BODY)
    draw.line((60, 150, 100, 110), fill=_BODY, width=8)
    draw.line((60, 150, 100, 190), fill=_BODY, width=8)
    write(draw, (60, 250), subject, fitting(subject, 66, 780), fill=_BODY, bold=True)
    screen.paste(gradient((780, 340), lighter(tint, 0.15), darker(tint, 0.8)), (60, 370))
    for _ in range(14):
        x, y, size = rng.uniform(80, 820), rng.uniform(390, 690), rng.uniform(8, 34)
        draw.ellipse((x - size, y - size, x + size, y + size), outline=lighter(tint, 0.3), width=3)
    write(draw, (450, 500), sender, 84, fill=WHITE, bold=True, anchor="mm")
    write(draw, (450, 605), day, fitting(day, 52, 700), fill=WHITE, anchor="mm")
    top = 790
    for paragraph in body:
        for line in wrapped(paragraph, 48, 780):
            write(draw, (60, top), line, 48, fill=_BODY)
            top += 64
        top += 28
    draw.rounded_rectangle((60, 1480, 840, 1600), 24, fill=tint)
    write(draw, (450, 1540), "Add to calendar", 48, fill=WHITE, anchor="mm")
    _home_bar(draw, _QUIET)
    return screen


def _status_bar(draw: ImageDraw.ImageDraw, memory: AlbumMemory, color: Color) -> None:
    write(draw, (60, 38), f"{memory.taken_at:%H:%M}", 40, fill=color)
    draw.rounded_rectangle((770, 44, 836, 76), 8, outline=color, width=4)
    draw.rectangle((778, 52, 816, 68), fill=color)
    for step in range(4):
        draw.rectangle((680 + 18 * step, 72 - 9 * step, 692 + 18 * step, 76), fill=color)


def _home_bar(draw: ImageDraw.ImageDraw, color: Color) -> None:
    draw.rounded_rectangle((310, 1762, 590, 1774), 6, fill=color)


def _square_code(draw: ImageDraw.ImageDraw, rng: np.random.Generator, center: tuple[int, int], side: int) -> None:
    """Squares that look like a code to scan, and say nothing."""
    cells = rng.integers(0, 2, (21, 21))
    step = side // 21
    left, top = center[0] - step * 21 // 2, center[1] - step * 21 // 2
    for row, column in np.argwhere(cells):
        x, y = left + int(column) * step, top + int(row) * step
        draw.rectangle((x, y, x + step - 1, y + step - 1), fill=_BODY)
    for row, column in ((0, 0), (0, 14), (14, 0)):
        x, y = left + column * step, top + row * step
        draw.rectangle((x - step, y - step, x + 8 * step, y + 8 * step), fill=WHITE)
        draw.rectangle((x, y, x + 7 * step, y + 7 * step), fill=_BODY)
        draw.rectangle((x + step, y + step, x + 6 * step, y + 6 * step), fill=WHITE)
        draw.rectangle((x + 2 * step, y + 2 * step, x + 5 * step, y + 5 * step), fill=_BODY)
