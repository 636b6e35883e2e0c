"""Which weights are on this computer: where they lie, whether they are whole, bringing them in from a folder, removing them.

Nothing here uses the network.
"""

import errno
import hashlib
import importlib.util
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.errors import ChecksumMismatchError, DownloadFailedError, JobCancelled, ModelNotInstalledError, RequestError
from core.text_keys import printable
from models.catalogue import Catalogue, CatalogueEntry, ModelFile, load_catalogue

BLOCK_BYTES = 1 << 20
PART_SUFFIX = ".part"
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
WHEELS_FOLDER = ".wheels"


class FileState(StrEnum):
    """What a check found."""

    WHOLE = "whole"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """One file of an installed model."""

    model_id: str
    name: str
    state: FileState


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """How far a model is: all its files together, in bytes."""

    model_id: str
    file_name: str
    done_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class Added:
    """What an import from a folder did.

    Attributes:
        installed: ids of models that are complete now.
        incomplete: id and the names of the files that are still missing.
        unknown: files that belong to no model of the catalogue.
    """

    installed: tuple[str, ...] = ()
    incomplete: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unknown: tuple[Path, ...] = ()


def nobody_listens(progress: FetchProgress) -> None:
    """The progress callback of a caller who does not want any."""


def never_cancelled() -> bool:
    """The cancel callback of a caller who never cancels."""
    return False


def installed_ids(models_dir: Path, catalogue: Catalogue | None = None) -> tuple[str, ...]:
    """Ids of the models whose files are all present at their full size, in catalogue order; content is not read here."""
    known = catalogue or load_catalogue()
    return tuple(entry.id for entry in known.entries if not missing_files(models_dir, entry))


def missing_files(models_dir: Path, entry: CatalogueEntry) -> tuple[ModelFile, ...]:
    """The files of a model that are not there at their full size."""
    return tuple(file for file in entry.files if not _has_size(file_path(models_dir, entry, file), file))


def file_path(models_dir: Path, entry: CatalogueEntry, file: ModelFile) -> Path:
    """Where a file of a model is, or would be: in the models folder, or inside the package it comes with."""
    if file.package is None:
        return models_dir / entry.id / file.name
    return _package_folder(file.package.path) / Path(*Path(file.package.path).parts[1:])


def is_whole(path: Path, file: ModelFile) -> bool:
    """Whether a file holds exactly the bytes the catalogue names; reads all of it."""
    return _has_size(path, file) and sha256_of(path) == file.sha256


def sha256_of(path: Path, cancelled: Callable[[], bool] = never_cancelled) -> str:
    """Hex digest of a file. Raises JobCancelled when `cancelled` says so."""
    digest = hashlib.sha256()
    with path.open("rb") as source:
        while block := source.read(BLOCK_BYTES):
            if cancelled():
                raise JobCancelled
            digest.update(block)
    return digest.hexdigest()


@contextmanager
def full_disk_said(name: str) -> Iterator[None]:
    """Turn a disk that becomes full while `name` is written into a sentence.

    Raises:
        DownloadFailedError: it did.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise DownloadFailedError(
            f"The disk became full while {name} was written.",
            "Free some space, or name another folder for models with MADELEINE_MODELS, and try again; what arrived is kept.",
            retryable=True,
        ) from error


@contextmanager
def folder_said(models_dir: Path) -> Iterator[None]:
    """Turn whatever else the disk refuses while models are kept or removed into a sentence.

    Raises:
        DownloadFailedError: something lies in the way, or may not be written.
    """
    try:
        yield
    except OSError as error:
        where = error.filename2 or error.filename or models_dir
        raise DownloadFailedError(
            f"{printable(str(where))} cannot be used for models ({error.strerror or error}).",
            "Move away what is in the way, check the permissions, or name another folder for models with MADELEINE_MODELS.",
        ) from error


def put_in_place(part: Path, target: Path) -> None:
    """Make a finished file permanent: on the disk first, then under its name, so that a name always means a whole file."""
    descriptor = os.open(part, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(part, target)


def check(
    models_dir: Path, model_ids: Sequence[str] | None = None, cancelled: Callable[[], bool] = never_cancelled
) -> tuple[CheckedFile, ...]:
    """Read every file of the installed models (or of those named) and compare it with the catalogue."""
    catalogue = load_catalogue()
    ids = (
        model_ids if model_ids is not None else [entry.id for entry in catalogue.entries if _has_any(models_dir, entry)]
    )
    return tuple(
        CheckedFile(entry.id, file.name, _state(file_path(models_dir, entry, file), file, cancelled))
        for entry in map(catalogue.get, ids)
        for file in entry.files
    )


def remove(model_id: str, models_dir: Path) -> None:
    """Delete a model's weights, also half-fetched ones.

    Raises:
        RequestError: there is no such model, or it is a part of the program.
        ModelNotInstalledError: nothing of it is there.
        DownloadFailedError: the disk refuses.
    """
    entry = load_catalogue().get(model_id)
    if entry.in_package:
        raise RequestError(f"The model {model_id} is a part of the program and cannot be removed.")
    folder = models_dir / entry.id
    if not folder.is_dir():
        raise ModelNotInstalledError(f"The model {model_id} is not installed.")
    with folder_said(models_dir):
        shutil.rmtree(folder / WHEELS_FOLDER, ignore_errors=True)
        for file in entry.files:
            (folder / file.name).unlink(missing_ok=True)
            (folder / (file.name + PART_SUFFIX)).unlink(missing_ok=True)
        if not any(folder.iterdir()):
            folder.rmdir()  # what the person put beside the weights stays


def add_from(
    paths: Iterable[Path],
    models_dir: Path,
    on_progress: Callable[[FetchProgress], None] = nobody_listens,
    cancelled: Callable[[], bool] = never_cancelled,
) -> Added:
    """Bring in weights from folders or files, whatever their names: recognised by size, then by sha256. Sources are only read.

    Raises:
        RequestError: a path does not exist.
        DownloadFailedError: there is no room for the copy, or the disk refuses it.
        JobCancelled: `cancelled` said so; what was copied whole stays.
    """
    catalogue = load_catalogue()
    wanted = {(file.size_bytes, file.sha256) for entry in catalogue.entries for file in entry.files if file.sha256}
    sizes = {size for size, _ in wanted}
    found: dict[str, Path] = {}
    unknown = []
    for path in _files_of(paths):
        size = path.stat().st_size
        digest = sha256_of(path, cancelled) if size in sizes else ""
        if (size, digest) in wanted:
            found.setdefault(digest, path)
        else:
            unknown.append(path)
    touched = [entry for entry in catalogue.entries if not entry.in_package and _main_file(entry).sha256 in found]
    for entry in touched:
        with folder_said(models_dir):
            _copy_found(entry, found, models_dir, on_progress, cancelled)
    missing = [(entry.id, tuple(file.name for file in missing_files(models_dir, entry))) for entry in touched]
    return Added(
        installed=tuple(model_id for model_id, names in missing if not names),
        incomplete=tuple((model_id, names) for model_id, names in missing if names),
        unknown=tuple(unknown),
    )


def refuse_if_full(models_dir: Path, needed_bytes: int, model_id: str) -> None:
    """Raises DownloadFailedError when the disk has no room for so many bytes more, with a little to spare."""
    models_dir.mkdir(parents=True, exist_ok=True)
    free_bytes = shutil.disk_usage(models_dir).free
    if free_bytes < needed_bytes + 200 * BLOCK_BYTES:
        raise DownloadFailedError(
            f"The model {model_id} needs {needed_bytes / 1e6:.0f} MB more on the disk of {models_dir}; "
            f"{free_bytes / 1e6:.0f} MB are free.",
            "Free some space, or name another folder for models with MADELEINE_MODELS.",
        )


def _copy_found(
    entry: CatalogueEntry,
    found: dict[str, Path],
    models_dir: Path,
    on_progress: Callable[[FetchProgress], None],
    cancelled: Callable[[], bool],
) -> None:
    files = [
        file for file in entry.files if file.sha256 in found and not is_whole(models_dir / entry.id / file.name, file)
    ]
    refuse_if_full(models_dir, sum(file.size_bytes for file in files), entry.id)
    (models_dir / entry.id).mkdir(parents=True, exist_ok=True)
    done = 0
    for file in files:
        target = models_dir / entry.id / file.name
        part = target.with_name(target.name + PART_SUFFIX)
        digest = hashlib.sha256()
        with full_disk_said(file.name), found[file.sha256].open("rb") as source, part.open("wb") as copy:
            while block := source.read(BLOCK_BYTES):
                if cancelled():
                    raise JobCancelled
                copy.write(block)
                digest.update(block)
                done += len(block)
                on_progress(FetchProgress(entry.id, file.name, done, entry.size_bytes))
        if digest.hexdigest() != file.sha256:
            part.unlink()
            raise ChecksumMismatchError(f"{found[file.sha256]} changed while it was copied.", "Copy it once more.")
        put_in_place(part, target)


def _files_of(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(inner for inner in path.rglob("*") if inner.is_file())
        elif path.is_file():
            yield path
        else:
            raise RequestError(f"There is no file or folder {path}.", "Check the path.")


def _main_file(entry: CatalogueEntry) -> ModelFile:
    """The weights proper; small files such as tokenizers are shared by several models and prove nothing."""
    return max(entry.files, key=lambda file: file.size_bytes)


def _has_any(models_dir: Path, entry: CatalogueEntry) -> bool:
    return any(file_path(models_dir, entry, file).exists() for file in entry.files)


def _state(path: Path, file: ModelFile, cancelled: Callable[[], bool]) -> FileState:
    if not path.is_file():
        return FileState.MISSING
    if _has_size(path, file) and sha256_of(path, cancelled) == file.sha256:
        return FileState.WHOLE
    return FileState.DAMAGED


def _has_size(path: Path, file: ModelFile) -> bool:
    try:
        return file.size_bytes > 0 and path.stat().st_size == file.size_bytes
    except OSError:
        return False


def _package_folder(path: str) -> Path:
    """The folder of an installed package, found without importing it: importing rapidocr takes seconds and logs."""
    spec = importlib.util.find_spec(Path(path).parts[0])
    locations: Sequence[str] = (spec.submodule_search_locations or ()) if spec else ()
    return Path(next(iter(locations), os.devnull))
