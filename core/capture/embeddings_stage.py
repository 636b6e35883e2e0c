"""Gives every memory's text and every distinct context value its vector (design, section 3)."""

from collections.abc import Iterator

from core.ports import Interrupted, TextEmbedder
from core.records import Progress, Stage
from core.retrieve.embed import CONTEXT, MEMORY, PICTURE, content_text, embed_missing, space
from core.store.library import Library
from core.text_keys import text_key

_CHUNK = 256


def embeddings_key(embedder: TextEmbedder) -> str:
    """The key under which the stage is done."""
    return f"{space(embedder)}/1"


def embed_due(library: Library, embedder: TextEmbedder, interrupted: Interrupted) -> Iterator[Progress]:
    """Embed the memories that are due, chunk by chunk, each chunk's stages recorded after its vectors are stored.

    Raises:
        ModelError, JobCancelled: as the embedder.
    """
    key = embeddings_key(embedder)
    due = library.stages.due(Stage.EMBEDDINGS, key, max_attempts=1)
    for start in range(0, len(due), _CHUNK):
        yield Progress(Stage.EMBEDDINGS, start, len(due))
        texts = {memory.id: content_text(memory) for memory in library.memories.many(due[start : start + _CHUNK])}
        for _ in embed_missing(library, embedder, MEMORY, texts, interrupted):
            yield Progress(Stage.EMBEDDINGS, start, len(due))
        with library.database.write():
            for memory_id, text in texts.items():
                with library.memories.edit(memory_id) as editing:
                    editing.stage(Stage.EMBEDDINGS, key, "done" if text.strip() else "nothing")
    if due:
        yield Progress(Stage.EMBEDDINGS, len(due), len(due))
        yield from _embed_vocabulary(library, embedder, interrupted)
    _drop_former(library, embedder)


def _drop_former(library: Library, embedder: TextEmbedder) -> None:
    """The vectors of a former model answer until the new one has read as much; then they only take room."""
    name = space(embedder)
    counts = library.embeddings.counts(MEMORY)
    if counts.get(name, 0) < max(counts.values(), default=0):
        return
    for kind, former, dimensions in library.embeddings.spaces():
        if kind != PICTURE and former != name:
            library.embeddings.drop_space(kind, former)
            library.indexes.index(kind, former, dimensions).clear()


def _embed_vocabulary(library: Library, embedder: TextEmbedder, interrupted: Interrupted) -> Iterator[Progress]:
    """One vector a distinct value: labels repeat, so the vocabulary is embedded and not the photos. Owner: `kind:key`."""
    words = library.memories.vocabulary()
    values = {"activity": words.activities, "visual_element": words.visual_elements, "environment": words.environments}
    texts = {f"{kind}:{text_key(value)}": value for kind, counted in values.items() for value in counted}
    for done in embed_missing(library, embedder, CONTEXT, texts, interrupted):
        yield Progress(Stage.EMBEDDINGS, len(done), len(texts))
