"""Measures how much of a question's evidence the search finds, beside plain word search, plain meaning search and both fused.

    python tests/bench/retrieval.py PACK… [-k 10] [--json OUT] [--home DIR]

Recall is the share of a question's evidence among the first k; "any" is the share of questions with at least one.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median
from time import perf_counter

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[2]))

from core.ask.augment_query import augment
from core.ask.gather import find
from core.ask.plan import make_plan
from core.ask.talk import Talk
from core.ask.turn import Turn
from core.paths import Home, default_home
from core.ports import TextEmbedder, never
from core.records import Question
from core.retrieve.embed import MEMORY, index_of
from core.retrieve.fuse import Ranked, fuse
from core.retrieve.match_words import match_any, words_of
from core.store.library import Library
from models.installed import InstalledModels
from tests.bench.grading import interval
from tests.bench.packs import PackQuestion, open_pack, read_questions

Searcher = Callable[[Library, TextEmbedder | None, PackQuestion, int], Sequence[str]]
_DEEP = 200


def bm25(library: Library, embedder: TextEmbedder | None, question: PackQuestion, k: int) -> list[str]:
    """Words alone."""
    expression = match_any(words_of(question.text))
    return [memory_id for memory_id, _ in library.memories.by_words(expression, k)] if expression else []


def meaning(library: Library, embedder: TextEmbedder | None, question: PackQuestion, k: int) -> list[str]:
    """The embedder alone."""
    if embedder is None:
        return []
    nearest = index_of(library, embedder, MEMORY).nearest(embedder.embed_query(question.text).reshape(-1), k)
    return [near.owner_id for near in nearest]


def fused(library: Library, embedder: TextEmbedder | None, question: PackQuestion, k: int) -> list[str]:
    """Both, joined by rank."""
    lists = [Ranked(search(library, embedder, question, _DEEP), 1.0) for search in (bm25, meaning)]
    return [memory_id for memory_id, _ in fuse(lists)][:k]


def ours(library: Library, embedder: TextEmbedder | None, question: PackQuestion, k: int) -> list[str]:
    """The program's own search: understood, planned, fused."""
    asked = Question(question.text, question.asked_on, question.options)
    turn = Turn(library, embedder, Talk(None, never), asked)
    plan = make_plan(library, asked, augment(library, asked, turn.talk))
    return [found.memory_id for found in find(turn, plan, k)]


SEARCHERS: dict[str, Searcher] = {"bm25": bm25, "meaning": meaning, "fused": fused, "ours": ours}


def main() -> None:
    """Run from the command line."""
    options = _options()
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as scratch:
        home = options.home or Path(scratch)
        models = InstalledModels(options.models or Home(default_home()).models, home / "logs", "none", "none")
        try:
            for pack in options.packs:
                rows += _measure(pack, home / pack.name, models.text_embedder, options.k)
        finally:
            models.close()
    if options.json:
        options.json.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    _report(rows)


def _measure(pack: Path, home: Path, embedder: TextEmbedder | None, k: int) -> list[dict[str, object]]:
    library = open_pack(pack, home, embedder)
    try:
        ids = library.memories.ids_by_public_id()
        rows = []
        for question in read_questions(pack, "questions"):
            gold = {ids[each] for each in question.evidence if each in ids}
            for name, searcher in SEARCHERS.items():
                start = perf_counter()
                found = set(searcher(library, embedder, question, k)) if gold else set()
                rows.append({
                    "pack": pack.name, "qid": question.qid, "kind": question.kind, "search": name, "question": question.text,
                    "recall": len(found & gold) / len(gold) if gold else None, "seconds": perf_counter() - start,
                })  # fmt: skip
        return rows
    finally:
        library.close()


def _report(rows: list[dict[str, object]]) -> None:
    groups: dict[str, list[dict[str, object]]] = defaultdict(list)
    for row in rows:
        if row["recall"] is not None:
            groups[f"{row['kind']}|{row['search']}"].append(row)
            groups[f"{row['pack']}|{row['search']}"].append(row)
            groups[f"all|{row['search']}"].append(row)
    print(f"{'group':36} {'search':8} {'n':>4} {'recall':>7}  95 %          any  median s")
    for key, group in sorted(groups.items()):
        recalls = [float(str(row["recall"])) for row in group]
        low, high = interval(recalls)
        hit = mean(recall > 0 for recall in recalls)
        seconds = median(float(str(row["seconds"])) for row in group)
        name, search = key.split("|")
        print(
            f"{name:36} {search:8} {len(group):4} {mean(recalls):7.3f}  {low:.2f} - {high:.2f} {hit:6.2f} {seconds:8.3f}"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+", type=Path)
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument(
        "--models", type=Path, help="folder of weights (default: that of the home, or MADELEINE_MODELS)"
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--home", type=Path, help="keep the imported libraries here for the next run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
