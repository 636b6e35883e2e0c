"""Shows a file in the system's file manager."""

import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices


def reveal(path: str) -> None:
    """Open the folder of a file, with the file selected where the system can do that; the nearest folder that is there."""
    found = Path(path)
    while not found.exists() and found != found.parent:
        found = found.parent
    if sys.platform == "win32":
        QProcess.startDetached("explorer", ["/select,", str(found)])
    elif sys.platform == "darwin":
        QProcess.startDetached("/usr/bin/open", ["-R", str(found)])
    else:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(found if found.is_dir() else found.parent)))
