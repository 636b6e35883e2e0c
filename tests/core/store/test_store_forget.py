"""Is a forgotten memory gone from every table, every index and the file itself?"""

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from core.paths import Home
from core.records import (
    AtomicContext,
    Concept,
    ContextKind,
    Correction,
    Event,
    Field,
    Knowledge,
    KnowledgeState,
    MemoryKind,
    Moment,
    Origin,
    Place,
    SourceFile,
    Taken,
    Triple,
)
from core.store.backups import back_up_daily, renew_backups
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library

WORD = "Xylophonquartett"
PUBLIC_ID = "my-xylophonquartett"


@pytest.fixture
def memory_id(library: Library) -> str:
    """A memory that left something in every table, and another that did too and stays."""
    kept = library.memories.create(kind=MemoryKind.PHOTO, file_name="kept.jpg", content_key="99" * 32)
    with library.memories.edit(kept) as edit:
        edit.set_text(Field.CAPTION, "A harbour", Origin.MODEL)
    found = library.memories.create(
        kind=MemoryKind.SCREENSHOT, file_name=f"{WORD}.jpg", content_key="ab" * 32, public_id=PUBLIC_ID
    )
    for text in (f"old {WORD}", f"new {WORD}"):  # the word index keeps deleted words until it is merged
        with library.memories.edit(found) as edit:
            for field in (Field.TITLE, Field.CAPTION, Field.VISIBLE_TEXT, Field.SPEECH):
                edit.set_text(field, text, Origin.PERSON)
            edit.set_taken(Taken(datetime(2024, 1, 1), 60, Origin.EXIF_ORIGINAL, 1))
            edit.set_place(Place(name=WORD), Origin.GPS)
            edit.set_keywords([WORD], Origin.XMP_SIDECAR)
            edit.set_document({"merchant": WORD}, Origin.MODEL)
            edit.set_contexts(Origin.MODEL, [AtomicContext(ContextKind.PERSON, WORD)])
    root = library.files.add_root("/photos")
    library.files.put(
        SourceFile(id="f", root_id=root.id, path=f"/photos/{WORD}.jpg", memory_id=found, sha256="ab" * 32)
    )
    library.files.put_foreign(found, f"{WORD}.raw", "cd" * 32, 1)
    library.events.replace_moments(
        [Moment(id="m", start=datetime(2024, 1, 1), end=datetime(2024, 1, 1), place="", member_ids=(found, kept))]
    )
    library.events.put(Event(id="only-this", name=WORD, member_ids=(found,)))
    library.events.put(Event(id="both", name="Trip", member_ids=(found, kept)))
    library.knowledge.put(Knowledge(id="fact", statement=WORD, evidence_ids=(found, kept)))
    library.knowledge.put(Knowledge(id="own", statement="Sails", evidence_ids=(found,), state=KnowledgeState.OWN))
    library.graph.replace(
        [
            Triple(source=Concept("Object", WORD), relation="near", target=Concept("Object", "Boat"), memory_id=found),
            Triple(
                source=Concept("Object", "Boat"), relation="in", target=Concept("Location", "Harbour"), memory_id=kept
            ),
        ]
    )
    vectors = {"secret text": np.eye(4, dtype=np.float32)[0], WORD: np.eye(4, dtype=np.float32)[1]}
    library.embeddings.put("memory", "minilm@1", {found: "secret text"}, vectors)
    library.embeddings.put("event", "minilm@1", {"only-this": WORD}, {})
    library.conversations.add("c", f"Where is {WORD}?", "{}", f'{{"text": "{WORD}", "citations": ["{found}"]}}')
    library.conversations.add("c", "And the boat?", "{}", "{}")
    library.corrections.add(Correction(id="", target_kind="memory", target_id=found, action="edit", after=WORD))
    library.stages.cache_reply("key", f"a caption about {WORD}", 1, 1)
    return found


def rows_with(library: Library, piece: str) -> list[str]:
    """Tables of which a row holds the piece, as text or bytes, in any letter case."""
    connection = library.database.read()
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type='table'")]
    return [
        name
        for name in names
        for row in connection.execute(f"SELECT * FROM {name}").fetchall()  # noqa: S608 - our own table names
        if any(
            piece.lower().encode() in (value if isinstance(value, bytes) else str(value).encode()).lower()
            for value in tuple(row)
        )
    ]


def test_no_table_holds_a_word_or_an_id_of_it(library: Library, memory_id: str) -> None:
    assert len(set(rows_with(library, WORD))) > 10
    with library.memories.edit(memory_id) as edit:
        edit.forget()

    assert rows_with(library, WORD) == []
    assert rows_with(library, PUBLIC_ID) == []
    assert rows_with(library, memory_id) == ["memories"]


def test_the_files_on_disk_hold_no_word_of_it(home: Home, library: Library, memory_id: str) -> None:
    back_up_daily(library)
    with library.memories.edit(memory_id) as edit:
        edit.forget()
    renew_backups(library)
    library.close()

    for path in (path for path in home.folder.rglob("*") if path.is_file()):
        assert WORD.lower().encode() not in path.read_bytes().lower(), path


def test_it_is_found_by_nothing(library: Library, memory_id: str) -> None:
    with library.memories.edit(memory_id) as edit:
        edit.set_text(Field.CAPTION, "said in the same breath", Origin.PERSON)
        edit.forget()

    assert library.memories.count() == 1
    assert library.memories.many([memory_id]) == []
    assert library.memories.by_words("quartett OR same", 5) == []
    assert library.memories.by_letters("quart", 5) == []
    assert library.memories.is_forgotten(memory_id)
    assert library.memories.id_of_content("ab" * 32) == memory_id
    assert library.memories.was_forgotten(PUBLIC_ID)


def test_what_was_drawn_from_it_is_stale_or_gone_and_the_persons_word_stays(library: Library, memory_id: str) -> None:
    with library.memories.edit(memory_id) as edit:
        edit.forget()

    assert [(event.id, event.stale) for event in library.events.all()] == [("both", True)]
    assert [fact.id for fact in library.knowledge.all()] == ["own"]
    assert library.graph.find(WORD) == []
    assert library.graph.counts() == (2, 1)
    assert [turn.question for turn in library.conversations.turns("c")] == ["And the boat?"]
    assert library.embeddings.spaces() == []


def test_forgetting_twice_is_forgetting_once(library: Library, memory_id: str) -> None:
    for _ in range(2):
        with library.memories.edit(memory_id) as edit:
            edit.forget()

    assert library.memories.was_forgotten(PUBLIC_ID)


def test_an_exception_after_forgetting_brings_everything_back(library: Library, memory_id: str) -> None:
    with pytest.raises(RuntimeError), library.memories.edit(memory_id) as edit:  # noqa: PT012 - one transaction
        edit.forget()
        raise RuntimeError

    assert library.memories.get(memory_id).title == f"new {WORD}"
    assert library.memories.by_words(WORD, 5)


def test_a_library_reopened_has_still_forgotten(home: Home, tmp_path: Path) -> None:
    first = open_library(home, ExactIndexes())
    memory_id = first.memories.create(kind=MemoryKind.PHOTO, file_name="x.jpg", content_key="ab" * 32)
    with first.memories.edit(memory_id) as edit:
        edit.forget()
    first.close()

    second = open_library(home, ExactIndexes())
    assert second.memories.is_forgotten(memory_id)
    second.close()
