"""A Google Takeout with all its name rules, in several parts, with albums; and the albums of an iCloud export."""

import json
import os
import string
from datetime import datetime
from pathlib import Path

import pytest

from core.capture import takeout
from core.capture.stems import without_edit_mark
from core.records import Origin, Stage
from core.store.library import Library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing

TAKEN = 1_258_375_918  # 2009-11-16 12:51:58 UTC
LONG = "a_photo_whose_name_is_as_long_as_such_names_may_ever_be"  # 55 characters
NEW = ".supplemental-metadata"


def _json(path: Path, title: str, **more: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"title": title, "photoTakenTime": {"timestamp": str(TAKEN)}, **more}))
    return path


def _album(path: Path, title: str) -> Path:
    path.write_text(json.dumps({"title": title, "description": "", "access": "protected", "date": {"timestamp": "0"}}))
    return path


def _title_none(_name: str) -> str:
    return ""


@pytest.mark.parametrize(
    ("media", "sidecar"),
    [
        ("IMG_1.jpg", "IMG_1.jpg.json"),
        ("IMG_1.jpg", f"IMG_1.jpg{NEW}.json"),
        ("IMG_1(1).jpg", "IMG_1.jpg(1).json"),
        ("IMG_1(12).jpg", f"IMG_1.jpg{NEW}(12).json"),
        ("tower (2).jpg", f"tower (2).jpg{NEW}.json"),
        ("tower (2).jpg", "tower (2).jpg.json"),
        (f"{LONG}.jpg", f"{LONG[:46]}.json"),
        (f"{LONG[:47]}.jpg", f"{LONG[:46]}.json"),
        (f"{LONG[:41]}.jpg", f"{LONG[:41]}.jpg..json"),
        (f"{LONG[:42]}.jpg", f"{LONG[:42]}.jpg.json"),
        (f"{LONG[:43]}.jpg", f"{LONG[:43]}.jp.json"),
        (f"{LONG[:44]}.jpg", f"{LONG[:44]}.j.json"),
        (f"{LONG[:43]}(1).jpg", f"{LONG[:43]}.jp(1).json"),
        (f"{LONG[:46]}x(3).jpg", f"{LONG[:46]}(3).json"),
        ("IMG_1-edited.jpg", "IMG_1.jpg.json"),
        ("IMG_1-edited(1).jpg", "IMG_1.jpg(1).json"),
        (f"{LONG[:42]}-edit.jpg", f"{LONG[:42]}.jpg.json"),
        ("ÄÖÜ.JPG", "ÄÖÜ.JPG.json"),
        ("clip.mp4", f"clip.mp4{NEW}.json"),
    ],
)  # fmt: skip
def test_the_json_of_a_file_is_found_by_every_rule_of_names(media: str, sidecar: str) -> None:
    assert takeout.match([media], [sidecar], _title_none) == {media: sidecar}


@pytest.mark.parametrize("kept", range(len(NEW) + 1))
def test_the_long_ending_may_be_cut_at_any_letter(kept: int) -> None:
    for number in ("", "(1)"):
        name = f"Screenshot_20200301-161151{number}.png"
        sidecar = f"Screenshot_20200301-161151.png{NEW[:kept]}{number}.json"

        assert takeout.match([name], [sidecar], _title_none) == {name: sidecar}


@pytest.mark.parametrize(
    ("media", "sidecar"),
    [
        ("IMG_1.jpg", "IMG_2.jpg.json"),
        ("IMG_1(1).jpg", "IMG_1.jpg.json"),
        ("IMG_1.jpg", "IMG_1.jpg(1).json"),
        ("IMG_1(1).jpg", "IMG_1.jpg(2).json"),
        ("IMG_1.jpg", "IMG_1.jp.json"),
        (f"{LONG[:46]}x(3).jpg", f"{LONG[:46]}(4).json"),
    ],
)
def test_the_json_of_another_file_is_not_taken(media: str, sidecar: str) -> None:
    assert takeout.match([media], [sidecar], _title_none) == {}


def test_files_that_share_a_cut_name_are_told_apart_by_the_title_inside() -> None:
    first, second = f"{LONG[:46]}A.jpg", f"{LONG[:46]}B.jpg"
    cut = f"{LONG[:46]}.json"

    assert takeout.match([first, second], [cut], lambda _: second) == {second: cut}


def test_a_title_without_extension_and_with_characters_no_file_may_have_is_recognised() -> None:
    media, sidecar = "20_07_04 - 2.jpg", "20_07_04 - 2.json"

    assert takeout.match([media], [sidecar], lambda _: "20/07/04 - 2") == {media: sidecar}
    assert takeout.match([media], [sidecar], lambda _: "20/07/04 - 3") == {}
    assert takeout.match([media], [sidecar], lambda _: "20_07_04 - 2.jpg") == {}


def test_two_formats_of_one_name_do_not_share_a_json_without_extension() -> None:
    assert takeout.match(["a.jpg", "a.png"], ["a.json"], _title_none) == {}


@pytest.mark.parametrize(
    "mark",
    ["edited", "bearbeitet", "modifié", "modificato", "editado", "bewerkt", "edytowane", "redigerad", "编辑", "編集済み", "수정됨"],
)  # fmt: skip
def test_an_edited_copy_is_known_in_every_language(mark: str) -> None:
    assert without_edit_mark(f"IMG_1-{mark}") == "IMG_1"
    assert without_edit_mark(f"IMG_1-{mark}(2)") == "IMG_1(2)"
    assert without_edit_mark(f"IMG_1-not {mark}") == f"IMG_1-not {mark}"


def test_a_json_in_another_part_of_the_export_describes_its_photo(
    library: Library, album: Path, capture: Capturing
) -> None:
    year = "Google Photos/Photos from 2009"
    drawn.jpeg(album / "Takeout" / year / "a.jpg", 1)
    _json(album / "Takeout 2" / year / "a.jpg.json", "a.jpg", description="On the pier")
    drawn.jpeg(album / "takeout-20230720T065335Z-002/Takeout" / year / "b.jpg", 2)
    _json(album / "takeout-20230720T065335Z-003/Takeout" / year / f"b.jpg{NEW}.json", "b.jpg", favorited=True)
    _json(album / "Takeout 2/Google Photos/Other/a.jpg.json", "a.jpg", description="Another a")
    capture(until=Stage.METADATA)

    assert (capture.named("a.jpg").caption, capture.named("a.jpg").taken.origin) == ("On the pier", Origin.TAKEOUT)
    assert capture.named("b.jpg").favourite
    assert [os.path.basename(each.file) for each in library.files.problems()] == ["Other"]


def test_a_json_that_comes_with_a_later_part_is_read_then_and_nothing_else(
    library: Library, album: Path, capture: Capturing
) -> None:
    year = "Google Photos/Photos from 2009"
    for number, name in enumerate(("a", "b")):
        drawn.jpeg(album / "Takeout" / year / f"{name}.jpg", number)
    _json(album / "Takeout" / year / "b.jpg.json", "b.jpg")
    capture(until=Stage.METADATA)
    assert "1 of 2 files have no Takeout details (a.jpg)" in library.files.problems()[0].reason
    _json(album / "Takeout 2" / year / "a.jpg.json", "a.jpg", description="Late")
    capture(until=Stage.METADATA)

    assert capture.named("a.jpg").caption == "Late"
    assert library.files.problems() == []


@pytest.mark.parametrize("name", ["metadata.json", "métadonnées.json", "Metadaten.json", "whatever.json"])
def test_an_albums_title_becomes_a_keyword_of_its_photos(album: Path, capture: Capturing, name: str) -> None:
    folder = album / "Takeout/Google Photos/Trip"
    drawn.jpeg(folder / "a.jpg", 1)
    _json(folder / "a.jpg.json", "a.jpg")
    _album(folder / name, "Norway 2009")
    capture(until=Stage.METADATA)

    assert capture.named("a.jpg").keywords == ("Norway 2009",)


@pytest.mark.parametrize("title", ["", "Photos from 2009", "Fotos von 2009", "Photos de 2009", "Foto dal 2009"])
def test_a_year_or_an_album_without_title_gives_no_keyword(album: Path, capture: Capturing, title: str) -> None:
    folder = album / "Takeout/Google Photos/Photos from 2009"
    drawn.jpeg(folder / "a.jpg", 1)
    _json(folder / "a.jpg.json", "a.jpg")
    _album(folder / "metadata.json", title)
    capture(until=Stage.METADATA)

    assert capture.named("a.jpg").keywords == ()


def test_a_copy_in_an_album_is_the_same_memory_with_the_words_of_both(album: Path, capture: Capturing) -> None:
    photos = album / "Takeout/Google Photos"
    for folder in ("Photos from 2009", "Trip"):
        drawn.jpeg(photos / folder / "a.jpg", 1)
        _json(photos / folder / "a.jpg.json", "a.jpg", description="" if folder == "Trip" else "On the pier")
    _album(photos / "Trip/metadata.json", "Norway")
    capture(until=Stage.METADATA)

    memory = capture.named("a.jpg")

    assert len(capture.library.memories.matching()) == 1
    assert (memory.caption, memory.keywords, len(memory.files)) == ("On the pier", ("Norway",), 2)


def test_everything_a_json_says_is_kept_and_zero_is_no_place(album: Path, capture: Capturing) -> None:
    zero = {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0}
    drawn.jpeg(album / "a.jpg", 1)
    drawn.jpeg(album / "b.jpg", 2)
    _json(
        album / "a.jpg.json", "a.jpg", description="With <b>Ann</b>", people=[{"name": "Ann"}, {"name": ""}, {}, "x"],
        favorited=True, archived=True, geoData=zero, geoDataExif={"latitude": 60.39, "longitude": 5.32},
    )  # fmt: skip
    _json(album / "b.jpg.json", "b.jpg", trashed=True, geoData=zero, geoDataExif=zero)
    capture(until=Stage.METADATA, home_zone="Europe/Oslo")

    a, b = capture.named("a.jpg"), capture.named("b.jpg")

    assert (a.people, a.favourite, a.keywords) == (("Ann",), True, ("archived",))
    assert a.place is not None
    assert (a.place.country, a.taken.wall) == ("Norway", datetime(2009, 11, 16, 13, 51, 58))
    assert (b.place, b.keywords, b.favourite) == (None, ("trashed",), False)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", '{"photoTakenTime": 1}', '{"photoTakenTime": {"timestamp": "x"}, "title": 5, "people": {}}', "[" * 5_000,
     '{"title": {"a": 1}, "access": []}', '{"albumData": 3}'],
)  # fmt: skip
def test_a_json_of_any_other_kind_harms_nothing(album: Path, capture: Capturing, text: str) -> None:
    drawn.jpeg(album / "a.jpg", 1, drawn.exif({drawn.ORIGINAL: "2015:01:01 08:00:00"}))
    (album / "a.jpg.json").write_text(text)
    capture(until=Stage.METADATA)

    assert capture.named("a.jpg").taken.origin is Origin.EXIF_ORIGINAL


def test_every_file_of_a_large_export_has_its_json_or_is_counted(
    library: Library, album: Path, capture: Capturing
) -> None:
    folder = album / "Takeout/Google Photos/Photos from 2009"
    names = [f"photo_{letter * count}.jpg" for letter in string.ascii_lowercase[:6] for count in (1, 30, 34, 35, 41)]
    for number, name in enumerate(names):
        drawn.jpeg(folder / name, number, width=32, height=24)
        if number % 5:
            _json(folder / (f"{name}{NEW}"[:46] + ".json"), name)
    capture(until=Stage.METADATA)

    found = [each for each in library.memories.matching() if each.taken.origin is Origin.TAKEOUT]

    assert len(found) == 24
    assert f"6 of {len(names)} files have no Takeout details" in library.files.problems()[0].reason


def test_the_albums_of_an_icloud_export_become_keywords(library: Library, album: Path, capture: Capturing) -> None:
    for number, name in enumerate(("a.jpg", "b.jpg")):
        drawn.jpeg(album / "Photos" / name, number)
    (album / "Photos/Photo Details.csv").write_text(
        "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate\n"
        'a.jpg,x,no,yes,no,"Friday October 6,2023 12:11 PM GMT",1,"Friday October 6,2023 12:11 PM GMT"\n'
    )
    for folder, name in (("Albums", "Spécial"), ("Memories", "1. April 2025")):
        (album / folder).mkdir()
        (album / folder / f"{name}.csv").write_text("imgName\na.jpg\nc.jpg\n")
    (album / "Albums/broken.csv").write_bytes(b"\0\xff,\n")
    (album / "numbers.csv").write_text("imgName\na.jpg\n")
    capture(until=Stage.METADATA)

    assert sorted(capture.named("a.jpg").keywords) == ["1. April 2025", "Spécial", "hidden"]
    assert capture.named("b.jpg").keywords == ()
    (album / "Albums/Spécial.csv").write_text("imgName\nb.jpg\n")
    capture(until=Stage.METADATA)
    assert capture.named("b.jpg").keywords == ("Spécial",)
    assert sorted(capture.named("a.jpg").keywords) == ["1. April 2025", "hidden"]
    assert library.files.problems() == []
