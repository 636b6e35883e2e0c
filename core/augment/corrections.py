"""What may the person change, and what does each change do? Every change is kept, outlives every re-run, and can be undone.

Each method is one transaction that records a `Correction` and shows its effect at once. Events are replayed from what was
derived (`core.augment.replay`), values of memories have the person as their origin, statements carry the person's word.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.augment.clock_corrections import CLOCK, DATE, show_times
from core.augment.forget import forget
from core.augment.gist import gist
from core.augment.people_board import PERSON
from core.augment.people_shown import show_people
from core.augment.relations import Relations
from core.augment.replay import is_same_event
from core.augment.shown import drop_vectors, show_changed
from core.augment.snapshots import Fields, event_snapshot, knowledge_fields, knowledge_from, packed, unpacked
from core.augment.spoken import FieldEdit, edit_of
from core.augment.taught import RULE, carry_out
from core.errors import RequestError
from core.records import Changes, Correction, Doubt, Event, EventStatus, Knowledge, KnowledgeState, Provenance, Stage
from core.retrieve.embed import KNOWLEDGE, drop_owners
from core.retrieve.rejected import ANSWER, question_key
from core.store import rows
from core.store.doubtful import DOUBT, doubt_key
from core.store.library import Library
from core.store.told import RELATION
from core.text_keys import printable

_FROM_VALUES = (Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)
"""Stages that read a memory's values: due again when the person changes one."""
_EVENTS = Changes(events=True, memories=True)
_BY_PERSON = Provenance("person")
_LONGEST_NAME = 200


class Corrector:
    """The person's hand on the library. Methods raise RequestError for things that do not exist or make no sense."""

    def __init__(self, library: Library) -> None:
        self._library = library

    # events

    def rename_event(self, event_id: str, name: str, why: str = "") -> Changes:
        """Give an event the person's name."""
        return self._event("rename", event_id, {"name": _named(name)}, why)

    def redate_event(self, event_id: str, first_day: date, last_day: date, why: str = "") -> Changes:
        """Say when an event was."""
        if last_day < first_day:
            raise RequestError("The event would end before it begins.", "Give the first day first.")
        days = {"first_day": first_day.isoformat(), "last_day": last_day.isoformat()}
        return self._event("redate", event_id, days, why)

    def replace_event(self, event_id: str, place: str, why: str = "") -> Changes:
        """Say where an event was."""
        return self._event("replace", event_id, {"place": printable(place).strip()}, why)

    def set_importance(self, event_id: str, importance: int, why: str = "") -> Changes:
        """Say how much an event matters: 1 (small) to 3 (major)."""
        if importance not in (1, 2, 3):
            raise RequestError(f"The importance {importance} is none.", "It is 1, 2 or 3.")
        return self._event("importance", event_id, {"importance": importance}, why)

    def confirm_event(self, event_id: str, why: str = "") -> Changes:
        """Say that an event is right: its name and its memories stay, whatever a re-run finds."""
        event = self._library.events.get(event_id)
        return self._event("confirm", event.id, {"event": event_snapshot(event)}, why)

    def lock_event(self, event_id: str, why: str = "") -> Changes:
        """Keep an event exactly as it is now, its memories too: no run adds to it or takes from it."""
        event = self._library.events.get(event_id)
        return self._event("lock", event.id, {"event": event_snapshot(event)}, why)

    def delete_event(self, event_id: str, why: str = "") -> Changes:
        """Say that this was no event. The memories stay; a re-run does not bring it back in other words."""
        event = self._library.events.get(event_id)
        # what resembles it but stands beside it now is not what the person took away
        kept = [
            other.id for other in self._library.events.all() if other.id != event.id and is_same_event(other, event)
        ]
        return self._event("delete", event.id, {"kept_ids": kept}, why)

    def create_event(self, name: str, memory_ids: Sequence[str]) -> Changes:
        """Make an event of memories."""
        event = self._new_event(_named(name), memory_ids)
        return self._events(
            Correction(
                id="",
                target_kind="event",
                target_id=event.id,
                action="add",
                after=packed({"event": event_snapshot(event)}),
            )
        )

    def split_event(self, event_id: str, memory_ids: Sequence[str], name: str) -> Changes:
        """Make an event of its own out of some memories of another."""
        event = self._library.events.get(event_id)
        members = self._known(memory_ids)
        if not set(members) <= set(event.member_ids):
            raise RequestError(f"Not all of these memories are in {event.name!r}.")
        if set(members) == set(event.member_ids):
            raise RequestError(f"Nothing would be left in {event.name!r}.", "Rename it instead.")
        part = replace(self._new_event(_named(name), members), importance=event.importance, parent_id=event.parent_id)
        return self._event("split", event.id, {"event": event_snapshot(part)})

    def merge_events(self, keep_id: str, other_id: str) -> Changes:
        """Make one event of two; it keeps the name of the first."""
        keep, other = self._library.events.get(keep_id), self._library.events.get(other_id)
        if keep.id == other.id:
            raise RequestError("An event cannot be merged with itself.")
        return self._events(
            Correction(
                id="",
                target_kind="event",
                target_id=keep.id,
                action="merge",
                before=packed({"keep": event_snapshot(keep), "other": event_snapshot(other)}),
                after=packed({"other_id": other.id}),
            )
        )

    def move_memories(
        self, memory_ids: Sequence[str], to_event_id: str | None, from_event_id: str | None = None
    ) -> Changes:
        """Move memories from one event into another.

        Args:
            to_event_id: None takes them out only.
            from_event_id: None takes them out of every event they are in.
        """
        members = self._known(memory_ids)
        into = self._library.events.get(to_event_id) if to_event_id else None
        out_of = self._library.events.get(from_event_id) if from_event_id else None
        target = into or out_of
        return self._events(
            Correction(
                id="",
                target_kind="event",
                target_id=target.id if target else "",
                action="move",
                before=packed({"to": event_snapshot(into) if into else None, "from": event_snapshot(out_of) if out_of else None}),
                after=packed({"member_ids": members, "to_id": into.id if into else None, "from_id": out_of.id if out_of else None}),
            )
        )  # fmt: skip

    # statements

    def confirm_fact(self, fact_id: str) -> Changes:
        """Say that a statement is right."""
        return self._fact("confirm", self._library.knowledge.get(fact_id), {})

    def reject_fact(self, fact_id: str) -> Changes:
        """Say that a statement is wrong; it does not come back in other words."""
        return self._fact("reject", self._library.knowledge.get(fact_id), {})

    def edit_fact(self, fact_id: str, statement: str) -> Changes:
        """Say a statement in the person's words."""
        return self._fact("edit", self._library.knowledge.get(fact_id), {"statement": _named(statement)})

    def add_fact(self, statement: str) -> Changes:
        """Add a statement of the person's own; it needs no evidence."""
        item = Knowledge(
            id=rows.new_id(),
            statement=_named(statement),
            confidence=1.0,
            state=KnowledgeState.OWN,
            why="You said so.",
            provenance=_BY_PERSON,
        )
        with self._library.database.write():
            self._library.corrections.add(
                Correction(
                    id="",
                    target_kind="knowledge",
                    target_id=item.id,
                    action="add",
                    after=packed(knowledge_fields(item)),
                )
            )
            self._replay_fact(item.id)
        return Changes(knowledge=True)

    # memories

    def edit_memory(self, memory_id: str, field: str, value: str, why: str = "") -> Changes:
        """Change a value of a memory: caption, title, visible_text, speech, date, place, people, activities and more.

        Args:
            value: as a person writes it: a text, a day or time in ISO form, "name, city, country", names with commas.
        """
        memory = self._library.memories.get(memory_id)
        edit = edit_of(field)
        said = edit.read(value, memory)
        with self._library.database.write():
            correction = Correction(
                id="",
                target_kind="memory",
                target_id=memory.id,
                action="edit",
                before=packed({"field": field, "value": edit.stored(self._library, memory.id)}),
                after=packed({"field": field, "value": said}),
                why=printable(why),
            )
            self._library.corrections.add(correction)
            self._write_field(memory.id, edit, said)
        return _EVENTS

    def reject_citation(self, memory_id: str, question: str) -> Changes:
        """Say that a memory has nothing to do with a question: it is not shown for it again."""
        memory = self._library.memories.get(memory_id)
        with self._library.database.write():
            self._library.corrections.add(
                Correction(
                    id="",
                    target_kind=ANSWER,
                    target_id=memory.id,
                    action="reject",
                    after=packed({"question": question_key(question)}),
                    why=printable(question)[:_LONGEST_NAME],
                )
            )
        return Changes()

    def dismiss_doubts(self, doubts: Sequence[Doubt]) -> Changes:
        """Say that these things about memories are right as they are; they are not told again."""
        with self._library.database.write():
            for doubt in doubts:
                self._library.corrections.add(
                    Correction(
                        id="",
                        target_kind=DOUBT,
                        target_id=self._library.memories.get(doubt.memory_id).id,
                        action="dismiss",
                        after=packed({"kind": doubt.kind.value, "key": doubt_key(doubt)}),
                    )
                )
        return Changes(memories=True)

    def forget_memory(self, memory_id: str) -> Changes:
        """Forget a memory and every trace of it. Only this cannot be undone; the file itself is never touched."""
        forget(self._library, self._library.memories.get(memory_id).id)
        return Changes(memories=True, events=True, knowledge=True)

    def set_owner(self, name: str) -> Changes:
        """Say whose library this is; the owner is never their own companion."""
        with self._library.database.write():
            self._library.stages.set_note("owner", printable(name).strip())
            Relations(self._library).show()
        return Changes(events=True, knowledge=True)

    # history

    def undo(self, correction_id: str | None = None) -> Changes:
        """Take back one correction, the latest that can be when None (a forgotten memory cannot come back); the others stand."""
        standing = self._library.corrections.standing()
        undoable = [each for each in standing if each.action != "forget"]
        found = [each for each in standing if each.id == correction_id] if correction_id else undoable[-1:]
        if not found:
            raise RequestError("There is nothing to undo.")
        correction = found[0]
        if correction.action == "forget":
            raise RequestError("Forgetting cannot be undone: nothing is left to bring back.")
        gone: list[str] = []
        with self._library.database.write():
            self._library.corrections.mark_undone(correction.id)
            if correction.target_kind == "event":
                gone = show_changed(self._library)
            elif correction.target_kind == "knowledge":
                self._replay_fact(correction.target_id)
            elif correction.target_kind in ("place", "privacy", ANSWER, DOUBT):
                pass  # read anew from the standing corrections by whoever asks
            elif correction.target_kind == RELATION:
                Relations(self._library).show()
            elif correction.target_kind == PERSON:
                show_people(self._library, correction)
            elif correction.target_kind == "file":
                self._join_again(correction.target_id)
            elif correction.target_kind == CLOCK:
                show_times(self._library, correction)
            elif correction.target_kind == RULE:
                carry_out(self._library)
            else:
                self._replay_field(correction)
        drop_vectors(self._library, gone)
        if correction.target_kind == PERSON:
            return _EVENTS | Changes(knowledge=True, people=True)
        return Changes(knowledge=True) if correction.target_kind in ("knowledge", RELATION) else _EVENTS

    def _join_again(self, content_key: str) -> None:
        """Let the next run look for what a file belongs to: it joins memories whose pictures are due."""
        if (memory_id := self._library.memories.id_of_content(content_key)) is not None:
            self._library.stages.reset(Stage.THUMBNAILS, [memory_id])

    def _event(self, action: str, event_id: str, after: Fields, why: str = "") -> Changes:
        event = self._library.events.get(event_id)
        return self._events(
            Correction(
                id="",
                target_kind="event",
                target_id=event.id,
                action=action,
                before=packed(event_snapshot(event)),
                after=packed(after),
                why=printable(why),
            )
        )

    def _events(self, correction: Correction) -> Changes:
        with self._library.database.write():
            self._library.corrections.add(correction)
            gone = show_changed(self._library)
        drop_vectors(self._library, gone)
        return _EVENTS

    def _new_event(self, name: str, memory_ids: Sequence[str]) -> Event:
        members = self._known(memory_ids)
        found = gist(self._library.memories.many(members), self._library.stages.note("owner"))
        return Event(
            id=rows.new_id(),
            name=name,
            start=found.start,
            end=found.end,
            place=found.place,
            summary=found.summary,
            importance=2,
            member_ids=tuple(members),
            status=EventStatus.LIVED,
            confidence=1.0,
            why="You made this event.",
            provenance=_BY_PERSON,
            corrected=True,
        )

    def _known(self, memory_ids: Sequence[str]) -> list[str]:
        members = [self._library.memories.resolve(memory_id) for memory_id in dict.fromkeys(memory_ids)]
        if not members:
            raise RequestError("No memory was named.", "Choose at least one.")
        return members

    def _fact(self, action: str, item: Knowledge, after: Fields) -> Changes:
        with self._library.database.write():
            self._library.corrections.add(
                Correction(
                    id="",
                    target_kind="knowledge",
                    target_id=item.id,
                    action=action,
                    before=packed(knowledge_fields(item)),
                    after=packed(after),
                )
            )
            self._replay_fact(item.id)
        return Changes(knowledge=True)

    def _replay_fact(self, fact_id: str) -> None:
        """Show a statement as its standing corrections leave it, from what it was before the first."""
        chain = [each for each in self._library.corrections.all("knowledge") if each.target_id == fact_id]
        first = chain[0]
        item = knowledge_from(unpacked(first.before)) if first.before else None
        for correction in chain:
            if not correction.undone_at:
                item = _said(item, correction)
        if item is None:
            self._library.knowledge.remove(fact_id)
            drop_owners(self._library, KNOWLEDGE, [fact_id])
            return
        living = [memory.id for memory in self._library.memories.many(item.evidence_ids)]
        self._library.knowledge.put(replace(item, evidence_ids=tuple(living)))

    def _replay_field(self, undone: Correction) -> None:
        """Show a value as the standing corrections leave it, from what it was before the first."""
        field = str(unpacked(undone.before)["field"])
        if field == DATE:
            show_times(self._library, undone)
            self._due_again(undone.target_id)
            return
        chain = [
            each
            for each in self._library.corrections.all("memory")
            if each.target_id == undone.target_id and each.action == "edit" and unpacked(each.before)["field"] == field
        ]
        value = unpacked(chain[0].before)["value"]
        for correction in chain:
            if not correction.undone_at:
                value = unpacked(correction.after)["value"]
        self._write_field(undone.target_id, edit_of(field), value)

    def _write_field(self, memory_id: str, edit: FieldEdit, value: object) -> None:
        with self._library.memories.edit(memory_id) as editing:
            edit.write(editing, value)
        self._due_again(memory_id)

    def _due_again(self, memory_id: str) -> None:
        for stage in _FROM_VALUES:
            self._library.stages.reset(stage, [memory_id])
        self._library.events.mark_stale([memory_id])


def _said(item: Knowledge | None, correction: Correction) -> Knowledge | None:
    after = unpacked(correction.after)
    if correction.action == "add" or item is None:
        return knowledge_from(after) if correction.action == "add" else None
    if correction.action == "edit":
        return replace(item, statement=str(after["statement"]), state=_worded(item), confidence=1.0, why="You said so.")
    state = KnowledgeState.CONFIRMED if correction.action == "confirm" else KnowledgeState.REJECTED
    return replace(item, state=state, confidence=1.0 if correction.action == "confirm" else item.confidence)


def _worded(item: Knowledge) -> KnowledgeState:
    return KnowledgeState.OWN if item.state is KnowledgeState.OWN else KnowledgeState.CONFIRMED


def _named(text: str) -> str:
    name = " ".join(printable(text).split())
    if not name:
        raise RequestError("There is no name in that.", "Write at least one letter.")
    if len(name) > _LONGEST_NAME:
        raise RequestError(f"That is longer than {_LONGEST_NAME} letters.", "Shorten it.")
    return name
