"""The closed list of what a scan leaves out: the leavings of systems and of other programs, and packages of other photo programs."""

_FOLDERS = frozenset(
    {"@eadir", "@recycle", "#recycle", "#snapshot", "$recycle.bin", "system volume information", "lost+found", "__macosx",
     "node_modules", "__pycache__"}
)  # fmt: skip
_FILES = frozenset({"thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini", "picasa.ini", "icon\r"})
_BEGINNINGS = (".", "~$")
_ENDINGS = (".tmp", ".part", ".crdownload")
_PACKAGES = frozenset(
    {"photoslibrary", "photolibrary", "aplibrary", "migratedphotolibrary", "migratedaplibrary", "imovielibrary", "fcpbundle",
     "theater", "tvlibrary", "musiclibrary", "lrdata", "lrlibrary", "cocatalog", "app"}
)  # fmt: skip


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


PACKAGE_HINT = "This is another program's library; export the pictures from it and add the folder they land in."
"""What the person can do about a package."""
