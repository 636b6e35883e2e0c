"""Which places has the person named ("home", "grandma's"), and which memories lie there? Their names go over what the map says.

A named place is a correction, so it outlives every re-run, is exported, and can be undone.
"""

import json
import math
from dataclasses import dataclass, replace

from core.capture.places import usable_position
from core.capture.sphere import EARTH_KM
from core.errors import RequestError
from core.records import ORIGIN_RANK, Correction, Field, Origin, Place, Provenance, Stage
from core.store.library import Library
from core.store.rows import new_id
from core.text_keys import printable, text_key

TARGET = "place"
RADIUS_M = 150.0
_SMALLEST_M, _LARGEST_M = 10.0, 50_000.0
_LONGEST_NAME = 100
_CHUNK = 500
_MADE = Provenance("rule:named-places", "", "1")
_FROM_PLACE = (Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A circle on the map with the person's name for it."""

    name: str
    latitude: float
    longitude: float
    radius_m: float = RADIUS_M

    def distance_m(self, latitude: float, longitude: float) -> float:
        """How far a position is from the middle."""
        here, there = math.radians(self.latitude), math.radians(latitude)
        half = (there - here) / 2, math.radians(longitude - self.longitude) / 2
        chord = math.sin(half[0]) ** 2 + math.cos(here) * math.cos(there) * math.sin(half[1]) ** 2
        return 2_000 * EARTH_KM * math.asin(min(1.0, math.sqrt(chord)))


def named_places(library: Library) -> list[NamedPlace]:
    """The places that the person's standing corrections name, by name."""
    found: dict[str, NamedPlace] = {}
    for correction in library.corrections.standing(TARGET):
        said = json.loads(correction.after)
        if correction.action == "name":
            found[text_key(said["name"])] = NamedPlace(**said)
        else:
            found.pop(text_key(said["name"]), None)
    return [found[key] for key in sorted(found)]


def name_place(
    library: Library, name: str, latitude: float, longitude: float, radius_m: float = RADIUS_M
) -> NamedPlace:
    """Name a place, or say where a named one is now; memories show it at once.

    Raises:
        RequestError: there is no such position, no name, or no such radius.
    """
    plain = " ".join(printable(name).split())
    position = usable_position(latitude, longitude)
    if not text_key(plain) or len(plain) > _LONGEST_NAME:
        raise RequestError("That is no name for a place.", f"Use up to {_LONGEST_NAME} letters.")
    if position is None:
        raise RequestError(f"{latitude}, {longitude} is no position.", "Write degrees, like 55.7047 13.1910.")
    if not _SMALLEST_M <= radius_m <= _LARGEST_M:
        raise RequestError(
            f"A place cannot reach {radius_m:g} m.", f"Between {_SMALLEST_M:g} and {_LARGEST_M:g} m it can."
        )
    place = NamedPlace(plain, *position, radius_m)
    after = {"name": place.name, "latitude": place.latitude, "longitude": place.longitude, "radius_m": place.radius_m}
    _record(library, "name", after)
    apply(library)
    return place


def name_place_of(library: Library, name: str, memory_id: str, radius_m: float = RADIUS_M) -> NamedPlace:
    """Name the place where a memory was captured.

    Raises:
        RequestError: its position is not known; and as `name_place`.
    """
    place = library.memories.get(memory_id).place
    if place is None or place.latitude is None or place.longitude is None:
        raise RequestError(
            "The position of this memory is not known.", "Choose one with a position, or give the coordinates."
        )
    return name_place(library, name, place.latitude, place.longitude, radius_m)


def unname_place(library: Library, name: str) -> NamedPlace:
    """Let a name go; memories show what the map says again.

    Raises:
        RequestError: no place has that name.
    """
    found = next((each for each in named_places(library) if text_key(each.name) == text_key(name)), None)
    if found is None:
        raise RequestError(f"You have named no place {name!r}.", "`madeleine places` lists them.")
    _record(library, "unname", {"name": found.name})
    apply(library)
    return found


def apply(library: Library) -> int:
    """Show the person's names at every memory that lies in one of their places, and nowhere else; returns how many changed."""
    places = named_places(library)
    shown = set(library.memories.ids_with_origin(Field.PLACE, Origin.NAMED_PLACE))
    if not (places or shown):
        return 0
    names: dict[str, str] = {}
    for memory_id, latitude, longitude in library.memories.positions():
        if (found := _at(places, latitude, longitude)) is not None:
            names[memory_id] = found.name
    changed = 0
    ids = sorted(shown | set(names))
    for start in range(0, len(ids), _CHUNK):
        known = library.memories.places_by_origin(ids[start : start + _CHUNK])
        with library.database.write():
            changed += sum(_show(library, each, names.get(each, ""), origins) for each, origins in known.items())
    return changed


def _at(places: list[NamedPlace], latitude: float, longitude: float) -> NamedPlace | None:
    """The smallest named place around a position."""
    inside = [each for each in places if each.distance_m(latitude, longitude) <= each.radius_m]
    return min(inside, key=lambda each: each.radius_m, default=None)


def _show(library: Library, memory_id: str, name: str, origins: dict[Origin, Place]) -> bool:
    """Put a name over what the other origins say of a place, or take it away; the person's word on one memory stands over both."""
    under = [origin for origin in origins if origin not in (Origin.NAMED_PLACE, Origin.PERSON)]
    best = max(under, key=lambda origin: ORIGIN_RANK[origin], default=None)
    now = origins.get(Origin.NAMED_PLACE)
    base = origins[best] if best is not None else now
    wanted = replace(base, name=name) if base is not None and name else None
    if wanted == now:
        return False
    with library.memories.edit(memory_id) as editing:
        if best is None and base is not None:
            editing.set_place(replace(base, name=""), Origin.IMPORTED, _MADE)  # it came under the name of an import
        editing.set_place(wanted, Origin.NAMED_PLACE, _MADE)
    for stage in _FROM_PLACE:
        library.stages.reset(stage, [memory_id])
    library.events.mark_stale([memory_id])
    return True


def _record(library: Library, action: str, after: dict[str, object]) -> None:
    library.corrections.add(
        Correction(
            id="", target_kind=TARGET, target_id=new_id(), action=action, after=json.dumps(after, ensure_ascii=False)
        )
    )
