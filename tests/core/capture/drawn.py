"""Draws the odd files that the tests of capture are about; nothing here was copied from anywhere."""

import base64
import io
import os
import struct
import wave
import zlib
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageDraw

ORIGINAL, DIGITIZED, OFFSET, OFFSET_ORIGINAL, OFFSET_DIGITIZED, COMMENT = 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9286
MAKE, MODEL, ORIENTATION, MODIFIED, SOFTWARE = 0x010F, 0x0110, 0x0112, 0x0132, 0x0131

# 64 x 32, left half red, right half blue, turned by its container (EXIF orientation 6 beside it); drawn with pillow-heif 1.8.
HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAchtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRpbG9jAAAAAERAAAIAAQAAAAAB7AABAAAAAAAAAEEAAgAAAAACLQABAAAAAAAAAGUAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABodmMxAAAAABVpbmZlAgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAABB2lwcnAAAADmaXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5uAhoMCAAAAMDIAAAAwAhYgABAAZEAcFzwIkAAAATY29scm5jbHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcAAAAEAAAAABAAAAIAAAAAEAAAAAAAAAAv///+AAAAACAAAAEHBpeGkAAAAAAwgICAAAAAlpcm90AwAAABlpcG1hAAAAAAAAAAEAAQaBAgMFhIYAAAAaaXJlZgAAAAAAAAAOY2RzYwACAAEAAQAAAK5tZGF0AAAAPSgBr1jm9Oq//+Vrv/6j/IfJ//9f/0q9V+4xE/6eBVpa/3P0fRXdlA5uGcMnVNrcJetN1Xo0zzWlNDNHn0QAAAAGRXhpZgAATU0AKgAAAAgAAgESAAMAAAABAAYAAIdpAAQAAAABAAAAJgAAAAAAApADAAIAAAAUAAAAQJARAAIAAAAHAAAAVDIwMjQ6MDY6MDEgMDk6MDA6MDAALTA3OjAwAA=="
)


def picture(width: int = 320, height: int = 240, seed: int = 0, mode: str = "RGB") -> Image.Image:
    """A plain ground with an ellipse; each seed looks different."""
    drawn = Image.new("RGB", (width, height), ((37 * seed) % 256, (91 * seed) % 256, 140))
    pen = ImageDraw.Draw(drawn)
    shift = (seed % 5) * 0.08
    pen.ellipse(
        (width * (0.1 + shift), height * 0.2, width * (0.5 + shift), height * 0.8),
        fill=(230, 180, (60 + seed * 29) % 256),
    )
    return drawn.convert(mode)


def quartered(width: int = 64, height: int = 32) -> Image.Image:
    """Left half red, right half blue."""
    drawn = Image.new("RGB", (width, height), (200, 30, 30))
    drawn.paste((30, 30, 200), (width // 2, 0, width, height))
    return drawn


def exif(
    tags: dict[int, object] | None = None,
    base: dict[int, object] | None = None,
    gps: tuple[float, float] | None = None,
    refs: bool = True,
) -> Image.Exif:
    """An EXIF block of these tags of the Exif directory, of the base directory, and a position."""
    block = Image.Exif()
    for number, value in (base or {}).items():
        block[number] = value
    block[0x8769] = dict(tags or {})
    if gps is not None:
        latitude, longitude = gps
        directory: dict[int, object] = {2: _dms(latitude), 4: _dms(longitude)}
        if refs:
            directory |= {1: "N" if latitude >= 0 else "S", 3: "E" if longitude >= 0 else "W"}
        block[0x8825] = directory
    return block


def _dms(value: float) -> tuple[float, float, float]:
    value = abs(value)
    return float(int(value)), float(int(value * 60) % 60), round(value * 3600 % 60, 3)


def jpeg(
    path: Path, seed: int = 0, block: Image.Exif | None = None, width: int = 320, height: int = 240, **more: object
) -> Path:
    """Save a picture as JPEG and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture(width, height, seed).save(path, "JPEG", quality=88, **({"exif": block} if block else {}), **more)
    return path


def jpeg_bytes(seed: int = 0, width: int = 320, height: int = 240) -> bytes:
    """A JPEG in memory."""
    target = io.BytesIO()
    picture(width, height, seed).save(target, "JPEG", quality=88)
    return target.getvalue()


def flat_png(path: Path, width: int, height: int) -> Path:
    """A black 1-bit PNG, streamed row by row: a decompression bomb of a few kilobytes."""
    packer, row, packed = zlib.compressobj(9), b"\0" + b"\0" * ((width + 7) // 8), bytearray()
    for _ in range(height):
        packed += packer.compress(row)
    packed += packer.flush()
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
        + _chunk(b"IDAT", bytes(packed)) + _chunk(b"IEND", b"")
    )  # fmt: skip
    return path


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def wav(path: Path, seconds: float = 1.0, rate: int = 44_100, loud: float = 0.3) -> Path:
    """A stereo tone."""
    times = np.arange(int(seconds * rate)) / rate
    tone = (np.sin(times * 440 * 2 * np.pi) * loud * 32767).astype("<i2")
    with wave.open(str(path), "wb") as out:
        out.setnchannels(2)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(np.repeat(tone, 2).tobytes())
    return path


def video(
    path: Path,
    seconds: float = 1.0,
    sound: bool = False,
    notes: dict[str, str] | None = None,
    size: tuple[int, int] = (160, 120),
    loud: float = 0.3,
) -> Path:
    """A moving bar, with or without a tone; without one but with sound where it is not loud at all."""
    with av.open(str(path), "w", options={"movflags": "use_metadata_tags"}) as out:
        out.metadata.update(notes or {})
        stream = out.add_stream("mpeg4", rate=10)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        voice = out.add_stream("aac", rate=16_000) if sound else None
        for number in range(int(seconds * 10)):
            drawn = np.full((size[1], size[0], 3), 90, dtype=np.uint8)
            drawn[:, (number * 5) % size[0] : (number * 5) % size[0] + 20] = (250, 200, 40)
            for packet in stream.encode(av.VideoFrame.from_ndarray(drawn, format="rgb24")):
                out.mux(packet)
        for packet in stream.encode():
            out.mux(packet)
        if voice is not None:
            _add_tone(out, voice, seconds, loud)
    return path


def _add_tone(out: object, voice: object, seconds: float, loud: float) -> None:
    times = np.arange(int(seconds * 16_000)) / 16_000
    samples = (np.sin(times * 300 * 2 * np.pi) * loud).astype(np.float32)
    for start in range(0, len(samples) - 1024, 1024):
        frame = av.AudioFrame.from_ndarray(samples[None, start : start + 1024], format="fltp", layout="mono")
        frame.rate = 16_000
        frame.pts = start
        for packet in voice.encode(frame):  # type: ignore[attr-defined]
            out.mux(packet)  # type: ignore[attr-defined]
    for packet in voice.encode():  # type: ignore[attr-defined]
        out.mux(packet)  # type: ignore[attr-defined]


def set_mtime(path: Path, seconds: int) -> Path:
    """Give a file a time of last change."""
    os.utime(path, (seconds, seconds))
    return path
