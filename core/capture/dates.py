"""Decides when something was captured, from everything a file says: the date policy of the design, section 4.

Each source gives its own answer with wall time, offset and confidence; which one is shown follows from `ORIGIN_RANK`. A field
that makes no sense spoils only itself: it never becomes 1970, is never clamped and never moved.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

from core.capture.described import Described
from core.capture.facts import FileFacts, Tag
from core.capture.formats import Medium
from core.records import Origin, Taken

_CERTAIN, _GOOD, _LIKELY, _DAY_OF_NAME, _CHANGED, _GUESS, _BROKEN = 0.95, 0.85, 0.7, 0.6, 0.4, 0.2, 0.3
_CONFLICT = 0.6
_FIRST_PHOTOGRAPH = 1826
_FIRST_NAME_YEAR = 1980
_AHEAD = timedelta(hours=26)  # a clock in the easternmost zone is this far ahead of the westernmost
_NO_FACTS = FileFacts("", Medium.IMAGE)
_UNSET = frozenset({datetime(1904, 1, 1), datetime(1970, 1, 1)})  # zero in a video's and in a computer's clock

_STAMP = re.compile(
    r"^\s*(\d{4})[:\-/. ](\d{1,2})[:\-/. ](\d{1,2})"
    r"(?:[T ]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?\s*$"
)
_OFFSET = re.compile(r"^\s*([+-])(\d{1,2}):?(\d{2})\s*$")


@dataclass(frozen=True, slots=True)
class Clock:
    """What the surroundings know about time.

    Attributes:
        now: UTC.
        library_zone: the zone the person lives in; None where it was not set, then the system's zone turns UTC into wall time.
        offset_at: minutes east of UTC at the file's position for a wall time; None where the position says nothing.
    """

    now: datetime
    library_zone: tzinfo | None = None
    offset_at: Callable[[datetime], int | None] = lambda wall: None


def dates_of(facts: FileFacts, file_name: str, modified_ns: int, clock: Clock) -> tuple[Taken, ...]:
    """What each source says, at most one `Taken` an origin; empty when nothing is known."""
    tags = facts.tags
    found = [
        _stamped(
            tags.get(Tag.EXIF_ORIGINAL, ""), Origin.EXIF_ORIGINAL, _CERTAIN, tags.get(Tag.OFFSET_ORIGINAL), facts, clock
        ),
        _stamped(
            tags.get(Tag.EXIF_DIGITIZED, ""), Origin.EXIF_DIGITIZED, _GOOD, tags.get(Tag.OFFSET_DIGITIZED), facts, clock
        ),
        _stamped(tags.get(Tag.XMP_ORIGINAL, ""), Origin.EMBEDDED_XMP, _GOOD, None, facts, clock)
        or _stamped(tags.get(Tag.IPTC_CREATED, ""), Origin.EMBEDDED_XMP, _GOOD, None, facts, clock),
        _stamped(tags.get(Tag.VIDEO_CREATION_DATE, ""), Origin.VIDEO_CREATION_DATE, _CERTAIN, None, facts, clock),
        _from_utc(tags.get(Tag.VIDEO_CREATION_TIME, ""), Origin.VIDEO_CREATION_TIME, _LIKELY, clock),
        _from_utc(tags.get(Tag.GPS_TIME, ""), Origin.GPS, _LIKELY, clock),
        of_file_name(file_name, clock),
        _last_change(tags.get(Tag.EXIF_MODIFIED, ""), modified_ns, clock),
    ]
    known = [_judged(taken, clock) for taken in found if taken is not None]
    return tuple(_flag_conflict(taken, known) for taken in known)


def of_description(described: Described, origin: Origin, clock: Clock) -> Taken | None:
    """The time that a sidecar gives: a wall time as written, or a moment in UTC as the wall showed it."""
    if described.taken:
        taken = _stamped(described.taken, origin, _CERTAIN, None, _NO_FACTS, clock)
    elif described.taken_utc_s is not None:
        try:
            moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=described.taken_utc_s)
        except OverflowError:
            return None
        taken = _on_the_wall(moment, origin, _GOOD, clock) if moment.year >= _FIRST_PHOTOGRAPH else None
    else:
        return None
    return _judged(taken, clock) if taken else None


def _stamped(
    text: str, origin: Origin, confidence: float, offset: str | None, facts: FileFacts, clock: Clock
) -> Taken | None:
    """A wall time as written. Offset: its own tag, else OffsetTime, else beside the time, else the position's, else the library's."""
    parsed = parse_stamp(text)
    if parsed is None:
        return None
    wall, inline, day_only = parsed
    minutes = _minutes(offset) if offset else None
    for candidate in (inline, _minutes(facts.tags.get(Tag.OFFSET_MODIFIED, ""))):
        minutes = candidate if minutes is None else minutes
    if minutes is None:
        minutes = clock.offset_at(wall)
    if minutes is None and clock.library_zone is not None:
        minutes = _offset_in(clock.library_zone, wall)
    return Taken(wall, minutes, origin, _BROKEN if day_only and ":" in text[10:] else confidence, day_only)


def parse_stamp(text: str) -> tuple[datetime, int | None, bool] | None:
    """(wall time, offset in minutes, only the day is usable) of an EXIF, XMP or ISO time; None when it names no real day."""
    found = _STAMP.match(text)
    if found is None:
        return None
    year, month, day = (int(found[part]) for part in (1, 2, 3))
    hour, minute, second = (int(found[part] or 0) for part in (4, 5, 6))
    try:
        midnight = datetime(year, month, day)
    except ValueError:
        return None
    if year < _FIRST_PHOTOGRAPH:
        return None
    offset = 0 if found[7] == "Z" else _minutes(found[7] or "")
    try:
        wall = midnight.replace(hour=hour, minute=minute, second=second)
    except ValueError:
        return midnight, offset, True  # "24:24:27": the day may be right, the time is not, and nothing is moved
    return None if wall in _UNSET else (wall, offset, found[4] is None)


def _minutes(text: str) -> int | None:
    found = _OFFSET.match(text)
    if found is None:
        return None
    minutes = int(found[2]) * 60 + int(found[3])
    if minutes > 14 * 60 or int(found[3]) > 59:
        return None
    return -minutes if found[1] == "-" else minutes


def _offset_in(zone: tzinfo, wall: datetime) -> int | None:
    offset = wall.replace(tzinfo=zone).utcoffset()
    return None if offset is None else round(offset.total_seconds() / 60)


def _from_utc(text: str, origin: Origin, confidence: float, clock: Clock) -> Taken | None:
    """A moment in UTC as the wall showed it: at the position, else in the library's zone, else in the system's."""
    parsed = parse_stamp(text)
    if parsed is None or parsed[2]:
        return None
    moment = (parsed[0] - timedelta(minutes=parsed[1] or 0)).replace(tzinfo=UTC)
    return _on_the_wall(moment, origin, confidence, clock)


def _on_the_wall(moment: datetime, origin: Origin, confidence: float, clock: Clock) -> Taken | None:
    here = clock.offset_at(moment.replace(tzinfo=None))
    zone = timezone(timedelta(minutes=here)) if here is not None else clock.library_zone
    try:
        local = moment.astimezone(zone)
    except (OverflowError, OSError, ValueError):
        return None  # outside what the system's calendar knows
    offset = local.utcoffset() or timedelta()
    return Taken(local.replace(tzinfo=None, microsecond=0), round(offset.total_seconds() / 60), origin, confidence)


# The closed list of names that carry a date. Everything else that looks like digits is not a date.
_COMPACT = r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)"
_DASHED = r"(?P<y>(?:19|20)\d\d)[-_.](?P<m>\d\d)[-_.](?P<d>\d\d)"
_NAMES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        # Pixel phones name their files in UTC.
        (rf"(?:^|[^0-9a-z])PXL[_-]{_COMPACT}[_-](?P<h>\d\d)(?P<i>\d\d)(?P<s>\d\d)\d{{0,3}}(?!\d)", "utc"),
        # WhatsApp: the day it was received, no time.
        (rf"(?:^|[^0-9a-z])(?:IMG|VID|AUD|PTT|STK|DOC)-{_COMPACT}-WA\d+", "day"),
        # IMG_20110719_113639, 20200202_100000_003, Screenshot_20190201-212530, VID_20190201_212530123, 20190201T212530
        (rf"(?<!\d){_COMPACT}[-_T ]?(?P<h>\d\d)(?P<i>\d\d)(?P<s>\d\d)(?:\d{{3}})?(?!\d)", "wall"),
        # signal-2024-09-24-20-19-49-610, Screenshot_2019-02-01-21-25-30, Screen Shot 2020-01-02 at 9.11.12 PM, 2019-02-01 21.25.30
        (
            rf"(?<!\d){_DASHED}(?:[-_T ,]+| at | um | à | a las )"
            r"(?P<h>\d\d?)[-.:_h](?P<i>\d\d)[-.:_m](?P<s>\d\d)(?!\d)(?P<ap>\s?[ap]\.?m)?",
            "wall",
        ),
        (rf"(?:^|[^0-9a-z]|IMG[_-]|VID[_-]|image[_-]){_COMPACT}(?=$|[^0-9])", "day"),
        (rf"(?<![\d-]){_DASHED}(?![\d-])", "day"),
    )
)


def of_file_name(file_name: str, clock: Clock) -> Taken | None:
    """The date in a file's name, by the closed list of patterns; a real calendar date, never later than now."""
    stem = file_name.replace("\u202f", " ").replace("\u00a0", " ")  # macOS puts a narrow no-break space before PM
    for pattern, kind in _NAMES:
        found = pattern.search(stem)
        taken = _named(found, kind, clock) if found else None
        if taken is not None and taken.wall is not None and taken.wall <= clock.now.replace(tzinfo=None) + _AHEAD / 2:
            return taken
    return None


def _named(found: re.Match[str], kind: str, clock: Clock) -> Taken | None:
    parts = found.groupdict()
    try:
        day = date(int(parts["y"]), int(parts["m"]), int(parts["d"]))
        if day.year < _FIRST_NAME_YEAR:
            return None
        if kind == "day":
            return Taken(datetime(day.year, day.month, day.day), None, Origin.FILE_NAME, _DAY_OF_NAME, day_only=True)
        hour = int(parts["h"])
        if half := (parts.get("ap") or "").strip().lower()[:1]:
            hour = hour % 12 + (12 if half == "p" else 0)
        wall = datetime(day.year, day.month, day.day, hour, int(parts["i"]), int(parts["s"]))
    except ValueError:
        return None
    if kind == "utc":
        return _on_the_wall(wall.replace(tzinfo=UTC), Origin.FILE_NAME, _LIKELY, clock)
    return Taken(wall, None, Origin.FILE_NAME, _LIKELY)


def _last_change(exif_modified: str, modified_ns: int, clock: Clock) -> Taken | None:
    """When the file was last changed: as the editing program wrote it, else as the file system says. Good for nothing exact."""
    parsed = parse_stamp(exif_modified)
    if parsed is not None and not parsed[2]:
        return Taken(parsed[0], parsed[1], Origin.FILE_TIME, _CHANGED)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=modified_ns // 1000)
    if moment.year <= _FIRST_NAME_YEAR or moment > clock.now + _AHEAD:
        return None  # 1970 and 1980 are the zero of a file system or an archive, not a time
    return _on_the_wall(moment, Origin.FILE_TIME, _GUESS, replace(clock, offset_at=lambda wall: None))


def _judged(taken: Taken, clock: Clock) -> Taken:
    """A time in the future is kept as it is and distrusted."""
    if taken.wall is not None and taken.wall > clock.now.replace(tzinfo=None) + _AHEAD:
        return replace(taken, confidence=min(taken.confidence, _GUESS))
    return taken


def _flag_conflict(taken: Taken, known: list[Taken]) -> Taken:
    """Camera and file name that disagree by more than a day: the camera wins (rank), with less confidence."""
    name = next((other for other in known if other.origin is Origin.FILE_NAME), None)
    if taken.origin is not Origin.EXIF_ORIGINAL or not taken.wall or not name or not name.wall:
        return taken
    if abs(taken.wall - name.wall) <= timedelta(days=1, hours=14):
        return taken
    return replace(taken, confidence=min(taken.confidence, _CONFLICT))
