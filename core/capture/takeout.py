"""Reads the JSON files of a Google Takeout, and finds out by its odd rules which file each of them describes."""

import json
import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from core.capture.described import LONGEST_TEXT, Described, distinct
from core.capture.stems import name_key, without_edit_mark
from core.text_keys import printable

LARGEST_BYTES = 1_000_000
_NEW_ENDING = ".supplemental-metadata"
YEAR_FOLDER = re.compile(
    r"^(?:photos from|photos de|photos du|fotos von|fotos aus|fotos de|fotos del|foto dal|foto del|foto's uit|foto's van|zdjęcia z|"
    r"foton från|bilder från|bilder fra|billeder fra|kuvat vuodelta|fotky z|фото за|фотографии за|写真|사진)\W*(?:19|20)\d\d\W*\w?$",
    re.IGNORECASE,
)
_ALBUM_FIELDS = frozenset({"access", "date", "location", "enrichments"})
_LONGEST_ALBUM = 200
_SHORTEST_CUT = 44  # names are cut at 46 characters before ".json"; how long names are counted there is not documented
_NO_LETTER = re.compile(r"\W")
_NUMBERED = re.compile(r"^(.*)\((\d+)\)$", re.DOTALL)


class NotTakeoutError(ValueError):
    """The JSON describes no photo or video of a Takeout."""


def read(data: bytes) -> Described:
    """What a Takeout JSON says about its photo or video.

    Raises:
        NotTakeoutError: it is something else.
    """
    fields = _fields(data)
    latitude, longitude = _position(fields)
    people = fields.get("people")
    kept = tuple(word for word in ("archived", "trashed") if fields.get(word) is True)
    return Described(
        taken_utc_s=_seconds(fields["photoTakenTime"]),
        caption=_text(fields.get("description")),
        keywords=kept,
        people=distinct(
            tuple(_text(each.get("name")) for each in people if isinstance(each, dict))
            if isinstance(people, list)
            else ()
        ),
        favourite=True if fields.get("favorited") is True else None,
        latitude=latitude,
        longitude=longitude,
    )


def album_of(data: bytes) -> str:
    """The title of the album whose JSON this is; empty for that of a year, of an album without a title, or anything else."""
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    if isinstance(fields, dict) and isinstance(fields.get("albumData"), dict):
        fields = fields["albumData"]
    if not isinstance(fields, dict) or "photoTakenTime" in fields or not _ALBUM_FIELDS & fields.keys():
        return ""
    title = _text(fields.get("title"))[:_LONGEST_ALBUM]
    return "" if YEAR_FOLDER.match(title) else title


def title_of(data: bytes) -> str:
    """The full name of the file that the JSON describes.

    Raises:
        NotTakeoutError: it is something else.
    """
    return _text(_fields(data).get("title"))


def match(media: Sequence[str], jsons: Iterable[str], title: Callable[[str], str]) -> dict[str, str]:
    """By file name of one folder: the name of the JSON that describes it.

    An edited version has the JSON of its original. Where a cut name could mean several files, the title inside decides.

    Args:
        title: the title inside a JSON, empty for one that is none of a Takeout.
    """
    numbered: dict[tuple[str, str], str] = {}
    for name in sorted(jsons):
        bare, number = _numbered(os.path.splitext(name)[0])
        numbered.setdefault((name_key(bare), number), name)
    found: dict[str, str] = {}
    claims: dict[str, list[str]] = defaultdict(list)
    alone = Counter(name_key(os.path.splitext(name)[0]) for name in media)
    for name in media:
        claimed = _claimed(name, numbered) or _claimed(_unedited(name), numbered)
        if not claimed and alone[name_key(os.path.splitext(name)[0])] == 1:
            bare = name_key(os.path.splitext(name)[0])
            claimed = numbered.get((bare, ""), "")
            claimed = claimed if claimed and _bare_title(title(claimed)) == _NO_LETTER.sub("_", bare) else ""
        if claimed:
            claims[claimed].append(name)
    for claimed, names in claims.items():
        originals = {_unedited(name) for name in names}
        if len(originals) == 1:
            found.update(dict.fromkeys(names, claimed))
            continue
        inside = name_key(title(claimed))
        found.update({name: claimed for name in names if _is_titled(_unedited(name), inside)})
    return found


def titles_of(name: str) -> set[str]:
    """The titles, as keys, from which a file's name may have been made, unless it was cut."""
    unedited = _unedited(name)
    bare, suffix = os.path.splitext(unedited)
    return {name_key(unedited), name_key(_numbered(bare)[0] + suffix)}


def is_long(name: str) -> bool:
    """Whether a name is so long that it may have been cut, or will be."""
    return _is_cut(os.path.splitext(name)[0])


def may_be_titled(name: str, title: str) -> bool:
    """Whether a file's name may have been made from a title."""
    return _is_titled(_unedited(name), name_key(title))


def _fields(data: bytes) -> Mapping[str, Any]:  # whatever a stranger's JSON holds
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotTakeoutError from error
    if not isinstance(fields, dict) or not isinstance(fields.get("photoTakenTime"), dict):
        raise NotTakeoutError
    return fields


def _text(value: object) -> str:
    return printable(value).strip()[:LONGEST_TEXT] if isinstance(value, str) else ""


def _seconds(taken: Mapping[str, object]) -> float | None:
    try:
        seconds = float(str(taken.get("timestamp", "")))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds != 0 else None


def _position(fields: Mapping[str, object]) -> tuple[float | None, float | None]:
    """The first position that is not 0,0, which Google writes for "none"."""
    for name in ("geoData", "geoDataExif"):
        place = fields.get(name)
        if isinstance(place, dict):
            latitude, longitude = place.get("latitude"), place.get("longitude")
            if isinstance(latitude, (int, float)) and isinstance(longitude, (int, float)) and (latitude or longitude):
                return float(latitude), float(longitude)
    return None, None


def _numbered(bare: str) -> tuple[str, str]:
    """A name without extension, and the number of a repeated one at its end."""
    found = _NUMBERED.match(bare)
    return (found[1], found[2]) if found else (bare, "")


def _unedited(name: str) -> str:
    bare, suffix = os.path.splitext(name)
    return without_edit_mark(bare) + suffix


def _claimed(name: str, jsons: Mapping[tuple[str, str], str]) -> str:
    """The JSON whose name was made from this file's: the number moves behind the extension, or stays where it is."""
    bare, suffix = os.path.splitext(name)
    unnumbered, number = _numbered(bare)
    for title, moved in ((unnumbered + suffix, number), (name, "")) if number else ((name, ""),):
        whole = name_key(title) + _NEW_ENDING
        for length in range(len(whole), 0, -1):
            if length < len(name_key(title)) and not _is_cut(whole[:length]):
                break
            if found := jsons.get((whole[:length], moved)):
                return found
    return ""


def _is_cut(start: str) -> bool:
    return len(start.encode("utf-8", "surrogatepass")) >= _SHORTEST_CUT


def _bare_title(title: str) -> str:
    """A title that never had an extension as a file's name: of "27/06/12 - 2" Google makes "27_06_12 - 2.jpg" and "27_06_12 - 2.json"."""
    return "" if os.path.splitext(title)[1] else _NO_LETTER.sub("_", name_key(title))


def _is_titled(name: str, title: str) -> bool:
    """Whether a title, which is never cut, names this file, whose name may be."""
    bare, suffix = os.path.splitext(name_key(name))
    unnumbered, _ = _numbered(bare)
    inside, inside_suffix = os.path.splitext(title)
    if suffix != inside_suffix:
        return False
    return inside in (bare, unnumbered) or (_is_cut(unnumbered) and inside.startswith(unnumbered))
