"""Tells files whose content lies in somebody's cloud: opening one would download it, so nothing of ours opens it."""

import os
import re
import sys

HAS_DATALESS_FOLDERS = sys.platform == "darwin"
"""Only there a folder can be a placeholder too: even listing it downloads."""

# Windows: OneDrive, Dropbox, iCloud and others mark their files on demand; a tape archive's are OFFLINE
_OFFLINE, _RECALL_ON_OPEN, _RECALL_ON_DATA_ACCESS = 0x1000, 0x40000, 0x400000
_WINDOWS = _OFFLINE | _RECALL_ON_OPEN | _RECALL_ON_DATA_ACCESS
_SF_DATALESS = 0x40000000
_ICLOUD_STUB = re.compile(r"\.(.+)\.icloud")


def is_dataless(about: os.stat_result) -> bool:
    """Whether a file is a placeholder, by what `os.stat` says of it; Linux has no such mark, and nothing is guessed there."""
    if getattr(about, "st_file_attributes", 0) & _WINDOWS:
        return True
    return bool(sys.platform == "darwin" and getattr(about, "st_flags", 0) & _SF_DATALESS)


def stub_of(name: str) -> str:
    """The name of the file that an iCloud stub (`.IMG_1.HEIC.icloud`) stands for; empty when it is no stub."""
    found = _ICLOUD_STUB.fullmatch(name)
    return found[1] if found else ""
