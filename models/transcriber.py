"""The transcriber role on faster-whisper: `WhisperTranscriber` asks from the program, `SpeechService` answers in the child."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.child import ChildLink
from core.errors import JobCancelled, ModelError, ModelUnreadableError
from core.ports import Interrupted, never
from core.records import SpokenSegment, Transcript
from models.hosted import HostedModel
from models.machine import inference_threads

SAMPLES_A_SECOND = 16_000

_SILENCE_RMS = 0.0025
"""Whisper invents sentences for near-silence that voice detection lets through."""

_LANGUAGE_SURE = 0.5


@dataclass(frozen=True, slots=True)
class WhisperTranscriber(HostedModel):
    """A `core.ports.Transcriber` whose network is in a child process."""

    def transcribe(self, samples: NDArray[np.float32], *, interrupted: Interrupted = never) -> Transcript:
        """Write down what is said; see `core.ports.Transcriber`."""
        if loudest_second(samples) < _SILENCE_RMS:
            return Transcript()
        timeout_s = 120 + 4 * len(samples) / SAMPLES_A_SECOND
        transcript = self.host.call(self.load, "transcribe", samples, timeout_s=timeout_s, interrupted=interrupted)
        if not isinstance(transcript, Transcript):
            raise ModelError("The speech model's process sent something that is not a transcript.", "Try again.")
        return transcript


@dataclass(frozen=True, slots=True)
class HeardSegment:
    """A segment as Whisper reports it, with the numbers that tell speech from invention."""

    start_s: float
    end_s: float
    text: str
    no_speech_prob: float = 0.0
    avg_logprob: float = 0.0
    compression_ratio: float = 1.0


def believable(segments: Sequence[HeardSegment]) -> tuple[SpokenSegment, ...]:
    """The segments that are speech: without what Whisper writes over silence, noise and music, and without its loops."""
    kept = [segment for segment in segments if segment.text.strip() and not _is_invented(segment)]
    texts = [_words(segment.text) for segment in kept]
    return tuple(
        SpokenSegment(segment.start_s, segment.end_s, segment.text.strip())
        for index, segment in enumerate(kept)
        if not _is_in_a_run(texts, index)
    )


def loudest_second(samples: NDArray[np.float32]) -> float:
    """Root mean square of the loudest second: a long quiet clip may hold one loud sentence."""
    if not len(samples):
        return 0.0
    whole = len(samples) - len(samples) % SAMPLES_A_SECOND
    seconds = samples[:whole].reshape(-1, SAMPLES_A_SECOND) if whole else samples.reshape(1, -1)
    rest = [samples[whole:]] if whole and whole < len(samples) else []
    return max(float(np.sqrt(np.mean(np.square(second, dtype=np.float64)))) for second in [*seconds, *rest])


def _is_invented(segment: HeardSegment) -> bool:
    if segment.no_speech_prob > 0.6 and segment.avg_logprob < -1.0:
        return True
    return segment.compression_ratio > 2.4 or has_loop(segment.text)


def has_loop(text: str) -> bool:
    """Whether a phrase of up to eight words comes three times in a row; a single word needs four ("no, no, no" is speech)."""
    words = _words(text)
    for length in range(1, 9):
        needed = 4 if length == 1 else 3
        for start in range(len(words) - length * needed + 1):
            phrase = words[start : start + length]
            if all(words[start + turn * length : start + (turn + 1) * length] == phrase for turn in range(1, needed)):
                return True
    return False


def _is_in_a_run(texts: Sequence[tuple[str, ...]], index: int) -> bool:
    """Whether the same text stands in three segments in a row around this one."""
    first = last = index
    while first > 0 and texts[first - 1] == texts[index]:
        first -= 1
    while last + 1 < len(texts) and texts[last + 1] == texts[index]:
        last += 1
    return last - first >= 2


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.casefold()))


def load(link: ChildLink, model_id: str, folder: str) -> "SpeechService":
    """The factory of the child's service."""
    return SpeechService(link, model_id, folder)


class SpeechService:
    """The child's side. The folder holds the tokenizer too, so that nothing is looked for on the internet."""

    def __init__(self, link: ChildLink, model_id: str, folder: str) -> None:
        from faster_whisper import WhisperModel

        self._link = link
        if not (Path(folder) / "tokenizer.json").is_file():  # the library would download it
            raise ModelUnreadableError(
                f"The model {model_id} has no tokenizer.", f"Run: madeleine models get {model_id}"
            )
        try:
            self._model = WhisperModel(
                folder, device="cpu", compute_type="int8", cpu_threads=inference_threads(), local_files_only=True
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelUnreadableError(
                f"The weights of {model_id} cannot be loaded: {error}.", f"Run: madeleine models get {model_id}"
            ) from error

    def transcribe(self, samples: NDArray[np.float32]) -> Transcript:
        """Listen to a clip; stops between two segments when it should."""
        segments, info = self._model.transcribe(
            np.ascontiguousarray(samples, dtype=np.float32),
            vad_filter=True,
            condition_on_previous_text=False,
            temperature=0,
        )
        heard: list[HeardSegment] = []
        for segment in segments:
            if self._link.interrupted():
                raise JobCancelled
            heard.append(_heard(segment))
        spoken = believable(heard)
        return Transcript(spoken, info.language if spoken and info.language_probability >= _LANGUAGE_SURE else "")

    def close(self) -> None:
        """Free the weights."""
        self._model.model.unload_model()


def _heard(segment: Any) -> HeardSegment:  # Any: faster-whisper has no types
    return HeardSegment(
        segment.start,
        segment.end,
        segment.text,
        segment.no_speech_prob,
        segment.avg_logprob,
        segment.compression_ratio,
    )
