"""One memory, many files: Live Photos, motion photos, RAW and JPEG, edited versions (rows 39 and 40 of the table of inputs)."""

import os
import shutil
from pathlib import Path

import pytest

from core.errors import JobCancelled
from core.records import Field, FileRole, FileState, MemoryKind, Origin, SourceFile, Stage
from core.store.library import Library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, FakeModels, FakeTranscriber
from tests.core.capture.test_capture_xmp import packet

_NOON = "2022:03:04 12:00:00"


def _dated(text: str = _NOON, offset: str = "") -> object:
    return drawn.exif({drawn.ORIGINAL: text, **({drawn.OFFSET_ORIGINAL: offset} if offset else {})})


def _utc(text: str) -> dict[str, str]:
    return {"creation_time": text}


def _roles(library: Library) -> dict[str, dict[str, str]]:
    """By name shown of each memory: its files and what they are to it."""
    return {
        memory.file_name: {os.path.basename(file.path): str(file.role) for file in library.files.of_memory(memory.id)}
        for memory in library.memories.matching()
    }


@pytest.mark.usefixtures("system_zone")
@pytest.mark.parametrize(
    ("photo", "clip"),
    [
        (_dated(), {}),
        (_dated(), _utc("2022-03-04T11:59:58Z")),  # whatever zone the photo was taken in
        (_dated(), _utc("2022-03-04T04:00:01Z")),
        (_dated(offset="+08:00"), _utc("2022-03-04T04:00:01Z")),
        (_dated(offset="+08:00"), {"com.apple.quicktime.creationdate": "2022-03-04T12:00:00+0800"}),
        (None, {}),
    ],
)
def test_a_photo_and_its_clip_are_one_memory(
    photo: object, clip: dict[str, str], library: Library, album: Path, capture: Capturing
) -> None:
    drawn.jpeg(album / "IMG_1001.JPG", 1, photo)
    drawn.video(album / "IMG_1001.MOV", 2.0, notes=clip)
    capture()

    assert _roles(library) == {"IMG_1001.JPG": {"IMG_1001.JPG": "original", "IMG_1001.MOV": "clip"}}
    assert capture.named("IMG_1001.JPG").kind is MemoryKind.PHOTO
    assert capture.named("IMG_1001.JPG").media.duration_s == pytest.approx(2.0, abs=0.3)


@pytest.mark.usefixtures("system_zone")
@pytest.mark.parametrize(
    ("photo", "clip", "seconds"),
    [
        (_dated("2010:01:01 10:00:00"), _utc("2021-07-06T16:20:38Z"), 1.0),
        (_dated(offset="+08:00"), _utc("2022-03-04T05:00:00Z"), 1.0),
        (_dated(), _utc("2022-03-04T12:07:00Z"), 1.0),
        (_dated(), {}, 20.0),
    ],
)
def test_a_clip_of_another_time_or_a_long_one_is_a_memory_of_its_own(
    photo: object, clip: dict[str, str], seconds: float, library: Library, album: Path, capture: Capturing
) -> None:
    drawn.jpeg(album / "IMG_1002.JPG", 1, photo)
    drawn.video(album / "IMG_1002.MOV", seconds, notes=clip, size=(32, 32))
    capture(until=Stage.METADATA)

    assert sorted(_roles(library)) == ["IMG_1002.JPG", "IMG_1002.MOV"]


def test_a_screenshot_and_a_video_of_one_name_are_two_memories(
    library: Library, album: Path, capture: Capturing
) -> None:
    drawn.picture(seed=3).save(album / "IMG_3.PNG")
    drawn.video(album / "IMG_3.MOV")
    capture(until=Stage.METADATA)

    assert library.memories.count() == 2


def test_nothing_is_done_twice_and_both_files_may_move(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "IMG_1.JPG", 1, _dated())
    drawn.video(album / "IMG_1.MOV")
    ears = FakeTranscriber()
    capture(FakeModels(transcriber=ears))
    [memory] = library.memories.matching()
    before = _stages(library, memory.id)
    capture(FakeModels(transcriber=ears))

    assert _stages(library, memory.id) == before
    (album / "2022").mkdir()
    (album / "IMG_1.MOV").rename(album / "2022" / "A.MOV")
    (album / "IMG_1.JPG").rename(album / "2022" / "B.JPG")
    capture(FakeModels(transcriber=ears))

    assert [found.id for found in library.memories.matching()] == [memory.id]
    assert library.memories.get(memory.id).file_name == "B.JPG"
    present = {
        os.path.basename(file.path): file.role
        for file in library.files.of_memory(memory.id)
        if file.state is FileState.PRESENT
    }
    assert present == {"A.MOV": FileRole.CLIP, "B.JPG": FileRole.ORIGINAL}
    assert _stages(library, memory.id) == before
    assert len(ears.heard) == 0  # the clip has no sound track


def _stages(library: Library, memory_id: str) -> list[tuple[str, str]]:
    """When each stage was done, but for the scan, which hashes a moved file again."""
    rows = library.database.read().execute(
        "SELECT stage, made_at, attempts FROM stages WHERE memory_id=? AND stage<>'scan'", (memory_id,)
    )
    return sorted((row["stage"], f"{row['made_at']} {row['attempts']}") for row in rows)


def test_what_is_said_in_the_clip_is_heard(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "IMG_1.JPG", 1, _dated())
    drawn.video(album / "IMG_1.MOV", sound=True)
    capture(FakeModels(transcriber=FakeTranscriber("look at that")))

    assert capture.named("IMG_1.JPG").speech == "look at that"


@pytest.mark.parametrize("kind", ["old offset", "container", "samsung"])
def test_a_motion_photo_is_one_memory_with_the_clip_inside(
    kind: str, library: Library, album: Path, capture: Capturing, tmp_path: Path
) -> None:
    clip = drawn.video(tmp_path / "clip.mp4", 2.0, sound=True).read_bytes()
    attributes = f"GCamera:MicroVideo='1' GCamera:MicroVideoOffset='{len(clip)}'" if kind == "old offset" else ""
    body = f"<rdf:li><rdf:Description Item:Semantic='MotionPhoto' Item:Length='{len(clip)}'/></rdf:li>"
    more = {} if kind == "samsung" else {"xmp": packet(body if kind == "container" else "", attributes).encode()}
    path = drawn.jpeg(album / "MVIMG_1.jpg", 1, _dated(), **more)
    tail = (
        b"\0\0\x30\x0a\x10\0\0\0MotionPhoto_Data" + clip + b"SEFH" + b"\0" * 20 + b"SEFT" if kind == "samsung" else clip
    )
    path.write_bytes(path.read_bytes() + tail)
    capture(FakeModels(transcriber=FakeTranscriber("happy birthday")))

    [memory] = library.memories.matching()

    assert (memory.kind, memory.speech) == (MemoryKind.PHOTO, "happy birthday")
    assert memory.media.duration_s == pytest.approx(2.0, abs=0.3)


def test_a_motion_photo_whose_clip_is_cut_off_is_a_photo(album: Path, capture: Capturing) -> None:
    path = drawn.jpeg(album / "MVIMG_1.jpg", 1, xmp=packet(attributes="GCamera:MicroVideoOffset='5000'").encode())
    path.write_bytes(path.read_bytes() + b"\0\0\0\x18ftypisom" + b"\0" * 4_988)
    capture(FakeModels(transcriber=FakeTranscriber()))

    assert (capture.named("MVIMG_1.jpg").media.duration_s, capture.named("MVIMG_1.jpg").speech) == (0.0, "")


def _raw(path: Path, text: str = _NOON) -> Path:
    """Stands for a camera's raw file by its name; what is in it matters to nobody here."""
    return drawn.jpeg(path, 8, drawn.exif({drawn.ORIGINAL: text, drawn.COMMENT: f"ASCII\0\0\0{path.name}".encode()}))


def test_raw_data_is_never_a_memory_beside_its_jpeg(library: Library, album: Path, capture: Capturing) -> None:
    _raw(album / "DSC_1.NEF")
    drawn.jpeg(album / "dsc_1.jpg", 1, _dated())
    _raw(album / "DSC_2.NEF")
    _raw(album / "DSC_3.NEF", "2011:01:01 10:00:00")
    drawn.jpeg(album / "DSC_3.JPG", 3, _dated())
    (album / "DSC_4.RAF").write_bytes(b"FUJIFILMCCD-RAW " + b"\1" * 5_000)
    drawn.jpeg(album / "DSC_4.JPG", 4, _dated())
    capture(until=Stage.THUMBNAILS)
    capture(until=Stage.THUMBNAILS)

    assert _roles(library) == {
        "dsc_1.jpg": {"DSC_1.NEF": "raw", "dsc_1.jpg": "original"},
        "DSC_2.NEF": {"DSC_2.NEF": "original"},
        "DSC_3.NEF": {"DSC_3.NEF": "original"},
        "DSC_3.JPG": {"DSC_3.JPG": "original"},
        "DSC_4.JPG": {"DSC_4.JPG": "original", "DSC_4.RAF": "raw"},
    }
    assert library.files.problems() == []


@pytest.mark.parametrize(
    ("edited", "original"),
    [("IMG_5-edited.jpg", "IMG_5.jpg"), ("IMG_E5678.JPG", "IMG_5678.HEIC"), ("a-bearbeitet(1).jpg", "a(1).jpg")],
)
def test_an_edited_version_is_a_second_file(
    edited: str, original: str, library: Library, album: Path, capture: Capturing
) -> None:
    drawn.jpeg(album / original, 1, _dated())
    drawn.jpeg(album / edited, 2, _dated())
    capture(until=Stage.METADATA)

    assert _roles(library) == {original: {original: "original", edited: "edited"}}


def test_an_edited_version_without_its_original_is_a_memory(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "IMG_5-edited.jpg", 1)
    capture(until=Stage.METADATA)

    assert sorted(_roles(library)) == ["IMG_5-edited.jpg"]


def test_a_jpeg_that_comes_later_takes_over_what_the_person_said(
    library: Library, album: Path, capture: Capturing
) -> None:
    _raw(album / "DSC_1.NEF")
    capture(until=Stage.THUMBNAILS)
    [memory] = library.memories.matching()
    with library.memories.edit(memory.id) as editing:
        editing.set_text(Field.TITLE, "The bridge", Origin.PERSON)
    path = drawn.jpeg(album / "DSC_1.JPG", 1, _dated(), width=640, height=480)
    capture()

    [found] = library.memories.matching()

    assert (found.id, found.title, found.file_name) == (memory.id, "The bridge", "DSC_1.JPG")
    assert (found.media.width, found.files[0]) == (640, str(path))
    path.rename(album / "B.JPG")
    capture()
    assert [each.id for each in library.memories.matching()] == [memory.id]


def test_two_memories_the_person_spoke_about_stay_two(library: Library, album: Path, capture: Capturing) -> None:
    _raw(album / "DSC_1.NEF")
    capture(until=Stage.THUMBNAILS)
    (album / "DSC_1.NEF").rename(album / "X.NEF")
    drawn.jpeg(album / "DSC_1.JPG", 1, _dated())
    capture(until=Stage.THUMBNAILS)
    for memory in library.memories.matching():
        with library.memories.edit(memory.id) as editing:
            editing.set_text(Field.TITLE, memory.file_name, Origin.PERSON)
    (album / "X.NEF").rename(album / "DSC_1.NEF")
    drawn.jpeg(album / "DSC_9.JPG", 9)
    capture(until=Stage.THUMBNAILS)

    assert library.memories.count() == 3


def test_a_clip_that_also_lies_elsewhere_stays_a_video_there(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "IMG_1.JPG", 1, _dated())
    drawn.video(album / "IMG_1.MOV")
    (album / "films").mkdir()
    shutil.copy(album / "IMG_1.MOV", album / "films" / "waves.mov")
    capture(until=Stage.THUMBNAILS)

    assert _roles(library) == {
        "IMG_1.JPG": {"IMG_1.JPG": "original", "IMG_1.MOV": "clip"},
        "waves.mov": {"waves.mov": "original"},
    }


def test_two_copies_of_a_pair_are_one_memory_with_four_files(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "one" / "IMG_1.JPG", 1, _dated())
    drawn.video(album / "one" / "IMG_1.MOV")
    shutil.copytree(album / "one", album / "two")
    capture(until=Stage.THUMBNAILS)

    [memory] = library.memories.matching()

    assert sorted(file.role for file in library.files.of_memory(memory.id)) == ["clip", "clip", "original", "original"]


def test_a_forgotten_live_photo_does_not_come_back_as_a_video(
    library: Library, album: Path, capture: Capturing
) -> None:
    drawn.jpeg(album / "IMG_1.JPG", 1, _dated())
    drawn.video(album / "IMG_1.MOV")
    capture(until=Stage.THUMBNAILS)
    [memory] = library.memories.matching()
    with library.memories.edit(memory.id) as editing:
        editing.forget()
    (album / "IMG_1.MOV").rename(album / "Z.MOV")
    capture(until=Stage.THUMBNAILS)

    assert library.memories.count() == 0


def test_a_picture_that_was_changed_in_place_keeps_its_clip(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "IMG_1.JPG", 1, _dated())
    drawn.video(album / "IMG_1.MOV")
    capture(until=Stage.THUMBNAILS)
    drawn.jpeg(album / "IMG_1.JPG", 2, _dated())
    capture(until=Stage.THUMBNAILS)

    changed = library.memories.id_of_content(next(f.sha256 for f in _files(library) if f.path.endswith(".JPG")))

    assert changed is not None
    assert [file.role for file in library.files.of_memory(changed)] == [FileRole.ORIGINAL, FileRole.CLIP]


def _files(library: Library) -> list[SourceFile]:
    return [file for root in library.files.roots() for file in library.files.of_root(root.id)]


def test_a_run_that_is_stopped_again_and_again_ends_where_a_whole_one_does(
    library: Library, album: Path, capture: Capturing
) -> None:
    drawn.jpeg(album / "IMG_1.JPG", 1, _dated())
    drawn.video(album / "IMG_1.MOV")
    _raw(album / "DSC_1.NEF")
    drawn.jpeg(album / "DSC_1.JPG", 2, _dated(), xmp=packet(attributes="xmp:Rating='2'").encode())
    (album / "DSC_1.xmp").write_text(packet(attributes="xmp:Rating='4'"))
    (album / "IMG_1.JPG.json").write_text('{"photoTakenTime": {"timestamp": "5"}, "favorited": true}')
    patience = 0
    while _is_stopped(capture, patience):
        patience += 1

    assert patience > 2
    assert sorted(_roles(library)) == ["DSC_1.JPG", "IMG_1.JPG"]
    assert (capture.named("DSC_1.JPG").rating, capture.named("IMG_1.JPG").favourite) == (4, True)
    assert capture.named("IMG_1.JPG").media.duration_s > 0


def _is_stopped(capture: Capturing, patience: int) -> bool:
    """Process until it has been asked this often whether to stop; says whether it had to."""
    asked = iter([False] * patience)
    try:
        capture(interrupted=lambda: next(asked, True))
    except JobCancelled:
        return True
    return False
