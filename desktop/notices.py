"""Shows errors and asks for confirmation: the only place with message boxes. A cancelled job shows nothing."""

import logging

from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from core.errors import AppError, JobCancelled
from desktop.strings import tr

log = logging.getLogger(__name__)


def show_error(parent: QWidget, error: BaseException) -> None:
    """Tell the person what happened and what to do; a bug is named as one."""
    if isinstance(error, JobCancelled):
        return
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Madeleine")
    if isinstance(error, AppError):
        box.setText(error.message)
        box.setInformativeText(error.hint)
    else:
        log.error("shown to the person: %r", error)
        box.setText(tr("Something went wrong inside Madeleine. Your pictures and corrections are safe."))
        box.setInformativeText(f"{type(error).__name__}: {error}")
    box.open()


def confirmed(parent: QWidget, question: str, consequence: str, yes: str) -> bool:
    """Ask before something that the person may not want; the harmless answer is the default."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Madeleine")
    box.setText(question)
    box.setInformativeText(consequence)
    accept = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.exec()
    return box.clickedButton() is accept


def asked_text(parent: QWidget, label: str, value: str = "") -> str | None:
    """A line of text from the person; None when they cancelled or left it empty."""
    text, accepted = QInputDialog.getText(parent, "Madeleine", label, text=value)
    return text.strip() or None if accepted else None


def asked_choice(parent: QWidget, label: str, choices: list[str]) -> int | None:
    """The position of the choice that the person made; None when they cancelled."""
    text, accepted = QInputDialog.getItem(parent, "Madeleine", label, choices, editable=False)
    return choices.index(text) if accepted else None
