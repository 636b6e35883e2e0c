"""How the indoor scenes of the sample album are drawn: climbing wall, cat, airport, coffee, party and cake."""

import numpy as np
from PIL import Image, ImageDraw

from resources.sample_album.canvas import (
    LANDSCAPE,
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
    wall,
    wood,
    write,
)
from resources.sample_album.recipe import AlbumMemory

_BRIGHT: tuple[Color, ...] = (
    (232, 72, 66),
    (250, 190, 50),
    (52, 150, 210),
    (80, 180, 110),
    (170, 96, 190),
    (240, 130, 60),
)


def climbing_wall(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """Slanted panels with holds, and a sign of two lines."""
    picture = gradient(PORTRAIT, (206, 200, 190), (178, 172, 164))
    draw = ImageDraw.Draw(picture)
    panels = (
        ([(0, 430), (520, 500), (420, 1400), (0, 1460)], (226, 220, 208)),
        ([(520, 500), (1200, 420), (1200, 1440), (420, 1400)], (206, 204, 200)),
        ([(520, 500), (860, 460), (700, 1000)], (96, 128, 150)),
        ([(0, 430), (300, 470), (0, 980)], (224, 130, 84)),
    )
    for outline, tone in panels:
        draw.polygon(outline, fill=tone)
    for x in range(60, 1200, 110):
        for y in range(520, 1420, 110):
            draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=(120, 116, 112))
    for _ in range(46):
        _hold(picture, (rng.uniform(40, 1160), rng.uniform(540, 1370)), rng)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 1400, 1200, 1600), fill=(54, 78, 112))
    draw.line((0, 1408, 1200, 1408), fill=(90, 120, 160), width=12)
    _climber(draw, (690, 900))
    sign = Image.new("RGBA", (1020, 320), (38, 40, 48, 255))
    sheet = ImageDraw.Draw(sign)
    sheet.rectangle((0, 290, 1020, 320), fill=(224, 88, 52, 255))
    write(sheet, (510, 105), memory.text[0], 116, fill=WHITE, bold=True, anchor="mm")
    write(
        sheet,
        (510, 225),
        memory.text[1],
        fitting(memory.text[1], 74, 940),
        fill=(250, 206, 170),
        bold=True,
        anchor="mm",
    )
    lay(picture, sign, (0.5, 0.14), rng.uniform(-1, 1), lift=18)
    return glow(picture, (900, 420), 800, (255, 250, 230), 0.3)


def _hold(picture: Image.Image, at: tuple[float, float], rng: np.random.Generator) -> None:
    x, y = at
    tone = _BRIGHT[int(rng.integers(len(_BRIGHT)))]
    turns = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    reach = rng.uniform(16, 44) * rng.uniform(0.7, 1.2, 14)
    draw = ImageDraw.Draw(picture)
    for shift, color in ((9, (120, 112, 104)), (0, tone)):
        draw.polygon(
            [
                (x + shift + far * np.cos(turn), y + shift + far * np.sin(turn))
                for turn, far in zip(turns, reach, strict=True)
            ],
            fill=color,
        )
    draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill=darker(tone, 0.6))


def _climber(draw: ImageDraw.ImageDraw, at: tuple[int, int]) -> None:
    """Somebody on the wall, seen from behind."""
    x, y = at
    skin, shirt, trousers = (214, 164, 130), (52, 150, 190), (60, 62, 84)
    for hand_x, hand_y in ((-120, -190), (110, -150)):
        draw.line(
            (x, y - 50, x + hand_x * 0.7, y + hand_y * 0.5, x + hand_x, y + hand_y), fill=skin, width=30, joint="curve"
        )
    for foot_x, foot_y in ((-110, 240), (90, 290)):
        draw.line(
            (x, y + 90, x + foot_x, y + foot_y * 0.5, x + foot_x * 0.7, y + foot_y),
            fill=trousers,
            width=46,
            joint="curve",
        )
        draw.ellipse(
            (x + foot_x * 0.7 - 30, y + foot_y - 14, x + foot_x * 0.7 + 30, y + foot_y + 22), fill=(226, 84, 62)
        )
    draw.rounded_rectangle((x - 58, y - 80, x + 58, y + 120), 40, fill=shirt)
    draw.ellipse((x - 44, y - 176, x + 44, y - 76), fill=(112, 70, 44))
    draw.ellipse((x - 14, y - 120, x + 16, y - 20), fill=(112, 70, 44))


def cat(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A ginger cat on a sofa with a large name tag."""
    picture = wall(LANDSCAPE, rng, (150, 176, 168))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((80, 560, 1520, 1300), 90, fill=(72, 96, 130))
    draw.rounded_rectangle((120, 820, 1480, 1300), 70, fill=(86, 112, 150))
    draw.rounded_rectangle((1060, 600, 1420, 930), 60, fill=(236, 190, 96))
    ginger, pale, dark = (232, 148, 72), (252, 226, 190), (196, 108, 44)
    draw.arc((930, 640, 1250, 1080), 290, 120, fill=ginger, width=70)
    draw.ellipse((430, 560, 1090, 1180), fill=ginger)
    draw.ellipse((560, 720, 900, 1180), fill=pale)
    for paw in (560, 780):
        draw.ellipse((paw, 1080, paw + 170, 1190), fill=pale)
    for ear, tip in (((520, 420, 640, 300), (510, 190)), ((820, 300, 940, 420), (950, 190))):
        draw.polygon([ear[:2], tip, ear[2:]], fill=ginger)
        draw.polygon(
            [
                ((ear[0] + tip[0]) / 2, (ear[1] + tip[1]) / 2 + 30),
                (tip[0], tip[1] + 44),
                ((ear[2] + tip[0]) / 2, (ear[3] + tip[1]) / 2 + 30),
            ],
            fill=(240, 180, 170),
        )
    draw.ellipse((490, 270, 970, 690), fill=ginger)
    for x in (670, 730, 790):
        draw.polygon([(x - 14, 286), (x + 14, 286), (x, 380)], fill=dark)
    for y in (780, 860, 940):
        draw.line((440, y, 540, y + 20), fill=dark, width=22)
        draw.line((1080, y, 970, y + 20), fill=dark, width=22)
    draw.ellipse((610, 510, 850, 680), fill=pale)
    for x in (610, 850):
        draw.ellipse((x - 48, 420, x + 48, 520), fill=(170, 196, 90))
        draw.ellipse((x - 16, 424, x + 16, 516), fill=(28, 28, 30))
        draw.ellipse((x + 2, 436, x + 18, 452), fill=WHITE)
    draw.polygon([(706, 548), (754, 548), (730, 578)], fill=(214, 112, 110))
    draw.arc((672, 560, 730, 620), 10, 150, fill=(90, 60, 50), width=6)
    draw.arc((730, 560, 788, 620), 30, 170, fill=(90, 60, 50), width=6)
    for dy in (-14, 14, 42):
        draw.line((640, 590, 440, 570 + dy), fill=(250, 246, 236), width=4)
        draw.line((820, 590, 1020, 570 + dy), fill=(250, 246, 236), width=4)
    draw.arc((520, 420, 940, 740), 40, 140, fill=(60, 130, 190), width=36)
    draw.ellipse((590, 730, 870, 1010), fill=(226, 190, 90), outline=(150, 116, 40), width=10)
    write(draw, (730, 872), memory.text[0], 96, fill=(60, 44, 16), bold=True, anchor="mm")
    return glow(picture, (300, 100), 900, (255, 240, 210), 0.35)


def airport(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """Dawn through a window of the gate, the departures board above it."""
    title, departure = memory.text
    picture = gradient(LANDSCAPE, (60, 74, 122), (222, 140, 120), (252, 206, 150), (120, 116, 124))
    picture = glow(picture, (1180, 700), 520, (255, 220, 150), 0.8)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 880, 1600, 1200), fill=(96, 98, 108))
    draw.polygon([(600, 1200), (760, 880), (800, 880), (860, 1200)], fill=(116, 118, 126))
    hull: Color = (238, 240, 246)
    draw.rounded_rectangle((330, 690, 1270, 850), 80, fill=hull)
    draw.polygon([(330, 770), (260, 480), (350, 480), (480, 710)], fill=(196, 60, 70))
    draw.polygon([(700, 800), (560, 960), (640, 960), (920, 800)], fill=(196, 202, 214))
    draw.rounded_rectangle((690, 850, 850, 920), 34, fill=(160, 168, 182))
    for x in range(440, 1120, 52):
        draw.rounded_rectangle((x, 738, x + 26, 772), 10, fill=(70, 90, 130))
    draw.polygon([(1170, 720), (1230, 730), (1250, 764), (1170, 760)], fill=(50, 66, 100))
    for x in (560, 1100):
        draw.ellipse((x - 30, 850, x + 30, 910), fill=(40, 42, 50))
    for x in (0, 520, 1060, 1580):
        draw.rectangle((x, 0, x + 26, 1200), fill=(38, 42, 54))
    draw.rectangle((0, 1080, 1600, 1200), fill=(38, 42, 54))
    board = Image.new("RGBA", (1360, 330), (18, 20, 28, 255))
    sheet = ImageDraw.Draw(board)
    write(sheet, (60, 90), title, 84, fill=(255, 206, 80), bold=True, anchor="lm")
    left, right = departure.split(" | ")
    write(sheet, (60, 230), left, 72, fill=WHITE, anchor="lm")
    write(sheet, (1300, 230), right, 72, fill=WHITE, anchor="rm")
    lay(picture, board, (0.5, 0.17), 0, lift=18)
    return picture


def coffee(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A cup from above, and cake."""
    picture = wood(LANDSCAPE, rng, (224, 214, 204))
    _disc(picture, (0.3, 0.52), 560, ((250, 250, 248), (236, 236, 234)))
    _disc(picture, (0.3, 0.52), 380, (WHITE, (120, 74, 44)))
    draw = ImageDraw.Draw(picture)
    for turn in np.linspace(0, 2 * np.pi, 5, endpoint=False):
        x, y = 480 + 60 * np.cos(turn), 624 + 60 * np.sin(turn)
        draw.ellipse((x - 46, y - 46, x + 46, y + 46), fill=(232, 206, 170))
    draw.ellipse((440, 584, 520, 664), fill=(206, 166, 120))
    _disc(picture, (0.71, 0.52), 720, ((248, 248, 250), (232, 232, 238)))
    draw = ImageDraw.Draw(picture)
    draw.polygon([(900, 640), (1330, 480), (1360, 720)], fill=(84, 46, 32))
    draw.polygon([(900, 640), (1360, 720), (1360, 790), (905, 700)], fill=(60, 32, 24))
    draw.line((903, 668, 1360, 752), fill=(214, 120, 60), width=10)
    draw.ellipse((1160, 560, 1260, 640), fill=(250, 246, 238))
    draw.ellipse((1186, 546, 1240, 596), fill=(250, 246, 238))
    draw.line((1000, 940, 1460, 860), fill=(170, 172, 180), width=18)
    return glow(picture, (250, 100), 1000, (255, 240, 214), 0.35)


def _disc(picture: Image.Image, at: tuple[float, float], size: int, tones: tuple[Color, Color]) -> None:
    disc = Image.new("RGBA", (size, size))
    draw = ImageDraw.Draw(disc)
    draw.ellipse((0, 0, size - 1, size - 1), fill=(*tones[0], 255))
    edge = size // 9
    draw.ellipse((edge, edge, size - edge, size - edge), fill=(*tones[1], 255))
    lay(picture, disc, at, lift=18)


def party(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """Bunting with one letter a flag, balloons, guests."""
    picture = wall(LANDSCAPE, rng, (206, 170, 160))
    draw = ImageDraw.Draw(picture)
    for _ in range(11):
        x, y, size = rng.uniform(60, 1540), rng.uniform(480, 720), rng.uniform(56, 84)
        tone = _BRIGHT[int(rng.integers(len(_BRIGHT)))]
        draw.line((x, y + size, x + rng.uniform(-30, 30), 1100), fill=(120, 110, 106), width=3)
        draw.ellipse((x - size, y - size * 1.2, x + size, y + size * 1.2), fill=tone)
        draw.ellipse((x - size * 0.55, y - size * 0.8, x - size * 0.15, y - size * 0.3), fill=lighter(tone, 0.55))
    _guests(draw, rng)
    draw.rectangle((0, 1040, 1600, 1200), fill=(250, 246, 238))
    for x in range(120, 1600, 190):
        draw.polygon([(x, 980), (x + 80, 980), (x + 66, 1090), (x + 14, 1090)], fill=_BRIGHT[(x // 190) % 6])
    strip = Image.new("RGBA", (1480, 240))
    sheet = ImageDraw.Draw(strip)
    sheet.rounded_rectangle((0, 20, 1479, 220), 20, fill=(252, 236, 190, 255), outline=(206, 80, 96, 255), width=10)
    write(sheet, (740, 120), memory.text[0], 128, fill=(190, 50, 80), bold=True, anchor="mm")
    lay(picture, strip, (0.5, 0.19), rng.uniform(-1.5, 1.5), lift=14)
    draw = ImageDraw.Draw(picture)
    for x, y in rng.uniform((0, 380), (1600, 1040), (160, 2)):
        draw.rectangle((x, y, x + 12, y + 8), fill=_BRIGHT[int(rng.integers(len(_BRIGHT)))])
    return glow(picture, (800, 300), 900, (255, 226, 170), 0.35)


def _guests(draw: ImageDraw.ImageDraw, rng: np.random.Generator) -> None:
    hairs: tuple[Color, ...] = ((70, 46, 34), (30, 28, 32), (196, 140, 70), (140, 70, 40))
    skins: tuple[Color, ...] = ((240, 200, 170), (206, 154, 116), (140, 96, 70), (250, 214, 190))
    for number, x in enumerate((260, 560, 900, 1220, 1450)):
        y, tone = 800 + rng.uniform(-30, 30), _BRIGHT[(number * 2 + 1) % 6]
        draw.rounded_rectangle((x - 120, y + 90, x + 120, 1240), 80, fill=darker(tone, 0.85))
        draw.ellipse((x - 92, y - 110, x + 92, y + 90), fill=hairs[number % 4])
        draw.ellipse((x - 74, y - 76, x + 74, y + 96), fill=skins[number % 4])
        draw.ellipse((x - 36, y - 14, x - 20, y + 4), fill=(40, 36, 40))
        draw.ellipse((x + 20, y - 14, x + 36, y + 4), fill=(40, 36, 40))
        draw.arc((x - 38, y + 4, x + 38, y + 64), 20, 160, fill=(150, 60, 60), width=8)


def cake(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A chocolate cake with candles and writing on a plaque of icing."""
    picture = gradient(LANDSCAPE, (64, 38, 52), (104, 62, 66))
    for x, y in rng.uniform((0, 0), (1600, 500), (9, 2)):
        picture = glow(picture, (x, y), 90, (255, 196, 120), 0.5)
    picture.paste(cloth((1600, 330), (206, 96, 110)), (0, 870))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((190, 930, 1410, 1130), fill=(244, 244, 246))
    draw.rounded_rectangle((300, 520, 1300, 1040), 60, fill=(92, 54, 38))
    draw.ellipse((300, 440, 1300, 620), fill=(116, 70, 48))
    for x in range(300, 1300, 84):
        drop = rng.uniform(40, 110)
        draw.rounded_rectangle((x, 530, x + 84, 570 + drop), 40, fill=(250, 226, 226))
    draw.ellipse((300, 440, 1300, 620), fill=(252, 236, 234))
    draw.rounded_rectangle((390, 680, 1210, 990), 40, fill=(255, 250, 240), outline=(214, 120, 130), width=8)
    write(draw, (800, 770), memory.text[0], 104, fill=(160, 40, 70), bold=True, anchor="mm")
    write(draw, (800, 905), memory.text[1], 110, fill=(160, 40, 70), bold=True, anchor="mm")
    for number, x in enumerate(np.linspace(430, 1170, 8)):
        y = 500 + 22 * np.sin(number * 2.1)
        draw.rectangle((x - 11, y - 170, x + 11, y + 20), fill=_BRIGHT[number % 6])
        for stripe in range(3):
            draw.line((x - 11, y - 120 + 50 * stripe, x + 11, y - 140 + 50 * stripe), fill=WHITE, width=8)
        draw.ellipse((x - 16, y - 236, x + 16, y - 166), fill=(255, 190, 80))
        draw.ellipse((x - 8, y - 210, x + 8, y - 170), fill=(255, 246, 200))
    return glow(picture, (800, 300), 700, (255, 206, 130), 0.55)
