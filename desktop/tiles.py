"""What stands in the grid for a memory without a picture: the beginning of a note, a sign for a sound, a word for what is private."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from core.records import CapturedMemory, MemoryKind
from desktop.strings import tr

TILE_PX = 168
_SIGNS = {MemoryKind.RECORDING: "♪", MemoryKind.VIDEO: "▶", MemoryKind.NOTE: "✎"}
_MARGIN_PX, _TEXT_PX, _SIGN_PX = 14, 13, TILE_PX // 3
_LETTERS = 260


def tile(memory: CapturedMemory) -> QPixmap:
    """The tile of a memory."""
    drawn = QPixmap(TILE_PX, TILE_PX)
    drawn.fill(QColor(128, 128, 128, 40))
    painter = QPainter(drawn)
    painter.setPen(QColor(128, 128, 128))
    text = "" if memory.private == "understanding" else _words(memory)
    if text:
        _write(painter, text, _TEXT_PX, QRect(drawn.rect()).adjusted(_MARGIN_PX, _MARGIN_PX, -_MARGIN_PX, -_MARGIN_PX))
    elif memory.private == "understanding":
        painter.drawText(drawn.rect(), Qt.AlignmentFlag.AlignCenter, tr("Private"))
    elif sign := _SIGNS.get(memory.kind, ""):
        _write(painter, sign, _SIGN_PX, drawn.rect())
    painter.end()
    return drawn


def _words(memory: CapturedMemory) -> str:
    """The beginning of what a note says, or of what is said in a recording."""
    if memory.kind is MemoryKind.NOTE:
        return "\n".join(part for part in (memory.title, memory.visible_text) if part)[:_LETTERS].strip()
    return memory.speech[:_LETTERS].strip() if memory.kind is MemoryKind.RECORDING else ""


def _write(painter: QPainter, text: str, size_px: int, where: QRect) -> None:
    font = painter.font()
    font.setPixelSize(size_px)
    painter.setFont(font)
    if size_px == _SIGN_PX:
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, text)
    else:
        flags = Qt.AlignmentFlag.AlignLeft.value | Qt.AlignmentFlag.AlignTop.value | Qt.TextFlag.TextWordWrap.value
        painter.drawText(where, flags, text)
