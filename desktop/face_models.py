"""Lists of people and of faces for the views of the People screen."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPixmap

from core.records.people import Face, Person, PersonKind
from desktop.face_pictures import FACE_PX, FacePictures
from desktop.strings import count_of, tr

Index = QModelIndex | QPersistentModelIndex


class FaceListModel(QAbstractListModel):
    """Faces, each with a line below it."""

    def __init__(self, pictures: FacePictures, line: Callable[[Face], str]) -> None:
        super().__init__()
        self._pictures = pictures
        self._line = line
        self._faces: list[Face] = []
        pictures.signals.loaded.connect(self._show_picture)

    def show_faces(self, faces: Sequence[Face]) -> None:
        """Show these."""
        self.beginResetModel()
        self._faces = list(faces)
        self.endResetModel()

    def face_at(self, index: Index) -> Face:
        """The face of a row."""
        return self._faces[index.row()]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """See QAbstractListModel."""
        return 0 if parent.isValid() else len(self._faces)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:  # Any: Qt's signature
        """See QAbstractListModel."""
        if not index.isValid() or index.row() >= len(self._faces):
            return None
        face = self._faces[index.row()]
        if role == Qt.ItemDataRole.DecorationRole:
            return QIcon(self._pictures.pixmap(face) or _empty())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._line(face)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            sure = (
                tr("you said so") if face.by_person else f"{face.likeness:.0%} {tr('sure')}" if face.person_id else ""
            )
            return ", ".join(part for part in (self._line(face), sure) if part)
        if role == Qt.ItemDataRole.SizeHintRole:
            return QSize(FACE_PX + 12, FACE_PX + 26)
        return None

    def _show_picture(self, face_id: str) -> None:
        for row, face in enumerate(self._faces):
            if face.id == face_id:
                self.dataChanged.emit(self.index(row), self.index(row), [Qt.ItemDataRole.DecorationRole])


class PersonListModel(QAbstractListModel):
    """Everybody, each with a portrait; the last row is the faces that are nobody's."""

    def __init__(self, pictures: FacePictures, portrait: Callable[[Person], Face | None]) -> None:
        super().__init__()
        self._pictures = pictures
        self._portrait = portrait
        self._people: list[Person] = []
        self._portraits: dict[str, Face | None] = {}
        pictures.signals.loaded.connect(self._show_picture)

    def show_people(self, people: Sequence[Person]) -> None:
        """Show these."""
        self.beginResetModel()
        self._people = list(people)
        self._portraits = {}
        self.endResetModel()

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody in the order shown."""
        return tuple(self._people)

    def person_at(self, index: Index) -> Person:
        """The person of a row."""
        return self._people[index.row()]

    def row_of(self, person_id: str) -> int | None:
        """The row of somebody."""
        return next((row for row, person in enumerate(self._people) if person.id == person_id), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """See QAbstractListModel."""
        return 0 if parent.isValid() else len(self._people)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:  # Any: Qt's signature
        """See QAbstractListModel."""
        if not index.isValid() or index.row() >= len(self._people):
            return None
        person = self._people[index.row()]
        if role == Qt.ItemDataRole.DecorationRole:
            face = self._portrait_of(person)
            return QIcon((self._pictures.pixmap(face) if face else None) or _empty())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{title(person)}\n{count_of(person.memories, 'memory', 'memories')}"
        if role == Qt.ItemDataRole.SizeHintRole:
            return QSize(200, 64)
        return None

    def _portrait_of(self, person: Person) -> Face | None:
        if person.id not in self._portraits:
            self._portraits[person.id] = self._portrait(person)
        return self._portraits[person.id]

    def _show_picture(self, face_id: str) -> None:
        for row, person in enumerate(self._people):
            face = self._portraits.get(person.id)
            if face is not None and face.id == face_id:
                self.dataChanged.emit(self.index(row), self.index(row), [Qt.ItemDataRole.DecorationRole])


def title(person: Person) -> str:
    """How somebody stands in a list."""
    star = "★ " if person.favourite else ""
    pet = f" ({tr('pet')})" if person.kind is PersonKind.PET else ""
    return f"{star}{person.name or tr('Who is this?')}{pet}"


def _empty() -> QPixmap:
    drawn = QPixmap(FACE_PX, FACE_PX)
    drawn.fill(QColor(128, 128, 128, 40))
    return drawn
