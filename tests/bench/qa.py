"""Asks every question of benchmark packs and grades the answers by code.

    python tests/bench/qa.py PACK… [--model ID|none] [--questions structured_questions|questions] [--sample N --seed S]
                             [--json OUT] [--home DIR]

A stopped run goes on where it was when it is given the same `--json` file. Floors are in the packs' README. It fails when an
answer cites a memory that its turn did not retrieve, or shows pictures where nothing was to be found.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from unittest.mock import patch

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[2]))

from core.ask.answer import ask
from core.ask.turn import Turn
from core.jobs import run_to_end
from core.paths import Home, default_home
from core.ports import ModelSet, never
from core.records import Answer, Question
from models.installed import InstalledModels
from tests.bench.grading import grade, interval
from tests.bench.packs import PackQuestion, open_pack, read_questions


@dataclass(slots=True)
class Results:
    """Graded answers by "pack qid model"; written after every answer."""

    path: Path | None
    lines: dict[str, dict[str, object]] = field(default_factory=dict)

    def load(self) -> None:
        """Read what an earlier run wrote."""
        if self.path and self.path.exists():
            for text in self.path.read_text("utf-8").splitlines():
                line = json.loads(text)
                self.lines[str(line["key"])] = line

    def add(self, line: dict[str, object]) -> None:
        """Keep and write one."""
        self.lines[str(line["key"])] = line
        if self.path:
            with self.path.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line, ensure_ascii=False) + "\n")


def main() -> None:
    """Run from the command line."""
    options = _options()
    results = Results(options.json)
    results.load()
    with tempfile.TemporaryDirectory() as scratch:
        home = options.home or Path(scratch)
        models = InstalledModels(options.models or Home(default_home()).models, home / "logs", options.model, "none")
        try:
            keys = [
                key for pack in options.packs for key in _ask_pack(pack, home / pack.name, models, options, results)
            ]
        finally:
            models.close()
    lines = [results.lines[key] for key in keys]
    _report(lines)
    _report_effort(lines)
    if not _report_evidence(lines):
        sys.exit(1)


@contextmanager
def _turns() -> Iterator[list[Turn]]:
    """Every turn begun meanwhile: what a turn retrieved is not part of its answer."""
    begun: list[Turn] = []

    def begin(*args: object) -> Turn:
        begun.append(Turn(*args))  # type: ignore[arg-type]
        return begun[-1]

    with patch("core.ask.answer.Turn", begin):
        yield begun


def _ask_pack(pack: Path, home: Path, models: ModelSet, options: argparse.Namespace, results: Results) -> Iterator[str]:
    questions = read_questions(pack, options.questions)
    if options.kind:
        questions = [each for each in questions if set(options.kind) & {each.kind, each.answer_type, *_marks(each)}]
    if options.sample and options.sample < len(questions):
        questions = random.Random(options.seed).sample(questions, options.sample)
    library = open_pack(pack, home, models.text_embedder)
    try:
        for each in questions:
            key = f"{each.pack} {options.questions} {each.qid} {options.model}"
            if key not in results.lines:
                question = Question(each.text, each.asked_on, each.options)
                with _turns() as turns:
                    answer = run_to_end(ask(library, models, question, never))
                retrieved = {memory_id for turn in turns for memory_id in turn.retrieved}
                results.add(_line(key, each, answer, retrieved))
                _show(results.lines[key], options.verbose)
            yield key
    finally:
        library.close()


def _marks(each: PackQuestion) -> tuple[str, ...]:
    return ("photos_suffice",) if each.options and each.photos_suffice else ()


def _line(key: str, each: PackQuestion, answer: Answer, retrieved: set[str]) -> dict[str, object]:
    return {
        "key": key, "pack": each.pack, "kind": f"{each.kind}{' photos_suffice' if each.options and each.photos_suffice else ''}",
        "type": each.answer_type, "question": each.text, "gold": each.answer, "value": answer.value, "text": answer.text,
        "outcome": answer.outcome, "grade": grade(each, answer), "seconds": answer.seconds, "first_pictures": answer.first_pictures_s,
        "prompt_tokens": answer.prompt_tokens, "fresh_tokens": answer.fresh_prompt_tokens, "completion_tokens": answer.completion_tokens,
        "citations": len(answer.citations), "found_by": answer.found_by,
        "not_retrieved": [each.memory_id for each in answer.citations if each.memory_id not in retrieved],
    }  # fmt: skip


def _show(line: dict[str, object], verbose: bool) -> None:
    if verbose or (line["grade"] is not None and line["grade"] != 1.0):
        print(
            f"{line['grade']}  {line['question']}\n      gold {line['gold']!r}  said {line['value']!r}: {line['text']}"
        )
        print(f"      {line['found_by']}", flush=True)


def _report(lines: list[dict[str, object]]) -> None:
    by_kind: dict[str, list[dict[str, object]]] = defaultdict(list)
    for line in lines:
        by_kind[f"{line['kind']} ({line['type']})"].append(line)
    print(f"{'kind':48} {'n':>4} {'right':>6}  95 %         fresh tokens  median s")
    for kind, group in [*sorted(by_kind.items()), ("all graded", lines)]:
        grades = [float(str(line["grade"])) for line in group if line["grade"] is not None]
        fresh = mean(float(str(line["fresh_tokens"])) for line in group) if group else 0.0
        seconds = median(float(str(line["seconds"])) for line in group) if group else 0.0
        if grades:
            low, high = interval(grades)
            print(
                f"{kind:48} {len(grades):4} {mean(grades):6.3f}  {low:.2f} - {high:.2f} {fresh:12.0f} {seconds:10.2f}"
            )
        else:
            print(f"{kind:48} {len(group):4}   open                {fresh:12.0f} {seconds:10.2f}")


def _report_effort(lines: list[dict[str, object]]) -> None:
    """Tokens and seconds over all questions, and over those that the model had a part in."""
    asked = [line for line in lines if float(str(line["prompt_tokens"]))]
    for name, group in (("all questions", lines), ("those that ask the model", asked)):
        if group:
            fresh = mean(float(str(line["fresh_tokens"])) for line in group)
            seconds = median(float(str(line["seconds"])) for line in group)
            first = [float(str(line["first_pictures"])) for line in group if line["first_pictures"] is not None]
            shown = f"{median(first):.2f} s (n {len(first)})" if first else "none shown"
            print(f"{name}: n {len(group)}, fresh prompt tokens {fresh:.0f} in the mean, ", end="")
            print(f"full answer {seconds:.2f} s and first pictures {shown} in the median")


def _report_evidence(lines: list[dict[str, object]]) -> bool:
    """Whether every memory cited was retrieved in its turn, and nothing is shown of what does not exist; both are printed."""
    cited = sum(int(str(line["citations"])) for line in lines)
    strangers = [line for line in lines if line.get("not_retrieved")]
    absent = [line for line in lines if line["type"] == "none"]
    shown = [line for line in absent if line["grade"] != 1.0]
    print(f"citations: {cited}, answers that cite what their turn did not retrieve: {len(strangers)} of {len(lines)}")
    print(f"absent people and places: {len(absent) - len(shown)} of {len(absent)} not found and without pictures")
    for line in (*strangers, *shown):
        print(f"      {line['question']}: {line['text']}")
    return not strangers and not shown


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+", type=Path)
    parser.add_argument("--model", default="none", help="id of a chat model, auto, or none")
    parser.add_argument(
        "--models", type=Path, help="folder of weights (default: that of the home, or MADELEINE_MODELS)"
    )
    parser.add_argument("--questions", default="structured_questions")
    parser.add_argument(
        "--kind", action="append", help="only this kind, answer type or photos_suffice; may be given several times"
    )
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--home", type=Path, help="keep the imported libraries here for the next run")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
