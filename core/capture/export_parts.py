"""Says which folders of an export belong together: a Takeout in several archives, and the albums beside an iCloud export's photos."""

import os
import re

from core.capture.stems import name_key
from core.capture.takeout import YEAR_FOLDER

_PART = re.compile(r"^takeout(?:$|[^a-z])", re.IGNORECASE)
_LISTS = frozenset({"albums", "memories"})
_OF_PHOTOS = "photos"


def part_key(folder: str) -> str:
    """The same for one folder of an export in all its parts ("Takeout/…", "Takeout 2/…", "takeout-2023…-003/Takeout/…"); else empty."""
    steps = folder.split(os.sep)
    rest = [step for step in steps if not _PART.match(step)]
    return os.sep.join(rest).casefold() if len(rest) < len(steps) else ""


def export_of(folder: str) -> str:
    """The same for all folders of one export."""
    return os.path.dirname(part_key(folder) or folder)


def folder_name(folder: str, root: str) -> str:
    """The name by which a folder is known in another root; empty for what an export, or a root, holds at its top."""
    name = os.path.basename(folder)
    if _PART.match(name) or (folder == root and not is_year(folder)):
        return ""
    return name_key(name)


def is_year(folder: str) -> bool:
    """Whether it is the folder of all pictures of a year in a Takeout ("Photos from 2019", in the person's language)."""
    return YEAR_FOLDER.match(os.path.basename(folder)) is not None


def is_icloud_list(path: str) -> bool:
    """Whether a file is the list of an iCloud album: a table in the folder of albums beside the one of photos."""
    folder, name = os.path.split(path)
    return name.casefold().endswith(".csv") and os.path.basename(folder).casefold() in _LISTS


def photos_of_list(path: str) -> str:
    """The folder whose photos such a list names."""
    return os.path.join(os.path.dirname(os.path.dirname(path)), _OF_PHOTOS.capitalize())
