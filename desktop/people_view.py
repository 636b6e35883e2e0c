"""The People screen: everybody on the left; one person's faces over the years, pictures and relations on the right."""

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.face_models import FaceListModel, PersonListModel
from desktop.face_pictures import FACE_PX
from desktop.grid import MemoryGrid
from desktop.parts import heading, outside, quiet
from desktop.strings import tr

_COLUMNS = 4
_PORTRAIT_PX = 52


class PeopleView(QWidget):
    """Layout only; `PeopleController` decides."""

    def __init__(
        self,
        recognise: QCheckBox,
        people: PersonListModel,
        portraits: FaceListModel,
        faces: FaceListModel,
        grid: MemoryGrid,
    ) -> None:
        super().__init__()
        self.setObjectName("page")
        self.recognise = recognise
        self.notice = QLabel()
        self.notice.setObjectName("notice")
        self.notice.setWordWrap(True)
        self.list = QListView()
        self.list.setAccessibleName(tr("People"))
        self.list.setModel(people)
        self.list.setIconSize(QSize(_PORTRAIT_PX, _PORTRAIT_PX))
        self.list.setMinimumWidth(210)
        self.others = QPushButton(tr("Other faces"))
        self.others.setToolTip(tr("Strangers, and faces that are too unclear to tell"))
        self.name = heading(tr("Nobody chosen"))
        self.name.setWordWrap(True)
        self.about = quiet()
        self.relations = outside()
        self.portraits = _faces(portraits, tr("Portraits over the years"), rows=1)
        self.faces = _faces(faces, tr("Faces"))
        self.faces.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.grid = grid
        self.buttons: dict[str, QPushButton] = {}
        self.tabs = QTabWidget()
        self.tabs.addTab(self.faces, tr("Faces"))
        self.tabs.addTab(grid, tr("Pictures"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 12, 8)
        head = QHBoxLayout()
        head.addWidget(heading(tr("People")))
        head.addStretch(1)
        head.addWidget(self.recognise)
        layout.addLayout(head)
        layout.addWidget(self.notice)
        layout.addWidget(self._columns(), 1)

    def on(self, button: str, act: Callable[[], None]) -> None:
        """Do this when a button is pressed."""
        self.buttons[button].clicked.connect(lambda: act())

    def _columns(self) -> QSplitter:
        left, detail = QWidget(), QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list, 1)
        column.addWidget(self.others)
        column = QVBoxLayout(detail)
        for widget in (self.name, self.about, self.relations, self.portraits):
            column.addWidget(widget)
        column.addLayout(self._buttons())
        column.addWidget(self.tabs, 1)
        splitter = QSplitter()
        splitter.addWidget(left)
        splitter.addWidget(detail)
        splitter.setStretchFactor(1, 3)
        splitter.setSizes([240, 700])
        return splitter

    def _buttons(self) -> QGridLayout:
        grid = QGridLayout()
        for position, (name, label, hint) in enumerate(
            (
                ("name", tr("Name…"), tr("Say who this is; the name of somebody else makes the two one")),
                ("merge", tr("Same as…"), tr("This is the same person as another one here")),
                ("split", tr("Split off…"), tr("The selected faces are somebody else's")),
                ("not_this", tr("Not this person"), tr("The selected faces are not this person's; that is remembered")),
                ("not_a_face", tr("Not a face"), tr("The selected ones are no faces")),
                ("relate", tr("Relation…"), tr("What somebody is of this person: daughter, boss, friend")),
                ("group", tr("Group…"), tr("Such as: friends from summer school")),
                ("favourite", tr("Favourite"), tr("Favourites come first")),
                ("pet", tr("A pet"), tr("This is a pet, or is none")),
                ("forget", tr("Forget…"), tr("Forget name, faces and relations; this cannot be undone")),
                ("undo", tr("Undo"), tr("Take the last correction back")),
            )
        ):
            button = QPushButton(label)
            button.setToolTip(hint)
            self.buttons[name] = button
            grid.addWidget(button, position // _COLUMNS, position % _COLUMNS)
        return grid


def _faces(model: FaceListModel, name: str, rows: int = 0) -> QListView:
    """A grid of faces, of one row where so many are wanted."""
    view = QListView()
    view.setObjectName("grid")
    view.setAccessibleName(name)
    view.setModel(model)
    view.setViewMode(QListView.ViewMode.IconMode)
    view.setMovement(QListView.Movement.Static)
    view.setResizeMode(QListView.ResizeMode.Adjust)
    view.setIconSize(QSize(FACE_PX, FACE_PX))
    view.setGridSize(QSize(FACE_PX + 16, FACE_PX + 30))
    view.setUniformItemSizes(True)
    if rows:
        view.setWrapping(False)
        view.setFixedHeight(rows * (FACE_PX + 46))
    return view
