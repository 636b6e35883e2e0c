"""Brings every vector index of a library in step with SQLite, on request."""

from collections.abc import Sequence

from core.store.library import Library
from core.store.reconciled_indexes import ReconcileCounts, ReconciledIndexes


def reconcile(
    library: Library, kinds: Sequence[str] | None = None, *, compare_vectors: bool | None = None
) -> ReconcileCounts:
    """Bring the indexes of these kinds (of all when None) in step with SQLite.

    Args:
        compare_vectors: also find vectors that differ; when None, only after a kill.
    """
    indexes = library.indexes
    if not isinstance(indexes, ReconciledIndexes):
        indexes = ReconciledIndexes(indexes, library.embeddings)
    return indexes.reconcile(kinds, compare_vectors=compare_vectors)
