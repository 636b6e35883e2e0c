"""What pictures look like: gives each its vector, and says which of two are of one scene on the image embedder's own scale."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.capture.stage_results import OF_THE_MODEL, Subject, Work
from core.errors import JobCancelled, ModelError, PhotoError, PhotoMissingError
from core.ports import ImageEmbedder
from core.records import CapturedMemory, MemoryKind
from core.retrieve.embed import PICTURE, index_of, space
from core.store.library import Library

_EDGE = 448
_SHOWN = frozenset({MemoryKind.PHOTO, MemoryKind.SCREENSHOT, MemoryKind.DOCUMENT, MemoryKind.VIDEO})
_PAIRS = 200
_UNRELATED_SHARE = 0.99
_CANNOT_TELL = 0.995
_KEPT_VECTORS = 64

Alike = Callable[[str, str], bool | None]
"""Whether two memories, by id, are of one scene; None where one has no vector."""


@dataclass(slots=True)
class Looked:
    """How the pictures ended: reasons by memory for those that could not be embedded."""

    failed: dict[str, str]


def embed_pictures(
    work: Work,
    embedder: ImageEmbedder,
    memory_ids: Sequence[str],
    subject_of: Callable[[str], Subject | None],
    looked: Looked,
) -> Iterable[int]:
    """Give those without one a vector, each stored at once; yields how many are done.

    Raises:
        JobCancelled: the work was interrupted; what is stored stays.
        ModelNotInstalledError, ModelUnreadableError, NotEnoughRamError: no picture can be embedded.
    """
    name, index = space(embedder), index_of(work.library, embedder, PICTURE)
    for number, memory_id in enumerate(memory_ids):
        yield number
        if work.interrupted():
            raise JobCancelled
        subject = subject_of(memory_id)
        if subject is None or subject.file is None or subject.memory.kind not in _SHOWN:
            continue
        pixels = {memory_id: f"pixels:{subject.file.sha256}"}
        if not work.library.embeddings.missing(PICTURE, name, pixels):
            continue
        try:
            vectors = _vector(work, embedder, subject, name, pixels[memory_id])
        except OF_THE_MODEL:
            raise
        except PhotoMissingError:
            continue
        except (PhotoError, ModelError) as error:
            looked.failed[memory_id] = str(error)
            continue
        work.library.embeddings.put(PICTURE, name, pixels, vectors)
        index.put(work.library.embeddings.owned(PICTURE, name, [memory_id]))


def _vector(
    work: Work, embedder: ImageEmbedder, subject: Subject, name: str, pixels: str
) -> dict[str, NDArray[np.float32]]:
    """The vector under the name of its pixels; nothing where a copy of the file has it already."""
    if work.library.embeddings.known(name, [pixels]):
        return {}
    picture = work.decoder.picture(subject.path, _EDGE)
    return {pixels: embedder.embed_pictures([picture], interrupted=work.interrupted)[0]}


def scene_test(library: Library, embedder: ImageEmbedder, memories: Sequence[CapturedMemory]) -> Alike:
    """Whether two pictures are of one scene: as alike as the model says scenes are, and more than unrelated ones are here.

    Every model has a scale of its own (OmniQuery's 0.85 is CLIP's), and so has every library: somebody who photographs
    nothing but receipts has no two unlike pictures. So the model's figure is only a floor, raised to what 99 of 100 pairs from
    different days stay below. Where even those are all the same to the model, it decides nothing.
    """
    name = space(embedder)

    @lru_cache(maxsize=_KEPT_VECTORS)
    def vector(memory_id: str) -> NDArray[np.float32] | None:
        return library.embeddings.owned(PICTURE, name, [memory_id]).get(memory_id)

    def closeness(one: str, other: str) -> float | None:
        first, second = vector(one), vector(other)
        return None if first is None or second is None else float(first @ second)

    needed = max(embedder.same_scene, _unrelated(memories, closeness))

    def alike(one: str, other: str) -> bool | None:
        found = closeness(one, other)
        return None if found is None or needed > _CANNOT_TELL else found >= needed

    return alike


def _unrelated(memories: Sequence[CapturedMemory], closeness: Callable[[str, str], float | None]) -> float:
    """How close pictures from different days are at most, all but one in a hundred; -1 without any."""
    photos = [memory for memory in memories if memory.kind is MemoryKind.PHOTO and memory.taken.day is not None]
    chosen = photos[:: max(1, len(photos) // _PAIRS)]
    pairs = [(one, other) for one, other in pairwise(chosen) if one.taken.day != other.taken.day]
    found = [value for one, other in pairs if (value := closeness(one.id, other.id)) is not None]
    return float(np.quantile(found, _UNRELATED_SHARE)) if found else -1.0
