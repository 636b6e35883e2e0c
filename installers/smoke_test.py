"""Does the frozen program work on this machine? `python -m installers.smoke_test dist/madeleine`.

It runs what lies in the folder, from another working directory, with an empty home and without the environment of the source
tree: what a forgotten module, library or data file breaks shows here and not at a person's.
"""

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import ExifTags, Image, ImageDraw, ImageFont

log = logging.getLogger(__name__)

_SIGN = "MERIDIAN CONFERENCE"
_WINDOW_S = 8.0


class SmokeError(Exception):
    """The frozen program did something else than it should; says what it was asked and what it said."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """The program under test and its surroundings."""

    program: Path
    home: Path
    models: Path | None

    def run(self, *arguments: str, timeout_s: float = 300) -> str:
        """Run a command and return what it prints.

        Raises:
            SmokeError: it ends with something else than 0, or not in time.
        """
        command = [str(self.program), *arguments]
        try:
            done = subprocess.run(  # noqa: S603
                command, capture_output=True, encoding="utf-8", cwd=self.home, env=self.environment(), timeout=timeout_s
            )
        except subprocess.TimeoutExpired as error:
            raise SmokeError(f"{' '.join(arguments)} did not end within {timeout_s:.0f} s") from error
        if done.returncode != 0:
            raise SmokeError(f"{' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def environment(self) -> dict[str, str]:
        """Only what a person's desktop has, and our home."""
        kept = ("PATH", "SYSTEMROOT", "WINDIR", "TEMP", "TMP", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "MADELEINE_HOME": str(self.home / "library"),
        }
        if self.models is not None:
            environment["MADELEINE_MODELS"] = str(self.models)
        return environment


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every check; the first failure ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path, help="the folder that holds the program")
    parser.add_argument("--models", type=Path, help="weights; with them a question is asked of the language model too")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    name = "madeleine.exe" if sys.platform == "win32" else "madeleine"
    with tempfile.TemporaryDirectory() as home:
        frozen = Frozen((options.bundle / name).resolve(), Path(home), options.models and options.models.resolve())
        checks = [starts_empty, lists_its_models, reads_a_picture, opens_its_window]
        if frozen.models is not None:
            checks.append(answers_with_the_model)
        try:
            for check in checks:
                _timed(check, frozen)
        except SmokeError as problem:
            log.error("FAILED: %s", problem)  # noqa: TRY400 - the sentence is the message
            return 1
    return 0


def starts_empty(frozen: Frozen) -> None:
    """A new home has a database, and nothing in it."""
    json.loads(frozen.run("status", "--json"))


def lists_its_models(frozen: Frozen) -> None:
    """The catalogue is in the bundle."""
    listed = frozen.run("models", "list", "--json")
    if "minilm-l6-v2-int8" not in listed:
        raise SmokeError(f"models list does not know the starter tier:\n{listed}")


def reads_a_picture(frozen: Frozen) -> None:
    """Decoding, the text reader, the store and the search work, in child processes too."""
    album = frozen.home / "album"
    album.mkdir()
    draw_sign(album / "sign.jpg")
    frozen.run("add", str(album))
    frozen.run("process", timeout_s=600)
    found = frozen.run("search", _SIGN.lower(), "--json")
    if "sign.jpg" not in found:
        raise SmokeError(f"the words in a picture are not found:\n{found}\n{frozen.run('problems', '--json')}")
    there = frozen.run("list", "--place", "Reykjavik", "--json")
    if "sign.jpg" not in there:
        raise SmokeError(f"the place of a picture is not known:\n{there}")


def answers_with_the_model(frozen: Frozen) -> None:
    """llama.cpp loads from the bundle and answers."""
    answer = frozen.run("ask", "Which conference was on the sign?", "--json", timeout_s=600)
    if not json.loads(answer)["completion_tokens"]:
        raise SmokeError(f"the language model wrote nothing:\n{answer}")


def opens_its_window(frozen: Frozen) -> None:
    """Qt and its plug-ins are in the bundle: the window stays open until it is told to close."""
    environment = frozen.environment()
    if sys.platform == "linux" and not ({"DISPLAY", "WAYLAND_DISPLAY"} & environment.keys()):
        environment["QT_QPA_PLATFORM"] = "offscreen"
    window = subprocess.Popen(  # noqa: S603
        [str(frozen.program)], env=environment, cwd=frozen.home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        said, _ = window.communicate(timeout=_WINDOW_S)
    except subprocess.TimeoutExpired:
        window.terminate()
        window.communicate()
        return
    raise SmokeError(f"the window closed by itself with {window.returncode}:\n{said.decode(errors='replace')}")


def draw_sign(path: Path) -> None:
    """A picture with words that any text reader can read, taken in Reykjavik."""
    picture = Image.new("RGB", (900, 300), "white")
    ImageDraw.Draw(picture).text((60, 110), _SIGN, fill="black", font=ImageFont.load_default(size=64))
    exif = Image.Exif()
    exif[ExifTags.Base.DateTime] = "2025:05:14 10:30:00"
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = "2025:05:14 10:30:00"
    place = exif.get_ifd(ExifTags.IFD.GPSInfo)
    place[ExifTags.GPS.GPSLatitudeRef], place[ExifTags.GPS.GPSLatitude] = "N", (64.0, 8.0, 47.0)
    place[ExifTags.GPS.GPSLongitudeRef], place[ExifTags.GPS.GPSLongitude] = "W", (21.0, 56.0, 24.0)
    picture.save(path, exif=exif, quality=92)


def _timed(check: Callable[[Frozen], None], frozen: Frozen) -> None:
    started = time.monotonic()
    check(frozen)
    log.info("ok  %s (%.1f s)", check.__name__.replace("_", " "), time.monotonic() - started)


if __name__ == "__main__":
    sys.exit(main())
