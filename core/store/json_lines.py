"""Files of one JSON object a line: read so that a bad line names itself, written so that a kill leaves the old file whole."""

import errno
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import StoreError, StoreFullError

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class BadLineError(Exception):
    """A line that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it lies in the file."""

    file_name: str
    number: int
    raw: bytes

    @property
    def where(self) -> str:
        """The line as a person finds it."""
        return f"{self.file_name} line {self.number}"

    def value(self) -> object:
        """What the line says.

        Raises:
            BadLineError: it is no JSON.
        """
        try:
            return json.loads(self.raw.decode("utf-8-sig" if self.number == 1 else "utf-8"))
        except UnicodeDecodeError:
            raise BadLineError("it is not UTF-8 text") from None
        except (ValueError, RecursionError):
            raise BadLineError("it is not JSON") from None


def read_json_lines(path: Path) -> Iterator[Line]:
    """The lines of a file that are not blank."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if raw.strip():
                yield Line(path.name, number, raw)


def count_lines(path: Path) -> int:
    """How many lines there are to read."""
    return sum(1 for _ in read_json_lines(path))


def write_json_lines(path: Path, records: Iterable[object]) -> int:
    """Write the records as the file's whole content, and return how many they were.

    Raises:
        StoreFullError, StoreError: the file cannot be written; a file that was there before is untouched.
    """
    _leave_what_is_not_ours(path)
    partial, count = path.with_name(path.name + ".part"), 0
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                count += 1
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        kind = StoreFullError if error.errno in _NO_ROOM else StoreError
        raise kind(
            f"{path} cannot be written ({error.strerror}).", "Choose another folder, or make room there."
        ) from error
    return count


def _leave_what_is_not_ours(path: Path) -> None:
    """An earlier export may be replaced, and nothing else: no picture, no database, no device."""
    try:
        is_free = not os.path.lexists(path) or (path.is_file() and _first_byte(path) in (b"", b"{"))
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}).", "Choose another name.") from error
    if not is_free:
        raise StoreError(f"{path} is there and is no earlier export.", "Choose a new name, one that ends in .jsonl.")


def _first_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1)


def sibling(path: Path, name: str) -> Path:
    """The file of `name` (events, people, facts, graph, corrections) that lies beside an export."""
    return path.with_name(f"{path.stem}.{name}.jsonl")
