"""Over a drawn year with exact homes, journeys and false clocks: is everything found, and nothing invented?"""

from collections.abc import Iterator
from datetime import date

import pytest

from core.augment.clocks_stage import open_clocks
from core.augment.usual import Homes
from core.jobs import run_to_end
from core.paths import Home
from core.records import Stage
from core.store.exact_index import ExactIndexes
from core.store.import_ import import_library
from core.store.library import Library, open_library
from tests.core.augment.drawn_year import MOVED_ON, YEAR, DrawnYear, draw
from tests.core.augment.life import run, shown


@pytest.fixture(scope="module", params=range(3))
def lived(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Library, DrawnYear]]:
    """A drawn year, read and augmented once for all tests."""
    drawn, folder = draw(request.param), tmp_path_factory.mktemp("year")
    opened = open_library(Home(folder / "library"), ExactIndexes())
    run_to_end(import_library(opened, drawn.write(folder / "year.jsonl")))
    run(opened, until=Stage.EVENTS)
    yield opened, drawn
    opened.close()


@pytest.fixture
def year(lived: tuple[Library, DrawnYear]) -> DrawnYear:
    """What was drawn."""
    return lived[1]


@pytest.fixture
def library(lived: tuple[Library, DrawnYear]) -> Library:
    """What was made of it."""
    return lived[0]


def _days(library: Library, beginning: str) -> list[tuple[str, date, date]]:
    found = [event for event in shown(library) if event.name.startswith(beginning) and event.start and event.end]
    return sorted((event.name.removeprefix(beginning), event.start.date(), event.end.date()) for event in found)


def test_every_trip_is_found_and_none_invented(library: Library, year: DrawnYear) -> None:
    assert _days(library, "Trip to ") == sorted(year.trips)


def test_every_day_trip_is_found_and_none_invented(library: Library, year: DrawnYear) -> None:
    assert _days(library, "Day trip to ") == sorted((city, day, day) for city, day in year.day_trips)


def test_home_moves_in_the_month_of_the_move(library: Library, year: DrawnYear) -> None:
    homes = Homes.unpacked(library.stages.note("home_months"))
    periods = [(home.name, first, last) for first, last, home in homes.periods() if first.year == YEAR]
    before = date(MOVED_ON.year, MOVED_ON.month - 1, 31)
    assert periods == [("Graz", date(YEAR, 1, 1), before), ("Vienna", MOVED_ON, date(YEAR, 12, 31))]


def test_every_false_clock_is_proposed_with_what_to_add_and_no_true_one(library: Library, year: DrawnYear) -> None:
    public = {memory_id: name for name, memory_id in library.memories.ids_by_public_id().items()}
    proposed = {}
    for clock in open_clocks(library):
        members = {public[member] for member in clock.member_ids}
        for wrong, (ids, shift_s) in year.clocks.items():
            if members & ids:
                assert members <= ids
                assert clock.shift_s == shift_s, wrong
                proposed[wrong] = proposed.get(wrong, set()) | members
                break
        else:
            pytest.fail(f"{clock} is right")
    assert proposed == {wrong: ids for wrong, (ids, _) in year.clocks.items()}


def test_a_trip_of_some_days_holds_its_days_and_they_their_outings(library: Library, year: DrawnYear) -> None:
    events = {event.id: event for event in shown(library)}
    days = [event for event in events.values() if event.provenance and event.provenance.made_by == "rule:day"]
    assert days
    for day in days:
        assert events[day.parent_id or ""].name.startswith("Trip to ")
        assert set(day.member_ids) < set(events[day.parent_id or ""].member_ids)
