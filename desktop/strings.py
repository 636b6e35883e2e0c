"""Every text of the window in one place, so that it can be translated."""

from PySide6.QtCore import QCoreApplication


def tr(text: str) -> str:
    """The text in the person's language, or as it is where there is no translation."""
    return QCoreApplication.translate("Madeleine", text)


def count_of(number: int, one: str, many: str) -> str:
    """`1 memory`, `2 memories`."""
    return f"{number:,} {tr(one) if number == 1 else tr(many)}"
