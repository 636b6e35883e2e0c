"""Evidence of one turn: what was retrieved, as short lines with handles that live only for this turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.ask.phrases import quoted
from core.records import CapturedMemory, Knowledge
from core.retrieve.match_words import words_of
from core.text_keys import printable, text_key

MOST_TOKENS = 700
"""Of all lines together, so that a prompt stays below 900 fresh tokens (design, section 7)."""
_LINE_CHARACTERS = 240
_TEXT_CHARACTERS = 110
_COMPARED_WORDS = 400


@dataclass(frozen=True, slots=True)
class Evidence:
    """Memories and statements retrieved for one question, best first; `m1` is the first memory, `k1` the first statement."""

    memories: tuple[CapturedMemory, ...] = ()
    knowledge: tuple[Knowledge, ...] = ()

    def memory(self, handle: str) -> CapturedMemory | None:
        """The memory of a handle, None for a handle that was never given out."""
        number = int(handle[1:]) if handle[:1] == "m" and handle[1:].isdigit() else 0
        return self.memories[number - 1] if 0 < number <= len(self.memories) else None

    def cited(self, handles: Sequence[str]) -> tuple[str, ...]:
        """Memory ids of handles: those of a statement are the memories it was drawn from that are here too."""
        here = {memory.id for memory in self.memories}
        ids: list[str] = []
        for handle in handles:
            memory = self.memory(handle)
            if memory is not None:
                ids.append(memory.id)
            elif handle[:1] == "k" and handle[1:].isdigit() and 0 < int(handle[1:]) <= len(self.knowledge):
                ids.extend(each for each in self.knowledge[int(handle[1:]) - 1].evidence_ids if each in here)
        return tuple(dict.fromkeys(ids))

    def lines(self, question: str, most: int) -> list[str]:
        """At most `most` lines for a model, statements last, within the token budget."""
        words = words_of(question)
        items = [f"m{number} {line_of(memory, words)}" for number, memory in enumerate(self.memories, start=1)]
        items = items[: max(1, most - min(len(self.knowledge), 2))]
        items += [f"k{number} {_flat(item.statement, 160)}" for number, item in enumerate(self.knowledge[:2], start=1)]
        kept: list[str] = []
        room = MOST_TOKENS
        for item in items:
            room -= estimated_tokens(item)
            if room < 0:
                break
            kept.append(item)
        return kept


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is: four letters a token in Latin script, one a token elsewhere."""
    plain = sum(1 for char in text if ord(char) < 0x250)
    return plain // 4 + (len(text) - plain) + 1


def line_of(memory: CapturedMemory, words: Sequence[str] = ()) -> str:
    """A memory in one line: when, where, with whom, what it shows, and the part of its text nearest to the words."""
    wall = memory.taken.wall
    when = (
        "undated"
        if wall is None
        else f"{wall:%a} {wall.day} {wall:%b %Y}" + ("" if memory.taken.day_only else f" {wall:%H:%M}")
    )
    place = quoted(memory.place.label)[:70] if memory.place else ""
    people = "with " + ", ".join(memory.people[:4]) if memory.people else ""
    said = [_flat(memory.title, 80), around(memory.caption, words, _LINE_CHARACTERS)]
    text = around(memory.visible_text, words, _TEXT_CHARACTERS)
    speech = around(memory.speech, words, _TEXT_CHARACTERS)
    parts = [when, place, people, *said, f'text: "{text}"' if text else "", f'said: "{speech}"' if speech else ""]
    return " | ".join(part for part in parts if part)


def around(text: str, words: Sequence[str], most: int) -> str:
    """At most `most` characters of a text, in one line: the stretch that holds most of the words."""
    flat = _flat(text, 20_000)
    if len(flat) <= most:
        return flat
    folded = flat.casefold()
    places = [at for word in words if (at := folded.find(word[:6])) >= 0]
    best = max(places, key=lambda at: sum(1 for other in places if at <= other < at + most), default=0)
    start = max(0, min(best - most // 8, len(flat) - most))
    return ("…" if start else "") + flat[start : start + most].strip() + ("…" if start + most < len(flat) else "")


def best_sentence(memory: CapturedMemory, words: Sequence[str]) -> str:
    """The sentence of a memory that shares most with the words; its whole caption where there is only one."""
    sentences = [each.strip() for text in (memory.caption, memory.speech, memory.title) for each in _sentences(text)]
    lines = [line.strip() for line in memory.visible_text.splitlines() if line.strip()]
    if not sentences and not lines:
        return ""
    asked = set(words)

    def shared(sentence: str) -> int:
        return sum(1 for word in set(text_key(sentence).split()) if word in asked)

    return _flat(max([*sentences, *lines], key=shared), 300)


def _sentences(text: str) -> list[str]:
    flat = text.replace("\n", " ")
    for mark in (". ", "! ", "? "):
        flat = flat.replace(mark, mark[0] + "\n")
    return [part for part in flat.split("\n") if part.strip()]


def _flat(text: str, most: int) -> str:
    """One line without quotation marks that would end the line's own, and never longer than `most`."""
    return " ".join(printable(text).replace('"', "'").split())[:most]


def said_in(memory: CapturedMemory) -> str:
    """Everything that a memory says, uncut."""
    return f"{line_of(memory)} {memory.caption} {memory.visible_text} {memory.speech}"


def words_held(memory: CapturedMemory, content: Sequence[str]) -> int:
    """How many of the words a memory holds in some form: in its texts or in what it shows."""
    said = (line_of(memory), memory.visible_text, *memory.visual_elements, *memory.activities, memory.environment)
    held = words_of(" ".join(said), _COMPARED_WORDS)
    return sum(1 for word in content if any(other[:5] == word[:5] for other in held))
