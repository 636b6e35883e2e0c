"""What the person is asked to check: dates at odds, impossible times, odd positions, smaller copies, printed dates, damage."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from core.augment.corrections import Corrector
from core.augment.history import history
from core.augment.usable import is_usable
from core.capture.review import review
from core.jobs import run_to_end
from core.paths import Home
from core.records import CapturedMemory, Doubt, DoubtKind, Field, Origin, Stage, Taken
from core.store.exact_index import ExactIndexes
from core.store.export import export_library
from core.store.import_ import import_library
from core.store.library import Library, open_library
from core.store.memories import MemoryStore
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing

NOW = datetime(2040, 1, 1)  # after any day on which the files may have been drawn


def _found(library: Library) -> dict[tuple[str, str], Doubt]:
    """By file name and kind; the same for one memory asked alone."""
    doubts = review(library, NOW)
    for memory in library.memories.matching():
        assert review(library, NOW, memory.id) == [each for each in doubts if each.memory_id == memory.id]
    names = {memory.id: memory.file_name for memory in library.memories.matching()}
    return {(names[each.memory_id], each.kind): each for each in doubts}


@pytest.mark.usefixtures("system_zone")
def test_camera_and_name_that_disagree_are_flagged_with_the_other_day(
    library: Library, album: Path, capture: Capturing
) -> None:
    drawn.jpeg(album / "IMG_20110719_113639.jpg", 1, drawn.exif({drawn.ORIGINAL: "2018:07:20 09:00:00"}))
    drawn.jpeg(album / "IMG_20180720_233639.jpg", 2, drawn.exif({drawn.ORIGINAL: "2018:07:21 09:00:00"}))
    capture(until=Stage.METADATA)

    found = _found(library)

    assert list(found) == [("IMG_20110719_113639.jpg", DoubtKind.DATE_CONFLICT)]
    doubt = next(iter(found.values()))
    assert (doubt.reason, doubt.suggestion) == (
        "It is dated 2018-07-20, but its file's name says 2011-07-19.", "2011-07-19",
    )  # fmt: skip
    assert capture.named("IMG_20110719_113639.jpg").taken.wall == datetime(2018, 7, 20, 9)


@pytest.mark.usefixtures("system_zone")
def test_future_and_impossible_times_are_flagged(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "a.jpg", 1, drawn.exif({drawn.ORIGINAL: "2050:12:31 23:59:59"}))
    drawn.jpeg(album / "b.jpg", 2, drawn.exif({drawn.ORIGINAL: "2018:10:13 24:24:27"}))
    capture(until=Stage.METADATA)

    assert set(_found(library)) == {("a.jpg", DoubtKind.FUTURE_DATE), ("b.jpg", DoubtKind.IMPOSSIBLE_TIME)}


def test_a_date_of_the_persons_own_is_never_doubted(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "IMG_20110719_113639.jpg", 1, drawn.exif({drawn.ORIGINAL: "2050:07:20 09:00:00"}))
    capture(until=Stage.METADATA)
    with library.memories.edit(capture.named("IMG_20110719_113639.jpg").id) as editing:
        editing.set_taken(Taken(datetime(2030, 1, 1), None, Origin.PERSON, 1.0))

    assert _found(library) == {}


def test_a_printed_day_is_offered_and_replaces_nothing(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "a.jpg", 1, drawn.exif({drawn.ORIGINAL: "2018:07:20 09:00:00"}))
    drawn.jpeg(album / "b.jpg", 2, drawn.exif({drawn.ORIGINAL: "2018:03:16 09:00:00"}))
    drawn.set_mtime(drawn.jpeg(album / "c.jpg", 3), 0)
    capture(until=Stage.METADATA)
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        with library.memories.edit(capture.named(name).id) as editing:
            editing.set_document({"kind": "receipt", "date": "2018-03-14"}, Origin.RULE)

    found = _found(library)

    assert {key: each.suggestion for key, each in found.items()} == {
        ("a.jpg", DoubtKind.PRINTED_DATE): "2018-03-14", ("c.jpg", DoubtKind.PRINTED_DATE): "2018-03-14",
    }  # fmt: skip
    assert capture.named("a.jpg").taken.wall == datetime(2018, 7, 20, 9)
    assert capture.named("c.jpg").taken.wall is None


def test_a_position_measured_on_another_day_is_flagged(library: Library, album: Path, capture: Capturing) -> None:
    for number, day in enumerate(("2023:11:15", "2023:11:11")):
        block = drawn.exif({drawn.ORIGINAL: f"2023:11:15 1{number}:00:00"}, gps=(37.77, -122.42))
        block[0x8825] = {**block[0x8825], 7: (18.0, 0.0, 0.0), 29: day}
        drawn.jpeg(album / f"{number}.jpg", number, block)
    capture(until=Stage.METADATA)

    assert list(_found(library)) == [("1.jpg", DoubtKind.STALE_POSITION)]


def test_a_position_nobody_could_reach_in_between_is_flagged(library: Library, album: Path, capture: Capturing) -> None:
    bergen, arica = (60.39, 5.32), (-18.54, -70.33)
    for number, position in enumerate((bergen, arica, bergen, bergen, (59.91, 10.75))):
        block = drawn.exif({drawn.ORIGINAL: f"2023:11:15 1{number}:00:00"}, gps=position)
        drawn.jpeg(album / f"{number}.jpg", number, block)
    capture(until=Stage.METADATA)

    found = _found(library)

    assert list(found) == [("1.jpg", DoubtKind.FAR_POSITION)]
    assert "km from where the pictures before and after it were taken" in next(iter(found.values())).reason


def test_a_smaller_copy_without_a_date_is_a_suggestion_and_no_stack(
    library: Library, album: Path, capture: Capturing
) -> None:
    original = drawn.jpeg(album / "IMG_5.jpg", 4, drawn.exif({drawn.ORIGINAL: "2020:02:02 11:00:00"}))
    with Image.open(original) as opened:
        opened.resize((160, 120)).save(album / "IMG_5_small.jpg")
        opened.resize((160, 60)).save(album / "IMG_5_squeezed.jpg")
    drawn.jpeg(album / "IMG_6.jpg", 2, drawn.exif({drawn.ORIGINAL: "2020:02:02 12:00:00"}))
    capture(until=Stage.NEAR_DUPLICATES)

    found = _found(library)

    assert {key: each.suggestion for key, each in found.items()} == {
        ("IMG_5_small.jpg", DoubtKind.SMALLER_COPY): capture.named("IMG_5.jpg").public_id
    }
    assert capture.named("IMG_5_small.jpg").representative_id is None


def test_a_damaged_picture_says_so(library: Library, album: Path, capture: Capturing) -> None:
    whole = drawn.jpeg_bytes(3, 1600, 1200)
    (album / "a.jpg").write_bytes(whole[: len(whole) // 2])
    capture(until=Stage.THUMBNAILS)

    assert [key for key, _ in _found(library).items()] == [("a.jpg", DoubtKind.DAMAGED)]
    assert capture.named("a.jpg").media.damaged
    assert Field.TAKEN.value in capture.named("a.jpg").origins


def test_what_the_person_dismissed_is_not_told_again_until_undone(
    library: Library, album: Path, capture: Capturing
) -> None:
    for number, name in enumerate(("IMG_20110719_113639.jpg", "IMG_20120719_113639.jpg")):
        drawn.jpeg(album / name, number, drawn.exif({drawn.ORIGINAL: "2050:07:20 09:00:00"}))
    capture(until=Stage.METADATA)
    corrector = Corrector(library)
    chosen = next(each for each in review(library, NOW) if each.kind is DoubtKind.DATE_CONFLICT)
    corrector.dismiss_doubts([chosen])
    (album / "elsewhere").mkdir()
    for each in album.glob("*.jpg"):
        each.rename(album / "elsewhere" / each.name)
    library.files.retry(None)
    capture(until=Stage.METADATA)

    left = _found(library)

    assert len(left) == 3
    assert chosen not in left.values()
    assert [change.what for change in history(library.corrections.all())] == ["Left as it is: date conflict"]
    corrector.undo()
    assert len(_found(library)) == 4


def test_a_dismissed_doubt_about_another_day_is_told(library: Library, album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "a.jpg", 1, drawn.exif({drawn.ORIGINAL: "2018:07:20 09:00:00"}))
    capture(until=Stage.METADATA)
    memory = capture.named("a.jpg")
    for day in ("2018-03-14", "2017-03-14"):
        with library.memories.edit(memory.id) as editing:
            editing.set_document({"kind": "receipt", "date": day}, Origin.RULE)
        assert [each.suggestion for each in review(library, NOW)] == [day]
        Corrector(library).dismiss_doubts(review(library, NOW))

    assert review(library, NOW) == []


def test_dismissing_is_forgotten_with_the_memory_and_carried_by_an_export(
    library: Library, album: Path, capture: Capturing, tmp_path: Path
) -> None:
    for number, name in enumerate(("IMG_20110719_113639.jpg", "IMG_20120719_113639.jpg")):
        drawn.jpeg(album / name, number, drawn.exif({drawn.ORIGINAL: "2018:07:20 09:00:00"}))
    capture(until=Stage.METADATA)
    corrector = Corrector(library)
    corrector.dismiss_doubts(review(library, NOW)[:1])
    kept = review(library, NOW)[0].memory_id
    corrector.reject_citation(kept, "Where was I?")
    export_library(library, tmp_path / "all.jsonl")
    other = open_library(Home(tmp_path / "other"), ExactIndexes())
    counts = run_to_end(import_library(other, tmp_path / "all.jsonl", "", is_usable))

    assert counts.refused == ()
    assert sorted(each.target_kind for each in other.corrections.standing()) == ["answer", "doubt"]
    assert {each.target_id for each in other.corrections.standing()} <= {each.id for each in other.memories.matching()}
    other.close()
    corrector.forget_memory(library.corrections.standing("doubt")[0].target_id)
    assert library.corrections.all("doubt") == []


def test_looking_everything_over_loads_only_what_is_doubtful(
    library: Library, album: Path, capture: Capturing, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(12):
        drawn.jpeg(
            album / f"IMG_20180720_1{number:02}000.jpg",
            number,
            drawn.exif({drawn.ORIGINAL: f"2018:07:20 09:{number:02}:00"}),
        )
    drawn.jpeg(album / "IMG_20110719_113639.jpg", 50, drawn.exif({drawn.ORIGINAL: "2018:07:20 09:00:00"}))
    capture(until=Stage.METADATA)
    doubtful = capture.named("IMG_20110719_113639.jpg").id
    loaded: list[str] = []
    many = MemoryStore.many

    def noted(store: MemoryStore, memory_ids: Sequence[str]) -> list[CapturedMemory]:
        loaded.extend(memory_ids)
        return many(store, memory_ids)

    monkeypatch.setattr(MemoryStore, "many", noted)
    assert len(review(library, NOW)) == 1

    assert loaded == [doubtful]
