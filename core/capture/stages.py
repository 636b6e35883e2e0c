"""The stages from a file to its contexts, each for one memory: compute first, then say what to write."""

from dataclasses import replace

from core.capture import contexts, descriptions, documents
from core.capture.dates import dates_of
from core.capture.formats import Medium
from core.capture.kinds import kind_of
from core.capture.note_stage import read_note
from core.capture.stage_results import NOTHING, StageResult, Subject, Work
from core.capture.thumbnails import THUMBNAIL_EDGE, thumbnail_path
from core.capture.visible_text import is_unknown_script, text_of
from core.errors import PhotoError
from core.records import AtomicContext, ContextKind, Field, Media, MemoryKind, Origin, Provenance
from core.store.memory_edit import MemoryEdit

TEXT_LAYER = Provenance("rule:text-layer")
_READING_EDGE = 2_400
_LABELLING_EDGE = 512
_SCENES, _SCENES_VERSION = "scenes", "scenes/2"
_SEEN_BY_CAMERA = frozenset({MemoryKind.PHOTO, MemoryKind.VIDEO})
_FILE_ORIGINS = (
    Origin.XMP_SIDECAR, Origin.TAKEOUT,
    Origin.EXIF_ORIGINAL, Origin.EMBEDDED_XMP, Origin.EXIF_DIGITIZED, Origin.VIDEO_CREATION_DATE, Origin.VIDEO_CREATION_TIME,
    Origin.GPS, Origin.FILE_NAME, Origin.FILE_TIME,
)  # fmt: skip
_PICTURES = frozenset({MemoryKind.PHOTO, MemoryKind.SCREENSHOT, MemoryKind.DOCUMENT, MemoryKind.VIDEO})


def read_metadata(work: Work, subject: Subject) -> StageResult:
    """Kind, size, time and place, from the file's headers and name."""
    facts = work.decoder.facts(subject.path)
    if facts.medium is Medium.NOTE:
        return read_note(work, subject)
    name = subject.memory.file_name
    said = descriptions.of_memory(work, subject, facts)
    places, clock = descriptions.places_of(work, facts, said)
    modified_ns = subject.file.modified_ns if subject.file else 0
    dates = (*dates_of(facts, name, modified_ns, clock), *descriptions.dates_of(said, clock))
    kind = kind_of(facts, subject.path, name)
    damaged = facts.damaged or subject.memory.media.damaged
    duration_s = facts.duration_s or _clip_length_s(work, subject)
    media = Media(facts.width, facts.height, round(duration_s, 2), facts.camera, damaged, facts.burst_id)

    def write(editing: MemoryEdit) -> None:
        editing.set_kind(kind, Origin.RULE)
        editing.set_media(media)
        if facts.medium is Medium.PAGES:
            editing.set_text(Field.TITLE, facts.title, Origin.IMPORTED, TEXT_LAYER)
            editing.set_text(Field.VISIBLE_TEXT, facts.text, Origin.IMPORTED, TEXT_LAYER)
        for origin in _FILE_ORIGINS:
            editing.take_back(Field.TAKEN, origin)
        for taken in dates:
            editing.set_taken(taken, Provenance("rule:dates"))
        descriptions.write(editing, work, said, places)

    return StageResult(write)


def _clip_length_s(work: Work, subject: Subject) -> float:
    """Seconds of the clip that belongs to a photo; 0 without one, or for one that cannot be read."""
    if subject.clip is None:
        return 0.0
    try:
        return work.decoder.facts(subject.clip.path).duration_s
    except PhotoError:
        return 0.0


def make_thumbnail(work: Work, subject: Subject) -> StageResult:
    """The small picture and the perceptual hash."""
    if subject.memory.kind not in _PICTURES:
        return NOTHING
    preview = work.decoder.preview(subject.path, THUMBNAIL_EDGE, _thumbnail_of(work, subject))

    def write(editing: MemoryEdit) -> None:
        editing.set_fingerprint(preview.fingerprint, subject.memory.representative_id)
        if preview.damaged:
            editing.set_media(replace(subject.memory.media, damaged=True))

    return StageResult(write)


def begin_thumbnail(work: Work, subject: Subject) -> None:
    """Let the decoder start with what `make_thumbnail` will ask for."""
    if subject.memory.kind in _PICTURES:
        work.decoder.begin_preview(subject.path, THUMBNAIL_EDGE, _thumbnail_of(work, subject))


def _thumbnail_of(work: Work, subject: Subject) -> str:
    return str(thumbnail_path(work.library.home, subject.content_key))


def read_text(work: Work, subject: Subject) -> StageResult:
    """The text that is visible in the picture."""
    reader = work.models.text_reader
    if reader is None or subject.memory.kind not in _PICTURES or _has_text_layer(work, subject):
        return NOTHING
    read = reader.read(work.decoder.picture(subject.path, _READING_EDGE))
    made = Provenance(reader.model_id, reader.revision)
    if is_unknown_script(read):
        return StageResult(
            lambda editing: editing.set_text(Field.VISIBLE_TEXT, "", Origin.MODEL, made),
            "nothing",
            f"There is writing in it that {reader.model_id} cannot read: it is blurred, or in letters this reader does not know "
            f"(it knows {', '.join(reader.scripts)}).",
        )
    text = text_of(read)
    return StageResult(
        lambda editing: editing.set_text(Field.VISIBLE_TEXT, text, Origin.MODEL, made), "done" if text else "nothing"
    )


def _has_text_layer(work: Work, subject: Subject) -> bool:
    """Whether the words of a document were read as words: no reader of pictures knows them better."""
    values = work.library.memories.values(subject.memory.id)
    return any(each.field is Field.VISIBLE_TEXT and each.provenance.made_by == TEXT_LAYER.made_by for each in values)


def label_scene(work: Work, subject: Subject) -> StageResult:
    """What a photo or video shows and where it was taken, in the words of the scene model.

    A screenshot shows what somebody else saw, and a scan is known by its text.
    """
    scenes = work.models.scenes
    if scenes is None or subject.memory.kind not in _SEEN_BY_CAMERA:
        return NOTHING
    labels = scenes.label(work.decoder.picture(subject.path, _LABELLING_EDGE))
    made = Provenance(scenes.model_id, scenes.revision, _SCENES_VERSION)
    found = [
        AtomicContext(
            ContextKind.ENVIRONMENT if each.is_place else ContextKind.VISUAL_ELEMENT,
            each.label, each.confidence, Origin.MODEL, "it looks like it", made,
        )
        for each in labels
    ]  # fmt: skip
    return StageResult(
        lambda editing: editing.set_contexts(Origin.MODEL, found, family=_SCENES), "done" if found else "nothing"
    )


def draw_contexts(work: Work, subject: Subject) -> StageResult:
    """The document and the atomic contexts that rules see."""
    document = documents.recognise(subject.memory)
    found = contexts.contexts_of(subject.memory, document)
    made = Provenance("rule:documents", "", documents.RULES_VERSION)

    def write(editing: MemoryEdit) -> None:
        editing.set_document(document.stored if document else {}, Origin.RULE, made)
        if document:
            editing.take_back(Field.DOCUMENT, Origin.MODEL)  # it was asked while the rules did not know it
        editing.set_contexts(Origin.RULE, found)

    return StageResult(write, "done" if found else "nothing")
