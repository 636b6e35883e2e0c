"""Is a correction from a file refused when it could not be replayed, and taken when it is one of ours?"""

import json
from datetime import date
from pathlib import Path

import pytest

from core.augment.corrections import Corrector
from core.augment.usable import is_usable
from core.engine import Engine
from core.errors import RequestError
from core.jobs import run_to_end
from core.paths import Home
from core.records import Correction, MemoryKind
from core.settings import Settings
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.fakes import FakeModels

RUBBISH = ("", "{", "[]", "null", "5", "{}", '{"event": 5}', '{"field": "date"}', '{"field": "caption", "value": [1]}',
           '{"name": ["x"]}', '{"first_day": "x", "last_day": 5}', '{"member_ids": "abc", "to_id": 5, "from_id": null}',
           '{"statement": 7}', '{"importance": "high"}', '{"keep": {}, "other": {}}')  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Library:
    opened = open_library(Home(tmp_path / "library"), ExactIndexes())
    for number in range(6):
        opened.memories.create(kind=MemoryKind.PHOTO, file_name=f"{number}.jpg", content_key=str(number))
    return opened


def test_every_correction_a_person_can_make_is_usable_elsewhere(library: Library) -> None:
    correct, ids = Corrector(library), library.memories.ids_matching()
    correct.create_event("Trip", ids[:4])
    correct.create_event("Party", ids[4:])
    party, trip = sorted(library.events.all(), key=lambda event: event.name)
    correct.rename_event(trip.id, "Journey")
    correct.redate_event(trip.id, date(2024, 1, 1), date(2024, 1, 2))
    correct.replace_event(trip.id, "Lisbon")
    correct.set_importance(trip.id, 3)
    correct.confirm_event(trip.id)
    correct.split_event(trip.id, ids[:1], "Half")
    correct.move_memories(ids[1:2], party.id, trip.id)
    correct.merge_events(trip.id, party.id)
    correct.delete_event(trip.id)
    correct.add_fact("I live in Lund")
    for act in (correct.confirm_fact, correct.reject_fact):
        act(library.knowledge.all(with_rejected=True)[0].id)
    correct.edit_fact(library.knowledge.all(with_rejected=True)[0].id, "I lived in Lund")
    for field, value in (
        ("caption", "a"), ("title", ""), ("date", "2024-05-10"), ("date", "2024-05-10 12:30"), ("place", "Home, Lund, Sweden"),
        ("kind", "screenshot"), ("people", "Ana, Bo"), ("environment", "beach"),
    ):  # fmt: skip
        correct.edit_memory(ids[0], field, value)
        correct.edit_memory(ids[0], field, value)
    correct.forget_memory(ids[5])
    made = library.corrections.all()
    assert len(made) > 25
    assert [each for each in made if not is_usable(each)] == []


@pytest.mark.parametrize("before", RUBBISH)
@pytest.mark.parametrize("kind", ["event", "knowledge", "memory", "weather"])
def test_no_rubbish_that_is_taken_stops_a_later_run(library: Library, kind: str, before: str) -> None:
    engine = Engine(library, FakeModels(), Settings())
    target = library.memories.ids_matching()[0]
    public = library.memories.get(target).public_id
    path = library.home.folder / "x.jsonl"
    path.write_text(json.dumps({"id": public}) + "\n")
    actions = (
        "rename",
        "redate",
        "replace",
        "importance",
        "move",
        "merge",
        "split",
        "confirm",
        "delete",
        "add",
        "edit",
        "reject",
        "bogus",
    )
    lines = [
        {"id": f"{kind}{action}{number}", "target_kind": kind, "target": public, "action": action, "before": before, "after": after}
        for action in actions for number, after in enumerate(RUBBISH)
    ]  # fmt: skip
    path.with_name("x.corrections.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    counts = run_to_end(engine.import_from(path))
    assert counts.corrections + len(counts.refused) == len(lines)
    run_to_end(engine.process())
    while library.corrections.standing():
        engine.correct.undo()
    engine.close()
    with pytest.raises(RequestError, match="nothing to undo"):
        _reopened(library).undo()


def _reopened(library: Library) -> Corrector:
    return Corrector(open_library(library.home, ExactIndexes()))


def test_an_unknown_kind_of_thing_has_no_corrections() -> None:
    assert not is_usable(Correction(id="1", target_kind="weather", target_id="x", action="rename"))
