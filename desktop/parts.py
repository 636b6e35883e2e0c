"""The small widgets that every screen is made of: labels for our words, labels for words from outside, buttons, rows."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QWidget


def heading(text: str = "") -> QLabel:
    """The title of a screen or of what it shows."""
    return _label(text, "heading")


def section(text: str = "") -> QLabel:
    """The title of a part of a screen."""
    return _label(text, "section")


def quiet(text: str = "") -> QLabel:
    """Text that explains."""
    return _label(text, "quiet")


def outside(name: str = "") -> QLabel:
    """A label for words from pictures, models and people: never markup, and selectable."""
    label = _label("", name)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


def button(text: str, act: Callable[[], object], *, hint: str = "") -> QPushButton:
    """A button that does something."""
    made = QPushButton(text)
    made.setToolTip(hint)
    made.setAutoDefault(False)
    made.clicked.connect(lambda: act())
    return made


def button_row(buttons: Iterable[QPushButton]) -> QHBoxLayout:
    """Buttons side by side, from the left."""
    row = QHBoxLayout()
    for each in buttons:
        row.addWidget(each)
    row.addStretch(1)
    return row


def scrolling(page: QWidget) -> QScrollArea:
    """A page that may be taller than the window."""
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(page)
    return scroll


def _label(text: str, name: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(name)
    label.setWordWrap(name != "heading")
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
