"""Starts Madeleine: the window without arguments, the command line with them."""

import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from core.offline import forbid_network


def main(argv: Sequence[str] | None = None) -> int:
    """The program; returns its exit code."""
    multiprocessing.freeze_support()
    # read by libraries at import: none of them may look for a newer model on a hub
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    forbid_network()
    from desktop.cli import main as command_line  # after the environment is set

    return command_line(sys.argv[1:] if argv is None else argv, _open_window, _save_screenshot)


def _open_window(home: Path) -> int:
    from desktop.app import run  # Qt is loaded only for the window: the command line works without it

    return run(home)


def _save_screenshot(home: Path, picture: Path) -> None:
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # Qt ends the program when it finds no screen
    from desktop.app import save_screenshot  # as above

    save_screenshot(home, picture)


if __name__ == "__main__":
    sys.exit(main())
