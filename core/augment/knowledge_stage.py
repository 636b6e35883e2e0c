"""Is anything there to learn anew? Infers statements where a memory, the person's word or the rules changed, and embeds them."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from core.augment.declared import VERSION as DECLARED_VERSION
from core.augment.knowledge import VERSION, Alike, infer
from core.jobs import Steps
from core.ports import Interrupted, ModelSet, TextEmbedder
from core.records import CapturedMemory, Knowledge, KnowledgeState, Progress, Stage
from core.retrieve.embed import KNOWLEDGE, drop_owners, embed_missing, knowledge_text
from core.store.library import Library

_NOTE = "knowledge_input"
_SAME_MEANING = 0.85
"""MiniLM gives 0.85-0.93 to statements in other words, but also 0.96 to another day and 0.85 to another town: so names and numbers
must be the same too."""
_FIRST_WORDS = frozenset(
    ("Regular", "Goes", "Often", "Most", "First", "Lived", "Buys", "Someone", "Visits", "Lives", "Does")
)
_NAMED = re.compile(r"[A-Z][\w'’-]*\w|\d+")


def bring_up_to_date(
    library: Library, models: ModelSet, memories: Sequence[CapturedMemory], interrupted: Interrupted
) -> Steps:
    """Infer what is due and give every statement its vector."""
    before = library.knowledge.all(with_rejected=True)
    key = _key(library, memories, before)
    if library.stages.note(_NOTE) != key:
        yield Progress(Stage.KNOWLEDGE, 0, len(memories))
        items = infer(memories, library.stages.note("owner"), before, _alike(models.text_embedder, before))
        with library.database.write():
            library.knowledge.replace_inferred(items)
            library.stages.record_all(Stage.KNOWLEDGE, key, {})
            library.stages.set_note(_NOTE, key)
        left = {item.id for item in library.knowledge.all(with_rejected=True)}
        if gone := [item.id for item in before if item.id not in left]:
            drop_owners(library, KNOWLEDGE, gone)
    if models.text_embedder:
        texts = {item.id: knowledge_text(item) for item in library.knowledge.all()}
        for batch in embed_missing(library, models.text_embedder, KNOWLEDGE, texts, interrupted):
            yield Progress(Stage.KNOWLEDGE, len(batch), len(texts), "meaning")
    yield Progress(Stage.KNOWLEDGE, len(memories), len(memories))


def _key(library: Library, memories: Sequence[CapturedMemory], before: Sequence[Knowledge]) -> str:
    """A hash of everything that statements are inferred from."""
    decided = sorted((item.id, item.state, item.statement) for item in before if item.state != KnowledgeState.INFERRED)
    digest = hashlib.blake2b(
        repr((VERSION, DECLARED_VERSION, library.stages.note("owner"), decided)).encode(), digest_size=16
    )
    for memory in memories:
        read = (
            memory.id, memory.taken.wall, memory.taken.confidence, memory.place, memory.people, memory.activities,
            memory.visual_elements, memory.title, memory.caption, memory.visible_text, memory.speech, memory.document.get("kind"),
        )  # fmt: skip
        digest.update(repr(read).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _alike(embedder: TextEmbedder | None, before: Sequence[Knowledge]) -> Alike:
    """Whether two statements mean the same, by their vectors; asked only where the person rejected any."""
    if embedder is None or not any(item.state is KnowledgeState.REJECTED for item in before):
        return lambda one, other: False
    known: dict[str, np.ndarray] = {}

    def vector(text: str) -> np.ndarray:
        if text not in known:
            known[text] = embedder.embed_passages([text])[0]
        return known[text]

    return lambda one, other: _named(one) == _named(other) and float(vector(one) @ vector(other)) >= _SAME_MEANING


def _named(statement: str) -> frozenset[str]:
    """The names and numbers of a statement."""
    return frozenset(re.sub(r"['’]s$", "", word) for word in _NAMED.findall(statement)) - _FIRST_WORDS
