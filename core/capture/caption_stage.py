"""Writes the caption of a memory: composed from what is known, and over it what a vision model saw, where there is one."""

import hashlib
import logging

from core.capture import captions, documents
from core.capture.caption_prompt import PROMPT_VERSION, Personal, Seen, caption_prompt, read_reply
from core.capture.stage_results import OF_THE_MODEL, StageResult, Subject, Work
from core.errors import ModelError, PhotoError, ReplyError
from core.ports import Captioner, Pixels, WideCaptioner
from core.records import Field, FileState, MemoryKind, Origin, Provenance
from core.records.people import Face, frame_of
from core.store.captions import captions_before, others_with_caption
from core.store.memory_edit import MemoryEdit
from core.text_keys import text_key

log = logging.getLogger(__name__)

PICTURE_EDGE = 448
"""Long edge for a vision model on a processor: its cost grows faster than the pixels, and text is read separately (research, models §2)."""

MOST_FRAMES = 10
_PORTRAIT_EDGE, _PORTRAIT_FROM = 224, 1024
_BEFORE, _BEFORE_HOURS = 3, 12.0
_SAME_ALLOWED = 2
"""So many different photos may have the same caption; a model that says it of a third says it of anything."""

_SECOND_TRY_TEMPERATURE = 0.5
_FAMILY = PROMPT_VERSION.partition("/")[0]
_PICTURES = frozenset({MemoryKind.PHOTO, MemoryKind.SCREENSHOT, MemoryKind.DOCUMENT, MemoryKind.VIDEO})
_REFUSED_NOTE, _MOST_REFUSED = "refused_captions", 200


def caption_key(work: Work) -> str:
    """Model, prompt and rules that a caption is written with."""
    captioner = work.models.captioner
    rule = f"{captions.COMPOSED_VERSION} {documents.RULES_VERSION}"
    if captioner is None:
        return rule
    emotion = "+emotion" if work.with_emotion else ""
    return f"{captioner.model_id}@{captioner.revision}/{PROMPT_VERSION}{emotion} {rule}"


def write_caption(work: Work, subject: Subject) -> StageResult:
    """The composed caption, and over it the vision model's; a near-duplicate inherits that."""
    memory = subject.memory
    composed = captions.compose(memory, documents.recognise(memory))

    def write(editing: MemoryEdit) -> None:
        made = Provenance("rule:caption", "", captions.COMPOSED_VERSION)
        editing.set_text(Field.CAPTION, composed, Origin.RULE, made)

    captioner = work.models.captioner
    if captioner is None or memory.kind not in _PICTURES:
        return StageResult(write, "done" if composed else "nothing")
    try:
        seen = _inherited(work, subject, captioner) or _look(work, subject, captioner)
    except OF_THE_MODEL:
        raise
    except (ModelError, ReplyError) as error:
        return StageResult(write, "failed", str(error))

    def write_both(editing: MemoryEdit) -> None:
        write(editing)
        editing.set_text(Field.CAPTION, seen.caption, Origin.MODEL, made_by(captioner))
        editing.set_contexts(Origin.MODEL, seen.contexts, family=_FAMILY)

    return StageResult(write_both)


def made_by(captioner: Captioner) -> Provenance:
    """Provenance of what this captioner writes."""
    return Provenance(captioner.model_id, captioner.revision, PROMPT_VERSION)


def _look(work: Work, subject: Subject, captioner: Captioner) -> Seen:
    """Ask the vision model, once more with some chance when the first reply is not believed."""
    pictures, personal = _shown(work, subject, captioner)
    reason = ""
    for temperature in (0.0, _SECOND_TRY_TEMPERATURE):
        prompt = caption_prompt(subject.memory, personal, temperature)
        reply = captioner.describe(pictures, prompt, interrupted=work.interrupted)
        try:
            seen = read_reply(reply.text, subject.memory, made_by(captioner))
            _refuse_repeated(work, subject, seen.caption, captioner)
        except ReplyError as error:
            reason = str(error)
        else:
            return seen
    raise ReplyError(
        f"The caption that {captioner.model_id} wrote is not believed: {reason.rstrip('.')}.",
        "Retry it from Problems, or choose another model.",
    )


def _shown(work: Work, subject: Subject, captioner: Captioner) -> tuple[list[Pixels], Personal]:
    """The picture, or the scenes of a video, and the owner's portrait where the model can tell two pictures apart."""
    edge = captioner.picture_edge() if isinstance(captioner, WideCaptioner) else PICTURE_EDGE
    if subject.memory.kind is MemoryKind.VIDEO and isinstance(captioner, WideCaptioner):
        pictures = list(work.decoder.frames(subject.path, edge, min(MOST_FRAMES, captioner.most_pictures)))
    else:
        pictures = [work.decoder.picture(subject.path, edge)]
    frames = len(pictures)
    if frames == 1 and isinstance(captioner, WideCaptioner) and captioner.takes_portrait:
        pictures += _portrait(work, subject)
    personal = Personal(
        owner=work.library.stages.note("owner"),
        last_captions=tuple(captions_before(work.library.database, subject.memory.id, _BEFORE, _BEFORE_HOURS)),
        has_portrait=len(pictures) > frames,
        frames=frames,
        with_emotion=work.with_emotion,
    )
    return pictures, personal


def _portrait(work: Work, subject: Subject) -> list[Pixels]:
    """The owner's face in another memory, cut out; empty where nobody said which face is the owner's, or it cannot be read."""
    owner = text_key(work.library.stages.note("owner"))
    person = next((each for each in work.library.people.all() if owner and text_key(each.name) == owner), None)
    if person is None:
        return []
    faces = [
        face
        for face in work.library.people.faces(person_id=person.id)
        if face.memory_id != subject.memory.id and frame_of(face.box) == 0
    ]
    for face in sorted(faces, key=lambda each: (each.by_person, each.confidence), reverse=True)[:2]:
        for file in work.library.files.of_memory(face.memory_id):
            if file.state is not FileState.PRESENT:
                continue
            try:
                return [_cut(work.decoder.picture(file.path, _PORTRAIT_FROM), face)]
            except PhotoError as error:
                log.info("no portrait from this file: %s", error)
    return []


def _cut(picture: Pixels, face: Face) -> Pixels:
    """The face with as much around it again; a box is in parts of the picture."""
    height, width = picture.shape[:2]
    left, top, right, bottom = face.box
    pad_x, pad_y = (right - left) / 2, (bottom - top) / 2
    x0, x1 = (round(max(0.0, min(1.0, each)) * width) for each in (left - pad_x, right + pad_x))
    y0, y1 = (round(max(0.0, min(1.0, each)) * height) for each in (top - pad_y, bottom + pad_y))
    cut = picture[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    step = max(1, max(cut.shape[:2]) // _PORTRAIT_EDGE)
    return cut[::step, ::step]


def _refuse_repeated(work: Work, subject: Subject, caption: str, captioner: Captioner) -> None:
    """Refuse a caption that says the same of different photos, and take it back from those that have it.

    Raises:
        ReplyError: it does.
    """
    mark = hashlib.sha256(f"{captioner.model_id} {text_key(caption)}".encode()).hexdigest()[:16]
    refused = work.library.stages.note(_REFUSED_NOTE).split()
    others = others_with_caption(work.library.database, subject.memory.id, caption, captioner.model_id)
    if mark not in refused and len(others) < _SAME_ALLOWED:
        return
    for memory_id in others:
        with work.library.memories.edit(memory_id) as editing:
            editing.set_text(Field.CAPTION, "", Origin.MODEL)
            editing.set_contexts(Origin.MODEL, (), family=_FAMILY)
    if mark not in refused:
        work.library.stages.set_note(_REFUSED_NOTE, " ".join([*refused, mark][-_MOST_REFUSED:]))
    raise ReplyError("it says the same of different photos")


def _inherited(work: Work, subject: Subject, captioner: Captioner) -> Seen | None:
    """What the vision model wrote for the memory that stands for this one; None where it has to look itself."""
    representative_id = subject.memory.representative_id
    if representative_id is None:
        return None
    values = [
        value
        for value in work.library.memories.values(representative_id)
        if value.field is Field.CAPTION and value.provenance.made_by == captioner.model_id
    ]
    contexts = [
        context
        for context in work.library.memories.contexts(representative_id)
        if context.provenance
        and context.provenance.made_by == captioner.model_id
        and context.provenance.prompt_version.startswith(f"{_FAMILY}/")
    ]
    text = work.library.memories.get(representative_id).caption if values else ""
    return Seen(text, tuple(contexts)) if text else None
