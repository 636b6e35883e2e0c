"""kill -9 in the middle of a run: the next one goes on, and nothing is done twice."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.capture.pipeline import process
from core.jobs import run_to_end
from core.paths import Home
from core.records import Stage
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from tests.core.capture import drawn
from tests.core.capture.conftest import FakeModels, FakeReader, InProcessDecoder, lines

_RUN = """
import sys, time
from pathlib import Path
from core.capture.pipeline import process
from core.capture.scan import add_folder
from core.jobs import run_to_end
from core.paths import Home
from core.records import TextLine
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from tests.core.capture.conftest import FakeModels, InProcessDecoder

class Reader:
    model_id, revision = "fake-reader", "1"
    def read(self, picture):
        with open(sys.argv[3], "a") as log:
            log.write("x")
        time.sleep(0.05)
        return (TextLine("seen", 0.9, (0, 0, 10, 10)),)

library = open_library(Home(Path(sys.argv[1])), ExactIndexes())
add_folder(library, Path(sys.argv[2]))
run_to_end(process(library, FakeModels(text_reader=Reader()), decoder=InProcessDecoder()))
"""
_FILES = 12


def _start(home: Path, album: Path, log: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", _RUN, str(home), str(album), str(log)], cwd=os.getcwd())


@pytest.mark.parametrize("reads_before_the_kill", [1, 5])
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, reads_before_the_kill: int) -> None:
    album, home, log = tmp_path / "album", tmp_path / "home", tmp_path / "reads"
    for seed in range(_FILES):
        drawn.jpeg(album / f"{seed}.jpg", seed)
    log.touch()
    running = _start(home, album, log)
    deadline = time.monotonic() + 60
    while log.stat().st_size < reads_before_the_kill and time.monotonic() < deadline and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    read_before = log.stat().st_size
    assert reads_before_the_kill <= read_before < _FILES

    library = open_library(Home(home), ExactIndexes())
    done_before = library.stages.counts()
    reader = FakeReader(lines("seen"))
    run_to_end(process(library, FakeModels(text_reader=reader), decoder=InProcessDecoder()))
    memories, counts = library.memories.matching(), library.stages.counts()
    library.close()

    assert done_before[Stage.METADATA]["done"] == _FILES
    assert read_before - done_before[Stage.TEXT]["done"] <= 1, "at most the one in hand is lost"
    assert len(reader.seen) == _FILES - done_before[Stage.TEXT]["done"]
    assert len(memories) == counts[Stage.TEXT]["done"] == _FILES
    assert {memory.visible_text for memory in memories} == {"seen"}
