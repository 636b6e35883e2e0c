"""At least 150 forms of questions over two libraries are answered exactly, without any model.

Not in it, because they need pixels and a vision model: LifeGraph's Concept VQA, Fine-Grained Scene and the clothes and gestures of
its person-centric tasks.
"""

from collections.abc import Iterator
from datetime import date

import pytest

from core.ask.answer import ask
from core.jobs import run_to_end
from core.ports import never
from core.records import Answer, Outcome, Question
from core.store.library import Library
from tests.core.ask.album import year_of_nora
from tests.core.ask.forms import NORA, RAVI, Cites, Gold, Said
from tests.core.ask.ravi import year_of_ravi
from tests.fakes import FakeEmbedder, FakeModels


@pytest.fixture(scope="module")
def ravi(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    library = year_of_ravi(tmp_path_factory.mktemp("ravi"), FakeEmbedder())
    yield library
    library.close()


@pytest.fixture(scope="module")
def nora(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    album = year_of_nora(tmp_path_factory.mktemp("nora"))
    album.embed(FakeEmbedder())
    yield album.library
    album.library.close()


def answer_to(library: Library, text: str) -> Answer:
    models = FakeModels(text_embedder=FakeEmbedder())
    return run_to_end(ask(library, models, Question(text, date(2025, 6, 30)), never))  # type: ignore[no-any-return]


def check(library: Library, answer: Answer, gold: Gold) -> None:
    cited = [memory.public_id for memory in library.memories.many([each.memory_id for each in answer.citations])]
    told = f"{answer.outcome} {answer.value!r} {answer.text!r} {cited}"
    if isinstance(gold, Outcome):
        assert answer.outcome is gold, told
    elif isinstance(gold, Said):
        assert answer.outcome in (Outcome.ANSWERED, Outcome.AMBIGUOUS, Outcome.NEEDS_DETAIL), told
        assert [word for word in gold.words if word not in answer.text] == [], told
    elif isinstance(gold, Cites):
        assert cited[: len(gold.ids)] == list(gold.ids), told
        assert not gold.only or len(cited) == len(gold.ids), told
    else:
        assert answer.value == gold, told
    assert answer.outcome in (Outcome.ANSWERED, Outcome.AMBIGUOUS) or not cited, told
    assert answer.model == ""


@pytest.mark.parametrize(("kind", "question", "gold"), RAVI)
def test_ravi_is_answered(ravi: Library, kind: str, question: str, gold: Gold) -> None:
    check(ravi, answer_to(ravi, question), gold)


@pytest.mark.parametrize(("kind", "question", "gold"), NORA)
def test_nora_is_answered(nora: Library, kind: str, question: str, gold: Gold) -> None:
    check(nora, answer_to(nora, question), gold)


def test_there_are_at_least_a_hundred_and_fifty_forms() -> None:
    assert len({question for _, question, _ in (*RAVI, *NORA)}) >= 150
