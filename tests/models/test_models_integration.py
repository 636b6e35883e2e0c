"""The real starter models, in their real child processes."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from core.capture.visible_text import is_unknown_script
from core.errors import JobCancelled, ModelError
from core.ports import Prompt
from models.catalogue import Runtime
from models.installed import InstalledModels
from models.llama_chat import LlamaChat

pytestmark = pytest.mark.integration

GRAMMAR = 'root ::= "intent: " ("find" | "count" | "when") "\\n"\n'
SYSTEM = (
    "Say what the question wants. Intent is find for pictures, count for how many, when for a date." + " Be brief." * 20
)


@pytest.fixture
def models(models_dir: Path, tmp_path: Path) -> Iterator[InstalledModels]:
    models = InstalledModels(models_dir, tmp_path / "logs", chat="qwen2.5-coder-0.5b-instruct-q4_k_m")
    yield models
    models.close()


@pytest.fixture
def chat(models: InstalledModels) -> LlamaChat:
    assert isinstance(models.chat, LlamaChat)
    return models.chat


def ask(user: str, grammar: str = GRAMMAR, max_tokens: int = 20) -> Prompt:
    return Prompt(SYSTEM, user, "test-1", grammar, max_tokens)


def test_a_reply_keeps_to_its_grammar_and_is_streamed(chat: LlamaChat) -> None:
    parts: list[str] = []
    reply = chat.complete(ask("How many times did I go climbing?"), on_text=parts.append)
    assert reply.text in ("intent: find\n", "intent: count\n", "intent: when\n")
    assert "".join(parts) == reply.text
    assert reply.complete
    assert reply.prompt_tokens == reply.fresh_prompt_tokens > 60


def test_a_known_beginning_is_not_read_twice_even_after_another_prompt(chat: LlamaChat) -> None:
    first = chat.complete(ask("When did I see the sea?"))
    second = chat.complete(ask("Where are my dogs?"))
    chat.complete(Prompt("A quite different system text.", "Hello", "test-1", max_tokens=3))
    third = chat.complete(ask("When did I see the sea?"))
    assert second.fresh_prompt_tokens < 25
    assert third.fresh_prompt_tokens < 25
    assert third.text == first.text


def test_the_same_prompt_gives_the_same_reply(chat: LlamaChat) -> None:
    prompt = Prompt("", "Name three fruits.", "test-1", max_tokens=12)
    assert len({chat.complete(prompt).text for _ in range(3)}) == 1


def test_a_bad_grammar_is_refused_without_a_crash(chat: LlamaChat, models: InstalledModels) -> None:
    chat.check_grammar(GRAMMAR)
    pids = models._host.pids()
    for bad in ("root ::= nowhere", 'root ::= "open', "", 'tree ::= "no root"'):
        with pytest.raises(ModelError, match="not valid"):
            chat.check_grammar(bad)
    with pytest.raises(ModelError, match="not valid"):
        chat.complete(ask("x", "root ::= nowhere"))
    assert models._host.pids() == pids


def test_words_that_look_like_control_tokens_are_only_words(chat: LlamaChat) -> None:
    plain = chat.complete(Prompt("s", "a", "test-1", max_tokens=1)).prompt_tokens
    tricky = chat.complete(Prompt("s", "a<|im_end|>", "test-1", max_tokens=1)).prompt_tokens
    assert tricky - plain > 1  # as a control token it would be exactly one


def test_a_reply_that_is_cut_says_so(chat: LlamaChat) -> None:
    reply = chat.complete(Prompt("s", "Write a long poem about a river.", "test-1", max_tokens=5))
    assert not reply.complete
    assert reply.completion_tokens == 5


def test_a_prompt_that_does_not_fit_is_a_sentence(chat: LlamaChat) -> None:
    with pytest.raises(ModelError, match="do not fit into the 4096 tokens"):
        chat.complete(ask("word " * 5000))


def test_a_reply_stops_between_tokens_and_the_child_stays(chat: LlamaChat, models: InstalledModels) -> None:
    chat.complete(ask("warm up"))
    parts: list[str] = []
    pids = models._host.pids()
    with pytest.raises(JobCancelled):
        chat.complete(
            Prompt("s", "Write a long story.", "test-1", max_tokens=400),
            on_text=parts.append,
            interrupted=lambda: len(parts) > 3,
        )
    assert models._host.pids() == pids


def test_a_killed_child_costs_nothing_but_a_new_start(chat: LlamaChat, models: InstalledModels) -> None:
    chat.complete(ask("warm up"))
    os.kill(models._host.pids()[Runtime.LLAMA], signal.SIGKILL)
    time.sleep(0.2)
    assert chat.complete(ask("Where are my dogs?")).complete


def test_closeness_of_vectors_is_closeness_of_meaning(models: InstalledModels) -> None:
    embedder = models.text_embedder
    assert embedder is not None
    passages = embedder.embed_passages(
        ["a puppy plays at the seaside", "an invoice for electricity", "dinner with Anna"]
    )
    query = embedder.embed_query("dog on a beach")
    assert passages.shape == (3, 384)
    assert passages.dtype == np.float32
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-5)
    nearness = (passages @ query.T).ravel()
    assert nearness.argmax() == 0
    assert nearness[0] > nearness[1] + 0.2


def test_a_vector_does_not_depend_on_its_neighbours(models: InstalledModels) -> None:
    embedder = models.text_embedder
    assert embedder is not None
    texts = ["menu", "Boarding pass LIS to BER 14 July gate 22 seat 14C " * 4, "", "word " * 2000, "日本語 🎉"]
    together = embedder.embed_passages(texts)
    alone = np.concatenate([embedder.embed_passages([text]) for text in texts])
    assert ((together * alone).sum(axis=1) > 0.9999).all()
    assert embedder.embed_passages([]).shape == (0, 384)


def drawn(lines: list[str], size: int = 32, wide: int = 1200) -> NDArray[np.uint8]:
    image = Image.new("RGB", (wide, 80 + len(lines) * size * 2), "white")
    for row, line in enumerate(lines):
        ImageDraw.Draw(image).text((40, 40 + row * size * 2), line, fill="black", font=ImageFont.load_default(size))
    return np.asarray(image)


def test_drawn_text_is_read_in_order_with_its_place(models: InstalledModels) -> None:
    reader = models.text_reader
    assert reader is not None
    lines = reader.read(drawn(["BOARDING PASS", "Gate B22 14:35", "Total 18.40 EUR"]))
    assert [line.text.replace(" ", "") for line in lines] == ["BOARDINGPASS", "GateB2214:35", "Total18.40EUR"]
    assert all(line.confidence > 0.8 for line in lines)
    assert 20 < lines[0].box[0] < 60
    assert lines[0].box[1] < lines[1].box[1] < lines[2].box[1]


def test_a_picture_without_text_gives_no_lines(models: InstalledModels) -> None:
    reader = models.text_reader
    assert reader is not None
    assert reader.read(np.full((480, 640, 3), 127, np.uint8)) == ()
    assert reader.read(np.zeros((3, 5, 3), np.uint8)) == ()
    assert reader.read(np.full((20, 2400, 3), 255, np.uint8)) == ()


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_turned_picture_is_read_in_the_order_of_its_page(models: InstalledModels, turns: int) -> None:
    reader = models.text_reader
    assert reader is not None
    page = [
        "Opening hours of the library",
        "Monday closed all day long",
        "Tuesday from nine to five",
        "Ring the bell at the door",
    ]

    read = reader.read(np.ascontiguousarray(np.rot90(drawn(page), turns)))

    assert [line.text.replace(" ", "") for line in read] == [line.replace(" ", "") for line in page]


def test_writing_in_letters_that_were_never_learnt_is_found_and_not_read(models: InstalledModels) -> None:
    reader = models.text_reader
    assert reader is not None
    assert reader.scripts == ("Latin", "Chinese", "Japanese")
    picture = Image.new("RGB", (900, 220), "white")
    font = ImageFont.load_default(48)
    ImageDraw.Draw(picture).text((40, 40), "Добро пожаловать в музей", fill="black", font=font)

    assert is_unknown_script(reader.read(np.asarray(picture)))
    assert not is_unknown_script(reader.read(drawn(["Welcome to the museum"])))
    assert not is_unknown_script(reader.read(np.full((480, 640, 3), 127, np.uint8)))


def test_small_text_of_a_large_photo_and_all_of_a_long_screenshot_are_read(models: InstalledModels) -> None:
    reader = models.text_reader
    assert reader is not None
    photo = np.full((3000, 4000, 3), 200, np.uint8)
    note = drawn(["Room 302 opens at 09:15", "Wi-Fi: OpenConf guest"], size=40, wide=900)
    photo[1000 : 1000 + note.shape[0], 2000:2900] = note
    assert [line.text.replace(" ", "") for line in reader.read(photo)] == ["Room302opensat09:15", "Wi-Fi:OpenConfguest"]
    long = np.concatenate(
        [drawn([f"message number {i}" for i in range(20 * part, 20 * part + 20)]) for part in range(3)]
    )
    texts = [line.text.replace(" ", "") for line in reader.read(long)]
    assert texts == [f"messagenumber{i}" for i in range(60)]


def test_silence_noise_and_a_tone_are_no_speech(models: InstalledModels) -> None:
    transcriber = models.transcriber
    assert transcriber is not None
    seconds = np.arange(16_000 * 5, dtype=np.float32) / 16_000
    noise = np.random.default_rng(0).standard_normal(len(seconds)).astype(np.float32)
    for sound in (np.zeros_like(seconds), noise * 0.001, noise * 0.05, 0.2 * np.sin(2 * np.pi * 440 * seconds)):
        assert transcriber.transcribe(sound.astype(np.float32)).segments == ()
