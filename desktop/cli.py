"""The command line: the same engine as the window, for scripts, tests and people who like to type."""

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from core.errors import AppError, RequestError
from core.text_keys import printable
from desktop import (
    cli_ask,
    cli_demo,
    cli_edit,
    cli_events,
    cli_feedback,
    cli_graph,
    cli_library,
    cli_models,
    cli_options,
    cli_people,
)
from desktop.build import home_at
from desktop.terminal import Terminal

OpenWindow = Callable[[Path], int]
SaveScreenshot = Callable[[Path, Path], None]


def main(argv: Sequence[str], open_window: OpenWindow, save_screenshot: SaveScreenshot) -> int:
    """Run one command and return the exit code: 0 done, 1 it could not be done (said why), 2 wrong usage, 130 stopped.

    Args:
        argv: the words after the program's name; none opens the window.
        open_window: shows the window over a home folder and returns its exit code.
        save_screenshot: draws the window over a home folder into a PNG file.
    """
    options = _parser().parse_args(list(argv))
    terminal = Terminal(as_json=options.json)
    logging.basicConfig(level=logging.ERROR, format="%(message)s", stream=sys.stderr)
    try:
        home = home_at(options.home)
        if options.command is None:
            if not (cli_demo.has_display() or os.environ.get("QT_QPA_PLATFORM")):
                raise RequestError("There is no display for the window.", "The commands need none: madeleine --help")
            return open_window(home.folder)
        if options.command == "demo":
            return cli_demo.run(options, terminal, open_window, save_screenshot)
        code: int = options.run(options, home, terminal)
    except AppError as error:
        terminal.error(error)
        return 1
    except KeyboardInterrupt:
        terminal.note("Stopped. What was done is kept; run the same command to go on.")
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # the reader went away (`| head`): nothing is wrong
        return 0
    except OSError as error:  # the disk, at a place that knows nothing better to say
        terminal.error(_of_the_system(error))
        return 1
    return code


def _of_the_system(error: OSError) -> AppError:
    name = printable(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else "A file or folder"
    return AppError(
        f"{name} could not be used ({error.strerror or error}).",
        "Check its disk and its permissions, then run the command again; what was done is kept.",
    )


def _common() -> argparse.ArgumentParser:
    """What may stand before and after a command's name.

    Made anew for each: parsers that share an option share its default, and a command would reset what was said before its name.
    """
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
    common.add_argument(
        "--home",
        type=cli_library.some_path,
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="the library's folder (else MADELEINE_HOME)",
    )
    return common


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="madeleine",
        description="Understands your own pictures on your own computer. Without a command it opens the window.",
        parents=[_common()],
    )
    parser.add_argument("--version", action="version", version=f"madeleine {version('madeleine')}")
    parser.set_defaults(json=False, home=None, run=None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=summary, description=summary, parents=[_common()])

    for module in (
        cli_library,
        cli_ask,
        cli_feedback,
        cli_events,
        cli_edit,
        cli_people,
        cli_graph,
        cli_models,
        cli_options,
        cli_demo,
    ):
        module.add_commands(add)
    return parser
