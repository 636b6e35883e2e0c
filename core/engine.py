"""The one door to the core: everything that the window and the command line may ask for.

Reading methods return at once and may be called from any thread. Methods that return `Steps` are generators to be run by the
worker (or `jobs.run_to_end`); `correct` writes and is called from one thread at a time.
"""

import os
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from core.ask.answer import ask
from core.ask.dates import find_days
from core.ask.picture import about_memory, about_pixels, asked_of_picture, content_of
from core.ask.tools import Toolbox, ToolResult
from core.augment.carry_out import CarriedOut, carry_out, take_back
from core.augment.clock_corrections import Clocks
from core.augment.corrections import Corrector
from core.augment.events_stage import HOMES_NOTE
from core.augment.history import history
from core.augment.people import People
from core.augment.pipeline import augment
from core.augment.recurring import Series, recurring
from core.augment.relations import Relations
from core.augment.spoken import EDITABLE as EDITABLE
from core.augment.taught import Taught
from core.augment.usable import is_usable
from core.augment.usual import Home as AtHome
from core.augment.usual import Homes
from core.capture.decode import Decoder
from core.capture.faces_stage import FACE_EDGE, MOST_SCENES
from core.capture.named_places import name_place
from core.capture.pipeline import Processed, process
from core.capture.relocate import Relocated, relocate
from core.capture.review import review
from core.capture.scan import add_folder
from core.capture.splits import split_file
from core.capture.thumbnails import thumbnail_path
from core.capture.watch import FolderWatch
from core.errors import PhotoMissingError, RequestError
from core.jobs import News
from core.options import Options
from core.ports import Interrupted, ModelSet, Pixels, never
from core.records import (
    Answer,
    AskStep,
    AtomicContext,
    CapturedMemory,
    Change,
    Changes,
    Doubt,
    Event,
    FileState,
    FoldersSeen,
    Found,
    Knowledge,
    MemoryFilter,
    Problem,
    Progress,
    Proposal,
    Question,
    Root,
    Stage,
    Transcript,
)
from core.records.people import Face, frame_of
from core.retrieve.look_alike import looking_like
from core.retrieve.search import grep, listing, search
from core.retrieve.search_box import parse_search, places_called, with_person
from core.retrieve.serving import language_warning, serving_embedder
from core.settings import Settings
from core.store.backups import back_up_daily
from core.store.doctor import Finding, examine
from core.store.export import ExportCounts, export_library
from core.store.home_place import doubts
from core.store.import_ import ImportCounts, import_library
from core.store.interchange import memory_line
from core.store.library import Library
from core.store.memories import StoredValue
from core.store.transcripts import transcript_in

LIKE = "like:"
"""Before a memory's id in the search box: what looks like it."""
_VIEWED_EDGE = 640
_LOOK_FOR_SWITCH_S = 60.0
_ROLES = ("chat", "captioner", "text_embedder", "image_embedder", "text_reader", "transcriber", "faces", "scenes")
_AUGMENT = (Stage.MOMENTS, Stage.EVENTS, Stage.KNOWLEDGE, Stage.GRAPH)


@dataclass(frozen=True, slots=True)
class Status:
    """How the library stands.

    Attributes:
        stages: by stage, how many memories are done, nothing (looked, found nothing), failed, and total.
        models: by role, the model in use; empty where the role has none.
        without_details: files of an export that none of its JSON files describes.
        unmatched_sidecars: sidecars that describe no file of the library.
    """

    memories: int
    events: int
    facts: int
    problems: int
    roots: tuple[Root, ...]
    stages: dict[Stage, dict[str, int]]
    models: dict[str, str]
    owner: str
    paused: bool
    without_details: int = 0
    unmatched_sidecars: int = 0


class Engine:
    """One open library with its models."""

    def __init__(self, library: Library, models: ModelSet, settings: Settings) -> None:
        self._library = library
        self._models = models
        self.options = Options(library, settings, models.choose_chat)
        """Settings, folders, exclusions, privacy and the names of places."""
        self._decoder = Decoder(library.home.logs / "viewer.log")
        self._is_scan_due = True
        self._watch = FolderWatch(
            lambda: [root.path for root in library.files.roots()],
            os.path.realpath(library.home.folder),
            with_far=lambda: self.options.settings.watch_network_drives,
        )
        self.correct = Corrector(library)
        """Everything the person may change; each call is kept as a correction and can be undone."""
        self.clocks = Clocks(library)
        """Cameras whose clock looks wrong: proposed, put right with one word, and back with one undo."""
        self.taught = Taught(library, lambda name, latitude, longitude: name_place(library, name, latitude, longitude))
        """Rules that repeated corrections suggest: offered, accepted or declined."""
        self.people = People(library)
        """Who is who: faces, names, groups and pets; each word is kept as a correction, which `correct.undo` takes back."""
        self.relations = Relations(library)
        """How people, places and things are related, as told; each word is kept as a correction and can be undone."""
        back_up_daily(library)
        if settings.owner:
            self.correct.set_owner(settings.owner)

    def close(self) -> None:
        """End every child process and close the files."""
        self._decoder.close()
        self._models.close()
        self._library.close()

    def look_for_models(self) -> None:
        """Take in models that were installed or removed while the library is open."""
        self._models.look_again()

    # folders and long work

    def add_folder(self, path: Path) -> Root:
        """Add a folder to the library; its files are read by the next `process`.

        Raises:
            AppError: it is missing, no folder, or holds the library itself.
        """
        return add_folder(self._library, path)

    def relocate(self, old: str, new: Path) -> Relocated:
        """Say that the folder `old` of the library now lies at `new`; everything known of its files goes with it.

        Raises:
            AppError: `old` is none of its folders, or `new` cannot be the same one.
        """
        moved = relocate(self._library, old, new)
        self.options.follow(moved.old, moved.root.path)
        return moved

    def look_at_folders(self) -> FoldersSeen:
        """Whether something in the library's folders changed since the last look, and has settled; the first look says no."""
        return self._watch.look() if self.options.settings.watch_folders else FoldersSeen(False, _LOOK_FOR_SWITCH_S)

    def process(
        self, until: Stage = Stage.GRAPH, interrupted: Interrupted = never, *, afresh: bool = True
    ) -> Generator[News, None, Processed]:
        """Bring every memory through every stage that is due, and then events, knowledge and graph; safe to stop at any time.

        The result's `troubles` say what kept whole stages from running.

        Args:
            afresh: look what lies in the folders; False goes on after an interruption, and looks only if the last look did not end.
        """
        self._is_scan_due = self._is_scan_due or afresh
        processed: Processed = yield from process(
            self._library,
            self._models,
            until if until not in _AUGMENT else Stage.EMBEDDINGS,
            interrupted,
            home_zone=self.options.settings.library_zone or None,
            exclusions=self.options.exclusions,
            privacy=self.options.privacy,
            with_scan=self._is_scan_due,
            on_scanned=self._scanned,
            with_emotion=self.options.settings.note_emotions,
            with_faces=lambda: self.options.settings.recognise_faces,
        )
        self.options.withdraw()
        if until in _AUGMENT:
            yield from augment(self._library.for_chat(), self._models, until, interrupted)
        return processed

    def _scanned(self) -> None:
        self._is_scan_due = False

    def ask(self, question: Question, interrupted: Interrupted = never) -> Generator[AskStep, None, Answer]:
        """Answer a question; every citation of the answer was retrieved in this call."""
        self.options.withdraw()
        return ask(
            self._library.for_chat(),
            self._models,
            question,
            interrupted,
            lambda memory: self.picture(memory.id, _VIEWED_EDGE),
        )

    def ask_about_picture(self, source: str, question: Question) -> Answer:
        """Who and what is on a picture, what looks like it and when it was: of a memory's id, or of any file.

        The question's words say what is told first, and which pictures that look like it count ("like this, in 2024").

        Raises:
            PhotoError: the file cannot be read.
        """
        library = self._library.for_chat()
        path, asked = Path(source), asked_of_picture(library, question)
        if not path.is_file():
            return about_memory(library, self._models, library.memories.get(library.memories.resolve(source)), asked)
        known = library.memories.id_of_content(content_of(path))
        if known is not None and (held := library.memories.many([known])):
            return about_memory(library, self._models, held[0], asked)
        return about_pixels(library, self._models, self._decoder.picture(path, _VIEWED_EDGE), asked)

    def carry_out(self, proposal: Proposal) -> CarriedOut:
        """Do what a command in the chat proposed, after the person said yes. Raises RequestError."""
        return carry_out(self._library, self.correct, proposal)

    def take_back(self, correction_ids: Sequence[str]) -> Changes:
        """Undo what was carried out, as a whole."""
        return take_back(self.correct, correction_ids)

    def import_from(self, path: Path, owner: str = "") -> Generator[Progress, None, ImportCounts]:
        """Read memories, events, facts and corrections from the interchange format; nothing that is there is overwritten."""
        counts = yield from import_library(self._library, path, owner, is_usable)
        self.people.show()
        return counts

    def export_to(self, path: Path) -> ExportCounts:
        """Write everything in the interchange format; returns how many lines of each kind."""
        return export_library(self._library, path)

    # reading

    def status(self) -> Status:
        """How the library stands."""
        stages = self._library.stages
        without_details, unmatched_sidecars = self._library.sidecars.left_over()
        return Status(
            memories=self._library.memories.count(),
            events=len(self._library.events.all()),
            facts=len(self._library.knowledge.all()),
            problems=self.count_problems(),
            roots=tuple(self._library.files.roots()),
            stages=stages.counts(),
            models=self.models_in_use(),
            owner=stages.note("owner"),
            paused=self.paused,
            without_details=without_details,
            unmatched_sidecars=unmatched_sidecars,
        )

    def models_in_use(self) -> dict[str, str]:
        """By role, the id of the model in use; empty where the role has none. Reads nothing of the library."""
        models = {role: getattr(self._models, role) for role in _ROLES}
        return {role: model.model_id if model else "" for role, model in models.items()}

    @property
    def paused(self) -> bool:
        """Whether the person paused background work; kept over restarts."""
        return self._library.stages.note("paused") == "yes"

    def set_paused(self, paused: bool) -> None:
        """Remember the pause."""
        self._library.stages.set_note("paused", "yes" if paused else "")

    def search(self, text: str, k: int = 20, wanted: MemoryFilter | None = None) -> list[Found]:
        """The best memories for a text by meaning, looks and words; filters apply first."""
        embedder = serving_embedder(self._library, self._models)
        return search(self._library, embedder, text, wanted or MemoryFilter(), k, self._models.image_embedder)

    def looking_like(self, memory_id: str, k: int = 20, wanted: MemoryFilter | None = None) -> list[Found]:
        """Memories that look like this one, the most alike first. Raises RequestError where it has no picture."""
        return looking_like(self._library, self._models.image_embedder, memory_id, wanted or MemoryFilter(), k)

    def language_warning(self, text: str) -> str:
        """One sentence when the text is in a language that the text model does not know; empty otherwise."""
        return language_warning(serving_embedder(self._library, self._models), text)

    def search_box(self, text: str, today: date, k: int = 20) -> list[Found]:
        """What a person typed into the search box: filters like `in:` and `with:`, then words and meaning; `like:ID` looks."""
        if text.startswith(LIKE):
            return self.looking_like(self.resolve(text.removeprefix(LIKE).strip()), k)
        rest, wanted = parse_search(text, self._library, today, find_days)
        return self.search(rest, k, wanted) if rest else self.listing(k, wanted)

    def search_words(self, text: str, today: date, k: int = 20) -> list[Found]:
        """As `search_box` by words alone: instant, runs no model."""
        if text.startswith(LIKE):
            return self.search_box(text, today, k)
        rest, wanted = parse_search(text, self._library, today, find_days)
        return search(self._library, None, rest, wanted, k) if rest else self.listing(k, wanted)

    def with_person(self, wanted: MemoryFilter, name: str) -> MemoryFilter:
        """The filter with somebody, or with anybody of a group such as "friends from summer school", as a person types it."""
        return with_person(self._library, wanted, name)

    def places_called(self, typed: str) -> tuple[str, ...]:
        """The library's names for a place, typed in any of its names ("Cologne", "Köln"); the words themselves when it knows none."""
        return places_called(self._library, typed)

    def grep(self, piece: str, k: int = 20, wanted: MemoryFilter | None = None) -> list[Found]:
        """Memories whose words or text contain the piece as it is, newest first."""
        return grep(self._library, piece, wanted or MemoryFilter(), k)

    def listing(self, k: int = 20, wanted: MemoryFilter | None = None, offset: int = 0) -> list[Found]:
        """Memories that match the filter, newest first."""
        return listing(self._library, wanted or MemoryFilter(), k, offset)

    def view(self, memory_ids: Sequence[str], question: str, interrupted: Interrupted = never) -> ToolResult:
        """Ask the vision model about at most six pictures; a result that is refused says why."""
        tools = Toolbox(
            self._library.for_chat(),
            captioner=self._models.captioner,
            load_picture=lambda memory: self.picture(memory.id, _VIEWED_EDGE),
            interrupted=interrupted,
        )
        return tools.view([tools.memories.of(memory_id) for memory_id in memory_ids], question)

    def timeline(self, limit: int, offset: int = 0, wanted: MemoryFilter | None = None) -> list[str]:
        """Memory ids for the library grid, newest first, undated last."""
        return self._library.memories.ids_matching(wanted, newest_first=True, limit=limit, offset=offset)

    def count(self, wanted: MemoryFilter | None = None) -> int:
        """How many memories match."""
        return self._library.memories.count(wanted)

    def resolve(self, public_id: str) -> str:
        """The memory id of a public id. Raises RequestError when there is none."""
        return self._library.memories.resolve(public_id)

    def memories(self, memory_ids: Sequence[str]) -> list[CapturedMemory]:
        """Memories in the order of their ids; forgotten ones are left out."""
        return self._library.memories.many(memory_ids)

    def memory(self, memory_id: str) -> CapturedMemory:
        """One memory. Raises RequestError when it does not exist."""
        return self._library.memories.get(memory_id)

    def contexts(self, memory_id: str) -> list[AtomicContext]:
        """Its atomic contexts with their reasons."""
        return self._library.memories.contexts(memory_id)

    def transcript(self, memory_id: str) -> Transcript:
        """What is said in it, with times; empty where nothing is, or where the person wrote other words over it."""
        return transcript_in(self._library.memories.values(memory_id))

    def values(self, memory_id: str) -> list[StoredValue]:
        """Its values by origin: why we think so."""
        return self._library.memories.values(memory_id)

    def interchange(self, memory_id: str) -> dict[str, object]:
        """The memory as a line of the interchange format."""
        return memory_line(self._library, self.memory(memory_id))

    def events(self) -> list[Event]:
        """Every event, oldest first."""
        return self._library.events.all()

    def recurring(self) -> list[Series]:
        """Activities that come back week after week, the most frequent first."""
        return recurring(self._library.events.all())

    def homes(self) -> list[tuple[date, date, AtHome]]:
        """First day, last day and home of each stretch of months that the person lived somewhere."""
        return Homes.unpacked(self._library.stages.note(HOMES_NOTE)).periods()

    def history(self, target_id: str = "") -> list[Change]:
        """What the person changed, in words, the latest first; of one event, memory or statement where given."""
        return [each for each in history(self._library.corrections.all()) if target_id in ("", each.target_id)]

    def event(self, event_id: str) -> Event:
        """One event by id or its beginning. Raises RequestError when there is none."""
        return self._library.events.get(event_id)

    def event_named(self, name: str) -> Event:
        """One event by id, its beginning, or its name. Raises RequestError when none or several fit."""
        named = [event for event in self.events() if event.name.casefold() == name.casefold()]
        if len(named) > 1:
            raise RequestError(f"Several events are called {name!r}.", "Use an id from `madeleine events list`.")
        return named[0] if named else self.event(name)

    def facts(self, *, with_rejected: bool = False) -> list[Knowledge]:
        """Every statement, most confident first."""
        return self._library.knowledge.all(with_rejected=with_rejected)

    def fact(self, fact_id: str) -> Knowledge:
        """One statement by id or its beginning. Raises RequestError when there is none."""
        return self._library.knowledge.get(fact_id)

    def problems(self, most: int = -1) -> list[Problem]:
        """Files and steps that did not work, with their reasons; where `most` is given, about so many of them, open ones first."""
        return self._library.files.problems(most)

    def count_problems(self) -> int:
        """How many problems are open."""
        return self._library.files.count_problems()

    def review(self, memory_id: str | None = None) -> list[Doubt]:
        """What the person may want to check, of one memory or of all: dates at odds, odd positions, smaller copies, damage."""
        return review(self._library, datetime.now(), memory_id)

    def retry_problems(self, path: str | None = None) -> int:
        """Let the next `process` try these again (all when None); returns how many."""
        return self._library.files.retry(path)

    def ignore_problems(self, path: str | None = None) -> int:
        """Take these off the list (all when None); returns how many."""
        return self._library.files.ignore(path)

    # pictures

    def thumbnail(self, memory_id: str) -> Path | None:
        """The small picture of a memory; None where it has none (yet)."""
        for file in self._library.files.of_memory(memory_id):
            path = thumbnail_path(self._library.home, file.sha256)
            if path.exists():
                return path
        return None

    def original(self, memory_id: str) -> Path:
        """The file of a memory, to be shown, never changed.

        Raises:
            PhotoMissingError: it is not there (an offline drive, a deleted file, an imported memory).
        """
        for file in self._library.files.of_memory(memory_id):
            if file.state is FileState.PRESENT and Path(file.path).exists():
                return Path(file.path)
        raise PhotoMissingError(
            "The file of this memory cannot be reached.", "Connect the drive it is on, or scan the folder again."
        )

    def picture(self, memory_id: str, longest_edge: int) -> Pixels:
        """The upright picture of a memory, decoded outside this process. Raises PhotoError."""
        return self._decoder.picture(self.original(memory_id), longest_edge)

    def face_picture(self, face: Face) -> Pixels:
        """The picture that a face was found in: of a video, the frame. Decoded outside this process; raises PhotoError."""
        path, frame = self.original(face.memory_id), frame_of(face.box)
        if frame == 0:
            return self._decoder.picture(path, FACE_EDGE)
        scenes = self._decoder.frames(str(path), FACE_EDGE, MOST_SCENES)
        return scenes[min(frame, len(scenes)) - 1]

    def split_file(self, memory_id: str, path: str) -> str:
        """Make a memory of its own out of a file that was joined with another by mistake; returns its id, to be read by `process`.

        Raises:
            RequestError: the memory has no such file, or the file is what the memory is.
        """
        return split_file(self._library, memory_id, path)

    # health

    def doubts(self) -> list[str]:
        """What the person should know about the place where their library lies, and about models they chose; else empty."""
        return [*doubts(self._library.home), *self._models.complaints]

    def examine(self) -> list[Finding]:
        """What is wrong with the library; empty when nothing is."""
        return examine(self._library)
