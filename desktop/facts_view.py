"""The Knowledge screen: what Madeleine has learned, how things are connected, why it believes it, and the person's word about it."""

from collections.abc import Callable

from PySide6.QtWidgets import QListWidget, QListWidgetItem, QTabWidget, QVBoxLayout, QWidget

from core.engine import Engine
from core.records import Changes, Knowledge
from desktop.connections_view import ConnectionsView
from desktop.grid import MemoryGrid
from desktop.item_models import MemoryListModel
from desktop.notices import asked_text, show_error
from desktop.parts import button, button_row, heading, outside
from desktop.strings import tr
from desktop.worker import EngineWorker


class FactsView(QWidget):
    """Statements with their evidence."""

    def __init__(self, engine: Engine, worker: EngineWorker, evidence: MemoryListModel, grid: MemoryGrid) -> None:
        super().__init__()
        self.setObjectName("page")
        self._engine = engine
        self._worker = worker
        self._evidence = evidence
        self._facts: list[Knowledge] = []
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setAccessibleName(tr("What is known"))
        self.list.currentRowChanged.connect(self._choose)
        self.why = outside("quiet")
        buttons = button_row(
            [
                button(tr("True"), self._confirm),
                button(tr("Edit…"), self._edit),
                button(tr("Not true"), self._reject),
                button(tr("Add…"), self._add),
                button(tr("Undo"), lambda: self._correct(engine.correct.undo)),
            ]
        )
        facts = QWidget()
        inside = QVBoxLayout(facts)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.addWidget(self.list, 1)
        inside.addWidget(self.why)
        inside.addLayout(buttons)
        self.connections = ConnectionsView(engine, worker, evidence)
        self.tabs = QTabWidget()
        self.tabs.addTab(facts, tr("Facts"))
        self.tabs.addTab(self.connections, tr("Connections"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 12, 8)
        layout.addWidget(heading(tr("Knowledge")))
        layout.addWidget(self.tabs, 1)
        layout.addWidget(grid, 1)
        worker.signals.changed.connect(self._refresh)
        self._refresh(Changes(knowledge=True))

    def _refresh(self, changes: Changes) -> None:
        if not changes.knowledge:
            return
        self._facts = self._engine.facts()
        self.list.clear()
        for fact in self._facts:
            mark = {"confirmed": "✓ ", "own": "✎ "}.get(fact.state, "")
            self.list.addItem(QListWidgetItem(f"{mark}{fact.statement}"))
        if self._facts:
            self.list.setCurrentRow(0)

    def _choose(self, row: int) -> None:
        fact = self._facts[row] if 0 <= row < len(self._facts) else None
        self.why.setText(_why(fact) if fact else "")
        self._evidence.show_ids(fact.evidence_ids if fact else ())

    def _fact(self) -> Knowledge | None:
        row = self.list.currentRow()
        return self._facts[row] if 0 <= row < len(self._facts) else None

    def _correct(self, act: Callable[[], Changes]) -> None:
        self._worker.edit("fact", act, None, lambda error: show_error(self, error))

    def _confirm(self) -> None:
        if fact := self._fact():
            self._correct(lambda: self._engine.correct.confirm_fact(fact.id))

    def _reject(self) -> None:
        if fact := self._fact():
            self._correct(lambda: self._engine.correct.reject_fact(fact.id))

    def _edit(self) -> None:
        fact = self._fact()
        statement = asked_text(self, tr("What is true?"), fact.statement) if fact else None
        if fact and statement:
            self._correct(lambda: self._engine.correct.edit_fact(fact.id, statement))

    def _add(self) -> None:
        statement = asked_text(self, tr("What should Madeleine know?"))
        if statement:
            self._correct(lambda: self._engine.correct.add_fact(statement))


def _why(fact: Knowledge) -> str:
    """Why it is believed, how surely, and from when to when it held."""
    span = " – ".join(day.isoformat() if day else "…" for day in (fact.valid_from, fact.valid_to))
    when = f"  {span}" if fact.valid_from or fact.valid_to else ""
    inferred = f" {tr('Inferred, not said.')}" if fact.kind == "trait" else ""
    return f"{tr('Why')}: {fact.why} ({fact.confidence:.0%}){inferred}{when}" if fact.why else when.strip()
