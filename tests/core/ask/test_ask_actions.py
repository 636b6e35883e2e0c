"""Commands become proposals, carried out on a yes and undone as a whole; feedback changes the next answer."""

import pytest

from core.augment.carry_out import carry_out, take_back
from core.augment.corrections import Corrector
from core.errors import RequestError
from core.records import ActionKind, Outcome, Proposal
from tests.core.ask.album import Album
from tests.core.ask.conftest import Ask


@pytest.mark.parametrize(
    ("command", "kind", "number", "name"),
    [
        ("Mark the pictures of 7 May 2025 as favourites", ActionKind.FAVOURITE, 2, ""),
        ("Please add my photos with Priya to the favorites", ActionKind.FAVOURITE, 2, ""),
        ("Tag the pictures of climbing as sport", ActionKind.TAG, 3, "sport"),
        ("Put the pictures from February 2025 into an album called Wall Month", ActionKind.ALBUM, 3, "Wall Month"),
        ("Create an album of the Harbour Café", ActionKind.ALBUM, 4, "the Harbour Café"),
    ],
)
def test_a_command_is_proposed_with_its_pictures_and_changes_nothing(
    ask_nora: Ask, album: Album, command: str, kind: ActionKind, number: int, name: str
) -> None:
    answer = ask_nora(command)

    assert answer.outcome is Outcome.NEEDS_DETAIL
    assert answer.proposal is not None, answer.text
    assert (answer.proposal.kind, len(answer.proposal.memory_ids), answer.proposal.name) == (kind, number, name)
    assert {each.memory_id for each in answer.citations} == set(answer.proposal.memory_ids)
    assert album.library.corrections.all() == []


def test_these_are_the_pictures_shown_last(ask_nora: Ask) -> None:
    shown = ask_nora("When was I at Klätterhallen?")

    answer = ask_nora("Mark these as favourites", conversation=shown.conversation_id)

    assert answer.proposal is not None
    assert set(answer.proposal.memory_ids) == {each.memory_id for each in shown.citations}


def test_a_yes_carries_it_out_and_one_undo_takes_it_back(ask_nora: Ask, album: Album) -> None:
    correct = Corrector(album.library)
    favourites = ask_nora("Mark the pictures of 7 May 2025 as favourites").proposal
    party = ask_nora("Put the pictures from February 2025 into an album called Wall Month").proposal
    tags = ask_nora("Tag the pictures of climbing as sport").proposal
    assert favourites is not None
    assert party is not None
    assert tags is not None

    done = [carry_out(album.library, correct, each) for each in (favourites, party, tags)]

    assert all(memory.favourite for memory in album.library.memories.many(favourites.memory_ids))
    assert [len(event.member_ids) for event in album.library.events.all() if event.name == "Wall Month"] == [3]
    assert all("sport" in memory.keywords for memory in album.library.memories.many(tags.memory_ids))
    for each in done:
        take_back(correct, each.correction_ids)
    assert not any(memory.favourite or memory.keywords for memory in album.library.memories.matching())
    assert "Wall Month" not in [event.name for event in album.library.events.all()]


def test_what_may_not_be_done_from_the_chat_and_what_names_nothing_is_said(ask_nora: Ask, album: Album) -> None:
    assert ask_nora("Delete all my screenshots").proposal is None
    assert ask_nora("Mark these as favourites").outcome is Outcome.NOT_FOUND
    assert ask_nora("Mark the pictures of the volcano as favourites").proposal is None
    with pytest.raises(RequestError):
        carry_out(album.library, Corrector(album.library), Proposal(ActionKind.FAVOURITE, ("gone",)))


def test_a_picture_that_is_not_meant_is_left_out_until_that_is_undone(ask_nora: Ask, album: Album) -> None:
    question = "How many times did I go to the Harbour Café?"
    first = ask_nora(question)
    correct = Corrector(album.library)

    correct.reject_citation(first.citations[0].memory_id, question)
    second = ask_nora("how many times did I go to the Harbour Café")
    other = ask_nora("How often did I see Elif at the Harbour Café?")
    correct.undo()

    assert first.citations[0].memory_id not in [each.memory_id for each in second.citations]
    assert other.value == 3
    assert [each.memory_id for each in ask_nora(question).citations] == [each.memory_id for each in first.citations]


def test_forgetting_a_memory_forgets_what_was_said_of_it(ask_nora: Ask, album: Album) -> None:
    correct = Corrector(album.library)
    correct.reject_citation(album.ids[0], "Where was the coffee?")

    correct.forget_memory(album.ids[0])

    assert [each.target_kind for each in album.library.corrections.all()] in ([], ["memory"])
