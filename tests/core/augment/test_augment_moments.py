"""Are memories taken in one go one moment, and others not?"""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from core.augment.moments import cut
from core.records import CapturedMemory, Origin, Place, Taken

NOON = datetime(2024, 5, 1, 12)


def memory(minutes: float, name: str = "", *, place: Place | None = None, caption: str = "") -> CapturedMemory:
    wall = NOON + timedelta(minutes=minutes)
    key = name or f"{minutes}"
    taken = Taken(wall, None, Origin.EXIF_ORIGINAL, 1.0)
    return CapturedMemory(id=key, public_id=key, taken=taken, place=place, caption=caption)


def pieces(*memories: CapturedMemory) -> list[list[str]]:
    return [list(moment.member_ids) for moment in cut(memories)]


def test_a_burst_is_one_moment_and_the_next_day_another() -> None:
    assert pieces(memory(0), memory(2), memory(9), memory(1440), memory(1444)) == [["0", "2", "9"], ["1440", "1444"]]


def test_a_journey_of_twenty_km_cuts_where_a_walk_does_not() -> None:
    here = Place(latitude=47.0, longitude=15.0)
    around_the_corner, far = Place(latitude=47.001, longitude=15.0), Place(latitude=47.2, longitude=15.0)
    assert len(pieces(memory(0, place=here), memory(40, place=around_the_corner))) == 1
    assert len(pieces(memory(0, place=here), memory(40, place=far))) == 2


def test_another_scene_cuts_a_pause_that_the_same_scene_bridges() -> None:
    wedding = " ".join(f"wedding{n} bride{n} church{n} flowers{n}" for n in range(8))
    engine = " ".join(f"engine{n} motor{n} garage{n} wrench{n}" for n in range(8))
    others = [memory(n * 3000, f"other{n}", caption=f"thing{n} sort{n}") for n in range(2, 8)]
    same = pieces(memory(0, "a", caption=wedding), memory(150, "b", caption=wedding), *others)
    changed = pieces(memory(0, "a", caption=wedding), memory(150, "b", caption=engine), *others)
    assert same[0] == ["a", "b"]
    assert changed[:2] == [["a"], ["b"]]


def test_undated_memories_are_in_no_moment() -> None:
    undated = CapturedMemory(id="u", public_id="u")
    assert pieces(memory(0), undated) == [["0"]]
    assert cut([undated]) == []


def test_the_same_memories_give_the_same_ids_in_whatever_order_they_come() -> None:
    memories = [memory(0), memory(5), memory(3000)]
    assert cut(memories) == cut(list(reversed(memories)))


@given(st.lists(st.integers(0, 60 * 24 * 30), unique=True, max_size=40))
def test_every_dated_memory_is_in_exactly_one_moment_that_begins_before_it_ends(minutes: list[int]) -> None:
    moments = cut([memory(each) for each in minutes])
    members = [member for moment in moments for member in moment.member_ids]
    assert sorted(members) == sorted(str(each) for each in minutes)
    assert all(moment.start <= moment.end for moment in moments)
    assert [moment.start for moment in moments] == sorted(moment.start for moment in moments)
