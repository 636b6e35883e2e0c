"""Draws the rarer formats: a raw file as DNG, a PDF with words, and sound and video in the containers of other systems."""

import io
import struct
from pathlib import Path

import av
import numpy as np

from tests.core.capture import drawn

_SHORT, _LONG, _RATIONAL, _BYTE, _ASCII, _SIGNED = 3, 4, 5, 1, 2, 10
_SIZES = {_SHORT: 2, _LONG: 4, _RATIONAL: 8, _BYTE: 1, _ASCII: 1, _SIGNED: 8}


def dng(path: Path, width: int = 64, height: int = 48, preview: bool = False, orientation: int = 1) -> Path:
    """A raw file: left half of the sensor red, right half blue; with a green JPEG preview where wanted."""
    mosaic = np.full((height, width), 2_000, dtype="<u2")
    mosaic[0::2, 0 : width // 2 : 2] = 60_000  # red cells of RGGB
    mosaic[1::2, width // 2 + 1 :: 2] = 60_000  # blue cells
    strip, shown = mosaic.tobytes(), io.BytesIO()
    drawn.Image.new("RGB", (width * 8, height * 8), (20, 200, 40)).save(shown, "JPEG")
    exif = {0x9003: (_ASCII, b"2021:03:05 10:15:00\0"), 0x9011: (_ASCII, b"+01:00\0")}
    raw = {
        254: (_LONG, [0]), 256: (_LONG, [width]), 257: (_LONG, [height]), 258: (_SHORT, [16]), 259: (_SHORT, [1]),
        262: (_SHORT, [32803]), 273: (_LONG, ["strip"]), 277: (_SHORT, [1]), 278: (_LONG, [height]), 279: (_LONG, [len(strip)]),
        33421: (_SHORT, [2, 2]), 33422: (_BYTE, bytes([0, 1, 1, 2])), 50714: (_SHORT, [0]), 50717: (_LONG, [65535]),
    }  # fmt: skip
    camera = {
        271: (_ASCII, b"Drawn\0"), 272: (_ASCII, b"Drawn One\0"), 274: (_SHORT, [orientation]), 34665: (_LONG, ["exif"]),
        50706: (_BYTE, bytes([1, 4, 0, 0])), 50707: (_BYTE, bytes([1, 1, 0, 0])), 50708: (_ASCII, b"Drawn One\0"),
        50721: (_SIGNED, [1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1]), 50728: (_RATIONAL, [1, 1, 1, 1, 1, 1]),
        50778: (_SHORT, [21]),
    }  # fmt: skip
    blocks: dict[str, bytes] = {"strip": strip}
    directories = {"exif": exif}
    if preview:
        small = {
            254: (_LONG, [1]), 256: (_LONG, [width * 8]), 257: (_LONG, [height * 8]), 258: (_SHORT, [8, 8, 8]), 259: (_SHORT, [7]),
            262: (_SHORT, [6]), 273: (_LONG, ["shown"]), 277: (_SHORT, [3]), 278: (_LONG, [height * 8]),
            279: (_LONG, [len(shown.getvalue())]), 330: (_LONG, ["raw"]),
        }  # fmt: skip
        blocks["shown"] = shown.getvalue()
        directories |= {"raw": raw, "first": {**small, **camera}}
    else:
        directories["first"] = {**raw, **camera}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_tiff(directories, blocks))
    return path


def _tiff(directories: dict[str, dict], blocks: dict[str, bytes]) -> bytes:  # type: ignore[type-arg] # values as TIFF has them
    at: dict[str, int] = {}
    out = bytearray(b"II*\0\0\0\0\0")
    for name, block in blocks.items():
        at[name] = len(out)
        out += block + b"\0" * (len(block) % 2)
    for name, tags in directories.items():  # those that others point to come first
        entries = bytearray()
        for number, (kind, values) in sorted(tags.items()):
            if isinstance(values, bytes):
                body, count = values, len(values)
            else:
                numbers = [at[value] if isinstance(value, str) else value for value in values]
                letter = {_SHORT: "H", _LONG: "I", _RATIONAL: "I", _SIGNED: "i"}[kind]
                body = struct.pack(f"<{len(numbers)}{letter}", *numbers)
                count = len(body) // _SIZES[kind]
            if len(body) > 4:
                place = len(out)
                out += body + b"\0" * (len(body) % 2)
                body = struct.pack("<I", place)
            entries += struct.pack("<HHI", number, kind, count) + body.ljust(4, b"\0")
        at[name] = len(out)
        out += struct.pack("<H", len(tags)) + entries + b"\0\0\0\0"
    out[4:8] = struct.pack("<I", at["first"])
    return bytes(out)


def pdf(path: Path, pages: list[list[str]], title: str = "", created: str = "") -> Path:
    """A PDF whose pages hold these lines as text."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    about = (f"/Title ({title}) " if title else "") + (f"/CreationDate ({created}) " if created else "")
    objects.append(f"<< {about}>>".encode())
    kids = []
    for lines in pages:
        text = "BT /F1 18 Tf 40 780 Td 24 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        objects.append(f"<< /Length {len(text)} >>\nstream\n{text}\nendstream".encode())
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    path.write_bytes(bytes(out))
    return path


def sound(path: Path, codec: str, rate: int = 48_000, seconds: float = 1.0) -> Path:
    """A tone in the container that the name says."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=rate)
        stream.layout = "mono"
        tone = (np.sin(np.arange(int(seconds * rate)) / rate * 440 * 2 * np.pi) * 0.3 * 32767).astype(np.int16)
        resampler = av.AudioResampler(format=stream.format, layout="mono", rate=rate)
        frame = av.AudioFrame.from_ndarray(tone[None], format="s16", layout="mono")
        frame.rate, frame.pts = rate, 0
        fifo = av.AudioFifo()
        for each in resampler.resample(frame):
            fifo.write(each)
        size = stream.codec_context.frame_size or 1_024
        for each in fifo.read_many(size):
            out.mux(stream.encode(each))
        out.mux(stream.encode())
    return path


def moving(path: Path, codec: str, size: tuple[int, int] = (176, 144)) -> Path:
    """A second of a moving bar in the container that the name says."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=10)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        for number in range(10):
            picture = np.full((size[1], size[0], 3), 90, dtype=np.uint8)
            picture[:, number * 5 : number * 5 + 20] = (250, 200, 40)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        out.mux(stream.encode())
    return path
