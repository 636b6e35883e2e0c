"""Without a language model: are trips found, none invented, and are names ones a person would use?"""

from datetime import datetime, timedelta

import pytest

from core.augment.moments import moments_of
from core.augment.occasions import occasion
from core.augment.rule_events import outing_name
from core.augment.usual import Homes
from core.records import CapturedMemory, EventStatus, Origin, Place, Taken
from core.store.library import Library
from tests.core.augment.life import HOME, PORTO, named, remember, run, shown


def names(library: Library) -> list[str]:
    return [event.name for event in shown(library)]


def test_a_month_gives_the_dinner_the_trip_and_the_forum_and_nothing_of_the_days_at_home(
    library: Library, month: dict[str, list[str]]
) -> None:
    run(library)
    assert names(library) == ["Dinner at Bistro Nord with Jonas Weber", "Trip to Porto", "HCI Forum 2024"]
    assert named(library, "Dinner at Bistro Nord with Jonas Weber").member_ids == tuple(month["dinner"])


def test_a_trip_holds_what_happened_on_it(library: Library, month: dict[str, list[str]]) -> None:
    run(library)
    trip, forum = named(library, "Trip to Porto"), named(library, "HCI Forum 2024")
    assert forum.parent_id == trip.id
    assert set(forum.member_ids) < set(trip.member_ids) == set(month["trip"])
    assert trip.start == datetime(2024, 5, 13, 10, 30)
    assert trip.end == datetime(2024, 5, 16, 20, 30)
    assert trip.importance == 3


def test_every_event_says_why_from_what_and_by_whom(library: Library, month: dict[str, list[str]]) -> None:
    run(library)
    for event in shown(library):
        assert event.why
        assert event.summary
        assert event.provenance
        assert event.provenance.made_by.startswith("rule:")
        assert event.status is EventStatus.LIVED
    assert "“HCI Forum 2024”" in named(library, "HCI Forum 2024").why


def test_a_day_in_another_city_without_a_night_is_no_trip(library: Library) -> None:
    for day in range(1, 20):
        remember(library, datetime(2024, 5, day, 21), "The sofa", place=HOME)
    remember(library, "2024-05-07T12:00", "A square", place=PORTO)
    run(library)
    assert not [name for name in names(library) if name.startswith("Trip")]


def test_two_days_without_a_memory_do_not_end_a_trip_but_five_do(library: Library) -> None:
    for day in range(1, 32):
        if not 10 <= day <= 25:
            remember(library, datetime(2024, 5, day, 21), "The sofa", place=HOME)
    for day in (10, 13, 14, 20, 21):
        remember(library, datetime(2024, 5, day, 12), "A square", place=PORTO)
    run(library)
    trips = [event for event in shown(library) if event.name == "Trip to Porto"]
    assert [len(trip.member_ids) for trip in trips] == [3, 2]


def test_spellings_of_the_home_city_are_no_journey(library: Library) -> None:
    for day in range(1, 28):
        city = "Graz City" if day % 3 else "Graz"
        remember(library, datetime(2024, 5, day, 21), "The sofa", place=Place(name="Home", city=city))
    run(library)
    assert shown(library) == []


def test_a_workout_alone_is_no_event(library: Library) -> None:
    start = datetime(2024, 5, 3, 18)
    for step in range(4):
        when = start + timedelta(minutes=5 * step)
        remember(library, when, "Dumbbells", place=Place(name="City Gym"), activities=("workout",), things=("gym",))
    run(library)
    assert shown(library) == []


def test_feasts_have_their_year_and_their_season(library: Library) -> None:
    for when in ("2023-12-24T18:00", "2024-07-24T18:00"):
        for minutes in (0, 5, 9):
            moment = datetime.fromisoformat(when) + timedelta(minutes=minutes)
            remember(library, moment, "The tree", things=("christmas tree", "candles"))
    run(library)
    assert [name for name in names(library) if name.startswith("Christmas")] == ["Christmas 2023"]


def test_the_same_occasion_of_two_years_is_two_events(library: Library) -> None:
    for year in (2023, 2024):
        for hour in (10, 15):
            remember(library, datetime(year, 6, 5, hour), "A hall", text="Graz Book Festival", place=Place(name="Hall"))
    run(library)
    assert names(library).count("Graz Book Festival") == 2


def test_a_second_run_of_unchanged_memories_changes_nothing(library: Library, month: dict[str, list[str]]) -> None:
    run(library)
    before = shown(library)
    run(library)
    assert shown(library) == before


def test_new_memories_join_their_event_which_keeps_its_id(library: Library, month: dict[str, list[str]]) -> None:
    run(library)
    before = named(library, "Trip to Porto")
    late = remember(library, "2024-05-15T21:00", "Azulejos on a wall", place=PORTO)
    run(library)
    after = named(library, "Trip to Porto")
    assert after.id == before.id
    assert late in after.member_ids


def test_an_outing_is_in_a_town_but_at_a_place(library: Library) -> None:
    town = Place(city="Thurso", country="United Kingdom")
    inn = Place("the Bridge Inn", city="Thurso", country="United Kingdom")
    for minute in range(0, 40, 5):
        remember(library, datetime(2024, 9, 7, 14, minute), "Photo taken in Thurso: a puffin", place=town)
        remember(library, datetime(2024, 9, 14, 12, minute), "A bowl of soup", place=town, things=("menu",))
        remember(library, datetime(2024, 9, 21, 12, minute), "A pie", place=inn, things=("menu",))
    run(library)
    assert names(library) == ["Afternoon (puffin) in Thurso", "Lunch in Thurso", "Lunch at Bridge Inn"]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("Inside the old chapel", "Lunch at the old chapel"),
        ("A certain café", "Coffee at a café"),
        ("A certain apartment", "Lunch at an apartment"),
        ("A certain Thai place", "Lunch at Thai place"),
        ("In front of Building 3", "Lunch at Building 3"),
        ("Atrium Nine", "Lunch at Atrium Nine"),
        ("In the kitchen of the old mill", "Lunch in the kitchen of the old mill"),
        ("Parents' dining room", "Lunch in Parents' dining room"),
        ("Roomful Street", "Lunch at Roomful Street"),
        ("Luigi's Kitchen", "Lunch at Luigi's Kitchen"),
    ],
)
def test_the_description_of_a_place_is_put_into_a_name_without_what_it_begins_with(
    library: Library, place: str, said: str
) -> None:
    for minute in range(0, 40, 5):
        remember(
            library, datetime(2024, 9, 21, 12, minute), "A pie", place=Place(place, city="Thurso"), things=("menu",)
        )
    run(library)
    assert names(library) == [said]


def test_a_city_without_a_name_names_no_trip(library: Library) -> None:
    for day in range(1, 20):
        remember(library, datetime(2024, 5, day, 21), "The sofa", place=HOME)
    for day in (20, 21, 22):
        remember(
            library, datetime(2024, 5, day, 12), "A square", place=Place("", city="A certain town", country="Norway")
        )
    for day in range(23, 31):
        remember(library, datetime(2024, 5, day, 21), "The sofa", place=HOME)
    run(library)
    assert "Trip to Norway" in names(library)


@pytest.mark.parametrize(
    ("city", "country", "said"),
    [
        ("Mexico City", "Mexico", "Trip to Mexico City"),
        ("Kansas City", "", "Trip to Kansas City"),
        ("Xiamen City", "China", "Trip to Xiamen"),
        ("New York City", "United States", "Trip to New York"),
    ],
)
def test_a_city_keeps_its_name(library: Library, city: str, country: str, said: str) -> None:
    for day in (*range(1, 20), *range(23, 31)):
        remember(library, datetime(2024, 5, day, 21), "The sofa", place=HOME)
    for day in (20, 21, 22):
        remember(library, datetime(2024, 5, day, 12), "A square", place=Place(city=city, country=country))
    run(library)
    assert said in names(library)


def test_people_who_are_only_described_come_last(library: Library) -> None:
    for minute in (0, 5):
        when = datetime(2024, 9, 21, 12, minute)
        remember(library, when, "A barbecue", place=PORTO, people=("Several colleagues", "Tom Lee"))
    run(library)
    assert [name for name in names(library) if "with" in name] == [
        "Barbecue at Ribeira with Tom Lee and several colleagues"
    ]


def test_a_film_on_the_sofa_is_no_cinema_and_an_exhibition_there_none(library: Library) -> None:
    for day, caption in ((3, "Watching a movie"), (13, "A book about an exhibition")):
        for minute in (0, 5, 9):
            remember(library, datetime(2024, 9, day, 20, minute), caption, place=Place("Home"), people=("Ana", "Tom"))
    run(library)
    assert not [name for name in names(library) if "Cinema" in name or "Exhibition" in name]
    assert "Film at home with Ana and Tom" in names(library)


def test_an_outing_at_a_place_without_a_usable_name_is_in_its_city(library: Library) -> None:
    place = Place("International " * 5 + "Procurement Center", city="Guangzhou")
    for minute in (0, 5, 9):
        remember(library, datetime(2024, 9, 21, 12, minute), "At the exhibition", place=place, things=("booth",))
    run(library)
    assert names(library) == ["Exhibition in Guangzhou"]


def test_a_coffee_table_is_no_coffee(library: Library) -> None:
    for minute in (0, 5, 9):
        when = datetime(2024, 9, 21, 20, minute)
        remember(library, when, "A pot on the coffee table", place=PORTO, people=("Ana", "Tom"))
    run(library)
    assert not [name for name in names(library) if "Coffee" in name]


def test_a_city_that_is_only_described_is_nowhere_else(library: Library) -> None:
    for day in range(1, 30):
        remember(library, datetime(2024, 5, day, 21), "The sofa", place=HOME)
    unknown = Place("A cable duct", district="A certain district", city="A certain city", region="A certain province")
    for hour in (9, 15):
        remember(library, datetime(2024, 5, 12, hour), "A cable", place=unknown)
    run(library)
    assert not [name for name in names(library) if "rip" in name]


def test_a_city_in_two_languages_is_one(library: Library) -> None:
    for day in (*range(1, 20), *range(23, 31)):
        remember(library, datetime(2024, 5, day, 21), "The sofa", place=HOME)
    for day, city in ((20, "Wien"), (21, "Vienna"), (22, "Wien")):
        remember(library, datetime(2024, 5, day, 12), "A square", place=Place(city=city, country="Austria"))
    run(library)
    assert [name for name in names(library) if name.startswith("Trip")] in (["Trip to Wien"], ["Trip to Vienna"])


def test_a_coruna_is_a_city(library: Library) -> None:
    for day in (*range(1, 20), *range(23, 31)):
        remember(library, datetime(2024, 5, day, 21), "The sofa", place=HOME)
    for day in (20, 21, 22):
        remember(library, datetime(2024, 5, day, 12), "A square", place=Place(city="A Coruña", country="Spain"))
    run(library)
    assert "Trip to A Coruña" in names(library)


def test_one_occasion_in_two_parts_of_one_building_is_one_event(library: Library) -> None:
    for hour, name in ((9, "Harbour Fair Centre"), (13, "Harbour Fair Centre Hall B")):
        place = Place(name, city="Thurso")
        for minute in (0, 5, 9):
            remember(library, datetime(2024, 9, 21, hour, minute), "At the exhibition", place=place, people=("Ana",))
    run(library)
    assert [(event.name, len(event.member_ids)) for event in shown(library)] == [
        ("Exhibition at Harbour Fair Centre with Ana", 6)
    ]


def test_one_picture_of_the_sofa_each_evening_for_weeks_is_no_event(library: Library) -> None:
    for day in range(1, 26):
        remember(library, datetime(2024, 5, day, 20), "The sofa", place=PORTO)
    run(library)
    assert names(library) == []


def test_naming_a_day_of_thousands_of_pictures_takes_no_longer_for_each(library: Library) -> None:
    """By the number of looks at a picture's place, which must not grow with the square."""
    looks = 0

    class Counting(str):
        __slots__ = ()

        def __hash__(self) -> int:
            nonlocal looks
            looks += 1
            return str.__hash__(self)

    place = Place(Counting("Harbour"), city="Thurso")
    moment = [
        CapturedMemory(id=str(at), public_id=str(at), caption=f"Boat number {at}", place=place,
                       taken=Taken(datetime(2024, 5, 1, 9, 0, at % 60), None, Origin.EXIF_ORIGINAL, 1.0))
        for at in range(300)
    ]  # fmt: skip
    seen = occasion(moments_of(moment, [False] * 299)[0], {each.id: each for each in moment}, Homes({}), "")
    looks = 0
    outing_name(seen, {})
    assert looks < 20 * len(moment)
