"""With a language model: what of its replies is believed, kept, tried again and noted?"""

import json
from datetime import datetime, timedelta

import pytest

from core.augment import prompts
from core.augment.windows import windows_of_day
from core.errors import ModelCrashedError, ModelError
from core.records import EventStatus, Place, Stage
from core.store.library import Library
from tests.core.augment.life import named, remember, run, shown
from tests.fakes import FakeChat, FakeEmbedder, FakeModels

PARK = Place(name="City Park", city="Graz")
NOTHING = '{"events":[],"mentioned":[]}'


def reply(*events: tuple[str, list[str], int], mentioned: tuple[tuple[str, str, str], ...] = ()) -> str:
    return json.dumps(
        {
            "events": [{"name": name, "moments": moments, "importance": n} for name, moments, n in events],
            "mentioned": [{"name": name, "moment": moment, "status": status} for name, moment, status in mentioned],
        }
    )


@pytest.fixture
def weekend(library: Library) -> list[str]:
    """A regatta in the morning and its prize-giving in the afternoon: two moments of one event, and a market on Sunday."""
    ids = []
    for hour, caption in ((9, "Rowing boats on the lake"), (15, "A medal on a podium")):
        for minute in (0, 6, 9):
            when = datetime(2024, 6, 1, hour, minute)
            ids.append(remember(library, when, caption, place=PARK, people=("Ana",), things=("regatta",)))
    for minute in (0, 4, 8):
        when = datetime(2024, 6, 2, 11, minute)
        ids.append(
            remember(library, when, "Flower stalls", place=Place(name="Market Square", city="Graz"), people=("Tom",))
        )
    return ids


def test_the_model_joins_moments_into_a_named_event(library: Library, weekend: list[str]) -> None:
    chat = FakeChat([reply(("Regatta day with Ana", ["m1", "m2"], 2))])
    run(library, FakeModels(chat=chat))
    event = named(library, "Regatta day with Ana")
    assert event.member_ids == tuple(weekend[:6])
    assert event.importance == 2
    assert event.start == datetime(2024, 6, 1, 9)
    assert event.place == "City Park, Graz"
    assert event.provenance
    assert (event.provenance.made_by, event.provenance.prompt_version) == ("fake-chat", prompts.VERSION)


def test_rules_name_what_the_model_left_out(library: Library, weekend: list[str]) -> None:
    run(library, FakeModels(chat=FakeChat([NOTHING])))
    assert len(shown(library)) == 2
    assert all(event.provenance and event.provenance.made_by.startswith("rule:") for event in shown(library))


@pytest.mark.parametrize(
    "name",
    [
        "Birthday of Ana",  # nothing shows a birthday
        "Regatta in Vienna",  # a place that no member has
        "Regatta 1999",  # a number that no member has
        "Event",
        "City Park",  # only the place
        "Regatta and rowing boats on the",  # cut off
        "Dinner with Ana",  # nobody ate
        "Regatta Regatta Regatta Regatta",
    ],
)
def test_names_that_the_memories_do_not_bear_out_are_refused_but_their_members_stay_joined(
    library: Library, weekend: list[str], name: str
) -> None:
    run(library, FakeModels(chat=FakeChat([reply((name, ["m1", "m2"], 3))])))
    assert name not in [event.name for event in shown(library)]
    assert tuple(weekend[:6]) in [event.member_ids for event in shown(library)]


def test_unknown_handles_are_rejected(library: Library, weekend: list[str]) -> None:
    run(library, FakeModels(chat=FakeChat([reply(("Regatta with Ana", ["m7", "m9", "x1"], 2))])))
    assert "Regatta with Ana" not in [event.name for event in shown(library)]


def test_moments_that_have_nothing_in_common_are_not_joined(library: Library, weekend: list[str]) -> None:
    run(library, FakeModels(chat=FakeChat([reply(("Regatta with Ana", ["m1", "m2", "m3"], 2))])))
    assert set(named(library, "Regatta with Ana").member_ids) == set(weekend[:6])


def test_an_event_that_is_only_announced_is_planned_and_its_flyer_stays_where_it_was(
    library: Library, weekend: list[str]
) -> None:
    flyer = remember(
        library, "2024-06-02T18:00", "A flyer", place=PARK, people=("Tom",), text="Harbour Jazz Night on 20 June"
    )
    said = (("Harbour Jazz Night", "m4", "planned"), ("Harbour", "m4", "planned"))
    run(library, FakeModels(chat=FakeChat([reply(mentioned=said)])))
    event = named(library, "Harbour Jazz Night")
    assert event.status is EventStatus.PLANNED
    assert event.member_ids == (flyer,)
    assert "Harbour" not in [each.name for each in shown(library)]


def test_replies_are_kept_so_that_a_run_that_was_stopped_costs_nothing_twice(
    library: Library, weekend: list[str]
) -> None:
    chat = FakeChat([reply(("Regatta with Ana", ["m1", "m2"], 2))])
    run(library, FakeModels(chat=chat), Stage.EVENTS)
    library.stages.set_note("events_input", "")  # as if it had been killed before the end
    before = shown(library)
    run(library, FakeModels(chat=chat), Stage.EVENTS)
    assert len(chat.prompts) == 1
    assert [(event.id, event.name, event.member_ids) for event in shown(library)] == [
        (event.id, event.name, event.member_ids) for event in before
    ]


def test_a_window_that_fails_is_tried_again_in_halves(library: Library, weekend: list[str]) -> None:
    chat = FakeChat(["no JSON at all", reply(("Regatta with Ana", ["m1", "m2"], 2)), NOTHING])
    run(library, FakeModels(chat=chat))
    assert named(library, "Regatta with Ana")
    assert len(chat.prompts) == 3
    assert library.files.problems() == []


def test_a_window_that_fails_twice_is_named_by_rule_shown_as_a_problem_and_asked_again_next_time(
    library: Library, weekend: list[str]
) -> None:
    failures: list[str | ModelError] = [ModelCrashedError("The language model stopped twice on the same job.")] * 3
    run(library, FakeModels(chat=FakeChat(list(failures))))
    assert len(shown(library)) == 2
    problems = library.files.problems()
    assert {problem.stage for problem in problems} == {Stage.EVENTS}
    assert all("was named by rule" in problem.reason and "stopped twice" in problem.reason for problem in problems)
    run(library, FakeModels(chat=FakeChat([reply(("Regatta with Ana", ["m1", "m2"], 2))])))
    assert named(library, "Regatta with Ana")
    assert library.files.problems() == []


def test_a_dense_week_is_asked_about_in_parts_that_fit(library: Library) -> None:
    start = datetime(2024, 6, 3, 6)
    for step in range(60):
        when, place = start + timedelta(hours=2 * step), Place(name=f"Stop {step}", city="Graz")
        remember(library, when, "A walk", place=place, people=("Ana", f"Guest {step}"))
    chat = FakeChat([NOTHING] * 40)
    run(library, FakeModels(chat=chat))
    assert len(chat.prompts) > 4
    assert max(prompt.user.count("\n") for prompt in chat.prompts) < prompts.MOST_MOMENTS
    assert {prompt.system for prompt in chat.prompts} == {prompts.SYSTEM + prompts._EXAMPLE}


def test_a_model_sees_handles_and_never_an_id(library: Library, weekend: list[str]) -> None:
    chat = FakeChat([NOTHING])
    run(library, FakeModels(chat=chat))
    asked = chat.prompts[0].system + chat.prompts[0].user
    assert not any(memory_id in asked for memory_id in weekend)
    assert [line.split(" ")[0] for line in chat.prompts[0].user.splitlines()] == ["m1", "m2", "m3"]


def test_windows_are_anchored_to_the_calendar_seven_days_every_four() -> None:
    for offset in range(12):
        day = datetime(2024, 6, 1).date() + timedelta(days=offset)
        first_days = windows_of_day(day)
        assert 1 <= len(first_days) <= 2
        assert all(0 <= (day - first).days < 7 and first.toordinal() % 4 == 0 for first in first_days)


def test_events_and_facts_get_vectors_and_those_of_vanished_events_go(library: Library, weekend: list[str]) -> None:
    embedder = FakeEmbedder()
    run(library, FakeModels(text_embedder=embedder))
    space = "fake-embedder@1"
    assert library.embeddings.owner_ids("event", space) == {event.id for event in shown(library)}
    run(library, FakeModels(chat=FakeChat([reply(("Regatta with Ana", ["m1", "m2"], 2))]), text_embedder=embedder))
    assert library.embeddings.owner_ids("event", space) == {event.id for event in shown(library)}
    assert library.indexes.index("event", space, 256).ids() == {event.id for event in shown(library)}


def test_a_name_that_only_echoes_place_and_activities_is_left_to_the_rules(library: Library) -> None:
    for hour in (9, 15):
        for minute in (0, 5):
            when = datetime(2024, 6, 1, hour, minute)
            remember(library, when, "Rowing boats on the lake", place=PARK, activities=("rowing",), things=("regatta",))

    run(library, FakeModels(chat=FakeChat([reply(("Rowing in City Park, Graz", ["m1", "m2"], 2))])))

    assert "Rowing in City Park, Graz" not in {event.name for event in shown(library)}


def test_a_group_that_holds_most_of_an_occasion_that_signs_name_is_that_occasion(library: Library) -> None:
    hall = Place(name="Town Hall", city="Graz")
    for day in (1, 2, 3):
        for hour in (9, 15):
            when = datetime(2024, 6, day, hour)
            remember(
                library,
                when,
                "A crowd at a stand",
                place=hall,
                text="GRAZ BEE CONGRESS 2024",
                activities=("listening",),
            )
    moments = [f"m{number}" for number in range(1, 7)]

    run(library, FakeModels(chat=FakeChat([reply(("A crowd at stands", moments, 3))] * 3)))

    names = [event.name for event in shown(library)]
    assert [name for name in names if "BEE CONGRESS" in name.upper()], names
    assert "A crowd at stands" not in names


def meal(library: Library, day: int, place: Place, caption: str = "Soup and rice", hour: int = 19) -> None:
    for minute in (0, 5):
        when = datetime(2024, 6, day, hour, minute)
        remember(library, when, caption, place=place, people=("Ana", "Tom"), things=("dinner", "rice", "table"))


@pytest.mark.parametrize(
    ("place", "said", "name"),
    [
        (Place("A certain café", city="Graz"), "Soup with Ana at A certain café", "Soup with Ana at a café"),
        (Place("In front of Hall 3", city="Graz"), "Soup at In front of Hall 3", "Soup at Hall 3"),
        (Place("City Park", city="Graz"), "Soup and rice at Graz with Tom", "Soup and rice in Graz with Tom"),
        (Place("Graz Museum", city="Graz"), "Soup with Tom at Graz Museum", "Soup with Tom at Graz Museum"),
        (
            Place("Harbour Trading Center"),
            "Soup with Ana at Harbour Trading Cen",
            "Soup with Ana at Harbour Trading Center",
        ),
    ],
)
def test_places_in_the_models_names_are_said_as_a_person_says_them(
    library: Library, place: Place, said: str, name: str
) -> None:
    meal(library, 1, place)
    meal(library, 2, place)
    run(library, FakeModels(chat=FakeChat([reply((said, ["m1", "m2"], 2))] * 4)))
    assert name in [event.name for event in shown(library)]


def test_a_name_that_only_says_who_and_where_is_left_to_the_rules(library: Library) -> None:
    for day in (1, 2):
        meal(library, day, Place("Pine Inn", city="Graz"), "Soup with my bestie")
    run(library, FakeModels(chat=FakeChat([reply(("Bestie at Pine Inn", ["m1", "m2"], 2))] * 4)))
    assert [event.name for event in shown(library)] == ["Dinner at Pine Inn with Ana and Tom"]


def test_the_meals_at_home_of_a_week_make_no_event(library: Library) -> None:
    for day in (1, 2, 3):
        meal(library, day, Place("Home", city="Graz"))
    run(library, FakeModels(chat=FakeChat([reply(("Soup and rice with Ana", ["m1", "m2", "m3"], 2))] * 4)))
    assert shown(library) == []


def test_an_evening_at_home_and_a_lunch_elsewhere_on_another_day_are_not_one_event(library: Library) -> None:
    meal(library, 1, Place("Home", city="Graz"))
    meal(library, 3, Place("Pine Inn", city="Graz"), hour=12)
    run(library, FakeModels(chat=FakeChat([reply(("Soup and rice with Ana", ["m1", "m2"], 2))] * 4)))
    assert [len(event.member_ids) for event in shown(library)] == [2]
