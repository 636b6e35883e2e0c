"""Do statements follow from many memories, with their evidence, and from nothing less?"""

from datetime import datetime, timedelta

import pytest

from core.records import Knowledge, Place
from core.store.library import Library
from tests.core.augment.life import HOME, OWNER, remember, run


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
