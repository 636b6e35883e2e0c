"""What a model does an hour on this computer is measured where it is here, and otherwise estimated and said to be."""

from dataclasses import dataclass

import pytest

from core.errors import ModelError
from core.ports import Pixels, Prompt, Reply
from core.records import SceneLabel
from models.catalogue import Role, load_catalogue
from models.speed import Machine, Speed, probe, speeds
from tests.fakes import FakeModels

HERE = Machine(1.0, 1.0)


@dataclass
class Scenes:
    model_id: str = "efficientnet-lite0"
    revision: str = "1"
    error: ModelError | None = None

    def label(self, picture: Pixels) -> tuple[SceneLabel, ...]:
        if self.error is not None:
            raise self.error
        return ()


@dataclass
class Chat:
    model_id: str = "qwen2.5-coder-1.5b-instruct-q4_k_m"
    revision: str = "1"
    parameters_b: float = 1.5
    context_tokens: int = 4096
    asked: int = 0

    def complete(self, prompt: Prompt, **_: object) -> Reply:
        self.asked += 1
        return Reply("", complete=True)


def told(models: FakeModels, machine: Machine = HERE) -> dict[tuple[str, str], Speed]:
    return {(each.model_id, each.role): each for each in speeds(load_catalogue(), models, machine)}


def test_every_model_is_told_of_in_every_role_it_has() -> None:
    catalogue = load_catalogue()
    expected = {(entry.id, role.value) for entry in catalogue.entries for role in entry.roles}
    found = told(FakeModels())
    assert set(found) == expected
    assert not any(speed.measured for speed in found.values())
    assert all(speed.seconds > 0 and speed.sentence.endswith("estimated") for speed in found.values())


def test_a_model_that_is_here_is_run_and_measured() -> None:
    speed = told(FakeModels(scenes=Scenes()))["efficientnet-lite0", "scenes"]
    assert speed.measured
    assert "estimated" not in speed.sentence


def test_a_model_that_fails_is_estimated_and_says_why() -> None:
    speed = told(FakeModels(scenes=Scenes(error=ModelError("It is broken.", "Get it again."))))[
        "efficientnet-lite0", "scenes"
    ]
    assert not speed.measured
    assert "It is broken." in speed.problem


def test_a_larger_model_is_slower_and_a_faster_machine_faster() -> None:
    found = told(FakeModels())
    ids = [f"qwen3-vl-{size}b-instruct-q4_k_m" for size in (2, 4, 8)]
    seconds = [found[each, Role.CAPTIONER.value].seconds for each in ids]
    assert seconds == sorted(seconds)
    assert told(FakeModels(), Machine(2.0, 2.0))[ids[0], "captioner"].seconds == pytest.approx(seconds[0] / 2)


def test_estimates_are_corrected_by_a_measured_model_of_the_same_runtime() -> None:
    plain, corrected = told(FakeModels()), told(FakeModels(chat=Chat()))
    key = ("qwen3-vl-4b-instruct-q4_k_m", "captioner")
    assert corrected[key].seconds < plain[key].seconds / 10  # the fake answers at once
    assert not corrected[key].measured
    other = ("whisper-small", "transcriber")
    assert corrected[other].seconds == plain[other].seconds


def test_only_two_digits_are_pretended() -> None:
    assert Speed("m", "captioner", 29.3, "photos", True).sentence == "about 120 photos an hour on this computer"
    assert (
        Speed("m", "scenes", 0.051, "photos", False).sentence
        == "about 71,000 photos an hour on this computer, estimated"
    )
    assert Speed("m", "captioner", 1200, "photos", False).an_hour == 3
    assert Speed("m", "captioner", 29.3, "photos", False).short == "est. 120 photos/h"


def test_the_probe_finds_a_machine() -> None:
    machine = probe()
    assert machine.multiplies > 0
    assert machine.reads > 0
