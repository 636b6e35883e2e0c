"""Keeps the vectors of memories, events, knowledge and context values up to date, in the store first and then in the index."""

from collections.abc import Iterator, Mapping

from core.ports import ImageEmbedder, Interrupted, TextEmbedder, VectorIndex, never
from core.records import CapturedMemory, Event, Knowledge
from core.store.library import Library

MEMORY, EVENT, KNOWLEDGE, CONTEXT = "memory", "event", "knowledge", "context"
PICTURE = "picture"
"""What a memory looks like; its vector is an image embedder's, under the hash of the file's bytes."""
_BATCH = 32


def space(embedder: TextEmbedder | ImageEmbedder) -> str:
    """The name of the embedder's vector space; vectors of two spaces never meet."""
    return f"{embedder.model_id}@{embedder.revision}"


def index_of(library: Library, embedder: TextEmbedder | ImageEmbedder, kind: str) -> VectorIndex:
    """The vector index of a kind in this embedder's space."""
    return library.indexes.index(kind, space(embedder), embedder.dimensions)


def content_text(memory: CapturedMemory) -> str:
    """What a memory is embedded as: title, caption, visible text and speech (design, section 3)."""
    parts = (memory.title, memory.caption, memory.visible_text, memory.speech)
    return "\n".join(part for part in parts if part)


def event_text(event: Event) -> str:
    """What an event is embedded as."""
    return f"{event.name}. {event.summary}".strip()


def knowledge_text(item: Knowledge) -> str:
    """What a statement is embedded as."""
    return item.statement


def embed_missing(
    library: Library, embedder: TextEmbedder, kind: str, texts: Mapping[str, str], interrupted: Interrupted = never
) -> Iterator[list[str]]:
    """Embed the texts (by owner id) that have no vector yet, batch by batch; yields the owners of each stored batch.

    Equal texts are embedded once. Owners whose text is empty are skipped. Each batch is one transaction.
    """
    name = space(embedder)
    due = {owner: text for owner, text in library.embeddings.missing(kind, name, texts).items() if text.strip()}
    owners = list(due)
    index = index_of(library, embedder, kind)
    for start in range(0, len(owners), _BATCH):
        batch = {owner: due[owner] for owner in owners[start : start + _BATCH]}
        known = library.embeddings.known(name, list(batch.values()))
        fresh = [text for text in dict.fromkeys(batch.values()) if text not in known]
        vectors = (
            dict(zip(fresh, embedder.embed_passages(fresh, interrupted=interrupted), strict=True)) if fresh else {}
        )
        library.embeddings.put(kind, name, batch, vectors)
        index.put(library.embeddings.owned(kind, name, list(batch)))
        yield list(batch)


def drop_owners(library: Library, kind: str, owner_ids: list[str]) -> None:
    """Forget the vectors of owners that no longer exist, in the store and in every index of the kind.

    A memory's go with what it says and with what it looks like.
    """
    if kind == MEMORY:
        drop_owners(library, PICTURE, owner_ids)
    for model_id in library.embeddings.models(kind):
        vectors = library.embeddings.owned(kind, model_id)
        if vectors:
            dimensions = len(next(iter(vectors.values())))
            library.indexes.index(kind, model_id, dimensions).remove(owner_ids)
    library.embeddings.remove(kind, owner_ids)
