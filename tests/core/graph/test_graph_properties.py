"""Whatever is lived, told, changed and forgotten: does the graph always hold just what its sources say?"""

from datetime import date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.augment.corrections import Corrector
from core.augment.relations import Relations
from core.errors import RequestError
from core.graph.kinship import Kinship
from core.graph.relation_words import INVERSE, SYMMETRIC
from core.graph.traverse import walk
from core.paths import Home
from core.records import Concept, Place, Stage, ToldRelation
from core.store.exact_index import ExactIndexes
from core.store.graph import KINDS
from core.store.library import Library, open_library
from tests.core.augment.life import remember, run

_NAMES = ("Ana", "Tom", "Robin", "Zoë")
_WORDS = ("sister", "daughter", "mother", "husband", "boss", "friend", "dog", "sails with")
drawn_memories = st.lists(
    st.tuples(
        st.dates(date(2024, 1, 1), date(2024, 3, 1)),
        st.lists(st.sampled_from(_NAMES), max_size=3, unique=True),
        st.sampled_from(["climbing", "yoga", ""]),
        st.sampled_from(["Lake", "Mill", ""]),
    ),
    min_size=1,
    max_size=8,
)
drawn_told = st.lists(
    st.tuples(st.sampled_from((*_NAMES, "me")), st.sampled_from(_WORDS), st.sampled_from(_NAMES)), max_size=6
)


def check(library: Library) -> None:
    """What always holds."""
    read = library.database.read()
    living = set(library.memories.ids_matching())
    triples = list(library.graph.all())
    assert {triple.memory_id for triple in triples} <= living
    assert all(end.kind in KINDS and end.name for triple in triples for end in (triple.source, triple.target))
    ends = {row[0] for row in read.execute("SELECT source_id FROM edges UNION SELECT target_id FROM edges")}
    told = {
        row[0]
        for row in read.execute("SELECT source_id FROM told_relations UNION SELECT target_id FROM told_relations")
    }
    assert {row[0] for row in read.execute("SELECT id FROM nodes")} == ends | told
    for node_id in ends | told:
        for edge in library.graph.edges_at(node_id):
            other = edge.target_id if edge.source_id == node_id else edge.source_id
            assert edge in library.graph.edges_at(other)
            assert edge.memory_ids or edge.made_by == "person"


@settings(max_examples=8, deadline=None)
@given(lived=drawn_memories, told=drawn_told, forgotten=st.integers(0, 7), later=drawn_memories)
def test_nodes_edges_and_sources_agree_after_every_step(
    lived: list[tuple[date, list[str], str, str]], told: list[tuple[str, str, str]], forgotten: int,
    later: list[tuple[date, list[str], str, str]],
) -> None:  # fmt: skip
    with TemporaryDirectory() as folder:
        library = open_library(Home(Path(folder) / "one"), ExactIndexes())
        try:
            ids = _live(library, lived)
            run(library)
            check(library)
            for source, relation, target in told:
                try:
                    Relations(library).relate(source, relation, target)
                except RequestError:
                    continue  # themselves, or a contradiction
            check(library)
            Corrector(library).forget_memory(ids[forgotten % len(ids)])
            check(library)
            _live(library, later)
            run(library)
            check(library)
            assert len(walk(library, _NAMES, width=3, depth=2)) <= 6
        finally:
            library.close()


@settings(max_examples=5, deadline=None)
@given(lived=drawn_memories, later=drawn_memories)
def test_a_graph_that_grew_is_the_graph_that_was_made_at_once(
    lived: list[tuple[date, list[str], str, str]], later: list[tuple[date, list[str], str, str]]
) -> None:
    with TemporaryDirectory() as folder:
        grown, whole = (open_library(Home(Path(folder) / name), ExactIndexes()) for name in ("grown", "whole"))
        try:
            _live(grown, lived)
            run(grown, until=Stage.GRAPH)
            _live(grown, later)
            run(grown, until=Stage.GRAPH)
            _live(whole, lived + later)
            run(whole, until=Stage.GRAPH)
            assert _plain(grown) == _plain(whole)
        finally:
            grown.close()
            whole.close()


@settings(max_examples=60, deadline=None)
@example(told=[("Ana", "sister", "Tom"), ("Ana", "daughter", "Tom"), ("Tom", "mother", "Robin")])  # cannot all be true
@given(told=drawn_told)
def test_every_relation_can_be_turned_round_and_nobody_is_their_own(told: list[tuple[str, str, str]]) -> None:
    kinship = Kinship.of(
        ToldRelation(source=Concept("PersonAnimal", source), relation=relation, target=Concept("PersonAnimal", target))
        for source, relation, target in told
        if source != target
    )
    for role in (*INVERSE, *SYMMETRIC):
        back = role if role in SYMMETRIC else INVERSE[role]
        for name in kinship.names:
            for other in kinship.related(name, role):
                assert other.name != name
                assert other.how
                if role in (
                    "parent",
                    "child",
                    "sibling",
                    "partner",
                    "boss",
                    "report",
                    "friend",
                    "grandparent",
                    "cousin",
                ):
                    assert name in [each.name for each in kinship.related(other.name, back)]


def _live(library: Library, lived: list[tuple[date, list[str], str, str]]) -> list[str]:
    """Memories of different minutes: which of two of one moment comes first says nothing."""
    minute = library.memories.count()
    return [
        remember(
            library, datetime.combine(day, time(12, minute + at)), "A picture", people=tuple(people),
            activities=(activity,) if activity else (), place=Place(name=place) if place else None,
        )
        for at, (day, people, activity, place) in enumerate(lived)
    ]  # fmt: skip


def _plain(library: Library) -> list[tuple[str, str, str, str, str, object]]:
    """The graph without ids."""
    events = [
        (each.source.kind, each.source.name, each.relation, each.target.kind, each.target.name, each.attributes)
        for each in library.graph.all()
    ]
    return sorted(events, key=str)
