"""Is somebody taken to have been at what a sign announces, and only there and then?"""

from datetime import datetime

import pytest

from core.records import MemoryKind, Place
from core.store.library import Library
from tests.core.augment.life import PORTO, named, remember, run, shown

POSTER = "KARAOKE NIGHT\nHCI FORUM 2024\nWednesday 15 May, 20:30\nBar Nachtigall"


def names(library: Library) -> list[str]:
    return [event.name for event in shown(library)]


def test_a_poster_taken_in_at_its_hour_names_an_event_with_what_was_captured_there(library: Library) -> None:
    poster = remember(library, datetime(2024, 5, 15, 20, 32), "A poster", place=PORTO, text=POSTER)
    song = remember(library, datetime(2024, 5, 15, 22, 11), "Karaoke on a stage", place=PORTO)
    remember(library, datetime(2024, 5, 15, 23, 50), "A taxi", place=Place(city="Braga", country="Portugal"))
    run(library)
    event = named(library, "Karaoke Night")
    assert set(event.member_ids) == {poster, song}
    assert "20:30" in event.why


@pytest.mark.parametrize(
    "text",
    [
        "Welcome Reception\nPalm House, 13 May, 19:00",
        "Pub Quiz\nMonday 7 pm\nFree entry",
        "The Wine Tasting\n2024-05-13 19h00",
    ],
)
def test_days_and_hours_are_read_in_several_forms(library: Library, text: str) -> None:
    remember(library, datetime(2024, 5, 13, 19, 8), "A sign", place=PORTO, text=text)
    run(library)
    assert names(library) == [text.splitlines()[0]]


@pytest.mark.parametrize(
    ("when", "text", "kind"),
    [
        (datetime(2024, 5, 15, 12, 0), POSTER, MemoryKind.PHOTO),
        (datetime(2024, 5, 14, 20, 32), POSTER, MemoryKind.PHOTO),
        (datetime(2024, 5, 15, 20, 32), POSTER, MemoryKind.SCREENSHOT),
        (datetime(2024, 5, 15, 20, 32), POSTER + "\n22:00 Open Stage Night", MemoryKind.PHOTO),
        (datetime(2024, 5, 15, 20, 32), "Gasthaus\n15 May 2024 20:30\nSoup 6.90", MemoryKind.PHOTO),
        (datetime(2024, 5, 15, 20, 32), "Karaoke Night", MemoryKind.PHOTO),
    ],
)
def test_another_hour_or_day_a_screenshot_a_timetable_and_a_receipt_prove_no_visit(
    library: Library, when: datetime, text: str, kind: MemoryKind
) -> None:
    remember(library, when, "Words", place=PORTO, text=text, kind=kind)
    run(library)
    assert not {"Karaoke Night", "Gasthaus"} & {event.name for event in shown(library) if event.status.value == "lived"}


def test_what_is_announced_lies_inside_the_occasion_that_several_signs_name(library: Library) -> None:
    for hour in (9, 12, 20):
        remember(library, datetime(2024, 5, 15, hour, 32), "A sign", place=PORTO, text=POSTER)
    run(library)
    assert named(library, "Karaoke Night").parent_id == named(library, "HCI FORUM 2024").id


def test_two_spellings_of_a_name_are_one_event(library: Library) -> None:
    for hour, text in ((9, "HCI FORUM 2024"), (12, "HCI FORUM 2024"), (14, "HCIFORUM 2024"), (15, "HCIFORUM 2024")):
        remember(library, datetime(2024, 5, 15, hour, 32), "A sign", place=PORTO, text=text)
    run(library)
    assert names(library) == ["HCI FORUM 2024"]
