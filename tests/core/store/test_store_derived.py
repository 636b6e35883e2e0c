"""Events, knowledge, corrections, graph, conversations, vectors: is what was put what is got?"""

from dataclasses import replace
from datetime import date, datetime

import numpy as np
import pytest

from core.errors import RequestError
from core.records import (
    Concept,
    Correction,
    Edge,
    Event,
    EventStatus,
    FileState,
    Knowledge,
    KnowledgeState,
    MemoryKind,
    Moment,
    Origin,
    Provenance,
    SourceFile,
    Taken,
    Triple,
)
from core.store.library import Library

MADE = Provenance("model", "rev", "prompt-1", "2025-01-01T00:00:00+00:00")


@pytest.fixture
def ids(library: Library) -> list[str]:
    """Three memories, the second the oldest, the third undated."""
    found = [library.memories.create(kind=MemoryKind.PHOTO, file_name=f"{n}.jpg", content_key=None) for n in range(3)]
    for memory_id, day in zip(found, (5, 2), strict=False):
        with library.memories.edit(memory_id) as edit:
            edit.set_taken(Taken(datetime(2024, 1, day), None, Origin.EXIF_ORIGINAL, 1))
    return found


class TestEvents:
    """Events and moments."""

    def test_an_event_comes_back_with_its_members_in_time_order(self, library: Library, ids: list[str]) -> None:
        event = Event(id="e" * 32, name="Trip", start=datetime(2024, 1, 2), end=datetime(2024, 1, 5, 12), place="Basel", summary="S",
                      importance=3, member_ids=(ids[2], ids[0], ids[1], ids[0]), status=EventStatus.PLANNED, confidence=0.75, why="W",
                      provenance=MADE, corrected=True, stale=True)  # fmt: skip
        library.events.put(event)

        assert library.events.get("e" * 32) == replace(event, member_ids=(ids[1], ids[0], ids[2]))
        assert library.memories.get(ids[0]).event_ids == ("e" * 32,)

    def test_putting_it_again_replaces_members_and_keeps_its_children(self, library: Library, ids: list[str]) -> None:
        library.events.put(Event(id="trip", name="Trip", member_ids=tuple(ids)))
        library.events.put(Event(id="day1", name="Day", parent_id="trip"))
        library.events.put(Event(id="trip", name="Journey", member_ids=(ids[0],)))

        assert library.events.get("trip").member_ids == (ids[0],)
        assert library.events.get("day1").parent_id == "trip"

    def test_removing_it_keeps_its_memories_and_its_children(self, library: Library, ids: list[str]) -> None:
        library.events.put(Event(id="trip", name="Trip", member_ids=tuple(ids)))
        library.events.put(Event(id="day1", name="Day", parent_id="trip"))
        library.events.remove(["trip", "unknown"])

        assert [(event.id, event.parent_id) for event in library.events.all()] == [("day1", None)]
        assert library.memories.count() == 3

    def test_four_letters_name_an_event_when_only_one_begins_so(self, library: Library) -> None:
        for event_id in ("abcd1", "abcd2", "abce", "%%%%x"):
            library.events.put(Event(id=event_id, name=event_id))

        assert library.events.get("abce").id == "abce"
        assert library.events.get("abcd2").id == "abcd2"
        for unclear in ("abcd", "abc", "zzzz", "%%", "____"):
            with pytest.raises(RequestError):
                library.events.get(unclear)

    def test_undated_events_come_last(self, library: Library) -> None:
        library.events.put(Event(id="never", name="n"))
        library.events.put(Event(id="later", name="l", start=datetime(2024, 2, 1)))
        library.events.put(Event(id="early", name="e", start=datetime(2024, 1, 1)))

        assert [event.id for event in library.events.all()] == ["early", "later", "never"]
        assert [event.id for event in library.events.many(["never", "early"])] == ["early", "never"]

    def test_only_the_events_of_a_memory_become_stale(self, library: Library, ids: list[str]) -> None:
        library.events.put(Event(id="one", name="1", member_ids=(ids[0],)))
        library.events.put(Event(id="two", name="2", member_ids=(ids[1],)))
        library.events.mark_stale([ids[0]])

        assert {event.id: event.stale for event in library.events.all()} == {"one": True, "two": False}

    def test_moments_are_replaced_as_a_whole(self, library: Library, ids: list[str]) -> None:
        moment = Moment(
            id="m1", start=datetime(2024, 1, 2), end=datetime(2024, 1, 5), place="Basel", member_ids=(ids[1], ids[0])
        )
        library.events.replace_moments([moment])
        assert library.events.moments() == [moment]

        library.events.replace_moments([replace(moment, id="m2")])
        assert [each.id for each in library.events.moments()] == ["m2"]


class TestKnowledge:
    """Statements."""

    def test_a_statement_comes_back_whole(self, library: Library, ids: list[str]) -> None:
        fact = Knowledge(id="f" * 32, statement="Sails on Sundays", kind="habit", subject="sailing", evidence_ids=(ids[2], ids[0]),
                         valid_from=date(2020, 1, 1), valid_to=date(2021, 1, 1), confidence=0.9, why="W", provenance=MADE)  # fmt: skip
        library.knowledge.put(fact)

        assert library.knowledge.get("ffff") == fact

    def test_a_rerun_replaces_only_what_is_inferred(self, library: Library, ids: list[str]) -> None:
        for state in KnowledgeState:
            library.knowledge.put(Knowledge(id=f"old {state}", statement=state, state=state, evidence_ids=(ids[0],)))
        library.knowledge.replace_inferred([Knowledge(id="new", statement="new")])

        kept = {fact.id for fact in library.knowledge.all(with_rejected=True)}
        assert kept == {"old confirmed", "old rejected", "old own", "new"}
        assert "old rejected" not in {fact.id for fact in library.knowledge.all()}

    def test_an_unknown_one_is_said_and_a_removed_one_is_gone(self, library: Library) -> None:
        library.knowledge.put(Knowledge(id="fact", statement="s"))
        library.knowledge.remove("fact")

        with pytest.raises(RequestError):
            library.knowledge.get("fact")


class TestCorrections:
    """The history."""

    def test_they_keep_their_order_and_what_was_undone(self, library: Library) -> None:
        made = [
            library.corrections.add(Correction(id="", target_kind=kind, target_id="x", action="edit"))
            for kind in ("event", "memory", "event")
        ]
        library.corrections.mark_undone(made[0].id)

        assert [correction.id for correction in library.corrections.all()] == [correction.id for correction in made]
        assert [correction.id for correction in library.corrections.standing("event")] == [made[2].id]
        with pytest.raises(RequestError, match="nothing to undo"):
            library.corrections.mark_undone(made[0].id)


def triple(source: tuple[str, str], relation: str, target: tuple[str, str], memory_id: str) -> Triple:
    return Triple(source=Concept(*source), relation=relation, target=Concept(*target), memory_id=memory_id)


class TestGraph:
    """Nodes and edges."""

    def test_a_relation_seen_in_several_memories_is_one_edge(self, library: Library, ids: list[str]) -> None:
        zoe, boat = ("PersonAnimal", "Zoë"), ("Object", "Boat")
        library.graph.replace(
            [triple(zoe, "sails", boat, memory_id) for memory_id in ids]
            + [triple(("PersonAnimal", "ZOE"), "owns", boat, ids[0])]
        )

        [node] = library.graph.find("zoe")
        edges = library.graph.edges_at(node.id)
        assert (node.kind, node.name) == ("PersonAnimal", "Zoë")
        assert [(edge.relation, len(edge.memory_ids)) for edge in edges] == [("sails", 3), ("owns", 1)]
        assert isinstance(edges[0], Edge)
        assert library.graph.nodes([edges[0].target_id])[edges[0].target_id].name == "Boat"
        assert library.graph.find("zoe", "Object") == []

    def test_adding_keeps_what_is_there_and_replacing_does_not(self, library: Library, ids: list[str]) -> None:
        edge = triple(("Object", "a"), "r", ("Object", "b"), ids[0])
        library.graph.replace([edge])
        library.graph.add([edge, triple(("Object", "a"), "r", ("Object", "c"), ids[0])])
        assert library.graph.counts() == (3, 2)

        library.graph.replace([edge])
        assert list(library.graph.all()) == [edge]

    def test_deleting_a_memory_removes_its_edges(self, library: Library, ids: list[str]) -> None:
        library.graph.replace([triple(("Object", "a"), "r", ("Object", "b"), memory_id) for memory_id in ids])
        library.memories.delete(ids[0])

        assert library.graph.counts()[1] == 2


class TestConversations:
    """Questions and answers."""

    def test_turns_come_back_in_order(self, library: Library) -> None:
        first, second = library.conversations.begin(), library.conversations.begin()
        for number, conversation in enumerate((first, second, first)):
            library.conversations.add(conversation, f"question {number}", "{}", "{}")

        assert [turn.question for turn in library.conversations.turns(first)] == ["question 0", "question 2"]
        assert [turn.question for turn in library.conversations.recent(2)] == ["question 2", "question 1"]


class TestEmbeddings:
    """Vectors by text and model."""

    def test_one_vector_serves_every_owner_of_the_same_text(self, library: Library) -> None:
        vector = np.array([0.6, 0.8], dtype=np.float32)
        library.embeddings.put("context", "m@1", {"a": "kite", "b": "kite"}, {"kite": vector})

        owned = library.embeddings.owned("context", "m@1")
        assert {owner: list(row) for owner, row in owned.items()} == {"a": list(vector), "b": list(vector)}
        assert library.embeddings.known("m@1", ["kite", "boat"]) == {"kite"}
        assert library.embeddings.known("m@2", ["kite"]) == set()
        assert library.database.read().execute("SELECT count(*) FROM vectors").fetchone()[0] == 1

    def test_a_changed_text_is_missing_and_another_model_misses_all(self, library: Library) -> None:
        library.embeddings.put(
            "memory", "m@1", {"a": "old", "b": "same"}, {t: np.ones(2, np.float32) for t in ("old", "same")}
        )

        assert library.embeddings.missing("memory", "m@1", {"a": "new", "b": "same"}) == {"a": "new"}
        assert library.embeddings.missing("memory", "m@2", {"b": "same"}) == {"b": "same"}
        assert library.embeddings.owned("memory", "m@2") == {}
        assert library.embeddings.owned("memory", "m@1", ["b", "unknown"]).keys() == {"b"}
        assert library.embeddings.spaces() == [("memory", "m@1", 2)]

    def test_a_vector_goes_with_its_last_owner(self, library: Library) -> None:
        library.embeddings.put("context", "m@1", {"a": "kite", "b": "kite"}, {"kite": np.ones(2, np.float32)})
        library.embeddings.remove("context", ["a"])
        assert library.embeddings.owner_ids("context", "m@1") == {"b"}
        library.embeddings.remove("context", ["b"])

        assert library.embeddings.known("m@1", ["kite"]) == set()
        assert library.embeddings.models("context") == []


class TestFiles:
    """Roots and source files."""

    def test_adding_a_folder_twice_gives_the_same_root(self, library: Library) -> None:
        first = library.files.add_root("/photos/J\udce9r\udcf4me")

        assert library.files.add_root("/photos/J\udce9r\udcf4me") == first
        library.files.set_online(first.id, False)
        assert [(root.path, root.online) for root in library.files.roots()] == [("/photos/J\udce9r\udcf4me", False)]

    def test_a_file_is_known_by_its_path_and_keeps_its_id(self, library: Library, ids: list[str]) -> None:
        root = library.files.add_root("/p")
        file = SourceFile(
            id="f1", root_id=root.id, path="/p/\udcff.jpg", memory_id=ids[0], sha256="ab", size_bytes=1, modified_ns=2
        )
        library.files.put(file)
        library.files.put(replace(file, id="another", size_bytes=3))
        library.files.set_state("f1", FileState.UNREADABLE, "no\udcff")

        found = library.files.by_path("/p/\udcff.jpg")
        assert found == replace(file, size_bytes=3, state=FileState.UNREADABLE, reason="no\ufffd")
        assert library.files.of_memory(ids[0]) == list(library.files.of_root(root.id)) == [found]
        assert library.files.by_path("/p/other") is None


def test_the_vector_of_a_text_goes_with_the_last_that_has_it(library: Library) -> None:
    vectors = {text: np.full(2, number, dtype=np.float32) for number, text in enumerate(("old", "new"))}
    library.embeddings.put("memory", "m", {"a": "old", "b": "old"}, vectors)
    for owner, left in (("a", {"old", "new"}), ("b", {"new"})):
        library.embeddings.put("memory", "m", {owner: "new"}, {})
        assert library.embeddings.known("m", ["old", "new"]) == left
    assert library.embeddings.owned("memory", "m")["b"].tolist() == [1, 1]
