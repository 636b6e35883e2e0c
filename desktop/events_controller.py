"""Decides what the Events screen shows and turns its buttons into corrections."""

from collections.abc import Callable
from datetime import date

from PySide6.QtCore import QModelIndex

from core.engine import Engine
from core.errors import RequestError
from core.records import Changes, Event
from desktop.events_view import EventsView
from desktop.history_dialog import HistoryDialog
from desktop.item_models import EventListModel, MemoryListModel
from desktop.notices import asked_choice, asked_text, confirmed, show_error
from desktop.strings import tr
from desktop.worker import EngineWorker


class EventsController:
    """Keeps the Events screen in step with the engine."""

    def __init__(
        self, engine: Engine, worker: EngineWorker, view: EventsView, events: EventListModel, members: MemoryListModel
    ) -> None:
        self._engine = engine
        self._worker = worker
        self._view = view
        self._events = events
        self._members = members
        self._chosen: str | None = None
        view.list.selectionModel().currentChanged.connect(self._choose)
        for button, act in (
            ("rename", self._rename),
            ("redate", self._redate),
            ("move", self._move),
            ("split", self._split),
            ("merge", self._merge),
            ("place", self._place),
            ("importance", self._importance),
            ("lock", self._lock),
            ("create", self._create),
            ("history", self._history),
            ("confirm", self._confirm),
            ("delete", self._delete),
            ("undo", lambda: self._correct("undo", self._engine.correct.undo)),
        ):
            view.on(button, act)
        worker.signals.changed.connect(self._refresh)
        self._refresh(Changes(events=True))

    def open_event(self, event_id: str) -> None:
        """Choose an event in the list."""
        row = self._events.row_of(event_id)
        if row is not None:
            self._view.list.setCurrentIndex(self._events.index(row))

    def _refresh(self, changes: Changes) -> None:
        if not changes.events:
            return
        chosen = self._chosen
        self._events.refresh()
        row = self._events.row_of(chosen) if chosen else None
        if row is not None:
            self._view.list.setCurrentIndex(self._events.index(row))
        elif self._events.rowCount():
            self._view.list.setCurrentIndex(self._events.index(0))
        else:
            self._show(None)

    def _choose(self, current: QModelIndex, previous: QModelIndex) -> None:
        self._show(self._events.event_at(current) if current.isValid() else None)

    def _show(self, event: Event | None) -> None:
        self._chosen = event.id if event else None
        self._view.show_event(event)
        self._members.show_ids(event.member_ids if event else ())

    def _event(self) -> Event:
        if self._chosen is None:
            raise RequestError(tr("No event is chosen."))
        return self._engine.event(self._chosen)

    def _correct(self, name: str, act: Callable[[], Changes]) -> None:
        self._worker.edit(name, act, None, lambda error: show_error(self._view, error))

    def _rename(self) -> None:
        event = self._event()
        name = asked_text(self._view, tr("What was it?"), event.name)
        if name is not None:
            self._correct("rename", lambda: self._engine.correct.rename_event(event.id, name))

    def _redate(self) -> None:
        event = self._event()
        first, last = (each.date().isoformat() if each else "" for each in (event.start, event.end))
        text = asked_text(self._view, tr("First and last day (2024-05-10 2024-05-12)"), f"{first} {last}".strip())
        if text is None:
            return
        try:
            days = [date.fromisoformat(word) for word in text.replace(",", " ").split()]
        except ValueError:
            days = []
        if len(days) not in (1, 2):
            show_error(self._view, RequestError(tr("These are no days."), tr("Write them like 2024-05-10 2024-05-12.")))
            return
        self._correct("redate", lambda: self._engine.correct.redate_event(event.id, days[0], days[-1]))

    def _selected(self) -> list[str]:
        chosen = self._view.grid.selected_ids()
        if not chosen:
            show_error(
                self._view, RequestError(tr("No pictures are selected."), tr("Select the pictures below first."))
            )
        return chosen

    def _move(self) -> None:
        event, chosen = self._event(), self._selected()
        if not chosen:
            return
        others = [other for other in self._events.events if other.id != event.id]
        names = [tr("No event"), *(f"{other.name} ({other.id[:4]})" for other in others)]
        position = asked_choice(self._view, tr("Where do they belong?"), names)
        if position is not None:
            target = others[position - 1].id if position else None
            self._correct("move", lambda: self._engine.correct.move_memories(chosen, target, event.id))

    def _split(self) -> None:
        event, chosen = self._event(), self._selected()
        name = asked_text(self._view, tr("What was the other event?")) if chosen else None
        if name is not None:
            self._correct("split", lambda: self._engine.correct.split_event(event.id, chosen, name))

    def _merge(self) -> None:
        event = self._event()
        others = [other for other in self._events.events if other.id != event.id]
        position = asked_choice(
            self._view, tr("Which event belongs to it?"), [f"{other.name} ({other.id[:4]})" for other in others]
        )
        if position is not None:
            self._correct("merge", lambda: self._engine.correct.merge_events(event.id, others[position].id))

    def _confirm(self) -> None:
        event = self._event()
        self._correct("confirm", lambda: self._engine.correct.confirm_event(event.id))

    def _delete(self) -> None:
        event = self._event()
        if confirmed(
            self._view,
            tr("Was this no event?"),
            tr("It is removed and not inferred again. Its pictures stay. You can undo this."),
            tr("Remove event"),
        ):
            self._correct("delete", lambda: self._engine.correct.delete_event(event.id))

    def _place(self) -> None:
        event = self._event()
        place = asked_text(self._view, tr("Where was it?"), event.place)
        if place is not None:
            self._correct("place", lambda: self._engine.correct.replace_event(event.id, place))

    def _importance(self) -> None:
        event = self._event()
        level = asked_choice(
            self._view, tr("How much does it matter?"), [tr("1: small"), tr("2: special"), tr("3: major")]
        )
        if level is not None:
            self._correct("importance", lambda: self._engine.correct.set_importance(event.id, level + 1))

    def _lock(self) -> None:
        event = self._event()
        self._correct("lock", lambda: self._engine.correct.lock_event(event.id))

    def _create(self) -> None:
        chosen = self._selected()
        name = asked_text(self._view, tr("What was it?")) if chosen else None
        if name is not None:
            self._correct("create", lambda: self._engine.correct.create_event(name, chosen))

    def _history(self) -> None:
        HistoryDialog(self._engine, self._worker, self._view).show()
