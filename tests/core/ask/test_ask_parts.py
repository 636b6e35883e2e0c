"""The small parts of asking: verification, replies, amounts, follow-ups stored and read back."""

from datetime import date

import pytest

from core.ask.augment_query import one_range
from core.ask.dates import find_days
from core.ask.follow_up import query_from, query_text
from core.ask.money import amount_of, summed
from core.ask.phrases import spoken_range
from core.ask.question_forms import Form, form_of
from core.ask.replies import read_answer, read_intent, read_letter, read_pick, read_value
from core.ask.verify import occurs_in, supporting, unsupported
from core.errors import ReplyError
from core.records import AugmentedQuery, CapturedMemory, DayRange, Intent, MemoryKind


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("It was on 8 March 2025.", []),
        ("It was on 9 March 2025.", ["9"]),
        ("It was in April.", ["April"]),
        ("It was a Sunday.", ["Sun"]),
        ("You had three.", ["three"]),
        ("You had two.", []),
        ("With Elif Demir.", ["Elif Demir"]),
        ("It cost 1,200.", []),
    ],
)
def test_claims_without_a_source_are_named(text: str, strange: list[str]) -> None:
    sources = ["m1 Sat 8 Mar 2025 | two waffles for 1200"]

    assert unsupported(text, sources, ["Elif Demir", "Jonas"]) == strange


def test_a_value_counts_as_copied_whatever_its_case_and_spaces() -> None:
    assert occurs_in("tp781", "Flight TP 781")
    assert not occurs_in("", "anything")
    assert not occurs_in("TP 782", "Flight TP 781")


@pytest.mark.parametrize(
    ("text", "number", "currency"),
    [
        ("Coffee 3,50\nTOTAL € 18,50", 18.5, "€"),
        ("Subtotal $10.00\nTotal: $1,234.50", 1234.5, "$"),
        ("Total 1.234,50 EUR", 1234.5, "€"),
        ("Amount due 42.00 CHF", 42.0, ""),
        ("合计 ¥88", 88.0, "¥"),
    ],
)
def test_the_total_of_a_receipt_is_read_in_many_ways_of_writing(text: str, number: float, currency: str) -> None:
    amount = amount_of(CapturedMemory(id="1", public_id="1", visible_text=text))

    assert amount is not None
    assert amount.number == number
    assert not currency or amount.currency == currency


def test_amounts_are_added_by_currency() -> None:
    receipts = [
        CapturedMemory(id="1", public_id="1", visible_text=f"Total {text}") for text in ("€ 10.00", "€ 5.50", "$ 3.00")
    ]

    amounts = [amount for memory in receipts if (amount := amount_of(memory))]

    assert [each.spoken for each in summed(amounts)] == ["€15.50", "$3.00"]


def test_a_text_without_a_total_has_no_amount() -> None:
    assert amount_of(CapturedMemory(id="1", public_id="1", visible_text="Room 12, open 9 to 5")) is None


@pytest.mark.parametrize(
    "reader", [read_answer, read_intent, read_pick, read_value, lambda text: read_letter(text, frozenset("AB"))]
)
@pytest.mark.parametrize(
    "text",
    ["", "junk", "found: maybe", "intent: dance\nactivities: none\nobjects: none\n", "line: e1\n", "letter: C\n"],
)
def test_a_reply_outside_its_schema_is_refused(reader, text: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ReplyError):
        reader(text)


def test_replies_within_their_schema_are_read() -> None:
    assert read_answer("found: yes\nanswer: Waffles.\nfrom: m1, m1, k2\n").handles == ("m1", "k2")
    assert read_answer("found: no\n").text == ""
    assert read_intent("intent: count\nactivities: climbing\nobjects: none\n").activities == ("climbing",)
    assert read_pick("line: m12\n") == "m12"
    assert read_pick("line: none\n") == ""
    assert read_value('value: "14C"\n') == "14C"


def test_a_query_survives_being_stored() -> None:
    query = AugmentedQuery(
        question="q", asked_on=date(2025, 7, 1), intent=Intent.COUNT, time=DayRange(date(2025, 5, 1), None, "since May", (5, 11), (5, 6)),
        places=("Harbour Café",), kinds=(MemoryKind.VIDEO,), notes=("a",),
    )  # fmt: skip

    assert query_from(query_text(query)) == query


@pytest.mark.parametrize(
    ("masked", "form"),
    [
        ("how many times was i at {place}?", Form(Intent.COUNT, "times")),
        ("how often did i meet {person} in {day}?", Form(Intent.COUNT, "times")),
        ("on how many separate days was i in {place}?", Form(Intent.COUNT, "days")),
        ("what did i eat after {place}?", Form(Intent.WHAT)),
        ("after {place}, where did i head next?", Form(Intent.NEXT, "places")),
        ("which place had i come from when i reached {place}?", Form(Intent.PREVIOUS, "places")),
        ("what is the latest date i was with {person}?", Form(Intent.WHEN, "date", "last")),
        ("when was i last in {place}?", Form(Intent.WHEN, "date", "last")),
        ("who accompanied me to {place} on {day}?", Form(Intent.WHO, "people")),
        ("whom did i spend the most time with in {day}?", Form(Intent.MOST, "people", "most")),
        ("in which cities was i in {day}?", Form(Intent.LIST, "cities")),
        ("which city was i in on {day}?", Form(Intent.WHERE, "cities")),
        ("how many days lie between my first and last visit to {place}?", Form(Intent.DURATION, "days", "first_last")),
        ("have i ever been to {place}?", Form(Intent.WHAT, "whether")),
        ("how much did i spend on coffee in {day}?", Form(Intent.COUNT, "money")),
        ("delete my screenshots", Form(Intent.COMMAND)),
        ("pictures of the beach", Form(Intent.FIND)),
        ("red umbrella", Form(Intent.FIND)),
        ("what was the first thing i ate?", Form(Intent.WHAT, "", "first")),
    ],
)
def test_a_question_wants_what_its_form_says(masked: str, form: Form) -> None:
    found = form_of(masked)

    assert (found.intent, found.unit) == (form.intent, form.unit)
    assert not form.order or found.order == form.order


def test_a_citation_must_say_something_that_the_answer_adds_to_the_question() -> None:
    said = {
        "lock": "The code of the bike lock is 4712.",
        "bar": "Karaoke night at the bar",
        "wifi": "The code is melange",
    }

    assert supporting("The code is 4712", "What is the code of my bike lock?", said) == ("lock",)
    assert supporting("Yes, it is", "What is the code of my bike lock?", said) == ("lock", "bar", "wifi")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What did I do on June 9th, 12th, and 14th?", "on 9 June 2025, on 12 June 2025 and on 14 June 2025"),
        ("What did I do in March and May?", "in March 2025 and in May 2025"),
        ("What did I do from 3 June to 5 July?", "from 3 June 2025 to 5 July 2025"),
        ("I met her on Dec 1st and went home on Dec 8th", "on 1 December 2025"),
        (
            "How often did I climb in 2024 except in March?",
            "from January to February 2024 and from April to December 2024",
        ),
        ("Where was I between 10 June 2025 and 1 May 2025?", "from 1 May 2025 to 10 June 2025"),
        ("photos of 2024, but not of February", "in January 2024 and from March to December 2024"),
        (
            "Where was I in July 2025 apart from 4 July?",
            "from 1 July 2025 to 3 July 2025 and from 5 July 2025 to 31 July 2025",
        ),
        ("Who did I meet except in 2024?", "until 31 December 2023 and in 2025"),
    ],
)
def test_days_named_one_by_one_are_not_the_days_between_them(text: str, said: str) -> None:
    time = one_range(find_days(text, date(2025, 12, 31)), text, date(2025, 12, 31))
    assert time is not None
    assert spoken_range(time) == said


def test_a_follow_up_takes_over_days_named_one_by_one() -> None:
    time = DayRange(
        date(2025, 6, 3), date(2025, 6, 9), "", None, (), ((date(2025, 6, 3),) * 2, (date(2025, 6, 9),) * 2)
    )
    query = AugmentedQuery(question="", asked_on=date(2025, 12, 31), time=time)
    assert query_from(query_text(query)).time == time
