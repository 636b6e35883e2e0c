"""What the pinned Qt binding must not do; see the README's decision on PySide6."""

import sys

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication


class _Sender(QObject):
    plain = Signal()
    word = Signal(str)
    thing = Signal(object)
    two = Signal(object, object)


def test_emitting_signals_takes_no_reference_from_true_and_false(app: QApplication) -> None:
    """PySide6 6.12.0 drops one reference to True at each emit: Python 3.11 aborts after some thousand progress signals."""
    sender = _Sender()
    sender.thing.connect(lambda value: None)
    before = sys.getrefcount(True), sys.getrefcount(False)
    for _ in range(500):
        sender.plain.emit()
        sender.word.emit("a")
        sender.thing.emit(1)
        sender.two.emit(1, 2)
    after = sys.getrefcount(True), sys.getrefcount(False)
    assert abs(after[0] - before[0]) < 50
    assert abs(after[1] - before[1]) < 50
