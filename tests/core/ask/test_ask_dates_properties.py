"""Whatever is asked, days are found in bounded time and are what was written."""

import time
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ask.dates import find_days

ASKED_ON = date(2031, 6, 15)
FIRST, LAST = date(2000, 1, 1), date(2030, 12, 31)
MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
}
_TIME_WORDS = (
    "last next the of 3 2024 may in before after since until between and to ago week years 31 february two first"
    " monday mornings easter summer 5.12 12/31 my birthday when i was end vor hace il y a 去年 三 月 前 的 , . - ' /"
    " from 99999 0 every 9999 pm 上 decade decades night weekend or"
)
TIME_WORDS = st.sampled_from(_TIME_WORDS.split())


def written_forms(day: date) -> list[str]:
    """A day as people write it."""
    english, german, spanish, french = (MONTHS[language][day.month - 1] for language in ("en", "de", "es", "fr"))
    return [
        day.isoformat(),
        f"{day.day} {english} {day.year}",
        f"{english} {day.day}, {day.year}",
        f"on {english[:3]} {day.day}, {day.year}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day.day}.{day.month}.{day.year}",
        f"am {day.day}. {german} {day.year}",
        f"el {day.day} de {spanish} de {day.year}",
        f"le {day.day} {french} {day.year}",
        f"{day.year}年{day.month}月{day.day}日",
    ]


@pytest.mark.parametrize("day", [FIRST + timedelta(days=step) for step in range(0, (LAST - FIRST).days + 1, 61)])
def test_days_are_read_back_in_every_common_form(day: date) -> None:
    for text in written_forms(day):
        assert [(days.first_day, days.last_day) for days in find_days(text, ASKED_ON)] == [(day, day)], text


@settings(max_examples=200, deadline=None)
@given(st.dates(FIRST, LAST), st.integers(0, 9))
def test_any_day_is_read_back(day: date, form: int) -> None:
    assert [(days.first_day, days.last_day) for days in find_days(written_forms(day)[form], ASKED_ON)] == [(day, day)]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(TIME_WORDS, max_size=25).map(" ".join)), st.dates())
def test_any_text_on_any_day_gives_ordered_ranges_in_its_own_words(text: str, asked_on: date) -> None:
    found = find_days(text, asked_on, born=date(1990, 2, 28))

    for days in found:
        assert days.words in text
        assert days.words
        if days.first_day and days.last_day:
            assert days.first_day <= days.last_day
        else:
            assert days.first_day or days.last_day or days.hours or days.weekdays


@pytest.mark.parametrize(
    "piece",
    ["1 ", "may ", "-", "the last two weeks of ", "3 May 2024, ", "去年夏天的照片", "12/", "1.2.3.", "\x00\u202e", "x"],
)
def test_fifty_thousand_characters_take_bounded_time(piece: str) -> None:
    text = (piece * 50_000)[:50_000]
    started = time.process_time()

    find_days(text, ASKED_ON)

    assert time.process_time() - started < 0.5
