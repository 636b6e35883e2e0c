"""Writes what notes say into memories, and gives each event, mail and day of a file that holds many a memory of its own."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta, timezone
from functools import partial

from core.capture.dates import Clock, dates_of
from core.capture.facts import FileFacts
from core.capture.formats import Medium
from core.capture.note import Note
from core.capture.places import Gazetteer, usable_position
from core.capture.scan import SCAN_KEY
from core.capture.stage_results import NOTHING, StageResult, Subject, Work
from core.errors import JobCancelled, PhotoError
from core.records import (
    AtomicContext,
    ContextKind,
    Field,
    MemoryKind,
    Origin,
    Place,
    Progress,
    Provenance,
    SourceFile,
    Stage,
    Taken,
)
from core.store.memory_edit import MemoryEdit

_MADE = Provenance("rule:notes", "", "notes/1")
_CERTAIN = 0.95
_AFTER = (Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)


def read_note(work: Work, subject: Subject) -> StageResult:
    """What the note says that a memory is: the whole file, or its part of it."""
    if subject.file is None:
        return NOTHING
    label = work.library.files.part_label(subject.file.id, subject.memory.id)
    note = work.decoder.note(subject.path, label)
    if note is None:
        return NOTHING  # the file was exported again without it; what it said stays
    dates = (
        ()
        if note.wall
        else dates_of(FileFacts("text", Medium.NOTE), subject.memory.file_name, subject.file.modified_ns, work.clock)
    )
    return StageResult(partial(_write, note=note, clock=work.clock, gazetteer=work.gazetteer, dates=dates))


def split(work: Work, due: list[Subject], key: str) -> Iterator[Progress]:
    """Give every note of the files that hold many its memory; what a scan took for one memory is gone then.

    One file is one transaction. `key` is that of the metadata stage, which is done with it.
    """
    for number, subject in enumerate(due):
        yield Progress(Stage.METADATA, number, len(due), subject.memory.file_name)
        if work.interrupted():
            raise JobCancelled
        if subject.file is None or work.library.files.part_label(subject.file.id, subject.memory.id):
            continue  # a part already: the metadata stage reads it anew
        if work.library.private.is_withheld(subject.memory.id):
            continue  # what may not be understood is not even cut into its notes
        try:
            notes = work.decoder.notes(subject.path)
        except PhotoError:
            continue  # the metadata stage meets it again, and says so
        if notes[0].label:
            with work.library.database.write():
                _split(work, subject.memory.id, subject.file, notes, key)


def _split(work: Work, memory_id: str, file: SourceFile, notes: tuple[Note, ...], key: str) -> None:
    library = work.library
    known, parts = library.files.parts(file.id), {}
    for note in notes:
        part_id = _memory_of(work, note, known.get(note.label))
        if library.memories.is_forgotten(part_id):
            continue
        parts[note.label] = part_id
        with library.memories.edit(part_id) as editing:
            _write(editing, note=note, clock=work.clock, gazetteer=work.gazetteer, dates=())
            changed = editing.has_changed
            editing.set_file_name(library.memories.get(memory_id).file_name)
            editing.stage(Stage.SCAN, SCAN_KEY)
            editing.stage(Stage.METADATA, key)
        if changed:
            for stage in _AFTER:
                library.stages.reset(stage, [part_id])
    library.files.put_parts(file.id, parts)
    library.memories.delete(memory_id)


def _memory_of(work: Work, note: Note, known: str | None) -> str:
    """The memory of this content, else the one that an earlier version of the file had for it, else a new one."""
    memories = work.library.memories
    found = memories.id_of_content(note.content_key)
    if found is not None:
        return found
    if known is not None:
        memories.set_content_key(known, note.content_key)
        return known
    return memories.create(kind=MemoryKind.NOTE, file_name="", content_key=note.content_key)


def _write(editing: MemoryEdit, *, note: Note, clock: Clock, gazetteer: Gazetteer, dates: tuple[Taken, ...]) -> None:
    editing.set_kind(MemoryKind.NOTE, Origin.RULE)
    editing.set_text(Field.TITLE, note.title, Origin.IMPORTED, _MADE)
    editing.set_text(Field.VISIBLE_TEXT, note.text, Origin.IMPORTED, _MADE)
    for origin in (Origin.IMPORTED, Origin.FILE_NAME, Origin.FILE_TIME):
        editing.take_back(Field.TAKEN, origin)
    for taken in (_taken(note, clock),) if note.wall else dates:
        editing.set_taken(taken, _MADE)
    editing.set_place(_place(note, gazetteer), Origin.IMPORTED, _MADE)
    people = [
        AtomicContext(ContextKind.PERSON, name, 0.9, Origin.IMPORTED, "the note names them", _MADE)
        for name in note.people
    ]
    editing.set_contexts(Origin.IMPORTED, people, made_by=_MADE.made_by)


def _taken(note: Note, clock: Clock) -> Taken:
    """When it happened, on the person's own clock where the file has only another's."""
    wall, offset = note.wall, note.offset_minutes
    if note.elsewhere and wall is not None and offset is not None:
        try:
            here = wall.replace(tzinfo=timezone(timedelta(minutes=offset))).astimezone(clock.library_zone)
        except (OverflowError, ValueError, OSError):  # the first or last year there is
            return Taken(wall, offset, Origin.IMPORTED, _CERTAIN, note.day_only)
        away = here.utcoffset()
        wall, offset = here.replace(tzinfo=None), None if away is None else round(away.total_seconds() / 60)
    return Taken(wall, offset, Origin.IMPORTED, _CERTAIN, note.day_only)


def _place(note: Note, gazetteer: Gazetteer) -> Place | None:
    position = usable_position(note.latitude, note.longitude)
    if position is not None:
        return replace(gazetteer.locate(*position).place, name=note.place)
    return Place(name=note.place) if note.place else None
