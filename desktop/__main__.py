"""Starts Madeleine: the window without arguments, the command line with them."""

import multiprocessing
import os
import sys
import tempfile
import traceback
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

    try:
        return command_line(sys.argv[1:] if argv is None else argv, _open_window, _save_screenshot)
    except Exception:  # noqa: BLE001 - a bug of ours: the person gets a sentence, whoever mends it the rest
        print(f"madeleine: {_kept(traceback.format_exc())}", file=sys.stderr)
        return 1


def _kept(trace: str) -> str:
    """Write down where the program stumbled, outside any library; returns what to tell the person."""
    said = "Something went wrong inside Madeleine. Your library and your pictures are kept as they were."
    try:
        descriptor, path = tempfile.mkstemp(prefix="madeleine-", suffix=".log", text=True)
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(trace)
    except OSError:
        return f"{said}\n{trace}"
    return f"{said} What happened is written in {path}; please send it to us."


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
