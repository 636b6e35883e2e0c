"""Are the vector indexes what SQLite says they are, whatever happened to them?"""

import os
import shutil
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.paths import Home
from core.records import MemoryKind
from core.store.chroma_index import ChromaIndexes
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from core.store.reconcile import reconcile
from core.store.reconciled_indexes import ReconcileCounts
from tests.harness.logs import ExpectedLog

SPACE = "minilm@1"
DIMENSIONS = 16
QUERY = np.eye(DIMENSIONS, dtype=np.float32)[0]


def vector_of(text: str) -> NDArray[np.float32]:
    row = np.random.default_rng(zlib.crc32(text.encode())).normal(size=DIMENSIONS).astype(np.float32)
    return row / np.linalg.norm(row)


def embed(library: Library, count: int, kind: str = "memory", prefix: str = "text") -> list[str]:
    """Store vectors of `count` owners in SQLite only."""
    owners = {f"{kind}-{number:04}": f"{prefix} {number}" for number in range(count)}
    library.embeddings.put(kind, SPACE, owners, {text: vector_of(text) for text in owners.values()})
    return list(owners)


def search(library: Library, kind: str = "memory") -> list[tuple[str, float]]:
    found = library.indexes.index(kind, SPACE, DIMENSIONS).nearest(QUERY, 10)
    return [(near.owner_id, round(near.similarity, 4)) for near in found]


def opened_with_chroma(home: Home) -> Library:
    return open_library(home, ChromaIndexes(home.vectors))


def test_an_index_that_was_never_filled_is_full_at_its_first_use(library: Library) -> None:
    owners = embed(library, 30)

    assert library.indexes.index("memory", SPACE, DIMENSIONS).ids() == set(owners)


def test_what_is_missing_is_put_and_what_is_too_much_is_removed(library: Library) -> None:
    embed(library, 30)
    index = library.indexes.index("memory", SPACE, DIMENSIONS)
    index.remove(["memory-0003", "memory-0004"])
    index.put({"gone long ago": vector_of("x")})

    assert reconcile(library) == ReconcileCounts(put=2, removed=1)
    assert reconcile(library) == ReconcileCounts()
    assert index.ids() == library.embeddings.owner_ids("memory", SPACE)


def test_a_vector_of_an_older_text_is_replaced_when_vectors_are_compared(library: Library) -> None:
    embed(library, 10)
    index = library.indexes.index("memory", SPACE, DIMENSIONS)
    index.put({"memory-0005": vector_of("what it said before")})

    assert reconcile(library) == ReconcileCounts()
    assert reconcile(library, compare_vectors=True) == ReconcileCounts(put=1)
    assert index.vectors(["memory-0005"])["memory-0005"] == pytest.approx(vector_of("text 5"), abs=1e-5)


def test_only_the_kinds_asked_for_are_touched(library: Library) -> None:
    embed(library, 5)
    embed(library, 5, kind="event")
    for kind in ("memory", "event"):
        library.indexes.index(kind, SPACE, DIMENSIONS).remove([f"{kind}-0001"])

    assert reconcile(library, ["event"]) == ReconcileCounts(put=1)


def test_the_index_of_a_space_that_sqlite_no_longer_has_is_emptied(library: Library) -> None:
    index = library.indexes.index("memory", "a model of the past@1", DIMENSIONS)
    index.put({"m": vector_of("m")})

    assert reconcile(library) == ReconcileCounts(removed=1)
    assert index.ids() == frozenset()


def test_a_deleted_chroma_folder_is_rebuilt_with_the_same_results(home: Home) -> None:
    library = opened_with_chroma(home)
    embed(library, 200)
    before = search(library)
    library.close()
    shutil.rmtree(home.vectors)

    library = opened_with_chroma(home)
    assert search(library) == before
    library.close()


def test_a_truncated_chroma_graph_is_rebuilt_with_the_same_results(home: Home, expected_log: ExpectedLog) -> None:
    expected_log("search index is damaged", logger="core.store")
    library = opened_with_chroma(home)
    embed(library, 1_500)
    embed(library, 20, kind="event")
    before, events = search(library), search(library, "event")
    library.close()
    for graph in home.vectors.rglob("data_level0.bin"):
        os.truncate(graph, graph.stat().st_size // 3)

    library = opened_with_chroma(home)
    assert search(library) == before
    assert search(library, "event") == events
    library.close()


KILLED = """
import sys
import zlib
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from core.paths import Home
from tests.core.store.test_store_reconcile import SPACE, DIMENSIONS, embed, opened_with_chroma, vector_of
if __name__ == "__main__":
    library = opened_with_chroma(Home(Path(sys.argv[1])))
    for round in range(1000):
        embed(library, 400, prefix=f"round {round} text")
        index = library.indexes.index("memory", SPACE, DIMENSIONS)
        for owner, vector in library.embeddings.owned("memory", SPACE).items():
            index.put({owner: vector})
            print(round, owner, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
@pytest.mark.parametrize("after_puts", [3, 450])
def test_a_kill_in_the_middle_of_an_upsert_leaves_nothing_wrong(home: Home, after_puts: int) -> None:
    # chroma#7678: counts look healthy afterwards, and vectors are missing or old
    root = Path(__file__).resolve().parents[3]
    writer = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(home.folder), str(root)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert writer.stdout is not None
    for _ in range(after_puts):
        assert writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    writer.stdout.close()

    library = opened_with_chroma(home)
    truth = library.embeddings.owned("memory", SPACE)
    held = library.indexes.index("memory", SPACE, DIMENSIONS).vectors()
    exact = ExactIndexes().index("memory", SPACE, DIMENSIONS)
    exact.put(truth)

    assert len(truth) == 400
    assert held.keys() == truth.keys()
    assert all(np.allclose(held[owner], truth[owner], atol=1e-4) for owner in truth)
    assert [owner for owner, _ in search(library)] == [near.owner_id for near in exact.nearest(QUERY, 10)]
    library.close()


def test_nothing_is_compared_again_after_closing_in_order(home: Home) -> None:
    library = opened_with_chroma(home)
    embed(library, 20)
    search(library)
    library.close()

    library = opened_with_chroma(home)
    assert library.indexes.is_trusted
    library.close()


def test_a_new_memory_needs_no_index(home: Home) -> None:
    library = opened_with_chroma(home)
    library.memories.create(kind=MemoryKind.PHOTO, file_name="a.jpg", content_key=None)
    library.close()

    assert not home.vectors.exists()
