"""Measures the model that looks things up by itself beside the direct path, with the same model, on questions of packs.

    python tests/bench/agent.py PACK… --model ID [--sample 20] [--seed 1] [--json OUT] [--home DIR]

By path: how many were graded right, evidence found (recall over everything its tools returned), tool calls, prompt tokens and
seconds a question. Questions without a gradable answer count for evidence and cost only.
"""

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path
from statistics import mean, median

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[2]))

from core.ask.agent import answer as agent_answer
from core.ask.answer import ask
from core.ask.augment_query import augment
from core.ask.plan import make_plan
from core.ask.talk import Talk
from core.ask.turn import Turn
from core.jobs import run_to_end
from core.paths import Home, default_home
from core.ports import ModelSet, never
from core.records import Answer, Outcome, Question
from core.retrieve.serving import serving_embedder
from core.store.library import Library
from models.installed import InstalledModels
from tests.bench.grading import grade, interval
from tests.bench.packs import PackQuestion, open_pack, read_questions


def main() -> None:
    """Run from the command line."""
    options = _options()
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as scratch:
        home = options.home or Path(scratch)
        models = InstalledModels(options.models or Home(default_home()).models, home / "logs", options.model, "none")
        try:
            for pack in options.packs:
                library = open_pack(pack, home / pack.name, models.text_embedder)
                try:
                    for question in _sampled(pack, options):
                        rows += [_directly(library, models, question), _by_steps(library, models, question)]
                        print(json.dumps(rows[-2]), json.dumps(rows[-1]), sep="\n", file=sys.stderr, flush=True)
                finally:
                    library.close()
        finally:
            models.close()
    if options.json:
        options.json.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    _report(rows)


def _sampled(pack: Path, options: argparse.Namespace) -> list[PackQuestion]:
    questions = [each for each in read_questions(pack, options.questions) if not each.options]
    return random.Random(options.seed).sample(questions, min(options.sample, len(questions)))


def _directly(library: Library, models: ModelSet, question: PackQuestion) -> dict[str, object]:
    answer = run_to_end(ask(library, models, Question(question.text, question.asked_on), never))
    return _row("direct", library, question, answer, [each.memory_id for each in answer.citations])


def _by_steps(library: Library, models: ModelSet, question: PackQuestion) -> dict[str, object]:
    asked = Question(question.text, question.asked_on, with_agent=True)
    turn = Turn(library, serving_embedder(library, models), Talk(models.chat, never), asked, models.image_embedder)
    draft = run_to_end(agent_answer(turn, make_plan(library, asked, augment(library, asked, turn.talk))))
    talk = turn.talk
    answer = Answer(
        outcome=draft.outcome if draft else Outcome.NOT_FOUND,
        text=draft.text if draft else "",
        value=draft.value if draft else None,
        trace=turn.trace,
        seconds=turn.seconds(),
        prompt_tokens=talk.prompt_tokens,
        fresh_prompt_tokens=talk.fresh_prompt_tokens,
    )
    return _row("agent", library, question, answer, list(turn.retrieved))


def _row(path: str, library: Library, question: PackQuestion, answer: Answer, found: list[str]) -> dict[str, object]:
    public = {memory.public_id for memory in library.memories.many(found)}
    gold = set(question.evidence)
    return {
        "path": path, "qid": question.qid, "kind": question.kind, "question": question.text, "outcome": answer.outcome,
        "text": answer.text, "grade": grade(question, answer),
        "recall": len(public & gold) / len(gold) if gold else None, "steps": len(answer.trace),
        "tokens": answer.prompt_tokens, "fresh": answer.fresh_prompt_tokens, "seconds": answer.seconds,
    }  # fmt: skip


def _report(rows: list[dict[str, object]]) -> None:
    print(
        f"{'path':8} {'n':>4} {'graded':>6} {'right':>6} {'95 %':>13} {'recall':>7} {'steps':>6} {'tokens':>7} {'fresh':>7} {'median s':>9}"
    )
    for path in ("direct", "agent"):
        held = [row for row in rows if row["path"] == path]
        grades = [float(str(row["grade"])) for row in held if row["grade"] is not None]
        recalls = [float(str(row["recall"])) for row in held if row["recall"] is not None]
        low, high = interval(grades) if grades else (0.0, 0.0)
        numbers = [
            mean(float(str(row[name])) for row in held) if held else 0.0 for name in ("steps", "tokens", "fresh")
        ]
        print(
            f"{path:8} {len(held):4} {len(grades):6} {mean(grades) if grades else 0:6.2f} {low:5.2f} - {high:5.2f} "
            f"{mean(recalls) if recalls else 0:7.2f} {numbers[0]:6.1f} {numbers[1]:7.0f} {numbers[2]:7.0f} "
            f"{median(float(str(row['seconds'])) for row in held) if held else 0:9.1f}"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+", type=Path)
    parser.add_argument("--model", default="auto", help="id of a chat model, or auto")
    parser.add_argument(
        "--models", type=Path, help="folder of weights (default: that of the home, or MADELEINE_MODELS)"
    )
    parser.add_argument("--questions", default="questions")
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--home", type=Path, help="keep the imported libraries here for the next run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
