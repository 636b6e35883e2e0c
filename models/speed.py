"""How many photos an hour does each model do on this computer? Measured where its weights are here, else estimated and said so.

An estimate scales what was measured on one machine by how fast this one multiplies matrices and reads memory, and by the size
of the weights: reading a prompt and seeing a picture are multiplications, writing a token reads all the weights once. Where a
model of the same runtime is here and was measured, the estimates are corrected by how far off its own estimate was.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from core.errors import AppError
from core.ports import ModelSet, Pixels, Prompt
from models.catalogue import Catalogue, CatalogueEntry, Role, Runtime

_PICTURE_EDGES = (336, 448)  # what captioners are shown on a processor (core.capture.captions)
_CAPTION_PROMPT, _CAPTION_TOKENS, _PICTURE_TOKENS = 160, 90, 154
_MEMORY_MB = 64
_MATRIX = 1024
_REPEATS = 3

# Measured on 2 cores that multiply 100 GFLOP/s and read 8 GB/s as the probe below counts it: research notes on a model of the
# shape of Qwen3-VL-2B (304 tokens read in 6.5 s, its eyes of 0.445 GB 6.5 s on one core) and the starter models as they run here.
_REFERENCE_GFLOPS, _REFERENCE_GB_S = 100.0, 8.0
_READ_TOKENS_S, _SEE_S_A_GB, _WRITE_TOKENS_S = 75.0, 9.0, 12.0  # for weights of 1.1 GB
_REFERENCE_GB = 1.1
_SECONDS = {Role.TEXT_READER: 0.7, Role.SCENES: 0.05, Role.FACES: 0.35, Role.TEXT_EMBEDDER: 0.01}
_WHISPER_S_A_GB = 55.0  # seconds for a minute of speech, by the size of the weights
_SIGLIP_S_A_GB = 1.6


@dataclass(frozen=True, slots=True)
class Speed:
    """What one model does on this computer.

    Attributes:
        seconds: for one photo; for a transcriber one minute of speech; for a language model one answer of 60 tokens.
        unit: what the seconds are for.
        measured: whether it ran; otherwise the figure is an estimate.
        problem: why it could not be measured though it is installed; empty otherwise.
    """

    model_id: str
    role: str
    seconds: float
    unit: str
    measured: bool
    problem: str = ""

    @property
    def an_hour(self) -> int:
        """How many an hour, in two leading digits: more would be pretended."""
        number = 3600 / max(self.seconds, 1e-4)
        digits = max(0, len(str(int(number))) - 2)
        return int(round(number, -digits))

    @property
    def short(self) -> str:
        """For a table."""
        return f"{'' if self.measured else 'est. '}{self.an_hour:,} {self.unit}/h"

    @property
    def sentence(self) -> str:
        """For the person."""
        told = f"about {self.an_hour:,} {self.unit} an hour on this computer"
        return told if self.measured else f"{told}, estimated"


@dataclass(frozen=True, slots=True)
class Machine:
    """What the probe found; 1 is the machine that the constants were measured on."""

    multiplies: float
    reads: float


def probe() -> Machine:
    """Multiply and copy for about a second."""
    random = np.random.default_rng(0)
    matrix = random.random((_MATRIX, _MATRIX), np.float32)
    block = np.ones(_MEMORY_MB << 18, np.float32)
    other = np.empty_like(block)
    multiply_s = min(_timed(lambda: matrix @ matrix) for _ in range(_REPEATS))
    copy_s = min(_timed(lambda: np.copyto(other, block)) for _ in range(_REPEATS))
    gflops = 2 * _MATRIX**3 / multiply_s / 1e9
    gb_s = 2 * block.nbytes / copy_s / 1e9
    return Machine(gflops / _REFERENCE_GFLOPS, gb_s / _REFERENCE_GB_S)


def speeds(catalogue: Catalogue, models: ModelSet, machine: Machine | None = None) -> Iterator[Speed]:
    """Every model of the catalogue in every role it has; those in use are run once to warm up and then measured.

    Args:
        machine: what `probe` found; None probes now.
    """
    here = machine or probe()
    pairs = [(entry, role) for entry in catalogue.entries for role in entry.roles]
    ran = {}
    for entry, role in pairs:
        used = getattr(models, role.value)
        if used is not None and used.model_id == entry.id:
            ran[entry.id, role] = speed = _measured(entry, role, models, here)
            yield speed
    off: dict[Runtime, list[float]] = defaultdict(list)
    for entry, role in pairs:
        if (entry.id, role) in ran and ran[entry.id, role].measured:
            off[entry.runtime].append(ran[entry.id, role].seconds / _estimated(entry, role, here).seconds)
    for entry, role in pairs:
        if (entry.id, role) not in ran:
            guess = _estimated(entry, role, here)
            yield replace(guess, seconds=guess.seconds * median(off[entry.runtime] or [1.0]))


def _measured(entry: CatalogueEntry, role: Role, models: ModelSet, here: Machine) -> Speed:
    try:
        call, part = _call(role, models)
        call()
        seconds = min(_timed(call) for _ in range(2)) / part
    except AppError as error:
        guess = _estimated(entry, role, here)
        return Speed(guess.model_id, guess.role, guess.seconds, guess.unit, False, str(error))
    return Speed(entry.id, role.value, seconds, _unit(role), True)


def _call(role: Role, models: ModelSet) -> tuple[Callable[[], object], float]:
    """What to time, and how much of the unit it does."""
    picture = _drawn()
    if role is Role.TEXT_READER and (reader := models.text_reader):
        return lambda: reader.read(picture), 1
    if role is Role.SCENES and (scenes := models.scenes):
        return lambda: scenes.label(picture), 1
    if role is Role.FACES and (faces := models.faces):
        return lambda: faces.find(picture), 1
    if role is Role.IMAGE_EMBEDDER and (eyes := models.image_embedder):
        return lambda: eyes.embed_pictures([picture]), 1
    if role is Role.TEXT_EMBEDDER and (embedder := models.text_embedder):
        return lambda: embedder.embed_passages(["A photo of a dog on a beach in Lisbon with Anna."] * 8), 8
    if role is Role.TRANSCRIBER and (ears := models.transcriber):
        return lambda: ears.transcribe(_babble()), 10 / 60
    if role is Role.CAPTIONER and (captioner := models.captioner):
        small = picture[: _PICTURE_EDGES[0], : _PICTURE_EDGES[1]]
        return lambda: captioner.describe([small], Prompt("", "Describe it." * 40, "speed/1", max_tokens=40)), 0.7
    if role is Role.CHAT and (chat := models.chat):
        return _answering(chat.complete), 1
    raise AppError(f"The role {role.value} has no model.", "")


def _answering(complete: Callable[[Prompt], object]) -> Callable[[], object]:
    """A prompt that is new each time, so that nothing of it was read before."""
    asked = iter(range(1_000))
    return lambda: complete(
        Prompt("", f"{next(asked)} " + "Tell me about a day at the sea. " * 20, "speed/1", max_tokens=60)
    )


def _estimated(entry: CatalogueEntry, role: Role, here: Machine) -> Speed:
    gigabytes = entry.size_bytes / 1e9
    if role in (Role.CAPTIONER, Role.CHAT):
        seconds = _language_seconds(entry, role, here)
    elif role is Role.TRANSCRIBER:
        seconds = _WHISPER_S_A_GB * gigabytes / here.multiplies
    elif role is Role.IMAGE_EMBEDDER:
        seconds = _SIGLIP_S_A_GB * entry.files[0].size_bytes / 1e9 / here.multiplies
    else:
        seconds = _SECONDS[role] / here.multiplies
    return Speed(entry.id, role.value, seconds, _unit(role), False)


def _language_seconds(entry: CatalogueEntry, role: Role, here: Machine) -> float:
    weights = entry.files[0].size_bytes / 1e9
    bulk = weights / _REFERENCE_GB
    written = (_CAPTION_TOKENS if role is Role.CAPTIONER else 60) * bulk / _WRITE_TOKENS_S / here.reads
    eyes = entry.file("mmproj.gguf")
    if role is Role.CHAT or eyes is None:
        return 200 * bulk / _READ_TOKENS_S / here.multiplies + written
    seen = _SEE_S_A_GB * eyes.size_bytes / 1e9 / here.multiplies
    return (_CAPTION_PROMPT + _PICTURE_TOKENS) * bulk / _READ_TOKENS_S / here.multiplies + seen + written


def _unit(role: Role) -> str:
    return {Role.CHAT: "answers", Role.TRANSCRIBER: "minutes of speech"}.get(role, "photos")


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _drawn() -> Pixels:
    """A picture with some lines of writing, as many photos have none and some have a page."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (1280, 960), (120, 150, 170))
    pen = ImageDraw.Draw(picture)
    for number in range(5):
        pen.text((100, 120 + 110 * number), f"A line of writing, number {number}", "white", ImageFont.load_default(48))
    return np.asarray(picture)


def _babble() -> NDArray[np.float32]:
    """Ten seconds that the speech filter takes for a voice: a buzzing larynx through the resonances of changing vowels."""
    rate, seconds = 16_000, 10
    t = np.arange(rate * seconds) / rate
    buzz = np.sign(np.sin(2 * np.pi * (120 + 15 * np.sin(2 * np.pi * 0.7 * t)) * t)) * (
        0.5 + 0.5 * np.sin(2 * np.pi * 3 * t)
    )
    vowel = np.sin(2 * np.pi * (600 + 200 * np.sin(2 * np.pi * 1.5 * t)) * t) + np.sin(2 * np.pi * 1_700 * t)
    return np.asarray(0.2 * buzz * (1 + vowel), np.float32)
