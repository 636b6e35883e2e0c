"""Which spellings are one name, and what can be stored and shown?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text_keys import printable, text_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zoë", "ZOE"), ("Genève", "geneve"), ("  the   Park ", "The Park"), ('"Café"', "cafe"), ("ＡＢＣ", "abc"), ("STRASSE", "straße"),
        ("ﬁsh", "fish"), ("Ångström", "angstrom"), ("e\u0301te\u0301", "été"), ("ﾊﾟﾘ", "パリ"), ("São Paulo!", "sao paulo"),
    ],
)  # fmt: skip
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert text_key(one) == text_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("パリ", "バリ"), ("ガス", "カス"), ("북", "부"), ("कि", "का"), ("ab", "a b"), ("東京", "京都"), ("Ann", "Anna")],
)
def test_different_names_stay_different(one: str, other: str) -> None:
    # パリ is Paris and バリ is Bali: the marks of Japanese are no accents
    assert text_key(one) != text_key(other)


@pytest.mark.parametrize("nothing", ["", "  ", "!?", "…", "🎉"])
def test_punctuation_alone_has_no_key(nothing: str) -> None:
    assert text_key(nothing) == ""


@given(st.text())
def test_the_key_of_a_key_is_itself(text: str) -> None:
    assert text_key(text_key(text)) == text_key(text)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("caf\udce9.jpg", "caf\ufffd.jpg"), ("half \ud83d", "half \ufffd"), ("\ud83d\ude00", "😀"),
        ("a\x00b\x1b[0m\r\n\tc", "a b [0m \n\tc"),
        ("photo\u202egnp.exe", "photo gnp.exe"), ("می\u200cخواهم", "می\u200cخواهم"), ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("é猫👍🏽", "é猫👍🏽"),
    ],
)  # fmt: skip
def test_what_cannot_be_stored_or_deceives_is_replaced(text: str, safe: str) -> None:
    assert printable(text) == safe


@given(st.text(st.characters(codec=None)))
def test_anything_becomes_text_that_every_store_takes(text: str) -> None:
    safe = printable(text)

    assert safe.encode("utf-8").decode("utf-8") == safe
    assert "\x00" not in safe
    assert printable(safe) == safe
