"""What every `VectorIndex` promises, asked of each implementation alike; and what Chroma must survive."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.ports import VectorIndexes
from core.store import chroma_index
from core.store.chroma_index import ChromaIndexes
from core.store.exact_index import ExactIndexes
from tests.harness.logs import ExpectedLog

SPACE = "minilm@1"
Rows = NDArray[np.float32]


@pytest.fixture(params=["exact", "chroma"])
def indexes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorIndexes]:
    made: VectorIndexes = ExactIndexes() if request.param == "exact" else ChromaIndexes(tmp_path / "vectors")
    yield made
    made.close()


def unit_rows(count: int, dimensions: int = 8, seed: int = 1) -> Rows:
    rows = np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def named(rows: Rows) -> dict[str, Rows]:
    return {f"m{position:05}": row for position, row in enumerate(rows)}


def exact_order(vectors: dict[str, Rows], query: Rows, k: int) -> list[str]:
    return sorted(vectors, key=lambda name: -float(vectors[name] @ query))[:k]


def test_an_empty_index_finds_nothing(indexes: VectorIndexes) -> None:
    index = indexes.index("memory", SPACE, 8)

    assert index.nearest(unit_rows(1)[0], 5) == []
    assert index.nearest(unit_rows(1)[0], 5, among=["m1"]) == []
    assert index.ids() == frozenset()
    assert index.vectors() == {}


def test_the_nearest_come_first_with_their_similarity(indexes: VectorIndexes) -> None:
    vectors = named(unit_rows(100))
    index = indexes.index("memory", SPACE, 8)
    index.put(vectors)

    found = index.nearest(vectors["m00007"], 10)

    assert [near.owner_id for near in found] == exact_order(vectors, vectors["m00007"], 10)
    assert found[0].similarity == pytest.approx(1.0, abs=1e-5)
    assert found[9].similarity == pytest.approx(float(vectors[found[9].owner_id] @ vectors["m00007"]), abs=1e-5)


def test_asking_for_more_than_there_is_gives_all(indexes: VectorIndexes) -> None:
    index = indexes.index("memory", SPACE, 8)
    index.put(named(unit_rows(3)))

    assert len(index.nearest(unit_rows(1)[0], 50)) == 3
    assert len(index.nearest(unit_rows(1)[0], 1_000)) == 3
    assert index.nearest(unit_rows(1)[0], 0) == []


def test_putting_a_known_id_replaces_its_vector(indexes: VectorIndexes) -> None:
    old, new = unit_rows(2)
    index = indexes.index("memory", SPACE, 8)
    index.put({"m1": old})
    index.put({"m1": new})

    assert index.nearest(new, 1)[0].similarity == pytest.approx(1.0, abs=1e-5)
    assert index.ids() == {"m1"}
    assert index.vectors()["m1"] == pytest.approx(new, abs=1e-5)


def test_a_removed_vector_is_not_found_and_unknown_ids_are_ignored(indexes: VectorIndexes) -> None:
    vectors = named(unit_rows(5))
    index = indexes.index("memory", SPACE, 8)
    index.put(vectors)
    index.remove(["m00001", "never there"])
    index.remove([])

    assert "m00001" not in [near.owner_id for near in index.nearest(vectors["m00001"], 5)]
    assert index.ids() == set(vectors) - {"m00001"}


@pytest.mark.parametrize("among_count", [1, 40, 2_500])
def test_a_filtered_search_is_exact(indexes: VectorIndexes, among_count: int) -> None:
    vectors = named(unit_rows(2_600, 16))
    index = indexes.index("memory", SPACE, 16)
    index.put(vectors)
    among = list(vectors)[-among_count:]
    query = unit_rows(1, 16, seed=9)[0]

    found = index.nearest(query, 50, among=[*among, "never there", among[0]])

    assert [near.owner_id for near in found] == exact_order({name: vectors[name] for name in among}, query, 50)


def test_a_filtered_search_sees_what_was_put_and_removed_since(indexes: VectorIndexes) -> None:
    vectors = named(unit_rows(2_100))
    index = indexes.index("memory", SPACE, 8)
    index.put(vectors)
    query = unit_rows(1, seed=5)[0]
    best = index.nearest(query, 1, among=list(vectors))[0].owner_id
    index.remove([best])
    index.put({"new": query})

    assert index.nearest(query, 1, among=[*vectors, "new"])[0].owner_id == "new"
    assert index.nearest(query, 1, among=list(vectors))[0].owner_id != best


def test_kinds_and_models_never_meet(indexes: VectorIndexes) -> None:
    row = unit_rows(1)[0]
    indexes.index("memory", SPACE, 8).put({"m1": row})
    indexes.index("event", SPACE, 8).put({"e1": row})
    indexes.index("memory", "minilm@2", 8).put({"m2": row})

    assert [near.owner_id for near in indexes.index("memory", SPACE, 8).nearest(row, 9)] == ["m1"]
    assert indexes.spaces() == [("event", SPACE, 8), ("memory", SPACE, 8), ("memory", "minilm@2", 8)]


def test_a_cleared_index_is_empty_and_usable(indexes: VectorIndexes) -> None:
    index = indexes.index("memory", SPACE, 8)
    index.put(named(unit_rows(3)))
    index.clear()
    assert index.ids() == frozenset()

    index.put({"again": unit_rows(1)[0]})
    assert index.ids() == {"again"}


def test_a_vector_of_other_dimensions_is_refused(indexes: VectorIndexes) -> None:
    index = indexes.index("memory", SPACE, 8)
    index.put({"m1": unit_rows(1)[0]})

    with pytest.raises(ValueError, match="8 dimensions"):
        index.put({"m2": unit_rows(1, 9)[0]})
    assert index.ids() == {"m1"}


def test_six_thousand_vectors_go_in_at_once_and_fifty_are_found_again(indexes: VectorIndexes) -> None:
    # one `upsert` takes at most 5,461 (chroma#2403)
    centres = unit_rows(120, 32, seed=2)
    rows = centres[np.arange(6_000) % 120] + 0.15 * unit_rows(6_000, 32, seed=3)
    vectors = named((rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32))
    index = indexes.index("memory", SPACE, 32)
    index.put(vectors)
    matrix, names = np.stack(list(vectors.values())), np.array(list(vectors))

    recalls = []
    for query in unit_rows(40, 32, seed=4):
        truth = set(names[np.argsort(-(matrix @ query))[:50]])
        recalls.append(len(truth & {near.owner_id for near in index.nearest(query, 50)}) / 50)

    assert len(index.ids()) == 6_000
    assert np.mean(recalls) >= 0.99


class TestChroma:
    """What only an index on disk can do wrong."""

    def test_it_is_the_same_after_closing_and_opening(self, tmp_path: Path) -> None:
        vectors = named(unit_rows(1_500, 16))
        query = unit_rows(1, 16, seed=7)[0]
        first = ChromaIndexes(tmp_path / "vectors")
        first.index("memory", SPACE, 16).put(vectors)
        before = first.index("memory", SPACE, 16).nearest(query, 20)
        first.close()

        second = ChromaIndexes(tmp_path / "vectors")
        found = second.index("memory", SPACE, 16).nearest(query, 20)

        assert second.is_trusted
        assert [near.owner_id for near in found] == [near.owner_id for near in before]
        assert second.index("memory", SPACE, 16).ids() == set(vectors)
        second.close()

    def test_reading_alone_leaves_it_trusted(self, tmp_path: Path) -> None:
        for expected in (True, True, True):
            indexes = ChromaIndexes(tmp_path / "vectors")
            assert indexes.is_trusted is expected
            indexes.index("memory", SPACE, 8).nearest(unit_rows(1)[0], 3)
            indexes.close()

    @pytest.mark.parametrize("soon_rebuilt", [5_000, 0], ids=["small", "large"])
    def test_removed_vectors_leave_no_bytes_on_the_disk(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soon_rebuilt: int
    ) -> None:
        monkeypatch.setattr(chroma_index, "_SOON_REBUILT", soon_rebuilt)
        vectors = named(unit_rows(20, 16))
        folder = tmp_path / "vectors"
        indexes = ChromaIndexes(folder)
        index = indexes.index("memory", SPACE, 16)
        index.put(vectors)
        index.remove([list(vectors)[3]])
        gone = vectors[next(iter(set(vectors) - index.ids()))].astype("<f4").tobytes()
        kept = index.ids()
        indexes.close()

        assert not [path for path in folder.rglob("*") if path.is_file() and gone in path.read_bytes()]
        again = ChromaIndexes(folder)
        assert again.index("memory", SPACE, 16).ids() == (kept if not soon_rebuilt else frozenset())
        assert again.is_trusted
        again.close()

    def test_nothing_is_opened_before_the_first_use(self, tmp_path: Path) -> None:
        indexes = ChromaIndexes(tmp_path / "vectors")
        indexes.index("memory", SPACE, 8)
        indexes.close()

        assert not (tmp_path / "vectors").exists()

    def test_a_truncated_graph_is_set_aside_and_an_empty_index_opened(
        self, tmp_path: Path, expected_log: ExpectedLog
    ) -> None:
        expected_log("search index is damaged", logger="core.store")
        folder = tmp_path / "vectors"
        indexes = ChromaIndexes(folder)
        indexes.index("memory", SPACE, 16).put(named(unit_rows(2_500, 16)))
        indexes.close()
        graph = next(folder.rglob("data_level0.bin"))
        graph.write_bytes(graph.read_bytes()[:1_000])

        opened = ChromaIndexes(folder)

        assert opened.index("memory", SPACE, 16).nearest(unit_rows(1, 16)[0], 3) == []
        assert not opened.is_trusted
        assert len(list(tmp_path.glob("vectors.damaged-*"))) == 1
        opened.close()

    def test_a_folder_of_rubbish_is_set_aside(self, tmp_path: Path, expected_log: ExpectedLog) -> None:
        expected_log("search index is damaged", logger="core.store")
        folder = tmp_path / "vectors"
        folder.mkdir()
        (folder / "chroma.sqlite3").write_bytes(b"this is no database" * 500)

        indexes = ChromaIndexes(folder)

        assert indexes.index("memory", SPACE, 8).ids() == frozenset()
        indexes.close()
