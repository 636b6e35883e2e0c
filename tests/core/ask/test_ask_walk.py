"""Does a question about people walk the life graph to what it asks for, and fetch pictures where the graph does not suffice?"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.ask.augment_query import augment
from core.ask.plan import Plan, make_plan
from core.ask.talk import Talk
from core.ask.turn import Turn
from core.ask.walk import walked
from core.augment.pipeline import augment as infer
from core.augment.relations import Relations
from core.jobs import run_to_end
from core.ports import ChatModel, never
from core.records import AtomicContext, ContextKind, Origin, Question, Stage
from tests.core.ask.album import HARBOUR, MUSEUM, Album
from tests.fakes import FakeChat, FakeModels


@pytest.fixture
def album(tmp_path: Path) -> Iterator[Album]:
    """Nora's sister sails at the harbour and sees tides; somebody else sails too."""
    made = Album(tmp_path / "library")
    for day, place, people, activity in (
        (4, HARBOUR, ("Ida Lindgren",), "sailing"), (5, HARBOUR, ("Ben",), "sailing"), (11, MUSEUM, ("Ida Lindgren",), "museum visit"),
        (12, MUSEUM, ("Ida Lindgren", "Ben"), "museum visit"),
    ):  # fmt: skip
        memory_id = made.add(f"2025-01-{day:02}T12:00", "A picture", place=place, people=people)
        with made.library.memories.edit(memory_id) as edit:
            people_too = [AtomicContext(ContextKind.PERSON, name) for name in people]
            edit.set_contexts(Origin.IMPORTED, [*people_too, AtomicContext(ContextKind.ACTIVITY, activity)])
    Relations(made.library).relate("me", "sister", "Ida Lindgren")
    run_to_end(infer(made.library, FakeModels(), Stage.GRAPH, never))
    yield made
    made.library.close()


def turn_of(album: Album, text: str, chat: ChatModel | None = None) -> tuple[Turn, Plan]:
    question = Question(text, date(2025, 7, 1))
    turn = Turn(album.library, None, Talk(chat, never), question)
    return turn, make_plan(album.library, question, augment(album.library, question, turn.talk))


def test_the_best_path_holds_what_is_asked_and_ends_where_it_is(album: Album) -> None:
    found = walked(*turn_of(album, "Where did my sister go sailing?"))
    assert "Ida Lindgren" in found.statements[0].statement
    assert "sailing" in " ".join(item.statement for item in found.statements[:2])
    assert found.statements[0].evidence_ids == (album.ids[0],)
    assert found.rounds <= 2


def test_a_path_that_suffices_ends_the_walk_and_fetches_no_picture(album: Album) -> None:
    found = walked(*turn_of(album, "Where did my sister go sailing?"))
    assert found.suffices
    assert found.memory_ids == ()


def test_what_only_a_picture_shows_is_fetched(album: Album) -> None:
    found = walked(*turn_of(album, "What was my sister wearing at the Harbour Café?"))
    assert not found.suffices
    assert found.memory_ids == (album.ids[0],)


def test_a_question_that_names_nobody_walks_nowhere(album: Album) -> None:
    assert walked(*turn_of(album, "What is this?")).statements == ()


def test_a_large_model_prunes_all_candidates_in_one_call_a_round_and_says_when_it_is_enough(album: Album) -> None:
    chat = FakeChat(["lines: 2, 1\n", "no\n", "lines: 3\n", "yes\n", "yes\n"], parameters_b=8.0)
    found = walked(*turn_of(album, "What did my sister do that week?", chat))
    versions = [prompt.version for prompt in chat.prompts]
    assert versions[:4] == ["prune-1", "enough-1", "prune-1", "enough-1"]
    assert found.rounds == 2
    assert found.suffices


def test_a_small_model_is_not_asked(album: Album) -> None:
    chat = FakeChat([], parameters_b=1.5)
    walked(*turn_of(album, "What did my sister do that week?", chat))
    assert chat.prompts == []


def test_a_reply_that_does_not_fit_leaves_the_choice_to_code(album: Album) -> None:
    chat = FakeChat(["everything"] * 12, parameters_b=8.0)
    found = walked(*turn_of(album, "Where did my sister go sailing?", chat))
    assert found.statements
    assert found.statements[0].evidence_ids == (album.ids[0],)
