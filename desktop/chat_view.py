"""The Chat panel: questions, streamed answers, and the pictures that prove them."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.parts import button, heading, outside, quiet
from desktop.strings import tr
from desktop.thumbnails import Thumbnails

_REFERENCE = 84
_CELL = _REFERENCE + 17
"""A thumbnail with its frame and the space to the next one."""
_AROUND = 72
"""What stands left and right of an answer's thumbnails in the panel."""


class AnswerBubble(QFrame):
    """One answer as it grows: what is happening, the text, the reference thumbnails, how it was found."""

    def __init__(self, thumbnails: Thumbnails, open_memory: Callable[[str], None]) -> None:
        super().__init__()
        self.setObjectName("answered")
        self._thumbnails = thumbnails
        self._open = open_memory
        self._references: dict[str, QToolButton] = {}
        self._columns = 2
        self.text = outside()
        self.found_by = outside("found_by")
        self.steps = outside("found_by")
        self.steps.hide()
        self.reference_menu: Callable[[str], QMenu] | None = None
        self._actions = QHBoxLayout()
        self._grid = QGridLayout()
        self._grid.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text)
        layout.addLayout(self._grid)
        layout.addWidget(self.found_by)
        layout.addWidget(self.steps)
        layout.addLayout(self._actions)
        thumbnails.signals.loaded.connect(self._show_thumbnail)

    def show_actions(self, buttons: Sequence[QPushButton]) -> None:
        """Show what may be done with the answer, instead of what was offered before."""
        while self._actions.count():
            item = self._actions.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.deleteLater()
        for each in buttons:
            self._actions.addWidget(each)
        self._actions.addStretch(1)

    def open_menu(self, reference: QToolButton, memory_id: str) -> None:
        """Show what may be done with one picture of the answer."""
        if self.reference_menu is not None:
            self.reference_menu(memory_id).popup(reference.mapToGlobal(reference.rect().bottomLeft()))

    def show_references(self, references: Sequence[tuple[str, str]]) -> None:
        """Show these memories as clickable thumbnails: (memory id, what it is)."""
        for reference in self._references.values():
            self._grid.removeWidget(reference)
            reference.hide()  # it is deleted only later, and would cover what comes to stand there until then
            reference.deleteLater()
        self._references = {}
        for memory_id, description in references:
            reference = QToolButton()
            reference.setObjectName("reference")
            reference.setIconSize(QSize(_REFERENCE, _REFERENCE))
            reference.setToolTip(description)
            reference.setAccessibleName(description)
            reference.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            reference.customContextMenuRequested.connect(
                lambda _, shown=reference, chosen=memory_id: self.open_menu(shown, chosen)
            )
            reference.clicked.connect(lambda _=False, chosen=memory_id: self._open(chosen))
            self._references[memory_id] = reference
            pixmap = self._thumbnails.pixmap(memory_id)
            if pixmap is not None:
                reference.setIcon(QIcon(pixmap))
            else:
                reference.setText(description[:14])
        self._lay_out()

    def fit(self, width: int) -> None:
        """Set the thumbnails into as many columns as a panel of this width in pixels has room for."""
        columns = max(1, (width - _AROUND) // _CELL)
        if columns != self._columns:
            self._grid.setColumnStretch(self._columns, 0)
            self._columns = columns
            self._lay_out()

    def _lay_out(self) -> None:
        for position, reference in enumerate(self._references.values()):
            row, column = divmod(position, self._columns)
            self._grid.addWidget(reference, row, column, Qt.AlignmentFlag.AlignLeft)
        self._grid.setColumnStretch(self._columns, 1)

    @property
    def references(self) -> tuple[str, ...]:
        """The memory ids of the thumbnails shown, in order."""
        return tuple(self._references)

    @property
    def reference_buttons(self) -> tuple[QToolButton, ...]:
        """The thumbnails shown, in order."""
        return tuple(self._references.values())

    def _show_thumbnail(self, memory_id: str) -> None:
        button = self._references.get(memory_id)
        pixmap = self._thumbnails.pixmap(memory_id) if button else None
        if button is not None and pixmap is not None:
            button.setIcon(QIcon(pixmap))
            button.setText("")


class ChatView(QFrame):
    """Layout only; `ChatController` decides.

    Attributes:
        asked: the person's question.
        stopped: the person wants the answer in hand to stop.
        restarted: the person begins a new conversation.
    """

    asked = Signal(str)
    stopped = Signal()
    restarted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("chat")
        self.setMinimumWidth(300)
        self._messages = QVBoxLayout()
        self._messages.addStretch(1)
        body = QWidget()
        body.setLayout(self._messages)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(body)
        self._scroll.verticalScrollBar().rangeChanged.connect(
            lambda _, end: self._scroll.verticalScrollBar().setValue(end)
        )
        self.hint = quiet(
            tr("Ask about your memories:\n“How often did I climb in March?”\n“What did I eat after the launch?”")
        )
        self.notice = quiet()
        self.notice.hide()
        self.input = QLineEdit()
        self.input.setPlaceholderText(tr("Ask about your memories …"))
        self.input.setMaxLength(4000)
        self.input.setAccessibleName(tr("Your question"))
        self.input.returnPressed.connect(self._send)
        self.send = button(tr("Ask"), self._send)
        self.send.setObjectName("primary")
        self.stop = button(tr("Stop"), self.stopped.emit)
        self.stop.hide()
        fresh = button(tr("New"), self.restarted.emit, hint=tr("Begin a new conversation"))
        self.step_by_step = QCheckBox(tr("Look step by step"))
        self.step_by_step.setToolTip(
            tr("Let the language model look things up by itself: slower, and only good with a large model")
        )
        top = QHBoxLayout()
        top.addWidget(heading(tr("Chat")), 1)
        top.addWidget(fresh)
        bottom = QHBoxLayout()
        for widget, stretch in ((self.input, 1), (self.send, 0), (self.stop, 0)):
            bottom.addWidget(widget, stretch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 16, 14, 12)
        layout.addLayout(top)
        layout.addWidget(self.notice)
        layout.addWidget(self.hint)
        layout.addWidget(self._scroll, 1)
        layout.addLayout(bottom)
        layout.addWidget(self.step_by_step)

    def add_question(self, text: str) -> None:
        """Show what the person asked."""
        bubble = QFrame()
        bubble.setObjectName("said")
        label = outside()
        label.setText(text)
        QVBoxLayout(bubble).addWidget(label)
        self.hint.hide()
        self._messages.insertWidget(self._messages.count() - 1, bubble)

    def add_answer(self, bubble: AnswerBubble) -> None:
        """Show an answer that has just begun."""
        bubble.fit(self.width())
        self._messages.insertWidget(self._messages.count() - 1, bubble)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set every answer's thumbnails anew for the width."""
        super().resizeEvent(event)
        for bubble in self.findChildren(AnswerBubble):
            bubble.fit(event.size().width())

    def show_notice(self, text: str) -> None:
        """Say something above the conversation; nothing when empty."""
        self.notice.setText(text)
        self.notice.setVisible(bool(text))

    def set_busy(self, busy: bool) -> None:
        """Offer to stop instead of to ask while a question is being answered."""
        self.send.setVisible(not busy)
        self.stop.setVisible(busy)

    def clear(self) -> None:
        """Remove every message."""
        while self._messages.count() > 1:
            item = self._messages.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.deleteLater()
        self.hint.show()

    def _send(self) -> None:
        text = self.input.text().strip()
        if text and self.send.isVisibleTo(self):
            self.input.clear()
            self.asked.emit(text)
