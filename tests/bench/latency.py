"""Measures how long classic search takes on a large drawn library: words, quoted text, pieces of text, each filter, and a listing.

    python tests/bench/latency.py [--size 100000] [--rounds 5] [--home DIR] [--json OUT]

The library is drawn from a seeded vocabulary whose words are as unevenly frequent as in real text; `--home` keeps it for the next
run. Floor: SQLite's own `LIKE` over captions and texts, which is what a plain file search does. No model is loaded: this is the
part that answers while the person types.
"""

import argparse
import json
import random
import sys
import tempfile
from bisect import bisect
from collections.abc import Callable
from datetime import date, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from statistics import median
from time import perf_counter

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[2]))

from core.ask.dates import find_days
from core.paths import Home
from core.records import AtomicContext, ContextKind, Field, MemoryFilter, MemoryKind, Origin, Place, Taken
from core.retrieve.search import grep, listing, search
from core.retrieve.search_box import parse_search
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library

TODAY = date(2025, 12, 31)
_SOUNDS = (
    "ba be bo da de di fa fo ga ge ka ki ko la le li lo ma me mi na ne no pa pe po ra re ri sa se so ta te ti va vi"
)
_SYLLABLES = _SOUNDS.split()
_BATCH = 2_000
_WORDS, _PEOPLE, _PLACES = 6_000, 300, 800
_DAYS = 3_650
_EVEN = 10


class Drawn:
    """Words, names and days of one invented library; the same for the same seed."""

    def __init__(self, seed: int = 7) -> None:
        self.random = random.Random(seed)
        self._heaps: dict[int, list[float]] = {}
        self.words = self._names(_WORDS, 2, 4)
        self.people = [
            f"{first.title()} {last.title()}"
            for first, last in zip(*(self._names(_PEOPLE, 2, 3) for _ in "ab"), strict=True)
        ]
        self.places = [
            Place(f"{name.title()} Café", "", "", f"{name[:4].title()}stad", "", "Sweden")
            for name in self._names(_PLACES, 2, 3)
        ]

    def often(self, names: list[str]) -> str:
        """One of them; the first ones come more often, as in real text: the first word is in one caption of five."""
        if len(names) not in self._heaps:
            self._heaps[len(names)] = list(accumulate(1 / (rank + _EVEN) for rank in range(len(names))))
        heaps = self._heaps[len(names)]
        return names[bisect(heaps, self.random.random() * heaps[-1], hi=len(names) - 1)]

    def sentence(self, size: int) -> str:
        """So many words."""
        return " ".join(self.often(self.words) for _ in range(size))

    def _names(self, count: int, least: int, most: int) -> list[str]:
        held: dict[str, None] = {}
        while len(held) < count:
            held["".join(self.random.choices(_SYLLABLES, k=self.random.randint(least, most)))] = None
        return list(held)


def draw_library(library: Library, size: int, drawn: Drawn) -> None:
    """Fill an empty library with so many memories."""
    for start in range(0, size, _BATCH):
        with library.database.write():
            for number in range(start, min(start + _BATCH, size)):
                _draw_memory(library, number, size, drawn)
        print(f"drawn {min(start + _BATCH, size)} of {size}", file=sys.stderr)


def _draw_memory(library: Library, number: int, size: int, drawn: Drawn) -> None:
    kind = MemoryKind.SCREENSHOT if number % 5 == 0 else MemoryKind.PHOTO
    memory_id = library.memories.create(kind=kind, file_name=f"IMG_{number:06}.jpg", content_key=None)
    when = datetime(2016, 1, 1) + timedelta(days=number * _DAYS / size, hours=number % 14 + 8)
    people = [drawn.often(drawn.people) for _ in range(drawn.random.choice((0, 0, 1, 2)))]
    things = [drawn.often(drawn.words) for _ in range(4)]
    with library.memories.edit(memory_id) as edit:
        edit.set_taken(Taken(when, None, Origin.EXIF_ORIGINAL, 1.0))
        edit.set_place(drawn.random.choice(drawn.places), Origin.GPS)
        edit.set_text(Field.CAPTION, drawn.sentence(14), Origin.MODEL)
        if kind is MemoryKind.SCREENSHOT:
            edit.set_text(Field.VISIBLE_TEXT, f"{drawn.sentence(25)}\nOrder {number:06}-{number % 97:02}", Origin.MODEL)
        contexts = [AtomicContext(ContextKind.PERSON, name) for name in people]
        contexts += [AtomicContext(ContextKind.VISUAL_ELEMENT, thing) for thing in things]
        edit.set_contexts(Origin.IMPORTED, contexts)


def queries(drawn: Drawn, size: int) -> dict[str, list[str]]:
    """What people type, by kind: frequent and rare words, phrases, every filter, pieces of text."""
    words, people, places = drawn.words, drawn.people, drawn.places
    return {
        "one frequent word": words[:4],
        "one rare word": words[900:904],
        "three words": [" ".join(words[at : at + 3]) for at in (0, 5, 40, 400)],
        "half a word": [word[:3] for word in words[:4]],
        "quoted": [f'"{words[0]} {words[1]}"', f'"{words[3]} {words[0]}"'],
        "with:": [f'with:"{people[0]}"', f'with:"{people[40]}" {words[2]}'],
        "at:": [f'at:"{places[3].name}"', f'at:"{places[50].city}" {words[1]}'],
        "on:": ["on:2021-05", f"on:2019 {words[0]}", "on:yesterday"],
        "type:": [f"type:screenshot {words[0]}", "type:photo"],
        "several filters": [f'type:screenshot on:2020 at:"{places[9].city}" {words[0]}'],
        "nothing like it": ["zzyzx quux"],
    } | {"piece of text": [f"{size // 2:06}-", words[2][1:5], words[0]]}


def main() -> None:
    """Run from the command line."""
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        home = Home((options.home or Path(scratch)) / f"drawn-{options.size}")
        library, drawn = open_library(home, ExactIndexes()), Drawn()
        try:
            if library.memories.count() < options.size:
                draw_library(library, options.size, drawn)
            rows = measure(library, drawn, options.size, options.rounds)
        finally:
            library.close()
    if options.json:
        options.json.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    report(rows, options.size)


def measure(library: Library, drawn: Drawn, size: int, rounds: int) -> list[dict[str, object]]:
    """Seconds of every query, each as often as there are rounds; the first use of the vocabulary is told apart."""
    rows: list[dict[str, object]] = []

    def timed(kind: str, system: str, text: str, run: Callable[[], object]) -> None:
        start = perf_counter()
        run()
        rows.append({"kind": kind, "system": system, "query": text, "seconds": perf_counter() - start})

    timed("vocabulary, first", "ours", "", library.memories.vocabulary)
    timed("vocabulary, again", "ours", "", library.memories.vocabulary)
    for _ in range(rounds):
        for kind, texts in queries(drawn, size).items():
            for text in texts:
                timed(kind, "ours", text, lambda kind=kind, text=text: classic(library, kind, text))
                timed(kind, "like", text, lambda text=text: like(library, text))
    return rows


def classic(library: Library, kind: str, text: str) -> object:
    """As the search box does while the person types."""
    if kind == "piece of text":
        return grep(library, text, MemoryFilter(), 20)
    rest, wanted = parse_search(text, library, TODAY, find_days)
    return search(library, None, rest, wanted, 20) if rest else listing(library, wanted, 20)


def like(library: Library, text: str) -> object:
    """The floor: every caption and text read through."""
    piece = f"%{text.split(':')[-1].strip(chr(34))}%"
    sql = "SELECT id FROM memories WHERE caption LIKE ?1 OR visible_text LIKE ?1 OR place LIKE ?1 ORDER BY wall DESC LIMIT 20"
    return library.database.read().execute(sql, (piece,)).fetchall()


def report(rows: list[dict[str, object]], size: int) -> None:
    """A table by kind, and the 95th percentile over all searches."""
    print(f"{size:,} memories\n{'kind':20} {'system':6} {'n':>4} {'median ms':>10} {'worst ms':>9}")
    for kind in dict.fromkeys(str(row["kind"]) for row in rows):
        for system in ("ours", "like"):
            held = [
                1_000 * float(str(row["seconds"])) for row in rows if (row["kind"], row["system"]) == (kind, system)
            ]
            if held:
                print(f"{kind:20} {system:6} {len(held):4} {median(held):10.1f} {max(held):9.1f}")
    for system in ("ours", "like"):
        held = sorted(
            1_000 * float(str(row["seconds"]))
            for row in rows
            if row["system"] == system and not str(row["kind"]).startswith("vocabulary")
        )
        print(f"p95 {system}: {held[int(len(held) * 0.95)]:.1f} ms (n={len(held)})")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--home", type=Path, help="keep the drawn library here for the next run")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
