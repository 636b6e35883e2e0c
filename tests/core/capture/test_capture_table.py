"""Every row of the table of inputs that break photo programs, drawn, captured under three zones of the system, and looked at."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.capture.decode import DecodeLimits
from core.capture.pipeline import process
from core.capture.review import review
from core.capture.scan import add_folder
from core.jobs import run_to_end
from core.paths import Home
from core.records import CapturedMemory, DoubtKind, MemoryKind, Origin, Stage
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.core.capture import drawn_table
from tests.core.capture.conftest import FakeModels, InProcessDecoder

LIBRARY_ZONE = "Europe/Helsinki"
LIMITS = DecodeLimits(300_000_000)


@dataclass
class Table:
    """The tree as captured: memories by the name under the tree, problems and doubts too."""

    library: Library
    folder: Path
    zone: str

    def __post_init__(self) -> None:
        self.memories: dict[str, CapturedMemory] = {}
        for memory in self.library.memories.matching():
            self.memories.update({os.path.relpath(path, self.folder): memory for path in memory.files})
        self.problems = {os.path.relpath(each.file, self.folder): each.reason for each in self.library.files.problems()}
        names = {memory.id: name for name, memory in self.memories.items()}
        self.doubts = {(names[each.memory_id], each.kind) for each in review(self.library, datetime(2040, 1, 1))}

    def __getitem__(self, name: str) -> CapturedMemory:
        return self.memories[name]

    def taken(self, name: str) -> tuple[datetime | None, int | None]:
        taken = self[name].taken
        return taken.wall, taken.utc_offset_minutes


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return drawn_table.draw(tmp_path_factory.mktemp("table"))


@pytest.fixture(scope="module", params=["UTC", "Asia/Taipei", "America/New_York"])
def table(request: pytest.FixtureRequest, tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        library = open_library(Home(tmp_path_factory.mktemp("home")), ExactIndexes())
        add_folder(library, tree)
        steps = process(
            library, FakeModels(), Stage.NEAR_DUPLICATES, home_zone=LIBRARY_ZONE, decoder=InProcessDecoder(LIMITS)
        )
        run_to_end(steps)
        yield Table(library, tree, request.param)
        library.close()
    time.tzset()


@pytest.mark.parametrize("name", ["zero", "spaces", "garbage", "no_exif"])
def test_rows_1_2_6_7_a_senseless_date_gives_the_files_time_with_the_least_confidence(table: Table, name: str) -> None:
    taken = table[f"dates/{name}.jpg"].taken
    expected = datetime.fromtimestamp(drawn_table.NOON_2013, ZoneInfo(LIBRARY_ZONE)).replace(tzinfo=None)

    assert (taken.wall, taken.origin) == (expected, Origin.FILE_TIME)
    assert taken.confidence < 0.5
    assert table[f"dates/{name}.jpg"].media.camera == ("" if name == "no_exif" else "Box 1")


def test_row_3_hour_24_keeps_the_day_and_says_so(table: Table) -> None:
    taken = table["dates/hour24.jpg"].taken

    assert (taken.wall, taken.day_only) == (datetime(2018, 10, 13), True)
    assert ("dates/hour24.jpg", DoubtKind.IMPOSSIBLE_TIME) in table.doubts


def test_row_4_the_future_is_shown_and_flagged(table: Table) -> None:
    assert table["dates/future.jpg"].taken.wall == datetime(2050, 12, 31, 23, 59, 59)
    assert ("dates/future.jpg", DoubtKind.FUTURE_DATE) in table.doubts


def test_row_5_before_1970_sorts_first(table: Table) -> None:
    assert table["dates/pre1970.jpg"].taken.wall == datetime(1953, 6, 2, 12)
    assert table.library.memories.matching()[0].id == table["dates/pre1970.jpg"].id


def test_rows_8_to_13_offsets_and_days_stay_as_the_camera_wrote_them(table: Table) -> None:
    assert table.taken("dates/half_hour.jpg") == (datetime(2024, 2, 21, 10, 14, 22), -330)
    assert table.taken("dates/only_modify.jpg") == (datetime(2024, 7, 1, 2, 13), 120)
    order = [memory.id for memory in table.library.memories.matching()]
    assert order.index(table["dates/only_modify.jpg"].id) < order.index(table["dates/later.jpg"].id)
    assert table.taken("dates/no_offset.jpg") == (datetime(2023, 12, 30, 23, 3), 120)
    assert table.taken("dates/modified.jpg")[0] == datetime(2019, 8, 4, 10)


def test_row_14_names_give_their_dates(table: Table) -> None:
    shown = table["dates/IMG-20220528-WA0004.jpg"].taken

    assert (shown.wall, shown.day_only) == (datetime(2022, 5, 28), True)
    assert table.taken("dates/signal-2024-09-24-20-19-49-610-1.jpg")[0] == datetime(2024, 9, 24, 20, 19, 49)
    assert table.taken("dates/Screenshot_20190201-212530_Browser.jpg")[0] == datetime(2019, 2, 1, 21, 25, 30)


def test_row_16_the_camera_wins_over_the_name_and_the_conflict_is_flagged(table: Table) -> None:
    assert table.taken("dates/IMG_20110719_113639.jpg")[0] == datetime(2018, 7, 20, 9)
    assert {name for name, kind in table.doubts if kind is DoubtKind.DATE_CONFLICT} == {"dates/IMG_20110719_113639.jpg"}


def test_rows_17_18_nothing_lies_at_zero_and_hemispheres_count(table: Table) -> None:
    place = table["gps/south_west.jpg"].place

    assert table["gps/null_island.jpg"].place is None
    assert place is not None
    assert (place.city, place.country) == ("Arica", "Chile")


def test_row_20_half_a_picture_is_shown_and_flagged(table: Table) -> None:
    assert table["decode/half.jpg"].media.damaged
    assert ("decode/half.jpg", DoubtKind.DAMAGED) in table.doubts


@pytest.mark.parametrize("name", ["header.jpg", "empty.jpg", "zeros.jpg", "text.jpg", "page.png"])
def test_row_21_what_is_no_picture_is_a_problem_with_a_reason(table: Table, name: str) -> None:
    assert f"decode/{name}" not in table.memories
    assert table.problems[f"decode/{name}"]


@pytest.mark.parametrize(
    "name",
    ["jpeg.heic", "trailing.jpg", "cmyk.jpg", "frames.mpo", "alpha.webp", "palette.png", "offset.heic", "bare.heic"],
)
def test_rows_22_to_30_odd_but_whole_pictures_are_photos(table: Table, name: str) -> None:
    memory = table[f"decode/{name}"]

    assert (memory.kind, memory.media.damaged, len(memory.files)) == (MemoryKind.PHOTO, False, 1)
    assert "thumbnails" in {stage for stage, _ in _ended(table.library, memory.id)}


def _ended(library: Library, memory_id: str) -> set[tuple[str, str]]:
    rows = library.database.read().execute("SELECT stage, state FROM stages WHERE memory_id=?", (memory_id,))
    return {(row["stage"], row["state"]) for row in rows if row["state"] != "failed"}


def test_row_28_orientation_swaps_width_and_height_once(table: Table) -> None:
    sizes = [table[f"decode/turned_{turn}.jpg"].media for turn in range(1, 9)]

    assert [(size.width, size.height) for size in sizes] == [(320, 240)] * 4 + [(240, 320)] * 4


def test_row_29_moving_pictures_are_one_photo_each(table: Table) -> None:
    for name in ("moving/a.gif", "moving/a.webp", "moving/a.png"):
        assert (table[name].kind, table[name].media.width) == (MemoryKind.PHOTO, 60)


def test_row_30_a_heic_has_its_date_or_the_next_best(table: Table) -> None:
    assert table.taken("decode/offset.heic") == (datetime(2024, 6, 1, 9), -420)
    assert table["decode/bare.heic"].taken.origin is Origin.FILE_TIME


def test_rows_32_33_extreme_sizes_are_shown_or_refused_with_a_reason(table: Table) -> None:
    assert "360 megapixels" in table.problems["large/bomb.png"]
    for name in ("fits.png", "panorama.jpg", "thin.png", "pixel.png"):
        assert f"large/{name}" not in table.problems
        assert ("thumbnails", "done") in _ended(table.library, table[f"large/{name}"].id)


def test_rows_34_36_a_video_in_utc_is_shown_in_the_library_zone(table: Table) -> None:
    assert table.taken("video/utc.mp4") == (datetime(2021, 7, 6, 19, 20, 38), 180)
    assert table["video/silent.mp4"].kind is MemoryKind.VIDEO


def test_row_38_absent_dates_stay_absent_and_broken_videos_are_problems(table: Table) -> None:
    assert table["video/zero_clock.mp4"].taken.wall is None
    assert {"video/cut.mp4", "video/empty.mp4"} <= set(table.problems)
    assert table["video/voice.wav"].kind is MemoryKind.RECORDING


def test_rows_39_40_a_capture_with_its_clip_is_one_memory_and_a_namesake_is_not(table: Table) -> None:
    motion, live, other = (table[f"live/{name}"] for name in ("MVIMG_20220303_100000.jpg", "IMG_1.JPG", "IMG_2.JPG"))

    assert (len(motion.files), motion.media.duration_s) == (1, 1.0)
    assert table["live/IMG_1.MOV"].id == live.id
    assert table["live/IMG_2.MOV"].id != other.id
    assert table["live/IMG_2.MOV"].kind is MemoryKind.VIDEO


def test_row_41_every_photo_of_a_takeout_has_its_json(table: Table) -> None:
    found = [table[f"takeout/Photos from 2009/{name}"] for name, _ in drawn_table.TAKEOUT]

    assert {(each.taken.origin, each.favourite, each.place.city if each.place else "") for each in found} == {
        (Origin.TAKEOUT, True, "Chengdu")
    }
    assert {each.taken.wall for each in found} == {datetime(2009, 11, 16, 20, 51, 58)}
    assert not any(name.startswith("takeout") for name in table.problems)


def test_row_43_sidecars_describe_what_they_name_or_are_told(table: Table) -> None:
    a, b, c, d, e = (table[f"xmp/{name}.jpg"] for name in "ABCDE")

    assert [each.caption for each in (a, b, c, d, e)] == ["full name", "short name", "wins", "", ""]
    assert table.taken("xmp/A.jpg") == (datetime(2014, 12, 25, 18), 60)
    assert c.taken.wall == datetime(2016, 1, 1)
    assert "more than one picture" in table.problems["xmp/D.xmp"]
    assert "left out" in table.problems["xmp/E.jpg.xmp"]
    assert e.taken.wall == datetime(2015, 1, 5, 8)


def test_row_44_every_name_is_one_memory_that_can_be_found_and_exported(table: Table) -> None:
    names = [name for name in table.memories if name.startswith("paths/")]

    assert len(names) == 7
    assert len({table[name].id for name in names}) == 7
    for name in names:
        table[name].file_name.encode()
        assert os.path.exists(table[name].files[0])
    assert f"paths/{drawn_table.UNDECODABLE}" in names


def test_row_47_leavings_of_other_programs_are_left_out(table: Table) -> None:
    assert not any(name.startswith("junk") for name in (*table.memories, *table.problems))


def test_row_48_copies_bursts_and_namesakes(table: Table) -> None:
    burst = [table[f"copies/BURST/20200202_10000{second}_00{second}.jpg"] for second in range(6)]

    assert table["copies/IMG_5.jpg"].id == table["copies/copy of IMG_5.jpg"].id
    assert {each.representative_id for each in burst[1:]} == {burst[0].id}
    assert table["copies/other/IMG_5.jpg"].taken.wall == datetime(2006, 6, 17, 10)
    assert table["copies/IMG_5_small.jpg"].representative_id is None
    assert {name for name, kind in table.doubts if kind is DoubtKind.SMALLER_COPY} == {"copies/IMG_5_small.jpg"}


def test_every_file_is_a_memory_a_problem_or_left_out(table: Table) -> None:
    every = {os.path.relpath(path, table.folder) for path in map(str, table.folder.rglob("*")) if os.path.isfile(path)}
    sidecars = {name for name in every if name.endswith((".xmp", ".json"))}
    left = every - set(table.memories) - set(table.problems) - sidecars

    assert all(name.startswith("junk") for name in left)
