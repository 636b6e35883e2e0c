"""Finds the sidecars in the person's folders and reads what they say: XMP, Picasa's, Google Takeout JSON, iCloud's tables.

Sidecars are found by their full path, folder by folder, and only in folders where something changed since the last scan.
"""

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.capture import icloud, picasa, takeout, xmp
from core.capture.described import NOTHING_SAID, Described
from core.capture.formats import MEDIA_SUFFIXES
from core.capture.stems import RAW_SUFFIXES, VIDEO_SUFFIXES, name_key, stem_of
from core.capture.walk import SeenFile, Walk
from core.records import Origin, Root, Stage
from core.store.library import Library
from core.store.sidecars import SidecarOf
from core.text_keys import printable

RULES_VERSION = "1"
_AMBIGUOUS = "It could belong to more than one picture ({}), so it is not used. Name it after one of them, like “{}”."
_NAMED_IN_A_NOTE = 3


@dataclass(slots=True)
class Paired:
    """What the sidecars of one folder belong to, by file names.

    Attributes:
        of: the sidecars of each file, the closest first.
        notes: sidecars that are not used, with the reason for the person.
        orphans: sidecars that belong to no file here.
        bare: photos and videos of a Takeout folder that no JSON describes.
    """

    of: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[str, str] = field(default_factory=dict)
    orphans: list[str] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Read:
    """What the sidecars of one memory say, by the origin it is stored under, and what is wrong with which of them."""

    xmp: Described = NOTHING_SAID
    export: Described = NOTHING_SAID
    broken: Mapping[str, str] = field(default_factory=dict)

    @property
    def by_origin(self) -> tuple[tuple[Origin, Described], ...]:
        """The two sources, the stronger first."""
        return (Origin.XMP_SIDECAR, self.xmp), (Origin.TAKEOUT, self.export)


def settle(library: Library, root: Root, seen: Mapping[str, SeenFile], walk: Walk) -> int:
    """Bring what is known of a root's sidecars up to date; returns how many folders had to be looked through.

    A memory whose sidecars changed is due for its metadata again. All or nothing, so that a killed scan does it once more.
    """
    known = library.sidecars.digests(root.id)
    folders = _folders(seen, walk.sidecars, set(known))
    digests = {folder: _digest(*held) for folder, held in folders.items() if held[1]}
    changed = [folder for folder, digest in digests.items() if known.get(folder) != digest]
    gone = [folder for folder in known if folder not in digests and not walk.is_hidden(folder)]
    if not changed and not gone:
        return 0
    with library.database.write():
        before: dict[str, frozenset[str]] = {}
        for folder in (*changed, *gone):
            for each in library.sidecars.in_folder(folder):
                before.setdefault(each.memory_id, library.sidecars.stamps(each.memory_id))
        for folder in gone:
            library.sidecars.drop_folder(folder)
        for folder in changed:
            for memory_id in _settle_folder(library, root, folder, digests[folder], folders[folder]):
                before.setdefault(memory_id, frozenset())
        renewed = [each for each, stamps in before.items() if library.sidecars.stamps(each) != stamps]
        library.stages.reset(Stage.METADATA, renewed)
    return len(changed) + len(gone)


def read(paths: Sequence[str], file_names: Sequence[str]) -> Read:
    """What the sidecars of a memory with files of these names say. A broken one is told and says nothing.

    Raises:
        FileNotFoundError: one of them is not there any more; the next scan knows more.
    """
    said_xmp, said_export, broken = NOTHING_SAID, NOTHING_SAID, {}
    for path in sorted(paths, key=lambda path: _distance(path, file_names)):
        try:
            if path.casefold().endswith(".xmp"):
                said_xmp = said_xmp.or_else(xmp.read(_bytes(path, xmp.LARGEST_BYTES)))
            elif path.casefold().endswith(".json"):
                said_export = said_export.or_else(takeout.read(_bytes(path, takeout.LARGEST_BYTES)))
            else:
                table = _table(path, os.stat(path).st_mtime_ns)
                for said in (table.get(name_key(name), NOTHING_SAID) for name in file_names):
                    if picasa.is_picasa(os.path.basename(path)):
                        said_xmp = said_xmp.or_else(said)
                    else:
                        said_export = said_export.or_else(said)
        except xmp.BadXmpError as error:
            broken[path] = f"The sidecar cannot be read ({error}), so it is left out."
        except takeout.NotTakeoutError:
            continue  # some other program's JSON
        except FileNotFoundError:
            raise
        except OSError as error:
            broken[path] = f"The sidecar cannot be read ({error.strerror or error}), so it is left out."
    return Read(said_xmp, said_export, broken)


def pair(folder: str, media: Sequence[str], sidecars: Sequence[str]) -> Paired:
    """Which sidecar of a folder belongs to which of its files."""
    paired = Paired()
    _pair_xmp(media, [name for name in sidecars if name.casefold().endswith(".xmp")], paired)
    _pair_takeout(folder, media, [name for name in sidecars if name.casefold().endswith(".json")], paired)
    for name in sidecars:
        if icloud.is_details(name) or picasa.is_picasa(name):
            path = os.path.join(folder, name)
            try:
                table = _table(path, os.stat(path).st_mtime_ns)
            except OSError:
                continue  # gone or closed: the next scan looks again
            for file in media:
                if name_key(file) in table:
                    paired.of[file].append(name)
    return paired


def _pair_xmp(media: Sequence[str], sidecars: Sequence[str], paired: Paired) -> None:
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
            paired.of[exact[0]].append(name)
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
            paired.of[one].append(name)


def _one_capture(names: Sequence[str]) -> str | None:
    """The file that stands for all of these, when they are one capture: a picture, its raw data, its clip. Else None."""
    suffixes = {name: stem_of(name).suffix for name in names}
    raws = [name for name in names if suffixes[name] in RAW_SUFFIXES]
    clips = [name for name in names if suffixes[name] in VIDEO_SUFFIXES]
    pictures = [name for name in names if name not in (*raws, *clips)]
    if max(len(pictures), len(raws), len(clips)) > 1:
        return None
    return (*pictures, *raws, *clips)[0]


def _pair_takeout(folder: str, media: Sequence[str], sidecars: Sequence[str], paired: Paired) -> None:
    matched = takeout.match(media, sidecars, lambda name: _title(os.path.join(folder, name)))
    for file, name in matched.items():
        paired.of[file].append(name)
    used = set(matched.values())
    paired.orphans += [name for name in sidecars if name not in used and _title(os.path.join(folder, name))]
    if any(_title(os.path.join(folder, name)) for name in sorted(used)[:_NAMED_IN_A_NOTE]):
        described = {stem_of(file).key for file in matched}
        paired.bare = [file for file in media if file not in matched and stem_of(file).key not in described]


def _title(path: str) -> str:
    """The title inside a Takeout JSON; empty for anything else."""
    try:
        return takeout.title_of(_bytes(path, takeout.LARGEST_BYTES))
    except (OSError, takeout.NotTakeoutError):
        return ""


def _folders(
    seen: Mapping[str, SeenFile], sidecars: Iterable[SeenFile], known: set[str]
) -> dict[str, tuple[list[SeenFile], list[SeenFile]]]:
    """(media, sidecars) of each folder that holds a sidecar, or held one."""
    folders: dict[str, tuple[list[SeenFile], list[SeenFile]]] = {folder: ([], []) for folder in known}
    for file in sidecars:
        folders.setdefault(os.path.dirname(file.path), ([], []))[1].append(file)
    if folders:
        for file in seen.values():
            if held := folders.get(os.path.dirname(file.path)):
                held[0].append(file)
    return folders


def _digest(media: Sequence[SeenFile], sidecars: Sequence[SeenFile]) -> str:
    text = "\0".join(sorted(f"{file.name}\0{_stamp(file)}" for file in (*media, *sidecars)))
    return hashlib.blake2b(f"{RULES_VERSION}\0{text}".encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _stamp(file: SeenFile) -> str:
    return f"{file.size_bytes}:{file.modified_ns}"


def _settle_folder(
    library: Library, root: Root, folder: str, digest: str, held: tuple[list[SeenFile], list[SeenFile]]
) -> set[str]:
    """Pair one folder and store it; returns the memories that have a sidecar there now."""
    stamps = {file.name: _stamp(file) for file in held[1]}
    owners: dict[str, str | None] = {}
    for file in held[0]:
        record = library.files.by_path(file.path)
        owner = record.memory_id if record else None
        if owner or os.path.splitext(file.name)[1].casefold() in MEDIA_SUFFIXES:
            owners[file.name] = owner
    paired = pair(folder, list(owners), list(stamps)) if owners else Paired()
    links = [
        SidecarOf(owner, os.path.join(folder, name), stamps[name])
        for file, names in paired.of.items()
        if (owner := owners[file]) is not None
        for name in names
    ]
    notes = {os.path.join(folder, name): reason for name, reason in paired.notes.items()}
    if summary := _summary(paired, len(owners)):
        notes[folder] = summary
    library.sidecars.put_folder(root.id, folder, digest, links, notes)
    return {link.memory_id for link in links}


def _summary(paired: Paired, files: int) -> str:
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


def _distance(path: str, file_names: Sequence[str]) -> int:
    """How closely a sidecar names what it describes: the whole name, the name without extension, the folder."""
    name = name_key(os.path.basename(path))
    if any(name.startswith(name_key(file)) for file in file_names):
        return 0
    return 2 if picasa.is_picasa(name) else 1


def _bytes(path: str, most: int) -> bytes:
    with open(path, "rb") as file:
        return file.read(most + 1)


@lru_cache(maxsize=4)
def _table(path: str, _modified_ns: int) -> Mapping[str, Described]:
    """A table of thousands of lines is read once, not once a photo."""
    if picasa.is_picasa(os.path.basename(path)):
        return picasa.read(_bytes(path, picasa.LARGEST_BYTES))
    return icloud.read(_bytes(path, icloud.LARGEST_BYTES))
