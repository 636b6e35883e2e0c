"""Says which sidecar describes which file of a folder, by their names and by the titles inside."""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.capture import icloud, picasa, takeout
from core.capture.described import Described
from core.capture.export_parts import is_icloud_list
from core.capture.stems import RAW_SUFFIXES, VIDEO_SUFFIXES, name_key, stem_of
from core.text_keys import printable

_AMBIGUOUS = "It could belong to more than one picture ({}), so it is not used. Name it after one of them, like “{}”."
_NAMED_IN_A_NOTE = 3


@dataclass(slots=True)
class Paired:
    """What the sidecars of one folder belong to, by file names.

    Attributes:
        of: paths of the sidecars of each file, the closest first.
        notes: sidecars that are not used, with the reason for the person.
        orphans: sidecars that belong to no file here.
        bare: photos and videos of a Takeout folder that no JSON describes.
    """

    of: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[str, str] = field(default_factory=dict)
    orphans: list[str] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)


def pair(
    folder: str,
    media: Sequence[str],
    sidecars: Sequence[str],
    beside: Sequence[str] = (),
    elsewhere: Sequence[str] = (),
) -> Paired:
    """Which sidecar belongs to which file of a folder.

    Args:
        beside: paths of sidecars in the folders that belong to the same one of an export.
        elsewhere: names of the files in those folders, which may have their sidecar here.
    """
    paired = Paired()
    _pair_xmp(folder, media, [name for name in sidecars if name.casefold().endswith(".xmp")], paired)
    jsons = {os.path.basename(path): path for path in (*beside, *(os.path.join(folder, name) for name in sidecars))}
    jsons = {name: path for name, path in jsons.items() if name.casefold().endswith(".json")}
    own = [name for name in sidecars if name in jsons]
    _pair_takeout(jsons, own, media, elsewhere, paired)
    for path in (*(os.path.join(folder, name) for name in sidecars), *beside):
        name = os.path.basename(path)
        if not (icloud.is_details(name) or picasa.is_picasa(name) or is_icloud_list(path)):
            continue
        try:
            modified_ns = os.stat(path).st_mtime_ns
            known = names_listed_in(path, modified_ns) if is_icloud_list(path) else table_of(path, modified_ns)
        except OSError:
            continue  # gone or closed: the next scan looks again
        for file in media:
            if name_key(file) in known:
                paired.of[file].append(path)
    return paired


def _pair_xmp(folder: str, media: Sequence[str], sidecars: Sequence[str], paired: Paired) -> None:
    """`name.ext.xmp` describes the file it names; `name.xmp` the one capture of that name that has no such sidecar yet."""
    full: dict[str, list[str]] = defaultdict(list)
    short: dict[str, list[str]] = defaultdict(list)
    for name in media:
        full[name_key(name)].append(name)
        short[name_key(os.path.splitext(name)[0])].append(name)
    rest = []
    for name in sorted(sidecars):
        exact = [each for each in full[name_key(name[:-4])] if each == name[:-4]] or full[name_key(name[:-4])]
        if len(exact) == 1:
            paired.of[exact[0]].append(os.path.join(folder, name))
        else:
            rest.append(name)
    for name in rest:
        candidates = short[name_key(name[:-4])]
        if not candidates:
            paired.orphans.append(name)
        elif (one := _one_capture(candidates)) is None:
            shown = ", ".join(printable(each) for each in candidates)
            paired.notes[name] = _AMBIGUOUS.format(shown, printable(candidates[0]) + ".xmp")
        elif not paired.of[one]:
            paired.of[one].append(os.path.join(folder, name))


def _one_capture(names: Sequence[str]) -> str | None:
    """The file that stands for all of these, when they are one capture: a picture, its raw data, its clip. Else None."""
    suffixes = {name: stem_of(name).suffix for name in names}
    raws = [name for name in names if suffixes[name] in RAW_SUFFIXES]
    clips = [name for name in names if suffixes[name] in VIDEO_SUFFIXES]
    pictures = [name for name in names if name not in (*raws, *clips)]
    if max(len(pictures), len(raws), len(clips)) > 1:
        return None
    return (*pictures, *raws, *clips)[0]


def _pair_takeout(
    jsons: Mapping[str, str], own: Sequence[str], media: Sequence[str], elsewhere: Sequence[str], paired: Paired
) -> None:
    """JSON files of a Takeout, by name with their paths; `own` are those of this very folder."""

    def title(name: str) -> str:
        return title_in(jsons[name])

    matched = takeout.match(media, list(jsons), title)
    for file, name in matched.items():
        paired.of[file].append(jsons[name])
    used = {*matched.values(), *takeout.match(elsewhere, own, title).values()}
    paired.orphans += [name for name in own if name not in used and title(name)]
    if any(title(name) for name in sorted(used)[:_NAMED_IN_A_NOTE]):
        described = {stem_of(file).key for file in matched}
        paired.bare = [file for file in media if file not in matched and stem_of(file).key not in described]
        for path in (path for name, path in jsons.items() if name not in used):
            if album_in(path):
                for file in media:
                    paired.of[file].append(path)


def album_in(path: str) -> str:
    """The title of the album that a JSON is about; empty for anything else."""
    try:
        return takeout.album_of(bytes_of(path, takeout.LARGEST_BYTES))
    except OSError:
        return ""


def title_in(path: str) -> str:
    """The title inside a Takeout JSON; empty for anything else."""
    try:
        return takeout.title_of(bytes_of(path, takeout.LARGEST_BYTES))
    except (OSError, takeout.NotTakeoutError):
        return ""


def summary(paired: Paired, files: int) -> str:
    """What was left over in a folder, in one sentence; empty when everything has its place."""
    said = []
    if paired.bare:
        said.append(f"{len(paired.bare)} of {files} files have no Takeout details ({_some(paired.bare)}).")
    if paired.orphans:
        belong = "sidecar belongs" if len(paired.orphans) == 1 else "sidecars belong"
        said.append(f"{len(paired.orphans)} {belong} to no file here ({_some(paired.orphans)}).")
    return " ".join(said)


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(printable(name) for name in sorted(names)[:_NAMED_IN_A_NOTE])
    return shown + (" …" if len(names) > _NAMED_IN_A_NOTE else "")


def bytes_of(path: str, most: int) -> bytes:
    """What a sidecar holds; one byte more than `most` where it is larger."""
    with open(path, "rb") as file:
        return file.read(most + 1)


@lru_cache(maxsize=4)
def table_of(path: str, _modified_ns: int) -> Mapping[str, Described]:
    """By key of file name: what a table says. A table of thousands of lines is read once, not once a photo."""
    if picasa.is_picasa(os.path.basename(path)):
        return picasa.read(bytes_of(path, picasa.LARGEST_BYTES))
    return icloud.read(bytes_of(path, icloud.LARGEST_BYTES))


@lru_cache(maxsize=4)
def names_listed_in(path: str, _modified_ns: int) -> frozenset[str]:
    """Keys of the names that the list of an album holds."""
    return icloud.names_in_list(bytes_of(path, icloud.LARGEST_BYTES))
