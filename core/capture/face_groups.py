"""Which faces are of one person? New faces join known people or each other; nobody known is renamed, torn apart or lost.

Clusters are merged greedily, the most alike first, while the mean similarity of their members stays above a threshold. Two things
make that work for a life: the mean is taken between the years that lie nearest to each other, so that a child of two becomes the
same person at ten by way of the years between (drift), and a mean over all members does not chain one sibling to the other by a
single lucky pair (lookalikes), as joining every pair above one threshold does. What stays alone stays nobody's.
"""

import heapq
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

VERSION = "groups/1"
_STRICT = 0.83
"""How far towards `same_at` (0 is identical, 1 is the model's own threshold for two pictures) members may be on average. Groups
are stricter than pairs: the person merges two groups with one click, and taking a wrong one apart is work."""
_LEAST = 0.15
"""How much of that strictness is left between large groups."""
_MARGIN = 0.08
"""A face this near to a second known person as well (same scale) is left for the person to say."""
_NEIGHBOURS = 12
_ROWS = 256
_FADE_YEARS = 1.0
_UNDATED_YEARS = 2.0
_SHARED = 0.02

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class GroupFace:
    """A face to be grouped.

    Attributes:
        picture: the photo, or the frame of a video; nobody is twice in one.
        years: when, in years since any day; None when undated.
        person_id: whose it is already; it stays theirs.
        not_of: people the person said it is not of.
    """

    id: str
    picture: str
    years: float | None
    person_id: str | None = None
    not_of: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Joined:
    """Where a face that was nobody's belongs now. `likeness`: 0 to 1."""

    person_id: str
    likeness: float


@dataclass(slots=True)
class _Cluster:
    """Faces of one person; `means` are sums of their vectors by year."""

    person_id: str | None
    is_settled: bool
    faces: list[int]
    pictures: set[str]
    not_of: frozenset[str]
    years: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    sums: list[Vectors] = field(default_factory=list)
    version: int = 0

    def add(self, other: "_Cluster") -> None:
        for year, count, total in zip(other.years, other.counts, other.sums, strict=True):
            self._add_year(year, count, total)
        self.faces += other.faces
        self.pictures |= other.pictures
        self.not_of |= other.not_of
        self.version += 1

    def add_face(self, year: float, vector: Vectors) -> None:
        self._add_year(year, 1, vector)

    def _add_year(self, year: float, count: int, total: Vectors) -> None:
        for at, known in enumerate(self.years):
            if known == year or (math.isnan(known) and math.isnan(year)):
                self.counts[at] += count
                self.sums[at] = self.sums[at] + total
                return
        self.years.append(year)
        self.counts.append(count)
        self.sums.append(total)


def grouped(
    faces: Sequence[GroupFace], vectors: Vectors, same_at: float, settled: frozenset[str], new_id: Iterable[str]
) -> dict[str, Joined]:
    """Whose the faces are that changed owner: joined a known person, formed a new group, or came along with a whole group.

    Args:
        vectors: a row a face, unit length, of one embedding space.
        same_at: the model's threshold for two pictures of one person.
        settled: people with the person's word: they take faces in and are never merged into another.
        new_id: ids for new groups.
    """
    if not faces:
        return {}
    clusters = _clusters(faces, vectors, settled)
    _merge(clusters, faces, vectors, same_at)
    ids = iter(new_id)
    found: dict[str, Joined] = {}
    for cluster in clusters.values():
        if len(cluster.faces) < 2 and cluster.person_id is None:
            continue
        person_id = cluster.person_id or next(ids)
        changed = [face for face in cluster.faces if faces[face].person_id != person_id]
        for face in changed:
            likeness = _likeness(vectors[face], faces[face].years, cluster, same_at)
            found[faces[face].id] = Joined(person_id, likeness)
    return found


def _clusters(faces: Sequence[GroupFace], vectors: Vectors, settled: frozenset[str]) -> dict[int, _Cluster]:
    """One cluster a known person, and one for each face that is nobody's; keyed by a member."""
    clusters: dict[int, _Cluster] = {}
    by_person: dict[str, int] = {}
    for number, face in enumerate(faces):
        key = by_person.setdefault(face.person_id, number) if face.person_id else number
        cluster = clusters.get(key)
        if cluster is None:
            is_settled = face.person_id in settled
            cluster = clusters[key] = _Cluster(face.person_id, is_settled, [], set(), frozenset())
        cluster.add_face(_year(face.years), vectors[number])
        cluster.faces.append(number)
        cluster.pictures.add(face.picture)
        if face.person_id is None:
            cluster.not_of |= face.not_of
    return clusters


def _merge(clusters: dict[int, _Cluster], faces: Sequence[GroupFace], vectors: Vectors, same_at: float) -> None:
    margin = _MARGIN * (1.0 - same_at)
    at = {face: key for key, cluster in clusters.items() for face in cluster.faces}
    near: dict[int, set[int]] = defaultdict(set)
    for one, other in _edges([number for number, face in enumerate(faces) if face.person_id is None], vectors, same_at):
        if at[one] != at[other]:
            near[at[one]].add(at[other])
            near[at[other]].add(at[one])
    heap: list[tuple[float, int, int, int]] = []
    for key, others in near.items():
        for other in others:
            if key < other:
                _push(heap, clusters, key, other, same_at)
    while heap:
        score, one, other, versions = heapq.heappop(heap)
        if one not in clusters or other not in clusters:
            continue
        if versions != clusters[one].version + clusters[other].version:
            _push(heap, clusters, one, other, same_at)  # grown since: look again, at its present place in the line
            continue
        if not _may_merge(clusters[one], clusters[other]) or _is_torn(clusters, near, one, other, -score - margin):
            continue
        kept, gone = _kept(clusters, one, other), _gone(clusters, one, other)
        clusters[kept].add(clusters.pop(gone))
        for neighbour in near.pop(gone):
            near[neighbour].discard(gone)
            if neighbour != kept and neighbour in clusters:
                near[neighbour].add(kept)
                near[kept].add(neighbour)
                _push(heap, clusters, min(kept, neighbour), max(kept, neighbour), same_at)


def _push(
    heap: list[tuple[float, int, int, int]], clusters: dict[int, _Cluster], one: int, other: int, same_at: float
) -> None:
    score = similarity(clusters[one], clusters[other])
    if score >= _needed(max(len(clusters[one].faces), len(clusters[other].faces)), same_at):
        heapq.heappush(heap, (-score, one, other, clusters[one].version + clusters[other].version))


def _needed(size: int, same_at: float) -> float:
    """The mean that makes two clusters one: strict for single faces, nearly the model's own threshold for a mean over many.

    A blurred face of somebody is far from each of their others, but nearer to the whole of them than any stranger's mean.
    """
    strict = 1.0 - _STRICT * (1.0 - same_at)
    return same_at + (strict - same_at) * max(_LEAST, 1.0 / math.sqrt(size))


def similarity(one: _Cluster, other: _Cluster) -> float:
    """The mean cosine between the members of two clusters, those of near years counting most."""
    sums = np.stack(one.sums) @ np.stack(other.sums).T
    counts = np.outer(one.counts, other.counts)
    apart = np.abs(np.subtract.outer(one.years, other.years))
    apart[np.isnan(apart)] = _UNDATED_YEARS
    apart -= apart.min()
    weights = np.sqrt(counts) * np.exp(-apart / _FADE_YEARS)
    return float((weights * sums / counts).sum() / weights.sum())


def _may_merge(one: _Cluster, other: _Cluster) -> bool:
    """Two named people stay two; nobody is twice in a picture (but for a mirror or a mistake); the person's "not" holds."""
    if one.is_settled and other.is_settled:
        return False
    if one.person_id in other.not_of or other.person_id in one.not_of:
        return False
    shared = len(one.pictures & other.pictures)
    return shared <= _SHARED * min(len(one.pictures), len(other.pictures))


def _is_torn(clusters: dict[int, _Cluster], near: dict[int, set[int]], one: int, other: int, least: float) -> bool:
    """Whether a face is about as near to a second person whom the person has named: then they decide."""
    for face, chosen in ((one, other), (other, one)):
        if not clusters[chosen].is_settled or clusters[face].person_id is not None:
            continue
        rivals = [each for each in near[face] if each != chosen and each in clusters and clusters[each].is_settled]
        if any(similarity(clusters[face], clusters[rival]) >= least for rival in rivals):
            return True
    return False


def _kept(clusters: dict[int, _Cluster], one: int, other: int) -> int:
    """Which of two clusters takes the other in: the person's, then the one known before, then the larger."""
    return max((one, other), key=lambda key: _weight(clusters[key], key))


def _gone(clusters: dict[int, _Cluster], one: int, other: int) -> int:
    return min((one, other), key=lambda key: _weight(clusters[key], key))


def _weight(cluster: _Cluster, key: int) -> tuple[bool, bool, int, int]:
    return cluster.is_settled, cluster.person_id is not None, len(cluster.faces), -key


def _edges(rows: Sequence[int], vectors: Vectors, same_at: float) -> Iterable[tuple[int, int]]:
    """For each of these faces its nearest among all, in blocks: the memory it takes does not grow with the square."""
    for start in range(0, len(rows), _ROWS):
        block = np.asarray(rows[start : start + _ROWS])
        similar = vectors[block] @ vectors.T
        similar[np.arange(len(block)), block] = -1.0
        most = min(_NEIGHBOURS, similar.shape[1] - 1)
        if most < 1:
            return
        best = np.argpartition(similar, -most, axis=1)[:, -most:]
        for row, others in enumerate(best):
            for other in others:
                if similar[row, other] >= same_at:
                    yield int(block[row]), int(other)


def _likeness(vector: Vectors, years: float | None, cluster: _Cluster, same_at: float) -> float:
    """0.5 at the model's own threshold, 1 for the same picture."""
    alone = _Cluster(None, False, [], set(), frozenset())
    alone.add_face(_year(years), vector)
    score = similarity(alone, cluster)
    return round(float(np.clip(0.5 + 0.5 * (score - same_at) / (1.0 - same_at), 0.1, 1.0)), 3)


def _year(years: float | None) -> float:
    return math.nan if years is None else float(math.floor(years))
