"""Opens a picture file: upright RGB pixels of its first frame, and the facts in its headers. Runs in the decoding process."""

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import BinaryIO

import numpy as np
import pi_heif
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageCms, ImageFile, ImageOps

from core.capture import jxl_file, media_file, metadata, motion
from core.capture.facts import FileFacts, Picture
from core.capture.formats import AVIF, HEIF, JXL, MP4, Format, Medium
from core.errors import PhotoTooLargeError, PhotoUnreadableError

_TRANSPARENT_SHOWS = (236, 236, 236)  # a light neutral: dark text on nothing stays readable
_SWAPPING = frozenset({5, 6, 7, 8})
_BROKEN = (
    OSError, ValueError, SyntaxError, EOFError, struct.error, IndexError, KeyError, TypeError, ZeroDivisionError, OverflowError,
    AttributeError, RuntimeError,
)  # fmt: skip
"""What Pillow and its plugins raise on damaged files (fuzzed and seen); anything else ends the child and is counted as its death."""


def prepare() -> None:
    """Make this process read HEIC, and leave the pixel limit to us (Pillow's is a warning first, then an error)."""
    pi_heif.register_heif_opener()
    Image.MAX_IMAGE_PIXELS = None


def facts(file: BinaryIO, found: Format, max_pixels: int) -> FileFacts:
    """Size, camera, dates and position from the headers; no pixel is decoded.

    Raises:
        PhotoUnreadableError: not even the headers can be read.
    """
    if found is JXL:
        return jxl_file.facts(file, found, max_pixels)
    with _opened(file) as image:
        exif = metadata.exif_of(image)
        width, height = image.size
        if exif.get(ExifTags.Base.Orientation) in _SWAPPING:
            width, height = height, width
        known = metadata.facts_of(image, exif, FileFacts(found.name, Medium.IMAGE, width, height))
    return _with_clip(file, known)


def clip(file: BinaryIO, found: Format) -> BinaryIO | None:
    """The moving part of a motion photo, as a video file of its own; None for a picture without one."""
    if found is JXL:
        return None
    with _opened(file) as image:
        said = metadata.described(image)
    return motion.clip_in(file, said.clip_bytes)


def pixels(file: BinaryIO, found: Format, edge: int, max_pixels: int) -> Picture:
    """The first frame, upright, RGB, its long edge at most `edge` (never enlarged).

    Raises:
        PhotoTooLargeError: more than `max_pixels`.
        PhotoUnreadableError: nothing can be decoded. A file that ends early gives what there is, flagged as damaged.
    """
    if found is JXL:
        return Picture(_upright_rgb(jxl_file.image(file, max_pixels), edge))
    with _opened(file) as image:
        width, height = image.size
        if width * height > max_pixels:
            raise PhotoTooLargeError(
                f"The picture has {width * height / 1e6:,.0f} megapixels, more than the {max_pixels / 1e6:,.0f} that fit into memory.",
                "Save a smaller copy of it beside the original.",
            )
        if found is not HEIF and found is not AVIF:
            image.draft(image.mode, (edge, edge))  # a JPEG is then decoded at 1/2, 1/4 or 1/8 of its size
        damaged = _load(image, found)
        return Picture(_upright_rgb(image, edge), damaged)


def _with_clip(file: BinaryIO, known: FileFacts) -> FileFacts:
    """What is known, with length and sound of the moving part; a clip that cannot be read is none."""
    moving = motion.clip_in(file, known.described.clip_bytes)
    if moving is None:
        return known
    try:
        of_clip = media_file.facts(moving, MP4)
    except PhotoUnreadableError:
        return known
    return replace(known, duration_s=of_clip.duration_s, has_audio=of_clip.has_audio)


@contextmanager
def _opened(file: BinaryIO) -> Iterator[Image.Image]:
    """The image, its library's complaints turned into ours."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "corrupt EXIF" and the like: a bad field spoils only itself
            with Image.open(file) as image:
                yield image
    except MemoryError as error:
        raise PhotoTooLargeError(
            "Decoding the picture takes more memory than it may.", "Save a smaller copy of it beside the original."
        ) from error
    except _BROKEN as error:
        raise PhotoUnreadableError(
            f"The picture cannot be decoded ({_reason(error)}).", "The file is damaged."
        ) from error


def _load(image: Image.Image, found: Format) -> bool:
    """Decode; True when the file ended early and what there is was used."""
    try:
        image.load()
    except OSError:
        # For HEIC the same switch hides real errors behind black pixels, so it is set for this one decode only.
        if found is HEIF or found is AVIF:
            raise
        ImageFile.LOAD_TRUNCATED_IMAGES = True
        try:
            image.load()
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = False
        return True
    return False


def _upright_rgb(image: Image.Image, edge: int) -> NDArray[np.uint8]:
    small = _in_srgb(_shrunk(_comparable(image), edge), image.info.get("icc_profile"))
    upright = ImageOps.exif_transpose(_with_orientation_of(image, small))
    return np.asarray(_flat(upright), dtype=np.uint8)


def _with_orientation_of(image: Image.Image, small: Image.Image) -> Image.Image:
    """`exif_transpose` reads the orientation from the image it turns; a converted copy may have lost it."""
    orientation = metadata.exif_of(image).get(ExifTags.Base.Orientation, 1)
    small.getexif()[ExifTags.Base.Orientation] = orientation
    return small


def _comparable(image: Image.Image) -> Image.Image:
    """The image in a mode with 8 bits a channel; 16-bit and float grey are scaled, not clipped."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        values = np.asarray(image, dtype=np.float64)
        top = float(values.max(initial=0.0))
        scale = 255.0 / 65535.0 if top > 255 else 1.0
        if image.mode == "F" and 0 < top <= 1.0:
            scale = 255.0
        return Image.fromarray(np.clip(np.nan_to_num(values) * scale, 0, 255).astype(np.uint8))
    return image


def _shrunk(image: Image.Image, edge: int) -> Image.Image:
    width, height = image.size
    long_edge = max(width, height)
    if long_edge <= edge:
        return image if image.mode != "P" else _flat(image)
    if image.mode in ("1", "P", "PA"):
        # These modes can only be resized by dropping pixels: do that to twice the size first, so that a 200-megapixel bitmap
        # never becomes 800 MB of RGB.
        rough = max(1, long_edge // (2 * edge))
        image = _flat(image.resize((max(1, width // rough), max(1, height // rough)), Image.Resampling.NEAREST))
    factor = edge / long_edge
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _in_srgb(image: Image.Image, profile: object) -> Image.Image:
    """The colours that the file's own profile means. A profile that is broken or of another mode means nothing."""
    if not isinstance(profile, bytes) or image.mode not in ("RGB", "CMYK", "L"):
        return image
    try:
        transform = _to_srgb(profile, image.mode)
        return ImageCms.applyTransform(image, transform) or image if transform else image
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return image


@lru_cache(maxsize=8)
def _to_srgb(profile: bytes, mode: str) -> ImageCms.ImageCmsTransform | None:
    """How colours of a profile are shown; None for sRGB itself, which most cameras write into every picture."""
    own = ImageCms.getOpenProfile(io.BytesIO(profile))
    if mode == "RGB" and "srgb" in ImageCms.getProfileDescription(own).casefold():
        return None
    return ImageCms.buildTransform(own, ImageCms.createProfile("sRGB"), mode, "RGB")


def _flat(image: Image.Image) -> Image.Image:
    """RGB, transparency shown on a light neutral."""
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        layer = image.convert("RGBA")
        ground = Image.new("RGBA", layer.size, (*_TRANSPARENT_SHOWS, 255))
        return Image.alpha_composite(ground, layer).convert("RGB")
    return image.convert("RGB")


def _reason(error: BaseException) -> str:
    """A library's message without addresses of objects, short enough for a list."""
    text = str(error).split(" <")[0].strip() or type(error).__name__
    return text[:120]


def encoded(picture: NDArray[np.uint8], comment: str) -> bytes:
    """A small picture as JPEG that carries a comment."""
    target = io.BytesIO()
    Image.fromarray(picture).save(target, "JPEG", quality=82, comment=comment.encode())
    return target.getvalue()
