"""Answers that stand in what memories show: copied by pattern, quoted, or phrased by the model and checked."""

from datetime import date

import pytest

from core.ask.augment_query import augment
from core.ask.gather import find
from core.ask.plan import make_plan
from core.ask.prompts import answer_prompt
from core.ask.talk import Talk
from core.ask.turn import Turn
from core.errors import ModelError
from core.ports import never
from core.records import MemoryKind, Origin, Outcome, Place, Question, ValueType
from tests.core.ask.album import GYM, Album
from tests.core.ask.conftest import Ask
from tests.fakes import FakeChat, FakeEmbedder


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the Wi-Fi password at the hotel?", "sardinha2025"),
        ("What's the wifi password of Hotel Azul?", "sardinha2025"),
        ("Which seat did I have on the flight to Lisbon?", "14C"),
        ("What gate did my flight to Lisbon leave from?", "22"),
        ("What was my flight number to Lisbon?", "TP 781"),
        ("How much did I pay for dinner at Hotel Azul?", "€18.50"),
        ("How much were the sardinhas?", "12,50"),
    ],
)
def test_a_value_is_copied_from_the_text_in_a_picture(ask_nora: Ask, question: str, value: str) -> None:
    answer = ask_nora(question)

    assert answer.value == value, answer.text
    assert len(answer.citations) == 1
    assert answer.model == ""


@pytest.mark.parametrize(
    "question",
    [
        "What was the Wi-Fi password at grandma's?",
        "What was the wifi password at the dentist?",
        "What is the Wi-Fi password of the neighbours?",
    ],
)
def test_a_value_of_something_else_is_no_answer(ask_nora: Ask, question: str) -> None:
    answer = ask_nora(question)

    assert answer.outcome is Outcome.NOT_FOUND
    assert not answer.citations


def test_without_a_model_the_best_memory_is_quoted_and_the_answer_says_so(ask_nora: Ask) -> None:
    answer = ask_nora("What did I do with Elif and Jonas?")

    assert answer.text == "On 2 March 2025 at Harbour Café, Gothenburg, Sweden: Waffles with Elif and Jonas."
    assert "no language model" in answer.found_by


def test_a_model_phrases_from_handles_and_only_those_become_citations(ask_nora: Ask, album: Album) -> None:
    chat = FakeChat(["found: yes\nanswer: You had waffles.\nfrom: m1\n"])

    answer = ask_nora("What did we eat with Elif and Jonas?", chat)

    assert (answer.text, answer.model) == ("You had waffles.", "fake-chat")
    assert [album.library.memories.get(each.memory_id).caption for each in answer.citations] == [
        "Waffles with Elif and Jonas."
    ]
    assert album.ids[0] not in chat.prompts[0].user


def test_a_number_that_no_memory_says_is_refused(ask_nora: Ask) -> None:
    chat = FakeChat(["found: yes\nanswer: You had 17 waffles.\nfrom: m1\n"])

    answer = ask_nora("What did we eat with Elif and Jonas?", chat)

    assert "17" not in answer.text
    assert "17" in answer.found_by


def test_a_person_that_no_memory_of_the_evidence_names_is_refused(ask_nora: Ask) -> None:
    chat = FakeChat(["found: yes\nanswer: Priya Nair made the waffles.\nfrom: m1\n"])

    answer = ask_nora("Who made the waffles in March 2025 and what were they like?".replace("Who", "What person"), chat)

    assert "Priya" not in answer.text


def test_a_handle_that_was_never_given_out_is_refused(ask_nora: Ask) -> None:
    chat = FakeChat(["found: yes\nanswer: You had waffles.\nfrom: m99\n"])

    answer = ask_nora("What did we eat with Elif and Jonas?", chat)

    assert "named no note" in answer.found_by


def test_a_reply_that_does_not_fit_is_asked_for_once_more(ask_nora: Ask) -> None:
    chat = FakeChat(["Sure! Waffles.", "found: yes\nanswer: You had waffles.\nfrom: m1\n"])

    answer = ask_nora("What did we eat with Elif and Jonas?", chat)

    assert answer.text == "You had waffles."
    assert len(chat.prompts) == 2


def test_a_model_that_fails_leaves_an_answer_that_says_so(ask_nora: Ask) -> None:
    answer = ask_nora("What did we eat with Elif and Jonas?", FakeChat([ModelError("It crashed twice.")]))

    assert answer.outcome is Outcome.ANSWERED
    assert "It crashed twice." in answer.found_by


def test_what_the_notes_do_not_say_is_not_found_without_pictures(ask_nora: Ask) -> None:
    answer = ask_nora("What is the colour of my car?", FakeChat(["found: no\n"]))

    assert (answer.outcome, answer.citations) == (Outcome.NOT_FOUND, ())
    assert answer.searched


def test_a_choice_is_a_letter_that_was_offered(ask_nora: Ask) -> None:
    options = (("A", "Pancakes"), ("B", "Waffles"), ("C", "Sushi"))

    chosen = ask_nora("What did I eat with Elif and Jonas?", FakeChat(["letter: B\n"]), options=options)
    invented = ask_nora(
        "What did I eat with Elif and Jonas?", FakeChat(["letter: H\n", "letter: G\n"]), options=options
    )
    nearest = ask_nora("What did I eat with Elif and Jonas?", options=options)

    assert [each.value for each in (chosen, invented, nearest)] == ["B", "B", "B"]
    assert chosen.value_type is ValueType.CHOICE


def test_an_option_far_ahead_in_the_evidence_is_taken_without_asking_the_model(ask_nora: Ask) -> None:
    options = (("A", "A spaceship"), ("B", "Waffles"), ("C", "A submarine"))
    chat = FakeChat(["letter: A\n"])

    answer = ask_nora("What did I eat with Elif and Jonas?", chat, options=options)

    assert answer.value == "B"
    assert chat.prompts == []
    assert "by far the most" in answer.found_by
    assert answer.citations


def test_options_that_differ_in_a_number_alone_are_left_to_the_model(ask_nora: Ask) -> None:
    options = (("A", "1 waffle"), ("B", "2 waffle"))
    chat = FakeChat(["letter: B\n"])

    answer = ask_nora("What did I eat with Elif and Jonas?", chat, options=options)

    assert answer.value == "B"
    assert len(chat.prompts) == 1


def test_candidates_are_judged_one_by_one_when_no_memory_has_the_words(ask_nora: Ask) -> None:
    chat = FakeChat(["yes\n"] + ["no\n"] * 11)

    answer = ask_nora("How many times did I eat baked goods with Elif Demir?", chat)

    assert answer.value == 1
    assert all("yes or no" in prompt.system for prompt in chat.prompts)
    assert len(chat.prompts) <= 12


def test_a_yes_or_no_question_is_answered_by_what_is_there(ask_nora: Ask) -> None:
    assert ask_nora("Did I go climbing with Jonas Berg in February 2025?").value == "yes"
    assert ask_nora("Did I go climbing in March 2025?").outcome is Outcome.NOT_FOUND


def test_show_me_gives_the_pictures(ask_nora: Ask, album: Album) -> None:
    answer = ask_nora("Show me the climbing wall")

    assert answer.citations[0].memory_id == album.ids[3]


@pytest.mark.parametrize("question", ["Which screenshots do I have?", "Show me my screenshots", "screenshots"])
def test_asking_for_pictures_of_a_kind_gives_those_of_that_kind_only(
    ask_nora: Ask, album: Album, question: str
) -> None:
    answer = ask_nora(question)

    kinds = {memory.kind for memory in album.library.memories.many([each.memory_id for each in answer.citations])}
    assert kinds == {MemoryKind.SCREENSHOT}


def test_asking_for_a_kind_that_is_not_there_finds_nothing(ask_nora: Ask) -> None:
    answer = ask_nora("Which videos do I have?")

    assert answer.outcome is Outcome.NOT_FOUND
    assert not answer.citations


def test_an_undated_memory_is_found_by_what_it_shows(ask_nora: Ask, album: Album) -> None:
    answer = ask_nora("Find the picture of grandmother's dog")

    assert answer.citations[0].memory_id == album.ids[-1]


def test_a_command_that_fits_no_picture_changes_nothing_and_says_so(ask_nora: Ask) -> None:
    answer = ask_nora("Mark yesterday's pictures as favourites")

    assert answer.outcome is Outcome.NOT_FOUND
    assert "nothing was changed" in answer.text


def test_the_answer_stays_within_a_selection(ask_nora: Ask, album: Album) -> None:
    assert ask_nora("How many times was I at Harbour Café?", within=(album.ids[0], album.ids[1])).value == 1


def test_first_pictures_are_timed_and_the_turn_is_kept(ask_nora: Ask, album: Album) -> None:
    answer = ask_nora("When was I last at Harbour Café?")

    assert answer.first_pictures_s is not None
    assert [turn.question for turn in album.library.conversations.turns(answer.conversation_id)] == [
        "When was I last at Harbour Café?"
    ]


def test_a_prompt_of_the_longest_evidence_stays_within_its_budget(album: Album, ask_nora: Ask) -> None:
    for number in range(40):
        album.add(
            f"2025-04-{number % 28 + 1:02}T12:00:00", "A long walk through the forest. " * 60, text="forest " * 300
        )
    chat = FakeChat(["found: no\n"])

    ask_nora("What did I see on the walk through the forest?", chat)

    assert (len(chat.prompts[0].system) + len(chat.prompts[0].user)) / 4 < 1_000


def test_a_model_that_points_at_something_unrelated_is_not_believed(ask_nora: Ask) -> None:
    answer = ask_nora("When did I last go scuba diving with Elif Demir?", FakeChat(["line: m1\n"]))

    assert (answer.outcome, answer.citations) == (Outcome.NOT_FOUND, ())


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which seat did I have on the train to Malmö?", "64"),
        ("Which seat did I have on the way from Malmö?", "12"),
        ("What did I eat after the eclipse?", "Smoked herring and Oat cakes"),
        ("When is Elif's birthday?", "21 August"),
        ("Where did I see the Night Tram?", "Boiler Hall, Gothenburg"),
        ("How often did I buy oat milk?", 2),
        ("Where did I have dinner in April 2025?", "The Salty Anchor"),
    ],
)
def test_what_pictures_say_is_read_in_its_layout(album: Album, ask_nora: Ask, question: str, value: object) -> None:
    city = Place(city="Gothenburg", country="Sweden")
    receipt = {"kind": "receipt", "merchant": "The Salty Anchor"}
    album.add(
        "2025-04-10T08:00:00", "Train ticket", text="Gothenburg Malmö\nCoach Seat\nC 64", kind=MemoryKind.SCREENSHOT
    )
    album.add(
        "2025-04-12T08:00:00", "Train ticket", text="Malmö Gothenburg\nCoach Seat\nD 12", kind=MemoryKind.SCREENSHOT
    )
    album.add("2025-04-14T12:00:00", "The eclipse over the harbour", place=city)
    dinner = album.add(
        "2025-04-14T19:30:00",
        "A receipt; eating out",
        place=city,
        text="Smoked herring 14.90\nOat cakes 3.20\nTOTAL 18.10",
    )
    with album.library.memories.edit(dinner) as edit:
        edit.set_document(receipt, Origin.RULE)
    album.add("2025-04-20T12:00:00", "A chat", text="Elif\nMy birthday is on 21 August!", kind=MemoryKind.SCREENSHOT)
    album.add("2025-04-21T12:00:00", "A ticket", place=city, text="NIGHT TRAM LIVE\nBoiler Hall, Gothenburg\nStanding")
    album.add("2025-04-22T12:00:00", "A receipt", place=city, text="Oat milk 1 L 1.60")
    album.add("2025-04-29T12:00:00", "A receipt", place=city, text="Oat milk 1 L 1.70")
    album.embed(FakeEmbedder())

    answer = ask_nora(question)

    assert answer.value == value, answer.text
    assert answer.citations


def test_a_value_written_in_one_place_is_no_answer_about_another(ask_nora: Ask) -> None:
    answer = ask_nora("What was the Wi-Fi password in Gothenburg?")

    assert (answer.outcome, answer.citations) == (Outcome.NOT_FOUND, ())


def test_a_choice_whose_time_leaves_nothing_is_answered_without_it(ask_nora: Ask) -> None:
    options = (("A", "Sushi"), ("B", "Waffles"))

    assert ask_nora("What did I eat with Elif and Jonas in 2019?", options=options).value == "B"


def test_what_came_of_a_day_is_looked_for_after_it_and_a_plain_question_stays_in_its_time(album: Album) -> None:
    for text, reaches in (
        ("On 6 May 2025 I flew to Lisbon. How many days later did I see seaweed models?", True),
        ("What did I see of seaweed models on 6 May 2025?", False),
    ):
        question = Question(text, date(2025, 7, 1))
        turn = Turn(album.library, FakeEmbedder(), Talk(None, never), question)
        found = find(turn, make_plan(album.library, question, augment(album.library, question, turn.talk)), 10)
        days = {memory.taken.day for memory in album.library.memories.many([each.memory_id for each in found])}
        assert (date(2025, 5, 8) in days) is reaches
        assert all(abs((day - date(2025, 5, 6)).days) <= 30 for day in days if day)


def test_pictures_of_a_place_or_a_person_alone_are_exactly_those(ask_nora: Ask, album: Album) -> None:
    at_gym = [memory.id for memory in album.library.memories.matching() if memory.place == GYM]
    with_jonas = [memory.id for memory in album.library.memories.matching() if "Jonas Berg" in memory.people]

    for text, meant in (
        ("Show me the photos at Klätterhallen", at_gym),
        ("Show me pictures with Jonas Berg", with_jonas),
    ):
        assert sorted(each.memory_id for each in ask_nora(text).citations) == sorted(meant)


@pytest.mark.parametrize(
    ("question", "asked_for"),
    [
        ("Was haben wir mit Elif im Café gegessen?", "Answer in German."),
        ("Qu'est-ce que nous avons mangé avec Elif dans le café ?", "Answer in French."),
        ("我和 Elif 吃了什么？", "Answer in Chinese."),
        ("What did we eat with Elif?", ""),
    ],
)
def test_the_model_is_asked_to_answer_in_the_language_of_the_question(question: str, asked_for: str) -> None:
    prompt = answer_prompt(question, "Tuesday 2025-07-01", "Nora", ["m1 Coffee with Elif"])
    assert prompt.user.partition("Question: ")[2].removeprefix(question).strip() == asked_for
