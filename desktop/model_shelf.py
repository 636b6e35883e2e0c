"""The catalogue of models beside what is installed: what the Models screen and `madeleine models` show and do. No Qt."""

import queue
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.jobs import News
from core.records import AskStep
from models.catalogue import CatalogueEntry, Role, Tier, load_catalogue
from models.download import fetch
from models.installed import InstalledModels
from models.machine import total_ram_mb
from models.speed import Speed, speeds
from models.weights import Added, CheckedFile, FetchProgress, add_from, check, installed_ids, remove

_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class ShelfEntry:
    """One model as a person sees it. `reason` says why it cannot be installed yet; empty when it can.

    `scripts`: whose letters a text reader knows.
    """

    id: str
    roles: str
    tier: str
    size_bytes: int
    licence: str
    licence_url: str
    must_accept: bool
    upstream: str
    installed: bool
    installable: bool
    reason: str
    ram_mb: int
    scripts: tuple[str, ...] = ()


class ModelShelf:
    """The models of one folder of weights."""

    def __init__(self, models_dir: Path) -> None:
        self._dir = models_dir
        self._catalogue = load_catalogue()

    def entries(self) -> list[ShelfEntry]:
        """Every model of the catalogue."""
        installed = set(installed_ids(self._dir, self._catalogue))
        return [_entry(entry, entry.id in installed) for entry in self._catalogue.entries]

    def starter_ids(self) -> list[str]:
        """What a machine needs to do the whole job on what a package registry supplies, less what is installed already."""
        roles = (Role.TEXT_EMBEDDER, Role.SCENES, Role.TRANSCRIBER, Role.CHAT)
        able = [entry.id for entry in self._catalogue.entries if entry.tier is Tier.STARTER and entry.installable]
        best = [self._catalogue.default(role, able, total_ram_mb()) for role in roles]
        installed = set(installed_ids(self._dir, self._catalogue))
        return [entry.id for entry in best if entry is not None and entry.id not in installed]

    def fetch(
        self, model_id: str, *, accept_licence: bool, cancelled: Callable[[], bool]
    ) -> Generator[News, None, None]:
        """Get a model, telling how far it is; the transfer runs on a thread of its own, so the worker stays free between steps.

        Raises:
            AppError: as `models.download.fetch` says.
        """
        news: queue.SimpleQueue[FetchProgress] = queue.SimpleQueue()
        left = threading.Event()

        def stops() -> bool:
            return left.is_set() or cancelled()

        with ThreadPoolExecutor(1, "madeleine-fetch") as thread:
            fetching = thread.submit(fetch, model_id, self._dir, news.put, stops, accept_licence)
            try:
                while not fetching.done():
                    yield _next_news(news)
            finally:
                left.set()  # nobody waits for it any more
            fetching.result()  # raises whatever ended it, also what nobody foresaw

    def speeds(self) -> Iterator[Speed]:
        """What each model does on this computer: a minute or two; those installed are run, the others estimated."""
        with tempfile.TemporaryDirectory() as logs, closing(InstalledModels(self._dir, Path(logs))) as models:
            yield from speeds(self._catalogue, models)

    def add(self, paths: Sequence[Path]) -> Added:
        """Bring in weights from folders or files of this computer. Raises AppError."""
        return add_from(paths, self._dir)

    def check(self, model_ids: Sequence[str]) -> list[CheckedFile]:
        """Read the installed weights again and compare them with the catalogue."""
        return list(check(self._dir, model_ids or installed_ids(self._dir, self._catalogue)))

    def remove(self, model_id: str) -> None:
        """Delete the weights of a model. Raises AppError."""
        remove(model_id, self._dir)


def _next_news(news: "queue.SimpleQueue[FetchProgress]") -> AskStep:
    try:
        told = news.get(timeout=_LOOK_EVERY_S)
    except queue.Empty:
        return AskStep()
    return AskStep(doing=f"{told.model_id}: {told.done_bytes / 1e6:,.0f} of {told.total_bytes / 1e6:,.0f} MB")


def _entry(entry: CatalogueEntry, installed: bool) -> ShelfEntry:
    return ShelfEntry(
        id=entry.id,
        roles=", ".join(role.replace("_", " ") for role in entry.roles),
        tier=entry.tier,
        size_bytes=entry.size_bytes,
        licence=entry.licence.name,
        licence_url=entry.licence.url,
        must_accept=entry.licence.must_accept,
        upstream=entry.upstream,
        installed=installed,
        installable=entry.installable,
        reason=entry.reason,
        ram_mb=entry.ram_mb,
        scripts=entry.scripts,
    )
