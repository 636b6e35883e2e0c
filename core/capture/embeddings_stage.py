"""Gives every memory's text and every distinct context value its vector (design, section 3)."""

from collections.abc import Iterator, Mapping

from core.capture.stage_results import OF_THE_MODEL
from core.errors import ModelError
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
        failed: dict[str, str] = {}
        for _ in _embed_each(library, embedder, texts, interrupted, failed):
            yield Progress(Stage.EMBEDDINGS, start, len(due))
        with library.database.write():
            for memory_id, text in texts.items():
                reason = failed.get(memory_id, "")
                with library.memories.edit(memory_id) as editing:
                    state = "failed" if reason else "done" if text.strip() else "nothing"
                    editing.stage(Stage.EMBEDDINGS, key, state, reason)
    if due:
        yield Progress(Stage.EMBEDDINGS, len(due), len(due))
        yield from _embed_vocabulary(library, embedder, interrupted)
    _drop_former(library, embedder)


def _embed_each(
    library: Library,
    embedder: TextEmbedder,
    texts: Mapping[str, str],
    interrupted: Interrupted,
    failed: dict[str, str],
) -> Iterator[list[str]]:
    """Embed in batches; where one fails, one by one, so that a text the model dies of costs only its own memory."""
    try:
        yield from embed_missing(library, embedder, MEMORY, texts, interrupted)
    except OF_THE_MODEL:
        raise
    except ModelError:
        for memory_id, text in texts.items():
            try:
                yield from embed_missing(library, embedder, MEMORY, {memory_id: text}, interrupted)
            except OF_THE_MODEL:
                raise
            except ModelError as error:
                failed[memory_id] = str(error)


def _drop_former(library: Library, embedder: TextEmbedder) -> None:
    """The vectors of a former model answered until the new one had read everything; now they only take room."""
    name = space(embedder)
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
