"""Are wrong clocks put right and back as one, and are rules only offered, carried out, declined and undone?"""

from datetime import date, datetime, timedelta

import pytest

from core.augment.clock_corrections import Clocks
from core.augment.corrections import Corrector
from core.augment.taught import Taught
from core.errors import RequestError
from core.records import Clock, MemoryKind, Origin, Place
from core.store.library import Library
from tests.core.augment.life import BISTRO, HOME, named, remember, run, shown

Named = list[tuple[str, float, float]]


@pytest.fixture
def wrong(library: Library) -> tuple[Clock, list[str]]:
    """Three pictures of a camera that was an hour behind, and its clock."""
    ids = [remember(library, datetime(2024, 5, 3, 10, step), f"Step {step}", place=HOME) for step in range(3)]
    clock = Clock("c" * 32, "NIKON", 3600, "An hour behind.", tuple(ids))
    library.derived.replace_clocks([clock])
    return clock, ids


def _walls(library: Library, ids: list[str]) -> list[datetime | None]:
    return [memory.taken.wall for memory in library.memories.many(ids)]


def test_a_clock_moves_all_its_memories_with_one_word_and_back_with_one_undo(
    library: Library, wrong: tuple[Clock, list[str]]
) -> None:
    clock, ids = wrong
    before = _walls(library, ids)
    Clocks(library).accept(clock.id)
    assert _walls(library, ids) == [wall + timedelta(hours=1) for wall in before if wall]
    assert {memory.taken.origin for memory in library.memories.many(ids)} == {Origin.PERSON}
    assert Clocks(library).open() == []
    run(library)
    assert len(library.corrections.standing("clock")) == 1
    Corrector(library).undo()
    assert _walls(library, ids) == before
    assert [each.id for each in Clocks(library).open()] in ([clock.id], [])


def test_a_date_the_person_gave_after_the_clock_stays_when_the_clock_is_undone(
    library: Library, wrong: tuple[Clock, list[str]]
) -> None:
    clock, ids = wrong
    correct = Corrector(library)
    Clocks(library).accept(clock.id)
    correct.edit_memory(ids[0], "date", "2024-06-01 12:00")
    correct.undo(library.corrections.standing("clock")[0].id)
    assert [str(wall) for wall in _walls(library, ids)] == [
        "2024-06-01 12:00:00", "2024-05-03 10:01:00", "2024-05-03 10:02:00"
    ]  # fmt: skip
    correct.undo()
    assert str(_walls(library, ids)[0]) == "2024-05-03 10:00:00"


def test_where_nobody_knows_how_far_the_person_says_when_the_first_was(
    library: Library, wrong: tuple[Clock, list[str]]
) -> None:
    clock, ids = wrong
    library.derived.replace_clocks([Clock(clock.id, "SONY", None, "No battery.", clock.member_ids)])
    with pytest.raises(RequestError, match="how far"):
        Clocks(library).accept(clock.id)
    Clocks(library).accept(clock.id, date(2024, 7, 1))
    assert [str(wall) for wall in _walls(library, ids)] == [f"2024-07-01 10:0{step}:00" for step in range(3)]


def test_a_declined_clock_is_not_proposed_again(library: Library, wrong: tuple[Clock, list[str]]) -> None:
    clock, ids = wrong
    before = _walls(library, ids)
    Clocks(library).decline(clock.id)
    assert Clocks(library).open() == []
    assert _walls(library, ids) == before
    Corrector(library).undo()
    assert [each.id for each in Clocks(library).open()] == [clock.id]


def _taught(library: Library) -> tuple[Taught, Named]:
    places: Named = []
    return Taught(library, lambda name, latitude, longitude: places.append((name, latitude, longitude))), places


def test_a_place_named_twice_is_offered_for_all_that_was_taken_there(library: Library) -> None:
    ids = [remember(library, datetime(2024, 5, day, 19), "A table", place=BISTRO) for day in (1, 2, 3)]
    taught, places = _taught(library)
    Corrector(library).edit_memory(ids[0], "place", "Mum's bistro")
    assert taught.offers() == []
    Corrector(library).edit_memory(ids[1], "place", "Mum's bistro")
    [offer] = taught.offers()
    assert "Mum's bistro" in offer.text
    taught.accept(offer.id)
    assert places == [("Mum's bistro", BISTRO.latitude, BISTRO.longitude)]


def test_a_person_put_right_twice_is_offered_shown_everywhere_and_undone(library: Library) -> None:
    ids = [remember(library, datetime(2024, 5, day, 19), "A table", people=("Annie", "Tom")) for day in range(1, 5)]
    taught, _ = _taught(library)
    correct = Corrector(library)
    for memory_id in ids[:2]:
        correct.edit_memory(memory_id, "people", "Anna Berg, Tom")
    [offer] = taught.offers()
    taught.accept(offer.id)
    assert [set(memory.people) for memory in library.memories.many(ids)] == [{"Anna Berg", "Tom"}] * 4
    late = remember(library, "2024-05-09T19:00", "A table", people=("Annie",))
    run(library)
    assert library.memories.get(late).people == ("Anna Berg",)
    assert taught.offers() == []
    correct.undo()
    assert set(library.memories.get(ids[3]).people) == {"Annie", "Tom"}
    assert library.memories.get(late).people == ("Annie",)


def _show_on_a_screen(library: Library, day: int) -> list[str]:
    ids = []
    for minute in (0, 4, 8):
        ids.append(
            remember(
                library, datetime(2024, 5, day, 20, minute), "A concert", things=("concert", "tv show"), people=("Ana",)
            )
        )
        with library.memories.edit(ids[-1]) as edit:
            edit.set_kind(MemoryKind.SCREENSHOT, Origin.RULE)
    return ids


def test_screenshots_taken_for_visits_twice_are_offered_as_no_visits(library: Library) -> None:
    groups = [_show_on_a_screen(library, day) for day in (2, 9, 16)]
    run(library)
    correct = Corrector(library)
    taught, _ = _taught(library)
    for group in groups[:2]:
        correct.delete_event(next(event.id for event in shown(library) if group[0] in event.member_ids))
    assert [event.member_ids for event in shown(library)] == [tuple(groups[2])]
    [offer] = taught.offers()
    assert offer.text.startswith("Screenshots that show")
    taught.accept(offer.id)
    run(library)
    assert shown(library) == []
    correct.undo()
    run(library)
    assert [event.member_ids for event in shown(library)] == [tuple(groups[2])]
    taught.decline(taught.offers()[0].id)
    assert taught.offers() == []


def test_a_locked_event_takes_in_nothing_new(library: Library, month: dict[str, list[str]]) -> None:
    run(library)
    trip = named(library, "Trip to Porto")
    Corrector(library).lock_event(trip.id)
    late = remember(library, "2024-05-14T18:00", "A late picture", place=shown_place(library, trip.member_ids[0]))
    run(library)
    assert late not in named(library, "Trip to Porto").member_ids
    Corrector(library).undo()
    assert late in named(library, "Trip to Porto").member_ids


def shown_place(library: Library, memory_id: str) -> Place | None:
    return library.memories.get(memory_id).place
