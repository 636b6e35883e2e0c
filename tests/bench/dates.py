"""How many time expressions of a pack are read as meant, by language and by kind, beside dateparser as the floor?

    python tests/bench/dates.py PACK [--json OUT] [--misses]

PACK is a folder with `cases.jsonl` or the file itself. A case is right when its range is the meant or an accepted one and,
where the case names them, the time of day and the weekday are right too.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.ask.dates import find_days
from core.records import DayRange

Reading = tuple[str | None, str | None]
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# an hour that lies in each time of day and one that does not
HOUR_PROBES = {
    "morning": (9, 15),
    "noon": (12, 17),
    "afternoon": (15, 21),
    "evening": (20, 12),
    "night": (23, 12),
    "midnight": (0, 12),
}


@dataclass(frozen=True)
class Case:
    """One text of a pack and what it means."""

    text: str
    asked_on: date
    language: str
    kind: str
    right: tuple[Reading, ...]
    time_of_day: str | None
    weekday: str | None
    born: date | None


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pack", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--misses", action="store_true", help="print each case that is read wrongly")
    chosen = parser.parse_args()
    cases = read_cases(chosen.pack)
    floor = dateparser_floor()
    ours = {case: is_right(case, find_days(case.text, case.asked_on, born=case.born)) for case in cases}
    theirs = {case: floor(case) for case in cases} if floor else None
    rows = report(cases, ours, theirs)
    print_rows(rows, floor is not None)
    if chosen.misses:
        print_misses(case for case in cases if not ours[case])
    if chosen.json:
        chosen.json.write_text(json.dumps({"bench": "dates", "rows": rows}, indent=1), encoding="utf-8")


def read_cases(pack: Path) -> list[Case]:
    """The cases of a pack."""
    path = pack / "cases.jsonl" if pack.is_dir() else pack
    with path.open(encoding="utf-8") as lines:
        return [_case(json.loads(line)) for line in lines if line.strip()]


def _case(raw: dict[str, object]) -> Case:
    meant = (raw["first_day"], raw["last_day"])
    accepted = [tuple(pair) for pair in raw.get("accept", [])]  # type: ignore[attr-defined]
    born = raw.get("born")
    return Case(
        text=str(raw["text"]),
        asked_on=date.fromisoformat(str(raw["asked_on"])),
        language=str(raw["language"]),
        kind=_kind(raw),
        right=(meant, *accepted),  # type: ignore[arg-type]
        time_of_day=raw.get("time_of_day"),  # type: ignore[arg-type]
        weekday=raw.get("weekday"),  # type: ignore[arg-type]
        born=date.fromisoformat(str(born)) if born else None,
    )


def _kind(raw: dict[str, object]) -> str:
    first, last = raw["first_day"], raw["last_day"]
    if raw.get("born"):
        return "life"
    if raw.get("time_of_day") or raw.get("weekday"):
        return "hours or weekdays"
    if first is None and last is None:
        return "no date"
    if first is None or last is None:
        return "open range"
    days = (date.fromisoformat(str(last)) - date.fromisoformat(str(first))).days + 1
    return "one day" if days == 1 else "up to a week" if days <= 7 else "up to a month" if days <= 31 else "longer"


def is_right(case: Case, found: tuple[DayRange, ...]) -> bool:
    """Whether the first range found is a right one; no range is right for a text without a date."""
    if not found:
        return (None, None) in case.right
    dated = [days for days in found if days.first_day or days.last_day] or list(found)
    days = dated[0]
    reading = (_iso(days.first_day), _iso(days.last_day))
    if reading not in case.right or (reading == (None, None) and len(found) > 0 and not days.hours):
        return False
    if case.weekday and (WEEKDAYS.index(case.weekday),) != days.weekdays:
        return False
    if case.time_of_day is None:
        return True
    inside, outside = HOUR_PROBES[case.time_of_day]
    return _holds(days.hours, inside) and not _holds(days.hours, outside)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _holds(hours: tuple[int, int] | None, hour: int) -> bool:
    if hours is None:
        return False
    first, last = hours
    return first <= hour <= last if first <= last else hour >= first or hour <= last


def dateparser_floor() -> Callable[[Case], bool] | None:
    """The date library people would use, preferring the past; None when it is not installed."""
    try:
        from dateparser.search import search_dates
    except ImportError:
        return None

    def floor(case: Case) -> bool:
        options = {"RELATIVE_BASE": datetime.combine(case.asked_on, time(12)), "PREFER_DATES_FROM": "past"}
        found = search_dates(case.text, languages=[case.language], settings=options)
        if not found:
            return (None, None) in case.right
        day = found[0][1].date().isoformat()
        return (day, day) in case.right

    return floor


def interval(outcomes: list[bool]) -> tuple[float, float]:
    """The 95 % bootstrap interval of a share."""
    draw = random.Random(7)
    shares = sorted(sum(draw.choices(outcomes, k=len(outcomes))) / len(outcomes) for _ in range(1000))
    return shares[25], shares[974]


def report(cases: list[Case], ours: dict[Case, bool], theirs: dict[Case, bool] | None) -> list[dict[str, object]]:
    """One row for each language, each kind and all."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        for group in (f"language {case.language}", f"kind {case.kind}", "all"):
            groups.setdefault(group, []).append(case)
    rows: list[dict[str, object]] = []
    for group in sorted(groups, key=lambda name: (name == "all", name)):
        outcomes = [ours[case] for case in groups[group]]
        low, high = interval(outcomes)
        floor = sum(theirs[case] for case in groups[group]) if theirs is not None else None
        rows.append(
            {"group": group, "n": len(outcomes), "right": sum(outcomes), "low": low, "high": high, "dateparser": floor}
        )
    return rows


def print_rows(rows: list[dict[str, object]], has_floor: bool) -> None:
    """The report as a table."""
    print(f"{'group':26} {'n':>4} {'right':>6} {'share':>7}  {'95 % interval':15} {'dateparser' if has_floor else ''}")
    for row in rows:
        share = int(str(row["right"])) / int(str(row["n"]))
        floor = row["dateparser"] if has_floor else ""
        print(
            f"{row['group']:26} {row['n']:>4} {row['right']:>6} {share:>7.1%}  {row['low']:.2f}-{row['high']:.2f}"
            f"{'':7} {floor}"
        )
    if not has_floor:
        print("floor: dateparser is not installed here")


def print_misses(cases: Iterable[Case]) -> None:
    """What was read instead."""
    for case in cases:
        found = find_days(case.text, case.asked_on, born=case.born)
        shown = [(_iso(days.first_day), _iso(days.last_day), days.hours, days.weekdays, days.words) for days in found]
        print(f"- {case.language} {case.text!r} asked {case.asked_on}: meant {case.right[0]}, read {shown}")


if __name__ == "__main__":
    main()
