"""The Settings screen: you, folders, exclusions, privacy, places, and when background work may run."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from core.engine import Engine
from core.errors import RequestError
from core.records import Changes
from core.settings import as_text
from core.text_keys import printable
from desktop.faces_switch import WHAT_IT_DOES, FacesSwitch
from desktop.notices import asked_choice, asked_text, confirmed, show_error
from desktop.parts import button, heading, quiet, scrolling, section
from desktop.settings_lists import ListSection, Row
from desktop.strings import count_of, tr
from desktop.welcome_view import PRIVATE_KINDS
from desktop.worker import EngineWorker

_WORDS = {
    "owner": tr("Your name, as it appears in pictures and chats"),
    "library_zone": tr("Your time zone (Europe/Stockholm; empty: this computer's)"),
    "watch_folders": tr("Watch the folders while this window is open"),
    "watch_network_drives": tr("Watch drives of other computers too"),
    "pause_on_battery": tr("Rest while the computer runs on its battery"),
    "idle_priority": tr("Work only with what other programs leave over (from the next start on)"),
    "note_emotions": tr("Note what people in pictures seem to feel (needs a vision model)"),
    "gpu": tr("Graphics card for language models: auto, none or all (from the next start on)"),
    "quiet_hours": tr("Quiet hours without background work (22:00-07:00; empty: none)"),
}
_SHOWN_ELSEWHERE = ("exclusions", "never_understood", "hidden_from_chat", "chat_model", "recognise_faces")
_LEVELS = ("", "chat", "understanding")
_LEVEL_WORDS = (tr("Not private"), tr("Kept out of chat"), tr("Not understood at all"))


class SettingsView(QWidget):
    """A page of sections; each change holds at once."""

    def __init__(self, engine: Engine, worker: EngineWorker, add_folders: Callable[[list[str]], None]) -> None:
        super().__init__()
        self.setObjectName("page")
        self._engine = engine
        self._worker = worker
        self._add_folders = add_folders
        self.fields: dict[str, QLineEdit | QCheckBox] = {}
        self.levels: dict[str, QComboBox] = {}
        self._form = QFormLayout()
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        self._privacy = QFormLayout()
        self.folders, self.exclusions, self.places = self._folder_list(), self._exclusion_list(), self._place_list()
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 12, 0)
        column.addWidget(section(tr("You and background work")))
        column.addLayout(self._form)
        column.addWidget(section(tr("Faces and people")))
        column.addWidget(quiet(WHAT_IT_DOES))
        self.recognise = FacesSwitch(engine, worker)
        column.addWidget(self.recognise)
        column.addWidget(self.folders)
        column.addWidget(self.exclusions)
        self._lay_out_privacy(column)
        column.addWidget(self.places)
        column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 12, 8)
        layout.addWidget(heading(tr("Settings")))
        layout.addWidget(scrolling(inner), 1)
        self._make_fields()
        worker.signals.changed.connect(self._changed)
        self.refresh()

    def refresh(self) -> None:
        """Show everything as it is now."""
        values = self._engine.options.values()
        for name, field in self.fields.items():
            if isinstance(field, QCheckBox):
                field.setChecked(bool(values[name]))
            elif not field.hasFocus():
                field.setText(as_text(values[name]))
        for part in (self.folders, self.exclusions, self.places):
            part.refresh()
        self._show_privacy()

    def _changed(self, changes: Changes) -> None:
        if changes.roots:
            self.refresh()

    def _make_fields(self) -> None:
        values = self._engine.options.values()
        for name in (*_WORDS, *(each for each in values if each not in (*_WORDS, *_SHOWN_ELSEWHERE))):
            value = values[name]
            label = _WORDS.get(name, name.replace("_", " ").capitalize())
            if isinstance(value, bool):
                box = QCheckBox(label)
                box.clicked.connect(lambda checked, each=name: self._set(each, "yes" if checked else "no"))
                self.fields[name] = box
                self._form.addRow(box)
            else:
                line = QLineEdit()
                line.setAccessibleName(label)
                line.editingFinished.connect(partial(self._set_line, name, line))
                self.fields[name] = line
                self._form.addRow(label, line)

    def _set_line(self, name: str, line: QLineEdit) -> None:
        if line.text().strip() != as_text(self._engine.options.values()[name]):
            self._set(name, line.text())

    def _set(self, name: str, text: str) -> None:
        self._act(lambda: self._engine.options.change(name, text))

    def _act(self, act: Callable[[], object]) -> None:
        """Do it in the background, show what is now, and let what follows from it be done."""

        def changed() -> Changes:
            act()
            return Changes(memories=True, events=True, knowledge=True, roots=True)

        self._worker.edit("settings", changed, lambda _: self.refresh(), self._failed)

    def _failed(self, error: Exception) -> None:
        self.refresh()
        show_error(self, error)

    # folders

    def _folder_list(self) -> ListSection:
        return ListSection(
            tr("Folders"),
            tr("What Madeleine reads. The files stay where they are and are never changed."),
            self._folder_rows,
            tr("No folder yet."),
            [button(tr("Add folder…"), self._add_folder), button(tr("Remove…"), self._remove_folder)],
        )

    def _folder_rows(self) -> list[Row]:
        rows = []
        for folder in self._engine.options.folders():
            parts = [count_of(folder.present, "file", "files")]
            parts += [f"{folder.missing:,} {tr('missing')}"] if folder.missing else []
            parts += [f"{folder.online_only:,} {tr('online only')}"] if folder.online_only else []
            parts += [] if folder.root.online else [tr("offline")]
            rows.append(Row(folder.root.path, f"{printable(folder.root.path)}    {', '.join(parts)}"))
        return rows

    def _add_folder(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, tr("Which folder should Madeleine understand?")):
            self._add_folders([folder])

    def _remove_folder(self) -> None:
        path = self.folders.key
        if path is None:
            return
        ways = [
            tr("Keep what is known: add the folder again, and it is recognised"),
            tr("Forget everything known of it, your corrections too; this cannot be undone"),
        ]
        way = asked_choice(self, f"{tr('Take out')} {printable(path)}? {tr('The files are not touched.')}", ways)
        if way is not None:
            self._act(lambda: self._engine.options.remove_folder(path, forget=way == 1))

    # exclusions

    def _exclusion_list(self) -> ListSection:
        return ListSection(
            tr("Left out"),
            f"{tr('Folders and patterns (*.tmp, Drafts/*) that are not read. What is known of them already stays.')} "
            f"{tr('Always left out: hidden files, trash cans, thumbnail caches, unfinished downloads, libraries of other programs.')} "
            f"{tr('`madeleine exclusions list` shows them as patterns.')}",
            self._excluded,
            tr("Nothing beside the leavings of systems and programs."),
            [
                button(tr("Leave out folder…"), self._exclude_folder),
                button(tr("Leave out pattern…"), self._exclude_pattern),
                button(tr("Read again"), self._include),
            ],
        )

    def _excluded(self) -> list[Row]:
        others = [Row(path, f"{printable(path)}\n{tr(hint)}") for path, hint in self._engine.options.other_libraries()]
        return [*(Row(each, each) for each in self._engine.options.settings.exclusions), *others]

    def _exclude_folder(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, tr("Which folder should be left out?")):
            self._act(lambda: self._engine.options.exclude(folder))

    def _exclude_pattern(self) -> None:
        if pattern := asked_text(self, tr("What should be left out (*.tmp, Drafts/*)?")):
            self._act(lambda: self._engine.options.exclude(pattern))

    def _include(self) -> None:
        if (pattern := self.exclusions.key) is not None:
            self._act(lambda: self._engine.options.include(pattern))

    # privacy

    def _lay_out_privacy(self, column: QVBoxLayout) -> None:
        column.addWidget(section(tr("Private")))
        column.addWidget(
            quiet(
                tr(
                    "What is kept out of chat is found by you alone: no question, event or fact uses it. Of what is not understood at all "
                    "no caption, text or search entry is kept; what you said yourself is put aside until you change your mind."
                )
            )
        )
        column.addLayout(self._privacy)
        row = QVBoxLayout()
        row.addWidget(button(tr("Person…"), self._add_person), 0, Qt.AlignmentFlag.AlignLeft)
        row.addWidget(button(tr("Private folder…"), self._add_private_folder), 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(row)

    def _show_privacy(self) -> None:
        domains = self._engine.options.domains()
        if list(self.levels) != [each.text for each in domains]:
            while self._privacy.rowCount():
                self._privacy.removeRow(0)
            self.levels.clear()
            for each in domains:
                box = QComboBox()
                box.addItems(_LEVEL_WORDS)
                box.setToolTip(each.says)
                label = PRIVATE_KINDS.get(each.text) or _own_domain(each.text)
                box.setAccessibleName(label)
                box.activated.connect(lambda chosen, text=each.text: self._set_level(text, _LEVELS[chosen]))
                self.levels[each.text] = box
                self._privacy.addRow(label, box)
        for each in domains:
            self.levels[each.text].setCurrentIndex(_LEVELS.index(each.level))

    def _set_level(self, domain: str, level: str) -> None:
        options = self._engine.options
        now = next(each.level for each in options.domains() if each.text == domain)
        if level != now:
            self._act(lambda: options.keep_private(domain, level) if level else options.allow(domain))

    def _add_person(self) -> None:
        if name := asked_text(self, tr("Whose pictures should be kept out of chat (their name)?")):
            self._act(lambda: self._engine.options.keep_private(f"person:{name}", "chat"))

    def _add_private_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr("Which folder should not be understood at all?"))
        if folder and confirmed(
            self,
            tr("Understand nothing in this folder?"),
            tr("Captions, texts and search entries of its pictures are removed. The files are not touched."),
            tr("Keep it private"),
        ):
            self._act(lambda: self._engine.options.keep_private(f"folder:{folder}", "understanding"))

    # places

    def _place_list(self) -> ListSection:
        return ListSection(
            tr("Your places"),
            tr("Your own names for places, used in search (at:home) and in questions. The map's names are in English."),
            self._place_rows,
            tr("None yet. A memory's screen can name one, too."),
            [button(tr("Name a place…"), self._name_place), button(tr("Remove name"), self._unname_place)],
        )

    def _place_rows(self) -> list[Row]:
        return [
            Row(each.name, f"{each.name}    {each.latitude:.4f}, {each.longitude:.4f}    {each.radius_m:g} m")
            for each in self._engine.options.places()
        ]

    def _name_place(self) -> None:
        name = asked_text(self, tr("What do you call the place?"))
        where = (
            asked_text(self, tr("Where is it (latitude, longitude, and how many metres it reaches)?")) if name else None
        )
        if not name or not where:
            return
        try:
            latitude, longitude, *rest = (float(part) for part in where.replace(",", " ").split())
        except ValueError:
            show_error(self, RequestError(f"{where!r} is no position.", "Write it like 55.7047, 13.1910, 150."))
            return
        radius = rest[0] if rest else 150.0
        self._act(lambda: self._engine.options.name_place(name, latitude, longitude, radius))

    def _unname_place(self) -> None:
        if (name := self.places.key) is not None:
            self._act(lambda: self._engine.options.unname_place(name))


def _own_domain(text: str) -> str:
    """A person's or a folder's domain for a label."""
    kind, _, argument = text.partition(":")
    return f"{tr('Pictures of') if kind == 'person' else tr('Everything in')} {printable(argument)}"
