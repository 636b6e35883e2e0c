"""The five tools give short handles, keep their budgets, and answer a model's mistakes in words."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest

from core.ask.tools import MOST_CALLS, Toolbox, ToolResult
from core.errors import PhotoMissingError
from core.ports import Pixels
from core.records import CapturedMemory, MemoryFilter
from tests.core.ask.album import Album
from tests.fakes import FakeCaptioner, FakeEmbedder


def a_picture(memory: CapturedMemory) -> Pixels:
    return np.zeros((4, 4, 3), np.uint8)


@pytest.fixture
def tools(album: Album) -> Toolbox:
    return Toolbox(album.library, FakeEmbedder(), FakeCaptioner(), a_picture)


def test_results_carry_handles_and_never_an_id(tools: Toolbox, album: Album) -> None:
    result = tools.search("climbing wall")

    assert result.text.startswith("m1 Tue 11 Feb 2025 18:00 | Klätterhallen")
    assert not any(memory_id in result.text for memory_id in album.ids)


def test_the_same_memory_keeps_its_handle_for_the_turn(tools: Toolbox) -> None:
    first = tools.search("climbing wall")
    again = tools.grep("overhang")

    assert again.text.split()[0] == "m1"
    assert again.memory_ids[0] == first.memory_ids[0]


def test_list_says_how_many_match_in_all(tools: Toolbox) -> None:
    result = tools.list(MemoryFilter(first_day=date(2025, 2, 1), last_day=date(2025, 2, 28)), k=2)

    assert result.text.startswith("3 match.\nm1 ")
    assert len(result.memory_ids) == 2


def test_get_shows_the_whole_text_and_the_event_it_is_part_of(tools: Toolbox) -> None:
    tools.grep("AzulGuest")
    memory = tools.get("m1")
    event = tools.get("e1")

    assert "sardinha2025" in memory.text
    assert "part of: e1" in memory.text
    assert event.text.startswith("TideConf 2025 | 2025-05-06 to 2025-05-08")


@pytest.mark.parametrize("handle", ["m1", "m0", "m-1", "m99999999999999999999", "e7", "", "x", "m1; rm", "²"])
def test_a_handle_that_was_not_given_out_is_refused_in_words(tools: Toolbox, handle: str) -> None:
    result = tools.get(handle)

    assert result.is_refused
    assert "no " in result.text


def test_calls_end_when_the_budget_is_used_up(tools: Toolbox) -> None:
    for _ in range(MOST_CALLS):
        assert not tools.search("coffee").is_refused

    assert tools.search("coffee").is_refused
    assert tools.budget() == "0 calls and 5 views left."


def test_view_looks_at_six_pictures_at_most_and_five_times(tools: Toolbox) -> None:
    tools.list(MemoryFilter(), k=10)
    results: Sequence[ToolResult] = [
        tools.view([f"m{number}" for number in range(1, 11)], "What is this?") for _ in range(6)
    ]

    assert [result.is_refused for result in results] == [False] * 5 + [True]
    assert isinstance(tools.captioner, FakeCaptioner)
    assert tools.captioner.seen == [6] * 5


def test_view_without_a_vision_model_says_so_plainly(album: Album) -> None:
    tools = Toolbox(album.library)
    tools.grep("coffee")

    assert (
        tools.view(["m1"], "What is this?").text == "No model that can look at pictures is installed; go by the texts."
    )


def test_a_picture_that_is_gone_is_a_sentence_and_not_a_crash(album: Album) -> None:
    def gone(memory: CapturedMemory) -> Pixels:
        raise PhotoMissingError("The picture is not where it was.")

    tools = Toolbox(album.library, None, FakeCaptioner(), gone)
    tools.grep("coffee")

    assert "not where it was" in tools.view(["m1"], "What is this?").text


def test_every_call_stays_within_the_scope(album: Album) -> None:
    tools = Toolbox(album.library, FakeEmbedder(), scope=MemoryFilter(ids=(album.ids[0], album.ids[3])))

    found = [
        tools.search("climbing coffee"),
        tools.grep("climbing"),
        tools.list(MemoryFilter(ids=(album.ids[1], album.ids[3]))),
    ]

    assert {memory_id for result in found for memory_id in result.memory_ids} <= {album.ids[0], album.ids[3]}
    assert found[2].memory_ids == (album.ids[3],)
