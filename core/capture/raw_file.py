"""Opens a camera's raw file: the preview that the camera put into it, else its own development. Runs in the decoding process.

A preview is what the camera showed the person, costs a hundredth of the development, and is large enough for everything here.
"""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import numpy as np
import rawpy
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageOps

from core.capture import metadata
from core.capture.facts import FileFacts, Picture
from core.capture.formats import Format, Medium
from core.errors import PhotoTooLargeError, PhotoUnreadableError

_TURNED = {3: Image.Transpose.ROTATE_180, 5: Image.Transpose.ROTATE_90, 6: Image.Transpose.ROTATE_270}
"""How LibRaw's `flip` is undone (5 and 6 are a quarter turn counter-clockwise and clockwise)."""
_SMALLEST_PREVIEW = 480  # a long edge below this is a thumbnail for the camera's own screen
_BROKEN = (
    rawpy.LibRawError,
    OSError,
    ValueError,
    SyntaxError,
    MemoryError,
    OverflowError,
    IndexError,
    KeyError,
    TypeError,
)


def facts(file: BinaryIO, found: Format) -> FileFacts:
    """Size, camera, dates and position: from the file's own directory (most raw files are TIFF inside), else from its preview.

    Raises:
        PhotoUnreadableError: neither the sensor's data nor a preview can be found.
    """
    with _opened(file) as raw:
        width, height = raw.sizes.width, raw.sizes.height
        if raw.sizes.flip in (5, 6):
            width, height = height, width
        preview = _preview(raw) or Image.new("RGB", (1, 1))
        exif = _own_exif(file)
        if ExifTags.IFD.Exif not in exif and ExifTags.Base.DateTime not in exif:
            exif = metadata.exif_of(preview)
        return metadata.facts_of(preview, exif, FileFacts(found.name, Medium.IMAGE, width, height))


def pixels(file: BinaryIO, edge: int, max_pixels: int) -> Picture:
    """The picture, upright, its long edge at most `edge`.

    Raises:
        PhotoTooLargeError: more than `max_pixels`.
        PhotoUnreadableError: nothing can be decoded.
    """
    with _opened(file) as raw:
        width, height = raw.sizes.raw_width, raw.sizes.raw_height
        if width * height > max_pixels:
            raise PhotoTooLargeError(
                f"The picture has {width * height / 1e6:,.0f} megapixels, more than the {max_pixels / 1e6:,.0f} that fit into memory."
            )
        preview = _preview(raw)
        if preview is not None and max(preview.size) >= min(edge, _SMALLEST_PREVIEW) and _is_small(preview, max_pixels):
            image = _upright(preview, raw.sizes)
        else:
            half = max(raw.sizes.width, raw.sizes.height) >= 2 * edge
            image = Image.fromarray(raw.postprocess(use_camera_wb=True, half_size=half, output_bps=8))
        image.thumbnail((edge, edge), Image.Resampling.LANCZOS)
        return Picture(np.asarray(image.convert("RGB"), dtype=np.uint8))


def _is_small(preview: Image.Image, max_pixels: int) -> bool:
    return preview.width * preview.height <= max_pixels


@contextmanager
def _opened(file: BinaryIO) -> Iterator[rawpy.RawPy]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as for other pictures: a bad field spoils only itself
            with rawpy.imread(file) as raw:
                yield raw
    except _BROKEN as error:
        reason = error.args[0] if error.args else type(error).__name__
        said = reason.decode("ascii", "replace") if isinstance(reason, bytes) else str(reason)
        raise PhotoUnreadableError(
            f"The raw file cannot be decoded ({said[:120]}).", "The file is damaged, or its camera is too new."
        ) from error


def _preview(raw: rawpy.RawPy) -> Image.Image | None:
    """The largest picture in the file; None where there is none that can be read."""
    try:
        thumb = raw.extract_thumb()
    except rawpy.LibRawError:
        return None
    if thumb.format is rawpy.ThumbFormat.BITMAP:
        bitmap: NDArray[np.uint8] = np.asarray(thumb.data, dtype=np.uint8)
        return Image.fromarray(bitmap)
    if not isinstance(thumb.data, bytes):
        return None
    try:
        return Image.open(io.BytesIO(thumb.data))
    except OSError:
        return None


def _upright(preview: Image.Image, sizes: rawpy.ImageSizes) -> Image.Image:
    """Turned as its own EXIF says, else as the sensor's data is, unless the camera turned it already."""
    if ExifTags.Base.Orientation in metadata.exif_of(preview):
        return ImageOps.exif_transpose(preview)
    is_turned = sizes.flip in (5, 6) and (sizes.width > sizes.height) != (preview.width > preview.height)
    turn = None if is_turned else _TURNED.get(sizes.flip)
    return preview.transpose(turn) if turn is not None else preview


def _own_exif(file: BinaryIO) -> Image.Exif:
    exif = Image.Exif()
    file.seek(0)
    try:
        exif.load_from_fp(file)
        exif.get(ExifTags.Base.DateTime)  # the directory is parsed at the first look
    except metadata.BAD_FIELD:
        return Image.Exif()
    return exif
