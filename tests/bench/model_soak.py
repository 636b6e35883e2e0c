"""Does the memory of the models' children stay flat? Asks each small model a thousand times and prints what its process holds.

    python -m tests.bench.model_soak --models FOLDER [--calls 1000] [--roles scenes text_embedder] [--json OUT]

The floor is the first tenth: a process that only ever grows is told by how much it grew after it. No language model: one
thousand answers of half a minute are a night's work (`--chat` asks one for two tokens each).
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from core.capture.media_file import samples
from core.ports import Pixels, Prompt
from models.catalogue import Runtime, load_catalogue
from models.installed import InstalledModels

Sound = NDArray[np.float32]
_SAMPLES = 10
_RATE = 16_000


@dataclass(frozen=True, slots=True)
class Soaked:
    """How the child of one role went: megabytes after each tenth of the calls."""

    role: str
    model: str
    calls: int
    megabytes: list[float]

    @property
    def growth_mb(self) -> float:
        """From the end of the first tenth, when everything is loaded, to the end."""
        return self.megabytes[-1] - self.megabytes[0]


def soak(
    models: InstalledModels,
    calls: int,
    *,
    roles: Sequence[str] = (),
    chat: bool = False,
    speech: Sound | None = None,
    portrait: Pixels | None = None,
) -> list[Soaked]:
    """Ask every installed role (or these) so often; each picture, text and sound is another one."""
    return [
        Soaked(role, model_id, calls, _run(models, runtime, ask, calls))
        for role, model_id, runtime, ask in _askers(models, chat, speech, portrait)
        if not roles or role in roles
    ]


def _askers(
    models: InstalledModels, chat: bool, speech: Sound | None, portrait: Pixels | None
) -> list[tuple[str, str, Runtime, Callable[[int], object]]]:
    found: list[tuple[str, str, Runtime, Callable[[int], object]]] = []
    if scenes := models.scenes:
        found.append(("scenes", scenes.model_id, Runtime.ONNX, lambda number: scenes.label(picture(number))))
    if embedder := models.text_embedder:
        text = "A photo of number {0} on a beach in Lisbon with Anna. " * 3
        found.append(
            ("text_embedder", embedder.model_id, Runtime.ONNX, lambda number: embedder.embed_query(text.format(number)))
        )
    if eyes := models.image_embedder:
        found.append(
            ("image_embedder", eyes.model_id, Runtime.ONNX, lambda number: eyes.embed_pictures([picture(number)]))
        )
    if reader := models.text_reader:
        found.append(("text_reader", reader.model_id, Runtime.ONNX, lambda number: reader.read(picture(number, 320))))
    if onlooker := models.faces:
        found.append(
            (
                "faces",
                onlooker.model_id,
                _runtime_of(onlooker.model_id),
                lambda number: onlooker.find(face_picture(number, portrait)),
            )
        )
    if ears := models.transcriber:
        found.append(
            (
                "transcriber",
                ears.model_id,
                _runtime_of(ears.model_id),
                lambda number: ears.transcribe(sound(number, speech)),
            )
        )
    if answers := (models.chat if chat else None):
        found.append(
            (
                "chat",
                answers.model_id,
                Runtime.LLAMA,
                lambda number: answers.complete(Prompt("Say a number.", f"Not {number}.", "soak/1", max_tokens=2)),
            )
        )
    return found


def _runtime_of(model_id: str) -> Runtime:
    return load_catalogue().get(model_id).runtime


def _run(models: InstalledModels, runtime: Runtime, ask: Callable[[int], object], calls: int) -> list[float]:
    found = []
    for number in range(calls):
        ask(number)
        if (number + 1) % max(1, calls // _SAMPLES) == 0:
            found.append(held_mb(models.pids()[runtime]))
    return found


def held_mb(pid: int) -> float:
    """Resident memory of a process (Linux)."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} has no memory")


def picture(number: int, edge: int = 512) -> Pixels:
    """Another picture and size for each number, with a word in it."""
    random = np.random.default_rng(number)
    height, width = (edge, edge * 3 // 4) if number % 2 else (edge * 2 // 3, edge)
    drawn = Image.fromarray(random.integers(0, 256, (8, 8, 3), np.uint8)).resize((width, height))
    ImageDraw.Draw(drawn).text((20, 40), f"Room {number}", "white", font_size=32)
    return np.asarray(drawn)


def face_picture(number: int, portrait: Pixels | None = None) -> Pixels:
    """The portrait, cut a little differently for each number; without one a picture with no face in it."""
    if portrait is None:
        return picture(number)
    return portrait[number % 9 :, number % 7 :]


def sound(number: int, speech: Sound | None = None, seconds: int = 6) -> Sound:
    """Another few seconds for each number: a piece of the speech, else of a voice-like hum, with noise of its own."""
    random = np.random.default_rng(number)
    length = seconds * _RATE
    if speech is not None and len(speech) > length:
        start = int(random.integers(0, len(speech) - length))
        piece = speech[start : start + length]
    else:
        at = np.arange(length, dtype=np.float32) / _RATE
        piece = 0.3 * np.sin(2 * np.pi * (110 + number % 90) * at) * np.sin(2 * np.pi * 3 * at) ** 2
    return (piece + 0.002 * random.standard_normal(length)).astype(np.float32)


def main() -> int:
    """Print one line a role."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--roles", nargs="*", default=(), metavar="ROLE", help="only these")
    parser.add_argument("--chat", action="store_true")
    parser.add_argument("--speech", type=Path, metavar="FILE", help="a recording, so that the transcriber has to write")
    parser.add_argument(
        "--portrait", type=Path, metavar="FILE", help="a photo of a face, so that there is one to describe"
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with options.speech.open("rb") if options.speech else nullcontext() as file:
        speech = samples(file, 600.0) if file else None
    portrait = np.asarray(Image.open(options.portrait).convert("RGB")) if options.portrait else None
    with tempfile.TemporaryDirectory() as logs:
        models = InstalledModels(options.models, Path(logs))
        try:
            found = soak(
                models, options.calls, roles=options.roles, chat=options.chat, speech=speech, portrait=portrait
            )
        finally:
            models.close()
    for each in found:
        held = " ".join(f"{value:.0f}" for value in each.megabytes)
        sys.stdout.write(f"{each.role:14} {each.model:28} n={each.calls}  MB: {held}  grew {each.growth_mb:+.1f} MB\n")
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in found]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
