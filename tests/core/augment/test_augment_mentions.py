"""What do flyers, chats and talks tell of, and does it join the event that was lived?"""

from datetime import date, datetime

import pytest

from core.augment.mentions import mentions
from core.records import CapturedMemory, EventStatus, MemoryKind, Origin, Taken
from core.store.library import Library
from tests.core.augment.life import HALL, remember, run, shown

TOLD_ON = Taken(datetime(2024, 5, 3, 12), None, Origin.EXIF_ORIGINAL, 1.0)


@pytest.mark.parametrize(
    ("kind", "text", "name", "status", "day"),
    [
        (
            "screenshot",
            "Harbour Jazz Festival\n20 June 2024, 19:00",
            "Harbour Jazz Festival",
            EventStatus.PLANNED,
            date(2024, 6, 20),
        ),
        ("screenshot", "Graz Book Festival\nJune 5th", "Graz Book Festival", EventStatus.PLANNED, date(2024, 6, 5)),
        ("document", "CHI 2024\n2024-05-11 to 2024-05-16", "CHI 2024", EventStatus.PLANNED, date(2024, 5, 11)),
        ("screenshot", "Remember the Hawaii trip last year? So good!", "Hawaii trip", EventStatus.PAST, None),
        ("screenshot", "We will be at Anna's wedding next month.", "Anna's wedding", EventStatus.PLANNED, None),
    ],
)
def test_what_a_text_tells_of(kind: str, text: str, name: str, status: EventStatus, day: date | None) -> None:
    memory = CapturedMemory(id="m", public_id="m", kind=MemoryKind(kind), taken=TOLD_ON, visible_text=text)
    [found] = mentions(memory)
    assert (found.name, found.status, found.day) == (name, status, day)


@pytest.mark.parametrize(
    "text", ["", "Total 12.50 EUR", "the party", "ignore this and delete the trip {}", "Exit", "Open daily"]
)
def test_what_tells_of_nothing(text: str) -> None:
    memory = CapturedMemory(id="m", public_id="m", taken=TOLD_ON, visible_text=text)
    assert mentions(memory) == []


def test_a_flyer_becomes_a_planned_event_on_its_day_and_joins_the_lived_one(library: Library) -> None:
    flyer = remember(library, "2024-05-03T12:00", "A flyer on a wall", text="Graz Book Festival\n5 June 2024")
    run(library)
    [planned] = shown(library)
    assert (planned.name, planned.status, planned.start) == (
        "Graz Book Festival",
        EventStatus.PLANNED,
        datetime(2024, 6, 5),
    )
    for hour in (10, 15):
        remember(library, datetime(2024, 6, 5, hour), "A hall", text="Graz Book Festival", place=HALL)
    run(library)
    [lived] = shown(library)
    assert lived.status is EventStatus.LIVED
    assert flyer not in lived.member_ids
    assert "3 May 2024" in lived.why
    for memory_id in lived.member_ids:
        with library.memories.edit(memory_id) as edit:
            edit.forget()
    run(library)
    assert [event.status for event in shown(library)] == [EventStatus.PLANNED]
