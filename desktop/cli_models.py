"""Commands about models: list, get, add, remove, check, speed."""

import argparse
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from core.jobs import run_to_end
from core.offline import forbid_network
from core.paths import Home
from desktop.model_shelf import ModelShelf
from desktop.terminal import Terminal
from models.weights import FileState

AddCommand = Callable[[str, str], argparse.ArgumentParser]


def add_commands(add: AddCommand) -> None:
    """Register the commands."""
    command = add("models", "list models, get them, or bring them in from a folder")
    command.add_argument(
        "action", nargs="?", choices=("list", "get", "add", "remove", "check", "speed"), default="list"
    )
    command.add_argument("names", nargs="*", metavar="ID|PATH")
    command.add_argument(
        "--accept-licence", action="store_true", help="you have read the licence of the model and accept it"
    )
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    shelf = ModelShelf(home.models)
    return _ACTIONS[options.action](shelf, options, terminal)


def _list(shelf: ModelShelf, options: argparse.Namespace, terminal: Terminal) -> int:
    entries = [entry for entry in shelf.entries() if not options.names or entry.id in options.names]
    lines = []
    for entry in entries:
        state = "installed" if entry.installed else "" if entry.installable else f"not installable: {entry.reason}"
        if entry.scripts:
            state = f"{state}  reads {', '.join(entry.scripts)} letters".strip()
        lines.append(
            f"{entry.id:36} {entry.roles:14} {entry.tier:9} {entry.size_bytes / 1e6:8,.0f} MB  {entry.licence:16} {state}".rstrip()
        )
    terminal.result([asdict(entry) for entry in entries], "\n".join(lines))
    return 0


def _speed(shelf: ModelShelf, options: argparse.Namespace, terminal: Terminal) -> int:
    forbid_network()
    terminal.note("Measuring the installed models on this computer; this takes a minute or two …")
    found = list(shelf.speeds())
    lines = [f"{each.model_id:36} {each.role:14} {each.sentence}  {each.problem}".rstrip() for each in found]
    values = [{**asdict(each), "an_hour": each.an_hour, "sentence": each.sentence} for each in found]
    terminal.result(values, "\n".join(lines))
    return 0


def _get(shelf: ModelShelf, options: argparse.Namespace, terminal: Terminal) -> int:
    for name in options.names:
        run_to_end(shelf.fetch(name, accept_licence=options.accept_licence, cancelled=lambda: False), terminal.news)
        terminal.note(f"{name} is ready.")
    terminal.result(
        {"ready": options.names}, "Done." if options.names else "Name the models to get: madeleine models list"
    )
    return 0 if options.names else 2


def _add(shelf: ModelShelf, options: argparse.Namespace, terminal: Terminal) -> int:
    added = shelf.add([Path(os.path.expanduser(name)).absolute() for name in options.names])
    lines = [f"{model_id} is ready." for model_id in added.installed]
    lines += [f"{model_id} still lacks {', '.join(missing)}." for model_id, missing in added.incomplete]
    lines += [f"{path} belongs to no model of the catalogue." for path in added.unknown]
    terminal.result(
        {
            "installed": list(added.installed),
            "incomplete": {model_id: list(missing) for model_id, missing in added.incomplete},
            "unknown": [str(path) for path in added.unknown],
        },
        "\n".join(lines) or "Nothing to add.",
    )
    return 0 if added.installed else 1


def _remove(shelf: ModelShelf, options: argparse.Namespace, terminal: Terminal) -> int:
    for name in options.names:
        shelf.remove(name)
    terminal.result(
        {"removed": options.names},
        f"Removed {', '.join(options.names)}." if options.names else "Name the models to remove.",
    )
    return 0 if options.names else 2


def _check(shelf: ModelShelf, options: argparse.Namespace, terminal: Terminal) -> int:
    checked = shelf.check(options.names)
    bad = [each for each in checked if each.state is not FileState.WHOLE]
    lines = [f"{each.model_id}/{each.name}: {each.state}" for each in checked]
    if bad:
        lines.append(
            "Get the damaged models again: "
            + " ".join(dict.fromkeys(f"madeleine models get {each.model_id}" for each in bad))
        )
    terminal.result([asdict(each) for each in checked], "\n".join(lines) or "No model is installed.")
    return 1 if bad else 0


_ACTIONS = {"list": _list, "get": _get, "add": _add, "remove": _remove, "check": _check, "speed": _speed}
