"""Shows every correction with who, when and why, and takes back the chosen one."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from core.engine import Engine
from core.records import Change, Changes
from desktop.notices import show_error
from desktop.parts import button, button_row, heading
from desktop.strings import tr
from desktop.worker import EngineWorker


class HistoryDialog(QDialog):
    """The whole history of corrections, the latest first."""

    def __init__(self, engine: Engine, worker: EngineWorker, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("History of corrections"))
        self.resize(620, 480)
        self._engine = engine
        self._worker = worker
        self._changes: list[Change] = []
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setAccessibleName(tr("Corrections"))
        layout = QVBoxLayout(self)
        layout.addWidget(heading(tr("History of corrections")))
        layout.addWidget(self.list, 1)
        layout.addLayout(button_row([button(tr("Take this back"), self.undo), button(tr("Close"), self.close)]))
        worker.signals.changed.connect(self._refresh)
        self._refresh(Changes())

    def undo(self) -> None:
        """Take the chosen correction back."""
        row = self.list.currentRow()
        if 0 <= row < len(self._changes):
            change = self._changes[row]
            self._worker.edit(
                "undo", lambda: self._engine.correct.undo(change.id), None, lambda error: show_error(self, error)
            )

    def _refresh(self, _: Changes) -> None:
        self._changes = self._engine.history()
        self.list.clear()
        for change in self._changes:
            self.list.addItem(QListWidgetItem(_line(change)))
        if not self._changes:
            self.list.addItem(tr("Nothing was corrected yet."))


def _line(change: Change) -> str:
    who = f"{change.who}, " if change.who else ""
    lines = [change.what, f"{who}{change.made_at[:16].replace('T', ' ')}"]
    if change.why:
        lines.append(change.why)
    if change.undone_at:
        lines.append(f"{tr('Taken back')} {change.undone_at[:16].replace('T', ' ')}")
    return "\n".join(lines)
