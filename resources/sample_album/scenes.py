"""How the outdoor scenes of the sample album are drawn: sea, hills, woods, snow, a market and a city at night."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from resources.sample_album.canvas import LANDSCAPE, WHITE, Color, darker, glow, gradient, lay, lighter, write
from resources.sample_album.nature import bare_tree, clouds, filled_below, ridges, sea, snowfall, tree
from resources.sample_album.recipe import AlbumMemory

_WIDTH, _HEIGHT = LANDSCAPE


def beach(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """Sand, surf, a parasol and a boat."""
    picture = gradient(LANDSCAPE, (82, 158, 222), (170, 212, 238), (214, 234, 240))
    clouds(picture, rng, 5)
    sea(picture, rng, 520, ((58, 142, 178), (94, 186, 190)))
    draw = ImageDraw.Draw(picture)
    draw.polygon([(1090, 500), (1090, 330), (1200, 480)], fill=WHITE)
    draw.polygon([(1080, 500), (1080, 370), (1010, 490)], fill=(244, 232, 214))
    draw.polygon([(1000, 506), (1210, 506), (1180, 546), (1030, 546)], fill=(176, 60, 52))
    xs = np.linspace(0, _WIDTH, 120)
    for offset, tone in ((0, (240, 250, 250)), (26, (214, 200, 160)), (60, (238, 216, 168))):
        shore = 800 + offset + 26 * np.sin(xs / 170) + 12 * np.sin(xs / 57 + offset)
        filled_below(draw, xs, shore, tone)
    for x, y in rng.uniform((0, 900), (_WIDTH, _HEIGHT), (300, 2)):
        draw.ellipse((x, y, x + 6, y + 4), fill=(212, 186, 136))
    draw.line((420, 1060, 470, 640), fill=(240, 240, 236), width=14)
    for number in range(6):
        draw.pieslice(
            (210, 560, 730, 900), 190 + 27 * number, 217 + 27 * number, fill=((232, 80, 74), WHITE)[number % 2]
        )
    draw.polygon([(560, 1040), (900, 1000), (960, 1080), (620, 1130)], fill=(66, 120, 176))
    draw.polygon([(590, 1052), (890, 1016), (912, 1040), (612, 1080)], fill=(240, 220, 120))
    return glow(picture, (1450, 60), 700, (255, 250, 220), 0.6)


def lighthouse(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A striped tower on its rock."""
    picture = gradient(LANDSCAPE, (96, 160, 214), (190, 218, 232), (232, 232, 222))
    clouds(picture, rng, 7)
    sea(picture, rng, 760, ((44, 104, 142), (70, 142, 160)))
    draw = ImageDraw.Draw(picture)
    rock = [(620, 900), (700, 790), (820, 740), (1010, 720), (1180, 760), (1330, 860), (1420, 1000), (560, 1000)]
    draw.polygon(rock, fill=(96, 90, 84))
    draw.polygon([(820, 740), (1010, 720), (1180, 760), (1100, 800), (860, 790)], fill=(112, 134, 84))
    for number in range(6):
        top, bottom = 260 + 80 * number, 340 + 80 * number
        half_top, half_bottom = 60 + 7 * number, 67 + 7 * number
        tone: Color = (206, 54, 50) if number % 2 == 0 else (246, 244, 240)
        draw.polygon(
            [(970 - half_top, top), (970 + half_top, top), (970 + half_bottom, bottom), (970 - half_bottom, bottom)],
            fill=tone,
        )
        draw.polygon(
            [
                (970 + half_top * 0.4, top),
                (970 + half_top, top),
                (970 + half_bottom, bottom),
                (970 + half_bottom * 0.4, bottom),
            ],
            fill=darker(tone, 0.86),
        )
    draw.rectangle((890, 244, 1050, 264), fill=(60, 60, 66))
    draw.rectangle((924, 170, 1016, 246), fill=(250, 226, 140))
    draw.polygon([(908, 172), (1032, 172), (970, 100)], fill=(150, 40, 40))
    draw.rounded_rectangle((944, 650, 996, 742), 22, fill=(70, 60, 60))
    draw.polygon([(1090, 700), (1170, 640), (1250, 700)], fill=(150, 70, 56))
    draw.rectangle((1106, 700, 1234, 776), fill=(238, 232, 220))
    for x, y in ((300, 240), (400, 300), (1330, 220), (220, 340)):
        draw.arc((x, y, x + 50, y + 30), 190, 350, fill=(70, 76, 84), width=5)
        draw.arc((x + 46, y, x + 96, y + 30), 190, 350, fill=(70, 76, 84), width=5)
    return glow(picture, (970, 208), 240, (255, 240, 180), 0.7)


def sunset(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """The sun on the horizon, islands before it."""
    picture = gradient(LANDSCAPE, (52, 48, 104), (168, 80, 118), (246, 146, 96), (255, 214, 140), (255, 214, 140))
    clouds(picture, rng, 6, tone=(222, 120, 120), strength=0.55)
    picture = glow(picture, (900, 640), 620, (255, 220, 140), 0.9)
    draw = ImageDraw.Draw(picture)
    draw.ellipse((820, 560, 980, 720), fill=(255, 244, 206))
    sea(picture, rng, 690, ((214, 120, 96), (66, 50, 96)))
    draw = ImageDraw.Draw(picture)
    for y in range(700, 1180, 16):
        half = 24 + (y - 700) * 0.32 * rng.uniform(0.4, 1.2)
        shift = rng.uniform(-26, 26)
        draw.rounded_rectangle((900 - half + shift, y, 900 + half + shift, y + 7), 4, fill=(255, 214, 150))
    xs = np.linspace(0, _WIDTH, 200)
    for left, width, height, tone in (
        (0, 640, 120, (78, 46, 84)),
        (1080, 700, 90, (92, 52, 88)),
        (420, 420, 46, (104, 62, 92)),
    ):
        bump = np.clip(1 - ((xs - left - width / 2) / (width / 2)) ** 2, 0, None) * (1 + 0.15 * np.sin(xs / 31))
        draw.polygon(
            [(left, 692), *zip(xs.tolist(), (692 - height * bump).tolist(), strict=True), (left + width, 692)],
            fill=tone,
        )
    return picture


def mountains(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """Ridges in autumn colours over a lake."""
    picture = gradient(LANDSCAPE, (110, 162, 210), (206, 222, 230), (238, 226, 204))
    clouds(picture, rng, 6)
    ridges(picture, rng, ((560, 210, (142, 152, 172)), (680, 170, (150, 116, 98)), (770, 110, (178, 110, 56))))
    sea(picture, rng, 850, ((116, 150, 170), (74, 108, 128)))
    draw = ImageDraw.Draw(picture)
    xs = np.linspace(0, _WIDTH, 90)
    filled_below(draw, xs, 1060 + 30 * np.sin(xs / 230) + 14 * np.sin(xs / 61), (150, 112, 50))
    for _ in range(26):
        tree(draw, rng.uniform(0, _WIDTH), rng.uniform(1050, 1180), rng.uniform(70, 150), rng)
    return glow(picture, (300, 160), 620, (255, 246, 214), 0.5)


def forest(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """Trunks in mist, and a path."""
    picture = gradient(LANDSCAPE, (222, 206, 164), (214, 174, 104), (140, 96, 52))
    draw = ImageDraw.Draw(picture)
    for depth in range(4):
        tone = darker((150, 120, 84), 1 - 0.2 * depth)
        for x in rng.uniform(0, _WIDTH, 12 - 2 * depth):
            if depth > 1 and abs(x - 800) < 230:
                continue
            half = 10 + 12 * depth
            draw.polygon([(x - half, 1200), (x - half * 0.6, 0), (x + half * 0.6, 0), (x + half, 1200)], fill=tone)
        leaves = np.column_stack(
            [rng.uniform(0, _WIDTH, 160), rng.uniform(-40, 380 - 40 * depth, 160), rng.uniform(20, 70, 160)]
        )
        for x, y, size in leaves:
            hue = ((226, 148, 50), (206, 100, 40), (236, 186, 80), (170, 116, 44))[int(rng.integers(4))]
            draw.ellipse(
                (x - size, y - size * 0.6, x + size, y + size * 0.6), fill=darker(lighter(hue, 0.3 - 0.1 * depth), 1.0)
            )
        if depth < 3:
            mist = Image.new("RGB", LANDSCAPE, (236, 222, 186))
            picture.paste(mist, mask=Image.new("L", LANDSCAPE, 60))
            draw = ImageDraw.Draw(picture)
    draw.polygon([(-100, 1200), (1700, 1200), (1500, 840), (100, 840)], fill=(158, 92, 40))
    draw.polygon([(420, 1200), (1220, 1200), (880, 760), (760, 760)], fill=(206, 176, 130))
    for x, y in rng.uniform((0, 860), (_WIDTH, _HEIGHT), (420, 2)):
        draw.ellipse((x, y, x + 16, y + 9), fill=((226, 148, 50), (190, 84, 36), (120, 70, 36))[int(rng.integers(3))])
    return glow(picture, (820, 420), 560, (255, 244, 206), 0.75)


def snow_park(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """Bare trees, a snowman, falling flakes."""
    picture = gradient(LANDSCAPE, (168, 184, 206), (214, 222, 232), (236, 238, 244))
    draw = ImageDraw.Draw(picture)
    for x in (120, 380, 1180, 1440, 760):
        bare_tree(draw, x, 800 + rng.uniform(-30, 30), 330, -np.pi / 2, 7, rng)
    xs = np.linspace(0, _WIDTH, 90)
    filled_below(draw, xs, 790 + 26 * np.sin(xs / 210), (226, 232, 242))
    filled_below(draw, xs, 940 + 30 * np.sin(xs / 260 + 2), (246, 248, 252))
    for y, size in ((960, 130), (790, 96), (664, 66)):
        draw.ellipse(
            (880 - size, y - size, 880 + size, y + size), fill=(252, 252, 255), outline=(206, 214, 228), width=4
        )
    draw.polygon([(880, 664), (975, 684), (880, 688)], fill=(238, 134, 50))
    for x, y in ((858, 640), (902, 640), (880, 760), (880, 810), (880, 900)):
        draw.ellipse((x - 9, y - 9, x + 9, y + 9), fill=(44, 44, 52))
    draw.rectangle((818, 566, 942, 606), fill=(44, 44, 52))
    draw.rectangle((842, 494, 918, 580), fill=(44, 44, 52))
    draw.rectangle((800, 722, 960, 752), fill=(200, 60, 62))
    draw.line((790, 780, 650, 690), fill=(90, 66, 50), width=12)
    draw.line((970, 780, 1110, 700), fill=(90, 66, 50), width=12)
    snowfall(draw, rng, 260)
    return picture


def market(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """Lit stalls at night, snow falling."""
    picture = gradient(LANDSCAPE, (18, 22, 54), (42, 40, 84), (70, 58, 88))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 960, _WIDTH, _HEIGHT), fill=(196, 200, 220))
    for number, left in enumerate((40, 560, 1080)):
        roof: Color = ((170, 48, 50), (46, 110, 80), (170, 48, 50))[number]
        draw.rectangle((left, 560, left + 460, 1020), fill=(104, 68, 44))
        draw.rectangle((left + 40, 640, left + 420, 860), fill=(255, 210, 128))
        for step in range(6):
            x = left + 80 + 60 * step
            draw.ellipse(
                (x - 20, 800 - 26 * (step % 2), x + 20, 840 - 26 * (step % 2)),
                fill=((206, 62, 60), (90, 150, 90), (240, 160, 60))[step % 3],
            )
        draw.rectangle((left + 20, 860, left + 440, 900), fill=(140, 94, 60))
        draw.polygon([(left - 20, 580), (left + 480, 580), (left + 400, 440), (left + 60, 440)], fill=roof)
        draw.polygon([(left + 60, 440), (left + 400, 440), (left + 420, 470), (left + 40, 470)], fill=(240, 244, 252))
        picture = glow(picture, (left + 230, 750), 330, (255, 200, 110), 0.45)
        draw = ImageDraw.Draw(picture)
    snowfall(draw, rng, 320)
    sign = Image.new("RGBA", (1000, 190))
    sheet = ImageDraw.Draw(sign)
    sheet.rounded_rectangle((0, 0, 999, 189), 40, fill=(150, 34, 40, 255), outline=(250, 216, 130, 255), width=10)
    write(sheet, (500, 95), memory.text[0], 100, fill=(255, 240, 200), bold=True, anchor="mm")
    lay(picture, sign, (0.5, 0.2), 0, lift=16)
    draw = ImageDraw.Draw(picture)
    for step in range(40):
        x, y = step * 41, 350 + 34 * np.sin(step * 0.55)
        draw.ellipse((x - 9, y - 9, x + 9, y + 9), fill=((255, 226, 130), (255, 120, 100), (140, 230, 160))[step % 3])
    return picture


def city_night(memory: AlbumMemory, rng: np.random.Generator) -> Image.Image:
    """A Ferris wheel and lit windows over a river."""
    picture = gradient(LANDSCAPE, (12, 16, 48), (44, 40, 96), (124, 72, 112), (30, 28, 60))
    draw = ImageDraw.Draw(picture)
    for x, y in rng.uniform((0, 0), (_WIDTH, 420), (120, 2)):
        draw.ellipse((x, y, x + 4, y + 4), fill=(226, 226, 250))
    left = -20
    while left < _WIDTH:
        width, top = int(rng.integers(90, 190)), int(rng.integers(500, 740))
        draw.rectangle((left, top, left + width, 860), fill=(26, 24, 50))
        for x in range(left + 16, left + width - 18, 34):
            for y in range(top + 20, 840, 44):
                if rng.random() < 0.5:
                    draw.rectangle((x, y, x + 14, y + 20), fill=(255, 214, 130))
        left += width + 6
    _ferris_wheel(draw, (1080, 500), 320)
    band = picture.crop((0, 520, _WIDTH, 860)).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    water = Image.blend(band.filter(ImageFilter.GaussianBlur(7)), Image.new("RGB", band.size, (16, 22, 56)), 0.45)
    picture.paste(water, (0, 860))
    ImageDraw.Draw(picture).rectangle((0, 850, _WIDTH, 866), fill=(50, 46, 70))
    return glow(picture, (1080, 500), 420, (255, 150, 140), 0.35)


def _ferris_wheel(draw: ImageDraw.ImageDraw, at: tuple[int, int], radius: int) -> None:
    x, y = at
    draw.line((x, y, x - 190, 860), fill=(180, 120, 140), width=14)
    draw.line((x, y, x + 190, 860), fill=(180, 120, 140), width=14)
    for ring in (radius, radius - 30):
        draw.ellipse((x - ring, y - ring, x + ring, y + ring), outline=(236, 130, 130), width=7)
    for turn in np.linspace(0, 2 * np.pi, 16, endpoint=False):
        rim_x, rim_y = x + radius * np.cos(turn), y + radius * np.sin(turn)
        draw.line((x, y, rim_x, rim_y), fill=(170, 110, 140), width=3)
        draw.rounded_rectangle((rim_x - 26, rim_y - 16, rim_x + 26, rim_y + 22), 8, fill=(214, 64, 66))
        draw.rectangle((rim_x - 18, rim_y - 8, rim_x + 18, rim_y + 6), fill=(255, 226, 150))
