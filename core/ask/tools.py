"""The five tools on a library, `search grep list get view`, as a model is given them: short handles, short results, budgets.

A tool never fails for a model's mistake: an unknown handle or a used-up budget is a result that says so. Handles (`m3`, `e1`)
live for one turn, so that a model can neither invent nor leak a real id.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.ask.evidence import around, line_of
from core.ask.prompts import view_prompt
from core.ask.replies import read_seen
from core.errors import AppError
from core.ports import Captioner, Interrupted, Pixels, TextEmbedder, never
from core.records import CapturedMemory, Event, Found, MemoryFilter
from core.retrieve.match_words import words_of
from core.retrieve.search import EVERYTHING, grep, listing, search
from core.store.library import Library

MOST_CALLS, MOST_VIEWS, MOST_PICTURES = 25, 5, 6
_MOST_RESULTS = 20
_WHOLE_TEXT = 1_500

PictureLoader = Callable[[CapturedMemory], Pixels]
"""Decodes a memory's picture; raises a `PhotoError` where that is not possible."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool call returned: text for the model, and which memories it showed."""

    text: str
    memory_ids: tuple[str, ...] = ()
    is_refused: bool = False


@dataclass(slots=True)
class Handles:
    """Short names of one kind, given out in order: `m1`, `m2` and so on."""

    letter: str
    items: list[str] = field(default_factory=list)

    def of(self, item: str) -> str:
        """The handle of an item, a new one where it has none."""
        if item not in self.items:
            self.items.append(item)
        return f"{self.letter}{self.items.index(item) + 1}"

    def item(self, handle: str) -> str | None:
        """The item of a handle; None for one that was never given out."""
        is_ours = handle[:1] == self.letter and handle[1:].isascii() and handle[1:].isdigit()
        number = int(handle[1:8]) if is_ours else 0
        return self.items[number - 1] if 0 < number <= len(self.items) else None


@dataclass(slots=True)
class Toolbox:
    """The tools of one turn.

    Attributes:
        scope: conditions that hold for every call (a selection, the time of the question).
        captioner: None where no model can look at pictures; `view` then says so.
        seen: every memory that a tool returned, in order; only these may be cited.
    """

    library: Library
    embedder: TextEmbedder | None = None
    captioner: Captioner | None = None
    load_picture: PictureLoader | None = None
    scope: MemoryFilter = EVERYTHING
    interrupted: Interrupted = never
    calls_left: int = MOST_CALLS
    views_left: int = MOST_VIEWS
    seen: dict[str, None] = field(default_factory=dict)
    memories: Handles = field(default_factory=lambda: Handles("m"))
    events: Handles = field(default_factory=lambda: Handles("e"))

    def search(self, text: str, k: int = 10) -> ToolResult:
        """Memories that fit a text by meaning and words."""
        refusal = self._spend()
        return refusal or self._shown(search(self.library, self.embedder, text, self.scope, _few(k)), words_of(text))

    def grep(self, piece: str, k: int = 10) -> ToolResult:
        """Memories that contain a piece of text exactly."""
        refusal = self._spend()
        return refusal or self._shown(grep(self.library, piece, self.scope, _few(k)), [piece.casefold()])

    def list(self, wanted: MemoryFilter, k: int = 10, offset: int = 0) -> ToolResult:
        """Memories that match conditions, newest first; the count of all that match comes with them."""
        refusal = self._spend()
        if refusal:
            return refusal
        both = _both(self.scope, wanted)
        shown = self._shown(listing(self.library, both, _few(k), max(0, offset)), [])
        return replace(shown, text=f"{self.library.memories.count(both)} match.\n{shown.text}")

    def get(self, handle: str) -> ToolResult:
        """Everything known about one memory (`m3`) or event (`e1`)."""
        refusal = self._spend()
        if refusal:
            return refusal
        if (event_id := self.events.item(handle)) is not None:
            return self._event(self.library.events.get(event_id))
        memory_id = self.memories.item(handle)
        if memory_id is None:
            return ToolResult(f"There is no {handle[:20]!r}. Use a handle from an earlier result.", is_refused=True)
        memory = self.library.memories.get(memory_id)
        return ToolResult(self._whole(handle, memory), (memory_id,))

    def view(self, handles: Sequence[str], question: str) -> ToolResult:
        """Look at the pixels of up to six memories with the vision model."""
        refusal = self._spend()
        if refusal:
            return refusal
        if self.captioner is None or self.load_picture is None:
            return ToolResult("No model that can look at pictures is installed; go by the texts.", is_refused=True)
        if self.views_left <= 0:
            return ToolResult(f"All {MOST_VIEWS} views of this question are used up.", is_refused=True)
        ids = [each for handle in handles[:MOST_PICTURES] if (each := self.memories.item(handle))]
        self.views_left -= 1
        pictures: list[Pixels] = []
        problems: list[str] = []
        for memory in self.library.memories.many(ids):
            try:
                pictures.append(self.load_picture(memory))
            except AppError as error:
                problems.append(str(error))
        if not pictures:
            return ToolResult(" ".join(["There is no picture to look at.", *problems]), is_refused=True)
        reply = self.captioner.describe(pictures, view_prompt(question), interrupted=self.interrupted)
        return ToolResult(" ".join([read_seen(reply.text), *problems]), tuple(ids))

    def budget(self) -> str:
        """What is left, as the model is told at every step."""
        return f"{self.calls_left} calls and {self.views_left} views left."

    def _spend(self) -> ToolResult | None:
        if self.calls_left <= 0:
            return ToolResult(f"All {MOST_CALLS} calls of this question are used up. Answer now.", is_refused=True)
        self.calls_left -= 1
        return None

    def _shown(self, found: Sequence[Found], words: Sequence[str]) -> ToolResult:
        if not found:
            return ToolResult("Nothing found.")
        memories = self.library.memories.many([each.memory_id for each in found])
        lines = [f"{self.memories.of(memory.id)} {line_of(memory, words)}" for memory in memories]
        ids = tuple(memory.id for memory in memories)
        self.seen.update(dict.fromkeys(ids))
        return ToolResult("\n".join(lines), ids)

    def _event(self, event: Event) -> ToolResult:
        members = [self.memories.of(member) for member in event.member_ids[:_MOST_RESULTS]]
        self.seen.update(dict.fromkeys(event.member_ids[:_MOST_RESULTS]))
        when = f"{event.start:%Y-%m-%d} to {event.end:%Y-%m-%d}" if event.start and event.end else "undated"
        text = f"{event.name} | {when} | {event.place} | {around(event.summary, [], 400)} | {' '.join(members)}"
        return ToolResult(text, event.member_ids[:_MOST_RESULTS])

    def _whole(self, handle: str, memory: CapturedMemory) -> str:
        self.seen.setdefault(memory.id)
        events = [self.events.of(event_id) for event_id in memory.event_ids]
        parts = [
            f"{handle} {line_of(memory)}",
            f"caption: {around(memory.caption, [], _WHOLE_TEXT)}",
            f"text: {around(memory.visible_text, [], _WHOLE_TEXT)}" if memory.visible_text else "",
            f"said: {around(memory.speech, [], _WHOLE_TEXT)}" if memory.speech else "",
            f"shows: {', '.join((*memory.visual_elements, *memory.activities))}"[:400],
            f"part of: {' '.join(events)}" if events else "",
        ]
        return "\n".join(part for part in parts if part)


def _few(k: int) -> int:
    return max(1, min(k, _MOST_RESULTS))


def _both(scope: MemoryFilter, wanted: MemoryFilter) -> MemoryFilter:
    """Both filters at once: the later first day, the earlier last day, everyone named in either."""
    firsts = [day for day in (scope.first_day, wanted.first_day) if day]
    lasts = [day for day in (scope.last_day, wanted.last_day) if day]
    return replace(
        wanted,
        first_day=max(firsts, default=None),
        last_day=min(lasts, default=None),
        people=tuple(dict.fromkeys((*scope.people, *wanted.people))),
        without_people=tuple(dict.fromkeys((*scope.without_people, *wanted.without_people))),
        places=wanted.places or scope.places,
        kinds=wanted.kinds or scope.kinds,
        event_ids=wanted.event_ids or scope.event_ids,
        ids=_common(scope.ids, wanted.ids),
        hours=wanted.hours or scope.hours,
        weekdays=wanted.weekdays or scope.weekdays,
    )


def _common(first: tuple[str, ...] | None, second: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if first is None or second is None:
        return second if first is None else first
    return tuple(each for each in second if each in frozenset(first))
