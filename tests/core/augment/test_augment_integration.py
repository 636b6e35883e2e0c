"""With the real small language model: are windows answered, in the grammar, with names their memories bear out?"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.augment import prompts
from core.records import Place
from core.store.library import Library
from models.installed import InstalledModels
from tests.core.augment.life import remember, run, shown

pytestmark = pytest.mark.integration


@pytest.fixture
def models(models_dir: Path, tmp_path: Path) -> Iterator[InstalledModels]:
    """The 1.5B language model alone."""
    found = InstalledModels(models_dir, tmp_path, chat="qwen2.5-coder-1.5b-instruct-q4_k_m")
    yield found
    found.close()


def test_a_week_is_named_by_the_real_model_and_no_window_is_lost(library: Library, models: InstalledModels) -> None:
    lake, tavern = Place(name="Lake Bohin", city="Graz"), Place(name="Tavern Zum Hirsch", city="Graz")
    for hour, caption, thing in (
        (9, "Rowing boats at the start", "regatta"),
        (14, "The winners on the podium", "regatta"),
    ):
        for minute in (0, 5, 10):
            when = datetime(2024, 6, 1, hour, minute)
            remember(library, when, caption, place=lake, people=("Ana Ruiz", "Tom Berg"), things=(thing, "boats"))
    for minute in (0, 15):
        when = datetime(2024, 6, 3, 19, 30) + timedelta(minutes=minute)
        remember(
            library, when, "Dumplings on a plate", place=tavern, people=("Ana Ruiz",), things=("dinner", "dumplings")
        )
    run(library, models)
    assert library.files.problems() == []
    assert 2 <= len(shown(library)) <= 3
    for event in shown(library):
        assert event.member_ids
        assert any(word in event.name for word in ("egatta", "oat", "Bohin", "inner", "umpling", "Hirsch", "Ana"))


def test_both_grammars_are_valid_for_the_real_model(models: InstalledModels) -> None:
    chat = models.chat
    assert chat is not None
    for grammar in (prompts.GRAMMAR, prompts.GRAMMAR_WITHOUT_MENTIONS):
        chat.check_grammar(grammar)  # type: ignore[attr-defined]  # raises when it is not
