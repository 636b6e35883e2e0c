"""Opens a video or recording: its facts, one frame that represents it, and its sound. Runs in the decoding process."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.capture.facts import FileFacts, Picture, Tag
from core.capture.formats import Format, Medium
from core.errors import PhotoTooLargeError, PhotoUnreadableError
from core.text_keys import printable

SAMPLES_PER_SECOND = 16_000
_REPRESENTATIVE_AT = 0.2  # of the duration: past the black and the shaking of the start
_LATEST_REPRESENTATIVE_S = 10.0
_FRAMES_TRIED = 120
_DARK = 12.0
_LOOKED_AT = 120  # frames of a clip, evenly over its length
_DECODE_ALL_S = 90.0
_ANOTHER_SCENE = 28.0  # mean difference of 32 x 32 colours, of 255: a cut is 40 and more, a hand's shaking under 15
_ISO_6709 = re.compile(r"^([+-]\d+(?:\.\d+)?)([+-]\d+(?:\.\d+)?)")


def facts(file: BinaryIO, found: Format) -> FileFacts:
    """Size, length, dates and position.

    Raises:
        PhotoUnreadableError: no stream can be read.
    """
    with _opened(file) as container:
        video, audio = container.streams.video, container.streams.audio
        medium = Medium.VIDEO if video and not _is_cover(video[0]) else Medium.AUDIO
        if not video and not audio:
            raise PhotoUnreadableError("The file holds neither picture nor sound.", "The file is damaged.")
        width, height = _upright_size(container) if medium is Medium.VIDEO else (0, 0)
        notes = _notes(container)
        latitude, longitude = _position(notes)
        return FileFacts(
            found.name,
            medium,
            width,
            height,
            _duration_s(container),
            f"{notes.get('com.apple.quicktime.make', '')} {notes.get('com.apple.quicktime.model', '')}".strip(),
            latitude,
            longitude,
            bool(audio),
            {
                tag: printable(notes[name])[:100]
                for tag, name in (
                    (Tag.VIDEO_CREATION_DATE, "com.apple.quicktime.creationdate"),
                    (Tag.VIDEO_CREATION_TIME, "creation_time"),
                )
                if notes.get(name)
            },
            printable(notes.get("com.apple.quicktime.content.identifier", ""))[:100].strip(),
        )


def frame(file: BinaryIO, edge: int, max_pixels: int) -> Picture:
    """An upright frame near the start that is not dark.

    Raises:
        PhotoTooLargeError: frames of more than `max_pixels`.
        PhotoUnreadableError: no frame can be decoded.
    """
    with _opened(file) as container:
        stream = _picture_stream(container, max_pixels)
        frames = _Frames(container, stream)
        best = _best_frame(container, frames)
        if best is None:
            raise PhotoUnreadableError("No frame of the video can be decoded.", "The file is damaged.")
        return Picture(_pixels(best, edge), frames.is_broken or bool(best.is_corrupt))


def scene_frames(file: BinaryIO, edge: int, most: int, max_pixels: int) -> tuple[NDArray[np.uint8], ...]:
    """Up to `most` upright frames over the whole clip, one a scene: a new scene begins where the picture has become another.

    Raises:
        PhotoTooLargeError: frames of more than `max_pixels`.
        PhotoUnreadableError: no frame can be decoded.
    """
    with _opened(file) as container:
        stream = _picture_stream(container, max_pixels)
        length_s = _duration_s(container)
        if length_s > _DECODE_ALL_S:
            stream.codec_context.skip_frame = (
                "NONKEY"  # of a long clip only what can be decoded alone: seconds, not minutes
            )
        scenes = _Scenes()
        next_s = 0.0
        for decoded in _Frames(container, stream):
            at_s = float(decoded.time or 0.0)
            if at_s + 1e-6 >= next_s:
                scenes.see(decoded)
                next_s = at_s + length_s / _LOOKED_AT
        chosen = scenes.best(most)
        if not chosen:
            raise PhotoUnreadableError("No frame of the video can be decoded.", "The file is damaged.")
        return tuple(_pixels(decoded, edge) for decoded in chosen)


class _Scenes:
    """The scenes of a clip as it runs: each is the frames that look like its first; a frame is kept for each."""

    def __init__(self) -> None:
        self._first: NDArray[np.float32] | None = None
        self._found: list[tuple[int, Any]] = []  # how many frames looked alike, and the brightest of them; as `_opened`
        self._light = 0.0

    def see(self, decoded: Any) -> None:  # as `_opened`
        """Take in the next frame."""
        look = decoded.reformat(width=32, height=32, format="rgb24").to_ndarray().astype(np.float32)
        light = float(look.mean())
        if self._first is None or float(np.abs(look - self._first).mean()) > _ANOTHER_SCENE:
            self._first, self._light = look, light
            self._found.append((1, decoded))
            return
        frames, best = self._found[-1]
        if light > _DARK >= self._light:
            best, self._light = decoded, light
        self._found[-1] = (frames + 1, best)

    def best(self, most: int) -> list[Any]:  # as `_opened`
        """A frame of each of the longest scenes, in their order."""
        longest = sorted(range(len(self._found)), key=lambda at: (-self._found[at][0], at))[:most]
        return [self._found[at][1] for at in sorted(longest)]


def samples(file: BinaryIO, max_s: float) -> NDArray[np.float32]:
    """The first `max_s` seconds of sound: mono, 16,000 a second, -1 to 1. Empty when there is no audio stream."""
    with _opened(file) as container:
        if not container.streams.audio:
            return np.zeros(0, dtype=np.float32)
        resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLES_PER_SECOND)
        pieces: list[NDArray[np.int16]] = []
        left = int(max_s * SAMPLES_PER_SECOND)
        for decoded in _Frames(container, container.streams.audio[0]):
            for piece in resampler.resample(decoded):
                pieces.append(piece.to_ndarray().reshape(-1).astype(np.int16))
                left -= len(pieces[-1])
            if left <= 0:
                break
        joined = np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.int16)
        return joined[: int(max_s * SAMPLES_PER_SECOND)].astype(np.float32) / 32768.0


def _picture_stream(container: Any, max_pixels: int) -> Any:  # as `_opened`
    streams = container.streams.video
    if not streams:
        raise PhotoUnreadableError("The recording has no picture.")
    stream = streams[0]
    if stream.width * stream.height > max_pixels:
        raise PhotoTooLargeError(
            f"The video's frames have {stream.width * stream.height / 1e6:,.0f} megapixels, more than fit into memory."
        )
    return stream


@contextmanager
def _opened(file: BinaryIO) -> Iterator[Any]:  # av has no type for "any container"
    # A file object instead of a path: names that are not UTF-8 open, and no protocol of ffmpeg can be named by a file.
    try:
        with av.open(file, mode="r", metadata_errors="replace") as container:
            yield container
    except (av.FFmpegError, ValueError, IndexError, MemoryError, OverflowError) as error:
        raise PhotoUnreadableError(
            f"The video or recording cannot be read ({_reason(error)}).", "The file is damaged."
        ) from error


class _Frames:
    """Decoded frames up to the first one that is broken: what can be heard or seen of a damaged file is used."""

    def __init__(self, container: Any, stream: Any) -> None:  # as `_opened`
        self._frames = container.decode(stream)
        self.is_broken = False

    def __iter__(self) -> Iterator[Any]:  # as `_opened`
        got_one = False
        while True:
            try:
                decoded = next(self._frames)
            except (StopIteration, EOFError):
                return
            except av.FFmpegError:
                self.is_broken = True
                if got_one:
                    return
                raise
            got_one = True
            yield decoded


def _is_cover(stream: Any) -> bool:  # as `_opened`
    """The still picture inside a music file is not a video."""
    return bool(int(stream.disposition) & int(av.stream.Disposition.attached_pic))


def _notes(container: Any) -> dict[str, str]:  # as `_opened`
    notes: dict[str, str] = {}
    for stream in container.streams:
        notes.update(stream.metadata)
    notes.update(container.metadata)
    return notes


def _position(notes: dict[str, str]) -> tuple[float | None, float | None]:
    text = notes.get("com.apple.quicktime.location.ISO6709") or notes.get("location") or notes.get("location-eng") or ""
    found = _ISO_6709.match(text)
    return (float(found[1]), float(found[2])) if found else (None, None)


def _duration_s(container: Any) -> float:  # as `_opened`
    if container.duration:
        return max(0.0, float(container.duration / av.time_base))
    lengths = [
        float(stream.duration * stream.time_base)
        for stream in container.streams
        if stream.duration and stream.time_base
    ]
    return max(lengths, default=0.0)


def _upright_size(container: Any) -> tuple[int, int]:  # as `_opened`
    stream = container.streams.video[0]
    first = next(iter(_Frames(container, stream)), None)
    width, height = stream.width, stream.height
    return (height, width) if first is not None and abs(first.rotation) % 180 == 90 else (width, height)


def _best_frame(container: Any, frames: "_Frames") -> Any:  # as `_opened`
    target_s = min(_duration_s(container) * _REPRESENTATIVE_AT, _LATEST_REPRESENTATIVE_S)
    best, best_light = None, -1.0
    for number, decoded in enumerate(frames):
        if (decoded.time or 0.0) < target_s and number < _FRAMES_TRIED:
            best = best or decoded
            continue
        light = float(decoded.reformat(width=32, height=32, format="gray").to_ndarray().mean())
        if light > best_light:
            best, best_light = decoded, light
        if light > _DARK or number >= _FRAMES_TRIED:
            break
    return best


def _pixels(decoded: Any, edge: int) -> NDArray[np.uint8]:  # as `_opened`
    factor = min(1.0, edge / max(decoded.width, decoded.height))
    size = max(1, round(decoded.width * factor)), max(1, round(decoded.height * factor))
    picture = Image.fromarray(decoded.to_ndarray(format="rgb24", width=size[0], height=size[1]))
    # The rotation says how far the stored frame is turned counter-clockwise from upright.
    turned = picture.rotate(decoded.rotation, expand=True) if decoded.rotation % 360 else picture
    return np.asarray(turned, dtype=np.uint8)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).split(":")[0][:120]
