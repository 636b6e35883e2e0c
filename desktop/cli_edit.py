"""Commands that correct facts and memories. Each correction is kept over every re-run and can be undone."""

import argparse
from collections.abc import Callable

from core.counted import counted
from core.engine import EDITABLE, Engine
from core.paths import Home
from core.records import Knowledge
from desktop.build import opened
from desktop.json_view import fact_json, memory_json
from desktop.terminal import Terminal

AddCommand = Callable[[str, str], argparse.ArgumentParser]
_IDS_FROM_LIST = "ids are printed by list"
_FACT_SUMMARIES = {
    "list": "all facts with their ids",
    "confirm": "say that it is right",
    "edit": "say it in other words",
    "reject": "say that it is wrong",
    "add": "add one of your own",
}


def add_commands(add: AddCommand) -> None:
    """Register the commands."""
    command = add("facts", "list what is known and correct it")
    set_run(command, _list_facts)
    actions = command.add_subparsers(dest="action", metavar="ACTION")
    parser = {name: action_parser(actions, name, summary) for name, summary in _FACT_SUMMARIES.items()}
    for name in ("confirm", "edit", "reject"):
        parser[name].add_argument("fact", help=f"its id ({_IDS_FROM_LIST})")
    for name in ("edit", "add"):
        parser[name].add_argument("statement")
    for name, each in parser.items():
        finish(each, _FACT_ACTIONS[name])
    actions = add("memory", "correct one memory, or forget it").add_subparsers(
        dest="action", metavar="ACTION", required=True
    )
    edit = action_parser(actions, "edit", "change its caption, title, date, place, people or another value")
    edit.add_argument("id", metavar="ID")
    edit.add_argument("field", choices=EDITABLE)
    edit.add_argument("value", help="people: names with commas between; date: 2024-05-10 or 2024-05-10T14:30")
    finish(edit, _edit_memory)
    split = action_parser(actions, "split", "make a memory of its own out of a file that was joined with it by mistake")
    split.add_argument("id", metavar="ID")
    split.add_argument(
        "file", metavar="FILE", help="one of the files that get prints: a clip, a raw file, an edited version"
    )
    finish(split, _split_file)
    edit.add_argument("--why", default="", help="kept with the correction")
    forget = action_parser(actions, "forget", "drop everything known about it; the file stays")
    forget.add_argument("id", metavar="ID")
    finish(forget, _forget_memory)


def action_parser(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str
) -> argparse.ArgumentParser:
    return actions.add_parser(name, help=summary, description=summary)


def finish(parser: argparse.ArgumentParser, act: Callable[[Engine, argparse.Namespace, Terminal], None]) -> None:
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    parser.add_argument("--home", metavar="DIR", default=argparse.SUPPRESS)
    set_run(parser, act)


def set_run(parser: argparse.ArgumentParser, act: Callable[[Engine, argparse.Namespace, Terminal], None]) -> None:
    parser.set_defaults(run=lambda options, home, terminal: _run(act, options, home, terminal))


def _run(
    act: Callable[[Engine, argparse.Namespace, Terminal], None],
    options: argparse.Namespace,
    home: Home,
    terminal: Terminal,
) -> int:
    with opened(home) as engine:
        act(engine, options, terminal)
    return 0


def _fact_line(fact: Knowledge) -> str:
    return f"[{fact.id[:8]}] {fact.statement}  ({fact.state}, {fact.confidence:.0%}, {counted(len(fact.evidence_ids), 'memory')})"


def _list_facts(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    facts = engine.facts()
    terminal.result([fact_json(engine, fact) for fact in facts], "\n".join(map(_fact_line, facts)) or "No facts yet.")


def _confirm_fact(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    fact = engine.fact(options.fact)
    engine.correct.confirm_fact(fact.id)
    _show_fact(engine, fact.id, terminal)


def _edit_fact(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    fact = engine.fact(options.fact)
    engine.correct.edit_fact(fact.id, options.statement)
    _show_fact(engine, fact.id, terminal)


def _reject_fact(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    fact = engine.fact(options.fact)
    engine.correct.reject_fact(fact.id)
    _show_fact(engine, fact.id, terminal)


def _add_fact(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    before = {fact.id for fact in engine.facts()}
    engine.correct.add_fact(options.statement)
    _show_fact(engine, next(fact.id for fact in engine.facts() if fact.id not in before), terminal)


def _show_fact(engine: Engine, fact_id: str, terminal: Terminal) -> None:
    fact = engine.fact(fact_id)
    terminal.result(fact_json(engine, fact), _fact_line(fact))


def _edit_memory(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    memory_id = engine.resolve(options.id)
    engine.correct.edit_memory(memory_id, options.field, options.value, options.why)
    memory = engine.memory(memory_id)
    terminal.result(memory_json(engine, memory), f"[{memory.public_id}] {options.field} is now {options.value!r}")


def _split_file(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    split = engine.memory(engine.split_file(engine.resolve(options.id), options.file))
    terminal.result(
        memory_json(engine, split),
        f"[{split.public_id}] {split.file_name} is a memory of its own. Now run: madeleine process. Undo: madeleine events undo",
    )


def _forget_memory(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.correct.forget_memory(engine.resolve(options.id))
    terminal.result(
        {"forgotten": options.id}, "Forgotten: no caption, text or vector of it is left. The file itself is untouched."
    )


_FACT_ACTIONS = {
    "list": _list_facts, "confirm": _confirm_fact, "edit": _edit_fact, "reject": _reject_fact, "add": _add_fact,
}  # fmt: skip
