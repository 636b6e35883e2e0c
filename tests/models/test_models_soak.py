"""The children's memory stays flat over many calls (the thousand of them is `tests/bench/model_soak.py`)."""

import sys
from pathlib import Path

import pytest

from models.installed import InstalledModels
from tests.bench.model_soak import soak

pytestmark = pytest.mark.integration


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process as Linux tells it")
def test_small_models_hold_no_more_after_many_calls_than_after_few(models_dir: Path, tmp_path: Path) -> None:
    models = InstalledModels(models_dir, tmp_path / "logs")
    try:
        found = soak(models, 20)
    finally:
        models.close()
    assert {each.role for each in found} >= {"scenes", "text_embedder", "text_reader"}
    for each in found:
        assert each.growth_mb < 60, each
