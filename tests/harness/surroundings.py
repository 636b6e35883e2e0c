"""Which world does a test see? An empty home of its own, no weights, no display and an unusual time zone."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

# Read before any test replaces HOME.
MODELS_DIR = Path(os.environ.get("MADELEINE_MODELS") or Path.home() / ".cache" / "madeleine" / "models")
STARTER_MODELS = (
    "minilm-l6-v2-int8",
    "whisper-base",
    "qwen2.5-coder-0.5b-instruct-q4_k_m",
    "qwen2.5-coder-1.5b-instruct-q4_k_m",
)

# Neither the developer's zone nor UTC, and not on the hour: code that mixes local time in is caught everywhere.
_ZONE = "Pacific/Chatham"


def prepare_process() -> None:
    """Set what libraries read once, at their import."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["ANONYMIZED_TELEMETRY"] = "False"  # chromadb
    os.environ["TZ"] = _ZONE
    if hasattr(time, "tzset"):
        time.tzset()


@contextmanager
def own_home(folder: Path, *, with_weights: bool) -> Iterator[Path]:
    """Point everything a program calls home into `folder`."""
    places = {
        "HOME": folder,
        "USERPROFILE": folder,
        "LOCALAPPDATA": folder / "local",
        "APPDATA": folder / "roaming",
        "XDG_CACHE_HOME": folder / "cache",
        "XDG_CONFIG_HOME": folder / "config",
        "XDG_DATA_HOME": folder / "data",
        "XDG_STATE_HOME": folder / "state",
        "MADELEINE_HOME": folder / "madeleine",
        "MADELEINE_MODELS": MODELS_DIR if with_weights else folder / "no-models",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, place in places.items():
            patch.setenv(name, str(place))
        yield folder


def missing_weights() -> list[str]:
    """The starter models that have no folder with files in it."""
    return [model for model in STARTER_MODELS if not any((MODELS_DIR / model).glob("*"))]
