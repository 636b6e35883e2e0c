"""Draws one tree with a file for every row of the table of inputs that break photo programs."""

import json
import os
import shutil
import unicodedata
from pathlib import Path

from PIL import Image

from tests.core.capture import drawn
from tests.core.capture.test_capture_xmp import packet

NOON_2013 = 1_370_000_000
TAKEN_2009 = 1_258_375_918
LONG = "a_photo_whose_name_is_as_long_as_such_names_may_ever_be"
DEEP = "/".join(f"a_folder_with_a_long_name_{number:02}" for number in range(14))
NFC, NFD = (unicodedata.normalize(form, "Šárka é.jpg") for form in ("NFC", "NFD"))
UNDECODABLE = os.fsdecode(b"odd_\xff\xfe.jpg")
TAKEOUT = (
    ("IMG_1.jpg", "IMG_1.jpg.json"), ("IMG_2.jpg", "IMG_2.jpg.supplemental-metadata.json"), ("IMG_3(1).jpg", "IMG_3.jpg(1).json"),
    ("IMG_4(1).jpg", "IMG_4.jpg.supplemental-metadata(1).json"), ("tower (2).jpg", "tower (2).jpg.supplemental-metadata.json"),
    ("IMG_5-edited.jpg", "IMG_5.jpg.json"), ("PXL_20091116_151646544.MP.jpg", "PXL_20091116_151646544.MP.jpg.supplemental-met.json"),
    ("PXL_20091116_094331806.PORTRAIT(1).jpg", "PXL_20091116_094331806.PORTRAIT.jpg.supplement(1).json"),
    ("PXL_20091116_223243932.MOTION-02.ORIGINAL.jpg", "PXL_20091116_223243932.MOTION-02.ORIGINAL.jpg..json"),
    (f"{LONG}.jpg", f"{LONG}.jpg"[:46] + ".json"),
)  # fmt: skip


def draw(folder: Path) -> Path:
    """The whole tree; returns its folder."""
    for part in (
        _dates,
        _positions,
        _decoding,
        _moving,
        _large,
        _videos,
        _takeout,
        _sidecars,
        _paths,
        _left_out,
        _copies,
    ):
        part(folder)
    return folder


def _dated(path: Path, seed: int, original: str, **more: object) -> Path:
    offsets = {number: more.pop(name) for name, number in _OFFSETS.items() if name in more}
    return drawn.jpeg(path, seed, drawn.exif({drawn.ORIGINAL: original, **offsets}, **more))  # type: ignore[arg-type]


_OFFSETS = {"offset": drawn.OFFSET, "offset_original": drawn.OFFSET_ORIGINAL}


def _dates(folder: Path) -> None:
    for number, (name, text) in enumerate(
        (("zero", "0000:00:00 00:00:00"), ("spaces", "    :  :     :  :  "), ("garbage", "not a date"), ("hour24", "2018:10:13 24:24:27"),
         ("future", "2050:12:31 23:59:59"), ("pre1970", "1953:06:02 12:00:00"), ("no_offset", "2023:12:30 23:03:00"))
    ):  # fmt: skip
        drawn.set_mtime(_dated(folder / f"dates/{name}.jpg", number, text, base={drawn.MODEL: "Box 1"}), NOON_2013)
    drawn.set_mtime(drawn.jpeg(folder / "dates/no_exif.jpg", 7), NOON_2013)
    half = {"offset_original": "-05:30", "offset": "-05:00"}
    _dated(folder / "dates/half_hour.jpg", 8, "2024:02:21 10:14:22", **half)
    _dated(folder / "dates/only_modify.jpg", 9, "2024:07:01 02:13:00", offset="+02:00")
    _dated(folder / "dates/later.jpg", 10, "2024:07:01 02:52:00", offset_original="+02:00")
    _dated(folder / "dates/modified.jpg", 11, "2019:08:04 10:00:00", base={drawn.MODIFIED: "2024:01:01 00:00:00"})
    for number, name in enumerate(
        ("IMG-20220528-WA0004", "signal-2024-09-24-20-19-49-610-1", "Screenshot_20190201-212530_Browser"), 12
    ):
        drawn.jpeg(folder / f"dates/{name}.jpg", number)
    _dated(folder / "dates/IMG_20110719_113639.jpg", 15, "2018:07:20 09:00:00")


def _positions(folder: Path) -> None:
    _dated(folder / "gps/null_island.jpg", 20, "2021:05:05 10:00:00", gps=(0.0, 0.0))
    _dated(folder / "gps/south_west.jpg", 21, "2021:05:06 10:00:00", gps=(-18.5454, -70.3312))


def _decoding(folder: Path) -> None:
    place = folder / "decode"
    place.mkdir()
    whole = drawn.jpeg_bytes(30, 1600, 1200)
    for name, data in (
        ("half.jpg", whole[: len(whole) // 2]), ("header.jpg", whole[:200]), ("empty.jpg", b""), ("zeros.jpg", b"\0" * 4096),
        ("text.jpg", b"hello\n"), ("page.png", b"<html>404</html>"), ("jpeg.heic", whole), ("trailing.jpg", whole + b"\xff" * 64),
    ):  # fmt: skip
        (place / name).write_bytes(data)
    drawn.picture(seed=31, mode="CMYK").save(place / "cmyk.jpg", "JPEG")
    drawn.picture(seed=32).save(place / "frames.mpo", "MPO", save_all=True, append_images=[drawn.picture(seed=33)])
    Image.new("RGBA", (64, 48), (0, 0, 0, 0)).save(place / "alpha.webp", lossless=True)
    drawn.picture(seed=35).convert("P").save(place / "palette.png", transparency=0)
    for turn in range(1, 9):
        block = drawn.exif({drawn.ORIGINAL: f"2020:01:0{turn} 00:00:00"}, {drawn.ORIENTATION: turn})
        drawn.jpeg(place / f"turned_{turn}.jpg", 36, block)
    (place / "offset.heic").write_bytes(drawn.HEIC)
    (place / "bare.heic").write_bytes(drawn.HEIC.replace(b"Exif", b"none", 1))


def _moving(folder: Path) -> None:
    (folder / "moving").mkdir()
    frames = [drawn.picture(60, 40, seed) for seed in range(40)]
    for name in ("a.gif", "a.webp", "a.png"):
        frames[0].save(folder / "moving" / name, save_all=True, append_images=frames[1:], duration=50)


def _large(folder: Path) -> None:
    (folder / "large").mkdir()
    drawn.flat_png(folder / "large/fits.png", 9_000, 5_000)
    drawn.flat_png(folder / "large/bomb.png", 60_000, 6_000)
    drawn.picture(12_000, 1_000, 43).save(folder / "large/panorama.jpg", quality=40)
    drawn.picture(3, 4_000, 45).save(folder / "large/thin.png")
    drawn.picture(1, 1, 44).save(folder / "large/pixel.png")


def _videos(folder: Path) -> None:
    place = folder / "video"
    place.mkdir()
    clip = drawn.video(place / "silent.mp4").read_bytes()
    drawn.video(place / "utc.mp4", 2, notes={"creation_time": "2021-07-06T16:20:38Z"})
    drawn.set_mtime(drawn.video(place / "zero_clock.mp4", 3, notes={"creation_time": "1904-01-01T00:00:00Z"}), 0)
    drawn.video(place / "sound.mp4", sound=True)
    (place / "cut.mp4").write_bytes(clip[: len(clip) // 3])
    (place / "empty.mp4").write_bytes(b"")
    drawn.wav(place / "voice.wav")
    place = folder / "live"
    said = f"xmlns:GCamera='http://ns.google.com/photos/1.0/camera/' GCamera:MicroVideo='1' GCamera:MicroVideoOffset='{len(clip)}'"
    block = drawn.exif({drawn.ORIGINAL: "2022:03:03 10:00:00"})
    still = drawn.jpeg(place / "MVIMG_20220303_100000.jpg", 46, block, xmp=packet("", said).encode())
    still.write_bytes(still.read_bytes() + clip)
    _dated(place / "IMG_1.JPG", 47, "2022:03:04 10:00:00")
    (place / "IMG_1.MOV").write_bytes(clip)
    _dated(place / "IMG_2.JPG", 48, "2010:01:01 10:00:00")
    shutil.copy(folder / "video/utc.mp4", place / "IMG_2.MOV")


def _takeout(folder: Path) -> None:
    for number, (name, sidecar) in enumerate(TAKEOUT, 50):
        place = folder / "takeout/Photos from 2009"
        drawn.jpeg(place / name, number, width=64 + number)
        fields = {
            "title": sidecar.split(".json")[0], "photoTakenTime": {"timestamp": str(TAKEN_2009)}, "favorited": True,
            "geoData": {"latitude": 30.657819, "longitude": 104.0739},
        }  # fmt: skip
        (place / sidecar).write_text(json.dumps(fields))


def _sidecars(folder: Path) -> None:
    place = folder / "xmp"
    for number, name in enumerate("ABCDE", 72):
        _dated(place / f"{name}.jpg", number, f"2015:01:0{number - 71} 08:00:00")
    drawn.picture(seed=76).save(place / "D.png")
    for name, taken, text in (
        ("A.jpg.xmp", "2014-12-25T18:00:00+01:00", "full name"), ("B.xmp", "2014-12-26T18:00:00", "short name"),
        ("C.jpg.xmp", "2016-01-01T00:00:00", "wins"), ("C.xmp", "2001-01-01T00:00:00", "loses"), ("D.xmp", "2016-01-02T00:00:00", "whose"),
    ):  # fmt: skip
        body = f"<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>{text}</rdf:li></rdf:Alt></dc:description>"
        (place / name).write_text(packet(body, f"exif:DateTimeOriginal='{taken}'"))
    (place / "E.jpg.xmp").write_text("<x:xmpmeta><not closed")


def _paths(folder: Path) -> None:
    place = folder / "paths"
    for number, name in enumerate(
        (
            NFC,
            NFD,
            "鳥鳥 🐦 (1).jpg",
            " leading space.jpg",
            "[brackets] 100% #1 ' \" .jpg",
            f"{DEEP}/deep.jpg",
            UNDECODABLE,
        ),
        80,
    ):
        drawn.jpeg(place / name, number, width=100 + number)


def _left_out(folder: Path) -> None:
    for number, name in enumerate(
        (".hidden.jpg", "@eaDir/thumb.jpg", ".thumbnails/1.jpg", ".trashed-1700000000-a.jpg"), 90
    ):
        drawn.jpeg(folder / "junk" / name, number)
    (folder / "junk/._IMG_1.JPG").write_bytes(b"\0\x05\x16\x07" + b"\0" * 60)
    (folder / "junk/Thumbs.db").write_bytes(b"x")


def _copies(folder: Path) -> None:
    place = folder / "copies"
    original = _dated(place / "IMG_5.jpg", 94, "2020:02:02 11:00:00")
    shutil.copy(original, place / "copy of IMG_5.jpg")
    with Image.open(original) as opened:
        opened.resize((160, 120)).save(place / "IMG_5_small.jpg")
    for second in range(6):
        _dated(place / f"BURST/20200202_10000{second}_00{second}.jpg", 92, f"2020:02:02 10:00:0{second}")
    _dated(place / "other/IMG_5.jpg", 93, "2006:06:17 10:00:00")
