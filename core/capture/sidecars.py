"""Finds the sidecars in the person's folders and reads what they say: XMP, Picasa's, Google Takeout JSON, iCloud's tables.

Sidecars are found by their full path, folder by folder, and only in folders where something changed since the last scan.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.capture import picasa, takeout, xmp
from core.capture.described import NOTHING_SAID, Described
from core.capture.export_parts import is_icloud_list
from core.capture.far_sidecars import Across, across, in_years
from core.capture.formats import MEDIA_SUFFIXES
from core.capture.sidecar_folders import Held, Part, RootView, folders, is_json, stamp
from core.capture.sidecar_pairs import Paired, album_in, bytes_of, names_listed_in, pair, summary, table_of
from core.capture.stems import name_key, stem_of
from core.records import Origin, Root, Stage
from core.store.library import Library
from core.store.sidecars import SidecarOf
from core.text_keys import printable


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


def settle(library: Library, views: Sequence[RootView]) -> int:
    """Bring what is known of the sidecars of these roots up to date; returns how many folders had to be looked through.

    A memory whose sidecars changed is due for its metadata again. All or nothing, so that a killed scan does it once more.
    A sidecar where nobody can look now, in a root that is offline or a locked folder, goes on describing what it described.
    """
    known = {view.root.id: library.sidecars.digests(view.root.id) for view in views}
    settling = _Settling(library, _Sight(library.files.roots(), views))
    held = folders(views, {folder: view.root for view in views for folder in known[view.root.id]})
    open_ = {folder: each for folder, each in held.items() if not settling.sight.is_hidden(folder)}
    digests = {
        folder: each.digest for folder, each in open_.items() if each.is_in_sight or settling.hidden_sidecars(folder)
    }
    changed = [folder for folder, digest in digests.items() if known[held[folder].root.id].get(folder) != digest]
    gone = [folder for folder, each in open_.items() if folder not in digests and folder in known[each.root.id]]
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
            for memory_id in settling.put(folder, digests[folder], held[folder]):
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


class _Sight:
    """Where this scan could look."""

    def __init__(self, roots: Sequence[Root], views: Sequence[RootView]) -> None:
        walks = {view.root.id: view.walk for view in views}
        by_depth = sorted(roots, key=lambda root: len(root.path), reverse=True)
        self._walks = tuple((os.path.join(root.path, ""), walks.get(root.id)) for root in by_depth)

    def is_hidden(self, path: str) -> bool:
        """Whether nobody knows now what is at a path of the library: its absence proves nothing."""
        for root, walk in self._walks:
            if os.path.join(path, "").startswith(root):
                return walk is None or walk.is_hidden(path)
        return False


@dataclass(slots=True)
class _Settling:
    """Pairs the folders that changed, one after the other."""

    library: Library
    sight: _Sight
    _across: dict[Sequence[Part], Across] = field(default_factory=dict)

    def put(self, folder: str, digest: str, held: Held) -> set[str]:
        """Pair one folder and store it; returns the memories that have a sidecar there now."""
        owners = self._owners(held)
        names = [file.name for file in held.sidecars]
        if not owners:
            names = [
                name for name in names if name.casefold().endswith(".json")
            ]  # without its photo a JSON is a loss; an XMP is not
        beside, elsewhere = [file.path for file in held.beside], [file.name for file in held.elsewhere]
        paired = pair(folder, list(owners), names, beside, elsewhere)
        stamps = {file.path: stamp(file) for file in (*held.sidecars, *held.beside)}
        stamps |= {file.path: stamp(file) for part in held.namesakes for file in part.jsons}
        found = [(owner, path) for file, paths in paired.of.items() if (owner := owners[file]) for path in paths]
        found += self._take_from_namesakes(folder, held, owners, paired)
        found += self._take_from_years(folder, held, paired)
        hidden = self.hidden_sidecars(folder)
        links = dict.fromkeys((*(SidecarOf(owner, path, stamps[path]) for owner, path in found), *hidden))
        paired.orphans = [name for name in paired.orphans if not self._is_used(os.path.join(folder, name))]
        notes = {os.path.join(folder, name): reason for name, reason in paired.notes.items()}
        if left_over := summary(paired, len(owners)):
            notes[folder] = left_over
        counts = (len(paired.bare), len(paired.orphans))
        self.library.sidecars.put_folder(held.root.id, folder, digest, links, notes, counts)
        return {link.memory_id for link in links}

    def _owners(self, held: Held) -> dict[str, str | None]:
        """By name, the media of a folder with the memory of each, where it is one already."""
        owners: dict[str, str | None] = {}
        for file in held.media:
            owner = self._memory_of(file.path)
            if owner or os.path.splitext(file.name)[1].casefold() in MEDIA_SUFFIXES:
                owners[file.name] = owner
        return owners

    def _take_from_namesakes(
        self, folder: str, held: Held, owners: Mapping[str, str | None], paired: Paired
    ) -> list[tuple[str, str]]:
        """Take off the leftovers what has its file, or its JSON, in another root; returns memories here with their JSON there."""
        if not held.namesakes:
            return []
        if held.namesakes not in self._across:
            self._across[held.namesakes] = across(held.namesakes, self._memory_of)
        found = self._across[held.namesakes]
        here = {name: json for name in owners if (json := found.of.get(os.path.join(folder, name)))}
        of_namesakes = set(found.of.values())
        paired.orphans = [name for name in paired.orphans if os.path.join(folder, name) not in of_namesakes]
        described = {stem_of(name).key for name in here}
        paired.bare = [name for name in paired.bare if stem_of(name).key not in described]
        links = [(owner, here[name]) for name, owner in owners.items() if owner and name in here]
        if found.album:
            links += [
                (owner, found.album)
                for name, owner in owners.items()
                if owner and (name in here or paired.of.get(name))
            ]
        return links

    def _take_from_years(self, folder: str, held: Held, paired: Paired) -> list[tuple[str, str]]:
        """Take off the leftovers an album's JSON files whose pictures lie only in the folder of their year.

        Returns those pictures' memories, each with that JSON and with the album's own.
        """
        jsons = [name for name in paired.orphans if name.casefold().endswith(".json")]
        if not jsons or not (held.years or held.far_years):
            return []
        albums = [file.path for file in (*held.sidecars, *held.beside) if is_json(file) and album_in(file.path)]
        links = []
        for name in jsons:
            path = os.path.join(folder, name)
            if owner := in_years(path, held.years, held.far_years, self._memory_of):
                paired.orphans.remove(name)
                links += [(owner, each) for each in (path, *albums)]
        return links

    def _memory_of(self, path: str) -> str | None:
        record = self.library.files.by_path(path)
        return record.memory_id if record else None

    def hidden_sidecars(self, folder: str) -> list[SidecarOf]:
        """What describes something in a folder and lies where nobody can look now."""
        return [each for each in self.library.sidecars.in_folder(folder) if self.sight.is_hidden(each.path)]

    def _is_used(self, path: str) -> bool:
        """Whether a sidecar describes something in a folder where nobody can look now."""
        return any(self.sight.is_hidden(folder) for folder in self.library.sidecars.folders_using(path))


def _distance(path: str, file_names: Sequence[str]) -> int:
    """How closely a sidecar names what it describes: the whole name, the name without extension, the folder."""
    name = name_key(os.path.basename(path))
    if any(name.startswith(name_key(file)) for file in file_names):
        return 0
    return 2 if picasa.is_picasa(name) else 1
