"""Moves a root to where its folder lies now: another drive letter, mount point or computer. Every memory keeps everything.

Only paths change, in one transaction; the next scan finds each file with the size and time it knows, so nothing is read again.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from core.capture.scan import is_inside, readable_folder
from core.errors import RequestError
from core.records import FileState, Root, SourceFile
from core.store.library import Library
from core.text_keys import printable

_LOOKED_AT = 500
_ENOUGH = 0.5
"""A person may have tidied up on the way; a folder that holds less than half of the known files is probably another one."""


@dataclass(frozen=True, slots=True)
class Relocated:
    """A root in its new place.

    Attributes:
        old: where it was.
        files: how many known files moved with it.
        looked_at, recognised: of how many files it was checked that they are there, and how many are.
    """

    root: Root
    old: str
    files: int
    looked_at: int
    recognised: int


def relocate(library: Library, old: str, new: Path) -> Relocated:
    """Say that the root `old` is now at `new`. `old` need not exist, and may be written as another system writes paths.

    Raises:
        PhotoMissingError: there is nothing at `new`.
        PhotoUnreadableError: `new` may not be read.
        RequestError: `old` is no root; or `new` is no folder, a part of the library already, or holds too few of the known files.
    """
    root = _root_at(library, old)
    folder = readable_folder(library, new)
    _refuse_known(library, root, folder)
    moved = [(file, moved_path(file.path, root.path, folder)) for file in library.files.of_root(root.id)]
    looked_at, recognised = _recognised(moved)
    if recognised < _ENOUGH * looked_at:
        raise RequestError(
            f"{printable(str(new))} does not look like {printable(root.path)}: of {looked_at} of its files only {recognised} are there.",
            "Name the folder that holds what the old one held; to take in a different folder, use `madeleine add`.",
        )
    files = library.files.relocate_root(root.id, folder, lambda path: moved_path(path, root.path, folder))
    return Relocated(Root(root.id, folder, True), root.path, files, looked_at, recognised)


def _root_at(library: Library, old: str) -> Root:
    roots = library.files.roots()
    wanted = {
        _plain(old),
        _plain(os.path.abspath(os.path.expanduser(old))),
        _plain(os.path.realpath(os.path.expanduser(old))),
    }
    for root in roots:
        if _plain(root.path) in wanted:
            return root
    known = ", ".join(printable(root.path) for root in roots)
    raise RequestError(
        f"{printable(old)} is not a folder of the library.",
        f"Its folders are: {known}." if known else "The library has no folders yet; use `madeleine add`.",
    )


def _refuse_known(library: Library, root: Root, folder: str) -> None:
    for other in library.files.roots():
        if other.id != root.id and is_inside(folder, other.path):
            raise RequestError(
                f"{printable(folder)} lies in {printable(other.path)}, which is in the library already.",
                "Nothing needs to be moved: `madeleine process` recognises the files there by their content.",
            )
    if folder == root.path:
        raise RequestError(
            f"The library knows {printable(folder)} at this place already.", "Nothing needs to be moved."
        )


def _recognised(moved: list[tuple[SourceFile, str]]) -> tuple[int, int]:
    """Of how many files it was looked, and how many lie at their new path with the size that is known."""
    files = [each for each in moved if each[0].sha256 and each[0].state is FileState.PRESENT]
    step = max(1, len(files) // _LOOKED_AT)
    sample = files[::step]
    return len(sample), sum(_has_size(path, file.size_bytes) for file, path in sample)


def _has_size(path: str, size_bytes: int) -> bool:
    try:
        return os.stat(path, follow_symlinks=False).st_size == size_bytes
    except OSError:
        return False


def moved_path(path: str, old_root: str, new_root: str) -> str:
    """The path under the new root; the old one may be written with the separators of another system."""
    inside = path[len(old_root) :]
    if _is_of_windows(old_root):
        inside = inside.replace("\\", "/")
    return os.path.join(new_root, *[part for part in inside.split("/" if _is_of_windows(old_root) else os.sep) if part])


def _is_of_windows(path: str) -> bool:
    return path[1:3] == ":\\" or path.startswith("\\\\")


def _plain(path: str) -> str:
    """A path for comparison: without a separator at its end; case counts only where the system says so."""
    if _is_of_windows(path):
        return path.rstrip("\\").casefold()
    return os.path.normcase(path).rstrip("/") or "/"
