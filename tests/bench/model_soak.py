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
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from core.ports import Pixels, Prompt
from models.catalogue import Runtime
from models.installed import InstalledModels

_SAMPLES = 10


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


def soak(models: InstalledModels, calls: int, *, roles: Sequence[str] = (), chat: bool = False) -> list[Soaked]:
    """Ask every installed role (or these) so often; each picture and text is another one."""
    return [
        Soaked(role, model_id, calls, _run(models, runtime, ask, calls))
        for role, model_id, runtime, ask in _askers(models, chat=chat)
        if not roles or role in roles
    ]


def _askers(models: InstalledModels, *, chat: bool) -> list[tuple[str, str, Runtime, Callable[[int], object]]]:
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


def main() -> int:
    """Print one line a role."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--roles", nargs="*", default=(), metavar="ROLE", help="only these")
    parser.add_argument("--chat", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as logs:
        models = InstalledModels(options.models, Path(logs))
        try:
            found = soak(models, options.calls, roles=options.roles, chat=options.chat)
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
