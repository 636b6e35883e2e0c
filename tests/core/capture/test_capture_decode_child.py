"""The decoding process dies, hangs and is replaced; the program goes on."""

import os
import time
from pathlib import Path

import pytest

from core.capture.decode import DecodeLimits, Decoder, TimeLimits
from core.capture.facts import FileFacts
from core.capture.formats import Medium
from core.child import ChildLink
from core.errors import PhotoTooLargeError, PhotoUnreadableError
from core.records import Stage
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing

_HERE = "tests.core.capture.test_capture_decode_child"


class PoisonedService:
    """Files named after what they do to a decoder."""

    def facts(self, path: str) -> FileFacts:
        name = os.path.basename(path)
        if "kill" in name:
            with open(path + ".deaths", "a") as deaths:
                deaths.write("x")
            os._exit(139)
        if "once" in name and not os.path.exists(path + ".deaths"):
            Path(path + ".deaths").write_text("x")
            os._exit(139)
        if "hang" in name:
            time.sleep(60)
        return FileFacts("jpeg", Medium.IMAGE, 4, 3)


def start_poisoned(_link: ChildLink, limits: DecodeLimits) -> PoisonedService:
    """The factory of the child."""
    return PoisonedService()


def test_a_file_that_kills_the_decoder_twice_is_refused_and_the_next_one_read(tmp_path: Path) -> None:
    decoder = Decoder(factory=f"{_HERE}:start_poisoned")
    try:
        with pytest.raises(PhotoUnreadableError, match="ended the decoder twice"):
            decoder.facts(str(tmp_path / "kill.jpg"))
        assert decoder.facts(str(tmp_path / "once.jpg")).width == 4
    finally:
        decoder.close()
    assert (tmp_path / "kill.jpg.deaths").read_text() == "xx"


def test_a_file_that_hangs_the_decoder_is_given_up_after_the_limit(tmp_path: Path) -> None:
    decoder = Decoder(factory=f"{_HERE}:start_poisoned", times=TimeLimits(facts_s=0.5))
    started = time.monotonic()
    try:
        with pytest.raises(PhotoTooLargeError, match="longer than"):
            decoder.facts(str(tmp_path / "hang.jpg"))
        assert decoder.facts(str(tmp_path / "fine.jpg")).width == 4
    finally:
        decoder.close()
    assert time.monotonic() - started < 20


def test_the_real_child_decodes_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = str(drawn.jpeg(tmp_path / "a.jpg", 3))
    decoder = Decoder(tmp_path / "decoder.log")
    try:
        assert decoder.facts(path).format == "jpeg"
        assert decoder.picture(path, 64).shape == (48, 64, 3)
    finally:
        decoder.close()


def test_a_poisonous_file_is_quarantined_and_left_alone_by_the_next_run(
    capture: Capturing, album: Path, expected_log: object
) -> None:
    drawn.jpeg(album / "kill.jpg", 1)
    drawn.jpeg(album / "fine.jpg", 2)

    for _ in range(2):
        capture(until=Stage.METADATA, decoder=Decoder(factory=f"{_HERE}:start_poisoned"))

    assert [memory.file_name for memory in capture.library.memories.matching()] == ["fine.jpg"]
    problem = next(each for each in capture.library.files.problems() if each.file == str(album / "kill.jpg"))
    assert "ended the decoder twice" in problem.reason
    assert (album / "kill.jpg.deaths").read_text() == "xx"
