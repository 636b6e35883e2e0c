"""Takes every source file through the stages from scan to embeddings: each stage over the whole library before the next.

One memory is one transaction: what a stage found and the record that it is done are stored together, so that a killed run goes
on where it was. A memory that fails is marked with a sentence and the run goes on.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core.capture import groups, named_places, note_stage, stages
from core.capture.caption_stage import caption_key, write_caption
from core.capture.dates import Clock
from core.capture.decode import Decoder, processes_here
from core.capture.embeddings_stage import embed_due
from core.capture.exclusions import NOTHING_EXCLUDED, Exclusions
from core.capture.faces_stage import faces_key, find_faces, group_faces
from core.capture.inferred_stage import due_for_rules, infer, rules_key
from core.capture.pace import Pace
from core.capture.places import Gazetteer
from core.capture.privacy import Privacy
from core.capture.scan import scan
from core.capture.speech_stage import write_down_speech
from core.capture.stacks_stage import stack
from core.capture.stage_results import OF_THE_MODEL, StageResult, Subject, Work
from core.capture.thumbnails import THUMBNAIL_RULES
from core.capture.zones import library_zone
from core.errors import (
    AppError,
    JobCancelled,
    ModelError,
    PhotoError,
    PhotoMissingError,
    ReplyError,
)
from core.jobs import Steps
from core.ports import Interrupted, Model, ModelSet, never
from core.records import Field, FileRole, FileState, MemoryFilter, MemoryKind, Origin, Progress, SourceFile, Stage
from core.store.library import Library

log = logging.getLogger(__name__)

_ORDER = {stage: position for position, stage in enumerate(Stage)}


@dataclass(frozen=True, slots=True)
class _Step:
    """One stage for one memory.

    Attributes:
        key: model, revision and prompt or rule version; None while the stage has no model: then it is not due.
        after: the stage that must have ended well before.
        feeds: stages that read this one's result and are due again when it changes.
        begin: lets the decoder start on a memory whose turn is near.
    """

    stage: Stage
    run: Callable[[Work, Subject], StageResult]
    key: Callable[[Work], str | None]
    after: Stage
    needs_file: bool = True
    begin: Callable[[Work, Subject], None] | None = None
    feeds: tuple[Stage, ...] = (Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)


def _of_model(role: str, rules: int = 1) -> Callable[[Work], str | None]:
    def key(work: Work) -> str | None:
        model: Model | None = getattr(work.models, role)
        return f"{model.model_id}@{model.revision}/{rules}" if model else None

    return key


_BEFORE_STACKS = (
    _Step(Stage.METADATA, stages.read_metadata, lambda work: f"3 {work.clock.library_zone or ''}".strip(), Stage.SCAN,
          feeds=(Stage.NEAR_DUPLICATES, Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)),
    _Step(Stage.THUMBNAILS, stages.make_thumbnail, lambda work: THUMBNAIL_RULES, Stage.METADATA, feeds=(Stage.NEAR_DUPLICATES,),
          begin=stages.begin_thumbnail),
)  # fmt: skip
_AFTER_STACKS = (
    _Step(Stage.TEXT, stages.read_text, _of_model("text_reader", 2), Stage.THUMBNAILS),
    _Step(Stage.FACES, find_faces, faces_key, Stage.NEAR_DUPLICATES, feeds=()),
    _Step(Stage.SCENES, stages.label_scene, _of_model("scenes", 2), Stage.THUMBNAILS),
    _Step(Stage.SPEECH, write_down_speech, _of_model("transcriber", 2), Stage.METADATA),
    _Step(Stage.CAPTION, write_caption, caption_key, Stage.METADATA, feeds=(Stage.EMBEDDINGS,)),
    _Step(Stage.CONTEXTS, stages.draw_contexts, rules_key, Stage.METADATA, needs_file=False, feeds=(Stage.EMBEDDINGS,)),
)  # fmt: skip


@dataclass(slots=True)
class Processed:
    """How a run ended.

    Attributes:
        troubles: what kept whole stages from running (a model that does not load); their memories stay due.
    """

    troubles: list[AppError] = field(default_factory=list)


def process(
    library: Library,
    models: ModelSet,
    until: Stage = Stage.EMBEDDINGS,
    interrupted: Interrupted = never,
    *,
    home_zone: str | None = None,
    decoder: Decoder | None = None,
    exclusions: Exclusions = NOTHING_EXCLUDED,
    privacy: Privacy | None = None,
    with_scan: bool = True,
    on_scanned: Callable[[], None] = lambda: None,
    with_emotion: bool = False,
    with_faces: Callable[[], bool] = never,
) -> Steps:
    """Scan the roots and bring every memory through every stage that is due, up to `until`; the result is a `Processed`.

    Args:
        home_zone: IANA name of the zone the person lives in; None leaves wall times without offset as they are.
        decoder: another decoding process than the run's own.
        exclusions: what the person excluded from the scan.
        privacy: told when the scan knows which file lies where, before anything is read.
        with_emotion: whether the vision model may note emotions.
        with_faces: whether the person wants faces to be looked for, at this moment.
        with_scan: whether to look what lies in the folders first; not after an interruption that came later than that.
        on_scanned: called when the scan has seen everything.

    Raises:
        JobCancelled: `interrupted` said so; everything finished is kept, and the next run goes on there.
        SettingsError: there is no zone `home_zone`.
        StoreError: the library cannot be written.
    """
    done = Processed()
    clock = Clock(datetime.now(UTC), library_zone(home_zone))
    with closing(decoder or Decoder(library.home.logs / "decoder.log", processes=processes_here())) as decoding:
        work = Work(library, models, decoding, Gazetteer(), clock, interrupted, with_emotion, with_faces)
        if with_scan:
            for news in scan(library, interrupted, exclusions):
                if news.total:
                    decoding.begin(news.total)  # what is new will have to be decoded: the processes start meanwhile
                yield news
            on_scanned()
        if privacy is not None:
            privacy.settle()
        for run in _runs(until):
            yield from run(work, done)
    return done


def _runs(until: Stage) -> Iterator[Callable[[Work, Processed], Iterator[Progress]]]:
    """The work of each stage up to `until`, in the order of `Stage`."""
    if _ORDER[until] >= _ORDER[Stage.METADATA]:
        yield _split_notes
    for step in _BEFORE_STACKS:
        if _ORDER[step.stage] <= _ORDER[until]:
            yield _StepRun(step)
        if step.stage is Stage.METADATA and _ORDER[until] >= _ORDER[Stage.METADATA]:
            yield _join
            yield _StepRun(step)  # of those that got another file just now
            yield _name_places
    if _ORDER[until] >= _ORDER[Stage.NEAR_DUPLICATES]:
        yield _stack
    for step in _AFTER_STACKS:
        if _ORDER[step.stage] <= _ORDER[until]:
            yield _StepRun(step)
        if step.stage is Stage.FACES and _ORDER[until] >= _ORDER[Stage.FACES]:
            yield _group_faces  # before the captions, which name people
    if _ORDER[until] >= _ORDER[Stage.EMBEDDINGS]:
        yield _embed
    if _ORDER[until] >= _ORDER[Stage.CONTEXTS]:
        yield _infer  # last: each call takes seconds, and everything can be found by now
    if _ORDER[until] >= _ORDER[Stage.EMBEDDINGS]:
        yield _embed  # of those that say more now


def _join(work: Work, done: Processed) -> Iterator[Progress]:
    """Files of one capture become one memory: those whose pictures were not looked at yet may have a partner."""
    thumbnails = _BEFORE_STACKS[1]
    key = thumbnails.key(work) or ""
    yield from groups.join(work, work.library.stages.due(thumbnails.stage, key, after=thumbnails.after, max_attempts=1))


def _name_places(work: Work, done: Processed) -> Iterator[Progress]:
    """The person's names for places, over what the map says."""
    named_places.apply(work.library)
    yield from ()


def _split_notes(work: Work, done: Processed) -> Iterator[Progress]:
    """Calendars, mailboxes and chats into their notes, before the metadata of anything is read."""
    step = _BEFORE_STACKS[0]
    key = step.key(work) or ""
    notes = set(work.library.memories.ids_matching(MemoryFilter(kinds=(MemoryKind.NOTE,))))
    due = [each for each in work.library.stages.due(step.stage, key, after=step.after, max_attempts=1) if each in notes]
    subjects = [subject for each in due if (subject := _subject(work.library, each, True)) is not None]
    yield from note_stage.split(work, subjects, key)


@dataclass(frozen=True, slots=True)
class _StepRun:
    """One step over every memory for which it is due."""

    step: _Step

    def __call__(self, work: Work, done: Processed) -> Iterator[Progress]:
        key = self.step.key(work)
        if key is None:
            return
        due = work.library.stages.due(self.step.stage, key, after=self.step.after, max_attempts=1)
        if self.step.stage is Stage.CONTEXTS:
            due = due_for_rules(work, due)
        if self.step.stage is Stage.CAPTION:
            due = _representatives_first(work.library, due)
        pace = Pace()
        for number, subject in self._subjects(work, due):
            left = pace.seconds_left(len(due) - number)
            yield Progress(self.step.stage, number, len(due), subject.memory.file_name, left)
            # A model that was removed or replaced meanwhile would leave "nothing found" under the old one's name.
            if work.interrupted() or self.step.key(work) != key:
                raise JobCancelled
            try:
                try:
                    self._one(work, subject, key)
                except JobCancelled:
                    # Something more urgent stopped the model: it has its turn at this yield, and then the memory its own.
                    yield Progress(self.step.stage, number, len(due), subject.memory.file_name, left)
                    if work.interrupted():
                        raise
                    self._one(work, subject, key)
            except OF_THE_MODEL as error:
                log.warning("%s stops: %s", self.step.stage, error)
                done.troubles.append(error)
                return
            pace.item_done()
        if due:
            yield Progress(self.step.stage, len(due), len(due))

    def _subjects(self, work: Work, due: list[str]) -> Iterator[tuple[int, Subject]]:
        """The memories that can be worked on, with their places in the list; the decoder begins with the next few meanwhile."""
        ahead: deque[tuple[int, Subject]] = deque()
        most = 2 * work.decoder.processes if self.step.begin is not None else 0
        for number, memory_id in enumerate(due):
            subject = _subject(work.library, memory_id, self.step.needs_file)
            if subject is None:
                continue
            if self.step.begin is not None:
                self.step.begin(work, subject)
            ahead.append((number, subject))
            if len(ahead) > most:
                yield ahead.popleft()
        yield from ahead

    def _one(self, work: Work, subject: Subject, key: str) -> None:
        try:
            result = self.step.run(work, subject)
        except PhotoMissingError:
            return  # gone since the scan; the next one marks it
        except OF_THE_MODEL:
            raise
        except (PhotoError, ModelError, ReplyError) as error:
            if self.step.stage is Stage.METADATA and _is_new(work.library, subject):
                _quarantine(work.library, subject, str(error))
                return
            result = StageResult(state="failed", reason=str(error))
        with work.library.memories.edit(subject.memory.id) as editing:
            result.write(editing)
            editing.stage(self.step.stage, key, result.state, result.reason)
            for stage in self.step.feeds:
                work.library.stages.reset(stage, [subject.memory.id])


def _subject(library: Library, memory_id: str, needs_file: bool) -> Subject | None:
    """The memory with a file that can be read now; None for one whose files are all offline or gone, which stays due."""
    memories = library.memories.many([memory_id])
    if not memories or not needs_file:
        return Subject(memories[0]) if memories else None
    files = _present_files(library, memory_id)
    file = next((each for each in files if each.role is not FileRole.CLIP), None)
    clip = next((each for each in files if each.role is FileRole.CLIP), None)
    return Subject(memories[0], file, clip) if file else None


def _present_files(library: Library, memory_id: str) -> list[SourceFile]:
    online = {root.id for root in library.files.roots() if root.online}
    files = library.files.of_memory(memory_id)
    return [file for file in files if file.state is FileState.PRESENT and file.root_id in online]


def _is_new(library: Library, subject: Subject) -> bool:
    """Whether nothing was ever read from this content and the person never said a word about it."""
    values = library.memories.values(subject.memory.id)
    return all(value.field is Field.KIND and value.origin is Origin.RULE for value in values)


def _quarantine(library: Library, subject: Subject, reason: str) -> None:
    """Content that cannot be decoded is no memory: its files are listed as problems and left alone until they change."""
    with library.database.write():
        for file in library.files.of_memory(subject.memory.id):
            library.files.put(
                replace(file, memory_id=None, state=FileState.UNREADABLE, reason=reason, attempts=file.attempts + 1)
            )
        library.memories.delete(subject.memory.id)


def _representatives_first(library: Library, due: list[str]) -> list[str]:
    """Near-duplicates last, because they inherit the caption of the one that stands for them."""
    stacked = {memory.id for memory in library.memories.many(due) if memory.representative_id}
    return [each for each in due if each not in stacked] + [each for each in due if each in stacked]


def _stack(work: Work, done: Processed) -> Iterator[Progress]:
    return stack(work, lambda memory_id: _subject(work.library, memory_id, True), done.troubles)


def _group_faces(work: Work, done: Processed) -> Iterator[Progress]:
    return group_faces(work)


def _infer(work: Work, done: Processed) -> Iterator[Progress]:
    yield from infer(work, done.troubles)


def _embed(work: Work, done: Processed) -> Iterator[Progress]:
    embedder = work.models.text_embedder
    if embedder is None:
        return
    try:
        yield from embed_due(work.library, embedder, work.interrupted)
    except ModelError as error:
        log.warning("embeddings stop: %s", error)
        done.troubles.append(error)
