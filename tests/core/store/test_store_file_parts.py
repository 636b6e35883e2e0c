"""A file that holds many memories: each has the file, under the hash of its own part."""

from core.records import MemoryKind, SourceFile
from core.store.interchange import memory_line
from core.store.library import Library


def _mailbox(library: Library) -> tuple[str, str, str]:
    root = library.files.add_root("/mail")
    file = SourceFile(id="f1", root_id=root.id, path="/mail/all.mbox", sha256="aa" * 32, size_bytes=9)
    library.files.put(file)
    first = library.memories.create(kind=MemoryKind.NOTE, file_name="all.mbox", content_key="bb" * 32)
    second = library.memories.create(kind=MemoryKind.NOTE, file_name="all.mbox", content_key="cc" * 32)
    library.files.put_parts("f1", {"one": first, "two": second})
    return file.id, first, second


def test_each_part_knows_the_file_under_its_own_hash(library: Library) -> None:
    file_id, first, second = _mailbox(library)

    assert library.files.parts(file_id) == {"one": first, "two": second}
    assert [(file.path, file.sha256) for file in library.files.of_memory(first)] == [("/mail/all.mbox", "bb" * 32)]
    assert library.memories.get(second).files == ("/mail/all.mbox",)
    assert memory_line(library, library.memories.get(second))["files"] == [
        {"name": "all.mbox", "sha256": "cc" * 32, "bytes": 9}
    ]


def test_a_forgotten_part_leaves_the_others_their_file(library: Library) -> None:
    file_id, first, second = _mailbox(library)

    with library.memories.edit(first) as editing:
        editing.forget()

    assert library.files.parts(file_id) == {"two": second}
    assert library.files.of_memory(first) == []
    assert library.memories.get(second).files == ("/mail/all.mbox",)


def test_parts_are_replaced_together(library: Library) -> None:
    file_id, first, second = _mailbox(library)

    library.files.put_parts(file_id, {"two": second})

    assert library.memories.get(first).files == ()
    library.files.put_parts(file_id, {})
    assert library.files.parts(file_id) == {}
