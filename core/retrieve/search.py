"""Finds memories by meaning and words, by a piece of text, or by conditions alone; conditions always apply before ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.ports import ImageEmbedder, TextEmbedder
from core.records import CapturedMemory, Found, MemoryFilter
from core.retrieve.embed import EVENT, MEMORY, index_of
from core.retrieve.exonyms import other_names
from core.retrieve.fuse import Ranked, fuse, without_repeats
from core.retrieve.look_alike import looking_like_text
from core.retrieve.match_words import match_any, match_phrase, quoted_pieces, unspaced_pieces, words_of
from core.retrieve.neighbours import CONSIDERED, supported
from core.store.library import Library
from core.store.memories import MOST_RANKED
from core.text_keys import printable, text_key

EVERYTHING = MemoryFilter()

# Weights measured on the lifebench packs (tests/bench/retrieval.py): words find more of the evidence than a small embedder.
_WORDS_WEIGHT, _MEANING_WEIGHT, _EVENT_WEIGHT, _EXACT_WEIGHT = 1.0, 0.7, 0.3, 2.0
_MEANING_WEIGHT_UNDATED = 1.0
"""Where no time narrows the library, more memories share a word by chance."""
_NOT_CLOSE, _NOT_CLOSE_NARROWED = 0.25, 0.05
"""Below this cosine MiniLM's neighbours of an English question are unrelated; such a hit needs a word in common to count.
Where conditions have narrowed the library, what is left is related already, and a stricter cut loses evidence (0.60 against 0.66)."""
_LOOKS_WEIGHT = 0.7
"""As much as meaning: no image embedder's weights were at hand to measure it."""
_EVENT_CLOSE = 0.45
_EVENTS_FOLLOWED = 3
_WHY_WORDS = 5


def search(
    library: Library,
    embedder: TextEmbedder | None,
    text: str,
    wanted: MemoryFilter = EVERYTHING,
    k: int = 20,
    eyes: ImageEmbedder | None = None,
) -> list[Found]:
    """The k memories that fit the text best, among those that match `wanted`; fewer, or none, where nothing fits.

    Args:
        embedder: None searches by words alone.
        text: anything a person types; a quoted piece is found as it is written. Without any word, the newest that match.
        eyes: also finds pictures that look like what the text says.
    """
    text = printable(text).strip()
    if not words_of(text) and not unspaced_pieces(text):
        return listing(library, wanted, k) if not wanted.is_empty else []
    depth = max(4 * k, 50)
    near = _near(library, embedder, text, wanted, depth)
    shown = looking_like_text(library, eyes, text, wanted, depth) if eyes else {}
    lists = [
        Ranked(_by_words(library, text, wanted, depth), _WORDS_WEIGHT),
        Ranked(list(near), _MEANING_WEIGHT if wanted.first_day else _MEANING_WEIGHT_UNDATED),
        Ranked(list(shown), _LOOKS_WEIGHT),
        *_exact(library, text, wanted, depth),
    ]
    events = _event_members(library, embedder, text, wanted, near)
    ranked = fuse([*lists, *events])
    if not ranked:  # half a word as it is being typed, or a piece of a code that a picture holds
        return [replace(each, why=f"holds “{text[:60]}”: {each.why}") for each in grep(library, text, wanted, k)]
    ranked = supported(ranked, library.memories.bare([memory_id for memory_id, _ in ranked[:CONSIDERED]]))
    scores = dict(ranked)
    memories = without_repeats(library.memories.many([memory_id for memory_id, _ in ranked[: 3 * k]]))
    by_event = {memory_id: each.why for each in reversed(events) for memory_id in each.ids}
    words = words_of(text)
    return [
        Found(memory.id, round(scores[memory.id], 4), _why(memory, words, near, by_event, shown))
        for memory in memories[:k]
    ]


def limits_of(library: Library, text: str, wanted: MemoryFilter) -> str:
    """A sentence where not all that share a word with the text were ranked by their words; empty where all were."""
    expression = match_any(words_of(printable(text)))
    if not expression or not library.memories.is_ranked_in_part(expression, wanted):
        return ""
    return (
        f"More than {MOST_RANKED:,} memories share a word with it: only those added last were ranked. A time narrows it"
    )


def grep(library: Library, piece: str, wanted: MemoryFilter = EVERYTHING, k: int = 20) -> list[Found]:
    """The newest k memories whose words, text or names contain the piece as it is written (case aside)."""
    piece = printable(piece).strip()[:200]
    if not piece:
        return []
    ids = library.memories.by_letters(piece, k, wanted)
    return [Found(memory.id, 1.0, _line_with(memory, piece)) for memory in library.memories.many(ids)]


def listing(library: Library, wanted: MemoryFilter = EVERYTHING, k: int = 20, offset: int = 0) -> list[Found]:
    """Memories that match the conditions, newest first, undated last."""
    ids = library.memories.ids_matching(wanted, newest_first=True, limit=k, offset=offset)
    return [Found(memory.id, 1.0, _when_and_where(memory)) for memory in library.memories.many(ids)]


def _by_words(library: Library, text: str, wanted: MemoryFilter, depth: int) -> list[str]:
    words = words_of(text)
    expression = match_any([*words, *(name for word in words for name in other_names(word))])
    return [memory_id for memory_id, _ in library.memories.by_words(expression, depth, wanted)] if expression else []


def _near(
    library: Library, embedder: TextEmbedder | None, text: str, wanted: MemoryFilter, depth: int
) -> dict[str, float]:
    """Memories close in meaning, closest first, with their similarity; the unrelated are cut off."""
    if embedder is None:
        return {}
    among = None if wanted.is_empty else library.memories.ids_matching(wanted)
    vector = embedder.embed_query(text[-2_000:]).reshape(-1)
    nearest = index_of(library, embedder, MEMORY).nearest(vector, depth, among)
    floor = _NOT_CLOSE if among is None else _NOT_CLOSE_NARROWED
    return {near.owner_id: near.similarity for near in nearest if near.similarity >= floor}


def _exact(library: Library, text: str, wanted: MemoryFilter, depth: int) -> list[Ranked]:
    """What the person put in quotation marks, and runs of a script without spaces."""
    lists = []
    for piece in quoted_pieces(text):
        expression = match_phrase(words_of(piece))
        if expression:
            ids = [memory_id for memory_id, _ in library.memories.by_words(expression, depth, wanted)]
            lists.append(Ranked(ids, _EXACT_WEIGHT))
    for piece in unspaced_pieces(text):
        pairs = dict.fromkeys(piece[start : start + 2] for start in range(len(piece) - 1))
        lists.extend(Ranked(library.memories.by_letters(pair, depth, wanted), 0.5) for pair in pairs)
    return lists


def _event_members(
    library: Library, embedder: TextEmbedder | None, text: str, wanted: MemoryFilter, near: Mapping[str, float]
) -> list[Ranked]:
    """An event that fits brings all its memories (OmniQuery, section 6.2), those that fit best themselves first."""
    if embedder is None:
        return []
    vector = embedder.embed_query(text[-2_000:]).reshape(-1)
    hits = index_of(library, embedder, EVENT).nearest(vector, _EVENTS_FOLLOWED)
    close = [hit.owner_id for hit in hits if hit.similarity >= _EVENT_CLOSE]
    if not close:
        return []
    allowed = None if wanted.is_empty else frozenset(library.memories.ids_matching(wanted))
    lists = []
    for event in library.events.many(close):
        members = [member for member in event.member_ids if allowed is None or member in allowed]
        members.sort(key=lambda member: -near.get(member, 0.0))
        lists.append(Ranked(members, _EVENT_WEIGHT, f"part of “{event.name}”"))
    return lists


def _why(
    memory: CapturedMemory,
    words: Sequence[str],
    near: Mapping[str, float],
    by_event: Mapping[str, str],
    shown: Mapping[str, float],
) -> str:
    held = set(text_key(_all_text(memory)).split()) | set(words_of(_all_text(memory), 2_000))
    shared = [word for word in words if any(other == word or _same_stem(word, other) for other in held)]
    reasons = []
    if shared:
        reasons.append("says " + ", ".join(shared[:_WHY_WORDS]))
    if memory.id in near:
        reasons.append(f"close in meaning ({near[memory.id]:.2f})")
    if memory.id in shown:
        reasons.append(f"looks like it ({shown[memory.id]:.2f})")
    if memory.id in by_event:
        reasons.append(by_event[memory.id])
    return "; ".join(reasons) or "a form of the words asked for"


def _same_stem(word: str, other: str) -> bool:
    shorter = min(len(word), len(other))
    return shorter >= 4 and word[: shorter - 1] == other[: shorter - 1] and abs(len(word) - len(other)) <= 3


def _all_text(memory: CapturedMemory) -> str:
    place = memory.place.label if memory.place else ""
    parts = (memory.title, memory.caption, memory.visible_text, memory.speech, place, memory.environment)
    return " ".join((*parts, *memory.people, *memory.visual_elements, *memory.activities, *memory.keywords))


def _line_with(memory: CapturedMemory, piece: str) -> str:
    """The line that holds the piece, shortened around it."""
    for text in (memory.visible_text, memory.caption, memory.speech, memory.title, memory.file_name):
        for line in text.splitlines():
            at = line.casefold().find(piece.casefold())
            if at >= 0:
                start = max(0, at - 40)
                return ("…" if start else "") + line[start : at + len(piece) + 40].strip()
    return _when_and_where(memory)


def _when_and_where(memory: CapturedMemory) -> str:
    day = memory.taken.day.isoformat() if memory.taken.day else "undated"
    place = memory.place.label if memory.place else ""
    return f"{day}, {place}" if place else day
