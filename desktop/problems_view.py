"""The Problems screen: files that could not be used, each with its reason, to retry or to ignore."""

from collections.abc import Callable

from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from core.engine import Engine
from core.records import Changes, Problem
from core.text_keys import printable
from desktop.parts import button, button_row, heading, quiet
from desktop.strings import count_of, tr
from desktop.worker import EngineWorker


class ProblemsView(QWidget):
    """A list of problems."""

    def __init__(self, engine: Engine, worker: EngineWorker) -> None:
        super().__init__()
        self.setObjectName("page")
        self._engine = engine
        self._worker = worker
        self._problems: list[Problem] = []
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setAccessibleName(tr("Problems"))
        self.summary = quiet()
        buttons = button_row(
            [
                button(tr("Try all again"), self._retry_all),
                button(tr("Try again"), self._retry),
                button(tr("Ignore"), self._ignore),
            ]
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 12, 8)
        layout.addWidget(heading(tr("Problems")))
        layout.addWidget(self.summary)
        layout.addWidget(self.list, 1)
        layout.addLayout(buttons)
        worker.signals.changed.connect(self._refresh)
        self._refresh(Changes(memories=True))

    def _refresh(self, changes: Changes) -> None:
        if not (changes.memories or changes.roots):
            return
        problems = [problem for problem in self._engine.problems() if not problem.ignored]
        if problems == self._problems and self.list.count():
            return
        self._problems = problems
        self.list.clear()
        for problem in problems:
            self.list.addItem(QListWidgetItem(f"{printable(problem.file)}\n{problem.reason}"))
        self.summary.setText(
            count_of(len(problems), "file needs a look", "files need a look")
            if problems
            else tr("Every file could be read.")
        )

    def _retry_all(self) -> None:
        self._change(lambda: self._engine.retry_problems())

    def _retry(self) -> None:
        if path := self._path():
            self._change(lambda: self._engine.retry_problems(path))

    def _ignore(self) -> None:
        if path := self._path():
            self._change(lambda: self._engine.ignore_problems(path))

    def _path(self) -> str | None:
        row = self.list.currentRow()
        return self._problems[row].file if 0 <= row < len(self._problems) else None

    def _change(self, act: Callable[[], int]) -> None:
        def changed() -> Changes:
            act()
            return Changes(memories=True)

        self._worker.edit("problems", changed, lambda _: self._worker.process())
