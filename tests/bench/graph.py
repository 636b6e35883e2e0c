"""What does one more memory cost the statistics and the life graph, beside reading the whole library anew (the floor)?

`python -m tests.bench.graph [--memories N] [--json OUT]`; draws its own library, runs no model.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from core.augment import graph_stage, knowledge_stage
from core.graph.traverse import neighbours, walk
from core.jobs import Steps, run_to_end
from core.paths import Home
from core.ports import never
from core.records import Place
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.core.augment.life import remember
from tests.fakes import FakeModels


def main() -> None:
    """Draw, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library = open_library(Home(Path(folder)), ExactIndexes())
        measured = measure(library, options.memories)
        library.close()
    sys.stdout.write("".join(f"{name:34} {value:>12}\n" for name, value in measured.items()))
    if options.json:
        options.json.write_text(json.dumps(measured, indent=1))


def measure(library: Library, number: int) -> dict[str, float]:
    """Seconds of each step."""
    with library.database.write():
        for n in range(number):
            _live(library, n)
    models = FakeModels()
    whole = {
        "statistics, whole library": _seconds(lambda: knowledge_stage.bring_up_to_date(library, models, never)),
        "graph, whole library": _seconds(lambda: graph_stage.bring_up_to_date(library, models, never)),
    }
    _live(library, number)
    one = {
        "statistics, one more memory": _seconds(lambda: knowledge_stage.bring_up_to_date(library, models, never)),
        "graph, one more memory": _seconds(lambda: graph_stage.bring_up_to_date(library, models, never)),
    }
    began = time.perf_counter()
    neighbours(library, "Friend 7")
    beside = time.perf_counter() - began
    began = time.perf_counter()
    walk(library, ["Friend 7"], width=5, depth=2)
    walked = time.perf_counter() - began
    nodes, edges = library.graph.counts()
    return {
        "memories": number, "nodes": nodes, "edges": edges, **whole, **one,
        "neighbours of a person": round(beside, 4), "walk, width 5 and depth 2": round(walked, 4),
    }  # fmt: skip


def _live(library: Library, n: int) -> None:
    remember(
        library, datetime(2010, 1, 1, 12) + timedelta(hours=n), "A picture", people=("Ana", f"Friend {n % 50}"),
        activities=(f"activity {n % 20}",), things=("boat", "tree"),
        place=Place(name=f"Place {n % 30}", city="Graz", country="Austria"),
    )  # fmt: skip


def _seconds(steps: Callable[[], Steps]) -> float:
    began = time.perf_counter()
    run_to_end(steps())
    return round(time.perf_counter() - began, 4)


if __name__ == "__main__":
    main()
