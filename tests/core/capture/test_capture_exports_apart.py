"""An export whose files lie apart: its parts added one by one, in any place, and albums whose pictures lie in their year."""

import json
import os
from pathlib import Path

import pytest

from core.capture.scan import Scanned, add_folder, scan
from core.jobs import run_to_end
from core.records import CapturedMemory, Origin, Stage
from core.store.library import Library
from desktop import cli
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing

YEAR = "Google Photos/Photos from 2009"
TAKEN = 1_258_375_918  # 2009-11-16
PARTS = [
    ("Takeout-001", "Takeout-002"),
    ("Takeout-001/Takeout", "Takeout-002/Takeout"),
    ("old disk/Takeout", "downloads/takeout-20230720T065335Z-002/Takeout"),
    ("one", "two"),
]


def _json(path: Path, title: str = "", taken: int = TAKEN, **more: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    title = title or path.name.removesuffix(".json")
    path.write_text(json.dumps({"title": title, "photoTakenTime": {"timestamp": str(taken)}, **more}))
    return path


def _album(folder: Path, title: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "metadata.json").write_text(json.dumps({"title": title, "description": "", "access": "protected"}))


def _add(library: Library, *folders: Path) -> None:
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        add_folder(library, folder)


def _rescan(library: Library) -> Scanned:
    found: Scanned = run_to_end(scan(library))
    return found


def _one(library: Library) -> CapturedMemory:
    [memory] = library.memories.matching()
    return memory


@pytest.mark.parametrize(("first", "second"), PARTS)
@pytest.mark.parametrize("is_media_first", [True, False])
def test_the_parts_of_an_export_are_one_wherever_they_were_added(
    library: Library, album: Path, capture: Capturing, first: str, second: str, is_media_first: bool
) -> None:
    media, jsons = (album / first, album / second) if is_media_first else (album / second, album / first)
    _add(library, media, jsons)
    drawn.jpeg(media / YEAR / "a.jpg", 1)
    _json(jsons / YEAR / "a.jpg.json", description="On the pier")
    capture.album = media
    capture(until=Stage.METADATA)

    assert (_one(library).caption, _one(library).taken.origin) == ("On the pier", Origin.TAKEOUT)
    assert library.files.problems() == []
    assert library.sidecars.left_over() == (0, 0)
    assert _rescan(library).folders_with_news == 0


def test_flat_parts_are_one_too(library: Library, album: Path, capture: Capturing) -> None:
    _add(library, album / "x/Takeout-001", album / "y/Takeout-002")
    drawn.jpeg(album / "x/Takeout-001/a.jpg", 1)
    _json(album / "y/Takeout-002/a.jpg.json", description="On the pier")
    capture.album = album / "x/Takeout-001"
    capture(until=Stage.METADATA)

    assert _one(library).caption == "On the pier"


def test_a_part_added_later_is_read_then(library: Library, album: Path, capture: Capturing) -> None:
    _add(library, album / "one")
    capture.album = album / "one"
    _json(album / "two" / YEAR / "a.jpg.json", description="On the pier")
    for number, name in enumerate(("a", "b")):
        drawn.jpeg(album / "one" / YEAR / f"{name}.jpg", number)
    _json(album / "one" / YEAR / "b.jpg.json")
    capture(until=Stage.METADATA)
    assert library.sidecars.left_over() == (1, 0)
    _add(library, album / "two")
    capture(until=Stage.METADATA)

    assert capture.named("a.jpg").caption == "On the pier"
    assert library.sidecars.left_over() == (0, 0)


def test_a_name_that_two_roots_have_without_details_is_no_ones(
    library: Library, album: Path, capture: Capturing
) -> None:
    for number, root in enumerate(("ann", "bob", "jsons")):
        _add(library, album / root)
        if root != "jsons":
            drawn.jpeg(album / root / YEAR / "a.jpg", number)
    _json(album / "jsons" / YEAR / "a.jpg.json", description="On the pier")
    capture.album = album / "ann"
    capture(until=Stage.METADATA)

    assert [memory.caption for memory in library.memories.matching()] == ["", ""]
    assert library.sidecars.left_over() == (0, 1)


def test_copies_of_one_picture_in_two_roots_share_the_details(
    library: Library, album: Path, capture: Capturing
) -> None:
    _add(library, album / "ann", album / "backup", album / "jsons")
    for root in ("ann", "backup"):
        drawn.jpeg(album / root / YEAR / "a.jpg", 1)
    _json(album / "jsons" / YEAR / "a.jpg.json", description="On the pier")
    capture.album = album / "ann"
    capture(until=Stage.METADATA)

    assert (_one(library).caption, len(_one(library).files)) == ("On the pier", 2)


def test_details_that_differ_in_two_roots_are_no_ones(library: Library, album: Path, capture: Capturing) -> None:
    _add(library, album / "media", album / "ann", album / "bob")
    drawn.jpeg(album / "media" / YEAR / "a.jpg", 1)
    for root in ("ann", "bob"):
        _json(album / root / YEAR / "a.jpg.json", description=f"By {root}")
    capture.album = album / "media"
    capture(until=Stage.METADATA)

    assert _one(library).caption == ""
    assert library.sidecars.left_over() == (0, 2)


def test_whole_exports_of_two_people_do_not_mix(library: Library, album: Path, capture: Capturing) -> None:
    for number, person in enumerate(("ann", "bob")):
        root = album / person / "Takeout"
        _add(library, root)
        drawn.jpeg(root / YEAR / "a.jpg", number)
        _json(root / YEAR / "a.jpg.json", description=f"By {person}")
    capture.album = album / "ann/Takeout"
    capture(until=Stage.METADATA)

    said = {memory.files[0].split(os.sep)[-5]: memory.caption for memory in library.memories.matching()}

    assert said == {"ann": "By ann", "bob": "By bob"}


def test_an_album_in_one_root_with_its_name_in_another_gives_its_keyword(
    library: Library, album: Path, capture: Capturing
) -> None:
    _add(library, album / "one", album / "two")
    drawn.jpeg(album / "one/Google Photos/Trip/a.jpg", 1)
    _json(album / "two/Google Photos/Trip/a.jpg.json")
    _album(album / "two/Google Photos/Trip", "Norway")
    capture.album = album / "one"
    capture(until=Stage.METADATA)

    assert _one(library).keywords == ("Norway",)


def test_an_unplugged_part_goes_on_describing_its_pictures(library: Library, album: Path, capture: Capturing) -> None:
    _add(library, album / "one", album / "two")
    drawn.jpeg(album / "one" / YEAR / "a.jpg", 1)
    _json(album / "two" / YEAR / "a.jpg.json", description="On the pier")
    capture.album = album / "one"
    capture(until=Stage.METADATA)
    (album / "two").rename(album / "away")
    for _ in range(2):
        capture(until=Stage.METADATA)

    assert _one(library).caption == "On the pier"
    assert _rescan(library).folders_with_news == 0
    (album / "one").rename(album / "gone")
    (album / "away").rename(album / "two")
    _rescan(library)
    assert library.sidecars.left_over() == (0, 0)
    (album / "gone").rename(album / "one")
    capture(until=Stage.METADATA)
    assert _one(library).caption == "On the pier"


def test_a_part_taken_out_of_the_library_describes_nothing_any_more(
    library: Library, album: Path, capture: Capturing
) -> None:
    _add(library, album / "one", album / "two")
    drawn.jpeg(album / "one" / YEAR / "a.jpg", 1)
    _json(album / "two" / YEAR / "a.jpg.json", description="On the pier")
    capture.album = album / "one"
    capture(until=Stage.METADATA)
    library.files.remove_root(library.files.roots()[1].id)
    capture(until=Stage.METADATA)

    assert _one(library).caption == ""


@pytest.mark.parametrize("trip", ["Takeout", "Takeout 2", "elsewhere"])
@pytest.mark.parametrize("has_own", [True, False])
def test_the_json_of_an_album_describes_the_picture_in_its_year(
    library: Library, album: Path, capture: Capturing, trip: str, has_own: bool
) -> None:
    _add(library, album / "Takeout", album / trip)
    for number, year in enumerate((2009, 2010)):
        folder = album / f"Takeout/Google Photos/Photos from {year}"
        drawn.jpeg(folder / "a.jpg", number)
        if has_own:
            _json(folder / "a.jpg.json", taken=TAKEN + number * 365 * 86_400)
    _json(album / trip / "Google Photos/Trip/a.jpg.json")
    _album(album / trip / "Google Photos/Trip", "Norway")
    capture.album = album / "Takeout"
    capture(until=Stage.METADATA)

    words = {os.path.basename(os.path.dirname(each.files[0])): each.keywords for each in library.memories.matching()}

    assert words == {"Photos from 2009": ("Norway",), "Photos from 2010": ()}
    assert library.sidecars.left_over()[1] == 0
    assert not [each for each in library.files.problems() if "belongs to no file" in each.reason]


def test_the_second_file_of_a_name_in_a_year_has_its_own_album(
    library: Library, album: Path, capture: Capturing
) -> None:
    year, trip = album / "Takeout" / YEAR, album / "Takeout/Google Photos/Trip"
    for number, (name, sidecar) in enumerate((("a.jpg", "a.jpg.json"), ("a(1).jpg", "a.jpg(1).json"))):
        drawn.jpeg(year / name, number)
        _json(year / sidecar, "a.jpg", TAKEN + number)
    _json(trip / "a.jpg.json", "a.jpg", TAKEN + 1)
    _album(trip, "Norway")
    capture(until=Stage.METADATA)

    assert (capture.named("a.jpg").keywords, capture.named("a(1).jpg").keywords) == ((), ("Norway",))
    assert library.sidecars.left_over() == (0, 0)


def test_a_cut_name_in_a_year_is_found_by_the_whole_title(library: Library, album: Path, capture: Capturing) -> None:
    title = "a_photo_whose_name_is_as_long_as_such_names_may_ever_be.jpg"
    drawn.jpeg(album / "Takeout" / YEAR / f"{title[:47]}.jpg", 1)
    _json(album / "Takeout/Google Photos/Trip" / f"{title[:46]}.json", title)
    _album(album / "Takeout/Google Photos/Trip", "Norway")
    capture(until=Stage.METADATA)

    assert _one(library).keywords == ("Norway",)


@pytest.mark.parametrize("more", [{"taken": TAKEN + 5}, {"title": "b.jpg"}, {"description": "Another a"}])
def test_the_json_of_another_picture_in_an_album_is_left_over(
    library: Library, album: Path, capture: Capturing, more: dict[str, object]
) -> None:
    drawn.jpeg(album / "Takeout" / YEAR / "a.jpg", 1)
    _json(album / "Takeout" / YEAR / "a.jpg.json", description="On the pier")
    _json(album / "Takeout/Google Photos/Trip/a.jpg.json", **{"description": "On the pier", **more})  # type: ignore[arg-type]
    _album(album / "Takeout/Google Photos/Trip", "Norway")
    capture(until=Stage.METADATA)

    assert _one(library).keywords == ()
    assert library.sidecars.left_over() == (0, 1)


def test_status_counts_what_is_left_over(
    library: Library, album: Path, capture: Capturing, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, name in enumerate(("a", "b")):
        drawn.jpeg(album / "Takeout" / YEAR / f"{name}.jpg", number)
    _json(album / "Takeout" / YEAR / "a.jpg.json")
    _json(album / "Takeout" / YEAR / "lost.jpg.json")
    capture(until=Stage.METADATA)
    home = str(library.home.folder)
    library.close()

    cli.main(["--home", home, "status"], lambda home: 0, lambda home, picture: None)
    assert "files without details: 1, sidecars without a file: 1" in capsys.readouterr().out
    cli.main(["--home", home, "status", "--json"], lambda home: 0, lambda home, picture: None)
    told = json.loads(capsys.readouterr().out)
    assert (told["without_details"], told["unmatched_sidecars"]) == (1, 1)


def test_a_namesake_of_another_day_in_a_folder_of_another_name_is_not_described(
    library: Library, album: Path, capture: Capturing
) -> None:
    camera, exports = album / "Camera", album / "Old exports"
    drawn.jpeg(camera / "IMG_0001.jpg", 1, drawn.exif({drawn.ORIGINAL: "2024:05:05 10:00:00"}))
    same = drawn.exif({drawn.ORIGINAL: "2009:11:17 02:10:00"})  # the same day, in a zone of its own
    drawn.jpeg(camera / "IMG_0002.jpg", 2, same)
    for name in ("IMG_0001.jpg", "IMG_0002.jpg"):
        _json(exports / f"{name}.json", description="A wedding", geoData={"latitude": 30.657, "longitude": 104.07})
    _add(library, camera, exports)
    capture(until=Stage.METADATA)

    namesake, meant = capture.named("IMG_0001.jpg"), capture.named("IMG_0002.jpg")
    assert (namesake.caption, namesake.place) == ("", None)
    assert meant.caption == "A wedding"
    [problem] = library.files.problems()
    assert (os.path.basename(problem.file), "another day" in problem.reason) == ("IMG_0001.jpg.json", True)
    _rescan(library)
    assert len(library.files.problems()) == 1
