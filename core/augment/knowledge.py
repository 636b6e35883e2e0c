"""What lasting statements follow from many memories? Statistics, stated facts and cautious traits, each with evidence and a confidence.

Nothing here is about a single picture: two memories on different days are the least, most statements need more.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from core.augment.declared import declared, fact_of
from core.augment.statistics import VERSION as STATISTICS_VERSION
from core.augment.statistics import by_name, counted_statements, ids_of, on_most_days, statement
from core.augment.wording import jaccard, overlap
from core.records import CapturedMemory, Knowledge, KnowledgeState
from core.store import rows
from core.text_keys import text_key

VERSION = f"{STATISTICS_VERSION} receipts-1"
_RECEIPTS = 3
_SURE = 0.5
_SAME_STATEMENT, _SAME_MEMBERS = 0.75, 0.6
_LABELLED = frozenset(("habit", "favourite", "first", "trait"))
"""Kinds whose subject is only a name for what the same memories show; companions on the same pictures are different people."""
_ON_EVERY_RECEIPT = (
    "total subtotal sum cash card change tax vat receipt date time thank thanks visit welcome please invoice order table server "
    "amount balance due item items qty price tel phone www com store shop market street road payment visa mastercard customer "
    "copy usd eur gbp eat take away net gross discount member cashier register terminal approved merchant"
)
_NOT_BOUGHT = frozenset(_ON_EVERY_RECEIPT.split())
_DIETS = {
    "lactose-free": "may avoid lactose", "lactose free": "may avoid lactose", "gluten-free": "may avoid gluten",
    "gluten free": "may avoid gluten", "decaf": "may prefer decaf coffee", "oat milk": "may prefer oat milk",
    "soy milk": "may prefer soy milk", "vegan": "may eat vegan", "vegetarian": "may eat vegetarian", "sugar-free": "may avoid sugar",
    "alcohol-free": "may avoid alcohol",
}  # fmt: skip

Alike = Callable[[str, str], bool]
"""Whether two statements mean the same."""


def infer(
    memories: Sequence[CapturedMemory], owner: str, before: Sequence[Knowledge], alike: Alike = lambda one, other: False
) -> list[Knowledge]:
    """The inferred statements. One that is known by kind and subject keeps its id; one the person decided is not inferred again.

    Args:
        before: every statement of the library, rejected ones included.
        alike: by meaning; without it statements are compared by their words and members alone.
    """
    sure = [memory for memory in memories if memory.taken.day and memory.taken.confidence >= _SURE]
    dated = sorted(sure, key=lambda memory: str(memory.taken.wall))
    return _new([*counted_statements(dated, owner), *_purchases(dated), *declared(memories)], before, alike)


def infer_facts_of(
    who: Collection[str],
    memories: Sequence[CapturedMemory],
    before: Sequence[Knowledge],
    alike: Alike = lambda one, other: False,
) -> list[Knowledge]:
    """The inferred statements with the stated facts of some people anew.

    Args:
        who: keys of those people.
        memories: every memory that speaks of one of them.
    """
    kept = [item for item in before if item.state is KnowledgeState.INFERRED and fact_of(item) not in who]
    return [*kept, *_new([item for item in declared(memories) if fact_of(item) in who], before, alike)]


def _new(found: Iterable[Knowledge], before: Sequence[Knowledge], alike: Alike) -> list[Knowledge]:
    """What was found, without what the person decided on, and with the ids it had before."""
    decided = [item for item in before if item.state is not KnowledgeState.INFERRED]
    ids = {_about(item): item.id for item in before if item.state is KnowledgeState.INFERRED}
    fresh = [item for item in found if not any(says_the_same(item, known, alike) for known in decided)]
    return [replace(item, id=ids.get(_about(item)) or rows.new_id()) for item in _once(fresh)]


def says_the_same(item: Knowledge, known: Knowledge, alike: Alike = lambda one, other: False) -> bool:
    """Whether two statements are one in other words: of one kind about one subject or the same memories, or nearly the same words."""
    if item.subject and known.subject and _about(item) == _about(known):
        return True
    if (
        item.kind == known.kind
        and item.kind in _LABELLED
        and jaccard(item.evidence_ids, known.evidence_ids) >= _SAME_MEMBERS
    ):
        return known.state is KnowledgeState.REJECTED
    if not _agree(item.subject, known.subject):
        return False
    return overlap(item.statement, known.statement) >= _SAME_STATEMENT or alike(item.statement, known.statement)


def _agree(one: str, other: str) -> bool:
    return not one or not other or text_key(one) == text_key(other)


def _about(item: Knowledge) -> tuple[str, str]:
    return item.kind, text_key(item.subject)


def _once(items: Iterable[Knowledge]) -> list[Knowledge]:
    kept: dict[tuple[str, str], Knowledge] = {}
    for item in items:
        kept.setdefault(_about(item), item)
    return list(kept.values())


def _purchases(dated: Sequence[CapturedMemory]) -> Iterator[Knowledge]:
    """Pairs of words that come back on receipts of different days; a diet's words give a cautious trait."""
    receipts = [
        memory
        for memory in dated
        if "receipt" in text_key(memory.document.get("kind", "")) or _looks_like_receipt(memory)
    ]
    for phrase, members, days in on_most_days(
        by_name(receipts, lambda memory: _phrases(memory.visible_text)), _RECEIPTS
    ):
        why = f"“{phrase}” stands on receipts of {len(days)} days."
        yield statement(
            "habit", f"buying {phrase}", f"Buys {phrase} again and again.", ids_of(members), 0.6, why, days[0], days[-1]
        )
    for word, trait in _DIETS.items():
        holding = [memory for memory in receipts if word in text_key(memory.visible_text)]
        for _, members, days in on_most_days(by_name(holding, lambda memory: ("receipt",)), _RECEIPTS):
            why = f"Inferred, not said: “{word}” stands on receipts of {len(days)} days."
            yield statement(
                "trait", word, f"Someone in the household {trait}.", ids_of(members), 0.4, why, days[0], days[-1]
            )


def _looks_like_receipt(memory: CapturedMemory) -> bool:
    shown = text_key(f"{memory.title} {memory.caption} {' '.join(memory.visual_elements)}")
    return "receipt" in shown and bool(memory.visible_text)


def _phrases(text: str) -> list[str]:
    """Pairs of neighbouring words of each line that could be a thing bought."""
    found = []
    for line in text.splitlines():
        tokens = [token.strip(".,:;*()") for token in line.casefold().split()]
        kept = [token for token in tokens if len(token) > 2 and token.replace("-", "").isalpha()]
        if 2 <= len(kept) <= 5 and not any(token in _NOT_BOUGHT for token in kept) and len(kept) < len(tokens):
            found.append(" ".join(kept[:2]))  # a line of goods ends in a price
    return found
