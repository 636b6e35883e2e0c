"""Which events are found in packs, by rule or with a language model? Prints them, and what they cost.

python -m tests.bench.events PACK… [--model ID|none] [--from DAY --to DAY] [--draw 100] [--markdown OUT] [--json OUT]

For each pack: events by kind, windows asked and lost, calls, tokens, minutes per 1,000 memories; then events drawn at random
(seeded) with their members. The floor is what rules alone find: run it with `--model none` and compare.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.augment.clocks_stage import open_clocks
from core.augment.pipeline import augment
from core.jobs import run_to_end
from core.paths import Home, default_home
from core.ports import ModelSet, never
from core.records import Event, Stage
from core.store.exact_index import ExactIndexes
from core.store.import_ import import_library
from core.store.library import Library, open_library
from models.installed import InstalledModels
from tests.fakes import FakeModels


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+", type=Path)
    parser.add_argument("--model", default="none")
    parser.add_argument("--from", dest="first", type=date.fromisoformat)
    parser.add_argument("--to", dest="last", type=date.fromisoformat)
    parser.add_argument("--draw", type=int, default=0, help="how many events to print, drawn at random over all packs")
    parser.add_argument("--markdown", type=Path, help="write the drawn events here as a table")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    figures, rows = {}, []
    for pack in chosen.packs:
        with tempfile.TemporaryDirectory() as folder:
            figures[pack.name], found = run_pack(pack, Path(folder), chosen.model, chosen.first, chosen.last)
            rows += found
    drawn = random.Random(1).sample(rows, min(chosen.draw, len(rows)))
    lines = ["| event | when | members | made by |", "|---|---|---|---|", *sorted(drawn)]
    print("\n".join(lines if drawn else []))
    if chosen.markdown:
        chosen.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


def run_pack(
    pack: Path, folder: Path, model: str, first: date | None, last: date | None
) -> tuple[dict[str, float], list[str]]:
    """Figures of one pack and a line for each of its events."""
    library = open_library(Home(folder / "library"), ExactIndexes())
    owner = json.loads((pack / "pack.json").read_text(encoding="utf-8")).get("owner", "")
    run_to_end(import_library(library, _between(pack, folder, first, last), owner))
    library.stages.set_note("owner", owner)
    models: ModelSet = FakeModels()
    if model != "none":
        models = InstalledModels(Home(default_home()).models, folder / "logs", model, "none")
    begin = time.monotonic()
    run_to_end(augment(library, models, Stage.EVENTS, never))
    minutes = (time.monotonic() - begin) / 60
    models.close()
    events, memories = library.events.all(), library.memories.count()
    replies = library.database.read().execute(
        "SELECT count(*), coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0) FROM replies"
    )
    calls, prompt_tokens, completion_tokens = replies.fetchone()
    lost = library.stages.counts()[Stage.EVENTS]["failed"]
    makers = Counter(event.provenance.made_by for event in events if event.provenance)
    print(
        f"{pack.name}: {memories} memories, {len(events)} events ({', '.join(f'{n} {maker}' for maker, n in makers.most_common())}), "
        f"{len(open_clocks(library))} clocks proposed; {calls} replies, {lost} windows lost, {prompt_tokens} + {completion_tokens} "
        f"tokens, {minutes / max(memories, 1) * 1000:.2f} minutes per 1,000 memories",
        flush=True,
    )
    rows = [_row(library, event) for event in events]
    library.close()
    return {
        "memories": memories, "events": len(events), "replies": calls, "windows lost": lost, "prompt tokens": prompt_tokens,
        "completion tokens": completion_tokens, "minutes per 1,000": minutes / max(memories, 1) * 1000,
    }, rows  # fmt: skip


def _between(pack: Path, folder: Path, first: date | None, last: date | None) -> Path:
    lines = [line for line in (pack / "memories.jsonl").read_text(encoding="utf-8").splitlines() if line.strip()]
    if first or last:
        low, high = str(first or date.min), str(last or date.max)
        lines = [line for line in lines if low <= str(json.loads(line).get("taken_at"))[:10] <= high]
    path = folder / "memories.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _row(library: Library, event: Event) -> str:
    said = []
    for memory in library.memories.many(event.member_ids[:4]):
        place = memory.place.name if memory.place else ""
        said.append(" · ".join(part for part in ((memory.caption or memory.title)[:60], place[:30]) if part))
    more = f" … {len(event.member_ids)} in all" if len(event.member_ids) > 4 else ""
    days = f"{event.start:%Y-%m-%d}" if event.start else "undated"
    members = "; ".join(said).replace("|", "/").replace("\n", " ")
    maker = event.provenance.made_by if event.provenance else ""
    return f"| {event.name} | {days} | {members}{more} | {maker} |"


if __name__ == "__main__":
    main()
