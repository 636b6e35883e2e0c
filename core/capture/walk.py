"""Walks the folders of a root without being led astray: no symbolic links, no loops, no junk, no stop at a locked door."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from core.capture.exclusions import NOTHING_EXCLUDED, Exclusions, is_junk_file, is_junk_folder, is_package
from core.capture.export_parts import is_icloud_list
from core.capture.formats import MEDIA_SUFFIXES, OTHER_SUFFIXES
from core.capture.icloud import is_details
from core.capture.picasa import is_picasa
from core.capture.placeholders import HAS_DATALESS_FOLDERS, is_dataless, stub_of


class SeenFile(NamedTuple):
    """A regular file; its path may hold undecodable bytes as surrogates."""

    path: str
    name: str
    size_bytes: int
    modified_ns: int
    is_online_only: bool = False


@dataclass(slots=True)
class Walk:
    """One walk through a root. Iterate `files`; afterwards the other attributes are complete.

    Attributes:
        packages: paths of other programs' libraries, not entered.
        closed: folders (and files) that could not be read, with the system's reason.
        sidecars: files that may describe others; they are no memories themselves.
        entries: how many names the root folder itself holds; 0 may mean an empty mount point.
    """

    root: str
    leave_out: frozenset[str] = frozenset()
    exclusions: Exclusions = NOTHING_EXCLUDED
    packages: list[str] = field(default_factory=list)
    closed: dict[str, str] = field(default_factory=dict)
    sidecars: list[SeenFile] = field(default_factory=list)
    entries: int = 0
    _visited: set[tuple[int, int]] = field(default_factory=set)

    def files(self) -> Iterator[SeenFile]:
        """Every regular file that may be a memory, folder by folder in the order of names."""
        waiting = [self.root]
        while waiting:
            folder = waiting.pop()
            inner: list[str] = []
            for entry in self._listed(folder):
                if (file := self._file(entry, inner)) is not None:
                    yield file
            waiting.extend(reversed(inner))

    def is_hidden(self, path: str) -> bool:
        """Whether the walk could not look where this path is: its absence proves nothing."""
        return any(path == closed or path.startswith(os.path.join(closed, "")) for closed in self.closed)

    def _listed(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            about = os.stat(folder, follow_symlinks=False)
            here = (about.st_dev, about.st_ino)
            if about.st_ino and here in self._visited:  # a bind mount or a junction that leads back
                return []
            self._visited.add(here)
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.closed[folder] = error.strerror or str(error)
            return []
        if folder == self.root:
            self.entries = len(found)
        return found

    def _file(self, entry: os.DirEntry[str], inner: list[str]) -> SeenFile | None:
        """The file that an entry is; a folder to enter goes into `inner`."""
        if self.exclusions and self.exclusions.match(entry.path, self.root):
            return None
        try:
            if _is_medium(entry.name) and entry.is_file(follow_symlinks=False):  # nearly every entry of a library
                return _seen(entry)
            if entry.is_dir(follow_symlinks=False):
                self._enter(entry, inner)
            elif entry.is_file(follow_symlinks=False):
                if _is_sidecar(entry.name) or is_icloud_list(entry.path):
                    file = _seen(entry)
                    if not file.is_online_only:
                        self.sidecars.append(file)
                elif not _is_left_alone(entry.name):
                    return _seen(entry)
                elif stub := stub_of(entry.name):
                    path = os.path.join(os.path.dirname(entry.path), stub)
                    return SeenFile(path, stub, 0, 0, True) if not _is_left_alone(stub) else None
        except OSError as error:
            self.closed[entry.path] = error.strerror or str(error)
        return None

    def _enter(self, entry: os.DirEntry[str], inner: list[str]) -> None:
        if is_package(entry.name):
            self.packages.append(entry.path)
        elif HAS_DATALESS_FOLDERS and is_dataless(entry.stat(follow_symlinks=False)):
            self.closed[entry.path] = "it is kept online only; looking into it would download it"
        elif entry.path not in self.leave_out and not is_junk_folder(entry.name):
            inner.append(entry.path)


def _seen(entry: os.DirEntry[str]) -> SeenFile:
    about = entry.stat(follow_symlinks=False)
    return SeenFile(entry.path, entry.name, about.st_size, about.st_mtime_ns, is_dataless(about))


def _is_medium(name: str) -> bool:
    """Whether a name is that of a picture, video or recording and nothing else: seen at a glance, as most are."""
    return name[0] not in ".~" and name[name.rfind(".") :].lower() in MEDIA_SUFFIXES


def _is_sidecar(name: str) -> bool:
    if is_picasa(name):
        return True
    return not is_junk_file(name) and (name.casefold().endswith((".xmp", ".json")) or is_details(name))


def _is_left_alone(name: str) -> bool:
    return is_junk_file(name) or os.path.splitext(name)[1].casefold() in OTHER_SUFFIXES
