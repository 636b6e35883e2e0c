"""Says what a file is by its first bytes; only of plain text its name decides whether it is a note."""

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from core.capture.stems import RAW_SUFFIXES

HEAD_BYTES = 4096
"""How much of a file `sniff` wants to see."""


class Medium(StrEnum):
    """How a file is decoded."""

    IMAGE = "image"
    VIDEO = "video"
    AUDIO = "audio"
    NOTE = "note"
    PAGES = "pages"


@dataclass(frozen=True, slots=True)
class Format:
    """A format that we read."""

    name: str
    medium: Medium


JPEG = Format("jpeg", Medium.IMAGE)
PNG = Format("png", Medium.IMAGE)
WEBP = Format("webp", Medium.IMAGE)
GIF = Format("gif", Medium.IMAGE)
BMP = Format("bmp", Medium.IMAGE)
TIFF = Format("tiff", Medium.IMAGE)
HEIF = Format("heif", Medium.IMAGE)
AVIF = Format("avif", Medium.IMAGE)
MP4 = Format("mp4", Medium.VIDEO)
MATROSKA = Format("matroska", Medium.VIDEO)
AVI = Format("avi", Medium.VIDEO)
M4A = Format("m4a", Medium.AUDIO)
WAV = Format("wav", Medium.AUDIO)
MP3 = Format("mp3", Medium.AUDIO)
FLAC = Format("flac", Medium.AUDIO)
OGG = Format("ogg", Medium.AUDIO)
JXL = Format("jxl", Medium.IMAGE)
RAW = Format("raw", Medium.IMAGE)
PDF = Format("pdf", Medium.PAGES)
TEXT = Format("text", Medium.NOTE)
CALENDAR = Format("calendar", Medium.NOTE)
MAIL = Format("mail", Medium.NOTE)
MAILBOX = Format("mailbox", Medium.NOTE)

_PREFIXES: tuple[tuple[bytes, Format], ...] = (
    (b"\xff\xd8\xff", JPEG),
    (b"\xff\x0a", JXL),
    (b"\0\0\0\x0cJXL \r\n\x87\n", JXL),
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"II*\0", TIFF),
    (b"MM\0*", TIFF),
    (b"II+\0", TIFF),
    (b"\x1aE\xdf\xa3", MATROSKA),
    (b"fLaC", FLAC),
    (b"OggS", OGG),
    (b"ID3", MP3),
    (b"%PDF-", PDF),
    (b"FUJIFILMCCD-RAW", RAW),
    (b"IIRO", RAW),
    (b"IIRS", RAW),
    (b"MMOR", RAW),
    (b"IIU\0", RAW),
    (b"FOVb", RAW),
    (b"\0MRM", RAW),
)
TIFF_STARTS = (b"II*\0", b"MM\0*")
_MAKE, _SUBFILE, _SUB_DIRECTORIES, _DNG_VERSION = 271, 254, 330, 50_706
_RIFF = {b"WEBP": WEBP, b"WAVE": WAV, b"AVI ": AVI}
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
SEQUENCE_BRANDS = (b"hevc", b"hevx", b"hevs", b"msf1")
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_BOXES_WITHOUT_FTYP = frozenset({b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"})

_MEDIA = (
    ".jpg .jpeg .jpe .jfif .png .apng .webp .gif .bmp .dib .tif .tiff .heic .heif .hif .avif .mpo .jxl .dng .cr2 .cr3 .nef .arw "
    ".raf .orf .rw2 .pdf .mp4 .m4v .mov .qt .3gp .3g2 .mkv .webm .avi .m4a .mp3 .wav .flac .ogg .oga .opus .aac .amr"
)
MEDIA_SUFFIXES = frozenset(_MEDIA.split())
"""Extensions that promise a picture, video or recording: such a file that is none is a problem worth telling."""

_OTHER = (
    ".json .xmp .aae .thm .xml .csv .tsv .html .htm .log .ini .db .sqlite .py .go .js .ts .c .h .cpp .java .rs .sh .bat .toml "
    ".yaml .yml .doc .docx .xls .xlsx .ppt .pptx .odt .zip .gz .tar .7z .rar .exe .dll .so .iso .srt .vtt .gpx"
)
OTHER_SUFFIXES = frozenset(_OTHER.split())
"""Extensions that are opened by nobody here: a scan does not even look into them."""


_NOTE_SUFFIXES = frozenset({".txt", ".text", ".md", ".markdown"})
_OF_PROGRAMS = frozenset(
    {"readme", "license", "licence", "copying", "notice", "changelog", "changes", "authors", "contributing", "requirements",
     "cmakelists", "robots", "index", "install", "news", "todo", "security", "code_of_conduct", "third_party_notices"}
)  # fmt: skip
_CALENDAR_BEGINS = re.compile(rb"^(?:\xef\xbb\xbf)?\s*BEGIN:VCALENDAR", re.IGNORECASE)
_MAILBOX_BEGINS = re.compile(rb"^From \S[^\n]{0,200}\d{4}[^\n]{0,40}\n[A-Za-z-]{2,60}:")
_MAIL_BEGINS = re.compile(rb"^[A-Za-z][A-Za-z-]{1,60}:")


def sniff(head: bytes, name: str = "") -> Format | None:
    """The format that a file's first `HEAD_BYTES` announce; None when it is none that we read.

    Plain text announces nothing: it is a note only where its name says so.
    """
    found = _sniff_media(head)
    if found is TIFF and _is_raw(head, name):
        return RAW
    return found or _sniff_note(head, name)


def directory_start(head: bytes) -> int:
    """Where the first directory of a TIFF lies."""
    return int.from_bytes(head[4:8], _order(head))


def is_raw_directory(head: bytes, directory: bytes) -> bool:
    """Whether a TIFF's first directory is that of a camera's raw file, whatever its name says."""
    order = _order(head)
    count = int.from_bytes(directory[:2], order)
    tags = {
        int.from_bytes(directory[position : position + 2], order)
        for position in range(2, min(2 + 12 * count, len(directory) - 1), 12)
    }
    # A small picture first and others in directories below it, by a camera: so do Nikon and Sony.
    return _DNG_VERSION in tags or {_MAKE, _SUBFILE, _SUB_DIRECTORIES} <= tags


def _order(head: bytes) -> Literal["little", "big"]:
    return "little" if head[:1] == b"I" else "big"


def _is_raw(head: bytes, name: str) -> bool:
    """Most cameras wrap the sensor's data in a TIFF. Canon and DNG mark it; of many others only the name tells before decoding."""
    if head[8:11] == b"CR\2" or os.path.splitext(name)[1].casefold() in RAW_SUFFIXES:
        return True
    return is_raw_directory(head, head[directory_start(head) :])


def _sniff_note(head: bytes, name: str) -> Format | None:
    stem, _, suffix = name.casefold().rpartition(".")
    if _CALENDAR_BEGINS.match(head):
        return CALENDAR
    if _MAILBOX_BEGINS.match(head):
        return MAILBOX
    if suffix == "eml" and _MAIL_BEGINS.match(head):
        return MAIL
    if f".{suffix}" in _NOTE_SUFFIXES and stem not in _OF_PROGRAMS and _is_note(head):
        return TEXT
    return None


def _is_note(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    return (
        bool(head.strip())
        and not any(byte in head for byte in (b"\0", b"\x1b"))
        and not head.lstrip().startswith(b"%PDF")
    )


def _sniff_media(head: bytes) -> Format | None:
    for prefix, found in _PREFIXES:
        if head.startswith(prefix):
            return found
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12])
    if head[4:8] == b"ftyp":
        return _of_brands(head)
    if head[4:8] in _BOXES_WITHOUT_FTYP and len(head) >= 16:
        return MP4  # QuickTime before 2001 has no ftyp box
    if head[:2] == b"BM" and head[6:10] == b"\0\0\0\0":
        return BMP
    if len(head) > 3 and head[0] == 0xFF and head[1] & 0xE6 == 0xE2 and head[2] & 0xF0 != 0xF0:
        return MP3  # a bare MPEG audio frame of layer II or III
    return None


def describe(head: bytes) -> str:
    """What a file that `sniff` does not know seems to be, in words for the person."""
    if not head:
        return "The file is empty."
    if not head.strip(b"\0"):
        return "The file holds only zeros; it was probably never written completely."
    start = head.lstrip()[:64].lower()
    if start.startswith((b"<!doctype", b"<html")):
        return "The file is a web page, not a picture."
    if start.startswith(b"%pdf"):
        return "The file is no complete PDF."
    if b"\0" not in head and _is_text(head):
        return "The file is plain text, not a picture."
    return "The file is in no format that Madeleine reads."


def _of_brands(head: bytes) -> Format:
    size = int.from_bytes(head[:4], "big")
    major, rest = head[8:12], head[16 : min(size, len(head))]
    brands = [major, *(rest[position : position + 4] for position in range(0, len(rest), 4))]
    if major == b"crx ":
        return RAW  # Canon's CR3
    if major in (b"M4A ", b"M4B ", b"M4P "):
        return M4A
    if _AVIF_BRANDS & set(brands) and not {b"heic", b"heix"} & set(brands):
        return AVIF
    if _HEIF_BRANDS & set(brands[:1]) or {b"heic", b"heix", b"mif1"} & set(brands):
        return HEIF
    return MP4


def _is_text(head: bytes) -> bool:
    try:
        head[: len(head) - 3].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
