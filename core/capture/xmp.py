"""Reads an XMP packet, embedded in a file or beside it: date, position, rating, title, caption, keywords, people, moving part."""

import math
import re
from xml.etree import ElementTree
from xml.parsers import expat

from core.capture.described import LONGEST_TEXT, Described, distinct
from core.text_keys import printable

LARGEST_BYTES = 4_000_000
_DEEPEST = 60  # the packets of all programs seen stay under 20
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_XAP = "{http://ns.adobe.com/xap/1.0/}"
_EXIF = "{http://ns.adobe.com/exif/1.0/}"
_PHOTOSHOP = "{http://ns.adobe.com/photoshop/1.0/}"
_MICROSOFT = "{http://ns.microsoft.com/photo/1.0/}"
_MWG = "{http://www.metadataworkinggroup.com/schemas/regions/}"
_IPTC = "{http://iptc.org/std/Iptc4xmpExt/2008-02-29/}"
_CAMERA = "{http://ns.google.com/photos/1.0/camera/}"
_ITEM = "{http://ns.google.com/photos/1.0/container/item/}"
_MICROSOFT_PERSON = "{http://ns.microsoft.com/photo/1.2/t/Region#}PersonDisplayName"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_DATES = (f"{_EXIF}DateTimeOriginal", f"{_PHOTOSHOP}DateCreated", f"{_XAP}CreateDate")
_PATHS_OF_WORDS = (
    "{http://ns.adobe.com/lightroom/1.0/}hierarchicalSubject",
    "{http://www.digikam.org/ns/1.0/}TagsList",
)
_PEOPLE = frozenset({"people", "person", "persons", "personen", "personnes", "personas", "persone", "pessoas", "faces"})
_LIVING = frozenset({"", "face", "pet"})
_DEGREES = re.compile(
    r"^\s*(\d{1,3})[,°]\s*(\d{1,2}(?:\.\d+)?)(?:[,'′]\s*(\d{1,2}(?:\.\d+)?))?[\"″]?\s*([NSEW])\s*$", re.I
)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
# Cameras and phones fill the description with these; nobody typed them.
_MADE_BY_A_CAMERA = re.compile(
    r"^(?:.*\bdigital camera\b.*|exif_jpeg_picture|samsung|sony dsc|dcim|default|cof|hdr|oznor\w*|[a-z]{3}_[a-z]{3}(?:_\w+)*|"
    r"screenshot|edf|jpeg|untitled|<kenox.*>|maker:.*|dji.*|charset=.*|created with .*)$",
    re.I,
)


class BadXmpError(ValueError):
    """The packet is no XMP that may be read; the message says why, for the person."""


def read(packet: bytes) -> Described:
    """What a packet says.

    Raises:
        BadXmpError: it is not well-formed, too large, or declares entities, which XMP never does.
    """
    tree = _parsed(packet)
    return Described(
        taken=_date(tree),
        title=_words(tree, f"{_DC}title") or _first(tree, f"{_PHOTOSHOP}Headline"),
        caption=_typed(_words(tree, f"{_DC}description")),
        keywords=_keywords(tree),
        people=_people(tree),
        rating=_rating(tree),
        latitude=degrees(_first(tree, f"{_EXIF}GPSLatitude")),
        longitude=degrees(_first(tree, f"{_EXIF}GPSLongitude")),
        clip_bytes=_clip_bytes(tree),
        burst_id=_first(tree, f"{_CAMERA}BurstID")[:100],
        gps_time=_first(tree, f"{_EXIF}GPSTimeStamp")[:100],
    )


def degrees(text: str) -> float | None:
    """Degrees of XMP's `DDD,MM,SSk` and `DDD,MM.mmk`; None without a hemisphere letter or for anything else."""
    found = _DEGREES.match(text)
    if found is None:
        return None
    value = int(found[1]) + float(found[2]) / 60 + float(found[3] or 0) / 3600
    if not math.isfinite(value):
        return None
    return -value if found[4].upper() in "SW" else value


def typed_caption(text: str) -> str:
    """A description that a person may have written; empty for what cameras fill in by themselves."""
    return _typed(" ".join(printable(text).split())[:LONGEST_TEXT])


def _parsed(packet: bytes) -> ElementTree.Element:
    if len(packet) > LARGEST_BYTES:
        raise BadXmpError("it is too large")
    if packet[:2] in (b"\xff\xfe", b"\xfe\xff"):
        packet = _DECLARATION.sub("", packet.decode("utf-16", "replace")).encode()
    packet = packet.strip(b"\0 \r\n\t")
    try:
        _guard(packet)
        return ElementTree.fromstring(packet)  # noqa: S314 - declarations were refused by the guard
    except (expat.ExpatError, ElementTree.ParseError) as error:
        raise BadXmpError("it is not complete XML") from error
    except (ValueError, LookupError) as error:
        raise BadXmpError(str(error) or "it is not XML") from error


def _guard(packet: bytes) -> None:
    """Refuse what attacks a parser or the code behind it: declarations of entities, and elements nested without end."""
    depth = 0

    def opened(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise BadXmpError("it is nested too deeply")

    def closed(*_: object) -> None:
        nonlocal depth
        depth -= 1

    def declared(*_: object) -> None:
        raise BadXmpError("it declares entities, which XMP never does")

    guard = expat.ParserCreate()
    guard.StartDoctypeDeclHandler = guard.EntityDeclHandler = declared
    guard.StartElementHandler, guard.EndElementHandler = opened, closed
    guard.Parse(packet, True)


def _first(tree: ElementTree.Element, name: str) -> str:
    """The first text of a property, written as an attribute or as an element."""
    for element in tree.iter():
        text = element.attrib.get(name) or (element.text if element.tag == name else "")
        if text and text.strip():
            return printable(text).strip()[:LONGEST_TEXT]
    return ""


def _date(tree: ElementTree.Element) -> str:
    return next((text[:100] for name in _DATES if (text := _first(tree, name))), "")


def _words(tree: ElementTree.Element, name: str) -> str:
    """The text of a property in several languages: the default one, else the first."""
    texts: dict[str, str] = {}
    for element in tree.iter(name):
        for item in element.iter(f"{_RDF}li"):
            if item.text and item.text.strip():
                texts.setdefault(item.attrib.get(_LANGUAGE, ""), printable(item.text).strip()[:LONGEST_TEXT])
    return texts.get("x-default") or next(iter(texts.values()), "") or _first(tree, name)


def _typed(text: str) -> str:
    return "" if _MADE_BY_A_CAMERA.match(text.strip()) else text


def _items(tree: ElementTree.Element, name: str) -> tuple[str, ...]:
    return tuple(
        printable(item.text).strip()
        for element in tree.iter(name)
        for item in element.iter(f"{_RDF}li")
        if item.text and item.text.strip()
    )


def _paths(tree: ElementTree.Element) -> list[list[str]]:
    """Keywords written as paths, "People|Anna" or "Places/Bergen", in their steps."""
    return [
        [step.strip() for step in re.split(r"[|/]", text) if step.strip()]
        for name in _PATHS_OF_WORDS
        for text in _items(tree, name)
    ]


def _keywords(tree: ElementTree.Element) -> tuple[str, ...]:
    people = {name.casefold() for name in _people(tree)} | _PEOPLE
    found = (*_items(tree, f"{_DC}subject"), *(path[-1] for path in _paths(tree) if path))
    return distinct(tuple(word for word in found if word.casefold() not in people))


def _people(tree: ElementTree.Element) -> tuple[str, ...]:
    names = [*_items(tree, f"{_IPTC}PersonInImage")]
    for element in tree.iter():
        name, kind = _of(element, f"{_MWG}Name"), _of(element, f"{_MWG}Type")
        if name and kind.casefold() in _LIVING:
            names.append(name)
        names.append(_of(element, _MICROSOFT_PERSON))
    names += [path[-1] for path in _paths(tree) if len(path) > 1 and path[0].casefold() in _PEOPLE]
    return distinct(tuple(names))


def _of(element: ElementTree.Element, name: str) -> str:
    """A property of this very element."""
    child = element.find(name)
    return printable(element.attrib.get(name) or (child.text if child is not None else "") or "").strip()[:200]


def _rating(tree: ElementTree.Element) -> int | None:
    """1 to 5; 0 means "not rated" and -1 "rejected", which is not a rating either. Microsoft counts in percent."""
    stars, percent = _number(_first(tree, f"{_XAP}Rating")), _number(_first(tree, f"{_MICROSOFT}Rating"))
    if stars is None and percent is not None:
        stars = 1 if 0 < percent < 25 else percent // 25 + 1
        stars = stars if percent > 0 else 0
    return stars if stars is not None and 1 <= stars <= 5 else None


def _number(text: str) -> int | None:
    try:
        return round(float(text))
    except (ValueError, OverflowError):
        return None


def _clip_bytes(tree: ElementTree.Element) -> int:
    """Length of the moving picture behind a still one: Google's older offset, or the items of its container."""
    old = _number(_first(tree, f"{_CAMERA}MicroVideoOffset"))
    if old and old > 0:
        return old
    length = 0
    for element in tree.iter():  # the items lie behind each other, the moving one last or before others
        if _of(element, f"{_ITEM}Semantic") == "MotionPhoto" or length:
            length += (_number(_of(element, f"{_ITEM}Length")) or 0) + (_number(_of(element, f"{_ITEM}Padding")) or 0)
    return max(0, length)
