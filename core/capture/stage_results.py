"""What a stage hands back for one memory: what to write and how it ended."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.capture.dates import Clock
from core.capture.decode import Decoder
from core.capture.places import Gazetteer
from core.errors import ModelNotInstalledError, ModelUnreadableError, NotEnoughRamError
from core.ports import Interrupted, ModelSet, never
from core.records import CapturedMemory, SourceFile
from core.store.library import Library
from core.store.memory_edit import MemoryEdit

OF_THE_MODEL = (ModelNotInstalledError, ModelUnreadableError, NotEnoughRamError)
"""Failures that the next memory would meet as well: the stage ends there and its memories stay due."""


def write_nothing(editing: MemoryEdit) -> None:
    """The write of a stage that changes no value."""


@dataclass(frozen=True, slots=True)
class StageResult:
    """`write` runs in the transaction that records the stage; `state` is done, nothing, or failed with its reason."""

    write: Callable[[MemoryEdit], None] = write_nothing
    state: str = "done"
    reason: str = ""


NOTHING = StageResult(state="nothing")
"""The stage looked and found nothing, which is a result."""


@dataclass(frozen=True, slots=True)
class Work:
    """What every stage is given. `with_faces` is asked each time: the person may turn faces off in the middle of a run."""

    library: Library
    models: ModelSet
    decoder: Decoder
    gazetteer: Gazetteer
    clock: Clock
    interrupted: Interrupted
    with_emotion: bool = False
    with_faces: Callable[[], bool] = never


@dataclass(frozen=True, slots=True)
class Subject:
    """The memory a stage works on and the file it can be read from (None where the stage needs none).

    Attributes:
        clip: the moving part of a photo, where it is a file of its own.
    """

    memory: CapturedMemory
    file: SourceFile | None = None
    clip: SourceFile | None = None

    @property
    def path(self) -> str:
        """The path of the file.

        Raises:
            ValueError: the stage was declared as needing no file.
        """
        if self.file is None:
            raise ValueError(f"no file was asked for {Path(self.memory.file_name)}")
        return self.file.path

    @property
    def content_key(self) -> str:
        """The hash of the file's content. Raises as `path`."""
        if self.file is None:
            raise ValueError(f"no file was asked for {Path(self.memory.file_name)}")
        return self.file.sha256

    @property
    def sound_path(self) -> str:
        """The path of the file that can be heard. Raises as `path`."""
        return self.clip.path if self.clip else self.path
