"""Finds memories by what they look like: like a text, or like another memory."""

from collections.abc import Sequence

from core.errors import RequestError
from core.ports import ImageEmbedder
from core.records import CapturedMemory, Found, MemoryFilter
from core.retrieve.embed import PICTURE, index_of, space
from core.store.library import Library

_LONGEST_TEXT = 500
_BITS = 64
_ALIKE_BITS = 16
"""Of 64 bits of a perceptual hash; two unrelated photos differ in 32 of them, give or take 4."""


def looking_like_text(
    library: Library, eyes: ImageEmbedder, text: str, wanted: MemoryFilter, depth: int
) -> dict[str, float]:
    """Memories whose picture shows what the text says, best first, with their similarity; those that do not are left out."""
    if not library.embeddings.owner_ids(PICTURE, space(eyes)):
        return {}  # before the heavy part of the model is loaded for nothing
    among = None if wanted.is_empty else library.memories.ids_matching(wanted)
    vector = eyes.embed_text(text[-_LONGEST_TEXT:]).reshape(-1)
    nearest = index_of(library, eyes, PICTURE).nearest(vector, depth, among)
    return {near.owner_id: near.similarity for near in nearest if near.similarity >= eyes.fits_text}


def looking_like(
    library: Library, eyes: ImageEmbedder | None, memory_id: str, wanted: MemoryFilter, k: int = 20
) -> list[Found]:
    """The k memories that look most like this one, the most alike first; itself and its near-duplicates are left out.

    Args:
        eyes: None compares perceptual hashes: finds copies, crops and shots of one scene, not the same thing seen elsewhere.

    Raises:
        RequestError: the memory has no picture, or it was not looked at yet.
    """
    memory = library.memories.get(memory_id)
    ranked = _by_vectors(library, eyes, memory, wanted, k) if eyes else _by_hash(library, memory, wanted)
    stack = memory.representative_id or memory.id
    others = library.memories.many([other for other, _ in ranked if other != memory_id])
    closeness = dict(ranked)
    found, seen = [], {stack}
    for other in others:
        if (other.representative_id or other.id) not in seen:
            seen.add(other.representative_id or other.id)
            found.append(Found(other.id, round(closeness[other.id], 4), _why(closeness[other.id], eyes)))
    return found[:k]


def _by_vectors(
    library: Library, eyes: ImageEmbedder, memory: CapturedMemory, wanted: MemoryFilter, k: int
) -> list[tuple[str, float]]:
    own = library.embeddings.owned(PICTURE, space(eyes), [memory.id])
    if memory.id not in own:
        raise RequestError(
            f"Nothing is known yet of what {memory.file_name} looks like.",
            "Run: madeleine process --until near_duplicates",
        )
    among = None if wanted.is_empty else library.memories.ids_matching(wanted)
    nearest = index_of(library, eyes, PICTURE).nearest(own[memory.id], max(4 * k, 50), among)
    return [(near.owner_id, near.similarity) for near in nearest]


def _by_hash(library: Library, memory: CapturedMemory, wanted: MemoryFilter) -> list[tuple[str, float]]:
    fingerprints = library.memories.fingerprints()
    if memory.id not in fingerprints:
        raise RequestError(
            f"{memory.file_name} has no picture to compare, or it was not looked at yet.",
            "Run: madeleine process --until thumbnails",
        )
    among: Sequence[str] = library.memories.ids_matching(wanted)
    own = fingerprints[memory.id] & (1 << _BITS) - 1
    distances = [
        ((own ^ fingerprints[other] & (1 << _BITS) - 1).bit_count(), other) for other in among if other in fingerprints
    ]
    return [(other, 1 - bits / _BITS) for bits, other in sorted(distances) if bits <= _ALIKE_BITS]


def _why(closeness: float, eyes: ImageEmbedder | None) -> str:
    return f"looks alike ({closeness:.2f})" if eyes else f"nearly the same picture ({closeness:.0%} of its outline)"
