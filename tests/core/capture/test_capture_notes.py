"""Texts, calendars, mail and chats become notes with their times, people and places."""

import os
from datetime import datetime
from pathlib import Path

import pytest

from core.augment.usable import is_usable
from core.capture.formats import sniff
from core.capture.note import MOST_CHARS, MOST_NOTES
from core.jobs import run_to_end
from core.paths import Home
from core.records import CapturedMemory, Field, MemoryKind, Origin
from core.store.exact_index import ExactIndexes
from core.store.export import export_library
from core.store.import_ import import_library
from core.store.library import Library, open_library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, InProcessDecoder

_CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VTIMEZONE
TZID:Europe/Vienna
END:VTIMEZONE
BEGIN:VEVENT
UID:one
DTSTART;TZID=Europe/Vienna:20230714T190000
DTEND;TZID=Europe/Vienna:20230714T220000
SUMMARY:Dinner with Ann\\, at last
LOCATION:Gasthaus Pöschl\\, Wien
ORGANIZER;CN="Novak, Ann":mailto:ann@example.org
ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED:mailto:bob@example.org
ATTENDEE;CN=Cleo;PARTSTAT=DECLINED:mailto:cleo@example.org
ATTENDEE;CN=Room 3;CUTYPE=ROOM:mailto:room@example.org
DESCRIPTION:Bring the
  photographs
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:two
DTSTART;VALUE=DATE:20230801
DTEND;VALUE=DATE:20230804
SUMMARY:Lake
GEO:46.62;14.31
END:VEVENT
BEGIN:VEVENT
UID:three
DTSTART;TZID=Europe/Vienna:20230307T180000
DTEND;TZID=Europe/Vienna:20230307T193000
RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=8
EXDATE;TZID=Europe/Vienna:20230309T180000
SUMMARY:Climbing
END:VEVENT
BEGIN:VEVENT
UID:three
RECURRENCE-ID;TZID=Europe/Vienna:20230314T180000
DTSTART;TZID=Europe/Vienna:20230314T200000
SUMMARY:Climbing, late
END:VEVENT
BEGIN:VEVENT
UID:four
DTSTART:20230101T000000Z
STATUS:CANCELLED
SUMMARY:Never
END:VEVENT
BEGIN:VEVENT
UID:five
DTSTART:nonsense
SUMMARY:No time
END:VEVENT
END:VCALENDAR
"""

_MAIL = b"""From: =?utf-8?q?Zo=C3=AB?= <zoe@example.org>
To: Ann <ann@example.org>, bob@example.org
Subject: =?utf-8?b?TWlldGU=?= 2021
Date: Fri, 05 Mar 2021 10:15:00 -0500
Message-ID: <m1@example.org>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=x

--x
Content-Type: text/html; charset=utf-8

<html><head><title>t</title><style>p {}</style></head><body><p>The <b>web</b> part</p></body></html>
--x
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

See you at the caf=E9.
--x
Content-Type: text/plain
Content-Disposition: attachment; filename=secret.txt

attached
--x--
"""

_IPHONE = """[14.07.23, 19:02:11] Ann: \u200eMessages and calls are end-to-end encrypted.
[14.07.23, 19:02:11] Ann: On my way
two lines
[14.07.23, 21:40:00] Bob: \u200eimage omitted
[15.07.23, 00:10:59] Ann: Good night 🌙
"""
_ANDROID_US = """7/14/23, 7:02\u202fPM - Messages and calls are end-to-end encrypted.
7/14/23, 7:02\u202fPM - Ann: On my way
7/15/23, 12:10\u202fAM - Bob: Good night
7/15/23, 12:11\u202fAM - Cleo Marsh: Sleep well: all of you
"""
_ANDROID_UK = """03/04/2023, 09:00 - Ann: one
04/04/2023, 09:00 - Bob: two
"""
_SIGNAL = """[2021-05-01 12:34] Me: Lunch?
[2021-05-01 12:36] Ann: Yes
"""
_IMESSAGE = """May 17, 2022  5:29:42 PM (Read by them after 1 minute)
Me
Where are you?

May 17, 2022  5:31:00 PM
Ann
At the station,
platform 2

"""


def _notes(library: Library) -> list[CapturedMemory]:
    found = [memory for memory in library.memories.matching() if memory.kind is MemoryKind.NOTE]
    return sorted(found, key=lambda memory: (memory.taken.wall or datetime.min, memory.title))


def _wall(memory: CapturedMemory) -> str:
    return f"{memory.taken.wall:%Y-%m-%d %H:%M}"


def test_a_text_is_a_note_with_its_heading_and_day(library: Library, album: Path, capture: Capturing) -> None:
    (album / "trip.md").write_text("---\ndate: 2019-06-02\n---\n\n# Bergen, at last\n\nRain, and *skillingsboller*.\n")
    (album / "Note 2020-01-05.txt").write_bytes("Käse kaufen".encode("cp1252"))
    capture()

    first, second = _notes(library)
    assert (first.title, _wall(first), first.taken.day_only) == ("Bergen, at last", "2019-06-02 00:00", True)
    assert "skillingsboller" in first.visible_text
    assert "---" not in first.visible_text
    assert (second.visible_text, f"{second.taken.day}", second.taken.origin) == (
        "Käse kaufen",
        "2020-01-05",
        Origin.FILE_NAME,
    )
    assert library.files.problems() == []


def test_a_note_that_the_person_went_on_writing_is_the_same_note(
    library: Library, album: Path, capture: Capturing
) -> None:
    path = album / "diary.txt"
    path.write_text("Monday: rain")
    capture()
    (before,) = _notes(library)
    with library.memories.edit(before.id) as editing:
        editing.set_text(Field.TITLE, "My diary", Origin.PERSON)
    path.write_text("Monday: rain\nTuesday: sun")
    capture()

    (after,) = _notes(library)
    assert (after.id, after.title) == (before.id, "My diary")
    assert "Tuesday: sun" in after.visible_text
    assert "Tuesday" in after.caption


@pytest.mark.parametrize("name", ["README.md", "LICENSE.txt", "requirements.txt"])
def test_texts_that_come_with_programs_are_no_notes(name: str) -> None:
    assert sniff(b"hello", name) is None


def test_a_text_that_calls_itself_a_picture_is_still_a_problem(
    library: Library, album: Path, capture: Capturing
) -> None:
    (album / "a.jpg").write_text("hello")
    (album / "zeros.txt").write_bytes(b"\0" * 100)
    (album / "empty.txt").write_bytes(b"")
    capture()

    assert _notes(library) == []
    assert [Path(problem.file).name for problem in library.files.problems()] == ["a.jpg"]


def test_a_calendar_gives_each_event_its_time_people_and_place(
    library: Library, album: Path, capture: Capturing, system_zone: str
) -> None:
    (album / "mine.ics").write_text(_CALENDAR.replace("\n", "\r\n"), encoding="utf-8")
    capture()

    notes = {f"{memory.title} {_wall(memory)}": memory for memory in _notes(library)}
    dinner = notes["Dinner with Ann, at last 2023-07-14 19:00"]
    assert dinner.people == ("Bob", "Novak, Ann")
    assert dinner.place is not None
    assert dinner.place.name == "Gasthaus Pöschl, Wien"
    assert dinner.taken.utc_offset_minutes == 120
    assert "Bring the photographs" in dinner.visible_text
    assert "Reminder" not in dinner.visible_text
    assert "2023-07-14 19:00 to 22:00" in dinner.visible_text
    lake = notes["Lake 2023-08-01 00:00"]
    assert lake.taken.day_only
    assert "2023-08-01 to 2023-08-03" in lake.visible_text
    assert lake.place is not None
    assert lake.place.country == "Austria"
    assert sorted(each for each in notes if each.startswith("Climbing")) == [
        "Climbing 2023-03-07 18:00", "Climbing 2023-03-16 18:00", "Climbing 2023-03-21 18:00", "Climbing 2023-03-23 18:00",
        "Climbing 2023-03-28 18:00", "Climbing 2023-03-30 18:00", "Climbing, late 2023-03-14 20:00",
    ]  # fmt: skip
    assert notes["Climbing 2023-03-21 18:00"].taken.utc_offset_minutes == 60
    assert notes["Climbing 2023-03-28 18:00"].taken.utc_offset_minutes == 120
    assert len(notes) == 9
    assert all(memory.files == (str(album / "mine.ics"),) for memory in notes.values())


def test_what_recurs_for_ever_is_taken_in_a_bounded_number_of_times_and_not_beyond_the_export(
    library: Library, album: Path, capture: Capturing
) -> None:
    event = "BEGIN:VEVENT\nUID:{0}\nDTSTART:{1}T080000\nSUMMARY:{0}\nRRULE:{2}\nEND:VEVENT\n"
    path = album / "a.ics"
    path.write_text(
        "BEGIN:VCALENDAR\n"
        + event.format("daily", "20000101", "FREQ=DAILY")
        + event.format("monthly", "20230131", "FREQ=MONTHLY;INTERVAL=1")
        + event.format("last friday", "20230127", "FREQ=MONTHLY;BYDAY=-1FR")
        + event.format("leap", "20200229", "FREQ=YEARLY;UNTIL=99991231T000000Z")
        + event.format("hostile", "20230101", "FREQ=DAILY;INTERVAL=99999999999;COUNT=99999999999999999999")
        + "END:VCALENDAR\n"
    )
    drawn.set_mtime(path, int(datetime(2023, 6, 15).timestamp()))
    capture()

    titles = [memory.title for memory in _notes(library)]
    assert titles.count("daily") == 60
    assert [_wall(memory)[:10] for memory in _notes(library) if memory.title == "monthly"] == [
        "2023-01-31", "2023-03-31", "2023-05-31",
    ]  # fmt: skip
    assert (titles.count("last friday"), titles.count("leap"), titles.count("hostile")) == (1, 1, 1)


def test_a_calendar_in_utc_shows_the_clock_of_its_own_zone_or_of_the_library(
    library: Library, album: Path, capture: Capturing, system_zone: str
) -> None:
    event = "BEGIN:VCALENDAR\n{}BEGIN:VEVENT\nUID:{}\nDTSTART:20230714T170000Z\nSUMMARY:{}\nEND:VEVENT\nEND:VCALENDAR\n"
    (album / "a.ics").write_text(event.format("X-WR-TIMEZONE:Asia/Tokyo\n", "1", "own"))
    (album / "b.ics").write_text(event.format("", "2", "library"))
    capture(home_zone="Europe/Lisbon")

    assert [(memory.title, _wall(memory), memory.taken.utc_offset_minutes) for memory in _notes(library)] == [
        ("library", "2023-07-14 18:00", 60), ("own", "2023-07-15 02:00", 540),
    ]  # fmt: skip


def test_a_mail_has_its_time_people_subject_and_plain_text(library: Library, album: Path, capture: Capturing) -> None:
    (album / "m.eml").write_bytes(_MAIL)
    capture(home_zone="Europe/Vienna")

    (mail,) = _notes(library)
    assert (mail.title, _wall(mail), mail.taken.utc_offset_minutes) == ("Miete 2021", "2021-03-05 16:15", 60)
    assert mail.people == ("Ann", "bob@example.org", "Zoë")
    assert mail.visible_text == "Miete 2021\nFrom Zoë\nTo Ann, bob@example.org\nSee you at the café."


def test_a_mailbox_gives_each_mail_its_memory_and_keeps_it_in_a_later_export(
    library: Library, album: Path, capture: Capturing
) -> None:
    separator = b"From zoe@example.org Fri Mar  5 10:15:00 2021\n"
    web = b"From: Ann <a@example.org>\nDate: Sat, 06 Mar 2021 08:00:00 +0000\nSubject: Web\nMessage-ID: <m2@example.org>\n"
    web += b"Content-Type: text/html\n\n<style>x</style><p>Only &lt;web&gt;<br>here</p><script>bad()</script>\n"
    path = album / "all.mbox"
    path.write_bytes(separator + _MAIL + b"\n" + separator + web)
    capture(home_zone="UTC")
    before = {memory.title: memory.id for memory in _notes(library)}
    assert set(before) == {"Miete 2021", "Web"}
    assert "Only <web>\nhere" in library.memories.get(before["Web"]).visible_text
    assert "bad" not in library.memories.get(before["Web"]).visible_text

    path.write_bytes(separator + web + b"\n" + separator + _MAIL + b"\n" + separator + web.replace(b"m2", b"m3"))
    capture(home_zone="UTC")

    assert len(_notes(library)) == 3
    assert set(before.values()) <= {memory.id for memory in _notes(library)}


@pytest.mark.parametrize(
    ("name", "text", "days"),
    [
        ("_chat.txt", _IPHONE, [("2023-07-14 19:02", {"Ann", "Bob"}), ("2023-07-15 00:10", {"Ann", "Bob"})]),
        ("WhatsApp Chat with Climbers.txt", _ANDROID_US, [("2023-07-14 19:02", {"Ann"}), ("2023-07-15 00:10", {"Bob", "Cleo Marsh"})]),
        ("chat.txt", _ANDROID_UK, [("2023-04-03 09:00", {"Ann", "Bob"}), ("2023-04-04 09:00", {"Ann", "Bob"})]),
        ("Signal.md", _SIGNAL, [("2021-05-01 12:34", {"Me", "Ann"})]),
        ("+4366.txt", _IMESSAGE, [("2022-05-17 17:29", {"Me", "Ann"})]),
    ],
)  # fmt: skip
def test_a_chat_gives_one_note_a_day_with_who_wrote(
    library: Library, album: Path, capture: Capturing, name: str, text: str, days: list[tuple[str, set[str]]]
) -> None:
    (album / name).write_text(text, encoding="utf-8")
    capture()

    assert [(_wall(memory), set(memory.people)) for memory in _notes(library)] == days
    assert library.files.problems() == []


def test_a_chat_says_what_was_written_and_by_whom(library: Library, album: Path, capture: Capturing) -> None:
    (album / "_chat.txt").write_text(_IPHONE)
    (album / "WhatsApp Chat with Climbers.txt").write_text(_ANDROID_US)
    capture()

    first = next(memory for memory in _notes(library) if memory.title == "Chat of Ann, Bob")
    assert "19:02 Ann: On my way\ntwo lines" in first.visible_text
    climbers = [memory for memory in _notes(library) if memory.title == "WhatsApp Chat with Climbers"]
    assert "00:11 Cleo Marsh: Sleep well: all of you" in climbers[1].visible_text
    assert "encrypted" not in climbers[0].visible_text


def test_a_chat_that_grew_keeps_its_days_and_what_the_person_said_of_them(
    library: Library, album: Path, capture: Capturing
) -> None:
    path = album / "_chat.txt"
    path.write_text(_IPHONE)
    capture()
    _, last = _notes(library)
    with library.memories.edit(last.id) as editing:
        editing.set_text(Field.TITLE, "After the dinner", Origin.PERSON)

    path.write_text(_IPHONE + "[15.07.23, 08:00:00] Bob: Breakfast?\n[16.07.23, 08:00:00] Ann: Again\n")
    capture()

    notes = _notes(library)
    assert len(notes) == 3
    assert (notes[1].id, notes[1].title) == (last.id, "After the dinner")
    assert "Breakfast?" in notes[1].visible_text


def test_a_forgotten_day_of_a_chat_does_not_come_back(library: Library, album: Path, capture: Capturing) -> None:
    path = album / "_chat.txt"
    path.write_text(_IPHONE)
    capture()
    with library.memories.edit(_notes(library)[0].id) as editing:
        editing.forget()
    os.rename(path, album / "moved.txt")
    capture()

    assert [_wall(memory) for memory in _notes(library)] == ["2023-07-15 00:10"]


def test_nothing_is_read_again_when_nothing_changed(library: Library, album: Path, capture: Capturing) -> None:
    (album / "mine.ics").write_text(_CALENDAR)
    (album / "diary.txt").write_text("rain")
    decoder = InProcessDecoder()
    capture(decoder=decoder)
    before = {memory.id for memory in _notes(library)}

    class Failing(InProcessDecoder):
        def _call(self, method: str, *args: str | int, timeout_s: float) -> object:
            raise AssertionError(method)

    capture(decoder=Failing())

    assert {memory.id for memory in _notes(library)} == before


def test_hostile_files_are_bounded_and_safe(library: Library, album: Path, capture: Capturing) -> None:
    (album / "long.txt").write_text("a" * 3_000_000)
    (album / "deep.eml").write_bytes(
        b"From: " + b"(" * 5_000 + b"\nDate: " + b"9" * 5_000 + b"\nSubject: =?x?q?=00?=\n\n" + b"<" * 90_000
    )
    (album / "page.eml").write_bytes(
        b"From: a\nContent-Type: text/html\n\n" + b"<style " * 60_000 + b"<style>" * 20_000
    )
    (album / "blank.eml").write_bytes(
        b"From: a\nContent-Type: text/plain; charset=nonsense\n\n" + b" " * 200_000 + b"x"
    )
    nested = b"".join(b"Content-Type: message/rfc822\n\n" for _ in range(3_000))
    (album / "nested.eml").write_bytes(b"Subject: Nested\n" + nested)
    (album / "broken.ics").write_text(
        "BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20230230T990000\n"
    )
    (album / "many.ics").write_text(
        "BEGIN:VCALENDAR\n" + "".join(f"BEGIN:VEVENT\nUID:{n}\nDTSTART:20230101\nEND:VEVENT\n" for n in range(6_000))
    )
    (album / "folded.ics").write_text(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20230102\nSUMMARY:x" + "\n y" * 100_000 + "\nEND:VEVENT\n"
    )
    decoder = InProcessDecoder()

    assert len(decoder.notes(str(album / "many.ics"))) == MOST_NOTES
    (album / "many.ics").unlink()
    capture(decoder=decoder)

    assert all(len(memory.visible_text) <= MOST_CHARS and len(memory.title) <= 200 for memory in _notes(library))
    assert {memory.file_name for memory in _notes(library)} == {
        "long.txt",
        "deep.eml",
        "nested.eml",
        "page.eml",
        "blank.eml",
        "folded.ics",
    }
    assert [Path(problem.file).name for problem in library.files.problems()] == ["broken.ics"]


def test_notes_that_were_exported_find_their_file_again(
    library: Library, album: Path, capture: Capturing, tmp_path: Path
) -> None:
    (album / "_chat.txt").write_text(_IPHONE)
    capture()
    before = [(memory.public_id, memory.visible_text) for memory in _notes(library)]
    export_library(library, tmp_path / "all.jsonl")
    other = open_library(Home(tmp_path / "other"), ExactIndexes())
    try:
        run_to_end(import_library(other, tmp_path / "all.jsonl", "", is_usable))
        Capturing(other, album)()

        assert [(memory.public_id, memory.visible_text) for memory in _notes(other)] == before
        assert all(memory.files == (str(album / "_chat.txt"),) for memory in _notes(other))
    finally:
        other.close()


def test_notes_read_anew_for_another_zone_stay_the_memories_they_are(
    library: Library, album: Path, capture: Capturing
) -> None:
    (album / "mine.ics").write_text(_CALENDAR)
    (album / "all.mbox").write_bytes(b"From a Fri Mar  5 10:15:00 2021\n" + _MAIL)
    (album / "diary.txt").write_text("rain")
    capture(home_zone="UTC")
    before = {memory.id for memory in _notes(library)}
    capture(home_zone="Asia/Tokyo")

    assert {memory.id for memory in _notes(library)} == before
    assert len(before) == 11
    assert "2021-03-06 00:15" in {_wall(memory) for memory in _notes(library)}
