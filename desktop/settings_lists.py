"""A titled list with buttons: the piece that the Settings screen is made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QListWidget, QPushButton, QVBoxLayout, QWidget

from desktop.parts import button_row, quiet, section

_ROW_PX, _MOST_ROWS = 24, 8


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a list: what it stands for, and what it says."""

    key: str
    text: str


class ListSection(QWidget):
    """Shows rows; the buttons act on the selected one."""

    def __init__(
        self, title: str, explained: str, load: Callable[[], Sequence[Row]], empty: str, buttons: Sequence[QPushButton]
    ) -> None:
        super().__init__()
        self._load = load
        self._rows: Sequence[Row] = ()
        self._empty = empty
        self.list = QListWidget()
        self.list.setAccessibleName(title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 10)
        layout.addWidget(section(title))
        layout.addWidget(quiet(explained))
        layout.addWidget(self.list)
        layout.addLayout(button_row(buttons))

    @property
    def key(self) -> str | None:
        """What the selected row stands for."""
        row = self.list.currentRow()
        return self._rows[row].key if 0 <= row < len(self._rows) else None

    def refresh(self) -> None:
        """Read the rows again; the selection stays where it was."""
        rows = self._load()
        if rows == self._rows and self.list.count():
            return
        position = self.list.currentRow()
        self._rows = rows
        self.list.clear()
        self.list.addItems([row.text for row in rows] or [self._empty])
        self.list.setEnabled(bool(rows))
        self.list.setCurrentRow(min(position, len(rows) - 1))
        self.list.setFixedHeight(_ROW_PX * min(max(len(rows), 1), _MOST_ROWS) + 8)
