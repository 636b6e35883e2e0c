"""Opens a PDF: its first page as a picture, the text that lies in its first pages, its title and date. Runs in the decoding process."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import BinaryIO

import numpy as np
import pypdfium2

from core.capture.facts import FileFacts, Picture, Tag
from core.capture.formats import Format, Medium
from core.capture.note import MOST_CHARS, one_line
from core.errors import PhotoUnreadableError

MOST_PAGES = 30
"""How many pages are read: a letter or a ticket has fewer; a book says what it is long before."""

_POINTS_PER_INCH = 72
_SHOWN_DPI = 150
_LONGEST_EDGE = 4_000
_PDF_DATE = re.compile(r"^(?:D:)?(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(?:(Z)|([+-])(\d{2})'?(\d{2}))?")
_ENCRYPTED = 4  # pdfium's FPDF_ERR_PASSWORD


def facts(file: BinaryIO, found: Format) -> FileFacts:
    """Size of the first page in pixels, title, date and text.

    Raises:
        PhotoUnreadableError: it is damaged, protected or empty.
    """
    with _opened(file) as document, closing(document[0]) as page:
        width, height = page.get_size()
        about = document.get_metadata_dict(skip_empty=True)
        date = _date(about.get("CreationDate", ""))
        return FileFacts(
            found.name,
            Medium.PAGES,
            round(width * _SHOWN_DPI / _POINTS_PER_INCH),
            round(height * _SHOWN_DPI / _POINTS_PER_INCH),
            tags={Tag.XMP_ORIGINAL: date} if date else {},  # the document's own date, as XMP would say it
            title=one_line(about.get("Title", "")),
            text=_text(document),
        )


def pixels(file: BinaryIO, edge: int) -> Picture:
    """The first page. Raises as `facts`."""
    with _opened(file) as document, closing(document[0]) as page:
        long_edge = max(*page.get_size(), 1.0)
        scale = min(edge, _LONGEST_EDGE) / long_edge
        bitmap = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False)
        picture = bitmap.to_numpy()[..., :3] if bitmap.n_channels >= 3 else np.repeat(bitmap.to_numpy(), 3, axis=-1)
        return Picture(np.ascontiguousarray(picture, dtype=np.uint8))


@contextmanager
def _opened(file: BinaryIO) -> Iterator[pypdfium2.PdfDocument]:
    try:
        with closing(pypdfium2.PdfDocument(file)) as document:
            if not len(document):
                raise PhotoUnreadableError("The PDF has no pages.")
            yield document
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _ENCRYPTED:
            raise PhotoUnreadableError(
                "The PDF is protected by a password.", "Save a copy without password."
            ) from error
        raise PhotoUnreadableError("The PDF cannot be read.", "The file is damaged.") from error


def _text(document: pypdfium2.PdfDocument) -> str:
    """The text layer of the first pages; empty for a scan that has none."""
    found: list[str] = []
    chars = 0
    for number in range(min(len(document), MOST_PAGES)):
        try:
            with closing(document[number]) as page, closing(page.get_textpage()) as layer:
                lines = layer.get_text_range(0, min(layer.count_chars(), MOST_CHARS)).splitlines()
        except pypdfium2.PdfiumError:
            continue  # one broken page takes no other with it
        found += [line.strip() for line in lines if line.strip()]
        chars += sum(len(line) + 1 for line in lines)
        if chars > MOST_CHARS:
            break
    return "\n".join(found)[:MOST_CHARS]


def _date(text: str) -> str:
    """`D:20210305101500+01'00'` as other metadata writes it; empty when it is no date."""
    found = _PDF_DATE.match(text.strip())
    if found is None:
        return ""
    day = f"{found[1]}-{found[2]}-{found[3]}"
    if found[4] is None:
        return day
    zone = "Z" if found[7] else f"{found[8]}{found[9]}:{found[10]}" if found[8] else ""
    return f"{day} {found[4]}:{found[5]}:{found[6] or '00'}{zone}"
