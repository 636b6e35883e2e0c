"""Decides what the Library screen shows: the timeline or search results, and what happens to dropped folders."""

from datetime import date
from pathlib import Path

from core.engine import Engine
from core.errors import RequestError
from core.jobs import Job
from core.records import Changes, Found
from desktop.item_models import MemoryListModel
from desktop.library_view import LibraryView
from desktop.notices import show_error
from desktop.strings import count_of, tr
from desktop.worker import EngineWorker

_RESULTS = 200


class LibraryController:
    """Keeps the Library screen in step with the engine."""

    def __init__(self, engine: Engine, worker: EngineWorker, view: LibraryView, memories: MemoryListModel) -> None:
        self._engine = engine
        self._worker = worker
        self._view = view
        self._memories = memories
        self._searching: Job | None = None
        view.searched.connect(self._search)
        view.folders_given.connect(self.add_folders)
        worker.signals.changed.connect(self._refresh)
        self._show_timeline()

    def add_folders(self, paths: list[str]) -> None:
        """Add folders (for a file, the folder it is in) and begin to read them."""
        folders = [path if path.is_dir() else path.parent for path in map(Path, paths)]

        def add() -> Changes:
            for folder in dict.fromkeys(folders):
                self._engine.add_folder(folder)
            return Changes(roots=True)

        self._worker.edit(
            "add folders", add, lambda _: self._worker.process(), lambda error: show_error(self._view, error)
        )

    def _search(self, text: str) -> None:
        """Words are found at once; meaning follows as soon as the worker is free."""
        if self._searching is not None:
            self._searching.cancel()
        if not text.strip():
            self._show_timeline()
            return
        try:
            self._show_found(self._engine.search_words(text, date.today(), _RESULTS))
        except RequestError as error:  # `like:` of something without a picture
            self._view.summary.setText(str(error))
            return
        self._searching = self._worker.look_up(
            "search", lambda: self._engine.search_box(text, date.today(), _RESULTS), self._show_found
        )

    def _show_found(self, found: list[Found]) -> None:
        self._memories.show_ids([each.memory_id for each in found])
        self._view.show_empty(False)
        counted = count_of(len(found), "result", "results") if found else tr("Nothing found.")
        warning = self._engine.language_warning(self._view.search.text())
        self._view.summary.setText("  ".join(part for part in (counted, warning) if part))

    def _show_timeline(self) -> None:
        self._memories.show_timeline()
        total = self._engine.count()
        self._view.show_empty(total == 0)
        self._view.summary.setText(count_of(total, "memory", "memories") if total else "")

    def _refresh(self, changes: Changes) -> None:
        if not (changes.memories or changes.roots):
            return
        if self._view.search.text().strip():
            self._memories.refresh()
        else:
            self._show_timeline_again()

    def _show_timeline_again(self) -> None:
        self._memories.refresh()
        total = self._engine.count()
        self._view.show_empty(total == 0)
        self._view.summary.setText(count_of(total, "memory", "memories") if total else "")
