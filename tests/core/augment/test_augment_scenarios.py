"""End to end on a real engine: does each correction outlive rescan, re-run, another model, export and import; and change answers?"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest

from core.engine import Engine
from core.jobs import run_to_end
from core.paths import Home
from core.ports import ModelSet
from core.records import Question
from core.settings import Settings
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.core.augment.life import OWNER
from tests.fakes import FakeChat, FakeModels

DINNER, TRIP, FORUM = "Dinner at Bistro Nord with Jonas Weber", "Trip to Porto", "HCI Forum 2024"
HOME = {"name": "Home", "city": "Graz", "country": "Austria", "latitude": 47.07, "longitude": 15.44}
BISTRO = {"name": "Bistro Nord", "city": "Graz", "country": "Austria", "latitude": 47.08, "longitude": 15.42}
PORTO = {"name": "Ribeira", "city": "Porto", "country": "Portugal", "latitude": 41.14, "longitude": -8.61}
HALL = {"name": "Alfandega Hall", "city": "Porto", "country": "Portugal", "latitude": 41.143, "longitude": -8.62}
LODGE = {"name": "Alpine Lodge", "city": "Schladming", "country": "Austria", "latitude": 47.39, "longitude": 13.69}
NOTHING = '{"events":[],"mentioned":[]}'
QUESTION = "Who did I ski with at the lab retreat?"
Ids = dict[str, list[str]]


@contextmanager
def opened(folder: Path, models: ModelSet | None = None) -> Iterator[tuple[Engine, Library]]:
    library = open_library(Home(folder), ExactIndexes())
    engine = Engine(library, models or FakeModels(), Settings(owner=OWNER))
    try:
        yield engine, library
    finally:
        engine.close()


def _line(
    name: str,
    when: str,
    caption: str,
    place: dict[str, object],
    people: tuple[str, ...] = (),
    text: str = "",
    doing: tuple[str, ...] = (),
) -> dict[str, object]:
    return {
        "id": name, "kind": "photo", "taken_at": when, "caption": caption, "place": place, "people": list(people),
        "visible_text": text, "activities": list(doing),
    }  # fmt: skip


def _read(engine: Engine, folder: Path, lines: list[dict[str, object]]) -> Ids:
    """Read lines of the interchange format; returns memory ids by the first part of their names."""
    (folder / "lines.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    run_to_end(engine.import_from(folder / "lines.jsonl"))
    ids: Ids = {}
    for line in lines:
        ids.setdefault(str(line["id"]).split("-")[0], []).append(engine.resolve(str(line["id"])))
    return ids


def _month() -> list[dict[str, object]]:
    """May 2024: days at home, a dinner out with Jonas, four days in Porto, three of them at a forum."""
    lines = [
        _line(f"home-{day}-{hour}", f"2024-05-{day:02}T{hour:02}:00:00", "The plant on the sill", HOME)
        for day in range(1, 29, 3)
        for hour in (8, 21)
        if not 13 <= day <= 17
    ]
    for step, caption in enumerate(("A menu on a table", "Risotto on a plate", "Jonas laughing over dinner")):
        lines.append(
            _line(f"dinner-{step}", f"2024-05-06T19:{10 + 20 * step}:00", caption, BISTRO, (OWNER, "Jonas Weber"))
        )
    lines.append(_line("trip-0", "2024-05-13T10:30:00", "A river and boats", PORTO))
    lines.append(_line("trip-1", "2024-05-16T20:30:00", "Grilled sardines", PORTO, ("Ines Costa",)))
    for day, caption in ((14, "A badge on a lanyard"), (15, "A slide in a dark hall"), (16, "A poster wall")):
        text = "HCI Forum 2024\nPorto" if day < 16 else "Session 4"
        lines.append(_line(f"forum-{day}", f"2024-05-{day}T11:00:00", caption, HALL, (), text))
    return lines


def _event(engine: Engine, name: str) -> str:
    return next(event.id for event in engine.events() if event.name == name)


CORRECTIONS: dict[str, Callable[[Engine, Ids], object]] = {
    "rename": lambda engine, ids: engine.correct.rename_event(_event(engine, DINNER), "Jonas is back", "so we call it"),
    "redate": lambda engine, ids: engine.correct.redate_event(
        _event(engine, DINNER), date(2024, 5, 7), date(2024, 5, 8)
    ),
    "place": lambda engine, ids: engine.correct.replace_event(_event(engine, DINNER), "Grandma's kitchen"),
    "importance": lambda engine, ids: engine.correct.set_importance(_event(engine, DINNER), 3),
    "confirm": lambda engine, ids: engine.correct.confirm_event(_event(engine, DINNER)),
    "lock": lambda engine, ids: engine.correct.lock_event(_event(engine, FORUM)),
    "delete": lambda engine, ids: engine.correct.delete_event(_event(engine, DINNER)),
    "create": lambda engine, ids: engine.correct.create_event("Plant diary", ids["home"][:3]),
    "split": lambda engine, ids: engine.correct.split_event(_event(engine, TRIP), ids["trip"], "By the river"),
    "merge": lambda engine, ids: engine.correct.merge_events(_event(engine, DINNER), _event(engine, FORUM)),
    "move in": lambda engine, ids: engine.correct.move_memories(ids["home"][:1], _event(engine, DINNER)),
    "move out": lambda engine, ids: engine.correct.move_memories(ids["dinner"][:1], None, _event(engine, DINNER)),
    "caption": lambda engine, ids: engine.correct.edit_memory(ids["dinner"][0], "caption", "The menu we chose from"),
    "date": lambda engine, ids: engine.correct.edit_memory(ids["dinner"][0], "date", "2024-05-08"),
    "place of a memory": lambda engine, ids: engine.correct.edit_memory(
        ids["dinner"][0], "place", "Old Mill, Graz, Austria"
    ),
    "people": lambda engine, ids: engine.correct.edit_memory(ids["dinner"][0], "people", "Ines Costa"),
    "activities": lambda engine, ids: engine.correct.edit_memory(ids["dinner"][0], "activities", "eating out"),
}


def shown(engine: Engine) -> list[tuple[object, ...]]:
    """Everything a person sees of events and memories, in words that are the same in every library."""
    events = {event.id: event for event in engine.events()}

    def public(member_ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(memory.public_id for memory in engine.memories(member_ids))

    rows: list[tuple[object, ...]] = [
        (
            event.name, str(event.start), str(event.end), event.place, event.importance, event.corrected, event.status.value,
            public(event.member_ids), events[event.parent_id].name if event.parent_id else "",
        )
        for event in events.values()
    ]  # fmt: skip
    for memory in engine.memories(engine.timeline(1000)):
        label = memory.place.label if memory.place else ""
        rows.append((memory.public_id, memory.caption, str(memory.taken.wall), label, memory.people, memory.activities))
    return sorted(rows, key=str)


def rerun(engine: Engine, library: Library) -> None:
    """Derive everything again, as a new version would."""
    for note in ("moments_input", "events_input"):
        library.stages.set_note(note, "")
    run_to_end(engine.process())


@pytest.mark.parametrize("name", CORRECTIONS)
def test_a_correction_is_the_same_after_rescan_rerun_another_model_export_and_import(name: str, tmp_path: Path) -> None:
    with opened(tmp_path / "one") as (engine, library):
        ids = _read(engine, tmp_path, _month())
        run_to_end(engine.process())
        CORRECTIONS[name](engine, ids)
        run_to_end(engine.process())
        after = shown(engine)
        run_to_end(engine.process())
        assert shown(engine) == after
        rerun(engine, library)
        assert shown(engine) == after
    with opened(tmp_path / "one", FakeModels(chat=FakeChat([NOTHING] * 20))) as (engine, _):
        run_to_end(engine.process())
        assert shown(engine) == after
        engine.export_to(tmp_path / "out.jsonl")
    with opened(tmp_path / "two") as (engine, library):
        run_to_end(engine.import_from(tmp_path / "out.jsonl"))
        assert shown(engine) == after
        rerun(engine, library)
        assert shown(engine) == after
        assert [change.what for change in engine.history()]


@pytest.mark.parametrize("name", CORRECTIONS)
def test_an_undone_correction_leaves_nothing_but_its_place_in_the_history(name: str, tmp_path: Path) -> None:
    with opened(tmp_path / "one") as (engine, _):
        ids = _read(engine, tmp_path, _month())
        run_to_end(engine.process())
        before = shown(engine)
        CORRECTIONS[name](engine, ids)
        run_to_end(engine.process())
        engine.correct.undo()
        run_to_end(engine.process())
        assert shown(engine) == before
        [change] = engine.history()
        assert change.undone_at
        assert change.who == OWNER


def _retreat() -> list[dict[str, object]]:
    """A retreat in the snow: skiing with two people on the first day, with one of them on the second."""
    lines = [_line(f"home-{day}", f"2024-02-{day:02}T21:00:00", "A plant", HOME) for day in range(7, 29, 2)]
    for minute in (0, 9):
        for name, day, people in (("both", 3, ("Mia Berg", "Tom Hale")), ("mia", 4, ("Mia Berg",))):
            when = f"2024-02-0{day}T11:{minute:02}:00"
            lines.append(_line(f"{name}-{minute}", when, "Snow on a slope", LODGE, people, "Lab Retreat", ("skiing",)))
    return lines


def test_the_answer_changes_with_the_correction_and_back_with_its_undo(tmp_path: Path) -> None:
    with opened(tmp_path / "one") as (engine, _):
        ids = _read(engine, tmp_path, _retreat())
        run_to_end(engine.process())

        def answer() -> set[str]:
            found = run_to_end(engine.ask(Question(QUESTION, date(2024, 7, 1))))
            return set(found.value) if isinstance(found.value, tuple | list) else {str(found.value)}

        assert answer() == {"Mia Berg", "Tom Hale"}
        engine.correct.move_memories(ids["both"], None, _event(engine, "Lab Retreat"))
        run_to_end(engine.process())
        assert answer() == {"Mia Berg"}
        engine.correct.undo()
        run_to_end(engine.process())
        assert answer() == {"Mia Berg", "Tom Hale"}
        for memory_id in ids["both"]:
            engine.correct.edit_memory(memory_id, "people", "Mia Berg")
        assert answer() == {"Mia Berg"}
        for _ in ids["both"]:
            engine.correct.undo()
        assert answer() == {"Mia Berg", "Tom Hale"}
