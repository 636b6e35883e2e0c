"""Where does the person live? Learned from where most nights and days are spent, year by year."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from core.augment.places import area_key, is_home_like, km_between
from core.records import CapturedMemory, Place

_NIGHT_FROM, _NIGHT_UNTIL = 20, 8
_SURE = 0.5
_FEWEST_DAYS = 3
_AWAY_KM = 40


@dataclass(frozen=True, slots=True)
class Home:
    """The area lived in during a year: the days and nights that speak for it, one memory of each such day, its usual place."""

    year: int
    area: str
    nights: int
    share: float
    evidence_ids: tuple[str, ...]
    centre: Place | None = None

    def is_away(self, place: Place | None) -> bool:
        """Whether a place is in another area, and far enough from here where coordinates tell; False when it is not known."""
        area = area_key(place)
        if not area or area == self.area or is_home_like(place) or place is None:
            return False
        km = km_between(place, self.centre) if self.centre else None
        return km is None or km >= _AWAY_KM


def homes(memories: Sequence[CapturedMemory]) -> Mapping[int, Home]:
    """The home of each year that shows one: half of its days, nights counting double; a year without one has its neighbour's."""
    seen: dict[int, dict[tuple[str, date], CapturedMemory]] = defaultdict(dict)
    weight: dict[int, Counter[str]] = defaultdict(Counter)
    nights: dict[tuple[int, str], set[date]] = defaultdict(set)
    for memory in memories:
        wall, area = memory.taken.wall, area_key(memory.place)
        if wall is None or not area or memory.taken.confidence < _SURE:
            continue
        day = (area, wall.date())
        if day not in seen[wall.year]:
            seen[wall.year][day] = memory
            weight[wall.year][area] += 1
        is_night = wall.hour >= _NIGHT_FROM or wall.hour < _NIGHT_UNTIL
        if is_night and not memory.taken.day_only and wall.date() not in nights[(wall.year, area)]:
            nights[(wall.year, area)].add(wall.date())
            weight[wall.year][area] += 1
    found: dict[int, Home] = {}
    for year, areas in weight.items():
        area, most = areas.most_common(1)[0]
        own = [memory for (each, _), memory in sorted(seen[year].items(), key=lambda item: item[0][1]) if each == area]
        share = most / areas.total()
        if len(own) >= _FEWEST_DAYS and share >= 0.5:
            ids = tuple(memory.id for memory in own)
            found[year] = Home(year, area, len(nights[(year, area)]), share, ids, _centre(own))
    return _with_neighbours(found, sorted(weight))


def _centre(members: Sequence[CapturedMemory]) -> Place | None:
    """The middle of the places that have coordinates."""
    placed = [each.place for each in members if each.place and each.place.latitude is not None]
    if not placed:
        return None
    latitudes = sorted(place.latitude or 0.0 for place in placed)
    longitudes = sorted(place.longitude or 0.0 for place in placed)
    return Place(latitude=latitudes[len(placed) // 2], longitude=longitudes[len(placed) // 2])


def _with_neighbours(found: dict[int, Home], years: Sequence[int]) -> Mapping[int, Home]:
    """A year that shows no home of its own has that of the nearest year that does."""
    if not found:
        return {}
    return {year: found.get(year) or found[min(found, key=lambda known: (abs(known - year), known))] for year in years}
