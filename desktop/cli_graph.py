"""The command `graph`: how people, places, events and things are related, and the person's word about it."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from core.counted import counted
from core.engine import Engine
from core.paths import Home
from desktop.build import opened
from desktop.cli_library import some_path
from desktop.terminal import Terminal

AddCommand = Callable[[str, str], argparse.ArgumentParser]
Act = Callable[[Engine, argparse.Namespace, Terminal], None]
_ME = "a name, or me"


def add_commands(add: AddCommand) -> None:
    """Register the command with its actions."""
    command = add("graph", "how people, places, events and things are related; say what is so and what is not")
    _set_run(command, _counts)
    actions = command.add_subparsers(dest="action", metavar="ACTION")

    def action(name: str, summary: str, act: Act, *arguments: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary)
        for argument in arguments:
            parser.add_argument(argument, help=_ME if argument in ("source", "name") else None)
        parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        parser.add_argument("--home", metavar="DIR", default=argparse.SUPPRESS)
        _set_run(parser, act)
        return parser

    show = action("show", "what a person, place, event or thing is connected with", _show, "name")
    show.add_argument("-k", type=int, default=30, metavar="N", help="how many relations")
    walk = action("walk", "the strongest chains of relations from some names", _walk)
    walk.add_argument("names", nargs="+", metavar="NAME")
    walk.add_argument("--width", type=int, default=5, choices=range(1, 11), metavar="N")
    walk.add_argument("--depth", type=int, default=2, choices=range(1, 5), metavar="N")
    action("told", "every relation you told, and those you took away", _told)
    relate = action(
        "relate", "say what somebody is of somebody: me daughter Nina", _relate, "source", "relation", "target"
    )
    relate.add_argument("--kind", default="", metavar="KIND", help="what TARGET is: Location, Object, Activity, Date")
    relate.add_argument("--from", dest="since", default="", metavar="WHEN", help="since when: 2019 or 2019-05-10")
    relate.add_argument("--to", dest="until", default="", metavar="WHEN", help="until when")
    action("unrelate", "say that it is not so; it does not come back", _unrelate, "source", "relation", "target")
    action("fix", "say that a relation is another one", _fix, "source", "relation", "target", "better")
    action("undo", "take the last correction back", _undo)
    export = action("export", "write the graph for other programs", _export)
    export.add_argument("file", type=lambda text: Path(some_path(text)), metavar="FILE.graphml|FILE.jsonl")


def _set_run(parser: argparse.ArgumentParser, act: Act) -> None:
    parser.set_defaults(run=lambda options, home, terminal: _run(act, options, home, terminal))


def _run(act: Act, options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        act(engine, options, terminal)
    return 0


def _counts(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    nodes, edges = engine.relations.counts()
    terminal.result(
        {"nodes": nodes, "edges": edges}, f"{nodes:,} people, places, events and things; {edges:,} relations."
    )


def _arguments(attributes: Sequence[tuple[str, Sequence[str]]]) -> str:
    said = "; ".join(f"{role} {', '.join(names[:5])}" for role, names in attributes)
    return f" ({said})" if said else ""


def _public(engine: Engine, memory_ids: Sequence[str]) -> list[str]:
    return [memory.public_id for memory in engine.memories(memory_ids)]


def _show(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    known = engine.relations.card(options.name)
    around = engine.relations.around(options.name, options.k)
    to_owner = f" – your {known.to_owner[0]}" if known.to_owner else ""
    lines = [f"{known.name}{to_owner}"]
    if known.first_day and known.last_day:
        lines.append(
            f"    on {counted(known.days, 'day')}, {known.first_day.isoformat()} to {known.last_day.isoformat()}"
        )
    lines += [f"    {relation}: {name}" for relation, name in known.relations]
    for each in around:
        if each.made_by != "person":
            sources = f"  {len(each.memory_ids)} memor{'y' if len(each.memory_ids) == 1 else 'ies'}"
            arrow = f"– {each.relation} →" if each.outward else f"← {each.relation} –"
            lines.append(f"    {arrow} {each.node.name} [{each.node.kind}]{_arguments(each.attributes)}{sources}")
    value = {
        "name": known.name,
        "sex": known.sex,
        "to_owner": list(known.to_owner),
        "told": [{"relation": relation, "name": name} for relation, name in known.relations],
        "days": known.days,
        "first_day": known.first_day.isoformat() if known.first_day else None,
        "last_day": known.last_day.isoformat() if known.last_day else None,
        "companions": [{"name": name, "days": days} for name, days in known.companions],
        "places": [{"name": name, "days": days} for name, days in known.places],
        "portraits": _public(engine, known.portraits),
        "facts": list(known.facts),
        "relations": [
            {
                "relation": each.relation,
                "outward": each.outward,
                "kind": each.node.kind,
                "name": each.node.name,
                "attributes": {role: list(names) for role, names in each.attributes},
                "memories": _public(engine, each.memory_ids),
                "made_by": each.made_by,
            }
            for each in around
        ],
    }
    terminal.result(value, "\n".join(lines))


def _walk(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    paths = engine.relations.paths(options.names, width=options.width, depth=options.depth)
    lines = []
    for path in paths:
        steps = (
            ("– {} → {}" if each.outward else "← {} – {}").format(each.relation, each.node.name) for each in path.steps
        )
        lines.append(f"{path.score:.2f}  {path.start.name} {' '.join(steps)}")
    value = [
        {
            "score": round(path.score, 3),
            "start": path.start.name,
            "steps": [
                {
                    "relation": each.relation,
                    "outward": each.outward,
                    "kind": each.node.kind,
                    "name": each.node.name,
                }
                for each in path.steps
            ],
            "memories": _public(engine, path.memory_ids),
        }
        for path in paths
    ]
    terminal.result(value, "\n".join(lines) or "The graph knows none of these names.")


def _told(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    told = engine.relations.told()
    value = [
        {
            "source": each.source.name,
            "relation": each.relation,
            "target": each.target.name,
            "kind": each.target.kind,
            "holds": each.holds,
            "attributes": {role: list(names) for role, names in each.attributes},
        }
        for each in told
    ]
    lines = [
        f"{'' if each.holds else 'not: '}{each.source.name} – {each.relation} → {each.target.name}{_arguments(each.attributes)}"
        for each in told
    ]
    terminal.result(
        value, "\n".join(lines) or "You told no relation yet. For example: madeleine graph relate me sister NAME"
    )


def _said(engine: Engine, options: argparse.Namespace, terminal: Terminal, text: str) -> None:
    terminal.result({"source": options.source, "relation": options.relation, "target": options.target}, text)


def _relate(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.relations.relate(
        options.source, options.relation, options.target, kind=options.kind, since=options.since, until=options.until
    )
    _said(
        engine,
        options,
        terminal,
        f"{options.target} is {options.relation} of {options.source}. Undo: madeleine graph undo",
    )


def _unrelate(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.relations.unrelate(options.source, options.relation, options.target)
    _said(engine, options, terminal, "Taken away; a re-run does not bring it back. Undo: madeleine graph undo")


def _fix(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.relations.fix(options.source, options.relation, options.target, options.better)
    _said(
        engine,
        options,
        terminal,
        f"{options.target} is {options.better} of {options.source}. Undo: madeleine graph undo",
    )


def _undo(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.correct.undo()
    terminal.result({"undone": True}, "Undone.")


def _export(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    relations = engine.relations.export(options.file)
    terminal.result({"file": str(options.file), "relations": relations}, f"{relations:,} relations in {options.file}")
