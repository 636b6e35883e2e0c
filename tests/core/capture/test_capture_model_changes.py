"""Models come, go and are replaced while a library is read: does each memory end with what the models of the end say?"""

from pathlib import Path

import pytest

from core.capture.pipeline import process
from core.capture.scan import add_folder
from core.errors import JobCancelled
from core.jobs import run_to_end
from core.records import Progress, Stage
from core.store.library import Library
from tests.core.capture.conftest import FakeModels, FakeReader, InProcessDecoder, lines
from tests.people_drawn import draw_people


@pytest.fixture
def six(album: Path, library: Library) -> Library:
    for number in range(6):
        draw_people(album / f"{number}.png", [], f"2024:05:1{number} 10:00:00", seed=number)
    add_folder(library, album)
    return library


def reader(revision: str) -> FakeReader:
    made = FakeReader(lines(f"read by {revision}"))
    made.revision = revision
    return made


def run_with_changes(library: Library, models: FakeModels, changes: dict[int, FakeReader | None]) -> None:
    """Read everything; before so many texts were read, the reader is another one, as the window would change it."""
    read = 0
    for _ in range(20):
        steps = process(library, models, decoder=InProcessDecoder())
        try:
            while True:
                news = next(steps)
                if isinstance(news, Progress) and news.stage is Stage.TEXT:
                    if read in changes:
                        models.text_reader = changes[read]
                    read += 1
        except StopIteration:
            return
        except JobCancelled:
            continue  # as the worker does: it goes on from what is stored
    pytest.fail("it never ends")


def texts(library: Library) -> set[str]:
    return {memory.visible_text for memory in library.memories.matching()}


def test_a_model_that_is_removed_in_the_middle_leaves_its_memories_due(six: Library) -> None:
    models = FakeModels(text_reader=reader("1"))
    run_with_changes(six, models, {3: None})
    assert sorted(memory.visible_text for memory in six.memories.matching()) == ["", "", "", *["read by 1"] * 3]
    assert six.stages.counts()[Stage.TEXT]["nothing"] == 0

    models.text_reader = reader("1")
    run_to_end(process(six, models, decoder=InProcessDecoder()))
    assert texts(six) == {"read by 1"}


def test_two_changes_in_a_row_end_with_the_last_model_everywhere(six: Library) -> None:
    models = FakeModels(text_reader=reader("1"))
    run_with_changes(six, models, {2: reader("2"), 4: reader("3")})
    assert texts(six) == {"read by 3"}


def test_a_model_that_comes_back_reads_nothing_twice(six: Library) -> None:
    first = reader("1")
    models = FakeModels(text_reader=first)
    run_with_changes(six, models, {2: None})
    models.text_reader = first
    run_to_end(process(six, models, decoder=InProcessDecoder()))
    assert texts(six) == {"read by 1"}
    assert len(first.seen) == 6
