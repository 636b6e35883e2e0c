"""Thumbnails are decoded ahead in several processes, kept the moment they are made, and never made twice."""

import os
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.capture.decode import Decoder, processes_here
from core.capture.facts import Preview
from core.capture.pipeline import process
from core.capture.thumbnails import kept_preview, thumbnail_comment, thumbnail_path
from core.errors import PhotoUnreadableError
from core.jobs import run_to_end
from core.records import Stage
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing, FakeModels, InProcessDecoder


class CountingDecoder(InProcessDecoder):
    """Notes which pictures were really decoded."""

    def __init__(self) -> None:
        super().__init__()
        self.decoded: list[str] = []
        decode = self.service._picture

        def counted(file: Any, found: Any, edge: int) -> Any:  # as in DecodeService
            self.decoded.append(os.path.basename(file.name))
            return decode(file, found, edge)

        self.service._picture = counted  # type: ignore[method-assign]


@pytest.mark.parametrize("preview", [Preview(-5, False), Preview(None, True), Preview(2**63 - 1, False)])
def test_a_thumbnail_says_what_was_found_when_it_was_made(tmp_path: Path, preview: Preview) -> None:
    path = tmp_path / "small.jpg"
    Image.new("RGB", (8, 8)).save(path, comment=thumbnail_comment(preview).encode())

    assert kept_preview(path) == preview


@pytest.mark.parametrize("comment", [b"", b"by somebody else", b"madeleine thumbnail 0 5 whole", b"\xff\xfe"])
def test_a_picture_of_others_or_of_other_rules_is_no_kept_thumbnail(tmp_path: Path, comment: bytes) -> None:
    path = tmp_path / "small.jpg"
    Image.new("RGB", (8, 8)).save(path, comment=comment)

    assert kept_preview(path) is None
    assert kept_preview(tmp_path / "none.jpg") is None
    path.write_bytes(b"\xff\xd8 torn")
    assert kept_preview(path) is None


def test_a_picture_whose_thumbnail_was_kept_before_a_kill_is_not_decoded_again(capture: Capturing) -> None:
    drawn.jpeg(capture.album / "a.jpg", 1)
    first = CountingDecoder()
    capture(until=Stage.THUMBNAILS, decoder=first)
    fingerprints = capture.library.memories.fingerprints()
    capture.library.stages.reset(Stage.THUMBNAILS)  # as if the kill had come before the database knew

    second = CountingDecoder()
    capture(until=Stage.THUMBNAILS, decoder=second)

    assert (first.decoded, second.decoded) == (["a.jpg"], [])
    assert capture.library.memories.fingerprints() == fingerprints


def test_a_damaged_picture_stays_marked_when_its_kept_thumbnail_is_used(capture: Capturing) -> None:
    whole = drawn.jpeg_bytes(3, 800, 600)
    (capture.album / "half.jpg").write_bytes(whole[: len(whole) // 2])
    capture(until=Stage.THUMBNAILS)
    capture.library.stages.reset(Stage.THUMBNAILS)

    capture(until=Stage.THUMBNAILS)

    assert capture.named("half.jpg").media.damaged


def test_several_processes_make_the_same_thumbnails_as_one(capture: Capturing, tmp_path: Path) -> None:
    for number in range(6):
        drawn.jpeg(capture.album / f"{number}.jpg", number)
    (capture.album / "torn.jpg").write_bytes(drawn.jpeg_bytes(9)[:300])
    decoder = Decoder(tmp_path / "decoder.log", processes=2)

    capture(until=Stage.THUMBNAILS, decoder=decoder)

    memories = capture.library.memories.matching()
    assert len(memories) == 6
    alone = InProcessDecoder()
    for memory in memories:
        kept = thumbnail_path(capture.library.home, capture.library.memories.content_key(memory.id) or "")
        again = tmp_path / "again.jpg"
        again.unlink(missing_ok=True)
        alone.preview(str(capture.album / memory.file_name), 320, str(again))
        assert kept.read_bytes() == again.read_bytes()


def test_a_run_that_is_given_up_leaves_no_process_that_works_ahead(capture: Capturing, tmp_path: Path) -> None:
    for number in range(5):
        drawn.jpeg(capture.album / f"{number}.jpg", number)
    capture(until=Stage.METADATA)
    decoder = Decoder(tmp_path / "decoder.log", processes=2)
    steps = process(capture.library, FakeModels(), Stage.THUMBNAILS, decoder=decoder)
    for news in steps:
        if getattr(news, "stage", None) is Stage.THUMBNAILS and getattr(news, "done", 0) == 1:
            break
    steps.close()
    assert all(child.pid is None for child in decoder._children)

    run_to_end(process(capture.library, FakeModels(), Stage.THUMBNAILS, decoder=InProcessDecoder()))
    assert capture.library.stages.counts()[Stage.THUMBNAILS]["done"] == 5


def test_a_machine_decodes_with_the_cores_it_may_use() -> None:
    assert 1 <= processes_here() <= 8
    if hasattr(os, "sched_getaffinity"):
        assert processes_here() <= len(os.sched_getaffinity(0))


def test_processes_start_while_the_scan_still_reads_and_a_few_files_start_one(tmp_path: Path) -> None:
    for files, started in ((1, 1), (500, 2)):
        decoder = Decoder(tmp_path / "decoder.log", processes=2)
        decoder.begin(files)
        decoder.begin(files)
        decoder._threads.shutdown()
        assert sum(child.pid is not None for child in decoder._children) == started
        decoder.close()


def test_a_decoder_that_cannot_start_is_told_by_the_first_file_that_needs_it(tmp_path: Path) -> None:
    decoder = Decoder(tmp_path / "decoder.log", processes=2, factory="tests.core.capture.test_capture_ahead:no_start")
    decoder.begin(100)
    with pytest.raises(PhotoUnreadableError, match="ended the decoder twice"):
        decoder.facts(str(tmp_path / "a.jpg"))
    decoder.close()


def no_start(_link: object, _limits: object) -> None:
    """A factory that ends its process."""
    os._exit(3)
