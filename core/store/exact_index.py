"""A `VectorIndex` in memory that compares with every vector: exact, for tests, small libraries and as the fallback."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.ports import Near


class ExactIndex:
    """Holds its vectors in one dictionary; 50,000 of 384 dimensions are searched in about 4 ms (research notes, section 12)."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._stacked: tuple[list[str], NDArray[np.float32]] | None = None

    def put(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """See `VectorIndex`."""
        for owner_id, vector in vectors.items():
            if vector.shape != (self._dimensions,):
                raise ValueError(f"a vector of {vector.shape} in an index of {self._dimensions} dimensions")
            self._vectors[owner_id] = vector.astype(np.float32)
        self._stacked = None

    def remove(self, owner_ids: Sequence[str]) -> None:
        """See `VectorIndex`."""
        for owner_id in owner_ids:
            self._vectors.pop(owner_id, None)
        self._stacked = None

    def nearest(self, vector: NDArray[np.float32], k: int, among: Sequence[str] | None = None) -> list[Near]:
        """See `VectorIndex`."""
        if among is not None:
            ids = [owner_id for owner_id in dict.fromkeys(among) if owner_id in self._vectors]
            matrix = np.stack([self._vectors[owner_id] for owner_id in ids]) if ids else None
        else:
            ids, matrix = self._everything()
        if matrix is None or not ids or k <= 0:
            return []
        similarities = matrix @ vector.reshape(-1).astype(np.float32)
        best = np.argsort(-similarities, kind="stable")[:k]
        return [Near(ids[position], float(similarities[position])) for position in best]

    def ids(self) -> frozenset[str]:
        """See `VectorIndex`."""
        return frozenset(self._vectors)

    def vectors(self, owner_ids: Sequence[str] | None = None) -> dict[str, NDArray[np.float32]]:
        """See `VectorIndex`."""
        wanted = self._vectors if owner_ids is None else owner_ids
        return {owner_id: self._vectors[owner_id] for owner_id in wanted if owner_id in self._vectors}

    def clear(self) -> None:
        """See `VectorIndex`."""
        self._vectors.clear()
        self._stacked = None

    def _everything(self) -> tuple[list[str], NDArray[np.float32] | None]:
        if not self._vectors:
            return [], None
        if self._stacked is None:
            self._stacked = (list(self._vectors), np.stack(list(self._vectors.values())))
        return self._stacked


class ExactIndexes:
    """One `ExactIndex` per kind and model."""

    is_trusted = True

    def __init__(self) -> None:
        self._indexes: dict[tuple[str, str], ExactIndex] = {}
        self._dimensions: dict[tuple[str, str], int] = {}

    def index(self, kind: str, model_id: str, dimensions: int) -> ExactIndex:
        """See `VectorIndexes`."""
        self._dimensions.setdefault((kind, model_id), dimensions)
        return self._indexes.setdefault((kind, model_id), ExactIndex(dimensions))

    def spaces(self) -> list[tuple[str, str, int]]:
        """See `VectorIndexes`."""
        return sorted((kind, model_id, dimensions) for (kind, model_id), dimensions in self._dimensions.items())

    def close(self) -> None:
        """See `VectorIndexes`."""
        self._indexes.clear()
        self._dimensions.clear()
