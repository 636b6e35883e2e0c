"""Is a position beside a border put into its own country? Beside it, the floor: the country of the nearest town.

python tests/bench/places.py [POINTS.tsv] [--json OUT]

POINTS.tsv holds a name, latitude, longitude and the code of the country a line; the points of the tests when left out.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.capture.borders import Borders
from core.capture.places import Gazetteer

_POINTS = Path(__file__).resolve().parents[1] / "core/capture/border_points.tsv"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=Path, nargs="?", default=_POINTS)
    parser.add_argument("--json", type=Path, help="write the figures here")
    chosen = parser.parse_args(arguments)
    rows = [line.split("\t") for line in chosen.points.read_text("utf-8").splitlines()]
    points = [(name, float(latitude), float(longitude), code) for name, latitude, longitude, code in rows]
    gazetteer = Gazetteer()
    gazetteer.locate(0.1, 0.1)  # reads the tables
    began = time.perf_counter()
    ours = [gazetteer.locate(latitude, longitude).country_code for _, latitude, longitude, _ in points]
    each_ms = (time.perf_counter() - began) * 1_000 / len(points)
    with patch.object(Borders, "country_at", lambda *_: ""):
        floor = [gazetteer.locate(latitude, longitude).country_code for _, latitude, longitude, _ in points]
    for (name, *_, code), found in zip(points, ours, strict=True):
        if found != code:
            print(f"DIFFERS {name}: {code}, found {found}")
    right = {"points": len(points), "ours": _right(points, ours), "nearest_town": _right(points, floor)}
    print(f"country right: {right['ours']} of {right['points']}; by the nearest town {right['nearest_town']}")
    print(f"{each_ms:.2f} ms a position")
    if chosen.json:
        chosen.json.write_text(json.dumps(right, indent=1), encoding="utf-8")


def _right(points: Sequence[tuple[str, float, float, str]], found: Sequence[str]) -> int:
    return sum(code == each for (*_, code), each in zip(points, found, strict=True))


if __name__ == "__main__":
    main()
