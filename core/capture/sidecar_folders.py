"""Says what each folder can see when its sidecars are paired: its own files, those of its export's other parts, years and namesakes."""

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core.capture import takeout
from core.capture.export_parts import export_of, folder_name, is_icloud_list, is_year, part_key, photos_of_list
from core.capture.sidecar_pairs import title_in
from core.capture.stems import name_key
from core.capture.walk import SeenFile, Walk
from core.records import Root

RULES_VERSION = "3"


@dataclass(frozen=True, slots=True)
class RootView:
    """A root as a scan saw it, online."""

    root: Root
    seen: Mapping[str, SeenFile]
    walk: Walk


@dataclass(eq=False)
class Part:
    """The media and the JSON files of one folder, in all parts of an export that lie beside each other."""

    roots: set[str] = field(default_factory=set)
    media: list[SeenFile] = field(default_factory=list)
    jsons: list[SeenFile] = field(default_factory=list)

    @cached_property
    def digest(self) -> str:
        """Changes with the name, size or time of anything here."""
        return digest_of((*self.media, *self.jsons))

    @cached_property
    def described(self) -> Mapping[str, str]:
        """By name of a file, the path of the JSON here that describes it."""
        paths = {file.name: file.path for file in self.jsons}
        matched = takeout.match([file.name for file in self.media], list(paths), lambda name: title_in(paths[name]))
        return {name: paths[json] for name, json in matched.items()}

    def titled(self, title: str) -> list[tuple[SeenFile, str]]:
        """The files here that may have been made from one of this title, each with the path of its JSON, or empty."""
        found = dict.fromkeys(self._by_title.get(name_key(title), ()))
        if takeout.is_long(title):
            found |= dict.fromkeys(file for file in self._long if takeout.may_be_titled(file.name, title))
        return [(file, self.described.get(file.name, "")) for file in found]

    @cached_property
    def _by_title(self) -> Mapping[str, list[SeenFile]]:
        index: dict[str, list[SeenFile]] = defaultdict(list)
        for file in self.media:
            for title in takeout.titles_of(file.name):
                index[title].append(file)
        return index

    @cached_property
    def _long(self) -> Sequence[SeenFile]:
        return [file for file in self.media if takeout.is_long(file.name)]


@dataclass(slots=True)
class Held:
    """What a folder holds, and what it can see.

    Attributes:
        beside: sidecars in the folders that belong to the same one of an export; `elsewhere`: their media.
        namesakes: folders of its name in all roots, its own part among them; empty where only one root has them.
        years: the year folders of its export, where the pictures of its albums lie.
        far_years: those of the other roots.
    """

    root: Root
    media: list[SeenFile] = field(default_factory=list)
    sidecars: list[SeenFile] = field(default_factory=list)
    beside: list[SeenFile] = field(default_factory=list)
    elsewhere: list[SeenFile] = field(default_factory=list)
    namesakes: Sequence[Part] = ()
    years: Sequence[Part] = ()
    far_years: Sequence[Part] = ()

    @property
    def is_in_sight(self) -> bool:
        """Whether a sidecar of anything here may lie in sight."""
        return bool(self.sidecars or self.beside or (self.media and any(part.jsons for part in self.namesakes)))

    @property
    def digest(self) -> str:
        """Changes with the name, size or time of anything in sight."""
        own = digest_of((*self.media, *self.sidecars, *self.beside, *self.elsewhere))
        far = [sorted(part.digest for part in parts) for parts in (self.namesakes, self.years, self.far_years)]
        return _hash(f"{RULES_VERSION}\0{own}\0{far}")


def stamp(file: SeenFile) -> str:
    """Changes with the file's content."""
    return f"{file.size_bytes}:{file.modified_ns}"


def digest_of(files: Iterable[SeenFile]) -> str:
    """Changes with the path, size or time of any of these files."""
    return _hash("\0".join(sorted(f"{file.path}\0{stamp(file)}" for file in files)))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def is_json(file: SeenFile) -> bool:
    """Whether it may be one of a Takeout's."""
    return file.name.casefold().endswith(".json")


def folders(views: Sequence[RootView], known: Mapping[str, Root]) -> dict[str, Held]:
    """What each folder holds and sees that has a sidecar, had one (`known`), or belongs to one that has."""
    found: dict[str, Held] = {folder: Held(root) for folder, root in known.items()}
    of_part: dict[str, list[SeenFile]] = defaultdict(list)
    jsons: list[tuple[Root, SeenFile]] = []
    for view in views:
        for file in view.walk.sidecars:
            folder = os.path.dirname(file.path)
            if is_icloud_list(file.path):
                found.setdefault(photos_of_list(file.path), Held(view.root)).beside.append(file)
                continue
            found.setdefault(folder, Held(view.root)).sidecars.append(file)
            if is_json(file):
                jsons.append((view.root, file))
            if key := part_key(folder):
                of_part[key].append(file)
    if found:
        takeouts = _Takeouts(jsons, len(views) > 1)
        _add_media(found, views, of_part, takeouts)
        takeouts.show(found)
    return found


def _add_media(
    found: dict[str, Held], views: Sequence[RootView], of_part: Mapping[str, list[SeenFile]], takeouts: "_Takeouts"
) -> None:
    keys: dict[str, str] = {}
    media_of_part: dict[str, list[SeenFile]] = defaultdict(list)
    for view in views:
        for file in view.seen.values():
            folder = os.path.dirname(file.path)
            if folder not in keys:
                keys[folder] = part_key(folder) if of_part else ""
            if keys[folder] in of_part:
                found.setdefault(folder, Held(view.root))
                media_of_part[keys[folder]].append(file)
            if takeouts.take(view.root, folder, file):
                found.setdefault(folder, Held(view.root))
            if held := found.get(folder):
                held.media.append(file)
    for folder, held in found.items():
        if (key := keys.get(folder) or part_key(folder)) in of_part:
            held.beside += [file for file in of_part[key] if os.path.dirname(file.path) != folder]
            held.elsewhere += [file for file in media_of_part[key] if os.path.dirname(file.path) != folder]


class _Takeouts:
    """The folders of the library that have a JSON, or may have theirs in another root or in an album."""

    def __init__(self, jsons: Sequence[tuple[Root, SeenFile]], has_many_roots: bool) -> None:
        self._parts: dict[str, Part] = defaultdict(Part)
        self._places: dict[str, tuple[str, str, bool]] = {}  # by folder: its name, its part, whether it is a year's
        self._roots_of_name: dict[str, set[str]] = defaultdict(set)
        self._has_many_roots = has_many_roots
        self._has_jsons = bool(jsons)
        for root, file in jsons:
            name, key, _ = self._place(root, os.path.dirname(file.path))
            self._roots_of_name[name].add(root.id)
            self._parts[key].jsons.append(file)
            self._parts[key].roots.add(root.id)

    def take(self, root: Root, folder: str, file: SeenFile) -> bool:
        """Note a medium where its JSON may lie elsewhere; returns whether its folder has to be looked through for that."""
        if not self._has_jsons:
            return False
        name, key, is_years = self._place(root, folder)
        is_far = self._has_many_roots and bool(self._roots_of_name.get(name, set()) - {root.id})
        if is_far or is_years or key in self._parts:
            self._parts[key].media.append(file)
            self._parts[key].roots.add(root.id)
        return is_far

    def show(self, found: Mapping[str, Held]) -> None:
        """Let each folder see its namesakes and its years."""
        by_name: dict[str, set[Part]] = defaultdict(set)
        by_export: dict[str, set[Part]] = defaultdict(set)
        for folder, (name, key, is_years) in self._places.items():
            if key in self._parts:
                by_name[name].add(self._parts[key])
                if is_years:
                    by_export[export_of(folder)].add(self._parts[key])
        every_year = set().union(*by_export.values())
        for folder, held in found.items():
            if folder not in self._places:
                continue
            name, _, is_years = self._places[folder]
            parts = by_name[name]
            if any(part.jsons for part in parts) and len(set().union(*(part.roots for part in parts))) > 1:
                held.namesakes = tuple(parts)
            if not is_years and any(is_json(file) for file in held.sidecars):
                own = by_export.get(export_of(folder), set())
                held.years = tuple(own)
                held.far_years = tuple(part for part in every_year - own if held.root.id not in part.roots)

    def _place(self, root: Root, folder: str) -> tuple[str, str, bool]:
        if folder not in self._places:
            self._places[folder] = (folder_name(folder, root.path), part_key(folder) or folder, is_year(folder))
        return self._places[folder]
