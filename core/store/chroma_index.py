"""A `VectorIndex` on disk with Chroma: fast over large libraries, rebuildable at any time, never the truth.

Measured with chromadb 1.5.9 (design, section 3): `add` keeps an old row silently, the default graph finds 93 % of the true
neighbours and the settings below 99 %, a truncated graph file crashes the process and a kill can leave it without some
vectors. So everything is upserted, a folder that was not closed in order is first opened in a child process, and one that
fails there is set aside.
"""

import hashlib
import json
import logging
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from core.child import ChildDiedError, ChildProcess, ChildSpec
from core.errors import AppError, StoreDamagedError
from core.ports import Near
from core.store.exact_index import ExactIndex

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

log = logging.getLogger(__name__)

EF_SEARCH = 400
_GRAPH = {"space": "cosine", "ef_construction": 200, "ef_search": EF_SEARCH, "max_neighbors": 32}
_FEW = 2_000  # ids whose vectors are fetched one by one (0.03 s for 1,000); more are compared in memory
_PROBE_S = 300.0
_CLEAN = "closed-in-order.json"
_SOON_REBUILT = 5_000
"""So many vectors are put again in about five seconds (1 ms each): an index of fewer is thrown away to be rid of those removed."""


def open_client(folder: Path) -> "Client":
    """Chroma's client of a folder, which is created when new. Nothing of it uses the network."""
    import chromadb  # takes about a second: only who searches by meaning pays for it
    from chromadb.config import Settings

    return cast("Client", chromadb.PersistentClient(path=str(folder), settings=Settings(anonymized_telemetry=False)))


class ChromaIndex:
    """One collection: the vectors of one kind and one vector space."""

    def __init__(self, owner: "ChromaIndexes", kind: str, model_id: str, dimensions: int) -> None:
        self._owner = owner
        self._dimensions = dimensions
        self._metadata: dict[str, str | int] = {"kind": kind, "model_id": model_id, "dimensions": dimensions}
        self._opened: Collection | None = None
        self._in_memory: ExactIndex | None = None

    def put(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """See `VectorIndex`."""
        for vector in vectors.values():
            if vector.shape != (self._dimensions,):
                raise ValueError(f"a vector of {vector.shape} in an index of {self._dimensions} dimensions")
        with self._writing() as collection:
            for ids in _chunks(list(vectors), self._owner.batch_size):
                collection.upsert(ids=ids, embeddings=np.stack([vectors[each] for each in ids]).astype(np.float32))

    def remove(self, owner_ids: Sequence[str]) -> None:
        """See `VectorIndex`."""
        with self._writing() as collection:
            for ids in _chunks(list(owner_ids), self._owner.batch_size):
                collection.delete(ids=ids)
        self._owner.has_removed = True

    def nearest(self, vector: NDArray[np.float32], k: int, among: Sequence[str] | None = None) -> list[Near]:
        """See `VectorIndex`."""
        if k <= 0:
            return []
        query = vector.reshape(-1).astype(np.float32)
        if among is not None and len(among) <= _FEW:
            few = ExactIndex(self._dimensions)
            few.put(self.vectors(among))
            return few.nearest(query, k)
        if among is not None or k > EF_SEARCH:
            return self._all_in_memory().nearest(query, k, among)
        with self._reading() as collection:
            found = collection.query(query_embeddings=query[np.newaxis], n_results=k, include=["distances"])
        pairs = zip(found["ids"][0], (found["distances"] or [[]])[0], strict=True)
        return [Near(owner_id, 1.0 - float(distance)) for owner_id, distance in pairs]

    def ids(self) -> frozenset[str]:
        """See `VectorIndex`."""
        with self._reading() as collection:
            return frozenset(collection.get(include=[])["ids"])

    def clear(self) -> None:
        """See `VectorIndex`."""
        with self._writing() as collection:
            self._owner.client.delete_collection(collection.name)
            self._opened = None

    def vectors(self, owner_ids: Sequence[str] | None = None) -> dict[str, NDArray[np.float32]]:
        """See `VectorIndex`."""
        found: dict[str, NDArray[np.float32]] = {}
        wanted = sorted(self.ids()) if owner_ids is None else list(dict.fromkeys(owner_ids))
        with self._reading() as collection:
            for ids in _chunks(wanted, self._owner.batch_size):
                page = collection.get(ids=ids, include=["embeddings"])
                stored = page["embeddings"]
                if stored is not None and len(page["ids"]):
                    rows = np.asarray(stored, dtype=np.float32)
                    found.update(zip(page["ids"], rows, strict=True))
        return found

    def _all_in_memory(self) -> ExactIndex:
        """Every vector, kept until something changes: exact over thousands of ids in milliseconds (4 bytes a dimension)."""
        if self._in_memory is None:
            everything = ExactIndex(self._dimensions)
            everything.put(self.vectors())
            self._in_memory = everything
        return self._in_memory

    @contextmanager
    def _reading(self) -> Iterator["Collection"]:
        with _translated(self._owner.folder):
            if self._opened is None:
                self._opened = self._owner.collection(self._metadata)
            yield self._opened

    @contextmanager
    def _writing(self) -> Iterator["Collection"]:
        with self._reading() as collection:
            self._owner.begin_write()
            self._in_memory = None
            try:
                yield collection
            except BaseException:
                self._owner.has_failed = True
                raise


class ChromaIndexes:
    """One `ChromaIndex` per kind and vector space, in one folder that is opened at the first use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.RLock()
        self._client: Client | None = None
        self._indexes: dict[tuple[str, str], ChromaIndex] = {}
        self._was_clean = True
        self._has_written = False
        self.batch_size = 1
        self.has_failed = False
        """A write did not come to its end: the next start compares everything."""
        self.has_removed = False
        """Vectors were removed; Chroma keeps their bytes in its queue and its graph until they are erased at the end."""

    def index(self, kind: str, model_id: str, dimensions: int) -> ChromaIndex:
        """See `VectorIndexes`."""
        with self._lock:
            return self._indexes.setdefault((kind, model_id), ChromaIndex(self, kind, model_id, dimensions))

    def spaces(self) -> list[tuple[str, str, int]]:
        """See `VectorIndexes`."""
        with _translated(self.folder):
            found = [dict(collection.metadata or {}) for collection in self.client.list_collections()]
        return sorted((str(each["kind"]), str(each["model_id"]), int(str(each["dimensions"]))) for each in found)

    @property
    def is_trusted(self) -> bool:
        """See `VectorIndexes`."""
        return self.client is not None and self._was_clean

    @property
    def client(self) -> "Client":
        """The open client.

        A folder that was not closed in order, or has changed since, is probed in a child process first.
        """
        with self._lock:
            if self._client is None:
                self._was_clean = not self.folder.exists() or _is_clean(self.folder)
                if not self._was_clean and not _survives(self.folder):
                    _quarantine(self.folder)
                with _translated(self.folder):
                    self._client = open_client(self.folder)
                self.batch_size = self._client.get_max_batch_size()
            return self._client

    def collection(self, metadata: Mapping[str, str | int]) -> "Collection":
        """The collection of a space, created when new. No embedding function: it would download a model."""
        name = f"{metadata['kind']}-{hashlib.sha256(json.dumps(sorted(metadata.items())).encode()).hexdigest()[:24]}"
        settings: Any = {"hnsw": _GRAPH}  # chromadb's own type is a TypedDict of many optional parts
        return self.client.get_or_create_collection(
            name, metadata=dict(metadata), embedding_function=None, configuration=settings
        )

    def begin_write(self) -> None:
        """Note that the folder is in change, so that a kill from here on is noticed at the next start."""
        with self._lock:
            if not self._has_written:
                (self.folder / _CLEAN).unlink(missing_ok=True)
                self._has_written = True

    def close(self) -> None:
        """See `VectorIndexes`."""
        with self._lock:
            client, self._client = self._client, None
            self._indexes.clear()
            if client is not None:
                held = sum(each.count() for each in client.list_collections()) if self.has_removed else 0
                client.close()
                (self.folder / _CLEAN).unlink(missing_ok=True)
                if self.has_removed:
                    _erase_removed(self.folder, held)
                    self.has_removed = False
                if (self.folder / "chroma.sqlite3").exists() and not self.has_failed:
                    (self.folder / _CLEAN).write_text(json.dumps(_signature(self.folder)))
                self._has_written = False


def _erase_removed(folder: Path, held: int) -> None:
    """Leave no bytes of removed vectors: what was forgotten or is private is gone from the disk too.

    A large index keeps those that are in its graph already, without an id, until it is built anew.
    """
    if held <= _SOON_REBUILT:
        shutil.rmtree(
            folder, ignore_errors=True
        )  # what another program holds open is found unclean, and set aside, at the next start
        return
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as connection:
        with connection:
            connection.execute(
                "DELETE FROM embeddings_queue WHERE seq_id NOT IN (SELECT max(seq_id) FROM embeddings_queue GROUP BY topic, id)"
            )
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _chunks(ids: list[str], size: int) -> Iterator[list[str]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def _signature(folder: Path) -> list[list[object]]:
    """Names and sizes: what a truncation changes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != _CLEAN)
    return [[path.relative_to(folder).as_posix(), path.stat().st_size] for path in files]


def _is_clean(folder: Path) -> bool:
    try:
        return bool(json.loads((folder / _CLEAN).read_text()) == _signature(folder))
    except (OSError, ValueError):
        return False


def _survives(folder: Path) -> bool:
    """Whether the folder can be opened, counted and searched: tried in a process that may crash."""
    probe = ChildProcess(ChildSpec("vector-probe", "core.store.chroma_probe:Probe", (folder,)))
    try:
        problem = probe.call("check", timeout_s=_PROBE_S)
    except (ChildDiedError, AppError) as error:
        problem = str(error)
    finally:
        probe.close()
    if problem:
        log.warning("the search index is damaged and will be rebuilt: %s", problem)
    return not problem


def _quarantine(folder: Path) -> None:
    """Set a damaged folder aside (the newest is kept for whoever wants to look) and make room for a new one."""
    for old in folder.parent.glob(f"{folder.name}.damaged-*"):
        shutil.rmtree(old, ignore_errors=True)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    folder.rename(folder.with_name(f"{folder.name}.damaged-{stamp}"))


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    """Turn Chroma's errors into one a person can act on."""
    from chromadb.errors import ChromaError

    try:
        yield
    except ChromaError as error:
        raise StoreDamagedError(
            f"The search index {folder} cannot be used ({error}).",
            "Run `madeleine doctor --repair`: it is built anew from the database and nothing is lost.",
        ) from error
