"""Shows what the program proposes and never does by itself: clocks to put right, rules that corrections teach."""

from collections.abc import Callable
from datetime import date

from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from core.engine import Engine
from core.errors import RequestError
from core.records import Changes, Clock, Offer, shift_text
from desktop.notices import asked_text, show_error
from desktop.parts import button, button_row, quiet
from desktop.strings import count_of, tr
from desktop.worker import EngineWorker


class SuggestionsView(QWidget):
    """A short list beside the events; hidden while there is nothing to decide."""

    def __init__(self, engine: Engine, worker: EngineWorker) -> None:
        super().__init__()
        self._engine = engine
        self._worker = worker
        self._found: list[Clock | Offer] = []
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setAccessibleName(tr("Suggestions"))
        self.title = quiet()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.addWidget(self.title)
        layout.addWidget(self.list, 1)
        layout.addLayout(button_row([button(tr("Accept"), self.accept), button(tr("Decline"), self.decline)]))
        worker.signals.changed.connect(self._refresh)
        self._refresh(Changes(events=True))

    def accept(self) -> None:
        """Do what the chosen suggestion says; a clock of which nothing tells the right time is asked for."""
        chosen = self._chosen()
        if isinstance(chosen, Offer):
            self._decide(lambda: self._engine.taught.accept(chosen.id))
        elif chosen is not None:
            day = self._first_day() if chosen.shift_s is None else None
            if chosen.shift_s is not None or day is not None:
                self._decide(lambda: self._engine.clocks.accept(chosen.id, day))

    def decline(self) -> None:
        """Say that the chosen suggestion is wrong."""
        chosen = self._chosen()
        if isinstance(chosen, Offer):
            self._decide(lambda: self._engine.taught.decline(chosen.id))
        elif chosen is not None:
            self._decide(lambda: self._engine.clocks.decline(chosen.id))

    def _chosen(self) -> Clock | Offer | None:
        row = self.list.currentRow()
        return self._found[row] if 0 <= row < len(self._found) else None

    def _first_day(self) -> date | None:
        text = asked_text(self, tr("On which day was the first of these taken? (2024-05-10)"))
        if text is None:
            return None
        try:
            return date.fromisoformat(text)
        except ValueError:
            show_error(self, RequestError(tr("This is no day."), tr("Write it like 2024-05-10.")))
            return None

    def _decide(self, act: Callable[[], Changes]) -> None:
        self._worker.edit("suggestion", act, lambda _: self._worker.process(), lambda error: show_error(self, error))

    def _refresh(self, changes: Changes) -> None:
        if not changes.events:
            return
        self._found = [*self._engine.clocks.open(), *self._engine.taught.offers()]
        self.list.clear()
        for each in self._found:
            self.list.addItem(
                QListWidgetItem(each.text + "\n" + each.why if isinstance(each, Offer) else _clock_line(each))
            )
        self.title.setText(count_of(len(self._found), "suggestion", "suggestions"))
        self.setVisible(bool(self._found))


def _clock_line(clock: Clock) -> str:
    memories = count_of(len(clock.member_ids), "memory", "memories")
    right = shift_text(clock.shift_s) if clock.shift_s is not None else tr("only you know when")
    return f"{tr('The clock of')} {clock.camera or tr('a camera')}: {memories}, {right}\n{clock.why}"
