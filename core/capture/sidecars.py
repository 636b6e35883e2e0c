"""Finds the sidecars in the person's folders and reads what they say: XMP, Picasa's, Google Takeout JSON, iCloud's tables.

Sidecars are found by their full path, folder by folder, and only in folders where something changed since the last scan.
"""

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.capture import picasa, takeout, xmp
from core.capture.described import NOTHING_SAID, Described
from core.capture.export_parts import is_icloud_list, part_key, photos_of_list
from core.capture.formats import MEDIA_SUFFIXES
from core.capture.sidecar_pairs import bytes_of, names_listed_in, pair, summary, table_of
from core.capture.stems import name_key
from core.capture.walk import SeenFile, Walk
from core.records import Origin, Root, Stage
from core.store.library import Library
from core.store.sidecars import SidecarOf
from core.text_keys import printable

RULES_VERSION = "2"


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
    digests = {folder: held.digest for folder, held in folders.items() if held.sidecars or held.beside}
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
                said_xmp = said_xmp.or_else(xmp.read(bytes_of(path, xmp.LARGEST_BYTES)))
            elif path.casefold().endswith(".json"):
                said_export = said_export.or_else(_of_json(bytes_of(path, takeout.LARGEST_BYTES)))
            elif is_icloud_list(path):
                named = names_listed_in(path, os.stat(path).st_mtime_ns)
                album = printable(os.path.splitext(os.path.basename(path))[0])
                if any(name_key(name) in named for name in file_names):
                    said_export = said_export.or_else(Described(keywords=(album,)))
            else:
                table = table_of(path, os.stat(path).st_mtime_ns)
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


def _of_json(data: bytes) -> Described:
    """What the JSON of a photo, or of the album it is in, says about it. Raises `NotTakeoutError` for any other."""
    if album := takeout.album_of(data):
        return Described(keywords=(album,))
    return takeout.read(data)


@dataclass(slots=True)
class _Held:
    """What a folder holds, and what the folders hold that belong to the same one of an export."""

    media: list[SeenFile] = field(default_factory=list)
    sidecars: list[SeenFile] = field(default_factory=list)
    beside: list[SeenFile] = field(default_factory=list)
    elsewhere: list[SeenFile] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """Changes with the name, size or time of anything here."""
        every = (*self.media, *self.sidecars, *self.beside, *self.elsewhere)
        text = "\0".join(sorted(f"{file.path}\0{_stamp(file)}" for file in every))
        return hashlib.blake2b(
            f"{RULES_VERSION}\0{text}".encode("utf-8", "surrogateescape"), digest_size=16
        ).hexdigest()


def _folders(seen: Mapping[str, SeenFile], sidecars: Iterable[SeenFile], known: set[str]) -> dict[str, _Held]:
    """What each folder holds that has a sidecar, had one, or belongs to one that has."""
    folders: dict[str, _Held] = {folder: _Held() for folder in known}
    of_part: dict[str, list[SeenFile]] = defaultdict(list)
    for file in sidecars:
        folder = os.path.dirname(file.path)
        if is_icloud_list(file.path):
            folders.setdefault(photos_of_list(file.path), _Held()).beside.append(file)
            continue
        folders.setdefault(folder, _Held()).sidecars.append(file)
        if key := part_key(folder):
            of_part[key].append(file)
    if not folders:
        return folders
    keys: dict[str, str] = {}
    media_of_part: dict[str, list[SeenFile]] = defaultdict(list)
    for file in seen.values():
        folder = os.path.dirname(file.path)
        if folder not in keys:
            keys[folder] = part_key(folder) if of_part else ""
        if keys[folder] in of_part:
            folders.setdefault(folder, _Held())
            media_of_part[keys[folder]].append(file)
        if held := folders.get(folder):
            held.media.append(file)
    for folder, held in folders.items():
        if (key := keys.get(folder) or part_key(folder)) in of_part:
            held.beside += [file for file in of_part[key] if os.path.dirname(file.path) != folder]
            held.elsewhere += [file for file in media_of_part[key] if os.path.dirname(file.path) != folder]
    return folders


def _stamp(file: SeenFile) -> str:
    return f"{file.size_bytes}:{file.modified_ns}"


def _settle_folder(library: Library, root: Root, folder: str, digest: str, held: _Held) -> set[str]:
    """Pair one folder and store it; returns the memories that have a sidecar there now."""
    stamps = {file.path: _stamp(file) for file in (*held.sidecars, *held.beside)}
    owners: dict[str, str | None] = {}
    for file in held.media:
        record = library.files.by_path(file.path)
        owner = record.memory_id if record else None
        if owner or os.path.splitext(file.name)[1].casefold() in MEDIA_SUFFIXES:
            owners[file.name] = owner
    names = [file.name for file in held.sidecars]
    elsewhere = [file.name for file in held.elsewhere]
    if not owners:
        names = [
            name for name in names if name.casefold().endswith(".json")
        ]  # without its photo a JSON is a loss; an XMP is not
    paired = pair(folder, list(owners), names, [file.path for file in held.beside], elsewhere)
    links = [
        SidecarOf(owner, path, stamps[path])
        for file, paths in paired.of.items()
        if (owner := owners[file]) is not None
        for path in paths
    ]
    notes = {os.path.join(folder, name): reason for name, reason in paired.notes.items()}
    if left_over := summary(paired, len(owners)):
        notes[folder] = left_over
    library.sidecars.put_folder(root.id, folder, digest, links, notes)
    return {link.memory_id for link in links}


def _distance(path: str, file_names: Sequence[str]) -> int:
    """How closely a sidecar names what it describes: the whole name, the name without extension, the folder."""
    name = name_key(os.path.basename(path))
    if any(name.startswith(name_key(file)) for file in file_names):
        return 0
    return 2 if picasa.is_picasa(name) else 1
