"""What a scan leaves out: the leavings of systems and other programs, packages of other photo programs, and what the person excluded."""

import fnmatch
import os
import re
from collections.abc import Iterable

_FOLDERS = frozenset(
    {"@eadir", "@recycle", "#recycle", "#snapshot", "$recycle.bin", "system volume information", "lost+found", "__macosx",
     "node_modules", "__pycache__"}
)  # fmt: skip
_FILES = frozenset({"thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini", "picasa.ini", "icon\r"})
_BEGINNINGS = (".", "~$")
_ENDINGS = (".tmp", ".part", ".crdownload")
_PACKAGES = frozenset(
    {"photoslibrary", "photolibrary", "aplibrary", "migratedphotolibrary", "migratedaplibrary", "photoboothlibrary", "imovielibrary",
     "imovieproject", "rcproject", "fcpbundle", "theater", "tvlibrary", "musiclibrary", "lrdata", "lrlibrary", "lrcat-data", "cocatalog",
     "logicx", "app", "appex", "framework", "sparsebundle"}
)  # fmt: skip

ALWAYS = (
    *(f"{beginning}*" for beginning in _BEGINNINGS),
    *(f"*{ending}" for ending in _ENDINGS),
    *sorted(_FILES - {"icon\r"}),
    *sorted(f"{folder}/" for folder in _FOLDERS),
    *sorted(f"*.{package}/" for package in _PACKAGES),
)
"""What is left out without being asked, as patterns a person can read; folders end in a slash."""


def is_junk_file(name: str) -> bool:
    """Whether a file of this name is never a memory: hidden, a trash can's, a thumbnail cache's, unfinished."""
    lowered = name.casefold()
    return lowered in _FILES or lowered.startswith(_BEGINNINGS) or lowered.endswith(_ENDINGS)


def is_junk_folder(name: str) -> bool:
    """Whether a folder of this name is never entered."""
    return name.casefold() in _FOLDERS or name.startswith(".")


def is_package(name: str) -> bool:
    """Whether a folder of this name is the library of another program: one item, not a folder."""
    return "." in name and name.casefold().rpartition(".")[2] in _PACKAGES


class Exclusions:
    """What the person excluded: folders and files by their path, names by a pattern (`*.tmp`), places in a root (`Drafts/*`).

    Letter case does not count: the same library may lie on a disk that does not know it.
    """

    def __init__(self, patterns: Iterable[str] = ()) -> None:
        paths, names, inner = [], [], []
        for pattern in patterns:
            plain = os.path.expanduser(pattern.strip())
            if os.path.isabs(plain):
                paths.append(_slashed(os.path.normpath(plain)))
            elif "/" in _slashed(plain).strip("/"):
                inner.append(_slashed(plain).strip("/"))
            elif plain:
                names.append(_slashed(plain).strip("/"))
        self._paths = tuple(paths)
        self._names = _any_of(names)
        self._inner = _any_of([part for pattern in inner for part in (pattern, f"*/{pattern}")])

    def __bool__(self) -> bool:
        return bool(self._paths or self._names or self._inner)

    def match(self, path: str, root: str) -> bool:
        """Whether a file or folder that a walk meets is excluded; what lies in an excluded folder is not met."""
        plain = _slashed(path)
        name = plain.rpartition("/")[2]
        if self._names is not None and self._names.match(name):
            return True
        if self._inner is not None and self._inner.match(plain[len(_slashed(root)) :].strip("/")):
            return True
        return bool(self._paths) and any(plain == each or plain.startswith(f"{each}/") for each in self._paths)

    def covers(self, path: str, root: str) -> bool:
        """Whether a path, or a folder between it and its root, is excluded."""
        while len(path) > len(root):
            if self.match(path, root):
                return True
            path = os.path.dirname(path)
        return self.match(root, root)


def _any_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    found = [fnmatch.translate(pattern) for pattern in patterns]
    return re.compile("|".join(found), re.IGNORECASE) if found else None


def _slashed(path: str) -> str:
    return path.replace("\\", "/").casefold() if os.sep == "\\" else path.casefold()


PACKAGE_HINT = "This is another program's library; export the pictures from it and add the folder they land in."
"""What the person can do about a package."""

NOTHING_EXCLUDED = Exclusions()
