"""Stacks near-duplicates over the whole library, when any memory is new to it."""

import logging
from collections.abc import Callable, Iterator

from core.capture import near_duplicates
from core.capture.looks import Alike, Looked, embed_pictures, scene_test
from core.capture.stage_results import OF_THE_MODEL, Subject, Work
from core.errors import AppError, JobCancelled
from core.ports import ImageEmbedder
from core.records import Progress, Stage
from core.retrieve.embed import space

log = logging.getLogger(__name__)


def stack(work: Work, subject_of: Callable[[str], Subject | None], troubles: list[AppError]) -> Iterator[Progress]:
    """Find which memory stands for which, by what they look like where an image embedder is installed, else by 64 bits.

    Args:
        troubles: gets what keeps the image embedder from running; the memories then stay due for it.
    """
    library, embedder = work.library, work.models.image_embedder
    due = library.stages.due(Stage.NEAR_DUPLICATES, _key(embedder), after=Stage.THUMBNAILS, max_attempts=1)
    if not due:
        return
    yield Progress(Stage.NEAR_DUPLICATES, 0, len(due))
    looked = Looked({})
    if embedder is not None:
        try:
            for done in embed_pictures(work, embedder, due, subject_of, looked):
                yield Progress(Stage.NEAR_DUPLICATES, done, len(due))
        except OF_THE_MODEL as error:
            log.warning("pictures are compared without %s: %s", embedder.model_id, error)
            troubles.append(error)
            embedder = None
            due = library.stages.due(Stage.NEAR_DUPLICATES, _key(None), after=Stage.THUMBNAILS, max_attempts=1)
    yield from _stack(work, embedder, due, looked)


def _key(embedder: ImageEmbedder | None) -> str:
    return f"{near_duplicates.KEY} {space(embedder)}" if embedder else near_duplicates.KEY


def _stack(work: Work, embedder: ImageEmbedder | None, due: list[str], looked: Looked) -> Iterator[Progress]:
    library = work.library
    fingerprints = library.memories.fingerprints()
    memories = [memory for memory in library.memories.matching() if memory.id in fingerprints]
    alike: Alike | None = scene_test(library, embedder, memories) if embedder else None
    found = near_duplicates.representatives(memories, fingerprints, alike)
    changed = {memory.id for memory in memories if memory.representative_id != found.get(memory.id)}
    for number, memory_id in enumerate(dict.fromkeys([*due, *changed])):
        with library.memories.edit(memory_id) as editing:
            editing.set_fingerprint(fingerprints.get(memory_id), found.get(memory_id))
            reason = looked.failed.get(memory_id, "")
            state = "failed" if reason else "done" if memory_id in found else "nothing"
            editing.stage(Stage.NEAR_DUPLICATES, _key(embedder), state, reason)
            if memory_id in changed:
                library.stages.reset(Stage.CAPTION, [memory_id])
        if number % 100 == 99:
            yield Progress(Stage.NEAR_DUPLICATES, min(number + 1, len(due)), len(due))
            if work.interrupted():
                raise JobCancelled
    yield Progress(Stage.NEAR_DUPLICATES, len(due), len(due))
