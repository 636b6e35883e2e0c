"""Builds everything: the only place that opens the library, the models and the engine."""

from core.store.library import open_library

__all__ = ["open_library"]
