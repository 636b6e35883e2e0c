"""Measures how well speech is written down, beside faster-whisper as it comes, and what is "heard" where nobody speaks.

    python tests/bench/hear.py [SPEECH] [--json OUT] [--home DIR]

Twenty sentences are spoken by espeak-ng (apt-get install espeak-ng), clean and in noise; SPEECH is a folder with clips, of which
`jfk.flac` has a known transcript. Silence, noise and music are made here: nothing may be heard in them.
"""

import argparse
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import wave
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[2]))

from core.capture.media_file import samples as decoded
from core.paths import Home, default_home
from models.installed import InstalledModels

Sound = NDArray[np.float32]
_RATE = 16_000
_INAUGURAL = (
    "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country."
)
SENTENCES = (
    "We are going to the beach tomorrow morning.",
    "The code of my bicycle lock is on the kitchen table.",
    "Happy birthday to my sister, she is thirty years old today.",
    "Remember to buy milk, bread and a bottle of olive oil.",
    "The train to Vienna leaves from platform seven.",
    "This is the museum we visited with grandmother last summer.",
    "Can you hear the waves behind me?",
    "The cat is sleeping on the red sofa again.",
    "Our flight was delayed by two hours because of the snow.",
    "I think this mountain is higher than the other one.",
    "Please call the doctor on Thursday afternoon.",
    "Look at that rocket, it is lifting off right now.",
    "My favourite restaurant is the one beside the river.",
    "He lost his keys somewhere in the park.",
    "The meeting begins at nine and ends at eleven.",
    "There were four dogs playing in the garden.",
    "Turn left after the church and then go straight on.",
    "She won the first prize in the swimming competition.",
    "The soup was too hot, but the cake was wonderful.",
    "Good night everybody, and thank you for the music.",
)


@dataclass(frozen=True, slots=True)
class Clip:
    """A sound and what is said in it (empty: nothing)."""

    group: str
    name: str
    sound: Sound
    said: str


def main() -> None:
    """Run from the command line."""
    options = _options()
    clips = [*_spoken(), *_known(options.speech), *_without_speech()]
    with tempfile.TemporaryDirectory() as scratch:
        models_dir = Home(options.home or default_home()).models
        models = InstalledModels(models_dir, Path(scratch), "none", "none")
        transcriber = models.transcriber
        if transcriber is None:
            sys.exit("No model that writes down speech is installed.")
        try:
            plain = _plain_whisper(models_dir / transcriber.model_id)
            hearers: dict[str, Callable[[Sound], str]] = {
                "ours": lambda sound: transcriber.transcribe(sound).text,
                "plain faster-whisper": plain,
            }
            rows = [_heard(clip, name, hear) for clip in clips for name, hear in hearers.items()]
        finally:
            models.close()
    if options.json:
        options.json.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    _report(rows)


def word_errors(said: str, heard: str) -> tuple[int, int]:
    """(words to change, add or leave out, words said)."""
    truth, ours = _words(said), _words(heard)
    row = list(range(len(ours) + 1))
    for at, word in enumerate(truth, start=1):
        before, row[0] = row[0], at
        for to, other in enumerate(ours, start=1):
            before, row[to] = row[to], min(row[to] + 1, row[to - 1] + 1, before + (word != other))
    return row[-1], len(truth)


def _words(text: str) -> list[str]:
    numbers = {
        "7": "seven",
        "9": "nine",
        "11": "eleven",
        "4": "four",
        "2": "two",
        "30": "thirty",
        "favorite": "favourite",
        "1st": "first",
    }
    return [numbers.get(word, word) for word in re.findall(r"[\w']+", text.casefold())]


def _heard(clip: Clip, name: str, hear: Callable[[Sound], str]) -> dict[str, object]:
    started = perf_counter()
    text = hear(clip.sound)
    errors, words = word_errors(clip.said, text)
    return {
        "group": clip.group, "clip": clip.name, "hearer": name, "said": clip.said, "heard": text, "errors": errors, "words": words,
        "words_heard": len(_words(text)), "seconds": perf_counter() - started, "length_s": len(clip.sound) / _RATE,
    }  # fmt: skip


def _spoken() -> Iterator[Clip]:
    espeak = shutil.which("espeak-ng")
    if espeak is None:
        print("espeak-ng is not installed (apt-get install espeak-ng): the twenty sentences are left out.")
        return
    noise = np.random.default_rng(0)
    for number, sentence in enumerate(SENTENCES):
        run = subprocess.run(
            [espeak, "-v", "en-gb", "-s", "150", "--stdout", sentence], capture_output=True, check=True
        )
        sound = _wave(run.stdout)
        yield Clip("espeak", str(number), sound, sentence)
        yield Clip(
            "espeak in noise",
            str(number),
            sound + 0.02 * noise.standard_normal(len(sound)).astype(np.float32),
            sentence,
        )


def _wave(data: bytes) -> Sound:
    """The sound of espeak: its header says nothing of the length when it writes into a pipe."""
    with wave.open(io.BytesIO(data)) as file:
        rate = file.getframerate()
        whole = np.frombuffer(file.readframes(len(data)), np.int16).astype(np.float32) / 32768
    at = np.arange(0, len(whole) - 1, rate / _RATE)
    return np.interp(at, np.arange(len(whole)), whole).astype(np.float32)


def _known(folder: Path | None) -> Iterator[Clip]:
    if folder is None:
        return
    for path in sorted(folder.rglob("jfk.flac")):
        with path.open("rb") as file:
            yield Clip("inaugural", path.name, decoded(file, 600.0), _INAUGURAL)


def _without_speech() -> Iterator[Clip]:
    random = np.random.default_rng(1)
    for seconds in (3, 15, 40):
        length = seconds * _RATE
        at = np.arange(length, dtype=np.float32) / _RATE
        yield Clip("silence", f"{seconds} s", np.zeros(length, np.float32), "")
        yield Clip("silence", f"{seconds} s, hiss", (0.0008 * random.standard_normal(length)).astype(np.float32), "")
        yield Clip("noise", f"{seconds} s, white", (0.1 * random.standard_normal(length)).astype(np.float32), "")
        rumble = np.cumsum(random.standard_normal(length)).astype(np.float32)
        rumble -= np.convolve(rumble, np.ones(800, np.float32) / 800, "same")
        yield Clip("noise", f"{seconds} s, rumble", (0.3 * rumble / np.abs(rumble).max()).astype(np.float32), "")
        yield Clip("music", f"{seconds} s, chords", _chords(at), "")
        yield Clip("music", f"{seconds} s, melody", _melody(at, random), "")


def _chords(at: Sound) -> Sound:
    """Four chords of three tones with overtones, two seconds each, over and over."""
    chords = np.array([[262, 330, 392], [220, 262, 330], [175, 220, 262], [196, 247, 294]], np.float32)
    now = chords[(at // 2).astype(int) % 4]
    tones = sum(np.sin(2 * np.pi * now[:, tone] * over * at) / over for tone in range(3) for over in (1, 2, 3))
    return np.asarray(0.06 * tones * np.exp(-(at % 2)), np.float32)


def _melody(at: Sound, random: np.random.Generator) -> Sound:
    """Plucked notes of one scale with a beat under them."""
    scale = np.array([262, 294, 330, 392, 440, 523], np.float32)
    notes = scale[random.integers(0, len(scale), int(at[-1] * 4) + 2)]
    tone = np.sin(2 * np.pi * notes[(at * 4).astype(int)] * at) * np.exp(-6 * (at % 0.25))
    beat = random.standard_normal(len(at)) * np.exp(-40 * (at % 0.5))
    return np.asarray(0.2 * tone + 0.1 * beat, np.float32)


def _plain_whisper(folder: Path) -> Callable[[Sound], str]:
    """faster-whisper with its own defaults and the same weights."""
    from faster_whisper import WhisperModel

    model = WhisperModel(str(folder), device="cpu", compute_type="int8", local_files_only=True)
    return lambda sound: " ".join(segment.text for segment in model.transcribe(sound)[0]).strip()


def _report(rows: list[dict[str, object]]) -> None:
    print(
        f"{'clips':16} {'hearer':22} {'n':>3} {'word error rate':>16} {'words where none are':>21} {'x real time':>12}"
    )
    for group, hearer in dict.fromkeys((str(row["group"]), str(row["hearer"])) for row in rows):
        those = [row for row in rows if (row["group"], row["hearer"]) == (group, hearer)]
        errors, words, heard, seconds, length = (
            sum(float(str(row[name])) for row in those)
            for name in ("errors", "words", "words_heard", "seconds", "length_s")
        )
        rate = f"{errors / words:.3f}" if words else "-"
        invented = "-" if words else f"{heard:.0f}"
        print(f"{group:16} {hearer:22} {len(those):3} {rate:>16} {invented:>21} {length / seconds:12.1f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("speech", nargs="?", type=Path, help="a folder of clips")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--home", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
