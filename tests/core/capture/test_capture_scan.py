"""Scanning: identity by content, nothing lost, nothing stopped (rows 40 to 48 of the table of inputs)."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

import pytest

from core.capture.scan import Scanned, add_folder, scan
from core.errors import JobCancelled, PhotoMissingError, PhotoUnreadableError, RequestError
from core.jobs import run_to_end
from core.records import Field, FileState, Origin, Stage
from core.store.library import Library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing


def _scan(library: Library, album: Path) -> Scanned:
    add_folder(library, album)
    found = run_to_end(scan(library))
    assert isinstance(found, Scanned)
    return found


def _names(library: Library) -> list[str]:
    return sorted(memory.file_name for memory in library.memories.matching())


def _states(library: Library) -> dict[str, FileState]:
    return {
        os.path.basename(file.path): file.state
        for root in library.files.roots()
        for file in library.files.of_root(root.id)
    }


def test_a_missing_folder_and_a_file_are_refused_in_words(library: Library, album: Path) -> None:
    with pytest.raises(PhotoMissingError, match="There is no folder"):
        add_folder(library, album / "nowhere")
    with pytest.raises(RequestError, match="is a file"):
        add_folder(library, drawn.jpeg(album / "a.jpg"))


def test_our_own_folder_is_refused_and_left_out_of_a_folder_around_it(library: Library, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="belongs to Madeleine"):
        add_folder(library, library.home.thumbnails)
    drawn.jpeg(library.home.thumbnails / "t.jpg")
    drawn.jpeg(tmp_path / "mine.jpg", 2)
    _scan(library, tmp_path)

    assert _names(library) == ["mine.jpg"]


def test_a_folder_added_twice_or_inside_another_is_one_root(library: Library, album: Path) -> None:
    (album / "inner").mkdir()
    root = add_folder(library, album)
    (album.parent / "link").symlink_to(album)

    assert add_folder(library, album) == root
    assert add_folder(library, album / "inner") == root
    assert add_folder(library, album.parent / "link" / "inner") == root
    assert len(library.files.roots()) == 1


def test_a_folder_around_one_that_was_added_takes_only_the_rest(library: Library, album: Path) -> None:
    drawn.jpeg(album / "inner" / "a.jpg", 1)
    drawn.jpeg(album / "b.jpg", 2)
    add_folder(library, album / "inner")
    run_to_end(scan(library))
    _scan(library, album)
    _scan(library, album)

    assert _names(library) == ["a.jpg", "b.jpg"]
    assert set(_states(library).values()) == {FileState.PRESENT}


def test_an_unchanged_file_is_not_read_again(library: Library, album: Path) -> None:
    drawn.jpeg(album / "a.jpg", 1)

    assert _scan(library, album).read == 1
    assert _scan(library, album).read == 0


def test_an_exact_copy_is_a_second_file_of_one_memory(library: Library, album: Path) -> None:
    path = drawn.jpeg(album / "IMG_5.jpg", 1)
    (album / "other").mkdir()
    shutil.copy(path, album / "copy of IMG_5.jpg")
    drawn.jpeg(album / "other" / "IMG_5.jpg", 2)
    _scan(library, album)

    assert library.memories.count() == 2
    copied = library.memories.id_of_content(hashlib.sha256(path.read_bytes()).hexdigest())
    assert copied is not None
    assert len(library.files.of_memory(copied)) == 2


def test_a_moved_file_keeps_its_memory_and_the_persons_word(library: Library, album: Path) -> None:
    path = drawn.jpeg(album / "a.jpg", 1)
    _scan(library, album)
    memory_id = library.memories.ids_matching()[0]
    with library.memories.edit(memory_id) as editing:
        editing.set_text(Field.TITLE, "Grandma's garden", Origin.PERSON)
    (album / "2020").mkdir()
    path.rename(album / "2020" / "b.jpg")
    _scan(library, album)

    memory = library.memories.get(memory_id)

    assert library.memories.ids_matching() == [memory_id]
    assert (memory.title, memory.file_name) == ("Grandma's garden", "b.jpg")
    assert _states(library) == {"a.jpg": FileState.MISSING, "b.jpg": FileState.PRESENT}


def test_a_vanished_file_is_missing_and_its_memory_stays(library: Library, album: Path) -> None:
    path = drawn.jpeg(album / "a.jpg", 1)
    drawn.jpeg(album / "b.jpg", 2)
    _scan(library, album)
    kept = path.read_bytes()
    about = path.stat()
    path.unlink()

    assert _scan(library, album).vanished == 1
    assert library.memories.count() == 2
    path.write_bytes(kept)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert _scan(library, album).read == 0
    assert _states(library)["a.jpg"] is FileState.PRESENT


@pytest.mark.parametrize("how", ["moved away", "an empty mount point"])
def test_an_unplugged_root_is_offline_and_never_a_deletion(library: Library, album: Path, how: str) -> None:
    drawn.jpeg(album / "a.jpg", 1)
    _scan(library, album)
    album.rename(album.parent / "elsewhere")
    if how == "an empty mount point":
        album.mkdir()

    found = run_to_end(scan(library))

    assert (found.offline_roots, found.vanished) == (1, 0)
    assert [root.online for root in library.files.roots()] == [False]
    assert _states(library) == {"a.jpg": FileState.PRESENT}
    if how == "an empty mount point":
        album.rmdir()
    (album.parent / "elsewhere").rename(album)
    assert run_to_end(scan(library)).read == 0
    assert [root.online for root in library.files.roots()] == [True]


def test_a_forgotten_memory_stays_forgotten_and_leaves_no_path(library: Library, album: Path) -> None:
    drawn.jpeg(album / "secret.jpg", 1)
    _scan(library, album)
    with library.memories.edit(library.memories.ids_matching()[0]) as editing:
        editing.forget()

    for _ in range(2):
        _scan(library, album)

    assert library.memories.count() == 0
    assert _states(library) == {}


def test_a_changed_file_is_another_memory(library: Library, album: Path) -> None:
    drawn.jpeg(album / "a.jpg", 1)
    _scan(library, album)
    drawn.jpeg(album / "a.jpg", 2)
    _scan(library, album)

    assert library.memories.count() == 2


@pytest.mark.parametrize(
    "name",
    [
        unicodedata.normalize("NFC", "Šárka é.jpg"),
        unicodedata.normalize("NFD", "Šárka é.jpg"),
        "鳥鳥 🐦 (1).jpg",
        " leading space.jpg",
        "[brackets] 100% #1 ' \" .jpg",
        "UPPER.JPG",
        "bad_\udcff\udcfe.jpg",
        "/".join(f"deep_folder_name_{number:02d}" for number in range(14)) + "/deep.jpg",
    ],
)
def test_every_name_a_disk_can_hold_is_one_memory_with_a_thumbnail(capture: Capturing, album: Path, name: str) -> None:
    path = os.path.join(album, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(drawn.jpeg_bytes(1))
    capture()

    memory = capture.library.memories.matching()[0]

    assert memory.files == (path,)
    assert os.path.exists(memory.files[0])
    memory.file_name.encode("utf-8")
    assert [each.suffix for each in capture.library.home.thumbnails.rglob("*.*")] == [".jpg"]


def test_twins_in_composed_and_decomposed_spelling_are_two(library: Library, album: Path) -> None:
    for seed, name in enumerate((unicodedata.normalize("NFC", "é.jpg"), unicodedata.normalize("NFD", "é.jpg"))):
        drawn.jpeg(album / name, seed)
    _scan(library, album)

    assert library.memories.count() == 2


def test_junk_is_not_indexed(library: Library, album: Path) -> None:
    for name in (".hidden.jpg", "@eaDir/SYNO_THUMB.jpg", ".thumbnails/1.jpg", ".trashed-1700000000-IMG.jpg", "#recycle/a.jpg",
                 "$RECYCLE.BIN/a.jpg", "__MACOSX/._a.jpg"):  # fmt: skip
        drawn.jpeg(album / name, 1)
    (album / "._IMG_1.JPG").write_bytes(b"\0\x05\x16\x07" + b"\0" * 60)
    (album / "Thumbs.db").write_bytes(b"x")
    found = _scan(library, album)

    assert (found.seen, library.memories.count(), library.files.problems()) == (0, 0, [])


def test_another_programs_library_is_one_excluded_item_with_a_hint(library: Library, album: Path) -> None:
    drawn.jpeg(album / "Photos Library.photoslibrary" / "originals" / "a.jpg", 1)
    drawn.jpeg(album / "b.jpg", 2)
    for _ in range(2):
        _scan(library, album)

    assert _names(library) == ["b.jpg"]
    (problem,) = library.files.problems()
    assert problem.ignored
    assert "another program's library" in problem.reason


def test_links_that_lead_in_circles_are_not_followed(library: Library, album: Path) -> None:
    drawn.jpeg(album / "inner" / "a.jpg", 1)
    (album / "inner" / "loop").symlink_to(album)
    (album / "dangling.jpg").symlink_to(album / "nowhere.jpg")
    os.mkfifo(album / "pipe.jpg")
    _scan(library, album)

    assert _names(library) == ["a.jpg"]


def test_files_of_other_kinds_are_nobodys_problem(library: Library, album: Path) -> None:
    (album / "README.txt").write_text("hello")
    (album / "a.jpg.json").write_text("{}")
    (album / "no_extension").write_text("hello")
    (album / "picture_without_extension").write_bytes(drawn.jpeg_bytes(1))
    _scan(library, album)

    assert _names(library) == ["picture_without_extension"]
    assert library.files.problems() == []


def test_a_picture_that_is_none_is_a_problem_until_it_changes(library: Library, album: Path) -> None:
    path = album / "a.jpg"
    path.write_text("hello")
    for _ in range(2):
        _scan(library, album)
    (problem,) = library.files.problems()
    assert (problem.file, problem.attempts, problem.stage) == (str(path), 1, Stage.SCAN)
    assert "plain text" in problem.reason

    drawn.jpeg(path, 1)
    _scan(library, album)

    assert library.files.problems() == []
    assert _names(library) == ["a.jpg"]


def test_a_problem_is_tried_again_when_the_person_says_so(library: Library, album: Path) -> None:
    (album / "a.jpg").write_text("hello")
    _scan(library, album)
    library.files.retry(None)
    assert library.files.problems() == []

    _scan(library, album)

    assert len(library.files.problems()) == 1


def test_an_interrupted_scan_keeps_what_it_read(library: Library, album: Path) -> None:
    for seed in range(5):
        drawn.jpeg(album / f"{seed}.jpg", seed)
    add_folder(library, album)
    asked: list[int] = []

    def interrupted() -> bool:
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(JobCancelled):
        run_to_end(scan(library, interrupted))

    assert library.memories.count() == 3
    assert run_to_end(scan(library)).read == 2


_AS_NOBODY = """
import os, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from core.capture.scan import add_folder, scan
from core.errors import PhotoUnreadableError
from core.jobs import run_to_end
from core.paths import Home
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
import encodings.utf_16_le  # nothing of the interpreter can be loaded by nobody
os.setgroups([]); os.setgid(65534); os.setuid(65534)
library = open_library(Home(Path(sys.argv[2])), ExactIndexes())
add_folder(library, Path(sys.argv[3]))
for _ in range(2):
    found = run_to_end(scan(library))
print([memory.file_name for memory in library.memories.matching()])
print([(problem.file.rsplit("/", 1)[1], problem.reason) for problem in library.files.problems()])
try:
    add_folder(library, Path(sys.argv[3]) / "secret")
except PhotoUnreadableError as error:
    print(error)
library.close()
"""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can become somebody else")
def test_a_locked_folder_costs_one_warning_and_none_of_its_siblings() -> None:
    with tempfile.TemporaryDirectory() as base_name:  # pytest's own folders are closed to other users
        base = Path(base_name)
        base.chmod(0o755)
        album, home = base / "album", base / "home"
        drawn.jpeg(album / "ok.jpg", 1)
        drawn.jpeg(album / "secret" / "a.jpg", 2)
        drawn.jpeg(album / "closed.jpg", 3).chmod(0)
        (album / "secret").chmod(0)
        home.mkdir()
        shutil.chown(home, 65534, 65534)

        said = _said_as_nobody(home, album)

    assert said.splitlines()[0] == "['ok.jpg']"
    assert "('closed.jpg', 'The file cannot be read (Permission denied).')" in said
    assert "('secret', 'It cannot be read (Permission denied)" in said
    assert "cannot be read (Permission denied). Give yourself" in said


def _said_as_nobody(home: Path, album: Path) -> str:
    command = [sys.executable, "-c", _AS_NOBODY, os.getcwd(), str(home), str(album)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_row_46_a_folder_without_permission_is_one_warning_and_every_other_file_is_kept(
    library: Library, album: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate(("a/a.jpg", "denied/b.jpg", "denied/secret/hidden.jpg", "z/c.jpg")):
        drawn.jpeg(album / name, number)
    _scan(library, album)
    known = _states(library)
    real = os.scandir

    def refuse(path: str) -> object:
        if os.path.basename(path) == "secret":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr("core.capture.walk.os.scandir", refuse)
    drawn.jpeg(album / "denied" / "later.jpg", 40)
    for _ in range(2):
        run_to_end(scan(library))

    # what is hidden now is not taken for gone
    assert _states(library) == known | {"later.jpg": FileState.PRESENT, "secret": FileState.UNREADABLE}
    (warning,) = library.files.problems()
    assert (os.path.basename(warning.file), "Permission denied" in warning.reason) == ("secret", True)
    monkeypatch.undo()
    run_to_end(scan(library))
    assert library.files.problems() == []


def test_a_folder_that_may_not_be_read_is_refused(
    library: Library, album: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("core.capture.scan.os.scandir", refuse)
    with pytest.raises(PhotoUnreadableError, match="cannot be read"):
        add_folder(library, album)
