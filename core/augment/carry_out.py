"""Carries out what a command in the chat proposed and the person agreed to, each as a correction, and takes it back as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.augment.corrections import Corrector
from core.errors import RequestError
from core.records import ActionKind, Changes, Proposal
from core.store.library import Library

_WHY = "asked for in the chat"


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """What an action changed: in words, for the views, and the corrections that take it back."""

    text: str
    changes: Changes
    correction_ids: tuple[str, ...]


def carry_out(library: Library, correct: Corrector, proposal: Proposal) -> CarriedOut:
    """Do what was proposed, all of it or nothing.

    Raises:
        RequestError: none of the memories is there any more.
    """
    ids = [memory.id for memory in library.memories.many(proposal.memory_ids)]
    if not ids:
        raise RequestError("The pictures of that proposal are gone.", "Ask again.")
    before = {correction.id for correction in library.corrections.all()}
    with library.database.write():
        changes = _done(library, correct, proposal, ids)
    made = tuple(correction.id for correction in library.corrections.all() if correction.id not in before)
    number = f"{len(ids)} picture{'s' if len(ids) != 1 else ''}"
    text = {
        ActionKind.FAVOURITE: f"Marked {number} as favourite.",
        ActionKind.UNFAVOURITE: f"Took {number} out of the favourites.",
        ActionKind.TAG: f"Tagged {number} with “{proposal.name}”.",
        ActionKind.ALBUM: f"Put {number} into the event “{proposal.name}”.",
        ActionKind.MOVE: f"Moved {number}.",
    }[proposal.kind]
    return CarriedOut(text, changes, made)


def take_back(correct: Corrector, correction_ids: Sequence[str]) -> Changes:
    """Undo an action as a whole, the latest change first."""
    changes = Changes()
    for correction_id in reversed(correction_ids):
        changes |= correct.undo(correction_id)
    return changes


def _done(library: Library, correct: Corrector, proposal: Proposal, ids: Sequence[str]) -> Changes:
    if proposal.kind is ActionKind.ALBUM:
        return correct.create_event(proposal.name, ids)
    if proposal.kind is ActionKind.MOVE:
        return correct.move_memories(ids, proposal.event_id)
    changes = Changes()
    for memory in library.memories.many(ids):
        if proposal.kind is ActionKind.TAG:
            changes |= correct.edit_memory(
                memory.id, "keywords", ", ".join(dict.fromkeys((*memory.keywords, proposal.name))), _WHY
            )
        else:
            is_favourite = proposal.kind is ActionKind.FAVOURITE
            changes |= correct.edit_memory(memory.id, "favourite", "yes" if is_favourite else "no", _WHY)
    return changes
