"""Reads a calendar file (RFC 5545): each event with its times, people and place; of a recurring one, a bounded number of times."""

import re
import zoneinfo
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from itertools import islice

from core.capture.note import MOST_CHARS, MOST_NOTES, Note, names_of, one_line

MOST_TIMES = 60
"""How often a recurring event is taken in: a weekly course of a year; what goes on for ever says nothing new."""

_MOST_STEPS = 4_000
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_STAMP = re.compile(r"^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$")
_ESCAPED = re.compile(r"\\(.)")
_PARAMETER = re.compile(r';([A-Za-z0-9-]+)=("[^"]*"|[^;:]*)')


@dataclass(frozen=True, slots=True)
class _Property:
    name: str
    parameters: dict[str, str]
    value: str

    @property
    def text(self) -> str:
        return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], self.value)


@dataclass(slots=True)
class _Event:
    properties: list[_Property] = field(default_factory=list)

    def first(self, name: str) -> _Property | None:
        return next((each for each in self.properties if each.name == name), None)

    def text(self, name: str) -> str:
        found = self.first(name)
        return found.text if found else ""


def notes_of(text: str, until: datetime) -> Iterator[Note]:
    """The events of a calendar. A recurring one is followed up to `until`: what had not happened at the export is not a memory.

    Events that were cancelled, or whose beginning cannot be read, are left out.
    """
    events, zone = _events(text)
    moved = {(event.text("UID"), stamp[0]) for event in events if (stamp := _stamp(event.first("RECURRENCE-ID"), zone))}
    for event in events:
        start = _stamp(event.first("DTSTART"), zone)
        if start is None or event.text("STATUS").upper() == "CANCELLED":
            continue
        rule = event.first("RRULE")
        starts = _times(rule.value, start[0], _left_out(event, zone), until) if rule else iter([start[0]])
        for begins in starts:
            if rule is None or (event.text("UID"), begins) not in moved:
                yield _note(event, begins, start, zone)


def _events(text: str) -> tuple[list[_Event], tzinfo | None]:
    """The VEVENTs, and the zone that the calendar names as its own."""
    events: list[_Event] = []
    zone: tzinfo | None = None
    inside: list[str] = []
    for line in _unfolded(text):
        read = _property(line)
        if read is None:
            continue
        if read.name == "BEGIN":
            inside.append(read.value.upper())
            if inside[-1] == "VEVENT":
                if len(events) >= MOST_NOTES:
                    break
                events.append(_Event())
        elif read.name == "END":
            inside = inside[:-1]
        elif read.name == "X-WR-TIMEZONE" and zone is None:
            zone = _zone(read.value)
        elif inside and inside[-1] == "VEVENT":  # an alarm inside an event has a description of its own
            events[-1].properties.append(read)
    return events, zone


def _unfolded(text: str) -> Iterator[str]:
    """Lines with their continuations, which begin with a blank."""
    pieces: list[str] = []
    for line in text.splitlines():
        if line[:1] in (" ", "\t") and pieces:
            if len(pieces) < MOST_CHARS // 10:
                pieces.append(line[1:])
            continue
        yield "".join(pieces)
        pieces = [line]
    yield "".join(pieces)


def _property(line: str) -> _Property | None:
    quoted, colon = False, -1
    for position, char in enumerate(line[:MOST_CHARS]):
        if char == '"':
            quoted = not quoted
        elif char == ":" and not quoted:
            colon = position
            break
    if colon < 1:
        return None
    head = line[:colon]
    parameters = {name.upper(): value.strip('"') for name, value in _PARAMETER.findall(head)}
    return _Property(head.split(";")[0].strip().upper(), parameters, line[colon + 1 :][:MOST_CHARS].strip())


def _stamp(read: _Property | None, zone: tzinfo | None) -> tuple[datetime, int | None, bool] | None:
    """(wall time, offset where it is known, only a day). UTC becomes the calendar's own time where it names its zone."""
    found = _STAMP.match(read.value) if read else None
    if read is None or found is None:
        return None
    try:
        wall = datetime(*(int(found[part] or 0) for part in (1, 2, 3, 4, 5, 6)))  # type: ignore[arg-type] # six numbers
    except ValueError:
        return None
    if found[4] is None:
        return wall, None, True
    if found[7]:
        here = wall.replace(tzinfo=UTC).astimezone(zone or UTC)
        return here.replace(tzinfo=None), _offset(here), False
    named = _zone(read.parameters.get("TZID", ""))
    return wall, _offset(wall.replace(tzinfo=named)) if named else None, False


def _zone(name: str) -> tzinfo | None:
    """The zone of an IANA name; of others (Windows', an appendix of the file's own) only the wall time is used."""
    try:
        return zoneinfo.ZoneInfo(name.strip().lstrip("/")) if name.strip() else None
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _offset(moment: datetime) -> int | None:
    away = moment.utcoffset()
    return None if away is None else round(away.total_seconds() / 60)


def _left_out(event: _Event, zone: tzinfo | None) -> set[datetime]:
    found = set()
    for each in event.properties:
        if each.name == "EXDATE":
            for value in each.value.split(",")[:MOST_NOTES]:
                stamp = _stamp(_Property("EXDATE", each.parameters, value), zone)
                if stamp:
                    found.add(stamp[0])
    return found


def _times(rule: str, start: datetime, left_out: set[datetime], until: datetime) -> Iterator[datetime]:
    """When a recurring event happened. Rules that are not understood (the last Friday) happen once: their beginning is certain."""
    parts = dict(part.upper().split("=", 1) for part in rule.split(";") if "=" in part)
    count = int(parts["COUNT"]) if parts.get("COUNT", "").isdecimal() else _MOST_STEPS
    end = _STAMP.match(parts.get("UNTIL", ""))
    if end:
        last = date(1, 1, 1)
        try:
            last = date(int(end[1]), int(end[2]), int(end[3]))
        except ValueError:
            end = None
        until = min(until, datetime(last.year, last.month, last.day, 23, 59, 59)) if end else until
    happened = islice(_steps(parts, start), min(count, _MOST_STEPS))
    found = 0
    for moment in happened:
        if moment != start and (moment > until or found >= MOST_TIMES):
            return
        if moment not in left_out:
            found += 1
            yield moment


def _steps(parts: dict[str, str], start: datetime) -> Iterator[datetime]:
    interval = parts.get("INTERVAL", "1")
    step = min(max(1, int(interval)), 1_000) if interval.isdecimal() else 1
    frequency = parts.get("FREQ", "")
    days = sorted(_DAYS.index(day) for day in parts.get("BYDAY", "").split(",") if day in _DAYS)
    unknown = {"BYSETPOS", "BYWEEKNO", "BYYEARDAY", "BYHOUR", "BYMINUTE"} & set(parts)
    if frequency == "WEEKLY" and days and not unknown:
        yield from _weekly(start, step, days)
    elif frequency in ("DAILY", "WEEKLY") and not unknown and "BYDAY" not in parts:
        yield from _evenly(start, timedelta(days=step * (7 if frequency == "WEEKLY" else 1)))
    elif frequency in ("MONTHLY", "YEARLY") and not unknown and "BYDAY" not in parts:
        yield from _monthly(start, step * (12 if frequency == "YEARLY" else 1))
    else:
        yield start


def _evenly(start: datetime, step: timedelta) -> Iterator[datetime]:
    for number in range(_MOST_STEPS):
        try:
            yield start + step * number
        except OverflowError:
            return


def _weekly(start: datetime, step: int, days: list[int]) -> Iterator[datetime]:
    for monday in _evenly(start - timedelta(days=min(start.weekday(), start.toordinal() - 1)), timedelta(weeks=step)):
        for day in days:
            try:
                moment = monday + timedelta(days=day)
            except OverflowError:
                return
            if moment >= start:
                yield moment


def _monthly(start: datetime, step: int) -> Iterator[datetime]:
    for number in range(_MOST_STEPS):
        month = start.month - 1 + step * number
        try:
            yield start.replace(year=start.year + month // 12, month=month % 12 + 1)
        except ValueError:
            if start.year + month // 12 > date.max.year:
                return  # else: a month without that day is left out, as the RFC says


def _note(event: _Event, begins: datetime, start: tuple[datetime, int | None, bool], zone: tzinfo | None) -> Note:
    _, offset, day_only = start
    first = event.first("DTSTART")
    is_utc = bool(first and first.value.endswith("Z"))
    named = zone if is_utc else _zone(first.parameters.get("TZID", "")) if first else None
    if named is not None and not day_only:
        offset = _offset(begins.replace(tzinfo=named))  # in summer another one than at the first time
    title = one_line(event.text("SUMMARY"))
    latitude, longitude = _position(event.text("GEO"))
    place = one_line(event.text("LOCATION"))
    lines = [title, _span(event, begins, start, zone), place, event.text("DESCRIPTION").strip()]
    return Note(
        label=f"{event.text('UID')[:200]} {begins.isoformat()}",
        title=title,
        text="\n".join(line for line in lines if line)[:MOST_CHARS],
        wall=begins,
        offset_minutes=offset,
        elsewhere=is_utc and zone is None,
        day_only=day_only,
        people=names_of(
            [name for each in event.properties if each.name in ("ORGANIZER", "ATTENDEE") and (name := _person(each))]
        ),
        place="" if "://" in place else place,  # where a call is held is no place
        latitude=latitude,
        longitude=longitude,
    )


def _span(event: _Event, begins: datetime, start: tuple[datetime, int | None, bool], zone: tzinfo | None) -> str:
    """The times in words, so that they are found and shown with the text."""
    end = _stamp(event.first("DTEND"), zone)
    length = end[0] - start[0] if end else timedelta(0)
    day_only = start[2]
    try:
        ends = (
            begins + length - (timedelta(days=1) if day_only and length else timedelta(0))
        )  # the day after the last one
    except OverflowError:
        ends = begins
    if day_only:
        return f"{begins:%Y-%m-%d}" + (f" to {ends:%Y-%m-%d}" if ends.date() > begins.date() else "")
    if ends <= begins:
        return f"{begins:%Y-%m-%d %H:%M}"
    return f"{begins:%Y-%m-%d %H:%M} to " + (
        f"{ends:%H:%M}" if ends.date() == begins.date() else f"{ends:%Y-%m-%d %H:%M}"
    )


def _person(read: _Property) -> str:
    if (
        read.parameters.get("CUTYPE", "INDIVIDUAL").upper() != "INDIVIDUAL"
        or read.parameters.get("PARTSTAT", "") == "DECLINED"
    ):
        return ""  # a room is no person, and who declined was not there
    address = read.value[len("mailto:") :] if read.value.lower().startswith("mailto:") else ""
    return read.parameters.get("CN", "") or address


def _position(text: str) -> tuple[float | None, float | None]:
    try:
        latitude, longitude = (float(part) for part in text.split(";"))
    except ValueError:
        return None, None
    return latitude, longitude


def latest_wall(seconds: float) -> datetime:
    """The latest wall time anywhere at a moment: nothing that had happened at the export is left out."""
    return datetime.fromtimestamp(seconds, timezone(timedelta(hours=14))).replace(tzinfo=None)
