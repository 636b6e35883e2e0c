"""Commands that find and answer: ask, search, grep, list, get, view."""

import argparse
import calendar
import json
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from core.engine import Engine
from core.errors import RequestError
from core.jobs import run_to_end
from core.paths import Home
from core.records import Answer, Found, MemoryFilter, MemoryKind, Outcome, Question
from desktop.build import opened
from desktop.json_view import answer_json, file_of, found_json, memory_json, taken_at
from desktop.terminal import Terminal

AddCommand = Callable[[str, str], argparse.ArgumentParser]


def add_commands(add: AddCommand) -> None:
    """Register the commands."""
    command = add("ask", "ask a question about your memories")
    command.add_argument("question", nargs="?", metavar="QUESTION")
    command.add_argument("--file", type=Path, metavar="QUESTIONS.jsonl", help="one question a line, answered in one go")
    command.add_argument("--today", type=day_or_month, default=None, metavar="DAY|MONTH", help="what 'today' means")
    command.add_argument("--within", metavar="EVENT|IDS", help="only this event, or these ids (comma between)")
    command.add_argument("--model", default=None, metavar="ID|none", help="the chat model for this call")
    command.add_argument(
        "--agent", action="store_true", help="let the model look things up step by step, whatever its size"
    )
    command.add_argument(
        "--image", metavar="FILE|ID", help="ask about this picture: who or what it is, similar ones, when it was"
    )
    command.add_argument("--yes", action="store_true", help="carry out at once what the question asks to change")
    command.set_defaults(run=_ask)
    for name, summary, run in (
        ("search", "find by meaning and words", _search),
        ("grep", "find by a piece of text", _grep),
        ("list", "list by date, person, place, event or kind", _list),
    ):
        command = add(name, summary)
        if name == "search":
            command.add_argument("text", metavar="TEXT", nargs="?")
            command.add_argument("--like", metavar="ID", help="find what looks like this memory instead")
        elif name == "grep":
            command.add_argument("text", metavar="TEXT")
        command.add_argument("-k", type=_positive, default=20, metavar="N")
        _add_filter(command)
        command.set_defaults(run=run)
    command = add("get", "everything known about one memory")
    command.add_argument("id", metavar="ID")
    command.set_defaults(run=_get)
    command = add("view", "ask the vision model about at most six pictures")
    command.add_argument("ids", nargs="+", metavar="ID")
    command.add_argument("question", metavar="QUESTION")
    command.set_defaults(run=_view)


def day_or_month(text: str) -> date:
    """A day, or a month meaning its last day."""
    try:
        if len(text) == 7:
            year, month = int(text[:4]), int(text[5:])
            return date(year, month, calendar.monthrange(year, month)[1])
        return date.fromisoformat(text)
    except (ValueError, calendar.IllegalMonthError):
        raise argparse.ArgumentTypeError(f"{text!r} is no day (2025-03-31) or month (2025-03)") from None


def day(text: str) -> date:
    """A day as the command line takes it."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day: write it as 2025-03-31") from None


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def _kind(text: str) -> MemoryKind:
    try:
        return MemoryKind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(MemoryKind)}") from None


def _add_filter(command: argparse.ArgumentParser) -> None:
    command.add_argument("--from", dest="first_day", type=day, metavar="DAY")
    command.add_argument("--to", dest="last_day", type=day, metavar="DAY")
    command.add_argument(
        "--person", action="append", default=[], metavar="P", help="a name or a group of yours; several times: all"
    )
    command.add_argument(
        "--place", action="append", default=[], metavar="P", help="may be given several times: any of them"
    )
    command.add_argument("--event", action="append", default=[], metavar="E")
    command.add_argument(
        "--type", action="append", default=[], type=_kind, metavar="T", help=f"one of {', '.join(MemoryKind)}"
    )


def _filter(engine: Engine, options: argparse.Namespace) -> MemoryFilter:
    wanted = MemoryFilter(
        first_day=options.first_day,
        last_day=options.last_day,
        places=tuple(name for typed in options.place for name in engine.places_called(typed)),
        kinds=tuple(options.type),
        event_ids=tuple(engine.event_named(name).id for name in options.event),
    )
    for name in options.person:
        wanted = engine.with_person(wanted, name)
    return wanted


def _ask(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    if options.image is not None and options.file is None:
        options.question = options.question or "What is this?"
    if (options.question is None) == (options.file is None):
        raise RequestError("Ask one question, or give --file QUESTIONS.jsonl.")
    with opened(home, chat=options.model) as engine:
        within = _within(engine, options.within)
        today = options.today or date.today()
        for said in nothing_read(engine):
            terminal.note(said)
        if options.question is not None:
            warning = _warn(engine, options.question, terminal)
            question = Question(options.question, today, within=within, with_agent=options.agent)
            if options.image is not None:
                answer = engine.ask_about_picture(options.image, question)
            else:
                answer = _answered(engine, question, terminal)
            done = _carried_out(engine, answer, options.yes, terminal)
            text = "\n".join(part for part in (answer_text(engine, answer), done) if part)
            terminal.result({**answer_json(engine, answer), "carried_out": done, "warning": warning}, text)
            return 0
        for entry, question in _questions(options.file, today, within):
            warning = _warn(engine, question.text, terminal)
            answer = run_to_end(engine.ask(question), terminal.news)
            told: dict[str, object] = {key: entry[key] for key in ("qid", "question") if key in entry}
            terminal.result(
                {**told, **answer_json(engine, answer), "warning": warning},
                f"? {question.text}\n{answer_text(engine, answer)}\n",
            )
    return 0


def nothing_read(engine: Engine) -> list[str]:
    """What to do first while no memory is known: an answer from nothing looks like a fault."""
    return (
        []
        if engine.count(MemoryFilter())
        else ["Nothing has been read yet: madeleine add FOLDER, then madeleine process"]
    )


def _answered(engine: Engine, question: Question, terminal: Terminal) -> Answer:
    """The answer; one that says "stopped" after an interrupt from the keyboard."""
    try:
        answer: Answer = run_to_end(engine.ask(question), terminal.news)
    except KeyboardInterrupt:
        return Answer(outcome=Outcome.STOPPED, text="Stopped. Nothing was changed.")
    return answer


def _carried_out(engine: Engine, answer: Answer, yes: bool, terminal: Terminal) -> str:
    """Do what a command asks for after a yes, typed or given; returns what was done, empty for nothing."""
    if answer.proposal is None:
        return ""
    if not yes and not terminal.agreed(answer.text):
        return ""
    done = engine.carry_out(answer.proposal)
    undo = "; ".join(f"madeleine events undo {each}" for each in done.correction_ids[:3])
    more = len(done.correction_ids) - 3
    return f"{done.text} To take it back: {undo}" + (
        f"; and {more} more in madeleine events history." if more > 0 else ""
    )


def _within(engine: Engine, words: str | None) -> tuple[str, ...] | None:
    """Memory ids of an event's name or id, or of a list of public ids."""
    if words is None:
        return None
    try:
        return tuple(engine.resolve(each.strip()) for each in words.split(","))
    except RequestError:
        return engine.event_named(words).member_ids


def _questions(path: Path, today: date, within: tuple[str, ...] | None) -> Sequence[tuple[dict[str, object], Question]]:
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(f"The questions {path} cannot be read ({error}).") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            text = str(entry["question"])
            asked_on = day_or_month(str(entry["asked_on"])) if entry.get("asked_on") else today
            options = tuple((str(each["option"]), str(each["content"])) for each in entry.get("options") or ())
        except (ValueError, KeyError, TypeError, AttributeError, argparse.ArgumentTypeError) as error:
            raise RequestError(f"Line {number} of {path} is no question ({error}).") from error
        found.append((entry, Question(text, asked_on, options, within)))
    return found


def answer_text(engine: Engine, answer: Answer) -> str:
    """An answer for a person: the text, then the pictures that prove it, then how it was found."""
    lines = [answer.text]
    memories = {memory.id: memory for memory in engine.memories([citation.memory_id for citation in answer.citations])}
    for citation in answer.citations:
        memory = memories.get(citation.memory_id)
        if memory is not None:
            lines.append(
                f"    [{memory.public_id}] {taken_at(memory) or 'undated'}  {Path(file_of(memory)).name}  {citation.why}".rstrip()
            )
    lines += [f"    or: {reading}" for reading in answer.readings]
    for number, step in enumerate(answer.trace, start=1):
        lines.append(f"    step {number}: {step.action} ({step.budget})")
    lines.append(f"    found by: {answer.found_by}" if answer.found_by else f"    searched: {answer.searched}")
    return "\n".join(lines)


def _show(engine: Engine, found: Sequence[Found], terminal: Terminal) -> int:
    results = found_json(engine, found)
    text = "\n".join(
        f"[{each['id']}] {each['taken_at'] or 'undated'}  {each['file']}  {each['why']}".rstrip() for each in results
    )
    terminal.result(results, text or "Nothing found.")
    return 0


def _search(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    if (options.text is None) == (options.like is None):
        raise RequestError("Search for a text, or give --like ID.")
    with opened(home) as engine:
        wanted = _filter(engine, options)
        if options.like is not None:
            return _show(engine, engine.looking_like(engine.resolve(options.like), options.k, wanted), terminal)
        _warn(engine, options.text, terminal)
        return _show(engine, engine.search(options.text, options.k, wanted), terminal)


def _warn(engine: Engine, text: str, terminal: Terminal) -> str:
    """Tell, and return, that the text model does not know the language; empty when it does."""
    warning = engine.language_warning(text)
    if warning:
        terminal.note(warning)
    return warning


def _grep(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        return _show(engine, engine.grep(options.text, options.k, _filter(engine, options)), terminal)


def _list(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        return _show(engine, engine.listing(options.k, _filter(engine, options)), terminal)


def _get(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        record = memory_json(engine, engine.memory(engine.resolve(options.id)))
    terminal.result(record, json.dumps(record, ensure_ascii=False, indent=2))
    return 0


def _view(options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        reply = engine.view([engine.resolve(each) for each in options.ids], options.question)
        model = engine.models_in_use()["captioner"]
    terminal.result({"text": reply.text, "model": model, "refused": reply.is_refused}, reply.text)
    return 1 if reply.is_refused else 0
