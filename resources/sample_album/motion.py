"""How the album's video and its voice note are made: drawn frames, and speech where a synthesiser is installed."""

import shutil
import subprocess
import tempfile
import wave
from collections.abc import Iterator
from datetime import UTC
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image

from resources.sample_album.launch import draw_rocket, launch_sky
from resources.sample_album.recipe import AlbumMemory

VIDEO_SECONDS = 8
VOICE_NOTE_SECONDS = 8
_FRAMES_A_SECOND = 15
_VIDEO_SIZE = (960, 540)
_SAMPLES_A_SECOND = 22050
_SPEAK_TIMEOUT_S = 20


def write_video(memory: AlbumMemory, path: Path) -> None:
    """Eight seconds of the launch as MP4, with creation time and position in its header."""
    with av.open(str(path), "w", options={"movflags": "+faststart", "fflags": "+bitexact"}) as container:
        container.metadata.update(_header(memory))
        pictures = container.add_stream("libx264", rate=_FRAMES_A_SECOND)
        pictures.width, pictures.height = _VIDEO_SIZE
        pictures.pix_fmt = "yuv420p"
        pictures.options = {"preset": "veryfast", "crf": "24", "threads": "1"}
        sound = container.add_stream("aac", rate=_SAMPLES_A_SECOND)
        sound.layout = "mono"
        for number, frame in enumerate(_launch_frames()):
            shot = av.VideoFrame.from_ndarray(np.asarray(frame), format="rgb24")
            shot.pts, shot.time_base = number, Fraction(1, _FRAMES_A_SECOND)
            container.mux(pictures.encode(shot))
        container.mux(pictures.encode(None))
        _write_sound(container, sound, _speech(memory.says, VIDEO_SECONDS))


def write_voice_note(memory: AlbumMemory, path: Path) -> None:
    """A voice note as M4A with its creation time; silent where no speech can be made."""
    with av.open(str(path), "w", format="ipod", options={"fflags": "+bitexact"}) as container:
        container.metadata.update(_header(memory))
        sound = container.add_stream("aac", rate=_SAMPLES_A_SECOND)
        sound.layout = "mono"
        _write_sound(container, sound, _speech(memory.says, VOICE_NOTE_SECONDS))


def _header(memory: AlbumMemory) -> dict[str, str]:
    header = {"creation_time": memory.taken_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000000Z")}
    if memory.place:
        header["location"] = f"{memory.place.latitude:+08.4f}{memory.place.longitude:+09.4f}/"
    return header


def _launch_frames() -> Iterator[Image.Image]:
    """The rocket stands for two seconds, then rises faster and faster."""
    width, height = _VIDEO_SIZE
    rng = np.random.default_rng(20240907)
    sky = launch_sky(_VIDEO_SIZE, rng)
    ground = height * 0.735 - 120
    for number in range(VIDEO_SECONDS * _FRAMES_A_SECOND):
        flight_s = max(0.0, number / _FRAMES_A_SECOND - 2.2)
        frame = sky.copy()
        draw_rocket(frame, (width * 0.52, ground - 11 * flight_s**2), 0.42, rng)
        yield frame


def _speech(words: str, seconds: int) -> np.ndarray:
    """The spoken words as 16-bit mono samples, padded with silence; all silence without espeak-ng."""
    samples = np.zeros(seconds * _SAMPLES_A_SECOND, np.int16)
    synthesiser = shutil.which("espeak-ng")
    if synthesiser is None:
        return samples
    with tempfile.TemporaryDirectory() as folder:
        spoken = Path(folder) / "spoken.wav"
        command = [synthesiser, "-v", "en-gb", "-s", "140", "-w", str(spoken), words]
        subprocess.run(command, check=True, timeout=_SPEAK_TIMEOUT_S, capture_output=True)  # noqa: S603  # our own words
        with wave.open(str(spoken)) as sound:
            heard = np.frombuffer(sound.readframes(sound.getnframes()), np.int16)[: len(samples)]
    samples[: len(heard)] = heard
    return samples


def _write_sound(container: "av.container.OutputContainer", stream: "av.AudioStream", samples: np.ndarray) -> None:
    for start in range(0, len(samples), 1024):
        piece = av.AudioFrame.from_ndarray(samples[None, start : start + 1024], format="s16", layout="mono")
        piece.sample_rate, piece.pts = _SAMPLES_A_SECOND, start
        piece.time_base = Fraction(1, _SAMPLES_A_SECOND)
        container.mux(stream.encode(piece))
    container.mux(stream.encode(None))
