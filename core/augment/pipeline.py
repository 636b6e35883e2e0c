"""In which order do memories become moments, events, knowledge and the graph, and what may be skipped?

Each stage has an input: a hash over everything it reads. A stage whose input has not changed since it last ended is skipped.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from core.augment import events_stage, graph_stage, moments_stage
from core.augment.knowledge import VERSION as KNOWLEDGE_VERSION
from core.augment.knowledge import infer
from core.jobs import Steps
from core.ports import Interrupted, ModelSet
from core.records import CapturedMemory, Progress, Stage
from core.retrieve.embed import KNOWLEDGE, drop_owners, embed_missing, knowledge_text
from core.store.library import Library

_ORDER = (Stage.MOMENTS, Stage.EVENTS, Stage.KNOWLEDGE, Stage.GRAPH)


def augment(library: Library, models: ModelSet, until: Stage, interrupted: Interrupted) -> Steps:
    """Bring moments, events, knowledge and graph up to date, up to a stage; safe to stop at any yield and to start again."""
    memories: Sequence[CapturedMemory] | None = None
    for stage in _ORDER[: _ORDER.index(until) + 1] if until in _ORDER else ():
        if stage is Stage.MOMENTS:
            yield from moments_stage.bring_up_to_date(library)
            continue
        if stage is Stage.EVENTS:
            yield from events_stage.bring_up_to_date(library, models, interrupted)
            continue
        memories = library.memories.matching() if memories is None else memories
        if stage is Stage.KNOWLEDGE:
            yield from _knowledge(library, models, memories, interrupted)
        else:
            yield from graph_stage.bring_up_to_date(library, memories)


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
