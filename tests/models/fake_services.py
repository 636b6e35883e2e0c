"""Services for a host's child in tests: they echo, abort, hang, or answer nonsense, as native libraries do."""

import os
import time
from pathlib import Path

from core.child import ChildLink
from core.errors import JobCancelled


def load(link: ChildLink, folder: str, name: str) -> "FakeService":
    """The factory; every load and close is written to `folder/history`."""
    return FakeService(link, Path(folder), name)


class FakeService:
    """Does what it is told."""

    def __init__(self, link: ChildLink, folder: Path, name: str) -> None:
        self._link, self._folder, self._name = link, folder, name
        self._note(f"load {name} in {os.getpid()}")

    def echo(self, text: str) -> str:
        """Send it back, in parts too."""
        for letter in text:
            self._link.part(letter)
        return text

    def abort(self) -> None:
        """Die as a failed assertion in a native library does."""
        os.abort()

    def abort_once(self) -> str:
        """Die at the first call only."""
        flag = self._folder / "has-aborted"
        if not flag.exists():
            flag.touch()
            os.abort()
        return "alive"

    def hang(self) -> None:
        """Never answer."""
        time.sleep(600)

    def obey(self) -> str:
        """Work until told to stop."""
        for _ in range(600):
            if self._link.interrupted():
                raise JobCancelled
            time.sleep(0.05)
        return "never told to stop"

    def nonsense(self, *args: object) -> object:
        """Answer with something that no role answers with."""
        return {"nonsense": len(args)}

    complete = embed = read = transcribe = describe = nonsense

    def environment(self, name: str) -> str | None:
        """What the child sees."""
        return os.environ.get(name)

    def close(self) -> None:
        """Note it."""
        self._note(f"close {self._name}")

    def _note(self, line: str) -> None:
        with (self._folder / "history").open("a") as file:
            file.write(line + "\n")
