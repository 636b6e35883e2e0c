"""The sample album's own questions are answered without any model, from what is written in its pictures and said in its clips.

Not in it: "Whose business card …", for nothing on a card says that it is one; a model for meaning tells (the demo asks it).
"""

from collections.abc import Iterator

import pytest

from core.ask.answer import ask
from core.augment.pipeline import augment
from core.capture import captions, documents
from core.capture.contexts import contexts_of
from core.capture.places import Gazetteer
from core.jobs import run_to_end
from core.paths import Home
from core.ports import never
from core.records import Field, MemoryKind, Origin, Question, Stage, Taken
from core.retrieve.embed import MEMORY, content_text, embed_missing
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library
from desktop.cli_demo import DemoQuestion, demo_questions, is_right
from resources.sample_album import AlbumMemory, album_facts
from tests.fakes import FakeEmbedder, FakeModels

_BY_MEANING = "Whose business card did I get in Vienna?"
_AS_HEARD = ("four seven one two", "4712")
"""Speech recognition writes digits."""


@pytest.fixture(scope="module")
def mara(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The album as it is once read: its writing and speech as they are, everything else by the program's own rules."""
    library = open_library(Home(tmp_path_factory.mktemp("mara")), ExactIndexes())
    library.stages.set_note("owner", "Mara Lindholm")
    gazetteer = Gazetteer()
    for fact in album_facts():
        _add(library, gazetteer, fact)
    run_to_end(augment(library, FakeModels(), Stage.GRAPH, never))
    texts = {memory.id: content_text(memory) for memory in library.memories.matching()}
    for _ in embed_missing(library, FakeEmbedder(), MEMORY, texts):
        pass
    yield library
    library.close()


def _add(library: Library, gazetteer: Gazetteer, fact: AlbumMemory) -> None:
    memory_id = library.memories.create(kind=MemoryKind(fact.kind.value), file_name=fact.file, content_key=None)
    with library.memories.edit(memory_id) as edit:
        offset = fact.taken_at.utcoffset()
        minutes = int(offset.total_seconds() // 60) if offset is not None else None
        edit.set_taken(Taken(fact.taken_at.replace(tzinfo=None), minutes, Origin.EXIF_ORIGINAL, 1.0))
        edit.set_kind(MemoryKind(fact.kind.value), Origin.RULE)
        if fact.place:
            edit.set_place(gazetteer.locate(fact.place.latitude, fact.place.longitude).place, Origin.GPS)
        edit.set_text(Field.VISIBLE_TEXT, "\n".join(line.replace(" | ", " ") for line in fact.text), Origin.MODEL)
        edit.set_text(Field.SPEECH, fact.says.replace(*_AS_HEARD), Origin.MODEL)
    memory = library.memories.get(memory_id)
    document = documents.recognise(memory)
    with library.memories.edit(memory_id) as edit:
        edit.set_text(Field.CAPTION, captions.compose(memory, document), Origin.RULE)
        edit.set_document(document.stored if document else {}, Origin.RULE)
        edit.set_contexts(Origin.RULE, contexts_of(memory, document))


@pytest.mark.parametrize(
    "expected",
    [each for each in demo_questions() if each.question != _BY_MEANING],
    ids=lambda expected: expected.question,
)
def test_the_sample_album_is_answered(mara: Library, expected: DemoQuestion) -> None:
    question = Question(expected.question, expected.today)

    answer = run_to_end(ask(mara, FakeModels(text_embedder=FakeEmbedder()), question, never))

    assert is_right(expected, answer), f"{answer.outcome} {answer.value!r} {answer.text}"
