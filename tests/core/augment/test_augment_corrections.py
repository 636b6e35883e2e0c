"""Does every correction hold through a re-run, with and without a model, and does undoing it bring back what was?"""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime

import pytest

from core.augment.corrections import Corrector
from core.errors import RequestError
from core.records import Event, Field, KnowledgeState, MemoryFilter, Origin, Stage
from core.store.library import Library
from tests.core.augment.life import named, remember, run, shown
from tests.fakes import FakeChat, FakeModels

DINNER, TRIP, FORUM = "Dinner at Bistro Nord with Jonas Weber", "Trip to Porto", "HCI Forum 2024"
Ids = dict[str, list[str]]
Correct = Callable[[Library, Corrector, Ids], None]
Holds = Callable[[Library, Ids], bool]


def _rename(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.rename_event(named(library, DINNER).id, "Jonas is back")


def _redate(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.redate_event(named(library, DINNER).id, date(2024, 5, 7), date(2024, 5, 8))


def _place(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.replace_event(named(library, DINNER).id, "Grandma's kitchen")


def _importance(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.set_importance(named(library, DINNER).id, 3)


def _confirm(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.confirm_event(named(library, DINNER).id)


def _delete(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.delete_event(named(library, DINNER).id)


def _create(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.create_event("Plant diary", ids["home"][:3])


def _split(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.split_event(named(library, TRIP).id, ids["trip"][:2], "Porto by the river")


def _merge(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.merge_events(named(library, DINNER).id, named(library, FORUM).id)


def _move_in(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.move_memories(ids["home"][:1], named(library, DINNER).id, None)


def _move_out(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.move_memories(ids["dinner"][:1], None, named(library, DINNER).id)


def _move_out_of_all(library: Library, correct: Corrector, ids: Ids) -> None:
    correct.move_memories(ids["forum"][:1], None, None)


def _members(library: Library, name: str) -> tuple[str, ...]:
    return next((event.member_ids for event in shown(library) if event.name == name), ())


def _events_of(library: Library, memory_id: str) -> list[str]:
    return sorted(event.name for event in shown(library) if memory_id in event.member_ids)


CASES: dict[str, tuple[Correct, Holds]] = {
    "rename": (_rename, lambda library, ids: _members(library, "Jonas is back") == tuple(ids["dinner"])),
    "redate": (_redate, lambda library, ids: named(library, DINNER).start == datetime(2024, 5, 7)),
    "place": (_place, lambda library, ids: named(library, DINNER).place == "Grandma's kitchen"),
    "importance": (_importance, lambda library, ids: named(library, DINNER).importance == 3),
    "confirm": (_confirm, lambda library, ids: named(library, DINNER).corrected),
    "delete": (_delete, lambda library, ids: _events_of(library, ids["dinner"][0]) == []),
    "create": (_create, lambda library, ids: _members(library, "Plant diary") == tuple(ids["home"][:3])),
    "split": (_split, lambda library, ids: _events_of(library, ids["trip"][0]) == ["Porto by the river", TRIP][:1]),
    "merge": (_merge, lambda library, ids: set(named(library, DINNER).member_ids) == {*ids["dinner"], *ids["forum"]}),
    "move in": (_move_in, lambda library, ids: _events_of(library, ids["home"][0]) == [DINNER]),
    "move out": (_move_out, lambda library, ids: _events_of(library, ids["dinner"][0]) == []),
    "move out of all": (_move_out_of_all, lambda library, ids: _events_of(library, ids["forum"][0]) == []),
}


def content(library: Library) -> list[Event]:
    """Everything shown of the events but when and by whom it was made."""
    return [replace(event, provenance=None) for event in shown(library)]


def rerun(library: Library, *, with_model: bool) -> None:
    """Everything derived anew, as after a new version of a prompt."""
    library.stages.set_note("moments_input", "")
    library.stages.set_note("events_input", "")
    run(library, FakeModels(chat=FakeChat(['{"events":[],"mentioned":[]}'] * 20)) if with_model else FakeModels())


@pytest.mark.parametrize("with_model", [False, True], ids=["by rule", "with a model"])
@pytest.mark.parametrize("kind", CASES)
def test_a_correction_holds_through_a_re_run_and_is_gone_when_undone(
    library: Library, month: Ids, kind: str, with_model: bool
) -> None:
    correct, holds = CASES[kind]
    run(library)
    before = content(library)
    assert not holds(library, month)
    correct(library, Corrector(library), month)
    assert holds(library, month)
    corrected = content(library)
    rerun(library, with_model=with_model)
    assert holds(library, month)
    assert content(library) == corrected
    Corrector(library).undo()
    assert content(library) == before


def test_the_first_of_two_corrections_can_be_undone_alone(library: Library, month: Ids) -> None:
    run(library)
    correct = Corrector(library)
    _rename(library, correct, month)
    correct.set_importance(named(library, "Jonas is back").id, 3)
    first = library.corrections.standing()[0]
    correct.undo(first.id)
    event = named(library, DINNER)
    assert (event.importance, event.corrected) == (3, True)


def test_a_deleted_event_does_not_come_back_in_other_words(library: Library, month: Ids) -> None:
    run(library)
    Corrector(library).delete_event(named(library, DINNER).id)
    said = {"name": "Risotto with Jonas Weber at Bistro Nord", "moments": ["m1"], "importance": 2}
    remember(library, "2024-05-06T12:00", "Soup", people=("Jonas Weber", "Ana"), things=("soup", "lunch"))
    chat = FakeChat([json.dumps({"events": [dict(said, moments=["m2"])], "mentioned": []})] * 9)
    library.stages.set_note("events_input", "")
    run(library, FakeModels(chat=chat))
    assert chat.prompts
    assert _events_of(library, month["dinner"][0]) == []


def test_an_event_that_a_re_run_no_longer_finds_stays_when_the_person_named_it(library: Library, month: Ids) -> None:
    run(library)
    Corrector(library).rename_event(named(library, DINNER).id, "Jonas is back")
    for memory_id in month["dinner"]:
        with library.memories.edit(memory_id) as edit:
            edit.set_contexts(Origin.RULE, [])
            edit.set_place(None, Origin.GPS)
            edit.set_text(Field.CAPTION, "Grey", Origin.MODEL)
    rerun(library, with_model=False)
    assert named(library, "Jonas is back").member_ids == tuple(month["dinner"])


def test_a_moved_memory_leaves_the_trip_it_came_from_when_it_moves_into_another(library: Library, month: Ids) -> None:
    run(library)
    Corrector(library).move_memories(month["forum"][:1], named(library, DINNER).id, named(library, FORUM).id)
    assert _events_of(library, month["forum"][0]) == [DINNER]


def test_merging_a_part_into_its_whole_leaves_the_whole(library: Library, month: Ids) -> None:
    run(library)
    Corrector(library).merge_events(named(library, TRIP).id, named(library, FORUM).id)
    assert [event.name for event in shown(library)] == [DINNER, TRIP]


def test_merging_the_whole_into_its_part_makes_no_circle(library: Library, month: Ids) -> None:
    run(library)
    Corrector(library).merge_events(named(library, FORUM).id, named(library, TRIP).id)
    event = named(library, FORUM)
    assert event.parent_id is None
    assert set(event.member_ids) == set(month["trip"])


def test_what_makes_no_sense_is_refused_and_changes_nothing(library: Library, month: Ids) -> None:
    run(library)
    correct = Corrector(library)
    before = shown(library)
    event = named(library, DINNER).id
    refused: list[Callable[[], object]] = [
        lambda: correct.rename_event(event, "  "),
        lambda: correct.rename_event("nothing", "Name"),
        lambda: correct.redate_event(event, date(2024, 5, 2), date(2024, 5, 1)),
        lambda: correct.set_importance(event, 4),
        lambda: correct.merge_events(event, event),
        lambda: correct.split_event(event, month["dinner"], "All of it"),
        lambda: correct.split_event(event, month["home"][:1], "Not in it"),
        lambda: correct.create_event("Nothing", []),
        lambda: correct.move_memories(["no memory"], event),
        lambda: correct.edit_memory(month["home"][0], "colour", "red"),
        lambda: correct.edit_memory(month["home"][0], "date", "yesterday"),
        lambda: correct.undo("no such correction"),
    ]
    for attempt in refused:
        with pytest.raises(RequestError):
            attempt()
    assert shown(library) == before
    assert library.corrections.all() == []


@pytest.mark.parametrize(
    ("field", "value", "shows"),
    [
        ("caption", "Our first plant", "Our first plant"),
        ("title", "Plant", "Plant"),
        ("date", "2024-06-03", "2024-06-03"),
        ("date", "2024-06-03T18:15", "18:15:00"),
        ("place", "Balcony", "Balcony, Graz, Austria"),
        ("place", "Old Mill, Salzburg, Austria", "Old Mill, Salzburg, Austria"),
        ("people", "Ana, Tom", "Ana"),
        ("activities", "watering", "watering"),
    ],
)
def test_a_value_the_person_gives_outlives_what_is_derived_later_and_can_be_undone(
    library: Library, month: Ids, field: str, value: str, shows: str
) -> None:
    memory_id = month["home"][0]
    before = library.memories.get(memory_id)
    Corrector(library).edit_memory(memory_id, field, value)
    assert shows in _all_of(library, memory_id)
    rerun(library, with_model=False)
    assert shows in _all_of(library, memory_id)
    Corrector(library).undo()
    assert replace(library.memories.get(memory_id), event_ids=()) == replace(before, event_ids=())


def _all_of(library: Library, memory_id: str) -> str:
    memory = library.memories.get(memory_id)
    label = memory.place.label if memory.place else ""
    return f"{memory.caption} {memory.title} {memory.taken.wall} {label} {memory.people} {memory.activities}"


def test_undoing_the_second_of_two_edits_shows_the_first(library: Library, month: Ids) -> None:
    correct = Corrector(library)
    correct.edit_memory(month["home"][0], "caption", "One")
    correct.edit_memory(month["home"][0], "caption", "Two")
    correct.undo()
    assert library.memories.get(month["home"][0]).caption == "One"
    correct.undo()
    assert library.memories.get(month["home"][0]).caption == "The plant on the sill"


def test_a_corrected_memory_makes_its_events_stale_and_the_next_run_recomputes_them(
    library: Library, month: Ids
) -> None:
    run(library)
    Corrector(library).edit_memory(month["dinner"][0], "people", "Ines Costa")
    assert named(library, DINNER).stale
    run(library)
    names = [event.name for event in shown(library)]
    assert "Dinner at Bistro Nord with Jonas Weber and Ines Costa" in names
    assert not any(event.stale for event in shown(library))


def test_people_the_person_took_out_are_no_longer_found_by_their_name(library: Library, month: Ids) -> None:
    Corrector(library).edit_memory(month["dinner"][0], "people", "Ines Costa")
    jonas = library.memories.ids_matching(MemoryFilter(people=("Jonas Weber",)))
    assert jonas == month["dinner"][1:]


@pytest.fixture
def facts(library: Library, month: Ids) -> Library:
    """With Jonas often beside the owner."""
    for day in (1, 8, 15, 22, 29):
        remember(library, datetime(2024, 6, day, 15), "On the bench", people=("Jonas Weber",))
    run(library)
    return library


def _jonas(library: Library) -> list[str]:
    return [item.statement for item in library.knowledge.all() if "Jonas" in item.statement]


def test_a_rejected_fact_does_not_come_back_in_other_words(facts: Library) -> None:
    item = next(item for item in facts.knowledge.all() if "Jonas" in item.statement)
    Corrector(facts).reject_fact(item.id)
    remember(facts, "2024-07-06T15:00", "On the bench", people=("Jonas Weber",))  # another number of days: other words
    run(facts)
    assert _jonas(facts) == []
    Corrector(facts).undo()
    assert _jonas(facts) == [item.statement]
    run(facts)
    assert len(_jonas(facts)) == 1


def test_confirmed_edited_and_own_facts_stay_as_the_person_left_them(facts: Library) -> None:
    correct = Corrector(facts)
    item = next(item for item in facts.knowledge.all() if "Jonas" in item.statement)
    correct.confirm_fact(item.id)
    correct.edit_fact(item.id, "Jonas is my oldest friend.")
    correct.add_fact("I am allergic to nuts.")
    remember(facts, "2024-07-06T15:00", "On the bench", people=("Jonas Weber",))
    run(facts)
    states = {each.statement: each.state for each in facts.knowledge.all()}
    assert states["Jonas is my oldest friend."] is KnowledgeState.CONFIRMED
    assert states["I am allergic to nuts."] is KnowledgeState.OWN
    assert _jonas(facts) == ["Jonas is my oldest friend."]
    correct.undo()
    correct.undo()
    assert _jonas(facts) == [item.statement]
    assert facts.knowledge.get(item.id).state is KnowledgeState.CONFIRMED
    correct.undo()
    assert facts.knowledge.get(item.id) == item


def test_everything_is_undone_until_nothing_is_left_to_undo(library: Library, month: Ids) -> None:
    run(library)
    before = content(library)
    correct = Corrector(library)
    for make in (_rename, _move_out_of_all, _create):
        make(library, correct, month)
    for _ in range(3):
        correct.undo()
    assert content(library) == before
    with pytest.raises(RequestError):
        correct.undo()


def test_imported_events_survive_a_re_run_and_a_correction(library: Library, month: Ids) -> None:
    library.events.put(Event(id="imported", name="From another program", member_ids=tuple(month["home"][:2])))
    run(library)
    assert named(library, "From another program")
    Corrector(library).rename_event("imported", "Mine now")
    rerun(library, with_model=False)
    assert named(library, "Mine now").member_ids == tuple(month["home"][:2])
    assert library.stages.counts()[Stage.EVENTS]["done"] == library.memories.count()
