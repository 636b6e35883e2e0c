"""What does one more memory cost, and do steps give the events of one go? Draws a life of N memories, without a model.

python -m tests.bench.incremental [--sizes 1000,10000,100000] [--added 5] [--pack PACK --steps 10,100 [--model ID]] [--home DIR]
                                  [--json OUT]

For each size: seconds to bring moments and events up to date for the whole library, then for each of a few memories added one
by one (at a random time), beside the floor: reading the added memory's day and its neighbours. With a pack: whether adding it
in steps gives the same events (up to ids) as in one go: in random order by rule; with a model day by day, as a life grows, and
compared by B-cubed F1 of the smallest event that holds each memory.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.augment.pipeline import augment
from core.jobs import run_to_end
from core.paths import Home, default_home
from core.ports import ModelSet, never
from core.records import MemoryFilter, Stage
from core.store.exact_index import ExactIndexes
from core.store.import_ import import_library
from core.store.library import Library, open_library
from models.installed import InstalledModels
from tests.bench.segment import b_cubed_f1
from tests.fakes import FakeModels

_PER_DAY = 27
_MEMBERS = 8
"""Where the members stand in a row of `_events_in_steps`."""
_CITIES = {"Graz": (47.07, 15.44), "Porto": (41.15, -8.61), "Rome": (41.9, 12.5), "Bergen": (60.39, 5.32)}
_THINGS = ("dinner", "menu", "park bench", "bicycle", "river", "birthday cake", "plant", "desk", "museum", "concert")
_PEOPLE = ("Ana", "Tom", "Mia Berg", "Jonas Weber")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--added", type=int, default=5)
    parser.add_argument("--pack", type=Path)
    parser.add_argument("--steps", default="10,100")
    parser.add_argument("--model", default="none")
    parser.add_argument("--home", type=Path, help="keep the drawn libraries here")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        base = chosen.home or Path(folder)
        for size in (int(each) for each in chosen.sizes.split(",") if each):
            figures[f"{size} memories"] = cost_of_one(base / f"drawn{size}", size, chosen.added)
        if chosen.pack:
            figures[f"steps of {chosen.pack.name}"] = steps_against_one_go(
                chosen.pack, Path(folder), chosen.steps, chosen.model
            )
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


def cost_of_one(folder: Path, size: int, added: int) -> dict[str, float]:
    """Seconds for the whole and for each added memory."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(7)
    lines = [drawn(chance, at, size) for at in range(size)]
    library = open_library(Home(folder / "library"), ExactIndexes())
    if not library.memories.count():
        _add(library, folder / "all.jsonl", lines)
    begin = time.monotonic()
    _augment(library)
    whole_s = time.monotonic() - begin
    seconds, floors = [], []
    for _ in range(added):
        line = drawn(chance, chance.randrange(size), size) | {"id": f"late-{time.time_ns()}"}
        _add(library, folder / "one.jsonl", [line])
        begin = time.monotonic()
        day = datetime.fromisoformat(str(line["taken_at"])).date()
        library.memories.matching(MemoryFilter(first_day=day - timedelta(days=1), last_day=day + timedelta(days=1)))
        floors.append(time.monotonic() - begin)
        begin = time.monotonic()
        _augment(library)
        seconds.append(time.monotonic() - begin)
    found = {"whole": whole_s, "one": median(seconds), "slowest": max(seconds), "floor": median(floors)}
    print(
        f"{size} memories, {len(library.events.all())} events: whole {whole_s:.1f} s; one more {found['one']:.2f} s (slowest of "
        f"{added}: {found['slowest']:.2f} s); reading three days {found['floor']:.3f} s",
        flush=True,
    )
    library.close()
    return found


def steps_against_one_go(pack: Path, folder: Path, steps: str, model: str) -> dict[str, float]:
    """By number of steps, how alike the events are to those of one go: 1.0 is the same."""
    text = (pack / "memories.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    random.Random(3).shuffle(lines)
    models: ModelSet = FakeModels()
    if model != "none":
        lines.sort(key=lambda line: str(line.get("taken_at")))
        models = InstalledModels(Home(default_home()).models, folder / "logs", model, "none")
    expected = _events_in_steps(folder / "one", lines, 1, models)
    found = {}
    for number in (int(each) for each in steps.split(",")):
        stepwise = _events_in_steps(folder / str(number), lines, number, models)
        likeness = b_cubed_f1(_smallest(expected, lines), _smallest(stepwise, lines))
        found[f"{number} steps"] = 1.0 if stepwise == expected else likeness
        print(
            f"{pack.name} in {number} steps, {'in random order' if model == 'none' else model}: "
            f"{'the same' if stepwise == expected else 'other'} events, B-cubed F1 {likeness:.3f}",
            flush=True,
        )
    models.close()
    return found


def _smallest(events: Sequence[tuple[object, ...]], lines: Sequence[dict[str, object]]) -> list[object]:
    """For each memory in order, the members of the smallest event that holds it; itself where none does."""
    held: dict[str, tuple[str, ...]] = {}
    for event in events:
        members = event[_MEMBERS]
        assert isinstance(members, tuple)
        for member in members:
            if member not in held or len(members) < len(held[member]):
                held[member] = members
    return [held.get(str(line["id"]), (str(line["id"]),)) for line in lines]


def drawn(chance: random.Random, at: int, size: int) -> dict[str, object]:
    """One memory of a life with about as many a day as a busy phone has."""
    day = at // _PER_DAY
    when = datetime(2014, 1, 1, 7) + timedelta(days=day, minutes=chance.randrange(15 * 60))
    city = "Graz" if day % 40 < 34 else list(_CITIES)[1 + day // 40 % 3]
    latitude, longitude = (each + chance.uniform(-0.02, 0.02) for each in _CITIES[city])
    place = {"city": city, "name": f"Place {chance.randrange(60)}", "latitude": latitude, "longitude": longitude}
    thing = chance.choice(_THINGS)
    return {
        "id": f"m{at:07}", "kind": "photo", "taken_at": when.isoformat(timespec="seconds"), "file_name": f"PXL_{when:%Y%m%d}_{at:09}.jpg",
        "caption": f"A {thing} near {chance.choice(_THINGS)} {chance.randrange(50)}", "place": place, "visual_elements": [thing],
        "people": [chance.choice(_PEOPLE)] if chance.random() < 0.3 else [],
    }  # fmt: skip


def _add(library: Library, path: Path, lines: Sequence[dict[str, object]]) -> None:
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    run_to_end(import_library(library, path))


def _augment(library: Library) -> None:
    run_to_end(augment(library, FakeModels(), Stage.EVENTS, never))


def _events_in_steps(
    folder: Path, lines: Sequence[dict[str, object]], steps: int, models: ModelSet
) -> list[tuple[object, ...]]:
    folder.mkdir(parents=True)
    library = open_library(Home(folder / "library"), ExactIndexes())
    size = -(-len(lines) // steps)
    for at in range(0, len(lines), size):
        _add(library, folder / "part.jsonl", lines[at : at + size])
        run_to_end(augment(library, models, Stage.EVENTS, never))
    public = {memory_id: name for name, memory_id in library.memories.ids_by_public_id().items()}
    events = {event.id: event for event in library.events.all()}
    library.close()
    return sorted(
        (
            event.name, str(event.start), str(event.end), event.place, event.summary, event.importance, event.why,
            event.status.value, tuple(sorted(public[member] for member in event.member_ids)),
            events[event.parent_id].name if event.parent_id else "",
        )
        for event in events.values()
    )  # fmt: skip


if __name__ == "__main__":
    main()
