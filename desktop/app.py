"""Runs the window over a library: one window a library, errors shown, nothing blocked."""

import logging
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import Qt, QTimer
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication, QMessageBox

from core.engine import Engine
from core.errors import AppError
from core.paths import Home
from desktop.build import opened
from desktop.folder_watch import watch_folders
from desktop.main_window import MainWindow
from desktop.model_shelf import ModelShelf
from desktop.notices import show_error
from desktop.rest_watch import watch_rest
from desktop.strings import tr
from desktop.theme import apply_theme, is_dark
from desktop.worker import EngineWorker

log = logging.getLogger(__name__)

_ANSWER_MS = 500
_SHOT_WAIT_S = 60.0


def run(folder: Path) -> int:
    """Show the window over a home folder until it is closed; returns the exit code.

    A second start for the same library brings the first window to the front and ends.
    """
    app = application()
    name = f"madeleine-{sha256(str(folder).encode()).hexdigest()[:16]}"
    if _woke_other_window(name):
        return 0
    try:
        with opened(Home(folder)) as engine:
            return _show(app, engine, Home(folder), name)
    except AppError as error:
        box = QMessageBox(QMessageBox.Icon.Warning, "Madeleine", error.message)
        box.setInformativeText(error.hint)
        box.exec()
        return 1


def save_screenshot(folder: Path, picture: Path) -> None:
    """Draw the window over a home folder into a PNG file: the timeline with a question being answered."""
    app = application()
    with opened(Home(folder)) as engine:
        worker = EngineWorker(engine)
        window = MainWindow(engine, worker, ModelShelf(Home(folder).models))
        try:
            window.resize(1440, 900)
            window.show()
            _answer_sample_question(app, window)
            picture.parent.mkdir(parents=True, exist_ok=True)
            window.grab().save(str(picture), "PNG")
        finally:
            window.close()
            worker.stop()


def _answer_sample_question(app: QApplication, window: MainWindow) -> None:
    from desktop.cli_demo import demo_questions  # the album's questions; not needed by the window itself

    question = next(each for each in demo_questions() if each.answer_type == "number")  # computed: at once
    window.set_today(question.today)
    window.chat_controller.ask(question.question)
    end = time.monotonic() + _SHOT_WAIT_S
    while time.monotonic() < end and window.chat_controller.busy:
        app.processEvents()
        time.sleep(0.01)
    settled = time.monotonic() + 1.5
    while time.monotonic() < settled:
        app.processEvents()
        time.sleep(0.01)


def application() -> QApplication:
    """The program's one `QApplication`, dressed; made when new."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
        app.setApplicationName("Madeleine")
        app.setDesktopFileName("madeleine")
    apply_theme(app, dark=is_dark())
    return app


def _show(app: QApplication, engine: Engine, home: Home, name: str) -> int:
    worker = EngineWorker(engine)
    window = MainWindow(engine, worker, ModelShelf(home.models))
    restore = _show_bugs(window)
    server = _listen(name, window)
    app.styleHints().colorSchemeChanged.connect(lambda scheme: apply_theme(app, dark=scheme is Qt.ColorScheme.Dark))
    window.show()
    watch_rest(engine, worker, window)
    watch_folders(worker, window)  # before the first scan, so that what changes during it is seen
    QTimer.singleShot(0, worker.process)
    try:
        return app.exec()
    finally:
        server.close()
        worker.stop()
        restore()


def _show_bugs(window: MainWindow) -> Callable[[], None]:
    """Show what nobody caught instead of ending; returns what undoes it."""
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            before(kind, error, trace)
            return
        if not isinstance(error, AppError):
            log.error("uncaught in the window", exc_info=(kind, error, trace))
        show_error(window, error)

    sys.excepthook = hook

    def restore() -> None:
        sys.excepthook = before

    return restore


def _woke_other_window(name: str) -> bool:
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(_ANSWER_MS):
        return False
    socket.disconnectFromServer()
    return True


def _listen(name: str, window: MainWindow) -> QLocalServer:
    QLocalServer.removeServer(name)  # left by a crash; the lock on the home decides who is first, not this
    server = QLocalServer(window)
    server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)

    def wake() -> None:
        while server.hasPendingConnections():
            server.nextPendingConnection().deleteLater()
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    server.newConnection.connect(wake)
    if not server.listen(name):
        log.warning("%s: %s", tr("A second start cannot find this window"), server.errorString())
    return server
