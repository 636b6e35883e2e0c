"""Commands that correct: events, facts, memory. Each correction is kept over every re-run and can be undone."""

import argparse
from collections.abc import Callable

from core.engine import Engine
from core.errors import RequestError
from core.paths import Home
from core.records import Event, Knowledge
from desktop.build import opened
from desktop.cli_ask import day
from desktop.json_view import event_json, fact_json, memory_json
from desktop.terminal import Terminal

AddCommand = Callable[[str, str], argparse.ArgumentParser]
_IDS_FROM_LIST = "ids are printed by list"
_EVENT_SUMMARIES = {
    "list": "all events with their days, places and ids",
    "show": "one event with its memories",
    "rename": "give it another name",
    "redate": "say on which days it was",
    "move": "move memories into an event or out of one",
    "split": "make a new event of some of its memories",
    "merge": "take another event into it",
    "confirm": "say that it is right",
    "delete": "say that it is no event; its pictures stay",
    "undo": "take the last correction back",
}
_FACT_SUMMARIES = {
    "list": "all facts with their ids",
    "confirm": "say that it is right",
    "edit": "say it in other words",
    "reject": "say that it is wrong",
    "add": "add one of your own",
}


def add_commands(add: AddCommand) -> None:
    """Register the commands."""
    command = add("events", "list events and correct them")
    _set_run(command, _list_events)
    actions = command.add_subparsers(dest="action", metavar="ACTION")
    parser = {name: _parser(actions, name, summary) for name, summary in _EVENT_SUMMARIES.items()}
    for name in ("show", "rename", "redate", "split", "merge", "confirm", "delete"):
        parser[name].add_argument("event", help=f"its name or id ({_IDS_FROM_LIST})")
    parser["rename"].add_argument("name")
    parser["redate"].add_argument("first_day", type=day)
    parser["redate"].add_argument("last_day", type=day, nargs="?")
    parser["merge"].add_argument("other", help="the event that is taken in")
    parser["split"].add_argument("name", help="of the new event")
    parser["split"].add_argument("ids", nargs="+", metavar="ID", help="memories that go to the new event")
    parser["move"].add_argument("ids", nargs="+", metavar="ID")
    parser["move"].add_argument("--to", metavar="EVENT")
    parser["move"].add_argument("--out-of", metavar="EVENT")
    for name, each in parser.items():
        _finish(each, _EVENT_ACTIONS[name])
    command = add("facts", "list what is known and correct it")
    _set_run(command, _list_facts)
    actions = command.add_subparsers(dest="action", metavar="ACTION")
    parser = {name: _parser(actions, name, summary) for name, summary in _FACT_SUMMARIES.items()}
    for name in ("confirm", "edit", "reject"):
        parser[name].add_argument("fact", help=f"its id ({_IDS_FROM_LIST})")
    for name in ("edit", "add"):
        parser[name].add_argument("statement")
    for name, each in parser.items():
        _finish(each, _FACT_ACTIONS[name])
    actions = add("memory", "correct one memory, or forget it").add_subparsers(
        dest="action", metavar="ACTION", required=True
    )
    edit = _parser(actions, "edit", "change its caption, title, date, place or people")
    edit.add_argument("id", metavar="ID")
    edit.add_argument("field", choices=("caption", "title", "date", "place", "people"))
    edit.add_argument("value", help="people: names with commas between; date: 2024-05-10 or 2024-05-10T14:30")
    _finish(edit, _edit_memory)
    split = _parser(actions, "split", "make a memory of its own out of a file that was joined with it by mistake")
    split.add_argument("id", metavar="ID")
    split.add_argument(
        "file", metavar="FILE", help="one of the files that get prints: a clip, a raw file, an edited version"
    )
    _finish(split, _split_file)
    forget = _parser(actions, "forget", "drop everything known about it; the file stays")
    forget.add_argument("id", metavar="ID")
    _finish(forget, _forget_memory)


def _parser(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str
) -> argparse.ArgumentParser:
    return actions.add_parser(name, help=summary, description=summary)


def _finish(parser: argparse.ArgumentParser, act: Callable[[Engine, argparse.Namespace, Terminal], None]) -> None:
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    parser.add_argument("--home", metavar="DIR", default=argparse.SUPPRESS)
    _set_run(parser, act)


def _set_run(parser: argparse.ArgumentParser, act: Callable[[Engine, argparse.Namespace, Terminal], None]) -> None:
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


def _event_line(event: Event) -> str:
    days = "undated"
    if event.start and event.end:
        first, last = event.start.date().isoformat(), event.end.date().isoformat()
        days = first if first == last else f"{first} to {last}"
    marks = " (corrected)" if event.corrected else ""
    inside = "    " if event.parent_id else ""
    return f"{inside}[{event.id[:8]}] {days}  {event.name}{marks}  {len(event.member_ids)} memories  {event.place}".rstrip()


def _list_events(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    events = engine.events()
    terminal.result(
        [event_json(engine, event) for event in events], "\n".join(map(_event_line, events)) or "No events yet."
    )


def _show_event(engine: Engine, event: Event, terminal: Terminal) -> None:
    members = engine.memories(event.member_ids)
    lines = [_event_line(event), event.summary, f"why: {event.why}"]
    lines += [
        f"    [{memory.public_id}] {memory.taken.wall or 'undated'}  {memory.caption or memory.file_name}"
        for memory in members
    ]
    terminal.result(event_json(engine, event), "\n".join(line for line in lines if line))


def _show(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    _show_event(engine, engine.event_named(options.event), terminal)


def _rename(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.rename_event(event.id, options.name)
    _show_event(engine, engine.event(event.id), terminal)


def _redate(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.redate_event(event.id, options.first_day, options.last_day or options.first_day)
    _show_event(engine, engine.event(event.id), terminal)


def _move(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    if options.to is None and options.out_of is None:
        raise RequestError("Say where to: --to EVENT, --out-of EVENT, or both.")
    to = engine.event_named(options.to).id if options.to else None
    out_of = engine.event_named(options.out_of).id if options.out_of else None
    engine.correct.move_memories([engine.resolve(each) for each in options.ids], to, out_of)
    left = [event for event in engine.events() if event.id == (to or out_of)]
    if left:
        _show_event(engine, left[0], terminal)
    else:
        terminal.result(
            {"deleted": out_of}, "No memory is left in it, so it is no event any more. Undo: madeleine events undo"
        )


def _split(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    before = {event.id for event in engine.events()}
    engine.correct.split_event(
        engine.event_named(options.event).id, [engine.resolve(each) for each in options.ids], options.name
    )
    _show_event(engine, next(event for event in engine.events() if event.id not in before), terminal)


def _merge(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.merge_events(event.id, engine.event_named(options.other).id)
    _show_event(engine, engine.event(event.id), terminal)


def _confirm(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.confirm_event(event.id)
    _show_event(engine, engine.event(event.id), terminal)


def _delete(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.delete_event(event.id)
    terminal.result(
        {"deleted": event.id}, f"{event.name!r} is no event any more; its pictures stay. Undo: madeleine events undo"
    )


def _undo(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    changes = engine.correct.undo()
    terminal.result({"events": changes.events, "memories": changes.memories, "knowledge": changes.knowledge}, "Undone.")


def _fact_line(fact: Knowledge) -> str:
    return f"[{fact.id[:8]}] {fact.statement}  ({fact.state}, {fact.confidence:.0%}, {len(fact.evidence_ids)} memories)"


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
    engine.correct.edit_memory(memory_id, options.field, options.value)
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


_EVENT_ACTIONS = {
    "list": _list_events, "show": _show, "rename": _rename, "redate": _redate, "move": _move, "split": _split, "merge": _merge,
    "confirm": _confirm, "delete": _delete, "undo": _undo,
}  # fmt: skip
_FACT_ACTIONS = {
    "list": _list_facts, "confirm": _confirm_fact, "edit": _edit_fact, "reject": _reject_fact, "add": _add_fact,
}  # fmt: skip
