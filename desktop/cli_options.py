"""Commands about the whole library's options: settings, folders, exclusions, privacy, places."""

import argparse
from collections.abc import Callable

from core.counted import counted
from core.engine import Engine
from core.errors import RequestError
from core.paths import Home
from core.records import MemoryFilter
from core.settings import as_text
from core.text_keys import printable
from desktop.build import opened
from desktop.cli_library import some_path
from desktop.terminal import Terminal

AddCommand = Callable[[str, str], argparse.ArgumentParser]
Act = Callable[[Engine, argparse.Namespace, Terminal], None]
_PROCESS = "The next `madeleine process` does what follows from it."


def add_commands(add: AddCommand) -> None:
    """Register the commands."""
    actions = _group(add, "settings", "see and change the settings", _list_settings)
    action = _action(actions, "set", "change one setting", _set)
    action.add_argument("name")
    action.add_argument("value", help="yes or no, a text, or a list with commas between")
    actions = _group(add, "folders", "see the library's folders, and take one out", _list_folders)
    action = _action(actions, "remove", "take a folder out of the library; its files are not touched", _remove_folder)
    action.add_argument("folder", type=some_path)
    action.add_argument(
        "--forget",
        action="store_true",
        help="also forget what is known of the files in it, your corrections too; this cannot be undone",
    )
    actions = _group(add, "exclusions", "see and change what a scan leaves out", _list_exclusions)
    for name, summary, act in (
        ("add", "leave out a folder, names (*.tmp) or places in a folder (Drafts/*)", _exclude),
        ("remove", "take an exclusion back", _include),
    ):
        _action(actions, name, summary, act).add_argument("pattern", type=some_path)
    _add_privacy(add)
    _add_places(add)


def _add_privacy(add: AddCommand) -> None:
    actions = _group(add, "privacy", "see and change what is kept out of chat or out of understanding", _list_privacy)
    domain_help = "ids, bank, health, intimate, person:NAME or folder:PATH"
    action = _action(actions, "exclude", "keep a domain private; what was drawn from it is taken away", _keep_private)
    action.add_argument("domain", help=domain_help)
    action.add_argument(
        "--from",
        dest="level",
        choices=("chat", "understanding"),
        default="understanding",
        help="chat: only questions, events and facts do without it; understanding: nothing is kept of it (the default)",
    )
    _action(actions, "include", "keep a domain private no more", _allow).add_argument("domain", help=domain_help)
    action = _action(actions, "mark", "say of one memory how private it is, whatever the domains say", _mark)
    action.add_argument("id", metavar="ID")
    action.add_argument("level", choices=("chat", "understanding", "none"))


def _add_places(add: AddCommand) -> None:
    actions = _group(add, "places", "see and change your own names for places", _list_places)
    action = _action(actions, "name", "name a place, by its coordinates or by a memory taken there", _name_place)
    action.add_argument("name", help="home, work, grandma's")
    action.add_argument("latitude", type=float, nargs="?")
    action.add_argument("longitude", type=float, nargs="?")
    action.add_argument("--like", metavar="ID", help="a memory that was captured there")
    action.add_argument("--radius", type=float, default=150.0, metavar="M", help="how far it reaches, in metres (150)")
    _action(actions, "remove", "let a name go", _unname_place).add_argument("name")


def _group(
    add: AddCommand, name: str, summary: str, show: Act
) -> "argparse._SubParsersAction[argparse.ArgumentParser]":
    command = add(name, summary)
    _set_run(command, show)
    actions = command.add_subparsers(dest="action", metavar="ACTION")
    _action(actions, "list", "show them (what the command does without an action)", show)
    return actions


def _action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str, act: Act
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=summary, description=summary)
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    parser.add_argument("--home", type=some_path, metavar="DIR", default=argparse.SUPPRESS)
    _set_run(parser, act)
    return parser


def _set_run(parser: argparse.ArgumentParser, act: Act) -> None:
    def run(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
        with opened(home) as engine:
            act(engine, options, terminal)
        return 0

    parser.set_defaults(run=run)


def _list_settings(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    values = engine.options.values()
    lines = [f"{name:>22} = {as_text(value)}" for name, value in values.items()]
    terminal.result(dict(values), "\n".join(lines))


def _set(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.options.change(options.name, options.value)
    value = engine.options.values()[options.name]
    if options.name == "recognise_faces" and not value:
        terminal.note("What was found is kept; forget it with: madeleine people off --forget")
    terminal.result({options.name: value}, f"{options.name} = {as_text(value)}\n{_PROCESS}")


def _list_folders(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    folders = engine.options.folders()
    lines = []
    for folder in folders:
        counts = (
            (folder.present, "files"),
            (folder.missing, "missing"),
            (folder.unreadable, "with problems"),
            (folder.online_only, "online only (never downloaded)"),
        )
        said = ", ".join(f"{count:,} {name}" for count, name in counts if count) or "nothing read yet"
        lines.append(f"{printable(folder.root.path)}{'' if folder.root.online else ' (offline)'}: {said}")
    found = [
        {
            "path": printable(each.root.path),
            "online": each.root.online,
            "present": each.present,
            "missing": each.missing,
            "unreadable": each.unreadable,
            "online_only": each.online_only,
        }
        for each in folders
    ]
    terminal.result(found, "\n".join(lines) or "The library has no folder yet: madeleine add FOLDER")


def _remove_folder(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    forgotten = engine.options.remove_folder(options.folder, forget=options.forget)
    said = (
        f"Forgotten: {counted(forgotten, 'memory', '0')}, with every correction. The files are untouched."
        if options.forget
        else "What is known of its files stays; add the folder again and they are recognised, without reading anything anew."
    )
    terminal.result({"removed": printable(options.folder), "forgotten": forgotten}, f"Removed. {said}")


def _list_exclusions(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    patterns, always = list(engine.options.settings.exclusions), list(engine.options.always_excluded)
    others = [{"file": printable(path), "reason": hint} for path, hint in engine.options.other_libraries()]
    lines = [
        "\n".join(patterns) or "You excluded nothing.",
        *(f"{each['file']}\n    {each['reason']}" for each in others),
    ]
    lines.append(f"Always left out: {'  '.join(always)}")
    terminal.result({"excluded": patterns, "other_libraries": others, "always": always}, "\n".join(lines))


def _exclude(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.options.exclude(options.pattern)
    said = (
        "From the next scan on it is left out. What is known of it already stays; `madeleine memory forget` drops it."
    )
    terminal.result(list(engine.options.settings.exclusions), said)


def _include(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.options.include(options.pattern)
    terminal.result(list(engine.options.settings.exclusions), f"It is read again. {_PROCESS}")


def _list_privacy(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    domains = engine.options.domains()
    lines = [
        f"{each.text:>14}: {f'kept out of {each.level}' if each.level else 'not private'}  ({each.says})"
        for each in domains
    ]
    terminal.result(
        [{"domain": each.text, "kept_out_of": each.level, "covers": each.says} for each in domains], "\n".join(lines)
    )


def _keep_private(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.options.keep_private(options.domain, options.level)
    kept = engine.options.count_private(options.level)
    said = f"{options.domain} is kept out of {options.level}: {counted(kept, 'memory')} now. To take it back: madeleine privacy include"
    terminal.result(
        {"domain": options.domain, "kept_out_of": options.level, "memories": kept}, f"{said} {options.domain!r}"
    )


def _allow(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.options.allow(options.domain)
    terminal.result(
        {"domain": options.domain, "kept_out_of": ""}, f"{options.domain} is not private any more. {_PROCESS}"
    )


def _mark(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    memory_id = engine.resolve(options.id)
    engine.options.keep_memory_private(memory_id, options.level)
    private = engine.memory(memory_id).private
    terminal.result(
        {"id": options.id, "kept_out_of": private},
        f"[{options.id}] is kept out of {private}." if private else f"[{options.id}] is not private.",
    )


def _list_places(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    places = engine.options.places()
    lines = [f"{each.name}: {each.latitude:.5f}, {each.longitude:.5f}, {each.radius_m:g} m around" for each in places]
    found = [
        {"name": each.name, "latitude": each.latitude, "longitude": each.longitude, "radius_m": each.radius_m}
        for each in places
    ]
    terminal.result(found, "\n".join(lines) or "You have named no place yet.")


def _name_place(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    if options.like is not None:
        place = engine.options.name_place_of(options.name, engine.resolve(options.like), options.radius)
    elif options.latitude is None or options.longitude is None:
        raise RequestError("Say where it is.", "Give latitude and longitude, or --like ID with a memory taken there.")
    else:
        place = engine.options.name_place(options.name, options.latitude, options.longitude, options.radius)
    there = engine.count(MemoryFilter(places=(place.name,)))
    terminal.result(
        {"name": place.name, "latitude": place.latitude, "longitude": place.longitude, "memories": there},
        f"{place.name}: {counted(there, 'memory', '0')} captured there. Ask for them with at:{place.name!r}. {_PROCESS}",
    )


def _unname_place(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    place = engine.options.unname_place(options.name)
    terminal.result(
        {"removed": place.name}, f"{place.name} is no name of yours any more; the map's names are shown again."
    )
