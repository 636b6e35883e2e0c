"""Questions and answers: conditions, search results, the augmented query, the answer and its citations."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from core.records.memories import MemoryKind, Origin


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Exact conditions, all of which must hold; empty means no condition.

    Attributes:
        first_day, last_day: inclusive days on the wall; an undated memory never matches a day.
        people: every one of them is in the memory.
        any_people: of each of these groups somebody is in the memory.
        without_people: none of them is in the memory.
        places: any of them equals (by `text_key`) one part of the memory's place.
        kinds: any of them.
        event_ids: any of them.
        ids: any of them.
        hours: (first hour, last hour) on the wall, inclusive, may wrap past midnight.
        weekdays: 0 is Monday.
        date_origins: the shown date is known from any of these.
    """

    first_day: date | None = None
    last_day: date | None = None
    people: tuple[str, ...] = ()
    any_people: tuple[tuple[str, ...], ...] = ()
    without_people: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    kinds: tuple[MemoryKind, ...] = ()
    event_ids: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None
    hours: tuple[int, int] | None = None
    weekdays: tuple[int, ...] = ()
    date_origins: tuple[Origin, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether every memory matches."""
        return self == MemoryFilter()


@dataclass(frozen=True, slots=True)
class Found:
    """One search result: a memory, how well it matches (0 to 1, comparable within one result list) and why."""

    memory_id: str
    score: float
    why: str = ""


class Intent(StrEnum):
    """What kind of answer a question wants."""

    FIND = "find"
    COUNT = "count"
    WHEN = "when"
    WHERE = "where"
    WHO = "who"
    WHAT = "what"
    LIST = "list"
    DURATION = "duration"
    MOST = "most"
    NEXT = "next"
    PREVIOUS = "previous"
    COMPARE = "compare"
    CHOICE = "choice"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class DayRange:
    """Inclusive days; None on one side is open. `words` is the text of the question it was read from.

    `apart` holds the stretches where several were named ("on 3 and 9 June"); first and last day are then the ends of them all.
    """

    first_day: date | None = None
    last_day: date | None = None
    words: str = ""
    hours: tuple[int, int] | None = None
    weekdays: tuple[int, ...] = ()
    apart: tuple[tuple[date, date], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AugmentedQuery:
    """A question turned into what code can execute (OmniQuery, section 6.1).

    Attributes:
        statement: the question as a statement, for meaning search.
        search_text: the words that say what to look for, without dates, places and people already understood.
        content: the single words of it that count: beyond time, people and places; nothing to search for when empty.
        event_relation: how the named event limits time: during, before, after, about; empty without an event.
        filled_by: which model or `rule` filled intent, activities and objects.
        notes: what was understood, one short sentence each, for "how it was found".
        any_people: at least one of them is in the memory ("my parents").
        without_places: memories at none of them ("not at home").
        untold: relations whose person nobody told ("sister"), as asked.
    """

    question: str
    asked_on: date
    intent: Intent = Intent.FIND
    time: DayRange | None = None
    places: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    without_people: tuple[str, ...] = ()
    unknown_names: tuple[str, ...] = ()
    event_ids: tuple[str, ...] = ()
    event_relation: str = ""
    content: tuple[str, ...] = ()
    activities: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    kinds: tuple[MemoryKind, ...] = ()
    order: str = ""
    unit: str = ""
    statement: str = ""
    search_text: str = ""
    filled_by: str = "rule"
    notes: tuple[str, ...] = ()
    any_people: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    without_places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A memory that supports an answer; it was retrieved in the turn that cites it."""

    memory_id: str
    why: str = ""


class Outcome(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    AMBIGUOUS = "ambiguous"
    NOT_FOUND = "not_found"
    NEEDS_DETAIL = "needs_detail"
    STOPPED = "stopped"


class ValueType(StrEnum):
    """What `Answer.value` is."""

    NUMBER = "number"
    DATE = "date"
    SET = "set"
    TEXT = "text"
    CHOICE = "choice"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Question:
    """One question and its frame.

    Attributes:
        asked_on: the day "today" means.
        options: choices as (letter, text); the answer's value is then a letter.
        within: memory ids the answer must come from; None for the whole library.
        conversation_id: the conversation it follows up; None starts a new one.
        with_agent: let the model look things up step by step, whatever its size.
    """

    text: str
    asked_on: date
    options: tuple[tuple[str, str], ...] = ()
    within: tuple[str, ...] | None = None
    conversation_id: str | None = None
    with_agent: bool = False


class ActionKind(StrEnum):
    """What a command in the chat may change; each can be undone."""

    FAVOURITE = "favourite"
    UNFAVOURITE = "unfavourite"
    TAG = "tag"
    ALBUM = "album"
    MOVE = "move"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that a command asks for, to be carried out on a yes.

    Attributes:
        name: the tag, or the new event's name; empty else.
        event_id: the event to move into; empty else.
    """

    kind: ActionKind
    memory_ids: tuple[str, ...]
    name: str = ""
    event_id: str = ""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of a model that looks things up: what it asked for, what came back, and what of its budget was left then."""

    action: str
    result: str
    budget: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the person reads, and everything needed to trust or distrust it.

    Attributes:
        value: number, ISO date, sorted set, text or choice letter, by `value_type`.
        citations: in order of support, all retrieved in this turn; empty on `not_found`.
        found_by: one sentence: what was understood and how it was computed.
        searched: what was looked through, for "not found".
        model: the model that phrased or judged; empty when code did everything.
        proposal: the change a command asks for; nothing is changed before the person says yes.
        trace: what the model looked up, step by step, where it did.
        first_pictures_s: seconds until the first pictures could be shown; None when there were none.
    """

    outcome: Outcome
    text: str
    value: int | float | str | tuple[str, ...] | None = None
    value_type: ValueType = ValueType.NONE
    explanation: str = ""
    citations: tuple[Citation, ...] = ()
    confidence: float = 0.0
    found_by: str = ""
    searched: str = ""
    readings: tuple[str, ...] = ()
    model: str = ""
    seconds: float = 0.0
    first_pictures_s: float | None = None
    prompt_tokens: int = 0
    fresh_prompt_tokens: int = 0
    completion_tokens: int = 0
    conversation_id: str = ""
    trace: tuple[TraceStep, ...] = ()
    proposal: Proposal | None = None


@dataclass(frozen=True, slots=True)
class AskStep:
    """News from a question that is being answered.

    Attributes:
        doing: what is happening, for the person.
        pictures: memory ids found so far, best first.
        text: a piece of the model's sentence as it is written (append to what came before); a draft that the checked answer
            replaces.
    """

    doing: str = ""
    pictures: tuple[str, ...] = ()
    text: str = ""
