"""How a drawn memory becomes a file as a phone would leave it: format, EXIF, orientation and file time."""

import os
from pathlib import Path

from PIL import ExifTags, Image

from resources.sample_album.drawings import drawn
from resources.sample_album.heic import heic_bytes
from resources.sample_album.motion import write_video, write_voice_note
from resources.sample_album.recipe import AlbumKind, AlbumMemory

_AS_STORED = {
    3: Image.Transpose.ROTATE_180,
    6: Image.Transpose.ROTATE_90,
    8: Image.Transpose.ROTATE_270,
}
"""How an upright picture is turned before it is stored under an EXIF orientation (Pillow turns to the left)."""


def save(memory: AlbumMemory, folder: Path) -> None:
    """Draw one memory and write its file, with the file time set to when it was captured."""
    path = folder / memory.file
    if memory.kind is AlbumKind.VIDEO:
        write_video(memory, path)
    elif memory.kind is AlbumKind.RECORDING:
        write_voice_note(memory, path)
    else:
        _save_picture(memory, path)
    captured = memory.taken_at.timestamp()
    os.utime(path, (captured, captured))


def _save_picture(memory: AlbumMemory, path: Path) -> None:
    picture = drawn(memory)
    if memory.orientation != 1:
        picture = picture.transpose(_AS_STORED[memory.orientation])
    if path.suffix == ".png":
        picture.save(path)
    elif path.suffix == ".heic":
        path.write_bytes(heic_bytes(picture, _exif(memory).tobytes().removeprefix(b"Exif\x00\x00")))
    elif path.suffix == ".webp":
        picture.save(path, quality=86, method=2, exif=_exif(memory))
    else:
        picture.save(path, quality=87, exif=_exif(memory))


def _exif(memory: AlbumMemory) -> Image.Exif:
    exif = Image.Exif()
    make, model = memory.camera
    stamp, offset = f"{memory.taken_at:%Y:%m:%d %H:%M:%S}", memory.taken_at.isoformat()[-6:]
    exif.update(
        {
            ExifTags.Base.Make: make,
            ExifTags.Base.Model: model,
            ExifTags.Base.Orientation: memory.orientation,
            ExifTags.Base.DateTime: stamp,
        }
    )
    exif.get_ifd(ExifTags.IFD.Exif).update(
        {
            ExifTags.Base.DateTimeOriginal: stamp,
            ExifTags.Base.DateTimeDigitized: stamp,
            ExifTags.Base.OffsetTime: offset,
            ExifTags.Base.OffsetTimeOriginal: offset,
        }
    )
    if memory.place:
        exif.get_ifd(ExifTags.IFD.GPSInfo).update(
            {
                ExifTags.GPS.GPSLatitudeRef: "N" if memory.place.latitude >= 0 else "S",
                ExifTags.GPS.GPSLatitude: _degrees(memory.place.latitude),
                ExifTags.GPS.GPSLongitudeRef: "E" if memory.place.longitude >= 0 else "W",
                ExifTags.GPS.GPSLongitude: _degrees(memory.place.longitude),
            }
        )
    return exif


def _degrees(value: float) -> tuple[float, float, float]:
    """Degrees, minutes and seconds of the absolute value."""
    minutes, seconds = divmod(round(abs(value) * 3600, 3), 60)
    degrees, minutes = divmod(minutes, 60)
    return (degrees, minutes, round(seconds, 3))
