"""Where models run: one child process per runtime, one large model in memory at a time.

A child that aborts, hangs or answers nonsense costs one call, which is tried once more; the program goes on.
"""

import importlib
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.child import ChildLink, ChildProcess, ChildSpec
from core.errors import ModelNotInstalledError, NotEnoughRamError
from core.ports import Interrupted, never
from models.catalogue import Runtime
from models.machine import available_ram_mb, total_ram_mb

LARGE_MB = 1100
"""A model that needs this much memory is large: loading it lets go of every other large one. The text reader (1.0 GB with its
pictures, measured) and the smallest chat model are below."""

LOADING_S = 240.0
"""Extra time for a first call: eight gigabytes from a slow disk."""

_NAMES = {
    Runtime.LLAMA: "language-model", Runtime.ONNX: "small-models", Runtime.WHISPER: "speech-model", Runtime.DLIB: "face-models",
}  # fmt: skip
_ENVIRONMENT = {
    # Another busy process makes spinning OpenMP threads collapse: 15 tokens a second became 0.3 (measured).
    "OMP_WAIT_POLICY": "passive",
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "ORT_DISABLE_TELEMETRY": "1",
}
_POLITENESS = 5
IDLE_S = 600.0
"""A child that was not asked for this long is ended: two gigabytes are given back, and the next call loads again."""


@dataclass(frozen=True, slots=True)
class Load:
    """What must be in memory for a call.

    Attributes:
        factory: `package.module:function`, called in the child as `function(link, *args)`; returns the service.
        needs: files that must exist; checked before the child is asked.
    """

    model_id: str
    runtime: Runtime
    factory: str
    args: tuple[Any, ...]  # what the factory takes; picklable and hashable
    ram_mb: int
    needs: tuple[str, ...] = ()


class ModelHost:
    """Starts children at the first call that needs them, and ends them with `close`.

    Args:
        make_sure: called with a model's id before each of its calls; raises where its weights must not be loaded.
    """

    def __init__(
        self,
        log_dir: Path,
        idle_s: float = IDLE_S,
        make_sure: Callable[[str, Interrupted], None] = lambda model_id, interrupted: None,
    ) -> None:
        self._log_dir = log_dir
        self._make_sure = make_sure
        self._idle_s = idle_s
        self._busy: Counter[Runtime] = Counter()
        self._used_at: dict[Runtime, float] = {}
        self._timer: threading.Timer | None = None
        self._children: dict[Runtime, ChildProcess] = {}
        self._loaded: dict[Runtime, set[Load]] = {}
        self._lock = threading.RLock()

    def call(
        self,
        load: Load,
        method: str,
        *args: Any,  # the method's arguments; picklable
        timeout_s: float,
        on_part: Callable[[Any], None] | None = None,  # whatever the method sends
        interrupted: Interrupted = never,
    ) -> Any:  # whatever the method returns
        """Call a method of a model's service, loading the model when it is not in memory.

        Raises:
            ModelNotInstalledError: a file of the weights is gone.
            ModelUnreadableError: a file of the weights is damaged.
            NotEnoughRamError: the machine cannot hold the model, or not beside what runs now.
            ModelError: the child died twice, or gave no answer in time.
            JobCancelled: `interrupted` said so.
        """
        _refuse_the_impossible(load)
        self._make_sure(load.model_id, interrupted)  # outside the lock: reading gigabytes takes seconds
        with self._lock:
            child = self._child(load.runtime)
            is_loaded = child.pid is not None and load in self._loaded[load.runtime]
            if not is_loaded:
                _refuse_while_memory_is_taken(load, self._let_go_for(load))
            self._make_room(load)
            self._loaded[load.runtime].add(load)
            self._busy[load.runtime] += 1
        # Outside the lock: a search may embed its words while another runtime is busy with a caption.
        try:
            return child.call_surviving(
                "run",
                load,
                method,
                args,
                timeout_s=timeout_s if is_loaded else timeout_s + LOADING_S,
                on_part=on_part,
                interrupted=interrupted,
            )
        finally:
            with self._lock:
                self._busy[load.runtime] -= 1
                self._used_at[load.runtime] = time.monotonic()
                self._watch_idleness()

    def release_idle(self) -> None:
        """End the children that nobody asked for a while; a timer calls this, so nobody has to."""
        with self._lock:
            self._timer = None
            for runtime, used_at in list(self._used_at.items()):
                if not self._busy[runtime] and time.monotonic() - used_at >= self._idle_s:
                    self._children[runtime].close()
                    self._loaded[runtime] = set()
                    del self._used_at[runtime]
            self._watch_idleness()

    def _watch_idleness(self) -> None:
        """Look again when the first could be idle long enough; a busy one is seen to when its call ends."""
        resting = [used_at for runtime, used_at in self._used_at.items() if not self._busy[runtime]]
        if self._timer is None and resting:
            wait_s = max(0.05, min(resting) + self._idle_s - time.monotonic())
            self._timer = threading.Timer(wait_s, self.release_idle)
            self._timer.name, self._timer.daemon = "madeleine-idle-models", True
            self._timer.start()

    def pids(self) -> dict[Runtime, int]:
        """The children that run now."""
        return {runtime: child.pid for runtime, child in self._children.items() if child.pid is not None}

    def close(self) -> None:
        """End every child; a later call starts new ones."""
        with self._lock:
            timer, self._timer = self._timer, None
            self._used_at.clear()
            if timer is not None:
                timer.cancel()
            for child in self._children.values():
                child.close()
            self._loaded = {runtime: set() for runtime in self._children}
        if timer is not None and timer is not threading.current_thread():
            timer.join()

    def _make_room(self, load: Load) -> None:
        """Let go of large models of other runtimes; within one runtime the child's service does it."""
        if load.ram_mb < LARGE_MB:
            return
        for runtime, loads in self._loaded.items():
            if runtime is load.runtime:
                loads -= {other for other in loads if other.ram_mb >= LARGE_MB and other != load}
            elif any(other.ram_mb >= LARGE_MB for other in loads):
                self._children[runtime].close()
                loads.clear()

    def _let_go_for(self, load: Load) -> int:
        """Megabytes that the large models hold which go before this one is loaded."""
        if load.ram_mb < LARGE_MB:
            return 0
        at_work = (other for runtime, loads in self._loaded.items() if self._children[runtime].pid for other in loads)
        return sum(other.ram_mb for other in at_work if other.ram_mb >= LARGE_MB)

    def _child(self, runtime: Runtime) -> ChildProcess:
        if runtime not in self._children:
            self._log_dir.mkdir(parents=True, exist_ok=True)
            spec = ChildSpec(
                name=_NAMES[runtime],
                factory="models.host:serve_runtime",
                environment=_ENVIRONMENT,
                log_file=self._log_dir / f"child-{_NAMES[runtime]}.log",
            )
            self._children[runtime] = ChildProcess(spec)
            self._loaded[runtime] = set()
        return self._children[runtime]


class RuntimeService:
    """The child's side: keeps the services of its runtime, at most one large one."""

    def __init__(self, link: ChildLink) -> None:
        self._link = link
        self._services: dict[Load, Any] = {}  # services share no base; each knows its own methods

    def run(
        self, load: Load, method: str, args: tuple[Any, ...]
    ) -> Any:  # whatever the service's method takes and returns
        """Load the model when needed and call its service."""
        return getattr(self._service(load), method)(*args)

    def _service(self, load: Load) -> Any:  # as above
        if load not in self._services:
            if load.ram_mb >= LARGE_MB:
                self._let_go()
            module, function = load.factory.split(":")
            self._services[load] = getattr(importlib.import_module(module), function)(self._link, *load.args)
        return self._services[load]

    def _let_go(self) -> None:
        """Close the large one before the next is loaded, so that both are never in memory together."""
        for other in [load for load in self._services if load.ram_mb >= LARGE_MB]:
            self._services.pop(other).close()


def serve_runtime(link: ChildLink) -> RuntimeService:
    """The factory of every runtime's child."""
    if hasattr(os, "nice"):
        os.nice(_POLITENESS)  # the window and the person's other programs come first
    return RuntimeService(link)


def _refuse_the_impossible(load: Load) -> None:
    missing = [name for name in load.needs if not Path(name).exists()]
    if missing:
        raise ModelNotInstalledError(
            f"The model {load.model_id} lacks the file {Path(missing[0]).name}.",
            f"Run: madeleine models get {load.model_id}",
        )
    if load.ram_mb + 500 > total_ram_mb():
        raise NotEnoughRamError(
            f"The model {load.model_id} needs about {load.ram_mb / 1000:.1f} GB of memory; "
            f"this computer has {total_ram_mb() / 1000:.1f} GB.",
            "Choose a smaller model.",
        )


def _refuse_while_memory_is_taken(load: Load, let_go_mb: int) -> None:
    """A model that is loaded into memory which other programs hold makes the whole computer crawl, or is killed by it."""
    free_mb = available_ram_mb() + let_go_mb
    if load.ram_mb > free_mb:
        raise NotEnoughRamError(
            f"The model {load.model_id} needs about {load.ram_mb / 1000:.1f} GB of memory; of the {total_ram_mb() / 1000:.1f} GB "
            f"of this computer {free_mb / 1000:.1f} GB are free now.",
            "Close other programs and try again, or choose a smaller model.",
            retryable=True,
        )
