"""The date policy, source against source: whichever two speak, the one that the policy names first is shown."""

from datetime import UTC, datetime
from itertools import combinations

import pytest

from core.capture.dates import Clock, dates_of, of_description
from core.capture.described import Described
from core.capture.facts import FileFacts, Tag
from core.capture.formats import Medium
from core.records import ORIGIN_RANK, Field, MemoryKind, Origin, Taken
from core.store.library import Library

CLOCK = Clock(datetime(2026, 11, 30, 12, tzinfo=UTC), UTC)
NANOSECONDS = 1_000_000_000
POLICY = (
    Origin.PERSON, Origin.XMP_SIDECAR, Origin.EXIF_ORIGINAL, Origin.EMBEDDED_XMP, Origin.EXIF_DIGITIZED, Origin.TAKEOUT,
    Origin.VIDEO_CREATION_DATE, Origin.VIDEO_CREATION_TIME, Origin.GPS, Origin.FILE_NAME, Origin.FILE_TIME,
)  # fmt: skip
"""From the strongest to the weakest."""
_TAGS = {
    Origin.EXIF_ORIGINAL: (Tag.EXIF_ORIGINAL, "2003:01:01 10:00:00"), Origin.EMBEDDED_XMP: (Tag.XMP_ORIGINAL, "2004-01-01T10:00:00"),
    Origin.EXIF_DIGITIZED: (Tag.EXIF_DIGITIZED, "2005:01:01 10:00:00"),
    Origin.VIDEO_CREATION_DATE: (Tag.VIDEO_CREATION_DATE, "2007-01-01T10:00:00+0100"),
    Origin.VIDEO_CREATION_TIME: (Tag.VIDEO_CREATION_TIME, "2008-01-01T10:00:00Z"), Origin.GPS: (Tag.GPS_TIME, "2009:01:01 10:00:00Z"),
}  # fmt: skip


def _said_by(origins: tuple[Origin, ...]) -> list[Taken]:
    """What a file says in which just these sources speak, each of another year; and the person."""
    tags = dict(_TAGS[origin] for origin in origins if origin in _TAGS)
    name = "IMG_20100101_100000.jpg" if Origin.FILE_NAME in origins else "a.jpg"
    modified_ns = 1_300_000_000 * NANOSECONDS if Origin.FILE_TIME in origins else 0
    found = list(dates_of(FileFacts("jpeg", Medium.IMAGE, tags=tags), name, modified_ns, CLOCK))
    for origin, described in (
        (Origin.XMP_SIDECAR, Described(taken="2002-01-01T10:00:00")), (Origin.TAKEOUT, Described(taken_utc_s=1_136_109_600.0)),
    ):  # fmt: skip
        if origin in origins and (taken := of_description(described, origin, CLOCK)):
            found.append(taken)
    if Origin.PERSON in origins:
        found.append(Taken(datetime(2001, 1, 1, 10), None, Origin.PERSON, 1.0))
    return found


@pytest.mark.parametrize(("stronger", "weaker"), list(combinations(POLICY, 2)))
def test_of_two_sources_the_stronger_is_shown_in_whatever_order_they_come(
    library: Library, stronger: Origin, weaker: Origin
) -> None:
    said = _said_by((stronger, weaker))
    assert {each.origin for each in said} == {stronger, weaker}
    for number, order in enumerate((said, said[::-1])):
        memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="a.jpg", content_key=f"{number}")
        for taken in order:
            with library.memories.edit(memory_id) as editing:
                editing.set_taken(taken)

        assert library.memories.get(memory_id).taken.origin is stronger
        with library.memories.edit(memory_id) as editing:
            editing.take_back(Field.TAKEN, stronger)
        assert library.memories.get(memory_id).taken.origin is weaker


def test_all_sources_together_fall_back_one_by_one() -> None:
    for number in range(len(POLICY)):
        said = _said_by(POLICY[number:])

        assert max(said, key=lambda taken: ORIGIN_RANK[taken.origin]).origin is POLICY[number]
        assert len({taken.wall.year for taken in said if taken.wall}) == len(POLICY) - number
