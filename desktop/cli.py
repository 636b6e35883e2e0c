"""The command line: the same engine as the window, for scripts, tests and people who like to type."""

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from core.errors import AppError
from desktop import cli_ask, cli_demo, cli_edit, cli_library, cli_models
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
    home = home_at(options.home)
    if options.command is None:
        return open_window(home.folder)
    terminal = Terminal(as_json=options.json)
    logging.basicConfig(level=logging.ERROR, format="%(message)s", stream=sys.stderr)
    try:
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
    return code


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
    common.add_argument(
        "--home", metavar="DIR", default=argparse.SUPPRESS, help="the library's folder (else MADELEINE_HOME)"
    )
    parser = argparse.ArgumentParser(
        prog="madeleine",
        description="Understands your own pictures on your own computer. Without a command it opens the window.",
        parents=[common],
    )
    parser.set_defaults(json=False, home=None, run=None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=summary, description=summary, parents=[common])

    for module in (cli_library, cli_ask, cli_edit, cli_models, cli_demo):
        module.add_commands(add)
    return parser
