"""Qt item models over the engine: memories page by page, and events."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QIcon

from core.engine import Engine
from core.records import CapturedMemory, Event, MemoryKind
from desktop.strings import tr
from desktop.thumbnails import Thumbnails
from desktop.tiles import TILE_PX, tile

ID_ROLE = int(Qt.ItemDataRole.UserRole)
_PAGE = 240
Index = QModelIndex | QPersistentModelIndex


def when(taken: datetime | None) -> str:
    """A wall time for a label."""
    return f"{taken:%d %b %Y, %H:%M}" if taken else tr("Undated")


def described(memory: CapturedMemory) -> str:
    """One line that says what a memory is, for labels and screen readers."""
    parts = [
        memory.title or memory.caption or memory.file_name,
        when(memory.taken.wall),
        memory.place.label if memory.place else "",
        tr("Its file is missing; it comes back when the file does.") if memory.is_missing else "",
        f"{tr('Kept out of')} {memory.private}" if memory.private else "",
    ]
    return ". ".join(part for part in parts if part)


class MemoryListModel(QAbstractListModel):
    """A list of memories that loads its rows in pages, as the view scrolls."""

    def __init__(self, engine: Engine, thumbnails: Thumbnails) -> None:
        super().__init__()
        self._engine = engine
        self._thumbnails = thumbnails
        self._ids: list[str] = []
        self._rows: dict[str, int] = {}
        self._memories: dict[str, CapturedMemory] = {}
        self._more: Callable[[int, int], list[str]] | None = None
        thumbnails.signals.loaded.connect(self._show_thumbnail)

    def show_timeline(self) -> None:
        """Show the whole library, newest first."""
        self._reset(self._engine.timeline(_PAGE), lambda limit, offset: self._engine.timeline(limit, offset))

    def show_ids(self, memory_ids: Sequence[str]) -> None:
        """Show these, in this order."""
        self._reset(list(memory_ids), None)

    def refresh(self) -> None:
        """Show what has changed, without losing the place in the list."""
        if self._more is not None:
            self._reset(self._more(max(len(self._ids), _PAGE), 0), self._more)
        else:
            self._memories.clear()
            if self._ids:
                self.dataChanged.emit(self.index(0), self.index(len(self._ids) - 1))

    def memory_id(self, index: Index) -> str:
        """The memory of a row."""
        return self._ids[index.row()]

    @property
    def ids(self) -> tuple[str, ...]:
        """Every memory loaded so far."""
        return tuple(self._ids)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """See QAbstractListModel."""
        return 0 if parent.isValid() else len(self._ids)

    def canFetchMore(self, parent: Index) -> bool:
        """See QAbstractListModel."""
        return self._more is not None and len(self._ids) % _PAGE == 0 and bool(self._ids)

    def fetchMore(self, parent: Index) -> None:
        """See QAbstractListModel."""
        if self._more is None:
            return
        added = self._more(_PAGE, len(self._ids))
        if not added:
            self._more = None
            return
        self.beginInsertRows(QModelIndex(), len(self._ids), len(self._ids) + len(added) - 1)
        self._append(added)
        self.endInsertRows()

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:  # Any: Qt's signature
        """See QAbstractListModel."""
        if not index.isValid() or index.row() >= len(self._ids):
            return None
        memory_id = self._ids[index.row()]
        if role == ID_ROLE:
            return memory_id
        if role == Qt.ItemDataRole.SizeHintRole:
            return QSize(TILE_PX, TILE_PX + 26)
        memory = self._memory(memory_id)
        if memory is None:
            return None
        if role == Qt.ItemDataRole.DecorationRole:
            return QIcon(self._thumbnails.pixmap(memory_id) or tile(memory))
        if role == Qt.ItemDataRole.DisplayRole:
            mark = "▶ " if memory.kind in (MemoryKind.VIDEO, MemoryKind.RECORDING) else ""
            gone = f"{tr('missing')} · " if memory.is_missing else ""
            return gone + mark + when(memory.taken.wall)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return described(memory)
        return None

    def _reset(self, ids: list[str], more: Callable[[int, int], list[str]] | None) -> None:
        if ids == self._ids:
            self._memories.clear()
            return
        self.beginResetModel()
        self._ids, self._rows, self._more = [], {}, more
        self._memories.clear()
        self._append(ids)
        self.endResetModel()

    def _append(self, ids: Sequence[str]) -> None:
        for memory_id in ids:
            self._rows[memory_id] = len(self._ids)
            self._ids.append(memory_id)

    def _memory(self, memory_id: str) -> CapturedMemory | None:
        """The memory of a row, loaded together with its neighbours: one query for a screenful."""
        if memory_id not in self._memories:
            row = self._rows[memory_id]
            for memory in self._engine.memories(self._ids[max(0, row - 20) : row + 60]):
                self._memories[memory.id] = memory
        return self._memories.get(memory_id)

    def _show_thumbnail(self, memory_id: str) -> None:
        row = self._rows.get(memory_id)
        if row is not None:
            self.dataChanged.emit(self.index(row), self.index(row), [Qt.ItemDataRole.DecorationRole])


def in_order(events: Sequence[Event]) -> list[tuple[Event, int]]:
    """Events with how deep they lie in others: the newest first, what is inside one below it in the order it happened."""
    inside: dict[str | None, list[Event]] = {}
    for event in events:
        inside.setdefault(event.parent_id, []).append(event)
    found: list[tuple[Event, int]] = []

    def add(event: Event, depth: int) -> None:
        found.append((event, depth))
        for child in sorted(inside.get(event.id, ()), key=lambda each: each.start or datetime.max):
            add(child, depth + 1)

    for event in sorted(inside.get(None, ()), key=lambda each: each.start or datetime.min, reverse=True):
        add(event, 0)
    return found


class EventListModel(QAbstractListModel):
    """Every event, newest first."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._events: list[Event] = []
        self._depth: dict[str, int] = {}

    def refresh(self) -> None:
        """Read the events again."""
        events = in_order(self._engine.events())
        self.beginResetModel()
        self._depth = {event.id: depth for event, depth in events}
        self._events = [event for event, _ in events]
        self.endResetModel()

    def event_at(self, index: Index) -> Event:
        """The event of a row."""
        return self._events[index.row()]

    def row_of(self, event_id: str) -> int | None:
        """The row of an event."""
        return next((row for row, event in enumerate(self._events) if event.id == event_id), None)

    @property
    def events(self) -> tuple[Event, ...]:
        """Every event in the order shown."""
        return tuple(self._events)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """See QAbstractListModel."""
        return 0 if parent.isValid() else len(self._events)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:  # Any: Qt's signature
        """See QAbstractListModel."""
        if not index.isValid() or index.row() >= len(self._events):
            return None
        event = self._events[index.row()]
        if role == ID_ROLE:
            return event.id
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            inside = "      " * self._depth[event.id]
            return f"{inside}{event.name}{'  ✓' if event.corrected else ''}\n{inside}{days(event)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return event.summary or event.why
        if role == Qt.ItemDataRole.SizeHintRole:
            return QSize(200, 54)
        return None


def days(event: Event) -> str:
    """The days of an event for a label."""
    if event.start is None or event.end is None:
        return tr("Undated")
    first, last = event.start.date(), event.end.date()
    return f"{first:%d %b %Y}" if first == last else f"{first:%d %b %Y} – {last:%d %b %Y}"
