"""Does a library survive being written as JSON lines and read again, and does one bad line stay one bad line?"""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import RequestError, StoreError
from core.jobs import run_to_end
from core.paths import Home
from core.records import (
    AtomicContext,
    Concept,
    ContextKind,
    Correction,
    Event,
    EventStatus,
    Field,
    Knowledge,
    KnowledgeState,
    MemoryKind,
    Origin,
    Place,
    Provenance,
    SourceFile,
    Stage,
    Taken,
    Triple,
)
from core.store.exact_index import ExactIndexes
from core.store.export import export_library
from core.store.import_ import ImportCounts, import_library
from core.store.library import Library, open_library

SIBLINGS = ("", ".people", ".events", ".facts", ".graph", ".corrections")


def write_lines(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def imported(library: Library, path: Path, owner: str = "") -> ImportCounts:
    counts = run_to_end(import_library(library, path, owner))
    assert isinstance(counts, ImportCounts)
    return counts


def import_one(library: Library, tmp_path: Path, record: Mapping[str, object]) -> ImportCounts:
    return imported(library, write_lines(tmp_path / "one.jsonl", {"id": "a", **record}))


def stored(library: Library, table: str) -> list[tuple[object, ...]]:
    return sorted(map(tuple, library.database.read().execute(f"SELECT * FROM {table}")), key=repr)  # noqa: S608 - our own table names


def everything(library: Library) -> dict[str, list[tuple[object, ...]]]:
    names = [row[0] for row in library.database.read().execute("SELECT name FROM sqlite_schema WHERE type='table'")]
    return {name: stored(library, name) for name in names if not name.startswith(("memory_words_", "memory_letters_"))}


def texts_of(folder: Path, name: str) -> list[str]:
    return [(folder / f"{name}{sibling}.jsonl").read_text(encoding="utf-8") for sibling in SIBLINGS]


class TestReading:
    """What one line may say."""

    def test_every_field_of_the_format_lands_in_its_place(self, library: Library, tmp_path: Path) -> None:
        sha256 = "ab" * 32
        counts = import_one(
            library,
            tmp_path,
            {
                "kind": "screenshot", "taken_at": "2025-05-04T10:20:30", "utc_offset": "+05:30", "date_origin": "exif_original",
                "date_confidence": 0.9, "file_name": "IMG 1.png", "title": "T", "caption": "C", "people": ["Zoë", "Ann"],
                "visual_elements": ["kite"], "activities": ["climbing"], "environment": "indoors", "emotion": "joy",
                "visible_text": "SALE", "speech": "hello", "favourite": True, "rating": 4, "keywords": ["k1", "k2"],
                "place": {"name": "Café", "city": "Genève", "latitude": 46.2, "longitude": 6.1},
                "document": {"kind": "receipt", "total": 12.5}, "files": [{"name": "IMG 1.png", "sha256": sha256, "bytes": 7}],
                "origins": {"caption": "model", "place": "gps", "people": "person"},
            },
        )  # fmt: skip
        memory = library.memories.get(library.memories.resolve("a"))

        assert counts.refused == ()
        assert memory.kind is MemoryKind.SCREENSHOT
        assert memory.taken == Taken(datetime(2025, 5, 4, 10, 20, 30), 330, Origin.EXIF_ORIGINAL, 0.9)
        assert memory.place == Place(name="Café", city="Genève", latitude=46.2, longitude=6.1)
        assert (memory.title, memory.caption, memory.visible_text, memory.speech) == ("T", "C", "SALE", "hello")
        assert (memory.people, memory.visual_elements, memory.activities) == (("Ann", "Zoë"), ("kite",), ("climbing",))
        assert (memory.environment, memory.emotion, memory.favourite, memory.rating) == ("indoors", "joy", True, 4)
        assert memory.keywords == ("k1", "k2")
        assert memory.document == {"kind": "receipt", "total": "12.5"}
        assert memory.origins[Field.CAPTION] == "model"
        assert memory.origins[Field.TITLE] == "imported"
        assert library.memories.id_of_content(sha256) == memory.id
        assert {
            context.origin for context in library.memories.contexts(memory.id) if context.kind is ContextKind.PERSON
        } == {Origin.PERSON}

    def test_an_id_alone_is_a_memory(self, library: Library, tmp_path: Path) -> None:
        counts = imported(library, write_lines(tmp_path / "m.jsonl", {"id": 42}, {"id": "43"}))

        assert (counts.memories, counts.refused) == (2, ())
        assert library.memories.get(library.memories.resolve("42")).kind is MemoryKind.PHOTO

    @pytest.mark.parametrize(
        ("fields", "taken"),
        [
            ({}, Taken()),
            ({"taken_at": None}, Taken()),
            ({"taken_at": ""}, Taken()),
            ({"taken_at": "2024-02-29"}, Taken(datetime(2024, 2, 29), None, Origin.IMPORTED, 1.0, day_only=True)),
            ({"taken_at": "2024-02-29T23:59:59.7"}, Taken(datetime(2024, 2, 29, 23, 59, 59), None, Origin.IMPORTED, 1.0)),
            ({"taken_at": "2024-02-29T23:00:00-08:00"}, Taken(datetime(2024, 2, 29, 23), -480, Origin.IMPORTED, 1.0)),
            ({"taken_at": "2024-02-29T23:00:00Z"}, Taken(datetime(2024, 2, 29, 23), 0, Origin.IMPORTED, 1.0)),
            # the same instant, on the clock of the zone named beside it
            (
                {"taken_at": "2024-02-29T23:00:00Z", "utc_offset": "+08:00"},
                Taken(datetime(2024, 3, 1, 7), 480, Origin.IMPORTED, 1.0),
            ),
            ({"taken_at": "2024-02-29T23:00:00", "utc_offset": -210}, Taken(datetime(2024, 2, 29, 23), -210, Origin.IMPORTED, 1.0)),
            ({"date_origin": "person"}, Taken(None, None, Origin.PERSON, 0.0)),
        ],
    )  # fmt: skip
    def test_a_date_is_read_as_it_is_written(
        self, library: Library, tmp_path: Path, fields: dict[str, object], taken: Taken
    ) -> None:
        import_one(library, tmp_path, fields | ({"date_confidence": 0.0} if "date_origin" in fields else {}))

        assert library.memories.get(library.memories.resolve("a")).taken == taken

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("taken_at", "2025-13-45"), ("taken_at", "yesterday"), ("taken_at", 20250101), ("taken_at", "9999-12-31T23:59:59Z"),
            ("utc_offset", "+99:00"), ("utc_offset", 1440), ("kind", "selfie"), ("people", {"a": 1}), ("people", [["a"]]),
            ("place", [1]), ("place", {"latitude": 91, "longitude": 0}), ("place", {"latitude": 5}),
            ("place", {"latitude": "NaN", "longitude": 1}), ("rating", "five"), ("rating", 10**30), ("favourite", "yes"),
            ("document", "x"), ("files", "x"), ("caption", ["x"]), ("origins", [1]), ("date_confidence", 7),
        ],
    )  # fmt: skip
    def test_a_bad_field_spoils_only_itself(self, library: Library, tmp_path: Path, key: str, value: object) -> None:
        extra = {"utc_offset": "+01:00"} if value == "9999-12-31T23:59:59Z" else {}
        counts = import_one(library, tmp_path, {"title": "the rest is fine", **extra, key: value})
        memory = library.memories.get(library.memories.resolve("a"))

        assert memory.title == "the rest is fine"
        assert counts.memories == 1
        assert len(counts.refused) == 1
        assert counts.refused[0].startswith("one.jsonl line 1: ")
        assert key in counts.refused[0] or key == "date_confidence"

    def test_a_bad_line_is_named_and_the_next_one_read(self, library: Library, tmp_path: Path) -> None:
        path = tmp_path / "m.jsonl"
        path.write_bytes(
            b'\xef\xbb\xbf{"id": "first"}\n\n{"id": \n[1, 2]\n{"id": "\xff"}\n{"caption": "no id"}\n{"id": true}\n{"id": " "}\n'
            + b"[" * 100_000 + b'\n{"id": "last"}'
        )  # fmt: skip

        counts = imported(library, path)

        assert counts.memories == 2
        assert [reason.split(":")[0] for reason in counts.refused] == [
            f"m.jsonl line {n}" for n in (3, 4, 5, 6, 7, 8, 9)
        ]
        assert library.memories.resolve("last")

    def test_half_characters_and_control_characters_do_not_stop_it(self, library: Library, tmp_path: Path) -> None:
        path = tmp_path / "m.jsonl"
        path.write_text(
            '{"id": "a\\ud83d", "caption": "x\\u0000y \\udce9", "people": ["\\ud800Bo"], "document": {"k": "\\udfff"}}'
        )

        assert imported(library, path).refused == ()
        memory = library.memories.matching()[0]
        assert memory.caption == "x y \ufffd"
        assert export_library(library, tmp_path / "out.jsonl")["memories"] == 1

    def test_a_missing_file_is_a_request_that_makes_no_sense(self, library: Library, tmp_path: Path) -> None:
        with pytest.raises(RequestError, match=r"no file .*nowhere\.jsonl"):
            imported(library, tmp_path / "nowhere.jsonl")

    def test_progress_counts_the_lines(self, library: Library, tmp_path: Path) -> None:
        path = write_lines(tmp_path / "m.jsonl", *({"id": number} for number in range(450)))

        news = list(import_library(library, path))

        assert [(each.done, each.total) for each in news] == [(200, 450), (400, 450), (450, 450), (450, 450)]

    def test_what_was_stored_before_a_stop_stays(self, library: Library, tmp_path: Path) -> None:
        path = write_lines(tmp_path / "m.jsonl", *({"id": number} for number in range(450)))
        steps = import_library(library, path)
        next(steps)
        steps.close()

        assert library.memories.count() == 200
        assert imported(library, path).memories == 250


class TestOwner:
    """Whose library it is."""

    def test_the_owner_given_wins(self, library: Library, tmp_path: Path) -> None:
        write_lines(tmp_path / "pack.json", {"owner": "Pack"})
        counts = imported(library, write_lines(tmp_path / "m.jsonl", {"id": 1}), owner="Given")

        assert (counts.owner, library.stages.note("owner")) == ("Given", "Given")

    def test_else_the_one_of_the_pack(self, library: Library, tmp_path: Path) -> None:
        write_lines(tmp_path / "pack.json", {"owner": "Pack"})
        imported(library, write_lines(tmp_path / "m.jsonl", {"id": 1}))

        assert library.stages.note("owner") == "Pack"

    @pytest.mark.parametrize("pack", ["", "[]", '{"owner": null}', "not json"])
    def test_a_pack_without_an_owner_says_nothing(self, library: Library, tmp_path: Path, pack: str) -> None:
        (tmp_path / "pack.json").write_text(pack)
        imported(library, write_lines(tmp_path / "m.jsonl", {"id": 1}))

        assert library.stages.note("owner") == ""

    def test_a_known_owner_is_not_replaced_by_a_pack(self, library: Library, tmp_path: Path) -> None:
        library.stages.set_note("owner", "Me")
        write_lines(tmp_path / "pack.json", {"owner": "Pack"})
        imported(library, write_lines(tmp_path / "m.jsonl", {"id": 1}))

        assert library.stages.note("owner") == "Me"


class TestAgain:
    """Reading into a library that knows some of it."""

    def test_reading_the_same_file_again_changes_nothing(self, library: Library, tmp_path: Path) -> None:
        fill(library)
        path = tmp_path / "m.jsonl"
        export_library(library, path)
        before = everything(library)

        counts = imported(library, path)

        assert (counts.memories, counts.changed, counts.events, counts.facts, counts.edges, counts.corrections) == (
            0,
        ) * 6
        assert everything(library) == before

    def test_reading_a_foreign_file_again_changes_nothing(self, library: Library, tmp_path: Path) -> None:
        path = write_lines(
            tmp_path / "m.jsonl",
            {
                "id": 1,
                "caption": " spaces ",
                "people": ["Bo", "bo", "Al", "!"],
                "taken_at": "2025-01-01T10:00:00Z",
                "rating": 0,
            },
            {"id": 1, "title": "the same memory once more", "place": "a place as a text", "keywords": ["b", "a"]},
        )
        imported(library, path)
        before = everything(library)

        assert imported(library, path).changed == 0
        assert everything(library) == before

    def test_news_about_a_known_memory_lands_and_is_looked_at_again(self, library: Library, tmp_path: Path) -> None:
        import_one(library, tmp_path, {"caption": "old", "people": ["Al"]})
        memory_id = library.memories.resolve("a")
        with library.memories.edit(memory_id) as edit:
            edit.stage(Stage.CONTEXTS, "rules@1")
        library.events.put(Event(id="e1", name="Trip", member_ids=(memory_id,)))

        counts = import_one(library, tmp_path, {"caption": "new"})

        assert counts.changed == 1
        assert library.memories.get(memory_id).caption == "new"
        assert library.memories.get(memory_id).people == ("Al",)
        assert library.stages.due(Stage.CONTEXTS, "rules@1") == [memory_id]
        assert library.events.get("e1").stale

    def test_a_correction_made_here_is_never_overwritten(self, library: Library, tmp_path: Path) -> None:
        line = {"caption": "theirs", "people": ["Al"], "origins": {"caption": "person", "people": "person"}}
        import_one(library, tmp_path, line)
        memory_id = library.memories.resolve("a")
        with library.memories.edit(memory_id) as edit:
            edit.set_text(Field.CAPTION, "mine", Origin.PERSON)
            edit.set_contexts(Origin.PERSON, [AtomicContext(ContextKind.PERSON, "Bo")])

        assert import_one(library, tmp_path, line).changed == 0
        memory = library.memories.get(memory_id)
        assert (memory.caption, memory.people) == ("mine", ("Bo",))

    def test_a_correction_taken_back_here_does_not_return(self, library: Library, tmp_path: Path) -> None:
        line = {"title": "theirs", "origins": {"title": "person"}}
        import_one(library, tmp_path, line)
        memory_id = library.memories.resolve("a")
        library.corrections.add(
            Correction(
                id="", target_kind="memory", target_id=memory_id, action="edit", undone_at="2025-01-01T00:00:00+00:00"
            )
        )
        with library.memories.edit(memory_id) as edit:
            edit.take_back(Field.TITLE, Origin.PERSON)

        import_one(library, tmp_path, line)
        assert library.memories.get(memory_id).title == ""

    def test_what_models_say_in_the_file_does_not_hide_what_the_person_said(
        self, library: Library, tmp_path: Path
    ) -> None:
        import_one(library, tmp_path, {"caption": "a"})
        memory_id = library.memories.resolve("a")
        with library.memories.edit(memory_id) as edit:
            edit.set_text(Field.CAPTION, "mine", Origin.PERSON)
        import_one(library, tmp_path, {"caption": "b"})

        assert library.memories.get(memory_id).caption == "mine"

    def test_a_forgotten_memory_stays_forgotten(self, library: Library, tmp_path: Path) -> None:
        line = {"caption": "private", "files": [{"name": "x.jpg", "sha256": "cd" * 32, "bytes": 1}]}
        import_one(library, tmp_path, line)
        with library.memories.edit(library.memories.resolve("a")) as edit:
            edit.forget()

        by_id = import_one(library, tmp_path, line)
        by_content = imported(library, write_lines(tmp_path / "other.jsonl", {"id": "another id", **line}))

        assert (by_id.forgotten, by_id.memories) == (1, 0)
        assert (by_content.forgotten, by_content.memories) == (1, 0)
        assert library.memories.count() == 0

    def test_the_same_content_under_another_id_is_the_same_memory(self, library: Library, tmp_path: Path) -> None:
        here = library.memories.create(
            kind=MemoryKind.PHOTO, file_name="x.jpg", content_key="ef" * 32, public_id="here"
        )
        path = write_lines(
            tmp_path / "m.jsonl",
            {"id": "there", "title": "T", "files": [{"name": "y.jpg", "sha256": "EF" * 32, "bytes": 1}]},
        )
        write_lines(tmp_path / "m.events.jsonl", {"id": "event-1", "name": "Trip", "members": ["there", "unknown"]})

        counts = imported(library, path)

        assert (counts.memories, counts.known, counts.events) == (0, 1, 1)
        assert library.memories.get(here).title == "T"
        assert library.events.get("event-1").member_ids == (here,)


class TestStages:
    """An imported memory is ready for contexts and embeddings."""

    def test_only_contexts_and_embeddings_are_due(self, library: Library, tmp_path: Path) -> None:
        import_one(library, tmp_path, {"caption": "C"})
        memory_id = library.memories.resolve("a")
        capture = list(Stage)[: list(Stage).index(Stage.MOMENTS)]

        due = [stage for stage in capture if library.stages.due(stage, "any model@1")]

        assert due == [Stage.CONTEXTS, Stage.EMBEDDINGS]
        assert library.stages.due(Stage.CONTEXTS, "rules@1", after=Stage.CAPTION) == [memory_id]

    def test_everything_is_due_once_its_own_file_turns_up(self, library: Library, tmp_path: Path) -> None:
        import_one(library, tmp_path, {"caption": "C"})
        memory_id = library.memories.resolve("a")
        root = library.files.add_root("/photos")
        library.files.put(
            SourceFile(id="f", root_id=root.id, path="/photos/x.jpg", memory_id=memory_id, sha256="ab" * 32)
        )

        assert library.stages.due(Stage.TEXT, "reader@1") == [memory_id]


class TestSiblings:
    """Events, facts, the graph and corrections beside the memories."""

    def test_an_event_that_the_person_deleted_here_does_not_return(self, library: Library, tmp_path: Path) -> None:
        path = write_lines(tmp_path / "m.jsonl", {"id": 1})
        write_lines(tmp_path / "m.events.jsonl", {"id": "event-1", "name": "Trip", "members": [1]})
        imported(library, path)
        library.corrections.add(Correction(id="", target_kind="event", target_id="event-1", action="delete"))
        library.events.remove(["event-1"])

        assert imported(library, path).events == 0
        assert library.events.all() == []

    def test_an_event_and_a_fact_with_the_persons_word_stay_as_they_are(self, library: Library, tmp_path: Path) -> None:
        path = write_lines(tmp_path / "m.jsonl", {"id": 1})
        write_lines(tmp_path / "m.events.jsonl", {"id": "event-1", "name": "Theirs"})
        write_lines(tmp_path / "m.facts.jsonl", {"id": "fact-1", "statement": "Theirs"})
        library.events.put(Event(id="event-1", name="Mine", corrected=True))
        library.knowledge.put(Knowledge(id="fact-1", statement="Mine", state=KnowledgeState.REJECTED))

        imported(library, path)

        assert library.events.get("event-1").name == "Mine"
        assert library.knowledge.get("fact-1").statement == "Mine"

    def test_a_parent_may_come_after_its_child(self, library: Library, tmp_path: Path) -> None:
        path = write_lines(tmp_path / "m.jsonl", {"id": 1})
        write_lines(
            tmp_path / "m.events.jsonl",
            {"id": "day-1", "name": "Day", "parent": "trip-1"},
            {"id": "trip-1", "name": "Trip"},
            {"id": "lost-1", "name": "Lost", "parent": "nowhere"},
        )

        counts = imported(library, path)

        assert library.events.get("day-1").parent_id == "trip-1"
        assert library.events.get("lost-1").parent_id is None
        assert counts.refused == ("m.events.jsonl line 3: the event's parent nowhere is not there.",)

    @pytest.mark.parametrize(
        ("name", "line"),
        [
            ("events", {"id": "e"}), ("events", {"id": "e", "name": "n", "importance": 9}),
            ("events", {"id": "e", "name": "n", "start": "x"}),
            ("events", {"id": "e", "name": "n", "members": "x"}), ("events", {"id": "e", "name": "n", "status": "dreamt"}),
            ("events", []), ("facts", {"id": "f"}), ("facts", {"id": "f", "statement": "s", "confidence": 2}),
            ("facts", {"id": "f", "statement": "s", "state": "maybe"}), ("graph", {"relation": "r"}), ("graph", 3),
            ("people", {"name": 5}), ("corrections", {"id": "c"}),
        ],
    )  # fmt: skip
    def test_a_bad_line_of_a_sibling_is_named_and_the_next_one_read(
        self, library: Library, tmp_path: Path, name: str, line: object
    ) -> None:
        path = write_lines(tmp_path / "m.jsonl", {"id": 1})
        good: dict[str, object] = {
            "events": {"id": "good", "name": "Good"},
            "facts": {"id": "good", "statement": "Good"},
            "graph": {"source": {"kind": "Object", "name": "a"}, "relation": "r", "target": {"kind": "Object", "name": "b"},
                      "memories": [1]},
            "people": {"name": "Good", "is_owner": True},
            "corrections": {"id": "good", "target_kind": "event", "target": "x", "action": "rename"},
        }  # fmt: skip
        write_lines(tmp_path / f"m.{name}.jsonl", line, good[name])

        counts = imported(library, path)

        assert len(counts.refused) == 1
        assert counts.refused[0].startswith(f"m.{name}.jsonl line 1: ")
        assert counts.events + counts.facts + counts.edges + counts.corrections + bool(counts.owner) == 1

    def test_a_correction_names_the_memories_of_the_new_library(self, library: Library, tmp_path: Path) -> None:
        memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="", content_key=None, public_id="pic")
        text = json.dumps({"members": [memory_id], "event": "kept"})
        library.corrections.add(Correction(id="c1", target_kind="event", target_id="e1", action="move_in", after=text))
        library.corrections.add(
            Correction(id="c2", target_kind="memory", target_id=memory_id, action="edit", before=text)
        )
        export_library(library, tmp_path / "x.jsonl")

        other = open_library(Home(tmp_path / "other"), ExactIndexes())
        imported(other, tmp_path / "x.jsonl")
        there = other.memories.resolve("pic")
        corrections = other.corrections.all()
        other.close()

        assert there != memory_id
        assert json.loads(corrections[0].after) == {"members": [there], "event": "kept"}
        assert (corrections[1].target_id, json.loads(corrections[1].before)["members"]) == (there, [there])


class TestWriting:
    """What an export leaves on the disk."""

    def test_a_folder_that_does_not_exist_is_said(self, library: Library, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="cannot be written"):
            export_library(library, tmp_path / "missing" / "x.jsonl")

    def test_an_earlier_export_is_replaced_as_a_whole(self, library: Library, tmp_path: Path) -> None:
        fill(library)
        export_library(library, tmp_path / "x.jsonl")
        for memory in library.memories.matching():
            library.memories.delete(memory.id)
        library.events.remove([event.id for event in library.events.all()])

        counts = export_library(library, tmp_path / "x.jsonl")

        assert counts["memories"] == counts["events"] == 0
        assert (tmp_path / "x.jsonl").read_text() == (tmp_path / "x.events.jsonl").read_text() == ""
        assert list(tmp_path.glob("*.part")) == []

    def test_forgotten_memories_are_not_written(self, library: Library, tmp_path: Path) -> None:
        memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="secret.jpg", content_key=None)
        with library.memories.edit(memory_id) as edit:
            edit.forget()

        assert export_library(library, tmp_path / "x.jsonl")["memories"] == 0


def fill(library: Library) -> None:
    """Three memories with values of several origins, an event inside another, facts, edges, and corrections, one undone."""
    provenance = Provenance("model-x", "rev", "p3", "2025-01-01T00:00:00+00:00")
    ids = [
        library.memories.create(
            kind=MemoryKind.PHOTO, file_name=f"IMG_{n}.jpg", content_key=f"{n:064x}", public_id=f"pub{n}"
        )
        for n in range(3)
    ]
    for number, memory_id in enumerate(ids):
        with library.memories.edit(memory_id) as edit:
            edit.set_text(Field.CAPTION, f"A model's caption {number}", Origin.MODEL, provenance)
            edit.set_text(Field.VISIBLE_TEXT, "GATE 12", Origin.MODEL, provenance)
            edit.set_taken(Taken(datetime(2025, 1, 2 - number % 2, 10), 60, Origin.EXIF_ORIGINAL, 0.9))
            edit.set_place(Place(name="Hafen", city="Basel"), Origin.GPS)
            edit.set_contexts(
                Origin.MODEL, [AtomicContext(ContextKind.PERSON, "Al", 0.7, Origin.MODEL, "face", provenance)]
            )
            edit.set_contexts(
                Origin.RULE, [AtomicContext(ContextKind.PERSON, "Bo"), AtomicContext(ContextKind.ACTIVITY, "sailing")]
            )
    with library.memories.edit(ids[0]) as edit:
        edit.set_text(Field.CAPTION, "What the person says", Origin.PERSON)
        edit.set_favourite(False, Origin.PERSON)
    root = library.files.add_root("/photos")
    library.files.put(
        SourceFile(
            id="f1", root_id=root.id, path="/photos/b\udce9.jpg", memory_id=ids[0], sha256=f"{0:064x}", size_bytes=5
        )
    )
    library.files.put(
        SourceFile(id="f2", root_id=root.id, path="/photos/a.raw", memory_id=ids[0], sha256="99" * 32, size_bytes=9)
    )
    fill_inferred(library, ids, provenance)
    library.stages.set_note("owner", "Ann Ó Hara")


def fill_inferred(library: Library, ids: list[str], provenance: Provenance) -> None:
    """What was drawn from the memories, and what the person said of it."""
    trip = Event(id="trip-1", name="Trip", start=datetime(2025, 1, 1), end=datetime(2025, 1, 2), place="Basel", summary="S", importance=3,
                 member_ids=tuple(ids), status=EventStatus.PLANNED, confidence=0.8, why="W", provenance=provenance)  # fmt: skip
    library.events.put(trip)
    library.events.put(
        replace(trip, id="day-1", name="Day", parent_id="trip-1", member_ids=(ids[1],), corrected=True, stale=True)
    )
    for number, state in enumerate(KnowledgeState):
        library.knowledge.put(
            Knowledge(id=f"fact-{number}", statement=f"Statement {state}", kind="habit", subject="boats", state=state,
                      evidence_ids=(ids[2], ids[0]), valid_from=date(2024, 5, 1), confidence=0.6, why="W", provenance=provenance)
        )  # fmt: skip
    library.graph.replace(
        [
            Triple(
                source=Concept("PersonAnimal", "Al"),
                relation="sails",
                target=Concept("Object", "Boat"),
                memory_id=memory_id,
                attributes=(("where", ("the bay",)),),
            )
            for memory_id in ids
        ]
    )
    for number in range(2):
        library.corrections.add(
            Correction(
                id=f"c{number}",
                target_kind="memory",
                target_id=ids[0],
                action="edit",
                before="a",
                after=ids[1],
                why="W",
            )
        )
    library.corrections.mark_undone("c0")


def test_writing_reading_and_writing_again_gives_the_same_lines(library: Library, tmp_path: Path) -> None:
    fill(library)
    counts = export_library(library, tmp_path / "x.jsonl")

    other = open_library(Home(tmp_path / "other"), ExactIndexes())
    result = imported(other, tmp_path / "x.jsonl")
    export_library(other, tmp_path / "y.jsonl")
    other.close()

    assert counts == {"memories": 3, "people": 1, "events": 2, "facts": 4, "graph": 1, "corrections": 2}
    assert result.refused == ()
    assert texts_of(tmp_path, "y") == texts_of(tmp_path, "x")


# any text a person or a model may write, JSON's odd corners included
texts = st.text(st.characters(codec=None), max_size=12)
names = st.lists(texts, max_size=3)
origins = st.sampled_from([origin for origin in Origin if origin is not Origin.UNKNOWN])
places = st.builds(
    Place, texts, texts, texts, texts, texts, texts,
    *(st.none(),) * 2,
) | st.builds(Place, name=texts, latitude=st.floats(-90, 90), longitude=st.floats(-180, 180))  # fmt: skip
takens = st.builds(
    Taken,
    st.none() | st.datetimes(min_value=datetime(1800, 1, 1), max_value=datetime(2200, 1, 1)),
    st.none() | st.integers(-840, 840),
    origins,
    st.floats(0, 1),
    st.booleans(),
)
memories = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(MemoryKind), "taken": st.none() | takens, "place": st.none() | places, "title": texts, "caption": texts,
        "file_name": texts, "people": names, "activities": names, "emotion": names, "keywords": st.none() | names, "origin": origins,
        "favourite": st.none() | st.booleans(), "rating": st.none() | st.integers(-1, 5),
        "document": st.dictionaries(texts, texts, max_size=2),
    }
)  # fmt: skip


@settings(max_examples=40)
@given(drawn=st.lists(memories, max_size=4))
def test_whatever_was_stored_comes_back_the_same(drawn: list[dict[str, object]]) -> None:
    with TemporaryDirectory() as folder:
        libraries = [open_library(Home(Path(folder) / name), ExactIndexes()) for name in "ab"]
        first, second = libraries
        try:
            for values in drawn:
                put_drawn(first, values)
            export_library(first, Path(folder) / "x.jsonl")
            counts = imported(second, Path(folder) / "x.jsonl")
            export_library(second, Path(folder) / "y.jsonl")
            before = everything(first)
            again = imported(first, Path(folder) / "x.jsonl")

            assert counts.refused == ()
            assert texts_of(Path(folder), "y") == texts_of(Path(folder), "x")
            assert again.changed == 0
            assert everything(first) == before
        finally:
            for library in libraries:
                library.close()


def test_a_bare_day_has_no_hour_to_sort_by(library: Library) -> None:
    memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name="a.jpg", content_key=None)
    with library.memories.edit(memory_id) as edit:
        edit.set_taken(Taken(datetime(2000, 1, 1, 12, 30), None, Origin.FILE_NAME, 0.5, True))

    assert library.memories.get(memory_id).taken.wall == datetime(2000, 1, 1)


def put_drawn(library: Library, values: dict[str, object]) -> None:
    origin = values["origin"]
    assert isinstance(origin, Origin)
    memory_id = library.memories.create(kind=values["kind"], file_name=values["file_name"], content_key=None)  # type: ignore[arg-type]
    with library.memories.edit(memory_id) as edit:
        if values["taken"] is not None:
            edit.set_taken(values["taken"])  # type: ignore[arg-type]
        if values["place"] is not None:
            edit.set_place(values["place"], origin)  # type: ignore[arg-type]
        edit.set_text(Field.TITLE, str(values["title"]), origin)
        edit.set_text(Field.CAPTION, str(values["caption"]), Origin.MODEL)
        if values["keywords"] is not None:
            edit.set_keywords(values["keywords"], origin)  # type: ignore[arg-type]
        if values["favourite"] is not None:
            edit.set_favourite(bool(values["favourite"]), origin)
        edit.set_rating(values["rating"], origin)  # type: ignore[arg-type]
        edit.set_document(values["document"], origin)  # type: ignore[arg-type]
        kinds = {"people": ContextKind.PERSON, "activities": ContextKind.ACTIVITY, "emotion": ContextKind.EMOTION}
        edit.set_contexts(
            origin,
            [AtomicContext(kind, value) for key, kind in kinds.items() for value in values[key]],  # type: ignore[attr-defined]
        )
