"""Runs code that may crash, hang or eat memory in a child process, so that the program survives it.

Decoders and native model runtimes live behind this. A child serves one call at a time; when it dies the next call starts a
new one. Measured in llama-cpp-python 0.3.36: two threads on one model abort the process and a malformed grammar segfaults it.
"""

import importlib
import logging
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from core.errors import AppError, JobCancelled, ModelCrashedError, ModelTimedOutError
from core.offline import forbid_network
from core.ports import Interrupted, never

log = logging.getLogger(__name__)

_POLL_S = 0.05
_GRACE_S = 3.0


class ChildDiedError(Exception):
    """The child process ended while it worked on a call; `exit_code` is negative for a signal."""

    def __init__(self, name: str, exit_code: int | None) -> None:
        super().__init__(f"{name} ended with {exit_code}")
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """How to start a child.

    Attributes:
        factory: `package.module:function`; called in the child as `function(link, *args)`, returns the object whose methods
            are served. Its arguments must be picklable.
        environment: set in the child before anything is imported.
        recycle_after: calls after which a fresh process takes over (bounds leaks); 0 means never.
        log_file: where the child's own output goes; None throws it away (libraries print the prompt to stderr).
    """

    name: str
    factory: str
    args: tuple[Any, ...] = ()  # what the factory takes; picklable, its types are the factory's business
    environment: Mapping[str, str] = field(default_factory=dict)
    recycle_after: int = 0
    start_timeout_s: float = 120.0
    log_file: Path | None = None


class ChildLink:
    """The child's side of a call: sends parts of the result early and learns of interruption."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._interrupted = False

    def part(self, value: object) -> None:
        """Send a piece of the result to the caller's `on_part` now."""
        self._connection.send(("part", value))

    def interrupted(self) -> bool:
        """Whether the caller wants this call to stop."""
        if not self._interrupted and self._connection.poll(0):
            self._interrupted = self._connection.recv() == "interrupt"
        return self._interrupted

    def reset(self) -> None:
        """Forget the interruption of an earlier call."""
        self._interrupted = False


class ChildProcess:
    """A service in a process of its own. Calls from several threads wait for each other."""

    def __init__(self, spec: ChildSpec) -> None:
        self._spec = spec
        self._lock = threading.RLock()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._calls = 0

    @property
    def pid(self) -> int | None:
        """Process id while it runs."""
        process = self._process
        return process.pid if process and process.is_alive() else None

    def start(self) -> None:
        """Start the process now, so that the first call need not wait for it.

        Raises:
            ChildDiedError: it ended while it started.
            AppError: it cannot build its service.
        """
        with self._lock:
            try:
                self._started()
            except (EOFError, BrokenPipeError, ConnectionResetError):
                raise ChildDiedError(self._spec.name, self._ended()) from None

    def call(
        self,
        method: str,
        *args: Any,  # the method's arguments; picklable
        timeout_s: float,
        on_part: Callable[[Any], None] | None = None,  # whatever the method sends
        interrupted: Interrupted = never,
    ) -> Any:  # whatever the method returns
        """Call a method of the service and wait for its result, starting the child when needed.

        Raises:
            ChildDiedError: the process ended during the call; the next call starts a new one.
            ModelTimedOutError: no result within `timeout_s`; the process has been ended.
            JobCancelled: `interrupted` said so; the process is kept when it stops by itself within three seconds.
            AppError: raised by the method.
        """
        with self._lock:
            try:
                connection = self._started()
                connection.send((method, args))
                return self._result(connection, method, timeout_s, on_part, interrupted)
            except (EOFError, BrokenPipeError, ConnectionResetError):
                raise ChildDiedError(self._spec.name, self._ended()) from None
            finally:
                self._calls += 1
                if self._spec.recycle_after and self._calls >= self._spec.recycle_after:
                    self.close()

    def call_surviving(
        self,
        method: str,
        *args: Any,  # as in `call`
        timeout_s: float,
        on_part: Callable[[Any], None] | None = None,  # as in `call`
        interrupted: Interrupted = never,
    ) -> Any:  # as in `call`
        """As `call`, but a death is answered with one more try.

        Raises:
            ModelCrashedError: the second process died too.
        """
        for attempt in (1, 2):
            try:
                return self.call(method, *args, timeout_s=timeout_s, on_part=on_part, interrupted=interrupted)
            except ChildDiedError as death:
                log.warning(
                    "%s died on %s (exit code %s), attempt %d", self._spec.name, method, death.exit_code, attempt
                )
        raise ModelCrashedError(
            f"{self._spec.name} stopped unexpectedly twice on the same item.",
            "The item is marked and skipped; retry it from Problems.",
        )

    def close(self) -> None:
        """End the process; safe to call twice. The next call starts a new one."""
        with self._lock:
            self._ended()

    def _started(self) -> Connection:
        if self._process is not None and self._process.is_alive() and self._connection is not None:
            return self._connection
        self._ended()
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_serve, args=(theirs, self._spec), name=f"madeleine-{self._spec.name}", daemon=True
        )
        process.start()
        theirs.close()
        self._process, self._connection, self._calls = process, ours, 0
        try:
            self._result(ours, "start", self._spec.start_timeout_s, None, never)
        except AppError:
            self._ended()  # it could not build its service; the next call tries again
            raise
        return ours

    def _result(
        self,
        connection: Connection,
        method: str,
        timeout_s: float,
        on_part: Callable[[Any], None] | None,
        interrupted: Interrupted,
    ) -> Any:  # whatever the method returns
        deadline = time.monotonic() + timeout_s
        told_at: float | None = None
        while True:
            if wait([connection], _POLL_S):
                kind, value = connection.recv()
                if kind == "part":
                    if on_part is not None and told_at is None:
                        on_part(value)
                elif kind == "error":
                    raise value
                elif told_at is not None:
                    raise JobCancelled
                else:
                    return value
            if told_at is None and interrupted():
                told_at = time.monotonic()
                connection.send("interrupt")
            elif told_at is not None and time.monotonic() - told_at > _GRACE_S:
                self._ended()
                raise JobCancelled
            if time.monotonic() > deadline:
                self._ended()
                raise ModelTimedOutError(
                    f"{self._spec.name} did not finish {method} within {timeout_s:.0f} seconds.",
                    "The item is marked and skipped; retry it from Problems.",
                )

    def _ended(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        if self._connection is not None:
            self._connection.close()  # an idle child ends by itself when nobody listens any more
            self._connection = None
        process.join(0.2)
        if process.is_alive():
            process.kill()
            process.join()
        code = process.exitcode
        process.close()
        return code


def _serve(connection: Connection, spec: ChildSpec) -> None:
    """The child's life: build the service, answer calls until the parent closes or dies."""
    _redirect_output(spec.log_file)
    os.environ.update(spec.environment)
    forbid_network()
    threading.Thread(target=_die_with_parent, daemon=True).start()
    link = ChildLink(connection)
    try:
        module, function = spec.factory.split(":")
        service = getattr(importlib.import_module(module), function)(link, *spec.args)
    except AppError as error:
        connection.send(("error", error))
        return
    connection.send(("result", None))
    while True:
        try:
            request = connection.recv()
        except EOFError:
            return
        if request == "interrupt":
            continue  # arrived after its call had ended
        method, args = request
        link.reset()
        try:
            connection.send(("result", getattr(service, method)(*args)))
        except (AppError, JobCancelled) as error:
            connection.send(("error", error))


def _redirect_output(log_file: Path | None) -> None:
    """Windowed programs start with closed descriptors, and libraries write prompts to stderr: point both somewhere safe."""
    target = os.open(log_file or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for descriptor in (1, 2):
        os.dup2(target, descriptor)
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - lives as long as the process
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
