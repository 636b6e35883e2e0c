"""Reads a command in a question ("mark yesterday's pictures as favourites") as a proposed action; nothing is changed before a yes."""

import json
import re
from collections.abc import Sequence

from core.ask.phrases import conditions
from core.ask.plan import Plan, members
from core.ask.turn import Draft, Turn, not_found
from core.counted import counted
from core.records import ActionKind, Intent, Outcome, Proposal
from core.text_keys import printable, text_key

_NAME = r"[\"“'‘]?(?P<name>[^\"”'’?]+?)[\"”'’]?"
_RULES = (
    (
        ActionKind.UNFAVOURITE,
        re.compile(r"\b(?:unmark|un-?favou?rite|remove\b.*\bfrom (?:my |the )?favou?rites?)\b", re.IGNORECASE),
    ),
    (ActionKind.FAVOURITE, re.compile(r"\b(?:favou?rites?|star(?:red)?)\b", re.IGNORECASE)),
    (
        ActionKind.TAG,
        re.compile(rf"^\W*(?:please |can you |could you )?(?:tag|label)\b.*\b(?:as|with)\s+{_NAME}\W*$", re.IGNORECASE),
    ),
    (
        ActionKind.ALBUM,
        re.compile(
            rf"\b(?:album|event|collection|folder)\b(?:\s+(?:called|named|titled|for|of|:)\s*{_NAME}\W*$)?",
            re.IGNORECASE,
        ),
    ),
    (
        ActionKind.MOVE,
        re.compile(r"^\W*(?:please |can you |could you )?(?:put|add|move)\b.*\b(?:in|to|into)\b", re.IGNORECASE),
    ),
)
_POINTING = re.compile(r"\b(?:these|those|them|this|that|it)\b", re.IGNORECASE)
_COMMANDING = """
    mark tag label put add create make album event collection folder called named titled favourite favourites favorite favorites star
    starred these those them this that it new into as with set remove unmark unfavourite unfavorite move please
"""
_COMMAND_WORDS = frozenset(_COMMANDING.split())
_MOST = 500
_NO = (
    "That asks me to change something I do not change from the chat; nothing was changed. I can mark pictures as favourites, tag them, "
    "or put them into an event. To forget a memory, open it."
)


def answer(turn: Turn, plan: Plan) -> Draft | None:
    """The proposed action with the pictures it would change; None where the question is no command."""
    if plan.query.intent is not Intent.COMMAND:
        return None
    text = printable(turn.question.text)[:1_000]
    kind, name = _kind_of(text)
    if kind is None:
        return Draft(outcome=Outcome.NEEDS_DETAIL, text=_NO)
    ids = _chosen(turn, plan, text, name)
    if not ids:
        said = conditions(plan.query, plan.understood.place_groups)
        return not_found(
            f"I found no picture for that{said}; nothing was changed.", "The pictures you named, or those shown last."
        )
    events = turn.library.events.many(plan.query.event_ids)
    if kind is ActionKind.MOVE and not events:
        return Draft(
            outcome=Outcome.NEEDS_DETAIL,
            text="Into which event? I know none of that name; say “an album called …” for a new one.",
        )
    name = name or (f"Album of {turn.question.asked_on.isoformat()}" if kind is ActionKind.ALBUM else "")
    proposal = Proposal(kind, tuple(ids), name, events[-1].id if kind is ActionKind.MOVE else "")
    pictures = counted(len(ids), "picture")
    told = {
        ActionKind.FAVOURITE: f"Mark {pictures} as favourite{'s' if len(ids) > 1 else ''}?",
        ActionKind.UNFAVOURITE: f"Take {pictures} out of the favourites?",
        ActionKind.TAG: f"Tag {pictures} with “{name}”?",
        ActionKind.ALBUM: f"Put {pictures} into a new event “{name}”?",
        ActionKind.MOVE: f"Move {pictures} into “{events[-1].name if events else ''}”?",
    }[kind]
    shown = turn.note_retrieved(ids, "would be changed")
    return Draft(outcome=Outcome.NEEDS_DETAIL, text=f"{told} Nothing is changed until you say yes; it can be undone.", cited=shown,
                 confidence=0.8, proposal=proposal)  # fmt: skip


def _kind_of(text: str) -> tuple[ActionKind | None, str]:
    for kind, pattern in _RULES:
        if match := pattern.search(text):
            return kind, (match.groupdict().get("name") or "").strip()[:120]
    return None, ""


def _chosen(turn: Turn, plan: Plan, text: str, name: str) -> Sequence[str]:
    """The memories meant: those of the selection or shown last ("these"), else those that fulfil what was said."""
    if _POINTING.search(text) and not (plan.query.time or plan.query.people or plan.query.places):
        return turn.question.within or _shown_last(turn)
    named = set(text_key(name).split())
    content = [word for word in plan.understood.content if word not in _COMMAND_WORDS | named]
    into = re.search(r"\b(?:into|to)\b", text) if plan.query.event_ids else None
    query = plan.query
    is_open = not (
        content or query.time or query.people or query.places or query.kinds or (query.event_ids and not into)
    )
    return () if is_open else [memory.id for memory in members(turn.library, plan, content)][:_MOST]


def _shown_last(turn: Turn) -> tuple[str, ...]:
    """What the conversation's last answer cited and is still there."""
    conversation = turn.question.conversation_id
    turns = turn.library.conversations.turns(conversation) if conversation else []
    stored = json.loads(turns[-1].answer) if turns else {}
    ids = [str(each["memory_id"]) for each in stored.get("citations", ())]
    return tuple(memory.id for memory in turn.library.memories.many(ids))
