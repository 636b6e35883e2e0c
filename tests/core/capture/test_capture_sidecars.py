"""Sidecars beside pictures: which one describes which, what their words become, and what happens when they change."""

import json
import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from core.capture import sidecar_pairs
from core.capture.facts import FileFacts
from core.capture.scan import Scanned, scan
from core.errors import PhotoUnreadableError
from core.jobs import run_to_end
from core.records import Field, Origin, Stage
from core.store.library import Library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, InProcessDecoder
from tests.core.capture.test_capture_xmp import packet

_DATED = drawn.exif({drawn.ORIGINAL: "2015:01:01 08:00:00"})


def _xmp(path: Path, taken: str, caption: str, more: str = "") -> Path:
    body = f"<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>{caption}</rdf:li></rdf:Alt></dc:description>{more}"
    path.write_text(packet(body, f"exif:DateTimeOriginal='{taken}'"))
    return path


def _takeout(path: Path, taken: int = 1_258_375_918, **more: object) -> Path:
    fields = {"title": path.name[:-5], "photoTakenTime": {"timestamp": str(taken)}, **more}
    path.write_text(json.dumps(fields))
    return path


def _problems(library: Library) -> dict[str, str]:
    return {os.path.basename(problem.file): problem.reason for problem in library.files.problems()}


@pytest.mark.usefixtures("system_zone")
def test_each_sidecar_describes_the_picture_it_is_named_after(
    library: Library, album: Path, capture: Capturing
) -> None:
    for number, name in enumerate(("A", "B", "C", "D", "E")):
        drawn.jpeg(album / f"{name}.jpg", number, _DATED)
    drawn.picture(seed=9).save(album / "D.png")
    _xmp(album / "A.jpg.xmp", "2014-12-25T18:00:00+01:00", "Christmas")
    _xmp(album / "B.xmp", "2014-12-25T18:00:00", "from B")
    _xmp(album / "C.jpg.xmp", "2016-01-01T00:00:00", "full name")
    _xmp(album / "C.xmp", "2001-01-01T00:00:00", "short name")
    _xmp(album / "D.xmp", "2016-01-01T00:00:00", "ambiguous")
    (album / "E.jpg.xmp").write_text("<x:xmpmeta><not closed")
    capture(until=Stage.METADATA)

    a, b, c = (capture.named(f"{name}.jpg") for name in "ABC")

    assert (a.taken.wall, a.taken.utc_offset_minutes, a.taken.origin) == (
        datetime(2014, 12, 25, 18), 60, Origin.XMP_SIDECAR,
    )  # fmt: skip
    assert (a.caption, b.caption, c.caption) == ("Christmas", "from B", "full name")
    assert (b.taken.wall, c.taken.wall) == (datetime(2014, 12, 25, 18), datetime(2016, 1, 1))
    for name in ("D.jpg", "D.png", "E.jpg"):
        assert capture.named(name).caption == ""
    assert capture.named("E.jpg").taken.wall == datetime(2015, 1, 1, 8)
    assert _problems(library) == {
        "D.xmp": "It could belong to more than one picture (D.jpg, D.png), so it is not used. "
        "Name it after one of them, like “D.jpg.xmp”.",
        "E.jpg.xmp": "The sidecar cannot be read (it is not complete XML), so it is left out.",
    }


def test_the_same_name_in_two_folders_is_two_sidecars(album: Path, capture: Capturing) -> None:
    for number, folder in enumerate(("one", "two")):
        drawn.jpeg(album / folder / "IMG_1.jpg", number)
        _xmp(album / folder / "IMG_1.xmp", f"200{number}-01-01T00:00:00", folder)
    capture(until=Stage.METADATA)

    found = {os.path.basename(os.path.dirname(m.files[0])): m.caption for m in capture.library.memories.matching()}

    assert found == {"one": "one", "two": "two"}


def test_what_the_person_typed_elsewhere_is_kept_under_its_origin(
    library: Library, album: Path, capture: Capturing
) -> None:
    people = "<rdf:li><rdf:Description mwg:Name='Anna' mwg:Type='Face'/></rdf:li>"
    words = "<dc:subject><rdf:Bag><rdf:li>harbour</rdf:li><rdf:li>anna</rdf:li></rdf:Bag></dc:subject><xmp:Rating>5</xmp:Rating>"
    drawn.jpeg(album / "a.jpg", 1, _DATED, xmp=packet(words + people).encode())
    _xmp(album / "a.xmp", "2014-12-25T18:00:00", "Quay", "<xmp:Rating>3</xmp:Rating>")
    capture(until=Stage.METADATA)

    memory = capture.named("a.jpg")

    assert (memory.rating, memory.keywords, memory.people, memory.caption) == (3, ("harbour",), ("Anna",), "Quay")
    assert memory.origins["keywords"] == Origin.EMBEDDED_XMP
    with library.memories.edit(memory.id) as editing:
        editing.set_text(Field.CAPTION, "My own words", Origin.PERSON)
    _xmp(album / "a.xmp", "2014-12-25T18:00:00", "Quay again")
    capture(until=Stage.METADATA)
    assert (capture.named("a.jpg").caption, capture.named("a.jpg").rating) == ("My own words", 5)


def test_a_sidecar_that_comes_changes_and_goes_is_followed_and_nothing_else_is_read_again(
    library: Library, album: Path, capture: Capturing
) -> None:
    drawn.jpeg(album / "a.jpg", 1, _DATED)
    drawn.jpeg(album / "b.jpg", 2, _DATED)
    capture(until=Stage.METADATA)
    _xmp(album / "a.xmp", "2014-12-25T18:00:00", "first")
    run_to_end(scan(library))
    due = library.stages.due(Stage.METADATA, "3", after=Stage.SCAN)

    assert due == [capture.named("a.jpg").id]
    capture(until=Stage.METADATA)
    assert capture.named("a.jpg").caption == "first"
    assert _rescan(library).folders_with_news == 0
    _xmp(album / "a.xmp", "2014-12-25T18:00:00", "second")
    drawn.set_mtime(album / "a.xmp", 1_700_000_000)
    capture(until=Stage.METADATA)
    assert capture.named("a.jpg").caption == "second"
    (album / "a.xmp").unlink()
    capture(until=Stage.METADATA)
    assert (capture.named("a.jpg").caption, capture.named("a.jpg").taken.wall) == ("", datetime(2015, 1, 1, 8))


def _rescan(library: Library) -> Scanned:
    found = run_to_end(scan(library))
    assert isinstance(found, Scanned)
    return found


def test_a_folder_moved_with_its_sidecars_is_not_read_again(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "old" / "a.jpg", 1, _DATED)
    _xmp(album / "old" / "a.xmp", "2014-12-25T18:00:00", "Quay")
    capture(until=Stage.METADATA)
    (album / "old").rename(album / "new")
    run_to_end(scan(library))

    [memory] = library.memories.matching()

    assert library.stages.due(Stage.METADATA, "3", after=Stage.SCAN) == []
    assert library.sidecars.of_memory(memory.id) == [str(album / "new" / "a.xmp")]
    assert memory.caption == "Quay"


def test_an_unplugged_folder_keeps_what_its_sidecars_said(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "a.jpg", 1)
    _xmp(album / "a.xmp", "2014-12-25T18:00:00", "Quay")
    capture(until=Stage.METADATA)
    album.rename(album.parent / "elsewhere")
    run_to_end(scan(library))

    assert capture.named("a.jpg").caption == "Quay"
    (album.parent / "elsewhere").rename(album)
    assert _rescan(library).folders_with_news == 0


@pytest.mark.usefixtures("system_zone")
def test_a_takeout_gives_dates_places_people_and_favourites(album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "IMG_3(1).jpg", 1)
    drawn.jpeg(album / "IMG_4.jpg", 2, drawn.exif({drawn.ORIGINAL: "2020:05:05 10:00:00"}, gps=(60.39, 5.32)))
    where = {"latitude": 30.657819, "longitude": 104.0739}
    _takeout(album / "IMG_3.jpg(1).json", geoData=where, favorited=True, people=[{"name": "Anna"}], description="Tea")
    _takeout(album / "IMG_4.jpg.supplemental-metadata.json", geoData=where)
    capture(until=Stage.METADATA)

    first, second = capture.named("IMG_3(1).jpg"), capture.named("IMG_4.jpg")

    # 2009-11-16 12:51:58 UTC, in Chengdu
    assert (first.taken.wall, first.taken.utc_offset_minutes, first.taken.origin) == (
        datetime(2009, 11, 16, 20, 51, 58), 480, Origin.TAKEOUT,
    )  # fmt: skip
    assert (first.favourite, first.people, first.caption) == (True, ("Anna",), "Tea")
    assert first.place is not None
    assert first.place.country == "China"
    assert second.taken.origin is Origin.EXIF_ORIGINAL
    assert second.place is not None
    assert second.place.country == "Norway"


def test_what_a_takeout_leaves_over_is_told_once_a_folder(library: Library, album: Path, capture: Capturing) -> None:
    for number in range(3):
        drawn.jpeg(album / f"IMG_{number}.jpg", number)
    _takeout(album / "IMG_0.jpg.json")
    _takeout(album / "IMG_9.jpg.json")
    (album / "metadata.json").write_text('{"title": "Summer"}')
    (album / "package.json").write_text("[]")
    capture(until=Stage.METADATA)

    assert _problems(library) == {
        "album": "2 of 3 files have no Takeout details (IMG_1.jpg, IMG_2.jpg). "
        "1 sidecar belongs to no file here (IMG_9.jpg.json)."
    }


def test_the_json_of_a_forgotten_photo_is_not_named_anywhere(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "secret.jpg", 1)
    drawn.jpeg(album / "b.jpg", 2)
    _takeout(album / "secret.jpg.json")
    _takeout(album / "b.jpg.json")
    capture(until=Stage.METADATA)
    with library.memories.edit(capture.named("secret.jpg").id) as editing:
        editing.forget()
    _takeout(album / "c.jpg.json")
    drawn.jpeg(album / "c.jpg", 3)
    capture(until=Stage.METADATA)

    assert _problems(library) == {}
    assert b"secret" not in b"".join(
        row["path"]
        for row in library.database.read().execute("SELECT path FROM sidecars UNION SELECT path FROM sidecar_notes")
    )


def test_an_icloud_table_dates_its_photos(album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "IMG_1.JPG", 1)
    (album / "Photo Details.csv").write_text(
        "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate\n"
        'IMG_1.JPG,x,yes,no,no,"Friday October 6,2023 12:11 PM GMT",1,\n'
    )
    capture(until=Stage.METADATA, home_zone="Europe/Paris")

    memory = capture.named("IMG_1.JPG")

    assert (memory.taken.wall, memory.taken.origin, memory.favourite) == (
        datetime(2023, 10, 6, 14, 11), Origin.TAKEOUT, True,
    )  # fmt: skip


def test_names_that_differ_only_in_accents_and_case_keep_their_own_sidecars() -> None:
    nfc, nfd = "\u00e9.jpg", "e\u0301.jpg"
    found = sidecar_pairs.pair("", [nfc, nfd, "X.JPG"], [nfc + ".xmp", nfd + ".xmp", "x.jpg.xmp"])

    assert dict(found.of) == {nfc: [nfc + ".xmp"], nfd: [nfd + ".xmp"], "X.JPG": ["x.jpg.xmp"]}


def test_a_sidecar_of_raw_and_jpeg_together_is_the_jpegs() -> None:
    found = sidecar_pairs.pair("", ["a.CR2", "a.JPG", "a.MOV"], ["a.xmp"])

    assert {file: names for file, names in found.of.items() if names} == {"a.JPG": ["a.xmp"]}


def test_a_copy_of_a_tree_is_the_same_memory_with_the_sidecars_of_both(
    library: Library, album: Path, capture: Capturing
) -> None:
    drawn.jpeg(album / "one" / "a.jpg", 1)
    _xmp(album / "one" / "a.xmp", "2014-12-25T18:00:00", "Quay")
    shutil.copytree(album / "one", album / "two")
    capture(until=Stage.METADATA)

    [memory] = library.memories.matching()

    assert len(library.sidecars.of_memory(memory.id)) == 2
    assert memory.caption == "Quay"


def test_what_was_told_to_picasa_is_kept(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "IMG_1.JPG", 1)
    drawn.jpeg(album / "IMG_2.JPG", 2)
    (album / ".picasa.ini").write_text(
        "[Picasa]\nname=Summer\n[Contacts2]\nac8c36e8c9c5a5a1=Anna Berg;;\n"
        "[img_1.jpg]\nstar=yes\ncaption=At the quay\nkeywords=harbour,boat\n"
        "faces=rect64(9eb15e89b6b584c1),AC8C36E8C9C5A5A1;rect64(0),ffffffffffffffff\n[IMG_9.JPG]\nstar=yes\nbroken line\n"
    )
    _xmp(album / "IMG_2.xmp", "2014-12-25T18:00:00", "closer")
    with (album / ".picasa.ini").open("a") as file:
        file.write("[IMG_2.JPG]\ncaption=farther\n")
    capture(until=Stage.METADATA)

    first, second = capture.named("IMG_1.JPG"), capture.named("IMG_2.JPG")

    assert second.caption == "closer"
    assert (first.people, first.caption, first.keywords, first.favourite) == (
        ("Anna Berg",), "At the quay", ("harbour", "boat"), True,
    )  # fmt: skip
    assert (second.people, second.favourite) == ((), False)
    assert library.files.problems() == []


def test_a_photo_that_is_tried_again_finds_its_sidecar(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "a.jpg", 1)
    drawn.jpeg(album / "b.jpg", 2)
    _xmp(album / "a.xmp", "2014-12-25T18:00:00", "Quay")
    capture(until=Stage.METADATA, decoder=_Failing())
    assert [problem.file for problem in library.files.problems()] == [str(album / "a.jpg")]
    library.files.retry(None)
    capture(until=Stage.METADATA)

    assert capture.named("a.jpg").caption == "Quay"


class _Failing(InProcessDecoder):
    """Cannot read `a.jpg`."""

    def facts(self, path: str) -> FileFacts:
        if path.endswith("a.jpg"):
            raise PhotoUnreadableError("The disk is tired.")
        return super().facts(path)
