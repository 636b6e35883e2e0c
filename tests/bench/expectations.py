"""Does what Madeleine reads agree with what another program's tests say about the same files? Values, places, and that nothing crashes.

python tests/bench/expectations.py EXPECTED.json ASSETS [--sweep FOLDER…] [--json OUT]

EXPECTED.json holds `metadata` (file, sizes, dates, positions, places), `motion_photo_sha1_base64` and `reverse_geocode`; ASSETS is the
folder its files lie in. Every folder of --sweep is read whole through the decoding process: each file must give facts and a picture,
or a reason, within the time limits.
"""

import argparse
import base64
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.capture import image_file
from core.capture.dates import Clock, dates_of
from core.capture.decode import Decoder
from core.capture.facts import FileFacts
from core.capture.formats import HEAD_BYTES, sniff
from core.capture.places import Gazetteer, usable_position
from core.capture.zones import offset_minutes
from core.errors import PhotoError
from core.records import ORIGIN_RANK, Place

NOT_STORED = ("focalLength", "iso", "fNumber", "exposureTime", "lensModel")
"""Values of the other program that nothing here asks for."""
_NEAR_DEGREES = 0.001


@dataclass(frozen=True, slots=True)
class Check:
    """One value: what was expected, what was read, and whether they agree."""

    what: str
    expected: object
    found: object

    @property
    def is_right(self) -> bool:
        if isinstance(self.expected, float) and isinstance(self.found, float):
            return abs(self.expected - self.found) < _NEAR_DEGREES
        return self.expected == self.found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("expected", type=Path)
    parser.add_argument("assets", type=Path)
    parser.add_argument("--sweep", type=Path, nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--json", type=Path, help="write the figures here")
    chosen = parser.parse_args(arguments)
    expected = json.loads(chosen.expected.read_text("utf-8"))
    decoder, gazetteer = Decoder(), Gazetteer()
    checks = [*_of_files(expected, chosen.assets, decoder, gazetteer), *_of_places(expected, gazetteer)]
    checks += list(_of_motion(expected, chosen.assets))
    for check in checks:
        if not check.is_right:
            print(f"DIFFERS {check.what}: expected {check.expected!r}, read {check.found!r}")
    right = sum(check.is_right for check in checks)
    print(
        f"{right} of {len(checks)} values agree; not compared, because nothing here asks for them: {', '.join(NOT_STORED)}"
    )
    swept = {str(folder.name): dict(_sweep(folder, decoder)) for folder in chosen.sweep}
    for name, counts in swept.items():
        print(f"{name}: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    decoder.close()
    if chosen.json:
        figures = {"values": len(checks), "right": right, "swept": swept}
        chosen.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


def _of_files(expected: Mapping[str, Any], assets: Path, decoder: Decoder, gazetteer: Gazetteer) -> Iterator[Check]:
    for about in expected["metadata"]:
        path = assets / about["file"]
        facts = decoder.facts(str(path))
        position = usable_position(facts.latitude, facts.longitude)
        position = position or usable_position(facts.described.latitude, facts.described.longitude)
        located = gazetteer.locate(*position) if position else None
        found = _values(
            facts, path, position, located.place if located else None, located.country_code if located else ""
        )
        for name, value in about.items():
            if name in found:
                yield Check(f"{about['file']} {name}", _as_ours(name, value), found[name])


def _values(
    facts: FileFacts, path: Path, position: tuple[float, float] | None, place: Place | None, country: str
) -> dict[str, object]:
    def offset_at(wall: datetime) -> int | None:
        return offset_minutes(*position, country, wall) if position else None

    dates = dates_of(facts, path.name, 0, Clock(datetime.now(UTC), None, offset_at))
    best = max(dates, key=lambda taken: ORIGIN_RANK[taken.origin], default=None)
    moment = None
    if best and best.wall:
        moment = (best.wall - timedelta(minutes=best.utc_offset_minutes or 0)).isoformat()
    return {
        "exifImageWidth": facts.width, "exifImageHeight": facts.height, "fileSizeInByte": path.stat().st_size,
        "dateTimeOriginal": moment, "latitude": position[0] if position else None, "longitude": position[1] if position else None,
        "make": facts.camera.split(" ")[0], "model": facts.camera.partition(" ")[2], "description": facts.described.caption,
        "city": place and (place.district or place.city), "state": place and place.region, "country": place and place.country,
    }  # fmt: skip


def _as_ours(name: str, value: object) -> object:
    """A value of the other program as it is kept here: moments to the second, one name for a camera, nobody's words left out."""
    if name == "dateTimeOriginal":
        return str(value)[:19]
    if name == "description" and value == "SONY DSC":
        return ""  # the camera wrote it, no person
    if name == "country" and str(value).startswith("United States"):
        return "United States"
    return value


def _of_places(expected: Mapping[str, Any], gazetteer: Gazetteer) -> Iterator[Check]:
    for latitude, longitude, city, country in expected["reverse_geocode"]:
        place = gazetteer.locate(latitude, longitude).place
        said = "United States" if country.startswith("United States") else country
        yield Check(f"{latitude}, {longitude} city", city, city if city in (place.city, place.district) else place.city)
        yield Check(f"{latitude}, {longitude} country", said, place.country)


def _of_motion(expected: Mapping[str, Any], assets: Path) -> Iterator[Check]:
    image_file.prepare()
    for name, digest in expected["motion_photo_sha1_base64"].items():
        path = assets / name
        with open(path, "rb") as file:
            found = sniff(file.read(HEAD_BYTES), path.name)
            if found is None:
                raise SystemExit(f"{path} is no picture")
            file.seek(0)
            clip = image_file.clip(file, found)
            data = clip.read() if clip else b""
        yield Check(f"{name} clip", digest, base64.b64encode(hashlib.sha1(data).digest()).decode())


def _sweep(folder: Path, decoder: Decoder) -> Counter[str]:
    counts: Counter[str] = Counter()
    longest = 0.0
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        started = time.monotonic()
        try:
            decoder.facts(str(path))
            decoder.picture(path, 512)
            counts["read"] += 1
        except PhotoError as error:
            counts["refused with a reason"] += 1
            if "ended the decoder" in str(error) or "took longer" in str(error):
                counts["killed or hung"] += 1
                print(f"KILLED {path}: {error}")
        longest = max(longest, time.monotonic() - started)
    counts["ms at most a file"] = round(longest * 1000)
    return counts


if __name__ == "__main__":
    main()
