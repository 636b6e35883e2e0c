"""How well do moments match the gold events of packs? Prints boundary F1, B-cubed F1 and NMI beside fixed-gap floors.

python tests/bench/segment.py PACK… [--json OUT]
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.augment import moments
from core.records import CapturedMemory, Origin, Place, Taken

Segmenter = Callable[[Sequence[CapturedMemory]], list[int]]
FIXED_GAPS_H = (0.5, 1, 2, 3, 6, 24)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packs", nargs="+", type=Path)
    parser.add_argument("--json", type=Path, help="write the figures here")
    chosen = parser.parse_args(arguments)
    figures = {pack.name: score_pack(pack) for pack in chosen.packs}
    for group in ("camroll", "lifebench"):
        of_group = [rows for name, rows in figures.items() if name.startswith(group)]
        if of_group:
            figures[f"mean of {len(of_group)} {group} packs"] = _mean(of_group)
    for name, rows in figures.items():
        print(f"\n{name}")
        for way, numbers in rows.items():
            print(f"  {way:16}" + "  ".join(f"{label} {value:.3f}" for label, value in numbers.items()))
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


def score_pack(pack: Path) -> dict[str, dict[str, float]]:
    """Figures by way of cutting; only memories with a gold event count."""
    gold = {row["id"]: row["event"] for row in _rows(pack / "gold_events.jsonl")}
    memories = [_memory(row) for row in _rows(pack / "memories.jsonl") if row["id"] in gold and row.get("taken_at")]
    memories.sort(key=lambda memory: (memory.taken.wall, memory.public_id))
    truth = [gold[memory.public_id] for memory in memories]
    ways: dict[str, Segmenter] = {"moments": by_moments, "time and place": by_time_and_place}
    for hours in FIXED_GAPS_H:
        ways[f"gap {hours:g} h"] = lambda each, hours=hours: by_gap(each, hours)  # type: ignore[misc]
    ways["by day"] = by_day
    return {
        name: {
            "boundary F1": boundary_f1(truth, labels),
            "B-cubed F1": b_cubed_f1(truth, labels),
            "NMI": normalised_mutual_information(truth, labels),
            "pieces": float(len(set(labels))),
        }
        for name, labels in ((name, way(memories)) for name, way in ways.items())
    }


def by_moments(memories: Sequence[CapturedMemory]) -> list[int]:
    """The product's own cut."""
    label = {member: at for at, moment in enumerate(moments.cut(memories)) for member in moment.member_ids}
    return [label[memory.id] for memory in memories]


def by_time_and_place(memories: Sequence[CapturedMemory]) -> list[int]:
    """The product's cut when nothing is known of what the memories show."""
    return by_moments([replace(memory, title="", caption="") for memory in memories])


def by_gap(memories: Sequence[CapturedMemory], hours: float) -> list[int]:
    """A new piece after each pause longer than this."""
    labels = [0]
    for before, after in pairwise(memories):
        labels.append(labels[-1] + int((_wall(after) - _wall(before)).total_seconds() > hours * 3600))
    return labels


def by_day(memories: Sequence[CapturedMemory]) -> list[int]:
    """A piece a day."""
    return [_wall(memory).toordinal() for memory in memories]


def boundary_f1(truth: Sequence[object], labels: Sequence[object]) -> float:
    """F1 of "a new event begins here" over neighbours in time."""
    pairs = range(len(truth) - 1)
    gold = {at for at in pairs if truth[at] != truth[at + 1]}
    found = {at for at in pairs if labels[at] != labels[at + 1]}
    return 2 * len(gold & found) / (len(gold) + len(found)) if gold or found else 1.0


def b_cubed_f1(truth: Sequence[object], labels: Sequence[object]) -> float:
    """B-cubed F1 of the groups."""
    both, of_truth, of_labels = Counter(zip(truth, labels, strict=True)), Counter(truth), Counter(labels)
    shared = [both[pair] for pair in zip(truth, labels, strict=True)]
    precision = mean(n / of_labels[label] for n, label in zip(shared, labels, strict=True))
    recall = mean(n / of_truth[event] for n, event in zip(shared, truth, strict=True))
    return 2 * precision * recall / (precision + recall)


def normalised_mutual_information(truth: Sequence[object], labels: Sequence[object]) -> float:
    """Mutual information of the groups over the mean of their entropies."""
    n = len(truth)
    both, of_truth, of_labels = Counter(zip(truth, labels, strict=True)), Counter(truth), Counter(labels)
    shared = sum(
        count / n * math.log(count * n / (of_truth[event] * of_labels[label])) for (event, label), count in both.items()
    )
    entropy = [-sum(count / n * math.log(count / n) for count in side.values()) for side in (of_truth, of_labels)]
    return 2 * shared / sum(entropy) if any(entropy) else 1.0


def _mean(packs: Sequence[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    return {
        way: {label: mean(pack[way][label] for pack in packs) for label in numbers} for way, numbers in packs[0].items()
    }


def _wall(memory: CapturedMemory) -> datetime:
    if memory.taken.wall is None:
        raise ValueError("only dated memories are scored")
    return memory.taken.wall


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _memory(row: dict[str, object]) -> CapturedMemory:
    place = row.get("place")
    return CapturedMemory(
        id=str(row["id"]),
        public_id=str(row["id"]),
        taken=Taken(datetime.fromisoformat(str(row["taken_at"])).replace(tzinfo=None), None, Origin.IMPORTED, 1.0),
        place=Place(**place) if isinstance(place, dict) else None,
        title=str(row.get("title") or ""),
        caption=str(row.get("caption") or ""),
    )


if __name__ == "__main__":
    main()
