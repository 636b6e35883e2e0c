"""Can the person say how people and things are related, and does their word stay over every re-run, rename and move?"""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.augment.corrections import Corrector
from core.augment.relations import Relations
from core.augment.usable import is_usable
from core.errors import RequestError
from core.graph.traverse import neighbours
from core.jobs import run_to_end
from core.paths import Home
from core.records import Correction
from core.records.people import Person
from core.store.exact_index import ExactIndexes
from core.store.export import export_library
from core.store.import_ import import_library
from core.store.library import Library, open_library
from tests.core.augment.life import BISTRO, OWNER, remember, run


@pytest.fixture
def relations(library: Library) -> Relations:
    """Of a library whose owner is known."""
    library.stages.set_note("owner", OWNER)
    return Relations(library)


def beside(library: Library, name: str) -> list[tuple[str, str, bool]]:
    return [(each.relation, each.node.name, each.outward) for each in neighbours(library, name)]


def test_a_told_relation_is_beside_both_ends_though_no_picture_shows_it(library: Library, relations: Relations) -> None:
    relations.relate("me", "sister", "Nina")

    assert beside(library, OWNER) == [("sister", "Nina", True)]
    assert beside(library, "nina") == [("sister", OWNER, False)]


def test_a_part_of_a_name_is_the_person_who_has_it(library: Library, relations: Relations) -> None:
    remember(library, "2024-05-01T12:00", people=("Nina Weber", "Jonas Weber"))

    relations.relate("me", "sister", "Nina")

    assert [name for _, name, _ in beside(library, OWNER)] == ["Nina Weber"]
    with pytest.raises(RequestError, match="Jonas Weber or Nina Weber"):
        relations.relate("me", "cousin", "Weber")


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda told: told.relate("me", "sister", "me"), "themselves"),
        (lambda told: told.relate("me", " ", "Nina"), "no name"),
        (lambda told: told.relate("me", "sister", "x" * 300), "longer"),
        (lambda told: told.relate("me", "boss", "Kim", since="last year"), "no year"),
        (lambda told: told.relate("me", "boss", "Kim", since="2022", until="2019"), "end before"),
        (lambda told: told.relate("Mara Lindt", "likes", "tea", kind="Drink"), "no kind"),
        (lambda told: told.unrelate("me", "sister", "Nobody"), "no relation"),
        (lambda told: (told.relate("me", "mother", "Eva"), told.relate("me", "daughter", "Eva")), "already the parent"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    relations: Relations, act: Callable[[Relations], object], said: str
) -> None:
    with pytest.raises(RequestError, match=said):
        act(relations)


def test_a_relation_read_from_pictures_can_be_taken_away_and_stays_away(library: Library, relations: Relations) -> None:
    remember(library, "2024-05-01T12:00", people=("Nina", "Tom"), things=("boat",))
    run(library)
    relations.unrelate("Nina", "with", "Tom")
    assert ("with", "Tom", True) not in beside(library, "Nina")

    remember(library, "2024-05-02T12:00", people=("Nina", "Tom"))
    run(library)
    assert ("with", "Tom", True) not in beside(library, "Nina")

    Corrector(library).undo()
    assert ("with", "Tom", True) in beside(library, "Nina")


def test_a_relation_is_put_right_in_one_step_and_back_in_one(library: Library, relations: Relations) -> None:
    relations.relate("me", "colleague", "Kim", since="2019")
    relations.fix("me", "colleague", "Kim", "friend")
    assert beside(library, OWNER) == [("friend", "Kim", True)]
    assert [each.attributes for each in relations.told() if each.holds] == [(("from", ("2019",)),)]

    Corrector(library).undo()
    assert beside(library, OWNER) == [("colleague", "Kim", True)]
    Corrector(library).undo()
    assert beside(library, OWNER) == []
    assert library.graph.counts() == (0, 0)


def test_what_was_told_of_me_is_told_of_whoever_owns_the_library(library: Library) -> None:
    relations = Relations(library)
    relations.relate("me", "sister", "Nina")
    assert beside(library, "Nina") == [("sister", "Me", False)]

    Corrector(library).set_owner("Mara Lindt")
    assert beside(library, "Nina") == [("sister", "Mara Lindt", False)]


def test_a_relation_follows_somebody_to_another_name(library: Library, relations: Relations) -> None:
    library.people.put([Person(id="p1", name="Nina", said=True)])
    relations.relate("me", "sister", "Nina")

    library.people.put([Person(id="p1", name="Nina Weber", said=True)])
    relations.show()

    assert beside(library, OWNER) == [("sister", "Nina Weber", True)]
    assert library.graph.find("Nina") == []


def test_told_relations_come_along_to_another_library(library: Library, relations: Relations, tmp_path: Path) -> None:
    remember(library, "2024-05-01T12:00", people=("Nina", "Tom"), activities=("sailing",))
    run(library)
    relations.relate("me", "sister", "Nina", since="1990")
    relations.unrelate("Nina", "with", "Tom")
    relations.relate("me", "boss", "Kim")
    Corrector(library).undo()
    export_library(library, tmp_path / "x.jsonl")

    other = open_library(Home(tmp_path / "other"), ExactIndexes())
    counts = run_to_end(import_library(other, tmp_path / "x.jsonl", "", is_usable))
    run(other)
    export_library(other, tmp_path / "y.jsonl")

    assert counts.refused == ()
    assert beside(other, "Nina") == beside(library, "Nina")
    assert [each.holds for each in other.graph.told()] == [each.holds for each in library.graph.told()]
    assert (tmp_path / "y.graph.jsonl").read_text() == (tmp_path / "x.graph.jsonl").read_text()
    other.close()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"source": 1}',
        '{"source": ["Nobody", "a", ""], "relation": "r", "target": ["Object", "b", ""]}',
    ],
)
def test_a_foreign_correction_that_says_no_relation_is_refused(text: str) -> None:
    assert not is_usable(Correction(id="c", target_kind="relation", target_id="x", action="relate", after=text))
    assert not is_usable(Correction(id="c", target_kind="relation", target_id="x", action="burn", after=text))


def test_one_of_two_events_of_a_name_is_meant_by_its_id(library: Library, relations: Relations) -> None:
    for day in (1, 20):
        for hour in (19, 20, 21):
            remember(
                library,
                f"2024-05-{day:02}T{hour}:00",
                "A menu on a table",
                place=BISTRO,
                people=(OWNER, "Jonas Weber"),
                things=("menu",),
            )
    run(library)
    one, other = sorted(library.events.all(), key=lambda event: str(event.start))
    assert one.name == other.name

    relations.unrelate("Jonas Weber", "during", other.id)

    left = [each.node.ref for each in neighbours(library, "Jonas Weber") if each.relation == "during"]
    assert left == [one.id]


def test_a_denial_of_what_only_a_forgotten_memory_stated_is_forgotten_with_it(
    library: Library, relations: Relations
) -> None:
    kept = remember(library, "2024-05-01T12:00", people=("Nina",))
    gone = remember(library, "2024-05-02T12:00", people=("Nina", "Xaverine"))
    run(library)
    relations.unrelate("Nina", "with", "Xaverine")
    relations.relate("me", "sister", "Nina")

    Corrector(library).forget_memory(gone)

    assert library.graph.find("Xaverine") == []
    assert not any("Xaverine" in f"{each.before} {each.after}" for each in library.corrections.all())
    assert [each.relation for each in library.graph.told()] == ["sister"]
    assert all(is_usable(each) for each in library.corrections.all("relation"))
    assert kept in library.graph.sources(library.graph.find("Nina")[0].id)
