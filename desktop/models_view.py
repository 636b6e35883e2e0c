"""The Models screen: what is installed, what each model is for, and getting more."""

from collections.abc import Callable, Generator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.jobs import Job, News
from core.options import Options
from core.records import AskStep, Changes
from desktop.model_shelf import ModelShelf, ShelfEntry
from desktop.notices import confirmed, show_error
from desktop.parts import button, button_row, heading, quiet
from desktop.strings import tr
from desktop.worker import EngineWorker

_COLUMNS = (tr("Model"), tr("State"), tr("Speed here"), tr("Size"), tr("What for"), tr("Licence"))
_SIZE = 3


class ModelsView(QWidget):
    """The catalogue as a table."""

    def __init__(self, shelf: ModelShelf, worker: EngineWorker, options: Options, changed: Callable[[], None]) -> None:
        super().__init__()
        self._options = options
        self.setObjectName("page")
        self._shelf = shelf
        self._worker = worker
        self._changed = changed
        self._entries: list[ShelfEntry] = []
        self._job: Job | None = None
        self._speeds: dict[str, list[str]] = {}
        self.table = QTableWidget(0, len(_COLUMNS))
        self.table.setAccessibleName(tr("Models"))
        self.table.setHorizontalHeaderLabels(_COLUMNS)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(len(_COLUMNS) - 1, QHeaderView.ResizeMode.Stretch)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.itemSelectionChanged.connect(self._tell_reason)
        self.state = quiet()
        buttons = button_row(
            [
                button(tr("Get the starter set"), self._get_starters),
                button(tr("Get"), self._get),
                button(
                    tr("Answer with it"),
                    self._answer_with,
                    hint=tr("Use this language model; once more: the best one that fits into memory"),
                ),
                button(tr("Measure this computer"), self._measure),
                button(tr("Stop"), self._stop),
                button(tr("Remove…"), self._remove),
            ]
        )
        notice = quiet(
            tr(
                "Models are downloaded only when you press Get; nothing else ever uses the network. "
                "Madeleine works without any, with less."
            )
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 12, 8)
        layout.addWidget(heading(tr("Models")))
        layout.addWidget(notice)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.state)
        layout.addLayout(buttons)
        self.refresh()

    def refresh(self) -> None:
        """Read the catalogue and what is installed again."""
        self._entries = self._shelf.entries()
        self.table.setRowCount(len(self._entries))
        for row, entry in enumerate(self._entries):
            roles = f"{entry.roles} ({', '.join(map(tr, entry.scripts))})" if entry.scripts else entry.roles
            for column, text in enumerate(
                (
                    entry.id,
                    self._state_of(entry),
                    self._speed(entry),
                    f"{entry.size_bytes / 1e6:,.0f} MB",
                    roles,
                    entry.licence,
                )
            ):
                item = QTableWidgetItem(text)
                item.setToolTip(entry.reason or entry.upstream)
                if column == _SIZE:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, column, item)
        self.table.resizeColumnsToContents()

    def _state_of(self, entry: ShelfEntry) -> str:
        chosen = f", {tr('chosen for answers')}" if entry.id == self._options.settings.chat_model else ""
        if entry.installed:
            return f"{tr('installed')}{chosen}"
        return f"{tr('not installed') if entry.installable else tr('cannot be installed yet')}{chosen}"

    def _tell_reason(self) -> None:
        entry = self._entry()
        self.state.setText(entry.reason if entry and not entry.installed else "")

    def _answer_with(self) -> None:
        entry = self._entry()
        if entry is None:
            return
        wish = "auto" if entry.id == self._options.settings.chat_model else entry.id
        self._worker.edit(
            "choose model",
            lambda: self._options.change("chat_model", wish),
            lambda _: self._done(),
            lambda error: show_error(self, error),
        )

    def _speed(self, entry: ShelfEntry) -> str:
        return "; ".join(self._speeds.get(entry.id, ())) or tr("not measured yet")

    def _measure(self) -> None:
        self._speeds.clear()
        self.state.setText(tr("Measuring; this takes a minute or two …"))

        def steps(job: Job) -> Generator[News, None, None]:
            for speed in self._shelf.speeds():
                if job.cancelled.is_set():
                    return
                self._speeds.setdefault(speed.model_id, []).append(speed.short)
                yield AskStep(doing=f"{speed.model_id}: {speed.sentence}")

        self._job = self._worker.run("measure models", steps, lambda _: self._measured())

    def _measured(self) -> None:
        self.state.setText("")
        self.refresh()

    def _entry(self) -> ShelfEntry | None:
        row = self.table.currentRow()
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def _get(self) -> None:
        entry = self._entry()
        if entry is None or entry.installed:
            return
        if entry.must_accept and not confirmed(
            self, tr("Accept the licence?"), f"{entry.licence}\n{entry.licence_url}", tr("Accept")
        ):
            return
        self._fetch_all([entry.id], accepted=entry.must_accept)

    def _get_starters(self) -> None:
        wanted = self._shelf.starter_ids()
        if wanted:
            self._fetch_all(wanted, accepted=False)
        else:
            self.state.setText(tr("The starter set is installed."))

    def _fetch_all(self, model_ids: list[str], *, accepted: bool) -> None:
        self.state.setText(f"{tr('Getting')} {', '.join(model_ids)} …")

        def steps(job: Job) -> Generator[News, None, None]:
            for model_id in model_ids:
                yield from self._shelf.fetch(model_id, accept_licence=accepted, cancelled=job.cancelled.is_set)

        self._job = self._worker.run("get models", steps, lambda _: self._done())

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self.state.setText(tr("Stopped. What was fetched is kept."))

    def _remove(self) -> None:
        entry = self._entry()
        if entry is None or not entry.installed:
            return
        if confirmed(
            self, f"{tr('Remove')} {entry.id}?", tr("What it has found stays. You can get it again."), tr("Remove")
        ):
            self._worker.edit(
                "remove model",
                lambda: self._shelf.remove(entry.id),
                lambda _: self._done(),
                lambda error: show_error(self, error),
            )

    def _done(self) -> None:
        self.state.setText("")
        self.refresh()
        self._changed()
        self._worker.signals.changed.emit(Changes())
