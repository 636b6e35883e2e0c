"""What a disk can hold beside pictures: placeholders of a cloud, other programs' libraries, what the person excluded, odd clocks."""

import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.capture import placeholders
from core.capture import scan as scanning
from core.capture import walk as walking
from core.capture.exclusions import Exclusions
from core.capture.placeholders import is_dataless, stub_of
from core.capture.scan import Scanned, add_folder, scan
from core.errors import RequestError
from core.jobs import run_to_end
from core.records import Field, FileState, Origin
from core.store.library import Library
from core.volumes import kind_of_mount
from tests.core.capture import drawn


def _scan(library: Library, album: Path, *patterns: str) -> Scanned:
    add_folder(library, album)
    found = run_to_end(scan(library, exclusions=Exclusions(patterns)))
    assert isinstance(found, Scanned)
    return found


def _names(library: Library) -> list[str]:
    return sorted(memory.file_name for memory in library.memories.matching())


@pytest.mark.parametrize(
    ("about", "dataless"),
    [
        ({"st_file_attributes": 0x20}, False),
        ({"st_file_attributes": 0x1000}, True),
        ({"st_file_attributes": 0x40000 | 0x20}, True),
        ({"st_file_attributes": 0x400000}, True),
        ({"st_flags": 0x40000000}, True),
        ({"st_flags": 0x20}, False),
        ({}, False),
    ],
)
def test_a_placeholder_is_told_by_the_mark_of_its_system(
    about: dict[str, int], dataless: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placeholders, "sys", SimpleNamespace(platform="darwin"))

    assert is_dataless(SimpleNamespace(**about)) == dataless  # type: ignore[arg-type]


def test_a_stub_of_icloud_names_its_file() -> None:
    assert stub_of(".IMG_1.HEIC.icloud") == "IMG_1.HEIC"
    assert stub_of("IMG_1.HEIC") == ""
    assert stub_of(".icloud") == ""


def test_a_file_kept_online_only_is_never_opened_and_only_counted(
    library: Library, album: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn.jpeg(album / "here.jpg", 1)
    away = drawn.jpeg(album / "away.jpg", 2)
    (album / ".cloud.HEIC.icloud").write_bytes(b"bplist00")
    away.chmod(0)  # opening it would fail for anyone but the administrator
    opened: list[str] = []
    monkeypatch.setattr(walking, "is_dataless", lambda about: about.st_mode & 0o777 == 0)
    monkeypatch.setattr(
        scanning,
        "open",
        lambda path, mode: opened.append(path) or open(path, mode),  # noqa: SIM115
        raising=False,
    )

    found = _scan(library, album)

    assert (found.online_only, found.read, found.unreadable) == (2, 1, 0)
    assert opened == [str(album / "here.jpg")]
    assert _names(library) == ["here.jpg"]
    assert library.files.problems() == []
    root = library.files.roots()[0]
    assert library.files.counts(root.id) == {FileState.PRESENT: 1, FileState.ONLINE_ONLY: 2}


def test_a_file_whose_content_went_online_keeps_its_memory_and_is_not_read_again_when_it_comes_back(
    library: Library, album: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn.jpeg(album / "a.jpg", 1)
    _scan(library, album)
    [memory] = library.memories.matching()

    with monkeypatch.context() as patched:
        patched.setattr(walking, "is_dataless", lambda about: True)
        assert (_scan(library, album).online_only, _names(library)) == (1, ["a.jpg"])
    back = _scan(library, album)

    assert (back.read, back.online_only) == (0, 0)
    assert library.memories.matching() == [memory]


def test_a_placeholder_that_is_downloaded_is_read_then(
    library: Library, album: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn.jpeg(album / "a.jpg", 1)
    with monkeypatch.context() as patched:
        patched.setattr(walking, "is_dataless", lambda about: True)
        _scan(library, album)
        assert _names(library) == []

    assert _scan(library, album).read == 1
    assert _names(library) == ["a.jpg"]


@pytest.mark.parametrize(
    "name",
    ["Photos Library.photoslibrary", "Old.aplibrary", "iPhoto.photolibrary", "Lightroom Previews.lrdata", "Cloud.lrlibrary",
     "Film.imovielibrary", "Cut.fcpbundle", "Shots.cocatalog", "Viewer.app", "TV.tvlibrary", "UPPER.PHOTOSLIBRARY"],
)  # fmt: skip
def test_each_library_of_another_program_is_one_excluded_item_with_a_hint(
    library: Library, album: Path, name: str
) -> None:
    drawn.jpeg(album / name / "originals" / "a.jpg", 1)
    drawn.jpeg(album / "mine.jpg", 2)

    _scan(library, album)

    assert _names(library) == ["mine.jpg"]
    [problem] = library.files.problems()
    assert (problem.file, problem.ignored) == (str(album / name), True)
    assert "export" in problem.reason
    with pytest.raises(RequestError, match="library of another program"):
        add_folder(library, album / name)


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("*.PNG", ["a.jpg", "b.jpg", "c.jpg"]),
        ("drafts", ["a.jpg", "a.png"]),
        ("Drafts/*", ["a.jpg", "a.png"]),
        ("Drafts/old", ["a.jpg", "a.png", "b.jpg"]),
        ("old/*.jpg", ["a.jpg", "a.png", "b.jpg"]),
        ("[ab].jpg", ["a.png", "c.jpg"]),
        ("nothing*", ["a.jpg", "a.png", "b.jpg", "c.jpg"]),
        ("{album}/Drafts", ["a.jpg", "a.png"]),
        ("{album}/Draf", ["a.jpg", "a.png", "b.jpg", "c.jpg"]),
        ("", ["a.jpg", "a.png", "b.jpg", "c.jpg"]),
    ],
)
def test_what_a_pattern_excludes(library: Library, album: Path, pattern: str, left: list[str]) -> None:
    for number, name in enumerate(("a.jpg", "Drafts/b.jpg", "Drafts/old/c.jpg")):
        drawn.jpeg(album / name, number)
    drawn.picture(40, 30, 7).save(album / "a.png")

    _scan(library, album, pattern.format(album=album))

    assert _names(library) == left


def test_what_is_excluded_later_stays_as_it_is_and_is_no_loss(library: Library, album: Path) -> None:
    drawn.jpeg(album / "Drafts" / "b.jpg", 1)
    _scan(library, album)

    assert _scan(library, album, "Drafts").vanished == 0

    assert _names(library) == ["b.jpg"]
    root = library.files.roots()[0]
    assert library.files.counts(root.id) == {FileState.PRESENT: 1}


@pytest.mark.parametrize(
    ("moved_s", "read"), [(3_600, 0), (-3_600, 0), (1.5, 0), (7_201, 0), (100, 1), (30 * 3_600, 1)]
)
def test_on_a_fat_disk_a_moved_clock_is_no_change(
    library: Library, album: Path, monkeypatch: pytest.MonkeyPatch, moved_s: float, read: int
) -> None:
    photo = drawn.jpeg(album / "a.jpg", 1)
    _scan(library, album)
    monkeypatch.setattr(scanning, "has_coarse_times", lambda path: True)
    about = photo.stat()
    os.utime(photo, ns=(about.st_atime_ns, about.st_mtime_ns + round(moved_s * 1e9)))

    assert _scan(library, album).read == read
    assert len(library.memories.matching()) == 1


def test_the_disks_of_cameras_are_told_from_others() -> None:
    mounts = b"/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /media/card vfat rw 0 0\n/dev/sdc1 /media/big exfat rw 0 0\n"

    assert kind_of_mount(mounts, "/media/card/DCIM") == "vfat"
    assert kind_of_mount(mounts, "/media/big") == "exfat"


@pytest.mark.skipif(os.name == "nt", reason="built with folder descriptors")
def test_a_path_longer_than_the_system_takes_is_one_problem_and_no_stop(library: Library, album: Path) -> None:
    drawn.jpeg(album / ("n" * 250 + ".jpg"), 1)
    here = os.open(album, os.O_RDONLY)
    for _ in range(20):  # 20 folders of 250 letters: over 5,000 in all
        os.mkdir("d" * 250, dir_fd=here)
        inner = os.open("d" * 250, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    drawn.jpeg(album / "z.jpg", 2)
    try:
        found = _scan(library, album)

        assert (found.read, found.unreadable) == (2, 1)
        [problem] = library.files.problems()
        assert "too long" in problem.reason
        assert _scan(library, album).read == 0
    finally:
        shutil.rmtree(album)


def test_hard_links_are_one_memory_with_two_files(library: Library, album: Path) -> None:
    photo = drawn.jpeg(album / "a.jpg", 1)
    os.link(photo, album / "b.jpg")

    _scan(library, album)

    [memory] = library.memories.matching()
    assert len(memory.files) == 2


def test_a_file_overwritten_in_place_is_another_memory_and_the_old_one_is_not_lost(
    library: Library, album: Path
) -> None:
    photo = drawn.jpeg(album / "a.jpg", 1)
    _scan(library, album)
    [before] = library.memories.matching()
    drawn.jpeg(photo, 2)

    _scan(library, album)

    known = {memory.id: memory for memory in library.memories.matching()}
    assert len(known) == 2
    assert before.id in known


def test_a_file_moved_from_one_folder_of_the_library_to_another_keeps_its_memory(
    library: Library, album: Path, tmp_path: Path
) -> None:
    photo = drawn.jpeg(album / "a.jpg", 1)
    drawn.jpeg(album / "stays.jpg", 3)
    other = tmp_path / "other"
    other.mkdir()
    add_folder(library, other)
    _scan(library, album)
    memory_id = next(memory.id for memory in library.memories.matching() if memory.file_name == "a.jpg")
    with library.memories.edit(memory_id) as editing:
        editing.set_text(Field.CAPTION, "What I said", Origin.PERSON)

    shutil.move(photo, other / "renamed.jpg")
    _scan(library, album)
    _scan(library, album)

    memory = library.memories.get(memory_id)
    assert (memory.caption, memory.file_name, memory.is_missing) == ("What I said", "renamed.jpg", False)
    assert len(library.memories.matching()) == 2
