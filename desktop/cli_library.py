"""Commands about the library itself: add, relocate, process, status, problems, import, export, doctor."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from core.counted import counted
from core.engine import Engine, Status
from core.errors import RequestError
from core.jobs import run_to_end
from core.paths import Home
from core.records import DoubtKind, Stage
from core.rest import give_way
from core.text_keys import printable
from desktop.build import opened, repair_home
from desktop.cli_ask import nothing_read
from desktop.json_view import doubt_json, problem_json, status_json
from desktop.terminal import Terminal

AddCommand = Callable[[str, str], argparse.ArgumentParser]


def add_commands(add: AddCommand) -> None:
    """Register the commands."""
    command = add("add", "add folders of pictures to the library")
    command.add_argument("folders", type=some_path, metavar="FOLDER", nargs="+")
    command.set_defaults(run=_add)
    command = add("relocate", "say where a folder of the library lies now (new drive, new computer)")
    command.add_argument("old", metavar="OLD", help="its path as `madeleine status` shows it")
    command.add_argument("new", metavar="NEW", type=Path)
    command.set_defaults(run=_relocate)
    command = add("process", "read, understand and index everything that is new")
    command.add_argument(
        "--until", type=_stage, default=Stage.GRAPH, metavar="STAGE", help=f"one of {', '.join(Stage)}"
    )
    command.set_defaults(run=_process)
    add("status", "how far the library is").set_defaults(run=_status)
    command = add("problems", "files that could not be used, and why")
    command.add_argument(
        "action",
        nargs="?",
        choices=("list", "review", "dismiss", "retry", "ignore"),
        default="list",
        help="review: what you may want to check; dismiss: it is right as it is, do not tell it again",
    )
    command.add_argument(
        "path", nargs="?", help="one file; all when left out. For dismiss: a memory's id in the review"
    )
    command.add_argument("--kind", choices=tuple(DoubtKind), help="dismiss only this about the memory")
    command.set_defaults(run=_problems)
    command = add("export", "write everything as JSON lines")
    command.add_argument("file", type=lambda text: Path(some_path(text)), metavar="FILE.jsonl")
    command.set_defaults(run=_export)
    command = add("import", "read JSON lines written by export")
    command.add_argument("file", type=lambda text: Path(some_path(text)), metavar="FILE.jsonl")
    command.add_argument("--owner", default="", metavar="NAME", help="whose library it is")
    command.set_defaults(run=_import)
    command = add("doctor", "check the library, and mend it with --repair")
    command.add_argument("--repair", action="store_true")
    command.set_defaults(run=_doctor)


def some_path(text: str) -> str:
    """A path that was really given: an unset variable of a script must not mean the folder one stands in, or another library."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it names no file or folder")
    return text


def _stage(text: str) -> Stage:
    try:
        return Stage(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no stage: {', '.join(Stage)}") from None


def _add(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        roots = [engine.add_folder(Path(os.path.expanduser(folder)).absolute()) for folder in options.folders]
    names = [printable(root.path) for root in roots]
    terminal.result({"added": names}, "\n".join(f"Added {name}" for name in names) + "\nNow run: madeleine process")
    return 0


def _relocate(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        moved = engine.relocate(options.old, Path(os.path.expanduser(options.new)).absolute())
    place = printable(moved.root.path)
    terminal.result({"root": place, "files": moved.files}, f"{moved.files} files are now known at {place}.")
    return 0


def _process(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        if engine.options.settings.idle_priority:
            give_way()
        processed = run_to_end(engine.process(options.until), terminal.news)
        status = engine.status()
        doubts = engine.doubts()
    for said in (*processed.troubles, *doubts):
        terminal.note(str(said))
    if not status.roots:
        terminal.note("The library has no folder yet: madeleine add FOLDER")
    lacking = [role.replace("_", " ") for role in ("text_embedder", "transcriber") if not status.models.get(role)]
    if lacking:
        terminal.note(f"No {' and no '.join(lacking)} is installed; see: madeleine models list")
    terminal.result(
        status_json(status),
        _held(status) + (" (see: madeleine problems)" if status.problems else ""),
    )
    return 0


def _held(status: Status) -> str:
    numbers = {"memory": status.memories, "event": status.events, "fact": status.facts, "problem": status.problems}
    return ", ".join(counted(number, noun, "0") for noun, number in numbers.items())


def _status(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        status = engine.status()
        for said in (*engine.doubts(), *nothing_read(engine)):
            terminal.note(said)
    lines = [_held(status)]
    lines += [f"folder {printable(root.path)}" + ("" if root.online else " (offline)") for root in status.roots]
    if status.without_details or status.unmatched_sidecars:
        lines.append(
            f"left over of exports: files without details: {status.without_details}, "
            f"sidecars without a file: {status.unmatched_sidecars} (see: madeleine problems)"
        )
    for stage, counts in status.stages.items():
        ended = counts["done"] + counts["nothing"]
        if ended or counts["failed"]:
            lines.append(
                f"{stage.replace('_', ' '):>16}: {ended} of {counts['total']}"
                + (f", {counts['failed']} failed" if counts["failed"] else "")
            )
    lines += [f"{role.replace('_', ' '):>16}: {model or 'none'}" for role, model in status.models.items()]
    terminal.result(status_json(status), "\n".join(lines))
    return 0


def _problems(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        if options.action == "review":
            _review(engine, terminal)
            return 0
        if options.action == "dismiss":
            _dismiss(engine, options, terminal)
            return 0
        if options.action != "list":
            act = engine.retry_problems if options.action == "retry" else engine.ignore_problems
            path = str(Path(options.path).absolute()) if options.path else None
            changed = act(path)
            terminal.result({"changed": changed}, f"{changed} changed.")
            return 0
        problems = [problem for problem in engine.problems() if not problem.ignored]
    text = "\n".join(f"{printable(problem.file)}\n    {problem.stage}: {problem.reason}" for problem in problems)
    terminal.result([problem_json(problem) for problem in problems], text or "No problems.")
    return 0


def _review(engine: Engine, terminal: Terminal) -> None:
    doubts = [doubt_json(engine, doubt) for doubt in engine.review()]
    text = "\n".join(f"[{each['id']}] {each['file']}\n    {each['kind']}: {each['reason']}" for each in doubts)
    terminal.result(doubts, text or "Nothing to check.")


def _dismiss(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    if not options.path:
        raise RequestError("Nothing was named.", "Give an id that `madeleine problems review` shows.")
    doubts = [each for each in engine.review(engine.resolve(options.path)) if options.kind in (None, each.kind)]
    if not doubts:
        raise RequestError(
            f"There is nothing to dismiss about {options.path}.", "`madeleine problems review` lists it."
        )
    engine.correct.dismiss_doubts(doubts)
    told = [doubt_json(engine, doubt) for doubt in doubts]
    text = "\n".join(f"Left as it is: {each['reason']}" for each in told)
    terminal.result({"dismissed": told}, f"{text}\nUndo: madeleine events undo")


def _export(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        counts = engine.export_to(options.file.absolute())
    terminal.result(
        counts, ", ".join(f"{count} {kind}" for kind, count in counts.items()) + f" written to {options.file}"
    )
    return 0


def _import(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        counts = run_to_end(engine.import_from(options.file.absolute(), options.owner), terminal.news)
    for reason in counts.refused:
        terminal.note(reason)
    terminal.result(
        {"memories": counts.memories, "known": counts.known, "refused": list(counts.refused)},
        f"{counts.memories} new memories, {counts.known} known already, {len(counts.refused)} lines refused. Now run: madeleine process",
    )
    return 0


def _doctor(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    findings = repair_home(home) if options.repair else None
    if findings is None:
        with opened(home) as engine:
            findings = engine.examine()
    text = "\n".join(f"{finding.what}" + (f" {finding.hint}" if finding.hint else "") for finding in findings)
    terminal.result([{"what": each.what, "hint": each.hint} for each in findings], text or "The library is healthy.")
    return 0 if options.repair or not findings else 1
