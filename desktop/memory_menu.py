"""What else can be said about one memory: the name of its place, and how private it is."""

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from core.engine import Engine
from core.records import Changes
from desktop.notices import asked_choice, asked_text, show_error
from desktop.strings import tr
from desktop.worker import EngineWorker

_LEVELS = ("chat", "understanding", "none")


class MoreButton(QPushButton):
    """A button that opens a small menu about one memory."""

    def __init__(
        self, engine: Engine, worker: EngineWorker, memory_id: str, parent: QWidget, changed: Callable[[], None]
    ) -> None:
        super().__init__(tr("More"), parent)
        self._engine = engine
        self._worker = worker
        self._memory_id = memory_id
        self._changed = changed
        self.setAutoDefault(False)
        menu = QMenu(self)
        menu.addAction(tr("Name this place…")).triggered.connect(self.name_place)
        menu.addAction(tr("Keep it private…")).triggered.connect(self.keep_private)
        self.setMenu(menu)

    def name_place(self) -> None:
        """Ask for a name, which every memory captured here then shows."""
        name = asked_text(self, tr("What do you call this place (home, work, grandma's)?"))
        if name is not None:
            self._act(lambda: self._engine.options.name_place_of(name, self._memory_id))

    def keep_private(self) -> None:
        """Ask how private it is."""
        chosen = asked_choice(
            self,
            tr("How private is this memory?"),
            [
                tr("Kept out of chat, events and facts"),
                tr("Not understood at all: caption, text and search entries are removed"),
                tr("Not private, whatever the settings say"),
            ],
        )
        if chosen is not None:
            self._act(lambda: self._engine.options.keep_memory_private(self._memory_id, _LEVELS[chosen]))

    def _act(self, act: Callable[[], object]) -> None:
        def done() -> Changes:
            act()
            return Changes(memories=True, events=True, knowledge=True)

        self._worker.edit("memory", done, lambda _: self._changed(), lambda error: show_error(self, error))
