"""A library of its own for every test of the store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.paths import Home
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home that is not there yet."""
    return Home(tmp_path / "home")


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    """An empty library with an index in memory."""
    opened = open_library(home, ExactIndexes())
    yield opened
    opened.close()
