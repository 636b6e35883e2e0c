"""The first page of a new library: what may be understood, with which models, and of which folders."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from core.engine import Engine
from core.records import Changes
from desktop.faces_switch import WHAT_IT_DOES, FacesSwitch
from desktop.model_shelf import ModelShelf
from desktop.notices import show_error
from desktop.parts import button, button_row, heading, quiet, scrolling, section
from desktop.strings import tr
from desktop.worker import EngineWorker

PRIVATE_KINDS = {
    "ids": tr("Identity papers"),
    "bank": tr("Papers of a bank, bank cards"),
    "health": tr("Papers of health"),
    "intimate": tr("Intimate pictures"),
}


class WelcomeView(QWidget):
    """Stands where the timeline will be, until there are memories. All of it is found again under Settings and Models."""

    folder_wanted = Signal()
    models_wanted = Signal()

    def __init__(self, engine: Engine, worker: EngineWorker, shelf: ModelShelf) -> None:
        super().__init__()
        self._engine = engine
        self._worker = worker
        self._shelf = shelf
        self.recognise = FacesSwitch(engine, worker)
        self.left_alone = {kind: self._leave_alone(kind, label) for kind, label in PRIVATE_KINDS.items()}
        self.models = quiet()
        inner = QWidget()
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(0, 0, 12, 0)
        layout.addWidget(heading(tr("Welcome")))
        layout.addWidget(section(tr("What may be understood")))
        layout.addWidget(self.recognise)
        layout.addWidget(quiet(WHAT_IT_DOES))
        layout.addWidget(quiet(tr("Leave these alone; nothing is kept of them but the file's name and date:")))
        for box in self.left_alone.values():
            layout.addWidget(box)
        layout.addWidget(section(tr("Models")))
        layout.addWidget(self.models)
        layout.addLayout(button_row([button(tr("Choose models…"), self.models_wanted.emit)]))
        layout.addWidget(section(tr("Your pictures")))
        layout.addWidget(
            quiet(
                tr(
                    "Drop a folder of pictures here. They stay where they are and are never changed. "
                    "Nothing leaves this computer."
                )
            )
        )
        layout.addLayout(button_row([button(tr("Choose a folder…"), self.folder_wanted.emit)]))
        layout.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scrolling(inner))
        worker.signals.changed.connect(self._refresh)
        self._refresh(Changes(roots=True))

    def _leave_alone(self, kind: str, label: str) -> QCheckBox:
        box = QCheckBox(label)
        box.clicked.connect(lambda checked: self._set(kind, checked))
        return box

    def _set(self, kind: str, alone: bool) -> None:
        options = self._engine.options

        def act() -> Changes:
            if alone:
                options.keep_private(kind, "understanding")
            else:
                options.allow(kind)
            return Changes(memories=True, roots=True)

        self._worker.edit("settings", act, None, lambda error: show_error(self, error))

    def _refresh(self, changes: Changes) -> None:
        alone = self._engine.options.settings.never_understood
        for kind, box in self.left_alone.items():
            box.setChecked(kind in alone)
        if self.isVisible() or changes.roots:
            self.models.setText(self._say_models())

    def _say_models(self) -> str:
        entries = self._shelf.entries()
        missing = set(self._shelf.starter_ids())
        if not missing:
            return tr("The starter set is installed. Models says how fast each is on this computer.")
        size = sum(entry.size_bytes for entry in entries if entry.id in missing)
        return (
            f"{tr('The starter set is not complete')} ({size / 1e6:,.0f} MB). "
            f"{tr('Without it words are found, but meaning, speech and what pictures show are not. Models says how fast each is here.')}"
        )
