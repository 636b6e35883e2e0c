"""Reads `Photo Details.csv` of an iCloud export: when each file was taken, and which ones are favourites."""

import csv
import io
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from core.capture.described import Described
from core.capture.stems import name_key

LARGEST_BYTES = 64_000_000
_NAME = re.compile(r"^photo details(?:-\d+)?\.csv$", re.IGNORECASE)
_DATE = re.compile(
    r"^\s*(?:[a-z]+\s+)?([a-z]+)\s+(\d{1,2}),\s*(\d{4})\s+(\d{1,2}):(\d{2})(?::\d{2})?\s*([AP]M)?\s*(?:GMT|UTC)?\s*$",
    re.IGNORECASE,
)
_NAMES = "january february march april may june july august september october november december"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), start=1)}


def is_details(file_name: str) -> bool:
    """Whether a file is such a table, by its name."""
    return _NAME.match(file_name) is not None


def names_in_list(data: bytes) -> frozenset[str]:
    """Keys of the names of the files that an album's list holds; empty for a table of something else."""
    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig", "replace")))
    try:
        return frozenset(name_key(row["imgName"]) for row in rows if row.get("imgName"))
    except csv.Error:
        return frozenset()


def read(data: bytes) -> Mapping[str, Described]:
    """By key of file name: what the table says; empty for a table of something else."""
    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig", "replace")))
    try:
        return {name_key(row["imgName"]): _of(row) for row in rows if row.get("imgName")}
    except csv.Error:
        return {}


def _of(row: Mapping[str, str | None]) -> Described:
    kept = tuple(word for word in ("hidden", "deleted") if (row.get(word) or "").strip().casefold() == "yes")
    return Described(
        keywords=kept,
        taken_utc_s=_seconds(row.get("originalCreationDate") or ""),
        favourite=True if (row.get("favorite") or "").strip().casefold() == "yes" else None,
    )


def _seconds(text: str) -> float | None:
    found = _DATE.match(text.replace("\u202f", " "))
    if found is None or found[1].casefold() not in _MONTHS:
        return None
    hour = int(found[4])
    if found[6]:
        hour = hour % 12 + (12 if found[6].upper() == "PM" else 0)
    try:
        moment = datetime(int(found[3]), _MONTHS[found[1].casefold()], int(found[2]), hour, int(found[5]), tzinfo=UTC)
    except ValueError:
        return None
    return moment.timestamp()
