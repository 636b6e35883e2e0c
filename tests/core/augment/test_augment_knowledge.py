"""Do statements follow from many memories, with their evidence, and from nothing less?"""

from datetime import date, datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.augment import knowledge_stage
from core.augment.corrections import Corrector
from core.paths import Home
from core.records import Field, Knowledge, Origin, Place, Stage
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.core.augment.life import HOME, OWNER, remember, run
from tests.fakes import FakeEmbedder, FakeModels


def about(library: Library, kind: str) -> list[Knowledge]:
    return [item for item in library.knowledge.all() if item.kind == kind]


def test_a_habit_says_how_often_and_on_which_day(library: Library) -> None:
    tuesdays = [datetime(2024, 1, 2, 18) + timedelta(days=14 * n) for n in range(8)]
    ids = [remember(library, when, "A wall with holds", activities=("climbing",)) for when in tuesdays]
    run(library)
    habit = about(library, "habit")[0]
    assert habit.statement == "Regular activity: climbing, about twice a month, mostly on Tuesdays."
    assert set(habit.evidence_ids) == set(ids)
    assert habit.why == "Seen on 8 days in 8 weeks."
    assert habit.provenance
    assert habit.provenance.made_by == "rule:habit"


def test_companions_are_ranked_and_never_the_owner(library: Library) -> None:
    library.stages.set_note("owner", OWNER)
    for day in range(1, 10):
        people = (OWNER, "Ana", "Tom") if day % 2 else (OWNER, "Ana")
        remember(library, datetime(2024, 5, day, 12), "Outside", people=people)
    run(library)
    assert [item.subject for item in about(library, "companion")] == ["Ana", "Tom"]
    assert about(library, "companion")[0].statement.startswith("Most often together with Ana: on 9 days")


def test_the_home_is_where_the_nights_are(library: Library, month: dict[str, list[str]]) -> None:
    run(library)
    home = about(library, "home")[0]
    assert home.statement == "Lived in Graz (2024)."
    assert set(home.evidence_ids) <= set(month["home"]) | set(month["dinner"])


def test_a_place_needs_three_days_to_be_a_favourite(library: Library) -> None:
    for day, name in (
        (1, "Lake"),
        (2, "Lake"),
        (3, "Lake"),
        (4, "Mill"),
        (5, "Mill"),
        (6, "Home"),
        (7, "Home"),
        (8, "Home"),
    ):
        remember(library, datetime(2024, 5, day, 12), "Outside", place=Place(name=name))
    run(library)
    assert [item.subject for item in about(library, "favourite")] == ["Lake"]


def test_words_that_come_back_on_receipts_are_a_habit_and_a_diet_only_a_cautious_guess(library: Library) -> None:
    for day in (3, 9, 20):
        text = "CORNER SHOP\nLactose-free milk 1.99\nTOTAL 1.99"
        remember(library, datetime(2024, 5, day, 17), "A slip", text=text, document={"kind": "receipt"})
    run(library)
    assert "Buys lactose-free milk again and again." in [item.statement for item in about(library, "habit")]
    trait = about(library, "trait")[0]
    assert trait.statement == "Someone in the household may avoid lactose."
    assert trait.confidence < 0.5
    assert trait.why.startswith("Inferred, not said")


@pytest.mark.parametrize(("times", "found"), [(1, 0), (2, 1)])
def test_a_fact_that_texts_state_needs_two_of_them(library: Library, times: int, found: int) -> None:
    for day in range(1, times + 1):
        said = "Lena: Robin's birthday is on 4 May" if day == 1 else "remember: Birthday of Robin: May 4th"
        remember(library, datetime(2024, 3, day, 12), "A chat", text=said)
    run(library)
    assert len(about(library, "fact")) == found
    assert all(item.statement == "Robin's birthday is on 4 May." for item in about(library, "fact"))


def test_a_statement_keeps_its_id_when_more_evidence_comes(library: Library) -> None:
    for day in (1, 8, 15, 22):
        remember(library, datetime(2024, 5, day, 12), "Outside", people=("Ana",))
    run(library)
    before = about(library, "companion")[0]
    remember(library, "2024-06-01T12:00", "Outside", people=("Ana",))
    run(library)
    after = about(library, "companion")[0]
    assert after.id == before.id
    assert after.statement != before.statement


def test_nothing_is_inferred_from_few_or_undated_memories(library: Library) -> None:
    for _ in range(20):
        remember(library, None, "Outside", place=HOME, people=("Ana",), activities=("climbing",))
    remember(library, "2024-05-01T12:00", "Outside", place=HOME, people=("Ana",), activities=("climbing",))
    run(library)
    assert library.knowledge.all() == []


def said(library: Library, when: str, text: str, *, speech: bool = False) -> str:
    memory_id = remember(library, when, "A chat", text="" if speech else text)
    if speech:
        with library.memories.edit(memory_id) as edit:
            edit.set_text(Field.SPEECH, text, Origin.MODEL)
    return memory_id


def test_a_home_is_lived_in_until_the_next_one(library: Library) -> None:
    for year, city in ((2019, "Seattle"), (2020, "Seattle"), (2021, "Seattle"), (2022, "Boston"), (2023, "Boston")):
        for month in range(1, 13):
            for day in (3, 12, 21):
                remember(library, datetime(year, month, day, 22), "A lamp", place=Place(city=city, country="USA"))
    run(library)
    homes = sorted(about(library, "home"), key=lambda item: str(item.valid_from))
    assert [item.statement for item in homes] == ["Lived in Seattle (2019–2021).", "Lived in Boston (2022–2023)."]
    assert str(homes[0].valid_to) < str(homes[1].valid_from)
    assert homes[1].valid_to is None
    assert "Before that: Seattle." in homes[1].why


def test_a_move_within_a_year_is_said_by_months(library: Library) -> None:
    for month in range(1, 13):
        for day in (3, 12, 21):
            place = Place(city="Seattle" if month < 7 else "Boston", country="USA")
            remember(library, datetime(2020, month, day, 22), "A lamp", place=place)
    run(library)
    seattle, boston = sorted((item.statement for item in about(library, "home")), reverse=True)
    assert seattle.startswith("Lived in Seattle (January 2020 – ")
    assert boston.endswith(" – December 2020).")


def test_it_is_said_with_whom_and_where_something_is_mostly_done(library: Library) -> None:
    for week in range(8):
        when = datetime(2024, 1, 2, 18) + timedelta(days=7 * week)
        remember(library, when, "A wall", activities=("climbing",), people=("Tom",), place=Place(name="Boulder Hall"))
    run(library)
    assert about(library, "habit")[0].statement == (
        "Regular activity: climbing, about once a week, mostly on Tuesdays, mostly at Boulder Hall, mostly with Tom."
    )
    assert about(library, "favourite")[0].statement.endswith(", mostly with Tom.")
    assert about(library, "companion")[0].statement.endswith(", mostly at Boulder Hall.")


def test_the_first_time_in_a_country_that_is_no_home(library: Library) -> None:
    for month in range(1, 7):
        for day in (3, 12, 21):
            remember(library, datetime(2024, month, day, 22), "A lamp", place=Place(city="Graz", country="Austria"))
    for day in (1, 2, 3):
        remember(library, datetime(2024, 7, day, 12), "A river", place=Place(city="Porto", country="Portugal"))
    run(library)
    assert "First time in Portugal in these memories: 1 July 2024." in [
        item.statement for item in about(library, "first")
    ]


def test_what_is_said_aloud_counts_as_much_as_what_is_written(library: Library) -> None:
    ids = [
        said(library, "2024-03-01T12:00", "Robin is allergic to peanuts, remember", speech=True),
        said(library, "2024-03-02T12:00", "No cake, Robin is allergic to peanuts"),
    ]
    run(library)
    [fact] = about(library, "fact")
    assert fact.statement == "Robin is allergic to peanuts."
    assert set(fact.evidence_ids) == set(ids)


def test_a_later_statement_ends_an_earlier_one(library: Library) -> None:
    for when in ("2019-03-01T12:00", "2021-05-01T12:00"):
        said(library, when, "Robin lives in Seattle")
    for when in ("2022-06-01T12:00", "2023-05-01T12:00"):
        said(library, when, "Robin moved to Boston")
    run(library)
    seattle, boston = sorted(about(library, "fact"), key=lambda item: item.statement, reverse=True)
    assert (seattle.statement, str(seattle.valid_to)) == ("Robin lives in Seattle.", "2022-06-01")
    assert (boston.statement, boston.valid_to) == ("Robin lives in Boston.", None)
    assert "From 2022-06-01 on they say: Robin lives in Boston." in seattle.why


def test_statements_that_contradict_each_other_are_shown_side_by_side(library: Library) -> None:
    for day, text in ((1, "4 May"), (2, "4 May"), (3, "5 May"), (4, "5 May")):
        said(library, f"2024-03-0{day}T12:00", f"Robin's birthday is on {text}")
    run(library)
    one, other = about(library, "fact")
    assert one.confidence == other.confidence == 0.4
    assert f"Contradicted by: {other.statement}" in one.why
    assert f"Contradicted by: {one.statement}" in other.why


@pytest.mark.parametrize(
    "text",
    ["She lives in Paris", "I moved to Boston", "It works at Night", "robin lives in paris", "Who lives in Rome"],
)
def test_nobody_is_nobody(library: Library, text: str) -> None:
    for day in (1, 2, 3):
        said(library, f"2024-03-0{day}T12:00", text)
    run(library)
    assert about(library, "fact") == []


def test_a_rejected_statement_does_not_come_back_under_another_name_of_the_same_pictures(library: Library) -> None:
    ids = [
        remember(library, datetime(2024, 1, 2, 18) + timedelta(days=9 * n), "A wall", activities=("climbing",))
        for n in range(8)
    ]
    run(library)
    Corrector(library).reject_fact(about(library, "habit")[0].id)
    for memory_id in ids:
        Corrector(library).edit_memory(memory_id, "activities", "bouldering")
    run(library)
    assert about(library, "habit") == []

    for n in range(8, 40):
        remember(library, datetime(2024, 1, 2, 18) + timedelta(days=9 * n), "A pool", activities=("swimming",))
    run(library)
    assert [item.subject for item in about(library, "habit")] == ["swimming"]


def test_a_rejected_companion_says_nothing_of_who_was_there_too(library: Library) -> None:
    for day in range(1, 10):
        remember(library, datetime(2024, 5, day, 12), "Outside", people=("Ana", "Tom"))
    run(library)
    Corrector(library).reject_fact(next(item.id for item in about(library, "companion") if item.subject == "Ana"))
    run(library)
    assert [item.subject for item in about(library, "companion")] == ["Tom"]


memories_drawn = st.lists(
    st.tuples(
        st.dates(date(2023, 1, 1), date(2024, 12, 31)),
        st.sampled_from(["Ana", "Tom", "Robin", ""]),
        st.sampled_from(["climbing", "yoga", ""]),
        st.sampled_from(["Lake", "Mill", "Home", ""]),
        st.sampled_from(["", "Robin's birthday is on 4 May", "Robin's birthday is on 5 May", "Robin lives in Rome"]),
    ),
    max_size=40,
)


@settings(max_examples=25, deadline=None)
@given(drawn=memories_drawn)
def test_every_statement_rests_on_two_memories_at_least_and_says_why(
    drawn: list[tuple[date, str, str, str, str]],
) -> None:
    with TemporaryDirectory() as folder:
        library = open_library(Home(Path(folder)), ExactIndexes())
        try:
            for day, person, activity, place, text in drawn:
                remember(
                    library, datetime.combine(day, time(12)), "A picture", people=(person,) if person else (), text=text,
                    activities=(activity,) if activity else (), place=Place(name=place) if place else None,
                )  # fmt: skip
            run(library, until=Stage.KNOWLEDGE)
            known = set(library.memories.ids_matching())
            for item in library.knowledge.all():
                assert len(item.evidence_ids) >= 2
                assert set(item.evidence_ids) <= known
                assert item.why
                assert 0 < item.confidence <= 0.95
                assert item.valid_from is None or item.valid_to is None or item.valid_from <= item.valid_to
        finally:
            library.close()


def test_a_rejected_statement_does_not_come_back_in_other_words_but_another_day_may(library: Library) -> None:
    Corrector(library).add_fact("Robin works at Acme.")
    Corrector(library).reject_fact(library.knowledge.all()[0].id)
    for day in (1, 2):
        said(library, f"2024-03-0{day}T12:00", "Robin works for Acme")
        said(library, f"2024-04-0{day}T12:00", "Robin works for Zenith")
    run(library, FakeModels(text_embedder=FakeEmbedder()))
    assert [item.statement for item in about(library, "fact")] == ["Robin works at Zenith."]


@pytest.fixture
def few_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a library so large that a few more memories change no statistics."""
    monkeypatch.setattr(knowledge_stage, "_OF_SO_MANY", 0)


@pytest.mark.usefixtures("few_changed")
def test_a_stated_fact_costs_no_look_at_the_whole_library(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    for when in ("2019-03-01T12:00", "2021-05-01T12:00"):
        said(library, when, "Robin lives in Seattle")
        said(library, when, "Lena is allergic to peanuts")
    said(library, "2022-06-01T12:00", "Robin moved to Boston")
    run(library, until=Stage.KNOWLEDGE)
    before = {item.statement: item.id for item in about(library, "fact")}
    assert sorted(before) == ["Lena is allergic to peanuts.", "Robin lives in Seattle."]

    said(library, "2023-05-01T12:00", "Robin moved to Boston")
    monkeypatch.setattr(knowledge_stage, "infer", lambda *_: pytest.fail("everything was read"))
    run(library, until=Stage.KNOWLEDGE)

    after = {item.statement: item for item in about(library, "fact")}
    assert sorted(after) == ["Lena is allergic to peanuts.", "Robin lives in Boston.", "Robin lives in Seattle."]
    assert str(after["Robin lives in Seattle."].valid_to) == "2022-06-01"
    assert {name: after[name].id for name in before} == before


@pytest.mark.usefixtures("few_changed")
def test_a_fact_whose_text_was_put_right_is_stated_no_more(library: Library) -> None:
    said(library, "2024-03-01T12:00", "Robin is allergic to peanuts")
    wrong = said(library, "2024-03-02T12:00", "Robin is allergic to peanuts")
    run(library, until=Stage.KNOWLEDGE)
    assert about(library, "fact")

    with library.memories.edit(wrong) as edit:
        edit.set_text(Field.VISIBLE_TEXT, "Robin is all right", Origin.PERSON)
    run(library, until=Stage.KNOWLEDGE)

    assert about(library, "fact") == []
