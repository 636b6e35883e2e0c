"""Keeps the vector indexes in step with the vectors in SQLite, which are the truth."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.ports import VectorIndex, VectorIndexes
from core.store.embeddings import EmbeddingStore

_BATCH = 1_000
_SAME = 1e-4  # an index may scale a vector to length one again; a different text differs by far more


@dataclass(frozen=True, slots=True)
class ReconcileCounts:
    """How many vectors were put into an index, and how many were removed from one."""

    put: int = 0
    removed: int = 0

    def __add__(self, other: "ReconcileCounts") -> "ReconcileCounts":
        return ReconcileCounts(self.put + other.put, self.removed + other.removed)


class ReconciledIndexes:
    """`VectorIndexes` that are in step with SQLite from their first use on: each index is compared when first asked for.

    Ids are compared; after a kill, the vectors themselves too, and those of every index at once.
    """

    def __init__(self, inner: VectorIndexes, embeddings: EmbeddingStore) -> None:
        self._inner = inner
        self._embeddings = embeddings
        self._lock = threading.RLock()
        self._checked: set[tuple[str, str]] = set()

    def index(self, kind: str, model_id: str, dimensions: int) -> VectorIndex:
        """See `VectorIndexes`. The first call may take seconds: it opens the index and mends it."""
        with self._lock:
            index = self._inner.index(kind, model_id, dimensions)
            if (kind, model_id) not in self._checked:
                self._checked.add((kind, model_id))
                if self._inner.is_trusted:
                    reconcile_index(self._embeddings, index, kind, model_id, compare_vectors=False)
                else:
                    self.reconcile()
            return index

    def reconcile(self, kinds: Sequence[str] | None = None, *, compare_vectors: bool | None = None) -> ReconcileCounts:
        """Compare every index of these kinds (of all when None); spaces that SQLite knows nothing of are emptied."""
        counts = ReconcileCounts()
        with self._lock:
            thorough = not self._inner.is_trusted if compare_vectors is None else compare_vectors
            spaces = {*self._embeddings.spaces(), *self._inner.spaces()}
            for kind, model_id, dimensions in sorted(spaces):
                if kinds is None or kind in kinds:
                    index = self._inner.index(kind, model_id, dimensions)
                    counts += reconcile_index(self._embeddings, index, kind, model_id, compare_vectors=thorough)
                    self._checked.add((kind, model_id))
        return counts

    def spaces(self) -> list[tuple[str, str, int]]:
        """See `VectorIndexes`."""
        return self._inner.spaces()

    @property
    def is_trusted(self) -> bool:
        """See `VectorIndexes`."""
        return self._inner.is_trusted

    def close(self) -> None:
        """See `VectorIndexes`."""
        with self._lock:
            self._checked.clear()
            self._inner.close()


def reconcile_index(
    embeddings: EmbeddingStore, index: VectorIndex, kind: str, model_id: str, *, compare_vectors: bool
) -> ReconcileCounts:
    """Bring one index in step: put what it lacks (or holds differently), remove what it should not hold."""
    owners, held = embeddings.owner_ids(kind, model_id), index.ids()
    extra, put = sorted(held - owners), 0
    if extra:
        index.remove(extra)
    to_check = sorted(owners if compare_vectors else owners - held)
    for start in range(0, len(to_check), _BATCH):
        truth = embeddings.owned(kind, model_id, to_check[start : start + _BATCH])
        known = index.vectors([owner for owner in truth if owner in held])
        due = {
            owner: vector
            for owner, vector in truth.items()
            if owner not in known or not np.allclose(known[owner], vector, atol=_SAME)
        }
        if due:
            index.put(due)
        put += len(due)
    return ReconcileCounts(put, len(extra))
