"""A root that moved: everything known of its files goes along, or nothing changes."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.capture.relocate import relocate
from core.capture.scan import add_folder, scan
from core.errors import PhotoMissingError, RequestError
from core.jobs import run_to_end
from core.records import Field, FileState, Origin, Stage
from core.store.library import Library
from core.store.sidecars import SidecarOf
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing

_ODD = os.fsdecode(b"caf\xe9 \xff.jpg")


def _moved(album: Path, name: str = "elsewhere") -> Path:
    return Path(shutil.move(album, album.parent / name))


def test_a_moved_root_keeps_memories_corrections_and_odd_names_and_nothing_is_read_again(
    library: Library, album: Path, capture: Capturing
) -> None:
    drawn.jpeg(album / "trip" / "a.jpg", 1)
    drawn.jpeg(album / _ODD, 2)
    capture(until=Stage.THUMBNAILS)
    before = {memory.id: memory.files for memory in library.memories.matching()}
    memory_id = library.memories.resolve(capture.named("a.jpg").public_id)
    with library.memories.edit(memory_id) as editing:
        editing.set_text(Field.TITLE, "Our hut", Origin.PERSON)

    new = _moved(album)
    moved = relocate(library, str(album), new)

    assert (moved.files, moved.recognised, moved.looked_at) == (2, 2, 2)
    assert [root.path for root in library.files.roots()] == [str(new)]
    scanned = run_to_end(scan(library))
    assert (scanned.seen, scanned.read, scanned.vanished) == (2, 0, 0)
    assert {memory.id for memory in library.memories.matching()} == set(before)
    assert library.memories.get(memory_id).title == "Our hut"
    assert library.files.by_path(str(new / _ODD)) is not None
    assert library.files.by_path(str(album / _ODD)) is None


def test_what_is_known_of_sidecars_moves_along(library: Library, album: Path) -> None:
    drawn.jpeg(album / "trip" / "a.jpg")
    add_folder(library, album)
    run_to_end(scan(library))
    root, memory = library.files.roots()[0], library.memories.matching()[0]
    folder = str(album / "trip")
    found = SidecarOf(memory.id, f"{folder}/a.jpg.xmp", "stamp")
    library.sidecars.put_folder(root.id, folder, "digest", [found], {f"{folder}/b.xmp": "It is broken."})
    new = _moved(album)

    relocate(library, str(album), new)

    assert library.sidecars.of_memory(memory.id) == [str(new / "trip" / "a.jpg.xmp")]
    assert library.sidecars.digests(root.id).items() >= {str(new / "trip"): "digest"}.items()
    assert not library.sidecars.in_folder(folder)


def test_a_root_that_was_offline_is_online_in_its_new_place(library: Library, album: Path) -> None:
    drawn.jpeg(album / "a.jpg")
    add_folder(library, album)
    run_to_end(scan(library))
    new = _moved(album)
    run_to_end(scan(library))
    assert not library.files.roots()[0].online

    relocate(library, f"{album}{os.sep}", new)

    assert library.files.roots()[0].online
    assert run_to_end(scan(library)).read == 0


def test_a_root_that_moved_into_a_folder_of_its_own_name_keeps_its_files(library: Library, album: Path) -> None:
    drawn.jpeg(album / "album" / "a.jpg", 1)  # its old path is the new path of the next one
    drawn.jpeg(album / "a.jpg", 2)
    add_folder(library, album)
    run_to_end(scan(library))
    aside = _moved(album)
    album.mkdir()
    new = Path(shutil.move(aside, album / "album"))

    relocate(library, str(album), new)

    scanned = run_to_end(scan(library))
    assert (scanned.seen, scanned.read, scanned.vanished) == (2, 0, 0)


def test_paths_written_by_windows_find_their_files_here(library: Library, album: Path) -> None:
    drawn.jpeg(album / "2019" / "a.jpg")
    add_folder(library, album)
    run_to_end(scan(library))
    root = library.files.roots()[0]
    library.files.relocate_root(
        root.id, "D:\\Photos", lambda path: path.replace(str(album), "D:\\Photos").replace("/", "\\")
    )

    moved = relocate(library, "d:\\photos\\", album)

    assert moved.recognised == 1
    assert run_to_end(scan(library)).read == 0


def test_a_folder_of_other_files_is_refused_and_nothing_changes(library: Library, album: Path, tmp_path: Path) -> None:
    for number in range(4):
        drawn.jpeg(album / f"{number}.jpg", number)
    add_folder(library, album)
    run_to_end(scan(library))
    other = tmp_path / "other"
    shutil.copy(drawn.jpeg(other / "mine.jpg", 9), other / "0.jpg")

    with pytest.raises(RequestError, match="of 4 of its files only 0 are there"):
        relocate(library, str(album), other)

    assert library.files.roots()[0].path == str(album)
    assert run_to_end(scan(library)).read == 0


def test_a_place_that_is_missing_or_no_folder_or_known_is_refused(
    library: Library, album: Path, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    drawn.jpeg(second / "inner" / "b.jpg", 2)
    file = drawn.jpeg(album / "a.jpg")
    add_folder(library, album)
    add_folder(library, second)

    with pytest.raises(PhotoMissingError, match="There is no folder"):
        relocate(library, str(album), tmp_path / "nowhere")
    with pytest.raises(RequestError, match="is a file"):
        relocate(library, str(album), file)
    with pytest.raises(RequestError, match="in the library already"):
        relocate(library, str(album), second / "inner")
    with pytest.raises(RequestError, match="at this place already"):
        relocate(library, str(album), album)
    with pytest.raises(RequestError, match="belongs to Madeleine"):
        relocate(library, str(album), library.home.folder)
    with pytest.raises(RequestError, match=f"Its folders are: {album}"):
        relocate(library, str(tmp_path / "nowhere"), second)


_KILLED = """
import os, signal, sys
from pathlib import Path
from core.paths import Home
from core.store.exact_index import ExactIndexes
from core.store.library import open_library

library = open_library(Home(Path(sys.argv[1])), ExactIndexes())
root = library.files.roots()[0]

calls = []

def half(path):
    calls.append(path)
    if len(calls) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return path.replace("album", "elsewhere")

library.files.relocate_root(root.id, root.path.replace("album", "elsewhere"), half)
"""


def test_a_kill_in_the_middle_leaves_every_path_as_it_was(library: Library, album: Path) -> None:
    for number in range(10):
        drawn.jpeg(album / f"{number}.jpg", number)
    add_folder(library, album)
    run_to_end(scan(library))

    killed = subprocess.run([sys.executable, "-c", _KILLED, str(library.home.folder)], cwd=os.getcwd(), check=False)

    assert killed.returncode == -signal.SIGKILL
    root = library.files.roots()[0]
    assert root.path == str(album)
    assert {file.path for file in library.files.of_root(root.id)} == {
        str(album / f"{number}.jpg") for number in range(10)
    }
    assert all(file.state is FileState.PRESENT for file in library.files.of_root(root.id))
    assert relocate(library, str(album), _moved(album)).recognised == 10
