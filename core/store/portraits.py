"""Which faces show best who somebody is, over the years? Used by the People screen, captions and the life graph."""

from collections.abc import Sequence

from core.records.people import Face
from core.store.library import Library


def portraits(library: Library, person_id: str, most: int = 12) -> list[Face]:
    """Up to so many faces of somebody, oldest first, spread over the time they are known: people change.

    Within each stretch of time the best is taken: one that the person confirmed, then the surest and largest.
    """
    faces = library.people.faces(person_id=person_id)
    if len(faces) <= most:
        return faces
    return [max(stretch, key=_worth) for stretch in _stretches(library, faces, most)]


def _stretches(library: Library, faces: Sequence[Face], most: int) -> list[list[Face]]:
    """The faces in stretches of equal time, those without a date in equal numbers; at most so many, none empty."""
    walls = {each.id: each.taken.wall for each in library.memories.many(sorted({face.memory_id for face in faces}))}
    days = [wall.toordinal() if (wall := walls.get(face.memory_id)) else None for face in faces]
    dated = [day for day in days if day is not None]
    first, span = (min(dated), max(dated) - min(dated) + 1) if dated else (0, 1)
    stretches: dict[int, list[Face]] = {}
    for number, (face, day) in enumerate(zip(faces, days, strict=True)):
        place = number / len(faces) if day is None else (day - first) / span
        stretches.setdefault(int(place * most), []).append(face)
    return [stretches[place] for place in sorted(stretches)]


def _worth(face: Face) -> tuple[bool, float, str]:
    left, top, right, bottom = face.box
    return face.by_person, face.likeness * face.confidence * ((right - left) * (bottom - top)) ** 0.25, face.id
