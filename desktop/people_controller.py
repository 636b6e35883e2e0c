"""Decides what the People screen shows and turns its buttons into words about people."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex

from core.engine import Engine
from core.errors import RequestError
from core.records import Changes
from core.records.people import Face, Person, PersonKind
from desktop.face_models import FaceListModel, PersonListModel, title
from desktop.faces_switch import WHAT_IT_DOES
from desktop.item_models import MemoryListModel
from desktop.notices import asked_choice, asked_text, confirmed, show_error
from desktop.people_view import PeopleView
from desktop.strings import count_of, tr
from desktop.worker import EngineWorker

_NO_MODEL = "No face model is installed: get dlib-face under Models."
_NOBODY = "Nobody was found yet. Faces are looked for in the background."


class PeopleController:
    """Keeps the People screen in step with the engine."""

    def __init__(
        self,
        engine: Engine,
        worker: EngineWorker,
        view: PeopleView,
        people: PersonListModel,
        portraits: FaceListModel,
        faces: FaceListModel,
        memories: MemoryListModel,
    ) -> None:
        self._engine = engine
        self._worker = worker
        self._view = view
        self._people = people
        self._portraits = portraits
        self._faces = faces
        self._memories = memories
        self._chosen: str | None = None
        view.list.selectionModel().currentChanged.connect(self._choose)
        view.others.clicked.connect(lambda: self._show_others())
        for button, act in (
            ("name", self._name),
            ("merge", self._merge),
            ("split", self._split),
            ("not_this", self._not_this),
            ("not_a_face", self._not_a_face),
            ("relate", self._relate),
            ("group", self._group),
            ("favourite", self._favourite),
            ("pet", self._pet),
            ("forget", self._forget),
            ("undo", lambda: self._say(engine.correct.undo)),
        ):
            view.on(button, act)
        worker.signals.changed.connect(self._refresh)
        self._refresh(Changes(people=True))

    def open_person(self, person_id: str) -> None:
        """Choose somebody in the list."""
        row = self._people.row_of(person_id)
        if row is not None:
            self._view.list.setCurrentIndex(self._people.index(row))

    def _refresh(self, changes: Changes) -> None:
        if not (changes.people or changes.events):  # the end of a run tells of events: new faces have joined by then
            return
        chosen = self._chosen
        people = self._engine.people.all()
        if list(self._people.people) != people:
            self._people.show_people(people)
        on = self._engine.options.settings.recognise_faces
        has_model = bool(self._engine.models_in_use()["faces"])
        said = WHAT_IT_DOES if not on else tr(_NO_MODEL) if not has_model else "" if people else tr(_NOBODY)
        self._view.notice.setText(said)
        self._view.notice.setVisible(bool(said))
        self._view.others.setText(f"{tr('Other faces')} ({len(self._engine.people.loose_faces())})")
        row = self._people.row_of(chosen) if chosen else None
        if row is None and people:
            row = 0
        if row is None:
            self._show(None)
        else:
            self._view.list.setCurrentIndex(self._people.index(row))
            self._show(self._people.people[row])

    def _choose(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid():
            self._show(self._people.person_at(current))

    def _show(self, person: Person | None) -> None:
        self._chosen = person.id if person else None
        people = self._engine.people
        self._view.name.setText(title(person) if person else tr("Nobody chosen"))
        self._view.about.setText(_about(person) if person else "")
        self._view.relations.setText("\n".join(self._told(person)) if person else "")
        self._portraits.show_faces(people.portraits(person.id) if person else ())
        self._faces.show_faces(people.faces(person.id) if person else ())
        self._memories.show_ids(people.memories(person.id) if person else ())
        for name, button in self._view.buttons.items():
            button.setEnabled(person is not None or name == "undo")
        if person is not None:
            is_pet = person.kind is PersonKind.PET
            self._view.buttons["pet"].setText(tr("No pet") if is_pet else tr("A pet"))
            self._view.buttons["favourite"].setText(tr("No favourite") if person.favourite else tr("Favourite"))

    def _show_others(self) -> None:
        """Faces that are nobody's: they can be named, or said to be none."""
        faces = self._engine.people.loose_faces()
        self._view.list.clearSelection()
        self._show(None)
        self._view.name.setText(tr("Other faces"))
        self._view.about.setText(
            tr("Strangers, and faces that are too unclear to tell. Select some to say whose they are.")
        )
        self._faces.show_faces(faces)
        self._memories.show_ids(list(dict.fromkeys(face.memory_id for face in faces)))
        for name in ("split", "not_a_face"):
            self._view.buttons[name].setEnabled(True)

    def _told(self, person: Person) -> list[str]:
        return [
            f"{each.relation}: {each.target.name}"
            for each in self._engine.relations.told()
            if each.holds and person.name and each.source.name == person.name
        ]

    def _person(self) -> Person:
        if self._chosen is None:
            raise RequestError(tr("Nobody is chosen."))
        return self._engine.people.get(self._chosen)

    def _others(self, person: Person | None) -> list[Person]:
        return [other for other in self._people.people if person is None or other.id != person.id]

    def _say(self, act: Callable[[], Changes]) -> None:
        self._worker.edit("people", act, None, lambda error: show_error(self._view, error))

    def _selected(self) -> list[Face]:
        found = [self._faces.face_at(index) for index in self._view.faces.selectedIndexes()]
        if not found:
            error = RequestError(tr("No faces are selected."), tr("Select them under Faces first."))
            show_error(self._view, error)
        return found

    def _name(self) -> None:
        person = self._person()
        name = asked_text(self._view, tr("Who is this?"), person.name)
        if name is not None:
            self._say(lambda: self._engine.people.name(person.id, name))

    def _merge(self) -> None:
        person = self._person()
        others = self._others(person)
        position = asked_choice(self._view, tr("Who is this, too?"), _choices(others))
        if position is None:
            return
        other = others[position]
        kept, gone = (other, person) if other.name and not person.name else (person, other)
        self._say(lambda: self._engine.people.merge(kept.id, gone.id))

    def _split(self) -> None:
        """Give the selected faces to somebody else: known, new, or not known yet."""
        person = self._person() if self._chosen else None
        faces = self._selected()
        if not faces:
            return
        others = [other for other in self._others(person) if other.name]
        new = tr("Somebody new…")
        position = asked_choice(self._view, tr("Whose are they?"), [new, *_choices(others)])
        if position is None:
            return
        if position:
            self._say(lambda: self._engine.people.assign(others[position - 1].id, faces))
            return
        name = asked_text(self._view, tr("Their name (leave it empty when you do not know)"))
        self._say(lambda: self._engine.people.split(person.id if person else "", faces, name or ""))

    def _not_this(self) -> None:
        person, faces = self._person(), self._selected()
        if faces:
            self._say(lambda: self._engine.people.not_this(person.id, faces))

    def _not_a_face(self) -> None:
        faces = self._selected()
        if faces:
            self._say(lambda: self._engine.people.not_a_face(faces))

    def _relate(self) -> None:
        person = self._person()
        if not person.name:
            show_error(self._view, RequestError(tr("Name this person first.")))
            return
        named = [other.name for other in self._others(person) if other.name]
        names = [*named, tr("Somebody else…")]
        position = asked_choice(self._view, f"{tr('Who is related to')} {person.name}?", names)
        if position is None:
            return
        other = names[position] if position < len(named) else asked_text(self._view, tr("Their name"))
        label = f"{other} {tr('is')} {person.name}’s … ({tr('daughter, partner, boss, friend')})"
        relation = asked_text(self._view, label) if other else None
        if other and relation:
            self._say(lambda: self._engine.relations.relate(person.name, relation, other) | Changes(people=True))

    def _group(self) -> None:
        person = self._person()
        known = sorted({group for other in self._people.people for group in other.groups})
        choices = [(f"{tr('Out of')}: {group}", group, False) for group in person.groups]
        choices += [(group, group, True) for group in known if group not in person.groups]
        labels = [*(label for label, _, _ in choices), tr("A new group…")]
        position = asked_choice(self._view, tr("Which group?"), labels) if choices else 0
        if position is None:
            return
        if position < len(choices):
            _, group, into = choices[position]
            self._say(lambda: self._engine.people.put_in_group(person.id, group, into=into))
        elif (name := asked_text(self._view, tr("Name of the group"))) is not None:
            self._say(lambda: self._engine.people.put_in_group(person.id, name))

    def _favourite(self) -> None:
        person = self._person()
        self._say(lambda: self._engine.people.set_favourite(person.id, not person.favourite))

    def _pet(self) -> None:
        person = self._person()
        kind = PersonKind.PERSON if person.kind is PersonKind.PET else PersonKind.PET
        self._say(lambda: self._engine.people.set_kind(person.id, kind))

    def _forget(self) -> None:
        person = self._person()
        consequence = tr(
            "Name, faces, relations and every word about them go. The pictures stay. This cannot be undone."
        )
        if confirmed(self._view, f"{tr('Forget')} {person.name or tr('this person')}?", consequence, tr("Forget")):
            self._say(lambda: self._engine.people.forget(person.id))


def _choices(people: Sequence[Person]) -> list[str]:
    return [f"{title(person)} ({person.id[:4]})" for person in people]


def _about(person: Person) -> str:
    days = ""
    if person.first_day and person.last_day:
        days = f"{person.first_day:%d %b %Y} – {person.last_day:%d %b %Y}"
    counted = (count_of(person.memories, "memory", "memories"), count_of(person.faces, "face", "faces"))
    return "  ·  ".join(part for part in (*counted, days, ", ".join(person.groups)) if part)
