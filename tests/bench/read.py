"""Measures how well receipts are read: total, day and merchant, beside naive rules on the same text and an older reader.

    python tests/bench/read.py RECEIPTS [--old-python PYTHON] [--lines FILE] [--json OUT] [--home DIR]

RECEIPTS is a folder with `img/NAME.jpg` and `key/NAME.json` (company, date, total). `--old-python` is the interpreter of an
environment of its own with rapidocr-onnxruntime 1.4.4. `--lines` keeps what was read for the next run: rules change, pixels do not.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np
from PIL import Image

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[2]))

from core.capture.amounts import number_of
from core.capture.documents import recognise
from core.capture.printed_days import DayOrder, days_in
from core.capture.visible_text import text_of
from core.paths import Home, default_home
from core.records import CapturedMemory, TextLine
from core.text_keys import text_key
from models.installed import InstalledModels

_LONGEST_EDGE = 2400
_OLD_READER = """
import json, sys
from rapidocr_onnxruntime import RapidOCR
engine = RapidOCR()
for path in sys.argv[1:]:
    found, _ = engine(path)
    lines = [[text, float(score), [min(x for x, _ in box), min(y for _, y in box), max(x for x, _ in box), max(y for _, y in box)]]
             for box, text, score in found or []]
    print(json.dumps([path, lines]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Truth:
    """What a receipt says."""

    merchant: str
    total: float
    day: date


def main() -> None:
    """Run from the command line."""
    options = _options()
    images = sorted((options.receipts / "img").iterdir())
    truths = {path.stem: _truth(options.receipts / "key" / f"{path.stem}.json") for path in images}
    kept: dict[str, dict[str, list[TextLine]]] = _kept(options.lines)
    if "ours" not in kept:
        kept["ours"] = _read(images, options.home)
    if options.old_python and "rapidocr 1.4.4" not in kept:
        kept["rapidocr 1.4.4"] = _read_with_old(images, options.old_python)
    if options.lines:
        options.lines.write_text(json.dumps({reader: {name: [[each.text, each.confidence, each.box] for each in lines]
                                 for name, lines in found.items()} for reader, found in kept.items()}), "utf-8")  # fmt: skip
    rows = [row for reader, found in kept.items() for row in _judged(reader, found, truths)]
    if options.json:
        options.json.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    _report(rows, len(images))


def _judged(reader: str, found: dict[str, list[TextLine]], truths: dict[str, Truth]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for name, truth in truths.items():
        text = text_of(found.get(name, []))
        document = recognise(CapturedMemory(id=name, public_id=name, visible_text=text))
        fields = document.fields if document and document.kind == "receipt" else {}
        rows.append({
            "reader": reader, "rules": "ours", "receipt": name, "kind": bool(fields), "total_said": fields.get("total", ""),
            "total": bool(fields.get("total")) and number_of(fields["total"]) == truth.total,
            "day_said": fields.get("date", ""), "day": fields.get("date") == truth.day.isoformat(),
            "merchant": _is_same_name(fields.get("merchant", ""), truth.merchant),
        })  # fmt: skip
        rows.append({
            "reader": reader, "rules": "naive", "receipt": name, "kind": True, "total": naive_total(text) == truth.total,
            "day": naive_day(text) == truth.day, "merchant": _is_same_name(text.split("\n")[0], truth.merchant),
        })  # fmt: skip
        rows.append({
            "reader": reader, "rules": "the text holds it", "receipt": name, "kind": True,
            "total": f"{truth.total:.2f}" in text.replace(",", ""),
            "day": truth.day in set(days_in(text, order=DayOrder.DAY_FIRST)),
            "merchant": text_key(truth.merchant) in text_key(text.replace("\n", " ")),
        })  # fmt: skip
    return rows


def naive_total(text: str) -> float:
    """The largest number after the word total."""
    after = re.split("total", text, flags=re.IGNORECASE)[1:]
    return max((float(number) for part in after for number in re.findall(r"\d+\.\d\d", part)), default=0.0)


def naive_day(text: str) -> date | None:
    """The first thing that looks like a day, the day before the month."""
    for first, second, year in re.findall(r"\b(\d{1,4})[/.-](\d{1,2})[/.-](\d{2,4})\b", text):
        try:
            if len(first) == 4:
                return date(int(first), int(second), int(year))
            return date(int(year) + (2000 if len(year) == 2 else 0), int(second), int(first))
        except ValueError:
            continue
    return None


def _is_same_name(said: str, truth: str) -> bool:
    """Whether one holds the other, spaces and marks aside: some keys name the second line too."""
    ours, theirs = (re.sub(r"\W", "", name.casefold()) for name in (said, truth))
    return bool(ours) and (ours in theirs or theirs in ours)


def _truth(path: Path) -> Truth:
    key = json.loads(path.read_text("utf-8"))
    day = next(days_in(key["date"], order=DayOrder.DAY_FIRST))
    return Truth(key["company"], float(re.sub(r"[^\d.]", "", key["total"])), day)


def _read(images: list[Path], home: Path | None) -> dict[str, list[TextLine]]:
    with tempfile.TemporaryDirectory() as scratch:
        models = InstalledModels(Home(home or default_home()).models, Path(scratch), "none", "none")
        reader = models.text_reader
        if reader is None:
            sys.exit("No text reader is installed.")
        found: dict[str, list[TextLine]] = {}
        started = perf_counter()
        try:
            for path in images:
                picture = Image.open(path).convert("RGB")
                picture.thumbnail((_LONGEST_EDGE, _LONGEST_EDGE))
                found[path.stem] = list(reader.read(np.asarray(picture)))
        finally:
            models.close()
        print(f"read by ours in {(perf_counter() - started) / len(images):.1f} s a receipt")
        return found


def _read_with_old(images: list[Path], python: Path) -> dict[str, list[TextLine]]:
    """The older reader in its own environment: its requirements exclude ours."""
    started = perf_counter()
    command = [str(python), "-c", _OLD_READER, *map(str, images)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    print(f"read by rapidocr 1.4.4 in {(perf_counter() - started) / len(images):.1f} s a receipt")
    read = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("[")]
    return {Path(path).stem: _lines(lines) for path, lines in read}


def _kept(path: Path | None) -> dict[str, dict[str, list[TextLine]]]:
    if path is None or not path.exists():
        return {}
    stored = json.loads(path.read_text("utf-8"))
    return {reader: {name: _lines(lines) for name, lines in found.items()} for reader, found in stored.items()}


def _lines(stored: list[tuple[str, float, tuple[float, float, float, float]]]) -> list[TextLine]:
    return [TextLine(text, confidence, (box[0], box[1], box[2], box[3])) for text, confidence, box in stored]


def _report(rows: list[dict[str, object]], n: int) -> None:
    print(f"{'reader':16} {'rules':18} {'total':>8} {'day':>8} {'merchant':>9} {'receipt':>8}   of {n}")
    for reader, rules in dict.fromkeys((str(row["reader"]), str(row["rules"])) for row in rows):
        right: Counter[str] = Counter()
        for row in rows:
            if (row["reader"], row["rules"]) == (reader, rules):
                right.update(name for name in ("total", "day", "merchant", "kind") if row[name])
        counts = f"{right['total']:8} {right['day']:8} {right['merchant']:9} {right['kind']:8}"
        print(f"{reader:16} {rules:18} {counts}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("receipts", type=Path)
    parser.add_argument("--old-python", type=Path, help="an interpreter that has rapidocr-onnxruntime 1.4.4")
    parser.add_argument(
        "--lines", type=Path, help="keep the lines that were read in this file, and use those that are there"
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--home", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
