"""Turns what people wrote beside a memory's pixels into its values, each under the origin it came from."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from core.capture import dates, sidecars
from core.capture.dates import Clock
from core.capture.described import Described
from core.capture.facts import FileFacts, Tag
from core.capture.places import usable_position
from core.capture.stage_results import Subject, Work
from core.capture.stems import name_key
from core.capture.zones import offset_minutes
from core.errors import PhotoMissingError
from core.records import AtomicContext, ContextKind, Field, Origin, Place, Provenance, Taken
from core.store.memory_edit import MemoryEdit

_MADE = Provenance("rule:descriptions", "", "1")
_STRANGER = "It tells of another day than the picture of this name, so it is left out."
_SAME_DAY_S = 48 * 3_600.0  # a wall time and one in UTC, of the same night
_WHY = {
    Origin.XMP_SIDECAR: "the sidecar names them",
    Origin.EMBEDDED_XMP: "the file names them",
    Origin.TAKEOUT: "the export names them",
}


@dataclass(frozen=True, slots=True)
class Said:
    """What each origin says about one memory, and which sidecars are broken, with the reason."""

    by_origin: Mapping[Origin, Described]
    broken: Mapping[str, str]
    sidecars: tuple[str, ...]


def of_memory(work: Work, subject: Subject, facts: FileFacts) -> Said:
    """Everything that was written about the memory, in its file and beside it.

    Raises:
        PhotoMissingError: a sidecar is gone since the scan.
    """
    paths = work.library.sidecars.of_memory(subject.memory.id)
    files = [file.path for file in work.library.files.of_memory(subject.memory.id)]
    try:
        strangers = _of_another_day(paths, files, facts)
        read = sidecars.read([path for path in paths if path not in strangers], list(map(os.path.basename, files)))
    except FileNotFoundError as error:
        raise PhotoMissingError("A sidecar is not there any more.") from error
    broken = {**read.broken, **dict.fromkeys(strangers, _STRANGER)}
    return Said({**dict(read.by_origin), Origin.EMBEDDED_XMP: facts.described}, broken, tuple(paths))


def _of_another_day(sidecar_paths: Sequence[str], files: Sequence[str], facts: FileFacts) -> frozenset[str]:
    """The JSON files from folders of other names that tell of another day than the camera does, where no other is nearer.

    Cameras count from IMG_0001 again and again, so a name alone may bring together what has nothing to do with each other.
    """
    camera = dates.parse_stamp(facts.tags.get(Tag.EXIF_ORIGINAL, ""))
    jsons = [path for path in sidecar_paths if path.casefold().endswith(".json")]
    if camera is None or {_folder_name(path) for path in jsons} & {_folder_name(path) for path in files}:
        return frozenset()
    taken = {path: sidecars.read([path], []).export.taken_utc_s for path in jsons}
    wall_s = (camera[0] - datetime(1970, 1, 1)).total_seconds()
    return frozenset(path for path, utc_s in taken.items() if utc_s is not None and abs(utc_s - wall_s) > _SAME_DAY_S)


def _folder_name(path: str) -> str:
    return name_key(os.path.basename(os.path.dirname(path)))


def places_of(work: Work, facts: FileFacts, said: Said) -> tuple[Mapping[Origin, Place | None], Clock]:
    """The place as each origin knows it, and the clock of the best one.

    An export repeats or guesses the position, so it is only asked where the file itself has none.
    """
    positions = {
        Origin.XMP_SIDECAR: _position(said.by_origin[Origin.XMP_SIDECAR]),
        Origin.GPS: usable_position(facts.latitude, facts.longitude),
        Origin.EMBEDDED_XMP: None,
        Origin.TAKEOUT: None,
    }
    if positions[Origin.GPS] is None:
        positions[Origin.EMBEDDED_XMP] = _position(said.by_origin[Origin.EMBEDDED_XMP])
    if positions[Origin.GPS] is None and positions[Origin.EMBEDDED_XMP] is None:
        positions[Origin.TAKEOUT] = _position(said.by_origin[Origin.TAKEOUT])
    places: dict[Origin, Place | None] = {}
    clock = None
    for origin, position in positions.items():
        located = work.gazetteer.locate(*position) if position else None
        places[origin] = located.place if located else None
        if located and position and clock is None:
            clock = replace(work.clock, offset_at=partial(offset_minutes, *position, located.country_code))
    return places, clock or work.clock


def dates_of(said: Said, clock: Clock) -> tuple[Taken, ...]:
    """When the sidecars say it was taken (the date inside the file is one of its own dates)."""
    found = (
        dates.of_description(said.by_origin[origin], origin, clock) for origin in (Origin.XMP_SIDECAR, Origin.TAKEOUT)
    )
    return tuple(taken for taken in found if taken is not None)


def write(editing: MemoryEdit, work: Work, said: Said, places: Mapping[Origin, Place | None]) -> None:
    """Store it all; what an origin does not say any more is taken back."""
    for origin, place in places.items():
        editing.set_place(place, origin, Provenance("rule:gazetteer"))
    people = {name.casefold() for described in said.by_origin.values() for name in described.people}
    for origin, described in said.by_origin.items():
        keywords = [word for word in described.keywords if word.casefold() not in people]
        editing.set_text(Field.TITLE, described.title, origin, _MADE)
        editing.set_text(Field.CAPTION, described.caption, origin, _MADE)
        editing.set_rating(described.rating, origin)
        if keywords:
            editing.set_keywords(keywords, origin)
        else:
            editing.take_back(Field.KEYWORDS, origin)
        if described.favourite is None:
            editing.take_back(Field.FAVOURITE, origin)
        else:
            editing.set_favourite(described.favourite, origin)
        editing.set_contexts(
            origin,
            [AtomicContext(ContextKind.PERSON, name, 0.95, origin, _WHY[origin], _MADE) for name in described.people],
        )
    for path in said.sidecars:
        work.library.sidecars.note(path, os.path.dirname(path), said.broken.get(path, ""))


def _position(described: Described) -> tuple[float, float] | None:
    return usable_position(described.latitude, described.longitude)
