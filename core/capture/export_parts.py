"""Says which folders of an export belong together: a Takeout in several archives, and the albums beside an iCloud export's photos."""

import os
import re

_PART = re.compile(r"^takeout(?:$|[^a-z])", re.IGNORECASE)
_LISTS = frozenset({"albums", "memories"})
_OF_PHOTOS = "photos"


def part_key(folder: str) -> str:
    """The same for one folder of an export in all its parts ("Takeout/…", "Takeout 2/…", "takeout-2023…-003/Takeout/…"); else empty."""
    steps = folder.split(os.sep)
    rest = [step for step in steps if not _PART.match(step)]
    return os.sep.join(rest).casefold() if len(rest) < len(steps) else ""


def is_icloud_list(path: str) -> bool:
    """Whether a file is the list of an iCloud album: a table in the folder of albums beside the one of photos."""
    folder, name = os.path.split(path)
    return name.casefold().endswith(".csv") and os.path.basename(folder).casefold() in _LISTS


def photos_of_list(path: str) -> str:
    """The folder whose photos such a list names."""
    return os.path.join(os.path.dirname(os.path.dirname(path)), _OF_PHOTOS.capitalize())
