"""Are the weights that are about to be loaded the bytes that the catalogue names? Read in full once, then known by size and time.

A runtime loads what looks like its format: measured, a language model whose second half was lost answered with nothing, and a speech
model with a spoilt vocabulary heard nothing, both without a word. Nothing of the right size is believed before it was read.
"""

import json
import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path

from core.errors import ModelUnreadableError
from core.ports import Interrupted
from models.catalogue import Catalogue
from models.weights import file_path, sha256_of

log = logging.getLogger(__name__)

_REMEMBERED = ".verified.json"
State = list[int | str]
"""Of a file that was read: size, time of the last change in nanoseconds, and the hash it has."""


class VerifiedWeights:
    """Remembers in the models' folder what was read, or where that may not be written, in another.

    Args:
        otherwise: a folder of the library, for models that several computers or people share.
    """

    def __init__(self, models_dir: Path, otherwise: Path, catalogue: Catalogue) -> None:
        self._models_dir = models_dir
        self._notes = (models_dir / _REMEMBERED, otherwise / _REMEMBERED)
        self._catalogue = catalogue
        self._known: dict[str, State] | None = None
        self._lock = threading.Lock()

    def make_sure(self, model_id: str, interrupted: Interrupted) -> None:
        """Return when every file of the model is what it should be; costs a look at each when they were read before.

        Raises:
            ModelUnreadableError: one is not, or cannot be read.
            JobCancelled: `interrupted` said so; the next call begins again.
        """
        entry = self._catalogue.get(model_id)
        if entry.in_package:
            return
        with self._lock:
            known = self._known = _read(self._notes) if self._known is None else self._known
            news = False
            for file in entry.files:
                path = file_path(self._models_dir, entry, file)
                try:
                    found = path.stat()
                    state: State = [found.st_size, found.st_mtime_ns, file.sha256]
                    if known.get(str(path)) == state:
                        continue
                    is_right = found.st_size == file.size_bytes and sha256_of(path, interrupted) == file.sha256
                except OSError as error:
                    raise ModelUnreadableError(
                        f"The file {file.name} of the model {model_id} cannot be read ({error.strerror}).",
                        f"Check the permissions of {path}, or get it again: madeleine models get {model_id}",
                    ) from error
                if not is_right:
                    raise ModelUnreadableError(
                        f"The file {file.name} of the model {model_id} is damaged: it is not what the catalogue names.",
                        f"Get it again: madeleine models get {model_id} (what is whole is kept).",
                    )
                known[str(path)] = state
                news = True
            if news:
                _write(self._notes, known)


def _read(notes: Sequence[Path]) -> dict[str, State]:
    """What was read by earlier runs; a note that says something else is none."""
    found: dict[str, State] = {}
    for note in notes:
        try:
            said = json.loads(note.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(said, dict):
            found |= {path: state for path, state in said.items() if isinstance(state, list)}
    return found


def _write(notes: Sequence[Path], known: dict[str, State]) -> None:
    """Keep it at the first place that lets us; without one, the next run reads again."""
    for note in notes:
        new = note.with_name(f"{note.name}.{os.getpid()}.new")
        try:
            note.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
            os.replace(new, note)
        except OSError as error:
            log.info("what was read of the weights is not kept in %s: %s", note.parent, error.strerror)
            continue
        return
