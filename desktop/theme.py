"""How the window looks, light and dark: one set of colours, one style sheet."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication


@dataclass(frozen=True, slots=True)
class Colours:
    """One theme's colours; text on `ground` and `raised` has a contrast of at least 7 to 1."""

    ground: str
    raised: str
    line: str
    text: str
    quiet: str
    accent: str
    on_accent: str


LIGHT = Colours("#f7f5f2", "#ffffff", "#ddd7cf", "#2b2622", "#6a6058", "#9a4f2c", "#ffffff")
DARK = Colours("#1f1c1a", "#2a2623", "#453e38", "#f1ece6", "#b3a89d", "#e0905f", "#201510")

_SHEET = """
QWidget {{ color: {text}; font-size: 14px; }}
QMainWindow, QDialog, QWidget#page {{ background: {ground}; }}
QListWidget#screens {{ background: {raised}; border: none; border-right: 1px solid {line}; padding-top: 8px; outline: 0; }}
QListWidget#screens::item {{ padding: 10px 16px; border-left: 3px solid transparent; }}
QListWidget#screens::item:selected {{ background: {ground}; color: {accent}; border-left: 3px solid {accent}; }}
QListView, QTextEdit, QPlainTextEdit, QLineEdit, QTableWidget, QComboBox, QDateEdit {{ background: {raised};
    border: 1px solid {line}; border-radius: 6px; selection-background-color: {accent}; selection-color: {on_accent}; }}
QLineEdit, QComboBox, QDateEdit {{ padding: 7px 10px; }}
QListView#grid {{ border: none; background: {ground}; }}
QListView#grid::item {{ border-radius: 6px; padding: 2px; color: {quiet}; }}
QListView#grid::item:selected {{ background: {accent}; color: {on_accent}; }}
QPushButton {{ background: {raised}; border: 1px solid {line}; border-radius: 6px; padding: 7px 14px; }}
QPushButton:hover {{ border-color: {accent}; }}
QPushButton:focus, QLineEdit:focus, QListView:focus {{ border: 1px solid {accent}; }}
QPushButton:disabled {{ color: {quiet}; }}
QPushButton#primary {{ background: {accent}; color: {on_accent}; border-color: {accent}; font-weight: 600; }}
QToolButton#reference {{ border: 1px solid {line}; border-radius: 6px; background: {raised}; padding: 3px; }}
QToolButton#reference:hover, QToolButton#reference:focus {{ border: 1px solid {accent}; }}
QLabel#heading {{ font-size: 21px; font-weight: 600; }}
QLabel#section {{ font-size: 16px; font-weight: 600; padding-top: 8px; }}
QCheckBox {{ spacing: 8px; padding: 3px 0; }}
QLabel#quiet, QLabel#found_by {{ color: {quiet}; }}
QLabel#notice {{ background: {raised}; border: 1px solid {line}; border-radius: 6px; padding: 12px; }}
QFrame#said {{ background: {accent}; border-radius: 10px; }}
QFrame#said QLabel {{ color: {on_accent}; }}
QFrame#answered {{ background: {raised}; border: 1px solid {line}; border-radius: 10px; }}
QFrame#chat {{ background: {ground}; border-left: 1px solid {line}; }}
QScrollArea {{ border: none; background: transparent; }}
QScrollArea > QWidget > QWidget {{ background: transparent; }}
QProgressBar {{ border: 1px solid {line}; border-radius: 5px; background: {raised}; max-height: 10px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 4px; }}
QStatusBar {{ background: {raised}; border-top: 1px solid {line}; }}
QSplitter::handle {{ background: {line}; width: 1px; }}
"""


def is_dark() -> bool:
    """Whether the desktop asks for dark windows."""
    return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


def apply_theme(app: QApplication, *, dark: bool) -> None:
    """Dress every window of the program."""
    colours = DARK if dark else LIGHT
    palette = QPalette(QColor(colours.ground))
    for role, colour in (
        (QPalette.ColorRole.Window, colours.ground),
        (QPalette.ColorRole.Base, colours.raised),
        (QPalette.ColorRole.Text, colours.text),
        (QPalette.ColorRole.WindowText, colours.text),
        (QPalette.ColorRole.ButtonText, colours.text),
        (QPalette.ColorRole.PlaceholderText, colours.quiet),
        (QPalette.ColorRole.Highlight, colours.accent),
        (QPalette.ColorRole.HighlightedText, colours.on_accent),
        (QPalette.ColorRole.Link, colours.accent),
    ):
        palette.setColor(role, QColor(colour))
    app.setStyle("Fusion")
    app.setPalette(palette)
    app.setStyleSheet(
        _SHEET.format(
            ground=colours.ground,
            raised=colours.raised,
            line=colours.line,
            text=colours.text,
            quiet=colours.quiet,
            accent=colours.accent,
            on_accent=colours.on_accent,
        )
    )
