"""Is anything there to learn anew? Infers statements where a memory, the person's word or the rules changed, and embeds them."""

import hashlib
import re
from collections.abc import Iterable, Sequence

import numpy as np

from core.augment.declared import VERSION as DECLARED_VERSION
from core.augment.declared import fact_of, stated_of
from core.augment.knowledge import VERSION, Alike, infer, infer_facts_of
from core.jobs import Steps
from core.ports import Interrupted, ModelSet, TextEmbedder
from core.records import CapturedMemory, Knowledge, KnowledgeState, Progress, Stage
from core.retrieve.embed import KNOWLEDGE, drop_owners, embed_missing, knowledge_text
from core.store.forget import SOMETHING_FORGOTTEN
from core.store.library import Library

READER = "knowledge"
"""Who is told of changed memories by the database's triggers."""
_NOTE = "knowledge_input"
_OF_SO_MANY = 1_000
"""One more picture of a thousand changes no habit: below this share statistics wait for more, so that a new memory costs nothing."""
_SAME_MEANING = 0.85
"""MiniLM gives 0.85-0.93 to statements in other words, but also 0.96 to another day and 0.85 to another town: so names and numbers
must be the same too."""
_FIRST_WORDS = frozenset(
    ("Regular", "Goes", "Often", "Most", "First", "Lived", "Buys", "Someone", "Visits", "Lives", "Does")
)
_NAMED = re.compile(r"[A-Z][\w'’-]*\w|\d+")


def bring_up_to_date(library: Library, models: ModelSet, interrupted: Interrupted) -> Steps:
    """Infer what is due and give every statement its vector."""
    total = library.memories.count()
    before = library.knowledge.all(with_rejected=True)
    key = _key(library, before)
    changed = library.derived.changed_memories(READER)
    if library.stages.note(_NOTE) != key or _are_enough(changed, total):
        yield Progress(Stage.KNOWLEDGE, 0, total)
        memories = library.memories.matching()
        items = infer(memories, library.stages.note("owner"), before, _alike(models.text_embedder, before))
        with library.database.write():
            library.knowledge.replace_inferred(items)
            library.stages.record_all(Stage.KNOWLEDGE, key, {})
            library.stages.set_note(_NOTE, key)
            library.derived.seen_memories(READER)
        _drop_vectors(library, before)
    elif who := _speak_facts_of(library, changed, before):
        # the changed memories stay noted: statistics wait for more of them
        items = infer_facts_of(who, _speaking_of(library, who), before, _alike(models.text_embedder, before))
        library.knowledge.replace_inferred(items)
        _drop_vectors(library, before)
    if models.text_embedder:
        texts = {item.id: knowledge_text(item) for item in library.knowledge.all()}
        for batch in embed_missing(library, models.text_embedder, KNOWLEDGE, texts, interrupted):
            yield Progress(Stage.KNOWLEDGE, len(batch), len(texts), "meaning")
    yield Progress(Stage.KNOWLEDGE, total, total)


def _are_enough(changed: Sequence[str], total: int) -> bool:
    """Whether so many memories changed that statistics may differ."""
    return len(changed) * _OF_SO_MANY > total or SOMETHING_FORGOTTEN in changed


def _speak_facts_of(library: Library, changed: Sequence[str], before: Sequence[Knowledge]) -> set[str]:
    """Of whom changed memories state facts, or stated them before: one may be the second to do so, or not any more."""
    now = {who for memory in library.memories.many(changed) for who in stated_of(memory)}
    return now | {who for item in before if (who := fact_of(item)) and not set(changed).isdisjoint(item.evidence_ids)}


def _speaking_of(library: Library, who: Iterable[str]) -> list[CapturedMemory]:
    """Every memory with such a name in its words, in time order."""
    matches = ('"' + name.replace('"', '""') + '"' for name in who)
    total = library.memories.count()
    ids = {memory_id for match in matches for memory_id, _ in library.memories.by_words(match, max(total, 1))}
    return sorted(library.memories.many(sorted(ids)), key=lambda each: (each.taken.wall is None, str(each.taken.wall)))


def _drop_vectors(library: Library, before: Sequence[Knowledge]) -> None:
    left = {item.id for item in library.knowledge.all(with_rejected=True)}
    if gone := [item.id for item in before if item.id not in left]:
        drop_owners(library, KNOWLEDGE, gone)


def _key(library: Library, before: Sequence[Knowledge]) -> str:
    """A hash of what statements are inferred by: rules, owner, and the person's word on them."""
    decided = sorted((item.id, item.state, item.statement) for item in before if item.state != KnowledgeState.INFERRED)
    by = repr((VERSION, DECLARED_VERSION, library.stages.note("owner"), decided))
    return hashlib.blake2b(by.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


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
