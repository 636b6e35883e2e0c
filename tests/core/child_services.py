"""Services that run in a child process in `test_child.py`: well-behaved, dying, hanging, and talking."""

import os
import socket
import time
from pathlib import Path

from core.child import ChildLink
from core.errors import ModelUnreadableError, PhotoUnreadableError


class Service:
    """Does what the test asks for."""

    def __init__(self, link: ChildLink, folder: str) -> None:
        self._link = link
        self._folder = Path(folder)
        (self._folder / "started").open("a").write("x")

    def add(self, first: int, second: int) -> int:
        return first + second

    def pid(self) -> int:
        return os.getpid()

    def abort(self) -> None:
        os.abort()

    def abort_once(self) -> str:
        marker = self._folder / "aborted"
        if not marker.exists():
            marker.touch()
            os.abort()
        return "survived"

    def hang(self) -> None:
        time.sleep(600)

    def refuse(self) -> None:
        raise PhotoUnreadableError("x.jpg cannot be decoded.", "Look at it.", retryable=True)

    def fail(self) -> None:
        raise RuntimeError("a bug of ours")

    def talk(self, count: int) -> str:
        for number in range(count):
            self._link.part(number)
        return "end"

    def count_until_interrupted(self) -> int:
        for number in range(6_000):
            if self._link.interrupted():
                return number
            self._link.part(number)
            time.sleep(0.01)
        return -1

    def print_a_lot(self) -> str:
        os.write(1, b"prompt\n" * 100_000)
        os.write(2, b"prompt\n" * 100_000)
        return os.environ["OF_THE_CHILD"]

    def connect(self) -> str:
        try:
            socket.create_connection(("127.0.0.1", 9), timeout=1).close()
        except RuntimeError as error:
            return type(error).__name__
        return "connected"


def service(link: ChildLink, folder: str) -> Service:
    return Service(link, folder)


def unreadable(link: ChildLink) -> Service:
    raise ModelUnreadableError("model.gguf cannot be read.")


def dies_at_start(link: ChildLink) -> Service:
    os.abort()
