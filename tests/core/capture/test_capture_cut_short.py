"""Files that end early: what can be shown is shown and flagged, what cannot is a problem with its reason."""

import io
import wave
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from core.capture.cut_short import is_cut_short
from core.capture.review import review
from core.errors import PhotoUnreadableError
from core.records import DoubtKind, Stage
from core.store.library import Library
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, InProcessDecoder


def _mp4(path: Path) -> Path:
    """With its index in front, as what is made for the web has it."""
    return _moving(path, {"movflags": "faststart"})


def _moving(path: Path, options: dict[str, str] | None = None) -> Path:
    with av.open(str(path), "w", options=options or {}) as out:
        stream = out.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 160, 120, "yuv420p"
        for number in range(40):
            picture = np.random.default_rng(number).integers(60, 250, (120, 160, 3), dtype=np.uint8)
            for packet in stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")):
                out.mux(packet)
        for packet in stream.encode():
            out.mux(packet)
    return path


def _wav(path: Path) -> Path:
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16_000)
        out.writeframes(np.zeros(32_000, dtype=np.int16).tobytes())
    return path


def _heic(path: Path) -> Path:
    path.write_bytes(drawn.HEIC)
    return path


MADE: dict[str, Callable[[Path], Path]] = {
    "a.mp4": _mp4, "a.mov": _mp4, "a.avi": _moving, "a.mkv": _moving, "a.wav": _wav, "a.heic": _heic,
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_a_whole_file_is_not_flagged(tmp_path: Path, name: str) -> None:
    whole = MADE[name](tmp_path / name).read_bytes()

    assert not is_cut_short(io.BytesIO(whole))
    if name != "a.wav":
        assert not is_cut_short(io.BytesIO(whole + b"what a camera writes behind"))
    for kept in (0.95, 0.5, 0.3):
        assert is_cut_short(io.BytesIO(whole[: int(len(whole) * kept)]))


@pytest.mark.parametrize("length", [0, 0x7FFF_F024, 0x8000_0024, 0xFFFF_FFFF])
def test_a_recording_out_of_a_pipe_does_not_know_its_length(tmp_path: Path, length: int) -> None:
    whole = bytearray(_wav(tmp_path / "a.wav").read_bytes())
    whole[4:8] = length.to_bytes(4, "little")

    assert not is_cut_short(io.BytesIO(whole))


@pytest.mark.parametrize("name", ["a.mp4", "a.mov", "a.avi", "a.mkv", "a.wav"])
def test_what_is_left_of_a_video_or_recording_is_used_and_flagged(
    library: Library, album: Path, capture: Capturing, name: str
) -> None:
    path = MADE[name](album / name)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 6 // 10])
    capture(until=Stage.THUMBNAILS)

    memory = capture.named(name)
    assert memory.media.damaged
    assert memory.media.duration_s > 0
    assert [each.kind for each in review(library, datetime(2040, 1, 1))] == [DoubtKind.DAMAGED]
    assert library.files.problems() == []


def test_a_video_with_a_broken_middle_is_shown_up_to_there_and_flagged(album: Path, capture: Capturing) -> None:
    path = _moving(album / "a.mkv")
    spoiled = bytearray(path.read_bytes())
    spoiled[len(spoiled) // 10 :] = bytes(len(spoiled) - len(spoiled) // 10)
    path.write_bytes(spoiled)
    capture(until=Stage.THUMBNAILS)

    assert capture.named("a.mkv").media.damaged


def test_a_video_without_its_index_is_a_problem(library: Library, album: Path, capture: Capturing) -> None:
    path = _moving(album / "a.mp4")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    capture(until=Stage.THUMBNAILS)

    assert [each.reason.split(" (")[0] for each in library.files.problems()] == [
        "The video or recording cannot be read"
    ]


@pytest.mark.parametrize(
    "data", [b"", b"RIFF", b"RIFF\xff\xff\xff\xffWAVE", b"RIFF\0\0\0\0AVI ", b"\x1a\x45\xdf\xa3", b"\x1a\x45\xdf\xa3\0" * 3,
             b"\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff", b"\0\0\0\0mdat", b"\0\0\0\x01mdat", b"\0\0\0\x03free"]
)  # fmt: skip
def test_what_says_no_length_is_not_flagged(data: bytes) -> None:
    assert not is_cut_short(io.BytesIO(data))


class _CannotDraw(InProcessDecoder):
    """Reads what a file says about itself and cannot decode it."""

    def _call(self, method: str, *args: str | int, timeout_s: float) -> Any:  # as in Decoder
        if method != "facts":
            raise PhotoUnreadableError("The picture cannot be decoded.", "The file is damaged.")
        return super()._call(method, *args, timeout_s=timeout_s)


def test_a_file_seen_half_written_is_no_problem_once_it_is_whole(album: Path, capture: Capturing) -> None:
    drawn.jpeg(album / "a.jpg", 1)
    capture(until=Stage.THUMBNAILS, decoder=_CannotDraw())
    assert {each.stage for each in capture.library.files.problems()} == {Stage.THUMBNAILS}
    assert capture.library.files.count_problems() == 1
    drawn.jpeg(album / "a.jpg", 2)
    capture(until=Stage.THUMBNAILS)

    assert capture.library.files.problems() == []
    assert capture.library.files.count_problems() == 0
