"""In which order do memories become moments, events, knowledge and the graph, and what may be skipped?

Each stage has an input: a hash over everything it reads. A stage whose input has not changed since it last ended is skipped.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.augment import graph_stage
from core.augment import moments as moment_cutting
from core.augment.drafts import AlikeInMeaning, by_words, events_of
from core.augment.events import derive, maker
from core.augment.knowledge import VERSION as KNOWLEDGE_VERSION
from core.augment.knowledge import infer
from core.augment.shown import derived_events, drop_vectors, imported_events, show_events
from core.augment.wording import jaccard
from core.jobs import Steps
from core.ports import Interrupted, ModelSet, TextEmbedder
from core.records import CapturedMemory, Progress, Stage
from core.retrieve.embed import EVENT, KNOWLEDGE, drop_owners, embed_missing, event_text, knowledge_text
from core.store.library import Library

_MOMENTS_VERSION = "moments-1"
_ORDER = (Stage.MOMENTS, Stage.EVENTS, Stage.KNOWLEDGE, Stage.GRAPH)
_SAME_MEANING = 0.8


def augment(library: Library, models: ModelSet, until: Stage, interrupted: Interrupted) -> Steps:
    """Bring moments, events, knowledge and graph up to date, up to a stage; safe to stop at any yield and to start again."""
    memories = library.memories.matching()
    for stage in _ORDER[: _ORDER.index(until) + 1] if until in _ORDER else ():
        if stage is Stage.MOMENTS:
            yield from _moments(library, memories)
        elif stage is Stage.EVENTS:
            yield from _events(library, models, memories, interrupted)
        elif stage is Stage.KNOWLEDGE:
            yield from _knowledge(library, models, memories, interrupted)
        else:
            yield from graph_stage.bring_up_to_date(library, memories)


def _moments(library: Library, memories: Sequence[CapturedMemory]) -> Iterator[Progress]:
    total = len(memories)
    key = _hash(_MOMENTS_VERSION, [_taken_in(memory) for memory in memories])
    if not _is_due(library, Stage.MOMENTS, key):
        return
    yield Progress(Stage.MOMENTS, 0, total)
    with library.database.write():
        library.events.replace_moments(moment_cutting.cut(memories))
        _ended(library, Stage.MOMENTS, key)
    yield Progress(Stage.MOMENTS, total, total)


def _events(library: Library, models: ModelSet, memories: Sequence[CapturedMemory], interrupted: Interrupted) -> Steps:
    key = _hash(
        maker(models.chat), library.stages.note("owner"), [(*_taken_in(memory), *_seen(memory)) for memory in memories]
    )
    total = len(memories)
    if _is_due(library, Stage.EVENTS, key):
        yield Progress(Stage.EVENTS, 0, total)
        alike = _alike(models.text_embedder)
        found = yield from derive(library, models.chat, memories, library.events.moments(), interrupted, alike)
        imported = imported_events(library)
        derived = [
            event
            for event in events_of(found.drafts, derived_events(library), library.stages.note("owner"))
            if not any(jaccard(event.member_ids, known.member_ids) >= 0.5 for known in imported)
        ]
        with library.database.write():
            gone = show_events(library, [*imported, *derived])
            # a window that failed leaves the stage open: the next run asks again, and only for what failed
            _ended(library, Stage.EVENTS, key, found.failed)
        drop_vectors(library, gone)
    if models.text_embedder:
        texts = {event.id: event_text(event) for event in library.events.all()}
        for batch in embed_missing(library, models.text_embedder, EVENT, texts, interrupted):
            yield Progress(Stage.EVENTS, len(batch), len(texts), "meaning")
    yield Progress(Stage.EVENTS, total, total)


def _knowledge(
    library: Library, models: ModelSet, memories: Sequence[CapturedMemory], interrupted: Interrupted
) -> Steps:
    decided = [
        (item.id, item.state, item.statement)
        for item in library.knowledge.all(with_rejected=True)
        if item.state != "inferred"
    ]
    seen = [(*_taken_in(memory), *_seen(memory)) for memory in memories]
    key = _hash(KNOWLEDGE_VERSION, library.stages.note("owner"), sorted(decided), seen)
    total = len(memories)
    if _is_due(library, Stage.KNOWLEDGE, key):
        yield Progress(Stage.KNOWLEDGE, 0, total)
        before = library.knowledge.all(with_rejected=True)
        items = infer(memories, library.stages.note("owner"), before)
        with library.database.write():
            library.knowledge.replace_inferred(items)
            _ended(library, Stage.KNOWLEDGE, key)
        left = {item.id for item in library.knowledge.all(with_rejected=True)}
        if gone := [item.id for item in before if item.id not in left]:
            drop_owners(library, KNOWLEDGE, gone)
    if models.text_embedder:
        texts = {item.id: knowledge_text(item) for item in library.knowledge.all()}
        for batch in embed_missing(library, models.text_embedder, KNOWLEDGE, texts, interrupted):
            yield Progress(Stage.KNOWLEDGE, len(batch), len(texts), "meaning")
    yield Progress(Stage.KNOWLEDGE, total, total)


def _is_due(library: Library, stage: Stage, key: str) -> bool:
    return library.stages.note(_note(stage)) != key


def _ended(library: Library, stage: Stage, key: str, failed: dict[str, str] | None = None) -> None:
    library.stages.record_all(stage, key, failed or {})
    library.stages.set_note(_note(stage), "" if failed else key)


def _note(stage: Stage) -> str:
    return f"{stage.value}_input"


def _taken_in(memory: CapturedMemory) -> tuple[Any, ...]:  # what JSON can hold
    place = memory.place
    where = (place.label, place.city, place.latitude, place.longitude) if place else None
    return (memory.id, memory.taken.wall, memory.taken.confidence, where, memory.title, memory.caption)


def _seen(memory: CapturedMemory) -> tuple[Any, ...]:  # what JSON can hold
    return (
        memory.kind,
        memory.visible_text,
        memory.speech,
        memory.people,
        memory.visual_elements,
        memory.activities,
        memory.environment,
        memory.keywords,
        dict(memory.document),
    )


def _hash(*parts: object) -> str:
    return hashlib.sha256(
        json.dumps(parts, default=str, ensure_ascii=False).encode("utf-8", "surrogatepass")
    ).hexdigest()


def _alike(embedder: TextEmbedder | None) -> AlikeInMeaning:
    """Whether two names mean the same: by their words, and by their vectors where there is an embedder."""
    if embedder is None:
        return by_words
    known: dict[str, np.ndarray] = {}

    def vector(name: str) -> np.ndarray:
        if name not in known:
            known[name] = embedder.embed_passages([name])[0]
        return known[name]

    def alike(one: str, other: str) -> bool:
        return by_words(one, other) or float(vector(one) @ vector(other)) >= _SAME_MEANING

    return alike
