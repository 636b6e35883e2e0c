"""Search finds by words and meaning, filters before it ranks, and knows when nothing fits."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.records import MemoryFilter
from core.retrieve.fuse import Ranked, fuse
from core.retrieve.match_words import match_any, quoted_pieces, words_of
from core.retrieve.search import grep, listing, search
from core.store import memories
from tests.core.ask.album import Album, year_of_nora
from tests.fakes import FakeEmbedder

MARCH = MemoryFilter(first_day=date(2025, 3, 1), last_day=date(2025, 3, 31))


@pytest.fixture
def album(tmp_path: Path) -> Iterator[Album]:
    made = year_of_nora(tmp_path / "library")
    made.embed(FakeEmbedder())
    yield made
    made.library.close()


def found(album: Album, text: str, wanted: MemoryFilter = MemoryFilter(), k: int = 5) -> list[int]:  # noqa: B008
    return [album.ids.index(each.memory_id) for each in search(album.library, FakeEmbedder(), text, wanted, k)]


def test_the_memory_that_says_it_comes_first(album: Album) -> None:
    assert found(album, "grilled sardines")[0] == 10


def test_word_forms_and_accents_do_not_matter(album: Album) -> None:
    assert set(found(album, "climbs")) & {3, 4, 5}
    assert 0 in found(album, "HARBOUR CAFE cinnamon")


def test_search_works_without_an_embedder(album: Album) -> None:
    results = search(album.library, None, "grilled sardines")

    assert album.ids.index(results[0].memory_id) == 10
    assert results[0].why == "says grilled, sardines"


def test_filters_apply_before_the_best_are_taken(album: Album) -> None:
    assert found(album, "climbing coffee waffles", MARCH, k=1) == [6]


def test_what_nothing_resembles_is_not_found(album: Album) -> None:
    assert found(album, "submarine volcano") == []


def test_an_event_that_fits_brings_its_memories_with_the_reason(album: Album) -> None:
    results = search(album.library, FakeEmbedder(), "TideConf 2025")

    assert {album.ids.index(each.memory_id) for each in results} >= {7, 8, 9, 10, 11}
    assert any("part of “TideConf 2025”" in each.why for each in results)


def test_near_duplicates_collapse_into_their_representative(album: Album) -> None:
    copy = album.add("2025-05-07T20:00:30", "Grilled sardines with Priya, blurred.")
    with album.library.memories.edit(copy) as edit:
        edit.set_fingerprint(1, album.ids[10])
    album.embed(FakeEmbedder())

    assert len({10, len(album.ids) - 1} & set(found(album, "grilled sardines Priya"))) == 1


def test_scores_fall_from_one_and_are_comparable(album: Album) -> None:
    scores = [each.score for each in search(album.library, FakeEmbedder(), "climbing wall")]

    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_a_quoted_piece_is_found_as_it_is_written(album: Album) -> None:
    assert found(album, 'the note with "climbing shoes"')[0] == 5


def test_a_script_without_spaces_is_found_by_its_letters(album: Album) -> None:
    album.add("2025-03-09T12:00:00", "今天我们在海边看日落")

    assert found(album, "看日落")[0] == len(album.ids) - 1


def test_without_words_the_filter_alone_lists_and_nothing_lists_nothing(album: Album) -> None:
    assert found(album, "", MARCH) == [6]
    assert found(album, "?!") == []


def test_grep_finds_letters_as_they_are_and_shows_their_line(album: Album) -> None:
    results = grep(album.library, "dinha20")

    assert [album.ids.index(each.memory_id) for each in results] == [8]
    assert results[0].why == "Password: sardinha2025"
    assert grep(album.library, "  ") == []


def test_listing_is_newest_first_with_undated_last_and_goes_on_at_an_offset(album: Album) -> None:
    everything = [each.memory_id for each in listing(album.library, k=100)]

    assert everything[0] == album.ids[12]
    assert everything[-1] == album.ids[13]
    assert [each.memory_id for each in listing(album.library, k=3, offset=2)] == everything[2:5]


@pytest.mark.parametrize(
    "text",
    [
        "a AND OR NOT",
        '"',
        '""',
        "'; --",
        "NEAR(x y)",
        "col:x",
        "* ^",
        "()",
        "🦄",
        "\x00a\x00",
        "\ud800x",
        "ﷺ",
        "x" * 50_000,
        "a-b_c.d",
    ],
)
def test_no_text_breaks_the_search(album: Album, text: str) -> None:
    assert isinstance(found(album, text), list)
    assert isinstance(grep(album.library, text), list)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60))
def test_any_text_is_safe_in_the_word_index(album: Album, text: str) -> None:
    expression = match_any(words_of(text))

    assert not expression or isinstance(album.library.memories.by_words(expression, 3), list)
    assert len(search(album.library, FakeEmbedder(), text, k=3)) <= 3


def test_words_that_say_nothing_are_dropped_and_the_end_of_a_long_text_is_kept() -> None:
    assert words_of("When was I at the Harbour?") == ["harbour"]
    assert words_of(" ".join(f"word{number}" for number in range(100)))[-1] == "word99"
    assert quoted_pieces("“old harbour” and «new quay»") == ["old harbour", "new quay"]


def test_fusion_rewards_what_several_searches_agree_on() -> None:
    ranked = fuse([Ranked(["a", "b", "c"], 1.0), Ranked(["c", "a"], 1.0)])

    assert [item for item, _ in ranked] == ["a", "c", "b"]
    assert fuse([Ranked(["a"], 1.0), Ranked(["a"], 2.0)]) == [("a", 1.0)]
    assert fuse([]) == []


def test_half_a_word_and_a_piece_of_a_code_are_found_with_the_reason(tmp_path: Path) -> None:
    library = year_of_nora(tmp_path / "half").library
    try:
        [half] = search(library, None, "overha")
        [code] = search(library, None, "inha20")

        assert half.why == "holds “overha”: A blue overhang on the climbing wall."
        assert "sardinha2025" in code.why
        assert search(library, None, "zzyzx") == []
    finally:
        library.close()


def test_of_very_many_that_match_those_added_last_are_ranked_and_a_condition_reaches_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "MOST_RANKED", 3)
    album = Album(tmp_path / "many")
    try:
        ids = [album.add(f"2025-01-{day:02}T10:00:00", f"The ferry number {day}.") for day in range(1, 11)]

        assert len(album.library.memories.by_words('"ferry"', 3)) == 3
        assert len(album.library.memories.by_words('"ferry"', 100)) == 10
        early = MemoryFilter(last_day=date(2025, 1, 2))
        assert {found.memory_id for found in search(album.library, None, "ferry", early)} == set(ids[:2])
        assert [found.memory_id for found in grep(album.library, "ferry", k=2)] == [ids[-1], ids[-2]]
    finally:
        album.library.close()
