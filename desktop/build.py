"""Builds everything: the only place that opens the library, the models and the engine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.engine import Engine
from core.offline import forbid_network
from core.paths import Home, default_home
from core.settings import load_settings
from core.store.chroma_index import ChromaIndexes
from core.store.doctor import Finding
from core.store.doctor import repair_home as repair
from core.store.home_lock import HomeLock
from core.store.home_place import is_shared
from core.store.library import make_home, open_library
from models.installed import InstalledModels


def home_at(folder: str | Path | None) -> Home:
    """The home in a folder, or the default one."""
    return Home(Path(os.path.expanduser(folder)).absolute() if folder is not None else default_home())


@contextmanager
def opened(home: Home, *, chat: str | None = None) -> Iterator[Engine]:
    """An engine over a home, closed at the end; one at a time for each home.

    Args:
        home: created when new.
        chat: overrides the setting `chat_model`.

    Raises:
        StoreError: another Madeleine has the home open, or the database cannot be used.
        SettingsError: as `load_settings` says.
    """
    forbid_network()
    make_home(home)
    lock = HomeLock(home.lock, is_shared=is_shared(home))
    lock.acquire()
    try:
        settings = load_settings(home.settings)
        models = InstalledModels(
            home.models, home.logs, chat=chat or settings.chat_model, gpu=settings.gpu, is_patient=chat is None
        )
        library = open_library(home, ChromaIndexes(home.vectors))
        engine = Engine(library, models, settings)
        try:
            yield engine
        finally:
            engine.close()
    finally:
        lock.release()


def repair_home(home: Home) -> list[Finding]:
    """Mend a library that may not even open; returns what was done.

    Raises:
        StoreError: another Madeleine has it open, or it is damaged and there is no good backup.
    """
    forbid_network()
    make_home(home)
    lock = HomeLock(home.lock, is_shared=is_shared(home))
    lock.acquire()
    try:
        return repair(home)
    finally:
        lock.release()
