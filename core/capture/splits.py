"""Which files did the person take out of a memory, because each is a memory of its own? They are never joined again.

That is a correction: it names the file by its content, outlives rescans, moves and re-runs, is exported, and can be undone.
"""

import os
from dataclasses import replace

from core.capture.scan import SCAN_KEY
from core.errors import RequestError
from core.records import Correction, FileRole, FileState, MemoryKind, SourceFile, Stage
from core.store.library import Library
from core.text_keys import printable

TARGET = "file"
_AGAIN = (Stage.METADATA, Stage.SPEECH, Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)


def split_file(library: Library, memory_id: str, path: str) -> str:
    """Make a memory of its own out of a file of a memory; returns the new memory's id. The next `process` reads it.

    Raises:
        RequestError: the memory has no such file, or the file is what the memory is.
    """
    files = library.files.of_memory(memory_id)
    file = next((each for each in files if path in (each.path, os.path.basename(each.path))), None)
    if file is None:
        raise RequestError(f"{printable(path)} is no file of this memory.", "`madeleine get ID` lists its files.")
    if file.role is FileRole.ORIGINAL or not file.sha256:
        raise RequestError(
            f"{printable(os.path.basename(path))} is what this memory is, or a copy of it.",
            "Name the clip, the raw file or the edited version that belongs elsewhere.",
        )
    kind = MemoryKind.VIDEO if file.role is FileRole.CLIP else MemoryKind.PHOTO  # its metadata will say it better
    with library.database.write():
        split_id = _memory_of(library, file, kind)
        for each in files:
            if each.sha256 == file.sha256:
                library.files.put(replace(each, memory_id=split_id, role=FileRole.ORIGINAL))
                library.sidecars.drop_folder(
                    os.path.dirname(each.path)
                )  # the next scan finds the sidecars of each anew
        for stage in _AGAIN:
            library.stages.reset(stage, [memory_id])
        library.corrections.add(Correction(id="", target_kind=TARGET, target_id=file.sha256, action="split"))
    return split_id


def split_contents(library: Library) -> frozenset[str]:
    """The hashes of the files that stay memories of their own."""
    return frozenset(each.target_id for each in library.corrections.standing(TARGET))


def _memory_of(library: Library, file: SourceFile, kind: MemoryKind) -> str:
    """The memory that has this content already, where it lies in another place too; else a new one."""
    known = library.memories.id_of_content(file.sha256)
    if known is not None and not library.memories.is_forgotten(known):
        return known
    name = printable(os.path.basename(file.path))
    created = library.memories.create(kind=kind, file_name=name, content_key=file.sha256)
    if file.state is FileState.PRESENT:
        with library.memories.edit(created) as editing:
            editing.stage(Stage.SCAN, SCAN_KEY)
    return created
