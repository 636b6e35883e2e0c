"""The switch for the recognition of faces, the same wherever it stands; turned off, it offers to forget what was found."""

from PySide6.QtWidgets import QCheckBox

from core.engine import Engine
from core.records import Changes
from desktop.notices import confirmed, show_error
from desktop.strings import tr
from desktop.worker import EngineWorker

WHAT_IT_DOES = tr(
    "Faces in photos and videos are found and compared, so that you can say who is who. That happens on this computer only: "
    "nothing leaves it, and nobody is told. Off until you turn it on."
)


class FacesSwitch(QCheckBox):
    """Shows and changes the setting `recognise_faces`."""

    def __init__(self, engine: Engine, worker: EngineWorker) -> None:
        super().__init__(tr("Recognise faces"))
        self._engine = engine
        self._worker = worker
        self.setToolTip(WHAT_IT_DOES)
        self.setAccessibleDescription(WHAT_IT_DOES)
        self.clicked.connect(self._turn)
        worker.signals.changed.connect(self._refresh)
        self._refresh(Changes(people=True))

    def _refresh(self, changes: Changes) -> None:
        if changes.people or changes.roots:
            self.setChecked(self._engine.options.settings.recognise_faces)

    def _turn(self, on: bool) -> None:
        forgets = not on and self._has_faces() and self._wants_to_forget()
        self._worker.edit("faces", lambda: self._set(on, forgets), None, self._failed)

    def _has_faces(self) -> bool:
        return bool(self._engine.people.all() or self._engine.people.loose_faces())

    def _wants_to_forget(self) -> bool:
        return confirmed(
            self,
            tr("Forget the faces that were found, too?"),
            tr("All faces, names and groups would go; this cannot be undone. Cancel keeps them."),
            tr("Forget all faces"),
        )

    def _set(self, on: bool, forgets: bool) -> Changes:
        changes = self._engine.options.change("recognise_faces", "yes" if on else "no")
        return changes | self._engine.people.forget_all() if forgets else changes

    def _failed(self, error: Exception) -> None:
        self._refresh(Changes(people=True))
        show_error(self, error)
