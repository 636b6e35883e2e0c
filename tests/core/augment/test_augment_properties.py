"""Whatever the person does, in whatever order: do the events stay sound, and does undoing everything bring back the start?"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.augment import events_stage, moments_stage
from core.augment.corrections import Corrector
from core.errors import RequestError
from core.paths import Home
from core.records import Place, Stage
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from tests.core.augment.life import HOME, PORTO, live_a_month, remember, run, shown

ACTIONS = (
    "rename",
    "move",
    "out",
    "merge",
    "split",
    "delete",
    "create",
    "confirm",
    "redate",
    "undo",
    "forget",
    "rerun",
)
steps = st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 99), st.integers(0, 99)), max_size=8)


@contextmanager
def a_library() -> Iterator[Library]:
    with TemporaryDirectory() as folder:
        library = open_library(Home(Path(folder)), ExactIndexes())
        try:
            yield library
        finally:
            library.close()


def do(library: Library, action: str, one: int, other: int) -> None:
    """One random change; what makes no sense is refused by the corrector, which is fine."""
    correct = Corrector(library)
    events, memories = shown(library), library.memories.ids_matching()
    event = events[one % len(events)].id if events else "none"
    second = events[other % len(events)].id if events else "none"
    chosen = [memories[(other + step) % len(memories)] for step in range(3)]
    changes = {
        "rename": lambda: correct.rename_event(event, f"Name {other}"),
        "move": lambda: correct.move_memories(chosen, event, second if one % 2 else None),
        "out": lambda: correct.move_memories(chosen, None, event if one % 2 else None),
        "merge": lambda: correct.merge_events(event, second),
        "split": lambda: correct.split_event(event, library.events.get(event).member_ids[:1], f"Part {other}"),
        "delete": lambda: correct.delete_event(event),
        "create": lambda: correct.create_event(f"Own {other}", chosen),
        "confirm": lambda: correct.confirm_event(event),
        "redate": lambda: correct.redate_event(event, datetime(2024, 1, 1).date(), datetime(2024, 1, 2).date()),
        "undo": lambda: correct.undo(),
        "forget": lambda: correct.forget_memory(chosen[0]),
        "rerun": lambda: _rerun(library),
    }
    try:
        changes[action]()
    except RequestError:
        return


def _rerun(library: Library) -> None:
    library.stages.set_note("events_input", "")
    run(library)


def assert_sound(library: Library) -> None:
    """The laws of events."""
    events = {event.id: event for event in shown(library)}
    memories = {memory.id: memory for memory in library.memories.matching()}
    for event in events.values():
        assert event.member_ids
        assert set(event.member_ids) <= memories.keys()
        assert event.start is None or event.end is None or event.start <= event.end
        assert all(event.id in memories[member].event_ids for member in event.member_ids)
        if event.parent_id is not None:
            assert set(event.member_ids) <= set(events[event.parent_id].member_ids)
        line: list[str | None] = [event.id]
        while (above := events[line[-1] or ""].parent_id) is not None:
            assert above not in line
            line.append(above)
    for memory in memories.values():
        assert all(memory.id in events[event_id].member_ids for event_id in memory.event_ids)
    for item in library.knowledge.all(with_rejected=True):
        assert set(item.evidence_ids) <= memories.keys()


@settings(max_examples=25)
@given(steps)
def test_events_stay_sound_through_any_corrections(todo: list[tuple[str, int, int]]) -> None:
    with a_library() as library:
        live_a_month(library)
        run(library)
        for action, one, other in todo:
            do(library, action, one, other)
            assert_sound(library)


@settings(max_examples=15)
@given(steps)
def test_undoing_every_correction_brings_back_the_start(todo: list[tuple[str, int, int]]) -> None:
    with a_library() as library:
        live_a_month(library)
        run(library)
        before = shown(library)
        for action, one, other in todo:
            if action not in ("forget", "rerun"):
                do(library, action, one, other)
        while library.corrections.standing():
            Corrector(library).undo()
        assert shown(library) == before


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 23), st.booleans()), max_size=30))
def test_any_days_give_sound_events(days: list[tuple[int, int, bool]]) -> None:
    with a_library() as library:
        for day, hour, away in days:
            when = datetime(2024, 5, 1, hour) + timedelta(days=day)
            remember(library, when, "A table", place=PORTO if away else HOME, people=("Ana",), things=("dinner",))
        remember(library, None, "Undated")
        run(library)
        assert_sound(library)


@settings(max_examples=8)
@given(st.permutations(range(6)))
def test_adding_step_by_step_gives_the_events_of_one_go(order: list[int]) -> None:
    def add(library: Library, part: int) -> None:
        for step in range(3):
            when = datetime(2024, 5, 2 + part, 19, 10 * step)
            place = PORTO if part in (2, 3) else HOME
            remember(library, when, "A table", place=place, people=("Ana",), things=("dinner party",))

    found = []
    for stepwise in (False, True):
        with a_library() as library:
            for part in order:
                add(library, part)
                if stepwise:
                    run(library)
            run(library)
            found.append(
                sorted(
                    (event.name, str(event.start), str(event.end), len(event.member_ids)) for event in shown(library)
                )
            )
    assert found[0] == found[1]


def _content(library: Library) -> list[tuple[object, ...]]:
    """Events and moments in words that are the same in every library: what was taken at one time lies in no order."""
    public = {memory.id: memory.caption for memory in library.memories.matching()}
    events = {event.id: event for event in shown(library)}
    rows: list[tuple[object, ...]] = [
        (
            event.name, str(event.start), str(event.end), event.place, event.summary, event.why, event.status.value,
            tuple(sorted(public[member] for member in event.member_ids)),
            events[event.parent_id].name if event.parent_id else "",
        )
        for event in events.values()
    ]  # fmt: skip
    rows += [
        (tuple(sorted(public[member] for member in moment.member_ids)), moment.place)
        for moment in library.events.moments()
    ]
    return sorted(rows, key=str)


@pytest.mark.parametrize("steps", [10, 100])
@settings(max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_growing_piece_by_piece_gives_the_events_of_one_go(
    monkeypatch: pytest.MonkeyPatch, steps: int, seed: int
) -> None:
    """Stretch by stretch, however small the library: the way that a large one takes."""
    chance = random.Random(seed)  # noqa: S311 - drawn data, not secrets
    life = [_drawn(chance, number) for number in range(120)]
    monkeypatch.setattr(moments_stage, "is_quicker_whole", lambda stretches, memories: False)
    monkeypatch.setattr(events_stage, "is_quicker_whole", lambda stretches, memories: False)
    found = []
    for pieces in (1, steps):
        with a_library() as library:
            size = -(-len(life) // pieces)
            for at in range(0, len(life), size):
                for when, caption, place, people, text in life[at : at + size]:
                    remember(library, when, caption, place=place, people=people, text=text, things=("dinner",))
                run(library, until=Stage.EVENTS)
            found.append(_content(library))
    assert found[0] == found[1]


def _drawn(chance: random.Random, number: int) -> tuple[datetime, str, Place, tuple[str, ...], str]:
    day = chance.randrange(150)
    place = PORTO if day % 30 in (9, 10, 11, 12) else HOME
    text = f"Book Festival {2024}" if day % 30 == 11 and chance.random() < 0.5 else ""
    when = datetime(2024, 1, 5, 9) + timedelta(days=day, minutes=chance.randrange(700))
    return when, f"Caption {number}", place, ("Ana",) if chance.random() < 0.4 else (), text
