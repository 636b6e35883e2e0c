"""Commands that say what was wrong or right about an answer: wrong, not this one, more like this, save as fact."""

import argparse
from collections.abc import Sequence
from datetime import date

from core.engine import Engine
from core.errors import RequestError
from core.jobs import run_to_end
from core.records import Answer, Outcome, Question
from desktop.cli_ask import answer_text, day_or_month
from desktop.cli_edit import AddCommand, action_parser, finish
from desktop.json_view import answer_json, fact_json, found_json
from desktop.terminal import Terminal

_ALIKE = 12
_LONGEST_FACT = 200
_SUMMARIES = {
    "wrong": "none of the pictures shown has to do with the question: leave them out and answer again",
    "not-this": "these pictures have nothing to do with the question: leave them out and answer again",
    "more-like": "what looks like this picture",
    "save": "keep question and answer as a fact of your own",
}


def add_commands(add: AddCommand) -> None:
    """Register the commands."""
    actions = add(
        "feedback", "say what was wrong or right about an answer; kept, and applied to the next one"
    ).add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, act in (("wrong", _wrong), ("not-this", _not_this), ("more-like", _more_like), ("save", _save)):
        parser = action_parser(actions, name, _SUMMARIES[name])
        if name == "more-like":
            parser.add_argument("id", metavar="ID")
        else:
            parser.add_argument("question", metavar="QUESTION", help="as it was asked, or in other words")
            parser.add_argument(
                "--today", type=day_or_month, default=None, metavar="DAY|MONTH", help="what 'today' means"
            )
        if name == "not-this":
            parser.add_argument("ids", metavar="ID", nargs="+", help="printed beside the pictures of an answer")
        finish(parser, act)


def _wrong(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    answer = _answered(engine, options, terminal)
    if not answer.citations:
        raise RequestError(f"The answer shows no pictures: {answer.text}", "Nothing was changed.")
    _reject(engine, [citation.memory_id for citation in answer.citations], options, terminal)


def _not_this(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    _reject(engine, [engine.resolve(each) for each in options.ids], options, terminal)


def _reject(engine: Engine, memory_ids: Sequence[str], options: argparse.Namespace, terminal: Terminal) -> None:
    """Remember it, and answer again without them."""
    for memory_id in memory_ids:
        engine.correct.reject_citation(memory_id, options.question)
    answer = _answered(engine, options, terminal)
    terminal.result({**answer_json(engine, answer), "left_out": len(memory_ids)}, answer_text(engine, answer))


def _more_like(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    results = found_json(engine, engine.looking_like(engine.resolve(options.id), _ALIKE))
    lines = [
        f"[{each['id']}] {each['taken_at'] or 'undated'}  {each['file']}  {each['why']}".rstrip() for each in results
    ]
    terminal.result(results, "\n".join(lines) or "Nothing looks like it.")


def _save(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    answer = _answered(engine, options, terminal)
    if answer.outcome is not Outcome.ANSWERED:
        raise RequestError(f"That was not answered: {answer.text}", "Say it yourself: madeleine facts add STATEMENT.")
    statement = f"{options.question.strip().rstrip('?')}: {answer.text.strip()}"[:_LONGEST_FACT]
    known = {fact.id for fact in engine.facts()}
    engine.correct.add_fact(statement)
    kept = next(fact for fact in engine.facts() if fact.id not in known)
    terminal.result(fact_json(engine, kept), f"Kept under Knowledge: {kept.statement}")


def _answered(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> Answer:
    question = Question(options.question, options.today or date.today())
    answer: Answer = run_to_end(engine.ask(question), terminal.news)
    return answer
