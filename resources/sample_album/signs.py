"""How the signs and boards of the sample album are drawn: what hangs, stands or is projected somewhere, to be read."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from resources.sample_album.canvas import (
    INK,
    LANDSCAPE,
    PAPER,
    PORTRAIT,
    WHITE,
    Color,
    darker,
    fitting,
    font,
    glow,
    gradient,
    lay,
    lighter,
    wall,
    wood,
    wrapped,
    write,
)
from resources.sample_album.recipe import AlbumMemory

_FORUM: Color = (96, 64, 140)


def wifi_sign(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A stand on a desk with the network and its password."""
    event, network, password = memory.text
    background = wall(LANDSCAPE, rng, (146, 164, 178))
    background.paste(wood((1600, 300), rng, (188, 150, 108)), (0, 900))
    card = Image.new("RGBA", (1180, 820))
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle((0, 0, 1179, 819), 30, fill=(*WHITE, 255), outline=(*_FORUM, 255), width=14)
    write(draw, (590, 120), event, 88, fill=_FORUM, bold=True, anchor="mm")
    for radius in (190, 130, 70):
        draw.arc((590 - radius, 400 - radius, 590 + radius, 400 + radius), 225, 315, fill=(*_FORUM, 255), width=34)
    draw.ellipse((566, 366, 614, 414), fill=(*_FORUM, 255))
    write(draw, (590, 530), network, 78, anchor="mm", bold=True)
    write(draw, (590, 670), password, 78, anchor="mm", bold=True)
    lay(background, card, (0.5, 0.45), rng.uniform(-1.5, 1.5), lift=22)
    ImageDraw.Draw(background).polygon([(420, 950), (1180, 950), (1240, 1010), (360, 1010)], fill=(88, 74, 66))
    return background


def banner(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A cloth banner between palms in evening light."""
    title, event, place = memory.text
    picture = gradient(LANDSCAPE, (38, 44, 78), (96, 74, 96), (62, 48, 52))
    draw = ImageDraw.Draw(picture)
    for x in range(-60, 1700, 200):
        draw.arc((x, -300, x + 400, 620), 180, 360, fill=(120, 128, 150), width=6)
        draw.line((x, 160, x, 1200), fill=(86, 88, 112), width=6)
    for x in (130, 1470):
        _palm(draw, x, 1160, rng)
    _lights(picture, rng)
    cloth = Image.new("RGBA", (1120, 560))
    sheet = ImageDraw.Draw(cloth)
    sheet.rounded_rectangle((0, 0, 1119, 559), 12, fill=(250, 240, 222, 255))
    sheet.rectangle((0, 0, 1119, 26), fill=(*_FORUM, 255))
    sheet.rectangle((0, 534, 1119, 559), fill=(*_FORUM, 255))
    write(sheet, (560, 160), title, 112, fill=_FORUM, bold=True, anchor="mm")
    write(sheet, (560, 310), event, 78, bold=True, anchor="mm")
    write(sheet, (560, 430), place, 60, anchor="mm")
    lay(picture, cloth, (0.5, 0.46), rng.uniform(-2, 2), lift=26)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 1060, 1600, 1200), fill=(52, 38, 44))
    for x in range(180, 1500, 210):
        _glass(draw, x, 1070)
    return picture


def _palm(draw: ImageDraw.ImageDraw, x: int, base: int, rng: np.random.Generator) -> None:
    draw.line((x, base, x + 10, base - 620), fill=(94, 70, 54), width=34)
    for turn in np.linspace(-2.9, -0.25, 11) + rng.uniform(-0.08, 0.08, 11):
        end_x, end_y = x + 10 + 330 * np.cos(turn), base - 620 + 260 * np.sin(turn) + 150
        draw.line((x + 10, base - 620, (x + end_x) / 2, base - 700, end_x, end_y), fill=(48, 110, 78), width=20)


def _lights(picture: Image.Image, rng: np.random.Generator) -> None:
    """A string of warm lamps, blurred."""
    lamps = Image.new("RGB", picture.size)
    draw = ImageDraw.Draw(lamps)
    for step in range(24):
        x = step * picture.width / 23
        y = 90 + 60 * np.sin(step * 0.9) + rng.uniform(-10, 10)
        draw.ellipse((x - 12, y - 12, x + 12, y + 12), fill=(255, 214, 140))
    halo = lamps.filter(ImageFilter.GaussianBlur(9))
    picture.paste(
        Image.new("RGB", picture.size, (255, 220, 150)), mask=halo.convert("L").point(lambda value: min(255, value * 2))
    )


def _glass(draw: ImageDraw.ImageDraw, x: int, base: int) -> None:
    draw.polygon(
        [(x - 24, base - 120), (x + 24, base - 120), (x + 10, base - 40), (x - 10, base - 40)], fill=(214, 190, 120)
    )
    draw.line((x, base - 40, x, base), fill=(190, 190, 200), width=5)
    draw.line((x - 24, base, x + 24, base), fill=(190, 190, 200), width=6)


def flyer(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A loud flyer pinned to a brick wall."""
    title, event, when, place, note = memory.text
    picture = _bricks(PORTRAIT, rng, (118, 62, 52))
    card = gradient((920, 1280), (46, 22, 84), (126, 28, 110), (232, 92, 84)).convert("RGBA")
    draw = ImageDraw.Draw(card)
    for turn in np.linspace(0, 2 * np.pi, 18, endpoint=False):
        ends = [(460 + 1200 * np.cos(turn + side), 560 + 1200 * np.sin(turn + side)) for side in (-0.05, 0.05)]
        draw.polygon([(460, 560), *ends], fill=(*lighter((126, 28, 110), 0.16), 255))
    _microphone(draw, (460, 560))
    write(draw, (460, 150), title, fitting(title, 108, 820), fill=(255, 226, 110), bold=True, anchor="mm")
    write(draw, (460, 280), event, 76, fill=WHITE, bold=True, anchor="mm")
    for number, line in enumerate((when, place, note)):
        write(draw, (460, 920 + 110 * number), line, fitting(line, 66, 820), fill=WHITE, bold=True, anchor="mm")
    lay(picture, card, (0.5, 0.5), rng.uniform(-3, 3), lift=12)
    return glow(picture, (600, 0), 1100, (255, 210, 150), 0.3)


def _microphone(draw: ImageDraw.ImageDraw, at: tuple[int, int]) -> None:
    x, y = at
    draw.polygon([(x - 46, y + 40), (x + 46, y + 40), (x + 24, y + 280), (x - 24, y + 280)], fill=(40, 36, 52, 255))
    draw.ellipse((x - 92, y - 120, x + 92, y + 64), fill=(206, 208, 218, 255))
    for step in range(-60, 80, 36):
        draw.line((x - 84, y - 28 + step, x + 84, y - 28 + step), fill=(150, 152, 164, 255), width=6)
        draw.line((x + step, y - 108, x + step, y + 52), fill=(150, 152, 164, 255), width=6)
    draw.rectangle((x - 70, y + 36, x + 70, y + 66), fill=(80, 76, 96, 255))


def _bricks(size: tuple[int, int], rng: np.random.Generator, tone: Color) -> Image.Image:
    picture = Image.new("RGB", size, lighter(darker(tone, 0.6), 0.18))
    draw = ImageDraw.Draw(picture)
    for row, top in enumerate(range(0, size[1], 72)):
        for left in range(-100 * (row % 2), size[0], 200):
            draw.rectangle((left + 5, top + 5, left + 194, top + 66), fill=darker(tone, rng.uniform(0.8, 1.08)))
    return picture


def programme(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A programme on a stand: times left, what happens right."""
    title, *rows = memory.text
    picture = wall(PORTRAIT, rng, (196, 188, 176))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 1400, 1200, 1600), fill=(128, 108, 96))
    draw.line((300, 1300, 220, 1590), fill=(70, 66, 64), width=24)
    draw.line((900, 1300, 980, 1590), fill=(70, 66, 64), width=24)
    board = Image.new("RGBA", (1080, 1260), (*PAPER, 255))
    sheet = ImageDraw.Draw(board)
    sheet.rectangle((0, 0, 1080, 170), fill=(*_FORUM, 255))
    write(sheet, (540, 85), title, fitting(title, 76, 980), fill=WHITE, bold=True, anchor="mm")
    for number, row in enumerate(rows):
        when, what = row.split(" | ")
        y = 255 + 142 * number
        if number % 2 == 0:
            sheet.rectangle((0, y - 66, 1080, y + 66), fill=(*lighter(_FORUM, 0.9), 255))
        write(sheet, (50, y), when, 52, fill=_FORUM, bold=True, anchor="lm")
        write(sheet, (350, y), what, fitting(what, 54, 690), anchor="lm")
    lay(picture, board, (0.5, 0.48), rng.uniform(-1.2, 1.2), lift=20)
    return picture


def poster(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A research poster with a chart, on a pin board."""
    session, title, authors, *sections = memory.text
    picture = wall(PORTRAIT, rng, (140, 150, 146))
    card = Image.new("RGBA", (1040, 1420), (*WHITE, 255))
    draw = ImageDraw.Draw(card)
    card.paste(gradient((1040, 330), (28, 98, 122), (20, 70, 98)).convert("RGBA"))
    write(draw, (520, 70), session, fitting(session, 46, 940), fill=(206, 230, 236), anchor="mm")
    write(draw, (520, 170), title, fitting(title, 78, 940), fill=WHITE, bold=True, anchor="mm")
    write(draw, (520, 270), authors, 50, fill=WHITE, anchor="mm")
    y = 420
    for heading, words in zip(sections[::2], sections[1::2], strict=True):
        write(draw, (70, y), heading, 60, fill=(20, 70, 98), bold=True)
        for line in wrapped(words, 54, 900):
            y += 82
            write(draw, (70, y), line, 54)
        y += 120
    for number, height in enumerate(rng.uniform(120, 330, 6)):
        left = 110 + number * 142
        draw.rectangle(
            (left, 1330 - height, left + 90, 1330), fill=(*((232, 140, 60) if number == 4 else (120, 176, 190)), 255)
        )
    draw.line((80, 1332, 960, 1332), fill=(*INK, 255), width=6)
    lay(picture, card, (0.5, 0.5), rng.uniform(-1.5, 1.5), lift=10)
    draw = ImageDraw.Draw(picture)
    for x in (130, 1070):
        draw.ellipse((x - 16, 108, x + 16, 140), fill=(206, 60, 56))
    return picture


def whiteboard(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A whiteboard: heading, handwritten lines, arrows and notes."""
    title, *points = memory.text
    picture = wall(LANDSCAPE, rng, (176, 180, 186))
    board = gradient((1440, 960), (250, 251, 252), (236, 240, 243)).convert("RGBA")
    draw = ImageDraw.Draw(board)
    draw.rectangle((0, 0, 1439, 959), outline=(150, 154, 160, 255), width=18)
    inks: tuple[Color, ...] = ((28, 76, 160), (26, 120, 72), (176, 44, 48), (40, 40, 46))
    _by_hand(board, (90, 110), title, 92, inks[0], rng)
    draw.line((90, 236, 90 + font(92).getlength(title), 228), fill=(*inks[2], 255), width=8)
    for number, point in enumerate(points):
        _by_hand(board, (120, 310 + 142 * number), point, 72, inks[(number + 1) % 4], rng)
    for number, note in enumerate(((255, 226, 110), (176, 226, 150), (250, 170, 160))):
        left, top = 1130 + 40 * number, 330 + 185 * number
        draw.rectangle((left, top, left + 150, top + 150), fill=(*note, 255))
        for line in range(3):
            draw.line(
                (left + 22, top + 40 + 34 * line, left + 120, top + 38 + 34 * line), fill=(110, 110, 110, 255), width=5
            )
    lay(picture, board, (0.5, 0.47), 0.0, lift=10)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((420, 1048, 1180, 1078), fill=(168, 172, 178))
    for number, ink in enumerate(inks):
        draw.rounded_rectangle((500 + 150 * number, 1022, 610 + 150 * number, 1048), 10, fill=ink)
    return glow(picture, (350, 260), 520, WHITE, 0.4)


def _by_hand(
    board: Image.Image, at: tuple[int, int], words: str, size: int, ink: Color, rng: np.random.Generator
) -> None:
    """Write with a marker: slanted, rising a little, never quite level."""
    strip = Image.new("L", (int(font(size).getlength(words)) + size, int(size * 1.6)))
    ImageDraw.Draw(strip).text((size // 2, size // 5), words, font=font(size), fill=255, stroke_width=2)
    slanted = strip.transform(
        strip.size, Image.Transform.AFFINE, (1, 0.14, -size * 0.1, 0, 1, 0), Image.Resampling.BICUBIC
    )
    turned = slanted.rotate(rng.uniform(-0.2, 1.0), Image.Resampling.BICUBIC, expand=True)
    board.paste((*ink, 255), (at[0] - size // 2, at[1] - size // 5), turned)


def slide(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A projected slide over the heads of a dark hall."""
    kind, title, speaker, event = memory.text
    picture = gradient(LANDSCAPE, (22, 22, 32), (34, 32, 46), (12, 12, 18))
    screen = gradient((1260, 720), (246, 246, 252), (222, 220, 240))
    draw = ImageDraw.Draw(screen)
    draw.rectangle((0, 0, 1260, 24), fill=_FORUM)
    write(draw, (90, 130), kind, 64, fill=_FORUM, bold=True, anchor="lm")
    write(draw, (90, 290), title, 116, bold=True, anchor="lm")
    write(draw, (90, 450), speaker, 72, anchor="lm")
    write(draw, (90, 610), event, 60, fill=_FORUM, anchor="lm")
    for number, x in enumerate((980, 1060, 1140)):
        draw.ellipse((x - 60, 560 - 40 * number, x + 60, 680 - 40 * number), outline=lighter(_FORUM, 0.4), width=8)
    picture = glow(picture, (800, 480), 900, (150, 150, 210), 0.35)
    picture.paste(screen, (170, 90))
    draw = ImageDraw.Draw(picture)
    for row, y in enumerate((930, 1040, 1160)):
        for x in (
            np.arange(-40 + 60 * (row % 2), 1700, 150)
            + rng.uniform(-20, 20, 12)[: len(np.arange(-40 + 60 * (row % 2), 1700, 150))]
        ):
            head = 42 + 8 * row
            shade = (26 - 6 * row, 24 - 6 * row, 34 - 7 * row)
            draw.ellipse((x - head, y - head * 1.2, x + head, y + head * 1.2), fill=shade)
            draw.rounded_rectangle((x - 2 * head, y + head, x + 2 * head, y + 320), 50, fill=shade)
    return picture


def chalkboard(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A chalkboard before a kiosk by the sea."""
    house, title, *rows = memory.text
    picture = gradient(PORTRAIT, (126, 190, 226), (206, 230, 238), (232, 220, 190))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 1180, 1200, 1600), fill=(206, 190, 158))
    for number, x in enumerate(range(0, 1200, 120)):
        stripe: Color = (238, 90, 96) if number % 2 else (250, 246, 240)
        draw.rectangle((x, 0, x + 119, 150), fill=stripe)
        draw.pieslice((x, 90, x + 119, 210), 0, 180, fill=stripe)
    board = Image.new("RGBA", (960, 1220), (150, 104, 66, 255))
    sheet = ImageDraw.Draw(board)
    sheet.rectangle((36, 36, 923, 1183), fill=(44, 50, 50, 255))
    write(sheet, (480, 160), house, 84, fill=(255, 220, 150), bold=True, anchor="mm")
    write(sheet, (480, 290), title, 80, fill=WHITE, anchor="mm")
    for number, row in enumerate(rows):
        name, price = row.split(" | ")
        write(sheet, (100, 460 + 130 * number), name, 60, fill=(226, 240, 232), anchor="lm")
        write(sheet, (860, 460 + 130 * number), price, 60, fill=(226, 240, 232), anchor="rm")
    for x, scoop in ((400, (250, 236, 196)), (480, (244, 170, 180)), (560, (196, 150, 110))):
        sheet.polygon([(x - 40, 960), (x + 40, 960), (x, 1110)], fill=(214, 160, 96, 255))
        sheet.ellipse((x - 46, 880, x + 46, 972), fill=(*scoop, 255))
    lay(picture, board, (0.5, 0.56), rng.uniform(-2, 2), lift=22)
    return picture


def trail_sign(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A wooden signpost before hills."""
    picture = gradient(LANDSCAPE, (142, 178, 206), (218, 224, 218), (206, 190, 150))
    draw = ImageDraw.Draw(picture)
    for number, tone in enumerate(((134, 142, 150), (150, 122, 84), (120, 96, 58))):
        base, xs = 640 + 130 * number, np.linspace(0, 1600, 80)
        ridge = (
            base - 90 * np.sin(xs / (190 + 90 * number) + rng.uniform(0, 6)) - 50 * np.sin(xs / 97 + rng.uniform(0, 6))
        )
        draw.polygon([(0, 1200), *zip(xs.tolist(), ridge.tolist(), strict=True), (1600, 1200)], fill=tone)
    draw.rectangle((760, 150, 840, 1200), fill=(92, 66, 46))
    for number, line in enumerate(memory.text):
        plank = wood((1120, 200), rng, (150, 108, 70)).convert("RGBA")
        sheet = ImageDraw.Draw(plank)
        sheet.polygon([(1020, 0), (1120, 0), (1120, 200), (1020, 200), (1120, 100)], fill=(0, 0, 0, 0))
        write(sheet, (520, 100), line, fitting(line, 100, 900), fill=(255, 246, 220), bold=True, anchor="mm")
        lay(picture, plank, (0.5, 0.26 + 0.21 * number), rng.uniform(-2, 2), lift=12)
    return picture


def launch_poster(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A poster on a fence by the shore: a rocket, the day and the hour."""
    title, rocket, place, hour, area = memory.text
    picture = gradient(PORTRAIT, (150, 192, 218), (200, 214, 214), (140, 150, 120))
    draw = ImageDraw.Draw(picture)
    for x in range(10, 1200, 110):
        draw.rectangle((x, 120, x + 84, 1600), fill=darker((150, 140, 124), rng.uniform(0.85, 1.05)))
    card = gradient((960, 1320), (14, 26, 64), (44, 60, 128), (240, 150, 96)).convert("RGBA")
    sheet = ImageDraw.Draw(card)
    for x, y in rng.uniform(0, 1, (70, 2)):
        sheet.ellipse((x * 960, 290 + y * 520, x * 960 + 5, 295 + y * 520), fill=(255, 250, 220, 255))
    sheet.polygon([(480, 300), (530, 400), (530, 640), (430, 640), (430, 400)], fill=(244, 244, 248, 255))
    sheet.polygon([(430, 560), (380, 680), (430, 640)], fill=(220, 84, 64, 255))
    sheet.polygon([(530, 560), (580, 680), (530, 640)], fill=(220, 84, 64, 255))
    sheet.polygon([(440, 645), (520, 645), (480, 810)], fill=(255, 206, 90, 255))
    sheet.ellipse((452, 420, 508, 476), fill=(70, 120, 190, 255))
    write(sheet, (480, 120), title, fitting(title, 92, 880), fill=(255, 226, 150), bold=True, anchor="mm")
    write(sheet, (480, 230), rocket, 84, fill=WHITE, bold=True, anchor="mm")
    for number, line in enumerate((place, hour, area)):
        write(sheet, (480, 930 + 120 * number), line, fitting(line, 68, 860), fill=WHITE, bold=True, anchor="mm")
    lay(picture, card, (0.5, 0.52), rng.uniform(-2, 2), lift=14)
    return picture
