"""The main window: screens on the left, the chat on the right, progress at the bottom."""

from datetime import date
from enum import IntEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QMainWindow,
    QProgressBar,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from core.engine import Engine
from core.records import Changes, Progress, Stage
from core.records.people import Face
from desktop.chat_controller import ChatController
from desktop.chat_view import ChatView
from desktop.durations import spoken
from desktop.events_controller import EventsController
from desktop.events_view import EventsView
from desktop.face_models import FaceListModel, PersonListModel
from desktop.face_pictures import FacePictures
from desktop.faces_switch import FacesSwitch
from desktop.facts_view import FactsView
from desktop.grid import MemoryGrid
from desktop.item_models import EventListModel, MemoryListModel
from desktop.library_controller import LibraryController
from desktop.library_view import LibraryView
from desktop.memory_dialog import MemoryDialog
from desktop.model_shelf import ModelShelf
from desktop.models_view import ModelsView
from desktop.notices import show_error
from desktop.parts import button
from desktop.people_controller import PeopleController
from desktop.people_view import PeopleView
from desktop.problems_view import ProblemsView
from desktop.settings_view import SettingsView
from desktop.strings import tr
from desktop.suggestions_view import SuggestionsView
from desktop.thumbnails import Thumbnails
from desktop.welcome_view import WelcomeView
from desktop.worker import EngineWorker

_STAGE_NAMES = {
    Stage.SCAN: tr("Looking for pictures"),
    Stage.METADATA: tr("Reading dates and places"),
    Stage.THUMBNAILS: tr("Drawing small pictures"),
    Stage.NEAR_DUPLICATES: tr("Finding near-duplicates"),
    Stage.TEXT: tr("Reading text"),
    Stage.FACES: tr("Finding faces"),
    Stage.SCENES: tr("Recognising scenes"),
    Stage.SPEECH: tr("Listening to speech"),
    Stage.CAPTION: tr("Writing captions"),
    Stage.CONTEXTS: tr("Inferring contexts"),
    Stage.EMBEDDINGS: tr("Indexing meaning"),
    Stage.MOMENTS: tr("Finding moments"),
    Stage.EVENTS: tr("Inferring events"),
    Stage.KNOWLEDGE: tr("Learning facts"),
    Stage.GRAPH: tr("Connecting people, places and events"),
}


_NO_CHAT = "No language model is used: answers are computed and quoted, not phrased. Get or choose one under Models."
_NO_MEANING = "No model for meaning is installed: only words are searched. Get the starter set under Models."


class Screen(IntEnum):
    """The screens in the order of their list."""

    LIBRARY = 0
    EVENTS = 1
    PEOPLE = 2
    KNOWLEDGE = 3
    PROBLEMS = 4
    MODELS = 5
    SETTINGS = 6


class MainWindow(QMainWindow):
    """Puts the screens together; each has its own controller."""

    def __init__(self, engine: Engine, worker: EngineWorker, shelf: ModelShelf) -> None:
        super().__init__()
        self.setWindowTitle("Madeleine")
        self.resize(1360, 860)
        self._engine = engine
        self._worker = worker
        self._thumbnails = Thumbnails(engine)
        self._models_by_screen = [MemoryListModel(engine, self._thumbnails) for _ in range(4)]
        timeline, members, evidence, with_person = self._models_by_screen
        self._events = EventListModel(engine)
        self.welcome = WelcomeView(engine, worker, shelf)
        self.library = LibraryView(MemoryGrid(timeline, self.open_memory), self.welcome)
        self.events = EventsView(self._events, MemoryGrid(members, self.open_memory), SuggestionsView(engine, worker))
        self.facts = FactsView(engine, worker, evidence, MemoryGrid(evidence, self.open_memory))
        self._face_pictures = FacePictures(engine)
        everybody = PersonListModel(
            self._face_pictures, lambda person: next(iter(engine.people.portraits(person.id, 1)), None)
        )
        portraits, faces = (FaceListModel(self._face_pictures, self._year_of) for _ in range(2))
        switch = FacesSwitch(engine, worker)
        self.people = PeopleView(switch, everybody, portraits, faces, MemoryGrid(with_person, self.open_memory))
        self.problems = ProblemsView(engine, worker)
        self.models = ModelsView(shelf, worker, engine.options, self._models_changed)
        self.chat = ChatView()
        self.library_controller = LibraryController(engine, worker, self.library, timeline)
        self.events_controller = EventsController(engine, worker, self.events, self._events, members)
        self.people_controller = PeopleController(engine, worker, self.people, everybody, portraits, faces, with_person)
        self.chat_controller = ChatController(engine, worker, self.chat, self._thumbnails, self.open_memory)
        self.settings = SettingsView(engine, worker, self.library_controller.add_folders)
        self.welcome.folder_wanted.connect(self.library.choose_folder)
        self.welcome.models_wanted.connect(lambda: self.show_screen(Screen.MODELS))
        self._lay_out()
        self._show_progress_bar()
        worker.signals.progress.connect(self._show_progress)
        worker.signals.idle.connect(self._show_idle)
        worker.signals.told.connect(self._progress_text.setText)
        worker.signals.changed.connect(self._refresh_thumbnails)
        worker.signals.failed.connect(lambda error: show_error(self, error))
        self._shortcuts()
        self._show_idle()
        self._say_what_is_missing()

    def open_memory(self, memory_id: str) -> None:
        """Open the Memory screen."""
        dialog = MemoryDialog(self._engine, self._worker, memory_id, self._thumbnails.pixmap(memory_id), self)
        dialog.alike_wanted.connect(self._search_for)
        dialog.show()

    def _search_for(self, text: str) -> None:
        self.show_screen(Screen.LIBRARY)
        self.library.search.setText(text)

    def show_screen(self, position: int) -> None:
        """Show a screen by its place in the list (see `Screen`)."""
        self._screens.setCurrentRow(position)

    def set_today(self, today: date) -> None:
        """What "today" means in the chat (for the sample album)."""
        self.chat_controller.today = today

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let the helper threads end; the worker is stopped by whoever made it."""
        self._thumbnails.close()
        self._face_pictures.close()
        super().closeEvent(event)

    def _year_of(self, face: Face) -> str:
        wall = self._engine.memory(face.memory_id).taken.wall
        return str(wall.year) if wall else ""

    def _lay_out(self) -> None:
        self._screens = QListWidget()
        self._screens.setObjectName("screens")
        self._screens.setFixedWidth(150)
        self._screens.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._screens.setAccessibleName(tr("Screens"))
        self._stack = QStackedWidget()
        for name, page in (
            (tr("Library"), self.library),
            (tr("Events"), self.events),
            (tr("People"), self.people),
            (tr("Knowledge"), self.facts),
            (tr("Problems"), self.problems),
            (tr("Models"), self.models),
            (tr("Settings"), self.settings),
        ):
            self._screens.addItem(name)
            self._stack.addWidget(page)
        self._screens.currentRowChanged.connect(self._stack.setCurrentIndex)
        self._screens.setCurrentRow(0)
        splitter = QSplitter()
        splitter.addWidget(self._stack)
        splitter.addWidget(self.chat)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([860, 380])
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._screens)
        row.addWidget(splitter, 1)
        self.setCentralWidget(body)

    def _show_progress_bar(self) -> None:
        self._progress_text = QLabel()
        self._progress_text.setContentsMargins(12, 0, 0, 0)
        self._progress_text.setAccessibleName(tr("Progress"))
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setMaximumWidth(220)
        self._pause = button(tr("Pause"), self._toggle_pause)
        for widget, stretch in ((self._progress_text, 1), (self._progress, 0), (self._pause, 0)):
            self.statusBar().addPermanentWidget(widget, stretch)

    def _shortcuts(self) -> None:
        for keys, act in (
            ("Ctrl+F", self._go_to_search),
            ("Ctrl+K", lambda: self.chat.input.setFocus()),
            *(
                (f"Ctrl+{position + 1}", lambda chosen=position: self.show_screen(chosen))
                for position in range(self._stack.count())
            ),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    def _go_to_search(self) -> None:
        self.show_screen(Screen.LIBRARY)
        self.library.search.setFocus()

    def _show_progress(self, progress: Progress) -> None:
        left = (
            f", {tr('about')} {spoken(progress.seconds_left)} {tr('left')}"
            if progress.seconds_left and progress.done < progress.total
            else ""
        )
        self._progress_text.setText(f"{_STAGE_NAMES[progress.stage]}: {progress.done:,} / {progress.total:,}{left}")
        self._progress.setMaximum(max(progress.total, 1))
        self._progress.setValue(progress.done)
        self._progress.show()
        self._show_pause()

    def _show_idle(self) -> None:
        self._progress.hide()
        waiting = f"{tr('Waiting')}: {self._worker.resting}." if self._worker.resting else tr("Up to date.")
        self._progress_text.setText(tr("Paused.") if self._worker.paused else waiting)
        self._show_pause()

    def _show_pause(self) -> None:
        self._pause.setText(tr("Resume") if self._worker.paused else tr("Pause"))

    def _toggle_pause(self) -> None:
        self._worker.pause(not self._worker.paused)
        self._show_pause()
        if self._worker.paused:
            self._progress_text.setText(tr("Paused."))

    def _refresh_thumbnails(self, changes: Changes) -> None:
        if changes.memories:
            self._thumbnails.forget_missing()

    def _models_changed(self) -> None:
        self._worker.edit("models", self._engine.look_for_models, lambda _: self._use_models())

    def _use_models(self) -> None:
        self._say_what_is_missing()
        self._worker.process()

    def _say_what_is_missing(self) -> None:
        """Without a language model everything works with less; a person who does not know that would think this is all."""
        models = self._engine.models_in_use()
        lacking = [tr(said) for role, said in (("chat", _NO_CHAT), ("text_embedder", _NO_MEANING)) if not models[role]]
        self.chat.show_notice(" ".join((*self._engine.doubts(), *lacking)))
