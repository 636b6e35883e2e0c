"""The Problems screen: files that could not be used, to retry or to ignore; and what about memories the person may want to check."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from core.engine import Engine
from core.records import Changes, Doubt, Problem
from core.text_keys import printable
from desktop.memory_dialog import MemoryDialog
from desktop.parts import button, button_row, heading, quiet
from desktop.reveal import reveal
from desktop.strings import count_of, tr
from desktop.worker import EngineWorker

_MOST_SHOWN = 500


class ProblemsView(QWidget):
    """A list of problems."""

    def __init__(self, engine: Engine, worker: EngineWorker) -> None:
        super().__init__()
        self.setObjectName("page")
        self._engine = engine
        self._worker = worker
        self._problems: list[Problem] = []
        self._doubts: list[Doubt] = []
        self._is_stale = True
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setAccessibleName(tr("Problems"))
        self.summary = quiet()
        self.doubts = QListWidget()
        self.doubts.setWordWrap(True)
        self.doubts.setAccessibleName(tr("To check"))
        self.doubts.itemActivated.connect(self._open)
        self.to_check = quiet()
        buttons = button_row(
            [
                button(tr("Try all again"), self._retry_all),
                button(tr("Try again"), self._retry),
                button(tr("Ignore"), self._ignore),
                button(tr("Show in folder"), self._reveal),
            ]
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 12, 8)
        layout.addWidget(heading(tr("Problems")))
        layout.addWidget(self.summary)
        layout.addWidget(self.list, 1)
        layout.addLayout(buttons)
        layout.addWidget(self.to_check)
        layout.addWidget(self.doubts, 1)
        hint = tr("Do not tell this again; Events > History takes it back")
        self.leave = button(tr("It is right as it is"), self._dismiss, hint=hint)
        layout.addLayout(button_row([self.leave]))
        worker.signals.changed.connect(self._refresh)
        self._refresh(Changes(memories=True))

    def _refresh(self, changes: Changes) -> None:
        if not (changes.memories or changes.roots):
            return
        self._is_stale = True
        count = self._engine.count_problems()
        problems = [each for each in self._engine.problems(_MOST_SHOWN) if not each.ignored][:_MOST_SHOWN]
        self.summary.setText(_summary(count, len(problems)))
        if problems == self._problems and self.list.count():
            return
        self._problems = problems
        self.list.clear()
        for problem in problems:
            self.list.addItem(QListWidgetItem(f"{printable(problem.file)}\n{problem.reason}\n{_tried(problem)}"))

    def showEvent(self, event: QShowEvent) -> None:
        """Look all memories over when somebody comes to look, off this thread: of 100,000 it takes seconds."""
        super().showEvent(event)
        self._look_over()

    def _look_over(self) -> None:
        if self._is_stale:
            self._is_stale = False
            self._worker.look_up("review", self._engine.review, self._show_doubts)

    def _show_doubts(self, doubts: list[Doubt]) -> None:
        row = self.doubts.currentRow()
        self._doubts = doubts[:_MOST_SHOWN]
        self.doubts.clear()
        memories = self._engine.memories(list({doubt.memory_id for doubt in self._doubts}))
        names = {memory.id: memory.file_name for memory in memories}
        self._doubts = [doubt for doubt in self._doubts if doubt.memory_id in names]  # forgotten meanwhile
        for doubt in self._doubts:
            item = QListWidgetItem(f"{names[doubt.memory_id]}\n{doubt.reason}")
            item.setData(Qt.ItemDataRole.UserRole, doubt.memory_id)
            self.doubts.addItem(item)
        self.doubts.setCurrentRow(min(row, len(self._doubts) - 1))
        self.doubts.setVisible(bool(doubts))
        self.leave.setVisible(bool(doubts))
        self.to_check.setText(
            count_of(len(doubts), "thing you may want to check", "things you may want to check") if doubts else ""
        )

    def _open(self, item: QListWidgetItem) -> None:
        MemoryDialog(self._engine, self._worker, item.data(Qt.ItemDataRole.UserRole), parent=self).show()

    def _dismiss(self) -> None:
        row = self.doubts.currentRow()
        if 0 <= row < len(self._doubts):
            doubt = self._doubts[row]
            self._worker.edit("dismiss", lambda: self._engine.correct.dismiss_doubts([doubt]), self._look_again)

    def _look_again(self, _dismissed: Changes) -> None:
        self._is_stale = True
        self._look_over()

    def _retry_all(self) -> None:
        self._change(lambda: self._engine.retry_problems())

    def _retry(self) -> None:
        if path := self._path():
            self._change(lambda: self._engine.retry_problems(path))

    def _ignore(self) -> None:
        if path := self._path():
            self._change(lambda: self._engine.ignore_problems(path))

    def _reveal(self) -> None:
        if path := self._path():
            reveal(path)

    def _path(self) -> str | None:
        row = self.list.currentRow()
        return self._problems[row].file if 0 <= row < len(self._problems) else None

    def _change(self, act: Callable[[], int]) -> None:
        def changed() -> Changes:
            act()
            return Changes(memories=True)

        self._worker.edit("problems", changed, lambda _: self._worker.process())


def _summary(count: int, shown: int) -> str:
    if not count:
        return tr("Every file could be read.")
    said = count_of(count, "file needs a look", "files need a look")
    return said if shown >= count else f"{said} ({tr('the first')} {shown})"


def _tried(problem: Problem) -> str:
    """At which step it failed, and how often that was tried."""
    step = problem.stage.replace("_", " ").capitalize()
    return f"{step}, {tr('tried')} {count_of(max(problem.attempts, 1), 'time', 'times')}"
