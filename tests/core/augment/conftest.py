"""A library of its own for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.paths import Home
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.core.augment.life import live_a_month


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """An empty library."""
    opened = open_library(Home(tmp_path / "library"), ExactIndexes())
    yield opened
    opened.close()


@pytest.fixture
def month(library: Library) -> dict[str, list[str]]:
    """The invented month, in the library."""
    return live_a_month(library)
