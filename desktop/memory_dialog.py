"""The Memory screen: the picture, what we think it shows and why, and the person's corrections."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QRunnable, QSize, Qt, QThreadPool, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QImage, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.engine import LIKE, Engine
from core.errors import AppError, RequestError
from core.records import CapturedMemory, Changes, ContextKind, MemoryKind, Provenance
from core.text_keys import printable
from desktop.item_models import when
from desktop.memory_menu import MoreButton
from desktop.notices import asked_choice, asked_text, confirmed, show_error
from desktop.parts import button, outside
from desktop.strings import tr
from desktop.worker import EngineWorker

_INFERRED = (ContextKind.ACTIVITY, ContextKind.ENVIRONMENT, ContextKind.VISUAL_ELEMENT, ContextKind.EMOTION)
_EDGE = 1280
_SHOWN = QSize(760, 620)


class _Signals(QObject):
    decoded = Signal(QImage)
    failed = Signal(object)


class MemoryDialog(QDialog):
    """One memory; closes itself when the person forgets it."""

    alike_wanted = Signal(str)
    """What is to be typed into the search box to find what looks like this memory."""

    def __init__(
        self,
        engine: Engine,
        worker: EngineWorker,
        memory_id: str,
        preview: QPixmap | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._engine = engine
        self._worker = worker
        self._memory_id = memory_id
        self._signals = _Signals()
        self._signals.decoded.connect(self._show_picture)
        self._signals.failed.connect(self._show_failure)
        self._picture = QLabel(tr("Opening …"))
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture.setMinimumSize(420, 360)
        if preview is not None:
            self._show_pixmap(preview)
        self._facts = QFormLayout()
        self._facts.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        side = QWidget()
        side.setLayout(self._facts)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setMinimumWidth(380)
        scroll.setWidget(side)
        columns = QHBoxLayout()
        self._words = _words_of(engine.memory(memory_id))
        columns.addWidget(_pane(self._words) if self._words else self._picture, 3)
        columns.addWidget(scroll, 2)
        layout = QVBoxLayout(self)
        layout.addLayout(columns, 1)
        layout.addLayout(self._buttons())
        self.resize(1120, 720)
        self._show_facts()
        if engine.memory(memory_id).kind in (MemoryKind.NOTE, MemoryKind.RECORDING):
            self._picture.setText(tr("There is no picture, and no words were found in it."))
        else:
            QThreadPool.globalInstance().start(QRunnable.create(self._decode))

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        for label, act in (
            (tr("Caption…"), partial(self._edit, "caption")),
            (tr("Date…"), partial(self._edit, "date")),
            (tr("Place…"), partial(self._edit, "place")),
            (tr("People…"), partial(self._edit, "people")),
            (tr("Looks like this"), self._find_alike),
            (tr("Open file"), self._open_file),
            (tr("Split…"), self._split),
            (tr("Forget…"), self._forget),
        ):
            row.addWidget(button(label, act))
        row.addWidget(MoreButton(self._engine, self._worker, self._memory_id, self, self._show_facts))
        row.addStretch(1)
        row.addWidget(button(tr("Close"), self.close))
        return row

    def _show_facts(self) -> None:
        memory = self._engine.memory(self._memory_id)
        self.setWindowTitle(memory.title or memory.caption or memory.file_name)
        self.setAccessibleName(self.windowTitle())
        while self._facts.rowCount():
            self._facts.removeRow(0)
        origins = self._origins(memory)
        events = ", ".join(self._engine.event(event_id).name for event_id in memory.event_ids)
        for label, value, why in (
            (tr("What"), memory.caption, origins.get("caption", "")),
            (tr("When"), when(memory.taken.wall), memory.taken.origin.replace("_", " ")),
            (tr("Where"), memory.place.label if memory.place else "", origins.get("place", "")),
            (tr("Who"), ", ".join(memory.people), ""),
            (tr("Part of"), events, ""),
            (tr("Text in it"), memory.visible_text, origins.get("visible_text", "")),
            (tr("Said in it"), self._spoken(memory.speech), origins.get("speech", "")),
        ):
            if value and value not in self._words:
                self._facts.addRow(f"{label}:", _text(value, why))
        contexts = [each for each in self._engine.contexts(self._memory_id) if each.why and each.kind in _INFERRED]
        for context in contexts[:12]:
            name = context.kind.replace("_", " ").capitalize()
            self._facts.addRow(
                f"{name}:", _text(context.value, f"{context.why} ({context.confidence:.0%}){_by(context.provenance)}")
            )
        where = printable(memory.files[0] if memory.files else memory.file_name)
        self._facts.addRow(f"{tr('File')}:", _text(where, tr("missing at the last look") if memory.is_missing else ""))
        if memory.private:
            self._facts.addRow(f"{tr('Private')}:", _text(f"{tr('kept out of')} {memory.private}", ""))

    def _origins(self, memory: CapturedMemory) -> dict[str, str]:
        """By field, where its value comes from and which model made it."""
        made = {
            (str(value.field), str(value.origin)): value.provenance for value in self._engine.values(self._memory_id)
        }
        return {field: f"{origin}{_by(made.get((field, origin)))}" for field, origin in memory.origins.items()}

    def _spoken(self, speech: str) -> str:
        """What is said, each stretch on a line with its time; as one text where nobody knows the times."""
        lines = [f"{each.clock}  {each.text}" for each in self._engine.transcript(self._memory_id).segments]
        return "\n".join(lines) or speech

    def _decode(self) -> None:
        """On a helper thread: the decoder's own process does the work."""
        try:
            pixels = self._engine.picture(self._memory_id, _EDGE)
        except AppError as error:
            self._signals.failed.emit(error)
            return
        height, width, _ = pixels.shape
        self._signals.decoded.emit(
            QImage(pixels.tobytes(), width, height, width * 3, QImage.Format.Format_RGB888).copy()
        )

    def _show_picture(self, image: QImage) -> None:
        self._show_pixmap(QPixmap.fromImage(image))
        self._picture.setAccessibleName(self.windowTitle())

    def _show_pixmap(self, pixmap: QPixmap) -> None:
        ratio, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self._picture.setPixmap(pixmap.scaled(_SHOWN, ratio, smooth))

    def _show_failure(self, error: AppError) -> None:
        self._picture.setText(f"{error.message}\n{error.hint}")
        self._picture.setWordWrap(True)

    def _edit(self, field: str) -> None:
        memory = self._engine.memory(self._memory_id)
        value = asked_text(self, _QUESTIONS[field](), _current(memory, field))
        if value is not None:
            self._worker.edit(
                f"edit {field}",
                lambda: self._engine.correct.edit_memory(self._memory_id, field, value),
                lambda _: self._show_facts(),
                lambda error: show_error(self, error),
            )

    def _find_alike(self) -> None:
        self.alike_wanted.emit(f"{LIKE}{self._engine.memory(self._memory_id).public_id}")
        self.close()

    def _open_file(self) -> None:
        try:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._engine.original(self._memory_id))))
        except AppError as error:
            show_error(self, error)

    def _split(self) -> None:
        """Offer the files that were joined with the picture; one that belongs elsewhere becomes a memory of its own."""
        files = self._engine.memory(self._memory_id).files[1:]
        if not files:
            show_error(self, RequestError(tr("This memory is one file."), tr("There is nothing to split.")))
            return
        chosen = asked_choice(self, tr("Which file is a memory of its own?"), [printable(path) for path in files])
        if chosen is None:
            return

        def split() -> Changes:
            self._engine.split_file(self._memory_id, files[chosen])
            return Changes(memories=True)

        self._worker.edit("split", split, lambda _: self._worker.process(), lambda error: show_error(self, error))

    def _forget(self) -> None:
        if confirmed(
            self,
            tr("Forget this memory?"),
            tr(
                "Its caption, text and everything derived from it are removed from Madeleine. The file itself is not touched."
            ),
            tr("Forget"),
        ):
            self._worker.edit(
                "forget", lambda: self._engine.correct.forget_memory(self._memory_id), lambda _: self.accept()
            )


_QUESTIONS: dict[str, Callable[[], str]] = {
    "caption": lambda: tr("What does it show?"),
    "date": lambda: tr("When was it (2024-05-10 or 2024-05-10T14:30)?"),
    "place": lambda: tr("Where was it?"),
    "people": lambda: tr("Who is in it (names with commas between)?"),
}


def _current(memory: CapturedMemory, field: str) -> str:
    if field == "caption":
        return memory.caption
    if field == "date":
        return memory.taken.wall.isoformat(timespec="minutes") if memory.taken.wall else ""
    if field == "place":
        return memory.place.name or memory.place.city if memory.place else ""
    return ", ".join(memory.people)


def _words_of(memory: CapturedMemory) -> str:
    """What a note or recording says, which is all there is to show of it."""
    if memory.kind not in (MemoryKind.NOTE, MemoryKind.RECORDING):
        return ""
    return "\n\n".join(part for part in (memory.title, memory.visible_text, memory.speech) if part)


def _pane(words: str) -> QPlainTextEdit:
    """Words instead of a picture: plain, to be read, searched and copied."""
    pane = QPlainTextEdit(words)
    pane.setReadOnly(True)
    pane.setMinimumSize(420, 360)
    pane.setAccessibleName(tr("What it says"))
    return pane


def _by(provenance: Provenance | None) -> str:
    """The model, where it was one: rules and the person have no name to tell."""
    if provenance is None or not provenance.model_revision:
        return ""
    return f", {tr('by')} {provenance.made_by}"


def _text(value: str, why: str) -> QLabel:
    label = outside()
    label.setText(f"{value}\n({why.replace('_', ' ')})" if why else value)
    return label
