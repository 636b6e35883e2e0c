"""A grid of small pictures: one widget used by every screen."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListView, QWidget

from desktop.item_models import MemoryListModel
from desktop.strings import tr

_THUMBNAIL = 168


class MemoryGrid(QListView):
    """Shows a `MemoryListModel` as a grid; Enter or a double click opens a memory."""

    def __init__(
        self, model: MemoryListModel, open_memory: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("grid")
        self.setAccessibleName(tr("Pictures"))
        self.setModel(model)
        self._memories = model
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(120)
        self.setIconSize(QSize(_THUMBNAIL, _THUMBNAIL))
        self.setGridSize(QSize(_THUMBNAIL + 12, _THUMBNAIL + 34))
        self.setUniformItemSizes(True)
        self.setSpacing(6)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.activated.connect(lambda index: open_memory(model.memory_id(index)))

    def selected_ids(self) -> list[str]:
        """The memories that are selected."""
        return [self._memories.memory_id(index) for index in self.selectedIndexes()]
