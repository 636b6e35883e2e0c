"""Are sidecars, other files of a memory and what is wrong with them kept, moved and forgotten together?"""

from pathlib import Path

from core.records import FileRole, FileState, MemoryKind, SourceFile, Stage
from core.store.library import Library
from core.store.sidecars import SidecarOf


def _photo_with_clip(library: Library, folder: Path) -> str:
    root = library.files.add_root(str(folder))
    memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="a.jpg", content_key="aa")
    for name, sha256, role in (("a.mov", "bb", FileRole.CLIP), ("a.jpg", "aa", FileRole.ORIGINAL)):
        library.files.put(
            SourceFile(id=name, root_id=root.id, path=str(folder / name), memory_id=memory_id, sha256=sha256, role=role)
        )
    return memory_id


def test_the_original_comes_before_the_clip(library: Library, tmp_path: Path) -> None:
    memory_id = _photo_with_clip(library, tmp_path)

    assert [file.role for file in library.files.of_memory(memory_id)] == [FileRole.ORIGINAL, FileRole.CLIP]
    assert library.memories.get(memory_id).files[0].endswith("a.jpg")
    assert library.files.known_content("bb") == (memory_id, FileRole.CLIP)


def test_a_forgotten_photo_does_not_come_back_as_its_clip(library: Library, tmp_path: Path) -> None:
    memory_id = _photo_with_clip(library, tmp_path)
    with library.memories.edit(memory_id) as editing:
        editing.forget()

    clip = library.memories.id_of_content("bb")

    assert clip is not None
    assert library.memories.is_forgotten(clip)
    assert library.memories.count() == 0


def test_what_is_known_of_a_folder_is_replaced_as_a_whole(library: Library, tmp_path: Path) -> None:
    memory_id = _photo_with_clip(library, tmp_path)
    [root] = library.files.roots()
    xmp, other = str(tmp_path / "a.xmp"), str(tmp_path / "b.json")
    library.sidecars.put_folder(root.id, str(tmp_path), "1", [SidecarOf(memory_id, xmp, "s")], {other: "of nothing"})

    assert library.sidecars.of_memory(memory_id) == [xmp]
    assert library.sidecars.digests(root.id) == {str(tmp_path): "1"}
    assert [(each.file, each.reason, each.stage) for each in library.files.problems()] == [
        (other, "of nothing", Stage.SCAN)
    ]
    library.sidecars.put_folder(root.id, str(tmp_path), "2", [], {})

    assert library.sidecars.of_memory(memory_id) == []
    assert library.files.problems() == []


def test_forgetting_takes_the_sidecars_and_their_notes(library: Library, tmp_path: Path) -> None:
    memory_id = _photo_with_clip(library, tmp_path)
    [root] = library.files.roots()
    xmp = str(tmp_path / "a.xmp")
    library.sidecars.put_folder(root.id, str(tmp_path), "1", [SidecarOf(memory_id, xmp, "s")], {xmp: "broken"})
    with library.memories.edit(memory_id) as editing:
        editing.forget()

    assert library.sidecars.in_folder(str(tmp_path)) == []
    assert library.files.problems() == []


def test_a_note_stays_with_its_sidecar_until_that_changes(library: Library, tmp_path: Path) -> None:
    memory_id = _photo_with_clip(library, tmp_path)
    [root] = library.files.roots()
    xmp, folder = str(tmp_path / "a.xmp"), str(tmp_path)
    library.sidecars.put_folder(root.id, folder, "1", [SidecarOf(memory_id, xmp, "s")], {})
    library.sidecars.note(xmp, folder, "broken")
    library.files.ignore(None)

    library.sidecars.put_folder(root.id, folder, "2", [SidecarOf(memory_id, xmp, "s")], {})
    assert [(each.reason, each.ignored) for each in library.files.problems()] == [("broken", True)]
    assert library.files.retry(None) == 1
    assert [each.ignored for each in library.files.problems()] == [False]
    library.sidecars.put_folder(root.id, folder, "3", [SidecarOf(memory_id, xmp, "another")], {})
    assert library.files.problems() == []


def test_of_exact_copies_the_shortest_path_that_is_there_comes_first(library: Library, tmp_path: Path) -> None:
    root = library.files.add_root(str(tmp_path))
    memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="a.jpg", content_key="aa")
    names = ["z/copy of a.jpg", "b.jpg", "a.jpg", "gone.jpg", "0"]
    for number, name in enumerate(names):
        state = FileState.MISSING if name == "0" else FileState.PRESENT
        library.files.put(
            SourceFile(
                id=f"{9 - number}",
                root_id=root.id,
                path=str(tmp_path / name),
                memory_id=memory_id,
                sha256="aa",
                state=state,
            )
        )
    shown = [str(tmp_path / name) for name in ("a.jpg", "b.jpg", "gone.jpg", "z/copy of a.jpg", "0")]

    assert [file.path for file in library.files.of_memory(memory_id)] == shown
    assert list(library.memories.get(memory_id).files) == shown
