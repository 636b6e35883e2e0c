"""Does the graph hold what memories and events state, and can it be walked?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.graph.traverse import neighbours, walk
from core.paths import Home
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.core.augment.life import live_a_month, remember, run


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """The invented month with its graph."""
    opened = open_library(Home(tmp_path / "library"), ExactIndexes())
    live_a_month(opened)
    run(opened)
    yield opened
    opened.close()


def test_a_person_is_beside_their_places_days_events_and_companions(library: Library) -> None:
    found = {(each.relation, each.node.kind, each.node.name) for each in neighbours(library, "jonas weber")}
    assert ("with", "PersonAnimal", "Mara Lindt") in found
    assert ("at", "Location", "Bistro Nord") in found
    assert ("on", "Date", "2024-05-06") in found
    assert ("during", "Event", "Dinner at Bistro Nord with Jonas Weber") in found


def test_neighbours_can_be_of_one_kind_and_few(library: Library) -> None:
    places = neighbours(library, "Trip to Porto", "Location")
    assert {each.node.name for each in places} == {"Ribeira", "Alfandega Hall"}
    assert len(neighbours(library, "Trip to Porto", limit=1)) == 1
    assert neighbours(library, "Nobody") == []


def test_every_edge_carries_the_memories_it_was_read_from(library: Library) -> None:
    for each in neighbours(library, "Jonas Weber"):
        people = [memory.people for memory in library.memories.many(each.memory_ids)]
        assert people
        assert all("Jonas Weber" in names for names in people)


def test_a_part_leads_to_its_whole(library: Library) -> None:
    wholes = [each for each in neighbours(library, "HCI Forum 2024", "Event") if each.relation == "part of"]
    assert [(each.node.name, each.outward) for each in wholes] == [("Trip to Porto", True)]


def test_a_walk_reaches_over_two_steps_and_never_turns_back(library: Library) -> None:
    paths = walk(library, ["HCI Forum 2024"], width=5, depth=2)
    assert max(len(path.steps) for path in paths) == 2
    for path in paths:
        ids = [path.start.id, *(step.node.id for step in path.steps)]
        assert len(ids) == len(set(ids))
        assert path.memory_ids
        assert 0 < path.score <= 1
    assert [path.score for path in paths] == sorted((path.score for path in paths), reverse=True)


def test_forgetting_a_memory_takes_its_edges_and_names_along(library: Library) -> None:
    found = remember(library, "2024-05-20T12:00", "A stranger", people=("Only Once",))
    run(library)
    assert neighbours(library, "Only Once")
    with library.memories.edit(found) as edit:
        edit.forget()
    assert neighbours(library, "Only Once") == []
    assert library.graph.find("Only Once") == []
