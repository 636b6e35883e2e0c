"""Nora's library for every test of asking."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from core.ask.answer import ask
from core.jobs import run_to_end
from core.ports import ChatModel, never
from core.records import Answer, Question
from tests.core.ask.album import Album, year_of_nora
from tests.fakes import FakeEmbedder, FakeModels

Ask = Callable[..., Answer]
TODAY = date(2025, 7, 1)


@pytest.fixture
def album(tmp_path: Path) -> Iterator[Album]:
    """Embedded with the fake embedder."""
    made = year_of_nora(tmp_path / "library")
    made.embed(FakeEmbedder())
    yield made
    made.library.close()


@pytest.fixture
def ask_nora(album: Album) -> Ask:
    """Ask a question on 1 July 2025, without a language model unless one is given."""

    def asking(text: str, chat: ChatModel | None = None, conversation: str | None = None, **frame: object) -> Answer:
        question = Question(text, TODAY, conversation_id=conversation, **frame)  # type: ignore[arg-type]
        models = FakeModels(chat=chat, text_embedder=FakeEmbedder())
        return run_to_end(ask(album.library, models, question, never))  # type: ignore[no-any-return]

    return asking
