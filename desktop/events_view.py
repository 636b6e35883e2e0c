"""The Events screen: a list of events, and one event with its pictures and what can be corrected about it."""

from collections.abc import Callable

from PySide6.QtWidgets import QGridLayout, QListView, QPushButton, QSplitter, QVBoxLayout, QWidget

from core.records import Event
from desktop.grid import MemoryGrid
from desktop.item_models import EventListModel, days
from desktop.parts import heading, outside, quiet
from desktop.strings import count_of, tr

_COLUMNS = 3
_ALWAYS = ("undo", "history")


class EventsView(QWidget):
    """Layout only; `EventsController` decides."""

    def __init__(self, events: EventListModel, grid: MemoryGrid, suggestions: QWidget) -> None:
        super().__init__()
        self.setObjectName("page")
        self.list = QListView()
        self.list.setAccessibleName(tr("Events"))
        self.list.setModel(events)
        self.list.setUniformItemSizes(True)
        self.list.setMinimumWidth(230)
        self.grid = grid
        self.name = heading(tr("No event chosen"))
        self.name.setWordWrap(True)
        self.when = quiet()
        self.summary = outside()
        self.why = outside("quiet")
        self.buttons: dict[str, QPushButton] = {}
        detail = QWidget()
        column = QVBoxLayout(detail)
        for widget in (self.name, self.when, self.summary, self.why):
            column.addWidget(widget)
        column.addLayout(self._buttons())
        column.addWidget(grid, 1)
        splitter = QSplitter()
        left = QWidget()
        beside = QVBoxLayout(left)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self.list, 3)
        beside.addWidget(suggestions, 1)
        splitter.addWidget(left)
        splitter.addWidget(detail)
        splitter.setStretchFactor(1, 3)
        splitter.setSizes([280, 700])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 12, 8)
        layout.addWidget(heading(tr("Events")))
        layout.addWidget(splitter, 1)

    def on(self, button: str, act: Callable[[], None]) -> None:
        """Do this when a button is pressed."""
        self.buttons[button].clicked.connect(lambda: act())

    def show_event(self, event: Event | None) -> None:
        """Show an event's facts, or that none is chosen."""
        self.name.setText(event.name if event else tr("No event chosen"))
        self.when.setText(
            "  ·  ".join(
                part
                for part in (days(event), event.place, count_of(len(event.member_ids), "memory", "memories"))
                if part
            )
            if event
            else ""
        )
        self.summary.setText(event.summary if event else "")
        self.why.setText(f"{tr('Why')}: {event.why} ({event.confidence:.0%})" if event and event.why else "")
        for name, button in self.buttons.items():
            button.setEnabled(event is not None or name in _ALWAYS)

    def _buttons(self) -> QGridLayout:
        grid = QGridLayout()
        for position, (name, label) in enumerate(
            (
                ("rename", tr("Rename…")),
                ("redate", tr("Dates…")),
                ("place", tr("Place…")),
                ("importance", tr("Importance…")),
                ("confirm", tr("Confirm")),
                ("lock", tr("Lock")),
                ("delete", tr("This was no event")),
                ("move", tr("Move selected…")),
                ("split", tr("Split off selected…")),
                ("merge", tr("Merge with…")),
                ("create", tr("New event of selected…")),
                ("history", tr("History…")),
                ("undo", tr("Undo")),
            )
        ):
            self.buttons[name] = QPushButton(label)
            grid.addWidget(self.buttons[name], position // _COLUMNS, position % _COLUMNS)
        return grid
