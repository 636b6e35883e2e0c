"""Is the database opened, migrated, shared, locked and full the way a person can live with?"""

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreDamagedError, StoreError, StoreFullError, StoreLockedError, StoreTooNewError
from core.paths import Home
from core.records import EventStatus, Field, KnowledgeState, MemoryKind, Origin, Stage
from core.store import database as database_module
from core.store import migrations
from core.store.database import Database
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library

SAVED = Path(__file__).resolve().parents[2] / "databases"
UNNAMED = "caf\udce9.jpg"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "m.sqlite", tmp_path / "backups")
    yield opened
    opened.close()


def schema(connection: sqlite3.Connection) -> list[str]:
    return sorted(
        " ".join(row[0].split()) for row in connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    )


def put_note(database: Database, key: str, value: str = "v") -> None:
    with database.write() as connection:
        connection.execute("INSERT INTO meta VALUES (?,?)", (key, value))


def notes(database: Database) -> list[str]:
    return [row["key"] for row in database.read().execute("SELECT key FROM meta ORDER BY key")]


class TestMigrations:
    """Old files open, newer ones are refused."""

    def test_a_new_file_has_the_latest_format(self, database: Database) -> None:
        assert database.read().execute("PRAGMA user_version").fetchone()[0] == migrations.LATEST
        assert database.read().execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert database.read().execute("PRAGMA foreign_keys").fetchone()[0] == 1

    def test_a_newer_file_is_refused_politely_and_untouched(self, tmp_path: Path) -> None:
        path = tmp_path / "m.sqlite"
        Database(path, tmp_path / "backups").close()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version={migrations.LATEST + 1}")
        before = path.read_bytes()

        with pytest.raises(StoreTooNewError, match="newer Madeleine") as refusal:
            Database(path, tmp_path / "backups")

        assert "Install the newer version" in refusal.value.hint
        assert path.read_bytes() == before

    def test_every_format_has_a_saved_database(self) -> None:
        assert {path.name for path in SAVED.glob("*.sqlite")} == {
            f"v{n}.sqlite" for n in range(1, migrations.LATEST + 1)
        }

    def test_every_migration_is_named_by_its_number(self) -> None:
        for number, migration in enumerate(migrations.ALL, start=1):
            assert migration.__name__.startswith(f"m{number:04}_")
            assert migration.__doc__

    @pytest.mark.parametrize("saved", sorted(SAVED.glob("*.sqlite")), ids=lambda path: path.stem)
    def test_a_saved_database_becomes_what_a_new_one_is(self, saved: Path, tmp_path: Path, home: Home) -> None:
        home.create()
        shutil.copy(saved, home.database)
        library = open_library(home, ExactIndexes())
        fresh = Database(tmp_path / "fresh.sqlite", tmp_path / "backups")

        assert schema(library.database.read()) == schema(fresh.read())
        assert library.database.read().execute("PRAGMA foreign_key_check").fetchall() == []
        check_content(library)
        fresh.close()
        library.close()

    def test_a_backup_is_taken_before_an_old_file_is_changed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path, backups = tmp_path / "m.sqlite", tmp_path / "backups"
        old = Database(path, backups)
        put_note(old, "kept")
        old.close()
        monkeypatch.setattr(
            migrations, "ALL", (*migrations.ALL, lambda connection: connection.execute("DELETE FROM meta"))
        )
        monkeypatch.setattr(migrations, "LATEST", migrations.LATEST + 1)

        Database(path, backups).close()

        [copy] = backups.glob("before-format-*.sqlite")
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("SELECT key FROM meta").fetchall() == [("kept",)]

    def test_a_migration_that_fails_changes_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(connection: sqlite3.Connection) -> None:
            connection.execute("DROP TABLE turns")
            raise RuntimeError("a bug")

        path = tmp_path / "m.sqlite"
        Database(path, tmp_path / "backups").close()
        monkeypatch.setattr(migrations, "ALL", (*migrations.ALL, broken))
        monkeypatch.setattr(migrations, "LATEST", migrations.LATEST + 1)

        with pytest.raises(RuntimeError):
            Database(path, tmp_path / "backups")

        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT count(*) FROM turns").fetchone() == (0,)
            assert connection.execute("PRAGMA user_version").fetchone() == (migrations.LATEST - 1,)


def check_content(library: Library) -> None:
    """What `tests/databases/save.py` wrote."""
    memory = library.memories.get(library.memories.resolve("pic1"))
    assert memory.kind is MemoryKind.SCREENSHOT
    assert memory.caption == "What the person says"
    assert memory.place is not None
    assert memory.place.label == "Café Müller, Genève, Suisse"
    assert (str(memory.taken.wall), memory.taken.utc_offset_minutes) == ("2024-02-29 23:30:00", -210)
    assert (memory.people, memory.keywords) == (("Zoë",), ("boat",))
    assert memory.files == ("/photos/J\udce9r\udcf4me/x.png",)
    with library.memories.edit(memory.id) as edit:
        edit.take_back(Field.CAPTION, Origin.PERSON)
    assert library.memories.get(memory.id).caption == "A model's caption"
    assert [found for found, _ in library.memories.by_words("cafe", 5)] == [memory.id]
    assert library.stages.state(memory.id, Stage.TEXT) == ("done", "reader@1")
    assert [problem.reason for problem in library.files.problems()] == ["no audio"]
    assert {event.name: event.parent_id for event in library.events.all()} == {"Trip": None, "Day": "trip1"}
    assert library.events.get("trip1").status is EventStatus.LIVED
    assert len(library.events.get("trip1").member_ids) == 2
    assert library.knowledge.get("fact1").state is KnowledgeState.INFERRED
    assert library.knowledge.get("fact1").evidence_ids == (memory.id,)
    assert [correction.id for correction in library.corrections.standing("memory")] == ["corr1"]
    assert library.graph.counts() == (2, 1)
    assert list(library.embeddings.owned("memory", "minilm@1")) == [memory.id]
    assert library.conversations.turns("talk1")[0].question == "Where?"
    assert library.stages.cached_reply("key1") == "a reply"
    assert library.stages.note("owner") == "Ann"
    assert library.files.foreign(library.memories.resolve("note1")) == [("note.txt", "cd" * 32, 7)]


class TestTransactions:
    """All of it or nothing."""

    def test_an_exception_takes_everything_back(self, library: Library) -> None:
        memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="a.jpg", content_key=None)

        with pytest.raises(RuntimeError), library.memories.edit(memory_id) as edit:  # noqa: PT012 - one transaction
            edit.set_text(Field.CAPTION, "half", Origin.MODEL)
            edit.stage(Stage.CAPTION, "model@1")
            raise RuntimeError

        assert library.memories.get(memory_id).caption == ""
        assert library.stages.state(memory_id, Stage.CAPTION) is None
        assert library.memories.by_words("half", 5) == []

    def test_a_write_inside_a_write_is_one_transaction(self, database: Database) -> None:
        with pytest.raises(RuntimeError), database.write():  # noqa: PT012 - one transaction
            put_note(database, "inner")
            assert notes(database) == ["inner"]
            raise RuntimeError

        assert notes(database) == []

    def test_after_a_failed_commit_the_next_write_starts_anew(self, database: Database) -> None:
        with pytest.raises(sqlite3.IntegrityError), database.write() as connection:  # noqa: PT012 - one transaction
            connection.execute("PRAGMA defer_foreign_keys=ON")
            connection.execute("INSERT INTO moment_members VALUES ('no memory', 'no moment')")
        put_note(database, "later")

        with closing(sqlite3.connect(database.path)) as other:
            assert other.execute("SELECT key FROM meta").fetchall() == [("later",)]
            assert other.execute("SELECT count(*) FROM moment_members").fetchone() == (0,)


class TestTrouble:
    """Locked, full, damaged, unwritable: a sentence that says what to do, and nothing lost."""

    def test_a_lock_held_by_another_program(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(database_module, "_BUSY_MS", 50)
        database = Database(tmp_path / "m.sqlite", tmp_path / "backups")
        with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreLockedError, match="in use by another program") as held:
                put_note(database, "refused")
            assert held.value.retryable
            assert notes(database) == []  # reading goes on
            other.execute("ROLLBACK")

        put_note(database, "taken")
        assert notes(database) == ["taken"]
        database.close()

    def test_a_full_disk(self, database: Database) -> None:
        put_note(database, "before")
        pages = database.read().execute("PRAGMA page_count").fetchone()[0]
        database.read().execute(f"PRAGMA max_page_count={pages}")

        with pytest.raises(StoreFullError, match="is full"), database.write() as connection:  # noqa: PT012 - one transaction
            connection.execute("INSERT INTO meta VALUES ('during', 'x')")
            connection.execute("INSERT INTO meta VALUES ('big', ?)", ("x" * 200_000,))

        assert notes(database) == ["before"]
        database.read().execute("PRAGMA max_page_count=1000000")
        put_note(database, "after")
        assert notes(database) == ["after", "before"]

    def test_a_file_that_is_no_database(self, tmp_path: Path) -> None:
        (tmp_path / "m.sqlite").write_bytes(b"GIF89a" * 1_000)

        with pytest.raises(StoreDamagedError, match="is damaged") as damage:
            Database(tmp_path / "m.sqlite", tmp_path / "backups")

        assert "doctor --repair" in damage.value.hint
        assert (tmp_path / "m.sqlite").read_bytes() == b"GIF89a" * 1_000

    def test_a_page_of_zeros_in_the_middle(self, tmp_path: Path) -> None:
        path = tmp_path / "m.sqlite"
        database = Database(path, tmp_path / "backups")
        for number in range(50):
            put_note(database, f"n{number}", "x" * 1_000)
        database.close()
        content = bytearray(path.read_bytes())
        for page in range(2, len(content) // 4_096, 3):
            content[page * 4_096 : (page + 1) * 4_096] = bytes(4_096)
        path.write_bytes(content)

        with pytest.raises(StoreDamagedError):
            Database(path, tmp_path / "backups")

    def test_damage_met_while_reading_is_said_as_such(self, database: Database) -> None:
        database.read().execute("PRAGMA writable_schema=ON")
        database.read().execute("UPDATE sqlite_schema SET rootpage=999999 WHERE name='turns'")
        with closing(sqlite3.connect(database.path)) as copy, pytest.raises(sqlite3.DatabaseError):
            copy.execute("SELECT * FROM turns").fetchall()  # the damage is real
        errors: list[BaseException] = []

        def read() -> None:
            try:
                database.read().execute("SELECT * FROM turns")
            except StoreError as error:
                errors.append(error)

        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
        assert [type(error) for error in errors] == [StoreDamagedError]

    def test_a_folder_in_place_of_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "m.sqlite").mkdir()

        with pytest.raises(StoreError, match="cannot be opened"):
            Database(tmp_path / "m.sqlite", tmp_path / "backups")


class TestReaders:
    """Reading and writing at the same time."""

    def test_readers_see_whole_transactions_while_a_writer_writes(self, database: Database) -> None:
        problems: list[str] = []
        done = threading.Event()

        def read() -> None:
            while not done.is_set():
                count = len(notes(database))
                if count % 2:
                    problems.append(f"saw {count} notes")

        readers = [threading.Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        for number in range(60):
            with database.write() as connection:
                for half in "ab":
                    connection.execute("INSERT INTO meta VALUES (?, 'v')", (f"{number}{half}",))
        done.set()
        for reader in readers:
            reader.join()

        assert problems == []
        assert len(notes(database)) == 120

    def test_several_threads_may_write(self, database: Database) -> None:
        writers = [
            threading.Thread(target=lambda start=start: [put_note(database, f"{start}-{n}") for n in range(20)]) for start in range(4)
        ]  # fmt: skip
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()

        assert len(notes(database)) == 80


class TestBackups:
    """Copies made on the way."""

    def test_the_newest_three_of_a_label_are_kept(self, database: Database, tmp_path: Path) -> None:
        copies = [database.back_up("daily") for _ in range(5)]
        other = database.back_up("before-format-9")

        assert sorted((tmp_path / "backups").iterdir()) == sorted([*copies[-3:], other])

    def test_a_copy_holds_what_is_in_the_write_ahead_log(self, database: Database) -> None:
        put_note(database, "just written")

        with closing(sqlite3.connect(database.back_up("daily"))) as copy:
            assert copy.execute("SELECT key FROM meta").fetchall() == [("just written",)]

    def test_no_copy_is_begun_on_a_disk_too_full_for_it(
        self, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(100, 99, 1))

        with pytest.raises(StoreFullError):
            database.back_up("daily")
        assert list((tmp_path / "backups").iterdir()) == []


def test_names_that_are_no_text_are_stored_and_shown(library: Library) -> None:
    memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name=UNNAMED, content_key=None)
    root = library.files.add_root("/photos/" + UNNAMED)

    assert library.memories.get(memory_id).file_name == "caf\ufffd.jpg"
    assert root.path == "/photos/" + UNNAMED
