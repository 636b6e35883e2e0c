"""The Library screen: every memory on a timeline, search as you type, folders dropped in."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from desktop.grid import MemoryGrid
from desktop.parts import heading, quiet
from desktop.strings import tr

_TYPING_PAUSE_MS = 200


class LibraryView(QWidget):
    """Layout only; `LibraryController` decides.

    Attributes:
        searched: the text in the search box, a moment after the last key.
        folders_given: paths that were dropped or chosen.
    """

    searched = Signal(str)
    folders_given = Signal(list)

    def __init__(self, grid: MemoryGrid, welcome: QWidget) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAcceptDrops(True)
        self.grid = grid
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search: words, or in: on: with: at: type:"))
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName(tr("Search your library"))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_TYPING_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.searched.emit(self.search.text()))
        self.search.textChanged.connect(lambda: self._pause.start())
        self.add = QPushButton(tr("Add folder…"))
        self.add.clicked.connect(self.choose_folder)
        self.summary = quiet()
        self.welcome = welcome
        top = QHBoxLayout()
        top.addWidget(heading(tr("Library")))
        top.addWidget(self.search, 1)
        top.addWidget(self.add)
        body = QWidget()
        self._stack = QStackedLayout(body)
        self._stack.addWidget(welcome)
        self._stack.addWidget(grid)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 12, 8)
        layout.addLayout(top)
        layout.addWidget(self.summary)
        layout.addWidget(body, 1)

    def show_empty(self, empty: bool) -> None:
        """Show the first page, or the grid."""
        self._stack.setCurrentWidget(self.welcome if empty else self.grid)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files and folders."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Hand on what was dropped."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.folders_given.emit(paths)

    def choose_folder(self) -> None:
        """Ask for a folder."""
        folder = QFileDialog.getExistingDirectory(self, tr("Which folder should Madeleine understand?"))
        if folder:
            self.folders_given.emit([folder])
