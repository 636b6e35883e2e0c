"""Connections: how people, places, events and things are related, and the person's word about it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from core.engine import Engine
from core.errors import AppError
from core.records import Changes
from desktop.item_models import MemoryListModel
from desktop.notices import asked_text, show_error
from desktop.parts import button, button_row, outside
from desktop.strings import tr
from desktop.worker import EngineWorker

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Row:
    """A connection that is shown: its ends by name, and as the engine tells events of one name apart; the memories that say so."""

    source: str
    relation: str
    target: str
    ends: tuple[str, str]
    memory_ids: tuple[str, ...] = ()


class ConnectionsView(QWidget):
    """What one name is connected with; without a name, everything the person told."""

    def __init__(self, engine: Engine, worker: EngineWorker, evidence: MemoryListModel) -> None:
        super().__init__()
        self._engine = engine
        self._worker = worker
        self._evidence = evidence
        self._rows: list[Row] = []
        self.name = QLineEdit()
        self.name.setPlaceholderText(tr("A person, place, event or thing; empty: what you told"))
        self.name.setAccessibleName(tr("Whose connections"))
        self.name.returnPressed.connect(self.refresh)
        self.who: QLabel = outside("quiet")
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setAccessibleName(tr("Connections"))
        self.list.currentRowChanged.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.addWidget(self.name)
        layout.addWidget(self.who)
        layout.addWidget(self.list, 1)
        layout.addLayout(
            button_row(
                [
                    button(tr("Tell…"), self._tell, hint=tr("Say what somebody is of somebody")),
                    button(tr("Something else…"), self._fix, hint=tr("Say that this relation is another one")),
                    button(tr("Not so"), self._deny, hint=tr("Take this relation away; it does not come back")),
                    button(tr("Undo"), lambda: self._correct(engine.correct.undo)),
                ]
            )
        )
        worker.signals.changed.connect(self._after)
        self.refresh()

    def refresh(self) -> None:
        """Show the connections of the name that is typed."""
        name = self.name.text().strip()
        self.who.setText("")
        try:
            self._rows = self._around(name) if name else self._told()
        except AppError as error:
            self._rows = []
            self.who.setText(str(error))
        self.list.clear()
        for row in self._rows:
            told = "✎ " if not row.memory_ids else ""
            count = f"   ({len(row.memory_ids)})" if row.memory_ids else ""
            self.list.addItem(QListWidgetItem(f"{told}{row.source} – {row.relation} → {row.target}{count}"))
        if self._rows:
            self.list.setCurrentRow(0)
        elif not self.who.text():
            self.who.setText(tr("Nothing is known yet. Tell, for example, who your sister is."))

    def _told(self) -> list[Row]:
        told = (each for each in self._engine.relations.told() if each.holds)
        return [
            Row(each.source.name, each.relation, each.target.name, (each.source.name, each.target.name))
            for each in told
        ]

    def _around(self, name: str) -> list[Row]:
        known = self._engine.relations.card(name)
        parts = [f"{tr('your')} {known.to_owner[0]}"] if known.to_owner else []
        if known.first_day and known.last_day:
            parts.append(f"{known.days} {tr('days')}, {known.first_day.isoformat()} – {known.last_day.isoformat()}")
        if known.places:
            parts.append(f"{tr('mostly at')} {known.places[0][0]}")
        self.who.setText(f"{known.name}: {'; '.join(parts)}" if parts else "")
        rows = []
        for each in self._engine.relations.around(name, _SHOWN):
            names, keys = (known.name, each.node.name), (known.name, each.node.ref or each.node.name)
            if not each.outward:
                names, keys = names[::-1], keys[::-1]
            rows.append(
                Row(names[0], each.relation, names[1], keys, () if each.made_by == "person" else each.memory_ids)
            )
        return rows

    def _after(self, changes: Changes) -> None:
        if changes.knowledge:
            self.refresh()

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._rows):
            self._evidence.show_ids(self._rows[row].memory_ids)

    def _row(self) -> Row | None:
        row = self.list.currentRow()
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def _correct(self, act: Callable[[], Changes]) -> None:
        self._worker.edit("relation", act, None, lambda error: show_error(self, error))

    def _tell(self) -> None:
        said = asked_text(
            self, tr("Who, what, whom? For example: me, sister, Nina"), f"{self.name.text().strip() or tr('me')}, "
        )
        parts = _three(said) if said else None
        if parts:
            self._correct(lambda: self._engine.relations.relate(*parts))

    def _fix(self) -> None:
        row = self._row()
        better = asked_text(self, tr("What is it really?"), row.relation) if row else None
        if row and better:
            self._correct(lambda: self._engine.relations.fix(row.ends[0], row.relation, row.ends[1], better))

    def _deny(self) -> None:
        if row := self._row():
            self._correct(lambda: self._engine.relations.unrelate(row.ends[0], row.relation, row.ends[1]))


def _three(said: str) -> Sequence[str]:
    """Who, what, whom: by their commas; missing ones are empty, and the engine says what is missing."""
    parts = [part.strip() for part in said.split(",", 2)]
    return [*parts, "", ""][:3]
