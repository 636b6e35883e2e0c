"""The grammars of every prompt compile against the real vocabularies, and the real model's replies fit their schema."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ask.prompts import GRAMMARS, answer_prompt, choice_prompt, judge_prompt, pick_prompt
from core.ask.replies import read_answer, read_judgement, read_letter, read_pick
from core.ask.talk import Talk
from core.errors import ModelError
from core.ports import never
from models.installed import InstalledModels
from models.llama_chat import LlamaChat

_LINES = [
    "m1 Sun 2 Mar 2025 11:00 | Harbour Café | Waffles with Elif and Jonas.",
    "m2 Tue 11 Feb 2025 | A climbing wall.",
]


@pytest.fixture
def chat(models_dir: Path, tmp_path: Path) -> Iterator[LlamaChat]:
    models = InstalledModels(models_dir, tmp_path, "qwen2.5-coder-0.5b-instruct-q4_k_m", "none")
    assert isinstance(models.chat, LlamaChat)
    yield models.chat
    models.close()


@pytest.mark.integration
def test_every_grammar_compiles(chat: LlamaChat) -> None:
    for grammar in GRAMMARS:
        chat.check_grammar(grammar)
    with pytest.raises(ModelError):
        chat.check_grammar("root ::= nothing-of-that-name")


@pytest.mark.integration
def test_the_smallest_model_replies_within_every_schema(chat: LlamaChat) -> None:
    talk = Talk(chat, never)

    answered = talk.ask(answer_prompt("What did we eat with Elif?", "Tuesday 2025-07-01", "Nora", _LINES), read_answer)
    picked = talk.ask(pick_prompt("When did we eat waffles?", _LINES), read_pick)
    judged = talk.ask(judge_prompt("climbing", _LINES[1]), read_judgement)
    options = (("A", "Sushi"), ("B", "Waffles"))
    chosen = talk.ask(
        choice_prompt("What did we eat?", "Tuesday 2025-07-01", _LINES, options),
        lambda text: read_letter(text, frozenset("AB")),
    )

    assert set(answered.handles) <= {"m1", "m2"} or answered.text
    assert picked in ("", "m1", "m2") or picked.startswith("m")
    assert isinstance(judged, bool)
    assert chosen in ("A", "B")
