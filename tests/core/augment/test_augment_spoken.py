"""Is what a person writes about a memory kept within bounds?"""

from pathlib import Path

import pytest

from core.augment.corrections import Corrector
from core.errors import RequestError
from core.paths import Home
from core.records import MemoryKind
from core.store.exact_index import ExactIndexes
from core.store.library import open_library


@pytest.mark.parametrize(
    ("field", "value"),
    [("caption", "x" * 90_000), ("title", "x" * 90_000), ("people", "x" * 201), ("people", ",".join(map(str, range(2000)))),
     ("environment", "x" * 201), ("place", "x" * 201), ("place", f"a, b, {'x' * 201}")],
)  # fmt: skip
def test_what_is_too_long_is_refused_and_changes_nothing(tmp_path: Path, field: str, value: str) -> None:
    library = open_library(Home(tmp_path), ExactIndexes())
    memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="a.jpg", content_key=None)
    before = library.memories.get(memory_id)
    with pytest.raises(RequestError, match=r"longer than|more than"):
        Corrector(library).edit_memory(memory_id, field, value)
    assert library.memories.get(memory_id) == before
    assert library.corrections.all() == []
    library.close()
