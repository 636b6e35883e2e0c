"""Says which Takeout JSON describes which file where they lie apart: in two roots, or the JSON in an album and the file in its year.

Names decide, as within a folder; where they leave two ways, the JSON is not used.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial

from core.capture import takeout
from core.capture.described import Described
from core.capture.sidecar_folders import Part
from core.capture.sidecar_pairs import album_in, bytes_of, title_in

MemoryOf = Callable[[str], str | None]
"""The memory of the file at a path."""
_ANY_ZONE = timedelta(days=1)
_YEAR = re.compile(r"(?:19|20)\d\d")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Across:
    """What the folders of one name in several roots give each other.

    Attributes:
        of: by path of a file, the JSON in another root that describes it.
        album: the one JSON of an album of that name; empty where there is none, or several differ.
    """

    of: dict[str, str] = field(default_factory=dict)
    album: str = ""


def across(parts: Sequence[Part], memory_of: MemoryOf) -> Across:
    """Pair the files that have no JSON in their own part with those of other roots that describe nothing in theirs."""
    offers: dict[str, set[str]] = defaultdict(set)
    takers: dict[str, dict[Part, list[str]]] = defaultdict(lambda: defaultdict(list))
    for taker, paths, json in _offered(parts):
        takers[json][taker] += paths
        for path in paths:
            offers[path].add(json)
    found = Across(album=_one_album(parts))
    for path, jsons in offers.items():
        if _are_same(jsons) and all(_is_one(takers[each], memory_of) for each in jsons):
            found.of[path] = min(jsons)
    return found


def _offered(parts: Sequence[Part]) -> Iterator[tuple[Part, list[str], str]]:
    """Each part that could take a JSON of another root, with the paths of the file there and of the JSON."""
    lacking = {part: found for part in parts if (found := _lacking(part))}
    for giver in parts:
        if free := _free(giver):
            for taker, paths in lacking.items():
                if not giver.roots & taker.roots:
                    for name, json in takeout.match(list(paths), list(free), partial(_title, free)).items():
                        if _title(free, json):
                            yield taker, paths[name], free[json]


def _title(paths: Mapping[str, str], name: str) -> str:
    return title_in(paths[name])


def _lacking(part: Part) -> Mapping[str, list[str]]:
    """By name, the paths of the files that no JSON of the part describes."""
    lacking: dict[str, list[str]] = defaultdict(list)
    for file in part.media:
        if file.name not in part.described:
            lacking[file.name].append(file.path)
    return lacking


def _free(part: Part) -> Mapping[str, str]:
    """By name, the paths of the JSON files that describe nothing in the part."""
    used = set(part.described.values())
    return {file.name: file.path for file in part.jsons if file.path not in used}


def _are_same(jsons: Iterable[str]) -> bool:
    """Whether files say the same; one always does."""
    paths = list(jsons)
    try:
        return len(paths) == 1 or len({bytes_of(path, takeout.LARGEST_BYTES) for path in paths}) == 1
    except OSError:
        return False


def _is_one(takers: Mapping[Part, list[str]], memory_of: MemoryOf) -> bool:
    """Whether those that could have a JSON lie in one part, or are the same picture in several."""
    return len(takers) == 1 or len({memory_of(path) for paths in takers.values() for path in paths}) == 1


def _one_album(parts: Iterable[Part]) -> str:
    albums = {title: path for part in parts for path in sorted(_free(part).values()) if (title := album_in(path))}
    return next(iter(albums.values())) if len(albums) == 1 else ""


def in_years(json: str, years: Sequence[Part], far_years: Sequence[Part], memory_of: MemoryOf) -> str | None:
    """The memory that an album's JSON describes, whose file lies only in the folder of its year; None unless it is one.

    The years of its own export come first. A file whose own JSON says the same is it, else the one file of that
    name in that year that has none.
    """
    try:
        data = bytes_of(json, takeout.LARGEST_BYTES)
        said, title = takeout.read(data), takeout.title_of(data)
    except (OSError, takeout.NotTakeoutError):
        return None
    for parts in (years, far_years):
        sure, likely = set(), set()
        for file, own in (found for part in parts for found in part.titled(title)):
            if (owner := memory_of(file.path)) is None:
                continue
            if own and _says(own, title, said):
                sure.add(owner)
            elif not own and _is_of_year(file.path, said):
                likely.add(owner)
        if sure or likely:
            found = sure or likely
            return found.pop() if len(found) == 1 else None
    return None


def _says(json: str, title: str, said: Described) -> bool:
    """Whether another JSON is about the same picture: it has the title, the second and the description in every album."""
    try:
        data = bytes_of(json, takeout.LARGEST_BYTES)
        own = takeout.read(data)
        return (takeout.title_of(data), own.taken_utc_s, own.caption) == (title, said.taken_utc_s, said.caption)
    except (OSError, takeout.NotTakeoutError):
        return False


def _is_of_year(path: str, said: Described) -> bool:
    """Whether a file lies in the folder of the year in which, in some zone, it was taken."""
    year = _YEAR.search(os.path.basename(os.path.dirname(path)))
    if year is None or said.taken_utc_s is None:
        return False
    try:
        taken = _EPOCH + timedelta(seconds=said.taken_utc_s)
        return int(year[0]) in {(taken - _ANY_ZONE).year, (taken + _ANY_ZONE).year}
    except OverflowError:
        return False
