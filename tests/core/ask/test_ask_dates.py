"""English time expressions are read as people mean them."""

from datetime import date

import pytest

from core.ask.dates import find_days

ASKED_ON = date(2026, 3, 18)  # a Wednesday
BORN = date(1990, 6, 12)


def read(text: str) -> list[str]:
    """Every range found, written shortly."""
    return [
        f"{days.first_day or '...'}/{days.last_day or '...'}"
        for days in find_days(text, ASKED_ON, born=BORN)
        if days.first_day or days.last_day
    ]


@pytest.mark.parametrize(
    "text",
    [
        "on 8 November 2025",
        "November 8, 2025",
        "Nov 8th 2025",
        "the 8th of November 2025",
        "the eighth of november, 2025",
        "Nov. 8 , 2025",
        "2025-11-08",
        "2025/11/08",
        "20251108",
        "11/8/2025",
        "8.11.2025",
        "Saturday, 8 November 2025",
        "2025 Nov 8",
        "8-Nov-2025",
        "2025-11-08T14:30:00Z",
    ],
)
def test_a_day_is_read_in_every_written_form(text: str) -> None:
    assert read(text) == ["2025-11-08/2025-11-08"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("in February 2025", "2025-02-01/2025-02-28"),
        ("Feb 2024", "2024-02-01/2024-02-29"),
        ("2024-02", "2024-02-01/2024-02-29"),
        ("at the start of February 2025", "2025-02-01/2025-02-10"),
        ("in the middle of February 2025", "2025-02-11/2025-02-20"),
        ("mid-February 2025", "2025-02-11/2025-02-20"),
        ("the end of February 2025", "2025-02-21/2025-02-28"),
        ("in late May", "2025-05-21/2025-05-31"),
        ("Q3 2025", "2025-07-01/2025-09-30"),
        ("in the third quarter of 2025", "2025-07-01/2025-09-30"),
        ("the first half of last year", "2025-01-01/2025-06-30"),
        ("the late nineties", "1997-01-01/1999-12-31"),
        ("in the '80s", "1980-01-01/1989-12-31"),
        ("the second weekend of May 2024", "2024-05-11/2024-05-12"),
        ("the last Sunday of March 2024", "2024-03-31/2024-03-31"),
        ("the last three days of 2023", "2023-12-29/2023-12-31"),
        ("the first week of November", "2025-11-03/2025-11-09"),
        ("nineteen ninety-five in nineteen ninety-five", "1995-01-01/1995-12-31"),
    ],
)
def test_parts_of_the_calendar(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("between January and March 2025", "2025-01-01/2025-03-31"),
        ("from May 2025 to July 2025", "2025-05-01/2025-07-31"),
        ("from the start of February 2025 to the end of April 2025", "2025-02-01/2025-04-30"),
        ("from November 2024 to February", "2024-11-01/2025-02-28"),
        ("between 2019 and 2021", "2019-01-01/2021-12-31"),
        ("2019-2021", "2019-01-01/2021-12-31"),
        ("May 3-9, 2024", "2024-05-03/2024-05-09"),
        ("from January 28th to 31st", "2026-01-28/2026-01-31"),
        ("in May and June 2024", "2024-05-01/2024-06-30"),
        ("from Friday to Sunday", "2026-03-13/2026-03-15"),
        ("between Monday and Wednesday", "2026-03-09/2026-03-11"),
        ("since last summer", "2025-06-01/2026-03-18"),
        ("from 2020 onwards", "2020-01-01/2026-03-18"),
        ("until yesterday", ".../2026-03-17"),
        ("before my 30th birthday", ".../2020-06-11"),
        ("after Christmas 2024", "2024-12-26/2026-03-18"),
        ("over the last two weeks", "2026-03-04/2026-03-18"),
        ("in the past 3 months", "2025-12-18/2026-03-18"),
        ("over the last year", "2025-03-18/2026-03-18"),
        ("for the last 3 days", "2026-03-15/2026-03-17"),
    ],
)
def test_ranges_are_read_with_both_their_ends(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("yesterday", "2026-03-17/2026-03-17"),
        ("the day before yesterday", "2026-03-16/2026-03-16"),
        ("last Tuesday", "2026-03-10/2026-03-10"),
        ("past Tuesday", "2026-03-17/2026-03-17"),
        ("on Wednesday", "2026-03-11/2026-03-11"),
        ("last week", "2026-03-09/2026-03-15"),
        ("the week before last", "2026-03-02/2026-03-08"),
        ("this month", "2026-03-01/2026-03-31"),
        ("two weeks ago", "2026-03-02/2026-03-08"),
        ("half a year ago", "2025-09-01/2025-09-30"),
        ("a year ago", "2025-01-01/2025-12-31"),
        ("three weeks ago on Tuesday", "2026-02-24/2026-02-24"),
        ("a year ago today", "2025-03-18/2025-03-18"),
        ("this day in 2020", "2020-03-18/2020-03-18"),
        ("a few days ago", "2026-03-08/2026-03-16"),
        ("the other day", "2026-03-08/2026-03-17"),
        ("recently", "2026-02-16/2026-03-18"),
        ("on the 12th", "2026-03-12/2026-03-12"),
        ("on Friday the 13th", "2026-03-13/2026-03-13"),
        ("in March", "2026-03-01/2026-03-31"),
        ("in April", "2025-04-01/2025-04-30"),
        ("last winter", "2025-12-01/2026-02-28"),
        ("the winter of 2023/24", "2023-12-01/2024-02-29"),
        ("this weekend", "2026-03-14/2026-03-15"),
        ("two Christmases ago", "2024-12-25/2024-12-25"),
        ("two Mondays ago", "2026-03-09/2026-03-09"),
        ("the Monday before Easter 2024", "2024-03-25/2024-03-25"),
        ("the 4th of July weekend 2024", "2024-07-04/2024-07-07"),
        ("the 2nd and 3rd of May 2025", "2025-05-02/2025-05-03"),
        ("June to August 2023", "2023-06-01/2023-08-31"),
        ("in the spring of last year", "2025-03-01/2025-05-31"),
        ("the first two weeks of August 2025", "2025-08-01/2025-08-14"),
        ("Wed Oct 26 15:50:06 2016", "2016-10-26/2016-10-26"),
        ("yesterday and today", "2026-03-17/2026-03-18"),
        ("last year's summer", "2025-06-01/2025-08-31"),
        ("last year in May", "2025-05-01/2025-05-31"),
    ],
)
def test_relative_days_are_the_latest_past_ones(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Good Friday 2024", "2024-03-29"),
        ("Easter 2019", "2019-04-21"),
        ("Pentecost 2024", "2024-05-19"),
        ("Mother's Day 2024", "2024-05-12"),
        ("mothers day 2024", "2024-05-12"),
        ("Thanksgiving last year", "2025-11-27"),
        ("the day after Thanksgiving 2024", "2024-11-29"),
        ("Chinese New Year 2024", "2024-02-10"),
        ("Mid-Autumn Festival 2025", "2025-10-06"),
        ("Diwali 2023", "2023-11-12"),
        ("Eid al-Fitr 2024", "2024-04-10"),
        ("the Christmas before last", "2024-12-25"),
        ("last New Year's Eve", "2025-12-31"),
        ("Martin Luther King Day 2024", "2024-01-15"),
        ("the first Sunday of Advent 2024", "2024-12-01"),
    ],
)
def test_holidays_fall_on_their_days(text: str, meant: str) -> None:
    assert read(text) == [f"{meant}/{meant}"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("when I was 20", "2010-06-12/2011-06-11"),
        ("when I was ten years old", "2000-06-12/2001-06-11"),
        ("in my early thirties", "2020-06-12/2023-10-11"),
        ("in my 20s", "2010-06-12/2020-06-11"),
        ("when I was a teenager", "2003-06-12/2010-06-11"),
        ("the day I turned 18", "2008-06-12/2008-06-12"),
        ("my birthday last year", "2025-06-12/2025-06-12"),
    ],
)
def test_ages_are_counted_from_the_day_of_birth(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize("text", ["when I was 20", "in my twenties", "my 30th birthday", "my last birthday"])
def test_without_a_day_of_birth_an_age_is_no_date(text: str) -> None:
    assert find_days(text, ASKED_ON) == ()


@pytest.mark.parametrize(
    "text",
    [
        "May I see the cat?",
        "You may be right",
        "march up the hill",
        "Which talks did I hear at CHI 2024?",
        "Paris 2019 poster",
        "room 2019",
        "at 2024 Main Street",
        "the second time I met May",
        "lying in the sun",
        "we sat on a bench",
        "my winter coat",
        "the Christmas tree",
        "spring rolls",
        "add 1/2 cup of sugar",
        "a price of 5.12 euros",
        "on the 5th floor",
        "How many people were there?",
        "what we did the following week",
        "2,000 photos",
        "",
    ],
)
def test_words_that_only_look_like_dates_are_none(text: str) -> None:
    assert find_days(text, ASKED_ON, born=BORN) == ()


def test_an_event_name_with_its_year_leaves_the_real_date_alone() -> None:
    assert read("my talk at CHI 2024 in May 2023") == ["2023-05-01/2023-05-31"]


@pytest.mark.parametrize(
    ("text", "hours", "weekdays"),
    [
        ("in the morning", (5, 11), ()),
        ("at night", (20, 4), ()),
        ("after 6 pm", (18, 23), ()),
        ("before 9 am", (0, 8), ()),
        ("between 2 and 5 pm", (14, 16), ()),
        ("at noon", (11, 13), ()),
        ("on Sundays", None, (6,)),
        ("at weekends", None, (5, 6)),
        ("every Monday", None, (0,)),
        ("on weekdays", None, (0, 1, 2, 3, 4)),
        ("Monday mornings", (5, 11), (0,)),
    ],
)
def test_times_of_day_and_weekdays_alone_leave_the_days_open(
    text: str, hours: tuple[int, int] | None, weekdays: tuple[int, ...]
) -> None:
    (days,) = find_days(text, ASKED_ON)

    assert (days.first_day, days.last_day, days.hours, days.weekdays) == (None, None, hours, weekdays)


@pytest.mark.parametrize(
    ("text", "meant", "hours", "weekdays"),
    [
        ("yesterday evening", "2026-03-17/2026-03-17", (17, 22), ()),
        ("last night", "2026-03-17/2026-03-17", (20, 4), ()),
        ("on the afternoon of October 7th", "2025-10-07/2025-10-07", (12, 17), ()),
        ("in the morning on 2019/03/24", "2019-03-24/2019-03-24", (5, 11), ()),
        ("between 2 and 5 pm yesterday", "2026-03-17/2026-03-17", (14, 16), ()),
        ("Fridays in May 2024", "2024-05-01/2024-05-31", None, (4,)),
        ("Sunday mornings in February", "2026-02-01/2026-02-28", (5, 11), (6,)),
    ],
)
def test_times_of_day_and_weekdays_narrow_the_days_beside_them(
    text: str, meant: str, hours: tuple[int, int] | None, weekdays: tuple[int, ...]
) -> None:
    (days,) = find_days(text, ASKED_ON)

    assert read(text) == [meant]
    assert (days.hours, days.weekdays) == (hours, weekdays)


def test_ranges_come_in_reading_order_with_the_words_they_were_read_from() -> None:
    text = "Was I in Rome in June 2023 or the year before?"

    first, second = find_days(text, ASKED_ON)

    assert (first.words, second.words) == ("in June 2023", "the year before")
    assert (second.first_day, second.last_day) == (date(2022, 1, 1), date(2022, 12, 31))


def test_seasons_turn_with_the_hemisphere() -> None:
    (days,) = find_days("last summer", ASKED_ON, hemisphere="south")

    assert (days.first_day, days.last_day) == (date(2025, 12, 1), date(2026, 2, 28))


def test_a_week_may_start_on_sunday() -> None:
    (days,) = find_days("last week", ASKED_ON, week_starts=6)

    assert (days.first_day, days.last_day) == (date(2026, 3, 8), date(2026, 3, 14))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("What did I do on June 9th, 12th, and 14th?", ["06-09", "06-12", "06-14"]),
        ("On June 3rd, June 6th, and June 28th", ["06-03", "06-06", "06-28"]),
        ("on the 9th, 12th and 14th of June", ["06-09", "06-12", "06-14"]),
        ("am 3., 5. und 7. Juni", ["06-03", "06-05", "06-07"]),
        ("el 3 y 5 de junio", ["06-03", "06-05"]),
        ("le 3 et le 5 juin", ["06-03", "06-05"]),
        ("on June 9th and 2 friends", ["06-09"]),
    ],
)
def test_days_listed_apart_each_take_the_month_of_the_list(text: str, days: list[str]) -> None:
    found = find_days(text, date(2025, 12, 31))
    assert [day.first_day for day in found] == [date.fromisoformat(f"2025-{day}") for day in days]
    assert all(day.first_day == day.last_day for day in found)


def test_a_year_that_belongs_to_a_name_is_not_the_anchor_of_a_day_before() -> None:
    assert find_days("What did I drink the day before the 2007 marathon?", date(2013, 12, 31)) == ()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("in March", "2024-03-01/2024-03-31"),
        ("on 5 March", "2024-03-05/2024-03-05"),
        ("at Easter", "2026-04-05/2026-04-05"),
        ("from February to March", "2024-02-01/2024-03-31"),
        ("in May and June", "2025-05-01/2025-06-30"),
        ("in March 2025", "2025-03-01/2025-03-31"),
        ("last March", "2026-03-01/2026-03-31"),
        ("since March", "2026-03-01/2026-08-15"),
    ],
)
def test_days_without_a_year_are_the_latest_of_which_there_are_memories(text: str, meant: str) -> None:
    """Of 2024 there is March, of 2025 June; where no year has any, the latest days stay."""
    kept = (date(2024, 3, 5), date(2025, 6, 9))

    def lived(days: tuple[date, date]) -> bool:
        return any(days[0] <= day <= days[1] for day in kept)

    (found,) = find_days(text, date(2026, 8, 15), lived=lived)

    assert f"{found.first_day}/{found.last_day}" == meant
