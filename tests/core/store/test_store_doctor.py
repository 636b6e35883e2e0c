"""Is everything that can be wrong with a library found, and mended without losing the person's work?"""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.errors import StoreDamagedError, StoreFullError
from core.paths import Home
from core.records import Event, Field, MemoryKind, Origin
from core.store.backups import back_up_daily
from core.store.doctor import examine, repair, repair_home
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from core.store.soundness import is_sound, newest_good_backup
from tests.harness.logs import ExpectedLog


def add(library: Library, caption: str) -> str:
    memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="a.jpg", content_key=None)
    with library.memories.edit(memory_id) as edit:
        edit.set_text(Field.CAPTION, caption, Origin.PERSON)
    return memory_id


def filled(home: Home, count: int = 1) -> None:
    """A closed library with memories."""
    library = open_library(home, ExactIndexes())
    for number in range(count):
        add(library, f"harbour {number} " + "word " * 200)
    library.close()


def captions(home: Home) -> list[str]:
    library = open_library(home, ExactIndexes())
    found = [memory.caption.split(" word")[0] for memory in library.memories.matching()]
    library.close()
    return found


def spoil(path: Path, *, index: str | None = None) -> None:
    """Overwrite the pages of one index, or a third of all pages."""
    with closing(sqlite3.connect(path)) as connection:
        roots = [row[0] for row in connection.execute("SELECT rootpage FROM sqlite_schema WHERE name=?", (index,))]
    content = bytearray(path.read_bytes())
    for page in roots or range(3, len(content) // 4_096, 3):
        start = (page - 1) * 4_096 if roots else page * 4_096
        content[start : start + 4_096] = b"\x0d" + b"\xee" * 4_095
    path.write_bytes(content)


class TestExamine:
    """What `doctor` says."""

    def test_a_healthy_library_has_nothing(self, library: Library) -> None:
        memory_id = add(library, "harbour")
        library.events.put(Event(id="e", name="Trip", member_ids=(memory_id,)))
        library.embeddings.put("memory", "m@1", {memory_id: "t"}, {"t": np.ones(2, np.float32)})
        library.indexes.index("memory", "m@1", 2)
        forgotten = add(library, "private")
        with library.memories.edit(forgotten) as edit:
            edit.forget()

        assert examine(library) == []
        assert repair(library) == []

    @pytest.mark.parametrize(
        "damage",
        [
            "DELETE FROM memory_words", "DELETE FROM memory_letters", "DROP TABLE memory_letters",
            "INSERT INTO memory_words (rowid, caption) VALUES (999, 'ghost')", "UPDATE memories SET caption='changed behind our back'",
        ],
    )  # fmt: skip
    def test_a_word_index_out_of_step_is_found_and_built_anew(self, library: Library, damage: str) -> None:
        memory_id = add(library, "harbour")
        library.database.read().execute(damage)

        assert ["word index" in finding.what for finding in examine(library)] == [True]
        assert [finding.what for finding in repair(library)] == ["The word index was built anew."]
        assert examine(library) == []
        word = library.memories.get(memory_id).caption.split()[0]
        assert [found for found, _ in library.memories.by_words(word, 5)] == [memory_id]
        assert library.memories.by_letters(word[:4], 5) == [memory_id]
        assert library.memories.by_words("ghost", 5) == []

    def test_vectors_of_nothing_are_found_and_removed(self, library: Library) -> None:
        library.embeddings.put("memory", "m@1", {"gone": "t"}, {"t": np.ones(2, np.float32)})
        library.database.read().execute("INSERT INTO vectors VALUES ('h', 'm@1', x'00000000')")

        assert len(examine(library)) == 2  # that an index was not yet made is no finding
        assert len(repair(library)) == 3
        assert examine(library) == []
        assert library.embeddings.spaces() == []

    def test_an_empty_event_is_found_and_removed_unless_the_person_made_it_so(self, library: Library) -> None:
        library.events.put(Event(id="empty", name="Empty"))
        library.events.put(Event(id="own", name="Own", corrected=True))
        library.events.put(Event(id="parent", name="Parent"))
        library.events.put(Event(id="child", name="Child", parent_id="parent", corrected=True))

        assert [finding.what for finding in examine(library)] == ["1 event without memories."]
        repair(library)
        assert {event.id for event in library.events.all()} == {"own", "parent", "child"}

    def test_an_index_out_of_step_is_found(self, library: Library) -> None:
        memory_id = add(library, "harbour")
        library.embeddings.put("memory", "m@1", {memory_id: "t"}, {"t": np.ones(2, np.float32)})
        library.indexes.index("memory", "m@1", 2).remove([memory_id])

        assert ["search index" in finding.what for finding in examine(library)] == [True]
        assert examine(library) == []

    def test_unfinished_files_are_found_and_removed(self, home: Home, library: Library) -> None:
        left = [
            home.folder / "x.jsonl.part",
            home.backups / "daily-1.sqlite.part",
            home.thumbnails / "ab" / "c.jpg.1.part",
        ]
        for path in left:
            path.parent.mkdir(exist_ok=True)
            path.touch()

        assert ["3 unfinished files" in finding.what for finding in examine(library)] == [True]
        repair(library)
        assert not any(path.exists() for path in left)

    def test_rows_that_point_at_nothing_are_found(self, library: Library) -> None:
        connection = library.database.read()
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("INSERT INTO event_members VALUES ('no event', 'no memory')")

        assert "event_members" in examine(library)[0].what


class TestRepairHome:
    """A damaged database."""

    def test_a_sound_home_stays_as_it_is(self, home: Home) -> None:
        filled(home)

        assert repair_home(home) == []
        assert captions(home) == ["harbour 0"]

    def test_a_damaged_index_inside_the_database_costs_no_row(self, home: Home) -> None:
        filled(home, 40)
        spoil(home.database, index="memories_by_time")
        assert not is_sound(home.database)

        done = repair_home(home)

        assert "none lost" in done[0].what
        assert captions(home) == [f"harbour {n}" for n in range(40)]

    def test_else_the_newest_good_backup_is_taken_and_the_damaged_file_kept(self, home: Home) -> None:
        library = open_library(home, ExactIndexes())
        add(library, "in the backup")
        library.database.back_up("daily")
        library.close()
        filled(home, 40)
        (home.backups / "daily-99990101T000000.sqlite").write_bytes(b"newer, and rubbish")
        spoil(home.database)
        damaged = home.database.read_bytes()

        done = repair_home(home)

        assert "restored from the backup daily-" in done[0].what
        assert captions(home) == ["in the backup"]
        [kept] = home.folder.glob("madeleine.sqlite.damaged-*")
        assert kept.read_bytes() == damaged

    @pytest.mark.parametrize("lost", ["emptied", "deleted", "another program's"])
    def test_a_library_that_lost_its_content_is_never_taken_for_a_new_one(self, home: Home, lost: str) -> None:
        library = open_library(home, ExactIndexes())
        add(library, "in the backup")
        library.database.back_up("daily")
        library.close()
        home.database.unlink()
        if lost == "emptied":
            home.database.touch()
        if lost == "another program's":
            with closing(sqlite3.connect(home.database)) as connection:
                connection.execute("CREATE TABLE theirs (a)")

        with pytest.raises(StoreDamagedError, match="lost its content"):
            open_library(home, ExactIndexes())
        done = repair_home(home)

        assert "restored from the backup daily-" in done[0].what
        assert captions(home) == ["in the backup"]

    def test_another_programs_database_is_left_as_it_is(self, home: Home) -> None:
        home.create()
        with closing(sqlite3.connect(home.database)) as connection:
            connection.execute("CREATE TABLE theirs (a)")
        for opening in (lambda: open_library(home, ExactIndexes()), lambda: repair_home(home)):
            with pytest.raises(StoreDamagedError):
                opening()
        with closing(sqlite3.connect(home.database)) as connection:
            assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == [("theirs",)]

    def test_a_first_start_that_was_killed_before_it_wrote_anything_begins_anew(self, home: Home) -> None:
        home.create()
        home.database.touch()
        assert captions(home) == []

    def test_without_a_good_backup_nothing_is_touched(self, home: Home) -> None:
        filled(home, 40)
        spoil(home.database)
        before = home.database.read_bytes()

        with pytest.raises(StoreDamagedError, match="no good backup") as damage:
            repair_home(home)

        assert "your pictures are not touched" in damage.value.hint
        assert home.database.read_bytes() == before
        assert list(home.folder.glob("*.part")) == []

    def test_a_new_home_is_simply_opened(self, home: Home) -> None:
        assert repair_home(home) == []


class TestBackups:
    """The copy of the day."""

    def test_one_copy_a_day(self, home: Home, library: Library) -> None:
        first = back_up_daily(library)
        assert first is not None
        assert is_sound(first)
        assert back_up_daily(library) is None

        first.rename(home.backups / "daily-20200101T000000000000.sqlite")
        assert back_up_daily(library) is not None

    def test_a_full_disk_does_not_stop_the_program(
        self, library: Library, monkeypatch: pytest.MonkeyPatch, expected_log: ExpectedLog
    ) -> None:
        expected_log("no backup today", logger="core.store")
        monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(100, 99, 1))

        assert back_up_daily(library) is None
        with pytest.raises(StoreFullError):
            library.database.back_up("daily")

    def test_the_newest_good_one_of_any_label_is_chosen(self, home: Home, library: Library) -> None:
        older = library.database.back_up("before-format-2")
        newer = library.database.back_up("daily")

        assert newest_good_backup(home.backups) == newer
        os.truncate(newer, 5_000)
        assert newest_good_backup(home.backups) == older
        older.unlink()
        assert newest_good_backup(home.backups) is None
