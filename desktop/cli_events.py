"""Commands about events: list, correct, undo; clocks that look wrong, rules that corrections teach, the history."""

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from core.counted import counted
from core.engine import Engine
from core.errors import RequestError
from core.records import Change, Clock, Event, shift_text
from desktop.cli_ask import day
from desktop.cli_edit import AddCommand, action_parser, finish, set_run
from desktop.json_view import event_json
from desktop.terminal import Terminal

_SUMMARIES = {
    "list": "all events with their days, places and ids",
    "show": "one event with its memories, its reason and its history",
    "rename": "give it another name",
    "redate": "say on which days it was",
    "place": "say where it was",
    "importance": "say how much it matters, from 1 (small) to 3 (major)",
    "create": "make an event of memories",
    "move": "move memories into an event or out of one",
    "split": "make a new event of some of its memories",
    "merge": "take another event into it",
    "confirm": "say that it is right",
    "lock": "keep it exactly as it is",
    "delete": "say that it is no event; its pictures stay",
    "undo": "take the last correction back, or one of the history",
    "history": "every correction, with who, when and why",
    "clocks": "cameras whose clock looks wrong; put one right, or say that it was right",
    "rules": "rules that your corrections suggest; accept or decline one",
    "homes": "where home is in each period, and which other places are everyday ones",
    "recurring": "activities that come back week after week",
}
_OF_AN_EVENT = ("show", "rename", "redate", "place", "importance", "split", "merge", "confirm", "lock", "delete")


def add_commands(add: AddCommand) -> None:
    """Register the commands."""
    command = add("events", "list events and correct them")
    set_run(command, _list_events)
    actions = command.add_subparsers(dest="action", metavar="ACTION")
    parser = {name: action_parser(actions, name, summary) for name, summary in _SUMMARIES.items()}
    for name in _OF_AN_EVENT:
        parser[name].add_argument("event", help="its name or id (ids are printed by list)")
    parser["rename"].add_argument("name")
    parser["redate"].add_argument("first_day", type=day)
    parser["redate"].add_argument("last_day", type=day, nargs="?")
    parser["place"].add_argument("place", help="its name; empty for none")
    parser["importance"].add_argument("importance", type=int, choices=(1, 2, 3))
    parser["merge"].add_argument("other", help="the event that is taken in")
    for name in ("split", "create"):
        parser[name].add_argument("name", help="of the new event")
        parser[name].add_argument("ids", nargs="+", metavar="ID", help="memories of the new event")
    parser["move"].add_argument("ids", nargs="+", metavar="ID")
    parser["move"].add_argument("--to", metavar="EVENT")
    parser["move"].add_argument("--out-of", metavar="EVENT")
    parser["undo"].add_argument("correction", nargs="?", help="an id of the history; the last one when left out")
    parser["history"].add_argument("event", nargs="?", help="only what was said of this one")
    for name in ("clocks", "rules"):
        parser[name].add_argument("decision", nargs="?", choices=("accept", "decline"))
        parser[name].add_argument("id", nargs="?", metavar="ID")
    parser["clocks"].add_argument("--first-day", type=day, help="when the first of the memories was really taken")
    for name in ("rename", "redate", "place", "importance", "confirm", "lock", "delete", "clocks", "rules"):
        parser[name].add_argument("--why", default="", help="kept with the correction")
    for name, each in parser.items():
        finish(each, _ACTIONS[name])


def _event_line(event: Event) -> str:
    days = "undated"
    if event.start and event.end:
        first, last = event.start.date().isoformat(), event.end.date().isoformat()
        days = first if first == last else f"{first} to {last}"
    marks = " (corrected)" if event.corrected else ""
    return f"[{event.id[:8]}] {days}  {event.name}{marks}  {counted(len(event.member_ids), 'memory')}  {event.place}".rstrip()


def _list_events(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    events = engine.events()
    terminal.result([event_json(engine, event) for event in events], "\n".join(nested(events)) or "No events yet.")


def nested(events: Sequence[Event]) -> list[str]:
    """Each event below the one it is part of."""
    inside: dict[str | None, list[Event]] = defaultdict(list)
    known = {event.id for event in events}
    for event in events:
        inside[event.parent_id if event.parent_id in known else None].append(event)

    def lines(parent: str | None, depth: int) -> Iterator[str]:
        for event in inside[parent]:
            yield "    " * depth + _event_line(event)
            yield from lines(event.id, depth + 1)

    return list(lines(None, 0))


def _show_event(engine: Engine, event: Event, terminal: Terminal) -> None:
    members = engine.memories(event.member_ids)
    lines = [_event_line(event), event.summary, f"why: {event.why}"]
    lines += [
        f"    [{memory.public_id}] {memory.taken.wall or 'undated'}  {memory.caption or memory.file_name}"
        for memory in members
    ]
    lines += [_change_line(change) for change in engine.history(event.id)]
    terminal.result(event_json(engine, event), "\n".join(line for line in lines if line))


def _show(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    _show_event(engine, engine.event_named(options.event), terminal)


def _rename(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.rename_event(event.id, options.name, options.why)
    _show_event(engine, engine.event(event.id), terminal)


def _redate(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.redate_event(event.id, options.first_day, options.last_day or options.first_day, options.why)
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
    engine.correct.confirm_event(event.id, options.why)
    _show_event(engine, engine.event(event.id), terminal)


def _delete(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.delete_event(event.id, options.why)
    terminal.result(
        {"deleted": event.id}, f"{event.name!r} is no event any more; its pictures stay. Undo: madeleine events undo"
    )


def _place(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.replace_event(event.id, options.place, options.why)
    _show_event(engine, engine.event(event.id), terminal)


def _importance(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.set_importance(event.id, options.importance, options.why)
    _show_event(engine, engine.event(event.id), terminal)


def _create(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    before = {event.id for event in engine.events()}
    engine.correct.create_event(options.name, [engine.resolve(each) for each in options.ids])
    _show_event(engine, next(event for event in engine.events() if event.id not in before), terminal)


def _lock(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    event = engine.event_named(options.event)
    engine.correct.lock_event(event.id, options.why)
    _show_event(engine, engine.event(event.id), terminal)


def _undo(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    wanted = options.correction
    if wanted:
        found = [change.id for change in engine.history() if change.id.startswith(wanted) and len(wanted) >= 4]
        if len(found) != 1:
            raise RequestError(f"There is no correction {wanted!r}.", "`madeleine events history` prints ids.")
        wanted = found[0]
    changes = engine.correct.undo(wanted)
    terminal.result({"events": changes.events, "memories": changes.memories, "knowledge": changes.knowledge}, "Undone.")


def _change_line(change: Change) -> str:
    who = f" by {change.who}" if change.who else ""
    why = f" ({change.why})" if change.why else ""
    undone = f"  undone {change.undone_at[:10]}" if change.undone_at else ""
    return f"[{change.id[:8]}] {change.made_at[:16].replace('T', ' ')}{who}  {change.what}{why}{undone}"


def _history(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    changes = engine.history(engine.event_named(options.event).id if options.event else "")
    rows = [
        {"id": each.id, "what": each.what, "why": each.why, "who": each.who, "made_at": each.made_at, "undone_at": each.undone_at}
        for each in changes
    ]  # fmt: skip
    terminal.result(rows, "\n".join(map(_change_line, changes)) or "Nothing was corrected yet.")


def _clock_line(clock: Clock) -> str:
    by = "" if clock.shift_s is None else f"; {shift_text(clock.shift_s)} would put it right"
    return f"[{clock.id[:8]}] {clock.camera or 'a camera'}: {counted(len(clock.member_ids), 'memory')}{by}. {clock.why}"


def _clocks(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    if options.decision:
        clock = engine.clocks.get(options.id or "")
        if options.decision == "accept":
            engine.clocks.accept(clock.id, options.first_day, options.why)
        else:
            engine.clocks.decline(clock.id, options.why)
        terminal.result(
            {options.decision: clock.id}, "Kept. `madeleine process` finds the events anew. Undo: madeleine events undo"
        )
        return
    clocks = engine.clocks.open()
    rows = [
        {
            "id": each.id, "camera": each.camera, "shift_seconds": each.shift_s, "why": each.why,
            "members": [memory.public_id for memory in engine.memories(each.member_ids)],
        }
        for each in clocks
    ]  # fmt: skip
    terminal.result(rows, "\n".join(map(_clock_line, clocks)) or "No clock looks wrong.")


def _rules(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    if options.decision:
        decide = engine.taught.accept if options.decision == "accept" else engine.taught.decline
        decide(options.id or "", options.why)
        terminal.result(
            {options.decision: options.id}, "Kept. `madeleine process` applies it. Undo: madeleine events undo"
        )
        return
    offers, rules = engine.taught.offers(), engine.taught.rules()
    rows = [
        {"id": each.id, "rule": each.text, "why": each.why, "state": state}
        for state, found in (("offered", offers), ("accepted", rules))
        for each in found
    ]
    lines = [f"[{each.id[:8]}] {each.text} {each.why}" for each in offers]
    lines += [f"accepted: {each.text}" for each in rules]
    terminal.result(rows, "\n".join(lines) or "Your corrections suggest no rule yet.")


def _homes(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    rows, lines = [], []
    for first, last, home in engine.homes():
        rows.append(
            {
                "first_day": first.isoformat(),
                "last_day": last.isoformat(),
                "home": home.name,
                "country": home.country,
                "usual": list(home.usual),
            }
        )
        usual = f"; often also in {', '.join(each.title() for each in home.usual)}" if home.usual else ""
        lines.append(f"{first:%B %Y} to {last:%B %Y}: {home.name}{usual}")
    terminal.result(rows, "\n".join(lines) or "Where home is cannot be told yet.")


def _recurring(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    found = engine.recurring()
    rows = [
        {"name": each.name, "times": len(each.event_ids), "weeks": each.weeks, "weekday": each.weekday, "events": list(each.event_ids)}
        for each in found
    ]  # fmt: skip
    lines = [
        f"{each.name}: {len(each.event_ids)} times in {each.weeks} weeks{', mostly on ' + each.weekday if each.weekday else ''}, "
        f"{each.first:%B %Y} to {each.last:%B %Y}"
        for each in found
    ]
    terminal.result(rows, "\n".join(lines) or "Nothing comes back week after week yet.")


_ACTIONS: dict[str, Callable[[Engine, argparse.Namespace, Terminal], None]] = {
    "list": _list_events, "show": _show, "rename": _rename, "redate": _redate, "place": _place, "importance": _importance,
    "create": _create, "move": _move, "split": _split, "merge": _merge, "confirm": _confirm, "lock": _lock, "delete": _delete,
    "undo": _undo, "history": _history, "clocks": _clocks, "rules": _rules, "homes": _homes, "recurring": _recurring,
}  # fmt: skip
