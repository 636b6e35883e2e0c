"""The date policy: rows 1 to 16 and 36 to 38 of the table of inputs, under three time zones of the system."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.capture.dates import Clock, dates_of, of_file_name, parse_stamp
from core.capture.facts import FileFacts, Tag
from core.capture.formats import Medium
from core.records import CapturedMemory, Origin, Stage, Taken
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing

NOW = Clock(datetime(2026, 11, 30, 12, tzinfo=UTC))
NOON_2013 = 1_370_000_000


def _captured(
    capture: Capturing, album: Path, tags: dict[int, object], name: str = "a.jpg", **more: object
) -> CapturedMemory:
    path = drawn.jpeg(album / name, 1, drawn.exif(tags, **more))  # type: ignore[arg-type]
    drawn.set_mtime(path, NOON_2013)
    capture()
    return capture.named(name)


@pytest.mark.parametrize(
    "bad", ["0000:00:00 00:00:00", "    :  :     :  :  ", "not a date", "2012:13:45 10:00:00", "1970:01:01 00:00:00"]
)
def test_a_senseless_exif_date_spoils_only_itself(capture: Capturing, album: Path, system_zone: str, bad: str) -> None:
    memory = _captured(capture, album, {drawn.ORIGINAL: bad}, base={drawn.MODEL: "Box 1"})

    assert memory.taken.origin is Origin.FILE_TIME
    assert memory.taken.day is not None
    assert memory.taken.day.year == 2013
    assert memory.media.camera == "Box 1"


def test_the_digitized_date_steps_in_for_a_senseless_original(capture: Capturing, album: Path) -> None:
    memory = _captured(capture, album, {drawn.ORIGINAL: "0000:00:00 00:00:00", drawn.DIGITIZED: "2011:02:03 04:05:06"})

    assert (memory.taken.wall, memory.taken.origin) == (datetime(2011, 2, 3, 4, 5, 6), Origin.EXIF_DIGITIZED)


def test_hour_24_keeps_the_day_and_says_that_the_time_is_unknown(
    capture: Capturing, album: Path, system_zone: str
) -> None:
    taken = _captured(capture, album, {drawn.ORIGINAL: "2018:10:13 24:24:27"}).taken

    assert (taken.wall, taken.day_only, taken.origin) == (datetime(2018, 10, 13), True, Origin.EXIF_ORIGINAL)
    assert taken.confidence < 0.5


def test_a_future_date_is_kept_and_distrusted(capture: Capturing, album: Path, system_zone: str) -> None:
    taken = _captured(capture, album, {drawn.ORIGINAL: "2050:12:31 23:59:59"}).taken

    assert taken.wall == datetime(2050, 12, 31, 23, 59, 59)
    assert taken.confidence < 0.5


def test_a_date_before_1970_sorts_before_it(capture: Capturing, album: Path, library: object, system_zone: str) -> None:
    drawn.jpeg(album / "b.jpg", 2, drawn.exif({drawn.ORIGINAL: "1971:01:01 00:00:00"}))
    memory = _captured(capture, album, {drawn.ORIGINAL: "1953:06:02 12:00:00"})

    assert memory.taken.wall == datetime(1953, 6, 2, 12)
    assert capture.library.memories.matching()[0].id == memory.id


def test_without_any_date_the_file_time_is_shown_with_the_lowest_confidence(
    capture: Capturing, album: Path, system_zone: str
) -> None:
    taken = _captured(capture, album, {}).taken

    assert taken.origin is Origin.FILE_TIME
    assert taken.confidence < 0.5
    expected = datetime.fromtimestamp(NOON_2013, UTC).astimezone(ZoneInfo(system_zone))
    assert taken.wall == expected.replace(tzinfo=None)
    assert taken.utc_offset_minutes == expected.utcoffset().total_seconds() / 60  # type: ignore[union-attr]


@pytest.mark.parametrize("seconds", [0, 1, 315_532_800, 4_000_000_000])
def test_a_file_time_that_is_a_zero_or_in_the_future_leaves_the_memory_undated(
    capture: Capturing, album: Path, seconds: int
) -> None:
    drawn.set_mtime(drawn.jpeg(album / "a.jpg", 1), seconds)
    capture()

    assert capture.named("a.jpg").taken == Taken()


def test_offset_time_original_wins_over_offset_time(capture: Capturing, album: Path, system_zone: str) -> None:
    taken = _captured(
        capture,
        album,
        {drawn.ORIGINAL: "2024:02:21 10:14:22", drawn.OFFSET_ORIGINAL: "-05:30", drawn.OFFSET: "-05:00"},
    ).taken

    assert (taken.wall, taken.utc_offset_minutes) == (datetime(2024, 2, 21, 10, 14, 22), -330)


def test_offset_time_alone_is_used(capture: Capturing, album: Path, system_zone: str) -> None:
    taken = _captured(capture, album, {drawn.ORIGINAL: "2024:07:01 02:13:00", drawn.OFFSET: "+02:00"}).taken

    assert (taken.wall, taken.utc_offset_minutes) == (datetime(2024, 7, 1, 2, 13), 120)


def test_a_time_without_offset_stays_on_its_day_in_every_zone(
    capture: Capturing, album: Path, system_zone: str
) -> None:
    taken = _captured(capture, album, {drawn.ORIGINAL: "2023:12:30 23:03:00"}).taken

    assert (taken.wall, taken.utc_offset_minutes) == (datetime(2023, 12, 30, 23, 3), None)


def test_the_position_gives_the_offset_that_the_camera_did_not_write(capture: Capturing, album: Path) -> None:
    taken = _captured(capture, album, {drawn.ORIGINAL: "2024:07:01 12:00:00"}, gps=(48.2082, 16.3738)).taken

    assert (taken.wall, taken.utc_offset_minutes) == (datetime(2024, 7, 1, 12), 120)


def test_the_library_zone_gives_the_offset_last(capture: Capturing, album: Path) -> None:
    drawn.jpeg(album / "a.jpg", 1, drawn.exif({drawn.ORIGINAL: "2024:01:05 12:00:00"}))
    capture(home_zone="Asia/Kolkata")

    assert capture.named("a.jpg").taken.utc_offset_minutes == 330


def test_the_original_date_wins_over_a_later_change(capture: Capturing, album: Path) -> None:
    memory = _captured(
        capture, album, {drawn.ORIGINAL: "2019:08:04 10:00:00"}, base={drawn.MODIFIED: "2024:01:01 00:00:00"}
    )

    assert memory.taken.wall == datetime(2019, 8, 4, 10)


@pytest.mark.parametrize(
    ("name", "wall", "day_only"),
    [
        ("IMG-20220528-WA0004.jpg", datetime(2022, 5, 28), True),
        ("signal-2024-09-24-20-19-49-610-1.jpg", datetime(2024, 9, 24, 20, 19, 49), False),
        ("signal-2024-09-24-20-19-49-610.jpg", datetime(2024, 9, 24, 20, 19, 49), False),
        ("Screenshot_20190201-212530_Fennec.png.jpg", datetime(2019, 2, 1, 21, 25, 30), False),
        ("Screenshot_2019-02-01-21-25-30.png", datetime(2019, 2, 1, 21, 25, 30), False),
        ("Screen Shot 2020-01-02 at 9.11.12 PM.png", datetime(2020, 1, 2, 21, 11, 12), False),
        ("Screenshot 2024-03-04 at 12.05.06\u202fAM.png", datetime(2024, 3, 4, 0, 5, 6), False),
        ("WhatsApp Image 2022-05-28 at 10.11.12.jpeg", datetime(2022, 5, 28, 10, 11, 12), False),
        ("IMG_20110719_113639.jpg", datetime(2011, 7, 19, 11, 36, 39), False),
        ("20200202_100003_003.jpg", datetime(2020, 2, 2, 10, 0, 3), False),
        ("VID_20190201_212530123.mp4", datetime(2019, 2, 1, 21, 25, 30), False),
        ("2015-08-09 beach.jpg", datetime(2015, 8, 9), True),
    ],
)  # fmt: skip
def test_known_file_names_give_their_date(name: str, wall: datetime, day_only: bool) -> None:
    taken = of_file_name(name, NOW)

    assert taken is not None
    assert (taken.wall, taken.day_only, taken.origin) == (wall, day_only, Origin.FILE_NAME)


@pytest.mark.parametrize(
    "name",
    ["119101-28-18.jpg", "IMG_0001.jpg", "20231345_101010.jpg", "DSC20301231_101010.jpg", "IMG-20991231-WA0001.jpg", "1700000000.jpg",
     "invoice 2020-13-45.png", "receipt-12-20-19.jpg", "20200202_256199.jpg.jpg"],
)  # fmt: skip
def test_other_digits_are_no_date(name: str) -> None:
    taken = of_file_name(name, NOW)

    assert taken is None or (taken.day_only and taken.day == datetime(2020, 2, 2).date())


def test_a_pixel_phone_names_its_files_in_utc(system_zone: str) -> None:
    clock = Clock(NOW.now, ZoneInfo("Europe/London"))

    taken = of_file_name("PXL_20240701_181512345.jpg", clock)

    assert taken is not None
    assert (taken.wall, taken.utc_offset_minutes) == (datetime(2024, 7, 1, 19, 15, 12), 60)


def test_exif_wins_over_the_file_name_and_the_conflict_lowers_its_confidence(capture: Capturing, album: Path) -> None:
    agreeing = _captured(capture, album, {drawn.ORIGINAL: "2011:07:19 11:36:39"}, "IMG_20110719_113639.jpg")
    contradicting = _captured(capture, album, {drawn.ORIGINAL: "2018:07:20 09:00:00"}, "IMG_20110719_113640.jpg")

    assert contradicting.taken.wall == datetime(2018, 7, 20, 9)
    assert contradicting.taken.origin is Origin.EXIF_ORIGINAL
    assert 0.5 <= contradicting.taken.confidence < agreeing.taken.confidence


def test_a_video_in_utc_is_shown_in_the_library_zone(capture: Capturing, album: Path, system_zone: str) -> None:
    drawn.video(album / "a.mp4", notes={"creation_time": "2021-07-06T16:20:38Z"})
    capture(home_zone="Europe/Helsinki")

    taken = capture.named("a.mp4").taken

    assert (taken.wall, taken.utc_offset_minutes) == (datetime(2021, 7, 6, 19, 20, 38), 180)
    assert taken.origin is Origin.VIDEO_CREATION_TIME


def test_a_video_in_utc_is_never_taken_for_local_time(system_zone: str) -> None:
    facts = FileFacts("mp4", Medium.VIDEO, tags={Tag.VIDEO_CREATION_TIME: "2021-07-06T16:20:38.000000Z"})

    taken = dates_of(facts, "a.mp4", 0, NOW)[0]

    expected = datetime(2021, 7, 6, 16, 20, 38, tzinfo=UTC).astimezone(ZoneInfo(system_zone))
    assert taken.wall == expected.replace(tzinfo=None)
    assert taken.utc_offset_minutes == expected.utcoffset().total_seconds() / 60  # type: ignore[union-attr]


def test_apples_creation_date_wins_over_the_creation_time(system_zone: str) -> None:
    tags = {Tag.VIDEO_CREATION_DATE: "2019-12-08T18:12:37+0100", Tag.VIDEO_CREATION_TIME: "2019-12-08T17:12:40.000000Z"}

    first = dates_of(FileFacts("mp4", Medium.VIDEO, tags=tags), "a.mov", 0, NOW)[0]

    assert (first.wall, first.utc_offset_minutes) == (datetime(2019, 12, 8, 18, 12, 37), 60)
    assert first.origin is Origin.VIDEO_CREATION_DATE


@pytest.mark.parametrize("zero", ["1904-01-01T00:00:00.000000Z", "1970-01-01T00:00:00Z", "1904-01-01T00:00:00Z"])
def test_a_video_clock_at_zero_is_no_date(zero: str) -> None:
    facts = FileFacts("mp4", Medium.VIDEO, tags={Tag.VIDEO_CREATION_TIME: zero})

    assert dates_of(facts, "a.mp4", 0, NOW) == ()


def test_the_satellites_time_dates_a_picture_that_has_no_other(
    capture: Capturing, album: Path, system_zone: str
) -> None:
    block = drawn.exif(gps=(37.77, -122.42))
    block[0x8825] = {**block[0x8825], 7: (12.0, 30.0, 5.0), 29: "2023:11:15"}
    drawn.set_mtime(drawn.jpeg(album / "a.jpg", 1, block), NOON_2013)
    capture()

    taken = capture.named("a.jpg").taken

    assert (taken.wall, taken.utc_offset_minutes, taken.origin) == (datetime(2023, 11, 15, 4, 30, 5), -480, Origin.GPS)


@pytest.mark.parametrize("clock", [(25.0, 0.0, 0.0), (12.0, 30.0), (0.0, 61.0, 0.0)])
def test_a_senseless_satellite_time_is_no_date(capture: Capturing, album: Path, clock: tuple[float, ...]) -> None:
    block = drawn.exif(gps=(37.77, -122.42))
    block[0x8825] = {**block[0x8825], 7: clock, 29: "2023:11:15"}
    drawn.set_mtime(drawn.jpeg(album / "a.jpg", 1, block), 0)
    capture(until=Stage.METADATA)

    assert capture.named("a.jpg").taken == Taken()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2012-08-05T11:39:59.123+02:00", (datetime(2012, 8, 5, 11, 39, 59), 120, False)),
        ("2012-08-05", (datetime(2012, 8, 5), None, True)),
        ("2012:08:05 11:39", (datetime(2012, 8, 5, 11, 39), None, False)),
        ("2012:08:05 11:39:59Z", (datetime(2012, 8, 5, 11, 39, 59), 0, False)),
        ("2012:08:05 11:39:59 +25:00", (datetime(2012, 8, 5, 11, 39, 59), None, False)),
        ("0001:01:01 00:00:00", None),
        ("2012:02:30 11:39:59", None),
        ("", None),
    ],
)
def test_times_are_read_as_they_are_written(text: str, expected: object) -> None:
    assert parse_stamp(text) == expected
