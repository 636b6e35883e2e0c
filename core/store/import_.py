"""Reads a library, or a benchmark pack, from the interchange format into this one; what the person corrected here stays.

Read line by line and stored batch by batch: a bad line is a reason in the result, never a stop. Reading the same file again
changes nothing, because the public id (else the content's hash) of a line says which memory it is.
"""

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.errors import RequestError
from core.records import AtomicContext, Correction, MemoryKind, Origin, Place, Progress, Stage
from core.store.import_siblings import import_siblings
from core.store.interchange import memory_line
from core.store.interchange_line import CONTEXTS, TEXTS, MemoryLine, read_line
from core.store.json_lines import BadLineError, Line, count_lines, read_json_lines
from core.store.library import Library
from core.store.memory_edit import MemoryEdit
from core.store.stages import IMPORTED

_BATCH = 200
_STAGES_IMPORTED = (Stage.SCAN, Stage.METADATA, Stage.THUMBNAILS, Stage.NEAR_DUPLICATES, Stage.TEXT, Stage.FACES, Stage.SCENES,
                    Stage.SPEECH, Stage.CAPTION)  # fmt: skip
_STAGES_FROM_CONTENT = (Stage.CONTEXTS, Stage.EMBEDDINGS)


@dataclass(slots=True)
class ImportCounts:
    """What an import did.

    Attributes:
        memories: new ones.
        known: there already; `changed` of them learned something.
        forgotten: lines of memories the person told us to forget; they stay forgotten.
        refused: lines and fields that could not be used, one sentence each with the file's name and line number.
    """

    memories: int = 0
    known: int = 0
    changed: int = 0
    forgotten: int = 0
    events: int = 0
    facts: int = 0
    edges: int = 0
    corrections: int = 0
    refused: tuple[str, ...] = ()
    owner: str = ""


def import_library(
    library: Library, path: Path, owner: str = "", is_usable: Callable[[Correction], bool] = lambda correction: True
) -> Generator[Progress, None, ImportCounts]:
    """Read `path` and its siblings (`X.events.jsonl` …); safe to stop between two steps.

    Args:
        owner: whose library it is; else the one named in the people file or in a `pack.json` beside the file.
        is_usable: whether a correction of the file can be replayed; one that cannot is refused.

    Raises:
        RequestError: there is no such file.
    """
    if not path.is_file():
        raise RequestError(f"There is no file {path}.", "Name a file written by `madeleine export`.")
    counts = ImportCounts()
    landing = _Landing(library)
    total, done = count_lines(path), 0
    lines = read_json_lines(path)
    while batch := list(islice(lines, _BATCH)):
        with library.database.write():
            for line in batch:
                _land(landing, line, counts)
        done += len(batch)
        yield Progress(Stage.SCAN, min(done, total), total, path.name)
    siblings = import_siblings(library, path, landing.ids, is_usable)
    yield Progress(Stage.SCAN, total, total, path.name)
    counts.events, counts.facts = siblings.events, siblings.facts
    counts.edges, counts.corrections = siblings.edges, siblings.corrections
    counts.refused += siblings.refused
    counts.owner = owner or siblings.owner or _pack_owner(path)
    if counts.owner and (owner or not library.stages.note("owner")):
        library.stages.set_note("owner", counts.owner)
    return counts


def _pack_owner(path: Path) -> str:
    """The owner that a pack's `pack.json` names; a pack without one is an ordinary file."""
    try:
        pack = json.loads(path.with_name("pack.json").read_bytes())
    except (OSError, ValueError):
        return ""
    named = pack.get("owner") if isinstance(pack, dict) else None
    return named if isinstance(named, str) else ""


def _land(landing: "_Landing", line: Line, counts: ImportCounts) -> None:
    try:
        memory = read_line(line.value())
    except BadLineError as error:
        counts.refused += (f"{line.where}: {error}.",)
        return
    counts.refused += tuple(f"{line.where}: {problem}." for problem in memory.problems)
    landing.land(memory, counts)


class _Landing:
    """Puts lines into the store."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.ids = library.memories.ids_by_public_id()
        """Memory ids by the public ids of this library and of the lines read so far."""
        self._corrected = {correction.target_id for correction in library.corrections.all("memory")}

    def land(self, line: MemoryLine, counts: ImportCounts) -> None:
        """Add the memory of a line, or let the known one learn what the line says."""
        memory_id = self.ids.get(line.public_id) or self._by_content(line)
        if self._library.memories.was_forgotten(line.public_id) or (
            memory_id is not None and self._library.memories.is_forgotten(memory_id)
        ):
            counts.forgotten += 1
        elif memory_id is None:
            self._add(line)
            counts.memories += 1
        else:
            self.ids[line.public_id] = memory_id
            counts.known += 1
            counts.changed += self._learn(memory_id, line)

    def _by_content(self, line: MemoryLine) -> str | None:
        found = (self._library.memories.id_of_content(file.sha256) for file in line.files)
        return next((memory_id for memory_id in found if memory_id), None)

    def _add(self, line: MemoryLine) -> None:
        memories = self._library.memories
        memory_id = memories.create(
            kind=line.kind or MemoryKind.PHOTO,
            file_name=line.file_name,
            content_key=line.files[0].sha256 if line.files else None,
            public_id=line.public_id,
            kind_origin=line.origin("kind"),
        )
        self.ids[line.public_id] = memory_id
        with memories.edit(memory_id) as edit:
            _write_fields(edit, line, lambda key: True)
            _write_contexts(edit, line, [], lambda key: True)
            for stage in _STAGES_IMPORTED:
                edit.stage(stage, IMPORTED)
        self._remember_files(memory_id, line)

    def _learn(self, memory_id: str, line: MemoryLine) -> bool:
        """Take over what differs from what is shown; True when anything changed."""
        memories = self._library.memories
        shown = read_line(memory_line(self._library, memories.get(memory_id)))
        contexts = memories.contexts(memory_id)
        edited = self._edited_by_person(memory_id, contexts)

        def is_news(key: str) -> bool:
            was_edited = memory_id in self._corrected or key in edited
            return line.value(key) != shown.value(key) and not (was_edited and line.origin(key) is Origin.PERSON)

        with memories.edit(memory_id) as edit:
            _write_fields(edit, line, is_news)
            _write_contexts(edit, line, contexts, is_news)
            changed = edit.has_changed
        self._remember_files(memory_id, line)
        if changed:
            for stage in _STAGES_FROM_CONTENT:
                self._library.stages.reset(stage, [memory_id])
            self._library.events.mark_stale([memory_id])
        return changed

    def _edited_by_person(self, memory_id: str, contexts: Sequence[AtomicContext]) -> set[str]:
        """The keys of a line about which the person has spoken here."""
        kinds = {context.kind for context in contexts if context.origin is Origin.PERSON}
        fields = {
            value.field.value for value in self._library.memories.values(memory_id) if value.origin is Origin.PERSON
        }
        return fields | {key for key, kind in CONTEXTS.items() if kind in kinds}

    def _remember_files(self, memory_id: str, line: MemoryLine) -> None:
        for file in line.files:
            self._library.files.put_foreign(memory_id, file.name, file.sha256, file.size_bytes)


def _write_fields(edit: MemoryEdit, line: MemoryLine, is_wanted: Callable[[str], bool]) -> None:
    """Set the values that the line has."""
    for key, text in line.texts.items():
        if is_wanted(key):
            edit.set_text(TEXTS[key], text, line.origin(key))
    if line.kind is not None and is_wanted("kind"):
        edit.set_kind(line.kind, line.origin("kind"))
    if line.taken is not None and is_wanted("taken"):
        edit.set_taken(line.taken)
    if (line.place is not None or "place" in line.origins) and is_wanted("place"):
        edit.set_place(line.place or Place(), line.origin("place"))  # a person may have said: no place
    if line.favourite is not None and is_wanted("favourite"):
        edit.set_favourite(line.favourite, line.origin("favourite"))
    if line.rating is not None and is_wanted("rating"):
        edit.set_rating(line.rating, line.origin("rating"))
    if (line.keywords or "keywords" in line.origins) and is_wanted("keywords"):
        edit.set_keywords(line.keywords, line.origin("keywords"))
    if line.document and is_wanted("document"):
        edit.set_document(line.document, line.origin("document"))


def _write_contexts(
    edit: MemoryEdit, line: MemoryLine, stored: Sequence[AtomicContext], is_wanted: Callable[[str], bool]
) -> None:
    """Set the names that the line has, each kind under its origin; other kinds of that origin stay."""
    wanted = {key: values for key, values in line.contexts.items() if is_wanted(key)}
    for origin in {line.origin(key) for key in wanted}:
        of_origin = {key: values for key, values in wanted.items() if line.origin(key) is origin}
        replaced = {CONTEXTS[key] for key in of_origin}
        kept = [context for context in stored if context.origin is origin and context.kind not in replaced]
        fresh = [
            AtomicContext(CONTEXTS[key], value, origin=origin) for key, values in of_origin.items() for value in values
        ]
        edit.set_contexts(origin, [*kept, *fresh])
