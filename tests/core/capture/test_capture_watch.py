"""Folders are watched cheaply, patiently and without a word about our own work."""

import os
import shutil
import threading
from pathlib import Path

import pytest

from core.capture.watch import FolderWatch
from core.volumes import is_on_network, kind_of_mount


def _settle(folder: Path, seconds: int = 1_600_000_000) -> None:
    """Give every folder a time that lies back, as if nothing had happened for long."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            os.utime(path, (seconds, seconds))


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    (folder / "2019" / "trip").mkdir(parents=True)
    _settle(folder)
    return folder


def _watch(*roots: Path, home: Path = Path("/nowhere")) -> FolderWatch:
    return FolderWatch(lambda: [str(root) for root in roots], str(home))


def test_nothing_is_news_while_nothing_changes(album: Path) -> None:
    watch = _watch(album)

    assert [watch.look().is_news for _ in range(3)] == [False] * 3


def test_a_new_file_deep_inside_is_news_once_and_only_after_it_settled(album: Path) -> None:
    watch = _watch(album)
    watch.look()

    (album / "2019" / "trip" / "a.jpg").write_bytes(b"x")
    assert not watch.look().is_news  # it may still be being copied
    _settle(album, 1_600_000_100)
    assert not watch.look().is_news
    assert watch.look().is_news
    assert not watch.look().is_news


def test_a_new_folder_is_watched_from_then_on(album: Path) -> None:
    watch = _watch(album)
    watch.look()
    (album / "2020").mkdir()
    _settle(album, 1_600_000_100)
    watch.look()
    assert watch.look().is_news

    (album / "2020" / "a.jpg").write_bytes(b"x")
    os.utime(album / "2020", (1_600_000_200, 1_600_000_200))

    assert not watch.look().is_news
    assert watch.look().is_news


def test_a_folder_that_never_stands_still_is_read_all_the_same(album: Path) -> None:
    watch = _watch(album)
    watch.look()
    news = []
    for second in range(12):
        os.utime(album, (1_600_001_000 + second, 1_600_001_000 + second))
        news.append(watch.look().is_news)

    assert news.count(True) == 2


def test_a_drive_that_goes_and_comes_back_is_news_each_time(album: Path, tmp_path: Path) -> None:
    watch = _watch(album)
    watch.look()

    away = Path(shutil.move(album, tmp_path / "away"))
    assert [watch.look().is_news for _ in range(3)] == [False, True, False]
    shutil.move(away, album)
    assert [watch.look().is_news for _ in range(3)] == [False, True, False]


def test_our_own_folder_junk_and_packages_are_not_watched(album: Path) -> None:
    home = album / "madeleine"
    for folder in (home / "thumbnails", album / "@eaDir", album / "Old.photoslibrary" / "originals"):
        folder.mkdir(parents=True)
    _settle(album)
    watch = _watch(album, home=home)
    watch.look()
    for folder in (home / "thumbnails", album / "@eaDir", album / "Old.photoslibrary" / "originals"):
        os.utime(folder, (1_600_000_500, 1_600_000_500))

    assert [watch.look().is_news for _ in range(2)] == [False, False]


def test_a_root_that_was_just_added_is_no_news(album: Path, tmp_path: Path) -> None:
    roots = [str(album)]
    watch = FolderWatch(lambda: roots, "/nowhere")
    watch.look()
    second = tmp_path / "second"
    second.mkdir()
    _settle(second)

    roots.append(str(second))

    assert [watch.look().is_news for _ in range(2)] == [False, False]


def test_a_drive_of_another_computer_is_left_alone_when_the_person_wants_that(
    album: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = FolderWatch(
        lambda: [str(album)], "/nowhere", is_far=lambda root: root == str(album), with_far=lambda: False
    )
    watch.look()
    (album / "a.jpg").write_bytes(b"x")

    assert [watch.look().is_news for _ in range(3)] == [False] * 3


def test_a_folder_changed_this_very_moment_is_looked_at_again(album: Path) -> None:
    os.utime(album)
    watch = _watch(album)
    watch.look()
    stamp = os.stat(album)
    (album / "a.jpg").write_bytes(b"x")
    os.utime(album, ns=(stamp.st_atime_ns, stamp.st_mtime_ns - 10_000_000_000))  # a clock too coarse to show the change

    assert not watch.look().is_news
    assert watch.look().is_news


def test_the_file_system_of_a_path_is_that_of_its_deepest_mount() -> None:
    mounts = (
        b"/dev/sda1 / ext4 rw 0 0\n"
        b"nas:/photos /mnt/my\\040photos nfs4 rw 0 0\n"
        b"/dev/sdb1 /mnt/my\\040photos/local exfat rw 0 0\n"
        b"broken\n"
    )

    assert kind_of_mount(mounts, "/srv/ann/Pictures") == "ext4"
    assert kind_of_mount(mounts, "/mnt/my photos/2019") == "nfs4"
    assert kind_of_mount(mounts, "/mnt/my photos/local/2019") == "exfat"
    assert kind_of_mount(mounts, "/mnt/my photos2") == "ext4"
    assert kind_of_mount(b"", "/srv") == ""


def test_a_temporary_folder_is_no_network_drive(tmp_path: Path) -> None:
    assert not is_on_network(str(tmp_path))


def test_a_scan_is_due_now_and_then_for_what_was_overwritten_in_place(album: Path) -> None:
    now = [0.0]
    watch = FolderWatch(lambda: [str(album)], "/nowhere", clock=lambda: now[0])
    assert not watch.look().is_news

    news = []
    for _ in range(14):
        now[0] += 100
        news.append(watch.look().is_news)

    assert news.count(True) == 2


def test_a_drive_of_another_computer_is_looked_at_by_a_thread_nobody_waits_for(album: Path) -> None:
    now, wanted = [1_000.0], [True]
    release = threading.Event()

    class Slow(FolderWatch):
        def _folders(self, *about: object) -> dict[str, object]:  # type: ignore[override]
            release.wait(10)
            return super()._folders(*about)  # type: ignore[arg-type, return-value]

    watch = Slow(
        lambda: [str(album)], "/nowhere", is_far=lambda root: True, with_far=lambda: wanted[0], clock=lambda: now[0]
    )

    def look() -> bool:
        now[0] += 121
        found = watch.look().is_news
        for thread in threading.enumerate():
            if thread.name == "madeleine-far-look":
                thread.join(0.01 if not release.is_set() else 10)
        return found

    assert not look()  # it hangs, and we do not
    release.set()
    look()
    (album / "2019" / "a.jpg").write_bytes(b"x")
    os.utime(album / "2019", (1_600_000_300, 1_600_000_300))
    assert [look() for _ in range(4)].count(True) == 1
    wanted[0] = False
    (album / "2019" / "b.jpg").write_bytes(b"x")
    assert not any(look() for _ in range(2))
