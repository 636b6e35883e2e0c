"""Saves a database of the present format for the tests of later versions: `python -m tests.databases.save`.

Run it once for each released format. A released file is never written again: it is what people have.
"""

import sys
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from core.paths import Home
from core.records import (
    AtomicContext,
    Clock,
    Concept,
    ContextKind,
    Correction,
    Event,
    FaceFound,
    Field,
    Knowledge,
    MemoryKind,
    Origin,
    Place,
    Provenance,
    SourceFile,
    Stage,
    Taken,
    Triple,
)
from core.records.people import FaceMark, Person, Verdict
from core.store import migrations
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library

FOLDER = Path(__file__).parent


def write_content(library: Library) -> None:
    """The content that every saved database has: something in each table."""
    import numpy as np

    made = Provenance("model-x", "rev-1", "caption-3", "2025-01-01T00:00:00+00:00")
    memory_id = library.memories.create(
        kind=MemoryKind.SCREENSHOT, file_name="Ärger 猫.png", content_key="ab" * 32, public_id="pic1"
    )
    undated = library.memories.create(kind=MemoryKind.NOTE, file_name="", content_key=None, public_id="note1")
    with library.memories.edit(memory_id) as edit:
        edit.set_taken(Taken(datetime(2024, 2, 29, 23, 30), -210, Origin.EXIF_ORIGINAL, 0.9))
        edit.set_place(
            Place(name="Café Müller", city="Genève", country="Suisse", latitude=46.2, longitude=6.1), Origin.GPS
        )
        edit.set_text(Field.CAPTION, "A model's caption", Origin.MODEL, made)
        edit.set_text(Field.CAPTION, "What the person says", Origin.PERSON)
        edit.set_text(Field.VISIBLE_TEXT, "RE16 TGK", Origin.MODEL, made)
        edit.set_keywords(["boat"], Origin.XMP_SIDECAR)
        edit.set_contexts(Origin.MODEL, [AtomicContext(ContextKind.PERSON, "Zoë", 0.8, Origin.MODEL, "face", made)])
        edit.stage(Stage.TEXT, "reader@1")
        edit.stage(Stage.SPEECH, "whisper@1", "failed", "no audio")
    root = library.files.add_root("/photos/J\udce9r\udcf4me")
    library.files.put(
        SourceFile(
            id="file1", root_id=root.id, path="/photos/J\udce9r\udcf4me/x.png", memory_id=memory_id, sha256="ab" * 32
        )
    )
    library.files.put_foreign(undated, "note.txt", "cd" * 32, 7)
    library.events.put(
        Event(id="trip1", name="Trip", start=datetime(2024, 2, 29), member_ids=(memory_id, undated), provenance=made)
    )
    library.events.put(Event(id="day1", name="Day", parent_id="trip1", corrected=True))
    library.knowledge.put(
        Knowledge(id="fact1", statement="Sails", evidence_ids=(memory_id,), valid_from=date(2024, 1, 1))
    )
    library.corrections.add(
        Correction(id="corr1", target_kind="memory", target_id=memory_id, action="edit", after="What the person says")
    )
    library.graph.replace(
        [
            Triple(
                source=Concept("PersonAnimal", "Zoë"),
                relation="sails",
                target=Concept("Object", "Boat"),
                memory_id=memory_id,
                attributes=(("where", ("Genève",)),),
            )
        ]
    )
    library.embeddings.put("memory", "minilm@1", {memory_id: "text"}, {"text": np.eye(4, dtype=np.float32)[0]})
    library.conversations.add("talk1", "Where?", "{}", '{"text": "There."}')
    library.stages.cache_reply("key1", "a reply", 1, 2)
    library.derived.replace_clocks([Clock("clock1", "DSC", 3600, "An hour behind the phone.", (memory_id,))])
    library.people.put([Person(id="zoe1", name="Zoë", favourite=True, groups=("Summer school",), said=True)])
    library.people.put_faces(memory_id, "faces@1", [FaceFound((0.1, 0.2, 0.3, 0.4), 0.9, (0.6, 0.8))])
    library.people.replace_marks([FaceMark(memory_id, (0.1, 0.2, 0.3, 0.4), Verdict.IS, "zoe1")])
    library.stages.set_note("owner", "Ann")


def save() -> Path:
    """Write `v<format>.sqlite` unless it is there."""
    target = FOLDER / f"v{migrations.LATEST}.sqlite"
    if target.exists():
        raise SystemExit(f"{target} is there already: a released file is never written again")
    with TemporaryDirectory() as folder:
        library = open_library(Home(Path(folder)), ExactIndexes())
        write_content(library)
        library.database.read().execute("VACUUM INTO ?", (str(target),))
        library.close()
    return target


if __name__ == "__main__":
    sys.stdout.write(f"{save()}\n")
