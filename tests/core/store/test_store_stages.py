"""Does a killed run go on where it was, and are failures retried as often as they should?"""

from datetime import datetime

import pytest

from core.records import Field, FileState, MemoryKind, Origin, SourceFile, Stage, Taken
from core.store.library import Library

KEY = "reader@1"


def add(library: Library, day: int | None = None, *, favourite: bool = False) -> str:
    memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="a.jpg", content_key=None)
    with library.memories.edit(memory_id) as edit:
        if day:
            edit.set_taken(Taken(datetime(2024, 1, day), None, Origin.EXIF_ORIGINAL, 1))
        edit.set_favourite(favourite, Origin.PERSON)
    return memory_id


def add_with_file(library: Library) -> str:
    memory_id = add(library)
    root = library.files.add_root("/p")
    library.files.put(SourceFile(id=memory_id, root_id=root.id, path="/p/a.jpg" + memory_id, memory_id=memory_id))
    return memory_id


def end(library: Library, memory_id: str, state: str = "done", key: str = KEY, reason: str = "") -> None:
    with library.memories.edit(memory_id) as edit:
        edit.stage(Stage.TEXT, key, state, reason)


def test_favourites_come_first_then_the_newest_then_the_undated(library: Library) -> None:
    undated, old, new, favourite = add(library), add(library, 1), add(library, 9), add(library, 5, favourite=True)

    assert library.stages.due(Stage.TEXT, KEY) == [favourite, new, old, undated]


@pytest.mark.parametrize("state", ["done", "nothing"])
def test_what_has_ended_is_not_due_again_until_the_key_changes(library: Library, state: str) -> None:
    memory_id = add(library)
    end(library, memory_id, state)

    assert library.stages.due(Stage.TEXT, KEY) == []
    assert library.stages.due(Stage.TEXT, "reader@2") == [memory_id]


def test_a_failure_is_tried_twice_and_then_waits_for_the_person(library: Library) -> None:
    memory_id = add_with_file(library)
    end(library, memory_id, "failed", reason="cannot be read")
    assert library.stages.due(Stage.TEXT, KEY) == [memory_id]
    end(library, memory_id, "failed", reason="cannot be read")
    assert library.stages.due(Stage.TEXT, KEY) == []

    [problem] = library.files.problems()
    assert (problem.reason, problem.stage, problem.attempts) == ("cannot be read", Stage.TEXT, 2)
    assert library.files.retry(None) == 1
    assert library.stages.due(Stage.TEXT, KEY) == [memory_id]


def test_attempts_are_counted_anew_with_another_key(library: Library) -> None:
    memory_id = add(library)
    for key in (KEY, KEY, "reader@2"):
        end(library, memory_id, "failed", key)

    assert library.stages.due(Stage.TEXT, "reader@2") == [memory_id]


def test_an_ignored_failure_is_neither_tried_nor_open(library: Library) -> None:
    memory_id = add_with_file(library)
    end(library, memory_id, "failed")

    assert library.files.ignore(None) == 1
    assert library.stages.due(Stage.TEXT, KEY) == []
    assert [problem.ignored for problem in library.files.problems()] == [True]


def test_a_stage_waits_for_the_one_before(library: Library) -> None:
    ready, failed, _ = add(library), add(library), add(library)
    end(library, ready, "nothing")
    end(library, failed, "failed")

    assert library.stages.due(Stage.CAPTION, KEY, after=Stage.TEXT) == [ready]


def test_a_forgotten_memory_is_never_due(library: Library) -> None:
    memory_id = add(library)
    with library.memories.edit(memory_id) as edit:
        edit.forget()

    assert library.stages.due(Stage.TEXT, KEY) == []
    assert library.stages.counts()[Stage.TEXT]["total"] == 0


def test_counts_by_stage(library: Library) -> None:
    for state in ("done", "done", "nothing", "failed"):
        end(library, add(library), state)
    add(library)

    assert library.stages.counts()[Stage.TEXT] == {"done": 2, "nothing": 1, "failed": 1, "total": 5}
    assert library.stages.counts()[Stage.SPEECH] == {"done": 0, "nothing": 0, "failed": 0, "total": 5}


def test_a_stage_can_be_made_due_again_for_some_or_for_all(library: Library) -> None:
    first, second = add(library, 2), add(library, 1)
    for memory_id in (first, second):
        end(library, memory_id)

    library.stages.reset(Stage.TEXT, [second])
    assert library.stages.due(Stage.TEXT, KEY) == [second]
    library.stages.reset(Stage.TEXT)
    assert library.stages.due(Stage.TEXT, KEY) == [first, second]


def test_a_file_that_cannot_be_read_is_a_problem_with_its_path(library: Library) -> None:
    root = library.files.add_root("/p")
    for name, state in (("bad\udcff.jpg", FileState.UNREADABLE), ("good.jpg", FileState.PRESENT)):
        library.files.put(
            SourceFile(id=name[:3], root_id=root.id, path=f"/p/{name}", state=state, reason="zero bytes", attempts=1)
        )

    [problem] = library.files.problems()
    assert (problem.file, problem.reason, problem.stage) == ("/p/bad\udcff.jpg", "zero bytes", Stage.SCAN)
    assert library.files.retry("/p/elsewhere.jpg") == 0
    assert library.files.retry("/p/bad\udcff.jpg") == 1
    assert library.files.problems() == []


def test_the_problems_of_one_path_can_be_settled_alone(library: Library) -> None:
    root = library.files.add_root("/p")
    ids = [add(library), add(library)]
    for name, memory_id in zip("ab", ids, strict=True):
        library.files.put(SourceFile(id=name, root_id=root.id, path=f"/p/{name}", memory_id=memory_id))
        end(library, memory_id, "failed")

    assert library.files.retry("/p/a") == 1
    assert [problem.file for problem in library.files.problems()] == ["/p/b"]


def test_replies_and_notes_are_remembered(library: Library) -> None:
    library.stages.cache_reply("key", "reply", 10, 2)
    library.stages.set_note("paused", "yes")
    library.stages.set_note("paused", "")

    assert (library.stages.cached_reply("key"), library.stages.cached_reply("other")) == ("reply", None)
    assert (library.stages.note("paused"), library.stages.note("never set")) == ("", "")


def test_setting_a_stage_alone_keeps_the_words(library: Library) -> None:
    memory_id = add(library)
    with library.memories.edit(memory_id) as edit:
        edit.set_text(Field.CAPTION, "harbour", Origin.MODEL)
    end(library, memory_id)

    assert [found for found, _ in library.memories.by_words("harbour", 3)] == [memory_id]


def test_problems_are_counted_and_listed_up_to_a_number_open_ones_first(library: Library) -> None:
    root = library.files.add_root("/p")
    for name in "abcd":
        file = SourceFile(id=name, root_id=root.id, path=f"/p/{name}", state=FileState.UNREADABLE, reason="empty")
        library.files.put(file)
    library.files.ignore("/p/a")
    for _ in range(3):
        end(library, add_with_file(library), "failed")
    end(library, add(library), "failed")  # of content that no file holds any more

    assert library.files.count_problems() == 6
    assert [each.file[:8] for each in library.files.problems(3)] == ["/p/b", "/p/c", "/p/d", *["/p/a.jpg"] * 3]
    assert [each.ignored for each in library.files.problems()] == [False] * 3 + [True] + [False] * 3


def test_what_the_window_asks_after_every_change_never_looks_at_all_files_or_stages(library: Library) -> None:
    end(library, add_with_file(library), "failed")
    asked: list[str] = []
    connection = library.database.read()
    connection.set_trace_callback(asked.append)
    library.files.count_problems()
    library.files.problems(500)
    library.sidecars.left_over()
    connection.set_trace_callback(None)

    plans = [row["detail"] for sql in asked for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}")]
    scanned = {plan for plan in plans if plan.startswith("SCAN") and plan != "SCAN CONSTANT ROW"}
    assert scanned <= {
        "SCAN files USING INDEX files_with_problems",
        "SCAN stages USING INDEX stages_failed",
        "SCAN s",  # the failed stages found so
        "SCAN sidecar_notes",  # only those with something wrong
        "SCAN folders",  # only those with sidecars
    }


def test_the_stages_of_a_forgotten_memory_are_not_counted(library: Library) -> None:
    kept, forgotten = add(library), add(library)
    for memory_id in (kept, forgotten):
        end(library, memory_id)
    with library.memories.edit(forgotten) as edit:
        edit.forget()

    assert library.stages.counts()[Stage.TEXT] == {"done": 1, "nothing": 0, "failed": 0, "total": 1}
