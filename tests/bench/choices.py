"""Answers choice questions of packs from different evidence with one model: none, the gold evidence, BM25's best five, and ours.

    python tests/bench/choices.py PACK… --model ID [--way WAY…] [--all] [--json OUT] [--home DIR]

Without `--all`, only the questions whose `photos_suffice` is set. The first three ways give the model the same prompt that ours
gives it, with other lines in it; ours is the program's whole path, in which code may decide before the model is asked. A stopped
run goes on where it was when it is given the same `--json` file.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from time import perf_counter

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[2]))

from core.ask.answer import ask
from core.ask.evidence import Evidence
from core.ask.prompts import choice_prompt
from core.ask.replies import read_letter
from core.ask.talk import Talk
from core.errors import ReplyError
from core.jobs import run_to_end
from core.paths import Home, default_home
from core.ports import ModelSet, never
from core.records import Question
from core.retrieve.match_words import match_any, words_of
from core.store.library import Library
from models.installed import InstalledModels
from tests.bench.grading import interval
from tests.bench.packs import PackQuestion, open_pack, read_questions
from tests.bench.qa import Results

OURS = "ours"
WAYS = ("no evidence", "gold evidence", "bm25 top 5", OURS)
_PLAIN = 5


def main() -> None:
    """Run from the command line."""
    options = _options()
    results = Results(options.json)
    results.load()
    keys: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        home = options.home or Path(scratch)
        models = InstalledModels(options.models or Home(default_home()).models, home / "logs", options.model, "none")
        try:
            for pack in options.packs:
                keys += _answer_pack(pack, home / pack.name, models, options, results)
        finally:
            models.close()
    _report([results.lines[key] for key in keys], options.way or WAYS)


def _answer_pack(pack: Path, home: Path, models: ModelSet, options: argparse.Namespace, results: Results) -> list[str]:
    keys = []
    library = open_pack(pack, home, models.text_embedder)
    try:
        for question in read_questions(pack, "questions"):
            if not question.options or not (question.photos_suffice or options.all):
                continue
            for way in options.way or WAYS:
                key = f"{question.pack} {question.qid} {options.model} {way}"
                if key not in results.lines:
                    results.add({"key": key, "way": way, **_answered(library, models, question, way)})
                keys.append(key)
    finally:
        library.close()
    return keys


def _answered(library: Library, models: ModelSet, question: PackQuestion, way: str) -> dict[str, object]:
    start = perf_counter()
    if way == OURS:
        answer = run_to_end(ask(library, models, Question(question.text, question.asked_on, question.options), never))
        letter, fresh = str(answer.value), answer.fresh_prompt_tokens
    else:
        talk = Talk(models.chat, never)
        evidence = Evidence(tuple(library.memories.many(_memories(library, question, way))))
        letter, fresh = _by_prompt(talk, question, evidence), talk.fresh_prompt_tokens
    return {
        "question": question.text, "gold": question.answer, "said": letter, "right": letter == question.answer,
        "fresh": fresh, "seconds": perf_counter() - start,
    }  # fmt: skip


def _memories(library: Library, question: PackQuestion, way: str) -> list[str]:
    """The ids of the memories that this way shows the model."""
    if way == "gold evidence":
        ids = library.memories.ids_by_public_id()
        return [ids[each] for each in question.evidence if each in ids]
    expression = match_any(words_of(question.text))
    if way == "no evidence" or not expression:
        return []
    return [memory_id for memory_id, _ in library.memories.by_words(expression, _PLAIN)]


def _by_prompt(talk: Talk, question: PackQuestion, evidence: Evidence) -> str:
    """The letter that the model picks; empty when it gives none that was offered."""
    lines = evidence.lines(f"{question.text} {' '.join(text for _, text in question.options)}", talk.evidence_lines)
    today = f"{question.asked_on:%A} {question.asked_on.isoformat()}"
    letters = frozenset(letter for letter, _ in question.options)
    prompt = choice_prompt(question.text, today, lines, question.options)
    try:
        return talk.ask(prompt, lambda text: read_letter(text, letters))
    except ReplyError:
        return ""


def _report(lines: list[dict[str, object]], ways: Sequence[str]) -> None:
    print(f"{'evidence':14} {'n':>4} {'right':>6}  95 %         fresh tokens  median s")
    for way in ways:
        held = [line for line in lines if line["way"] == way]
        if not held:
            continue
        grades = [float(bool(line["right"])) for line in held]
        low, high = interval(grades)
        fresh = mean(float(str(line["fresh"])) for line in held)
        seconds = median(float(str(line["seconds"])) for line in held)
        print(f"{way:14} {len(held):4} {sum(grades):6.0f}  {low:.2f} - {high:.2f} {fresh:12.0f} {seconds:10.2f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+", type=Path)
    parser.add_argument("--model", default="auto", help="id of a chat model, or auto")
    parser.add_argument(
        "--models", type=Path, help="folder of weights (default: that of the home, or MADELEINE_MODELS)"
    )
    parser.add_argument("--way", action="append", choices=WAYS, help="only this; may be given several times")
    parser.add_argument("--all", action="store_true", help="also questions that the photos alone do not settle")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--home", type=Path, help="keep the imported libraries here for the next run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
