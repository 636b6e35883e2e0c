"""Makes one memory of the files of one capture: a Live Photo's clip, raw data beside a JPEG, an edited version.

Names only propose; dates decide. `IMG_1002.JPG` and an `IMG_1002.MOV` of another year stay two memories. A memory about which
the person has said something is never given up.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from core.capture.facts import FileFacts
from core.capture.splits import split_contents
from core.capture.stage_results import Work
from core.capture.stems import RAW_SUFFIXES, Stem, stem_of
from core.errors import JobCancelled, PhotoError
from core.records import Field, FileRole, FileState, MemoryKind, Origin, Progress, SourceFile, Stage, Taken
from core.store import rows
from core.store.library import Library

_CLOSE_S = 10.0
_SAME_SHOT_S = 3.0
_LONGEST_CLIP_S = 15.0
_QUARTER_S = 900.0
_FARTHEST_ZONE = timedelta(hours=15)
_CLOCKS = (
    Origin.XMP_SIDECAR, Origin.EXIF_ORIGINAL, Origin.EMBEDDED_XMP, Origin.EXIF_DIGITIZED, Origin.VIDEO_CREATION_DATE,
    Origin.VIDEO_CREATION_TIME, Origin.TAKEOUT,
)  # fmt: skip
_OF_PERSON = frozenset({Origin.PERSON, Origin.IMPORTED})
_STILL = frozenset({MemoryKind.PHOTO, MemoryKind.SCREENSHOT, MemoryKind.DOCUMENT})
_JPEGS = frozenset({".jpg", ".jpeg", ".jpe"})
_MOVING = _JPEGS | {".heic", ".heif", ".hif", ".avif"}  # what phones save beside a clip
_AGAIN = (Stage.METADATA, Stage.SPEECH, Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)
_ANEW = (*_AGAIN, Stage.THUMBNAILS, Stage.NEAR_DUPLICATES, Stage.TEXT, Stage.SCENES)


@dataclass(frozen=True, slots=True)
class _Member:
    """A file with the name's parts, and what its memory is (None for raw data that nobody could read)."""

    file: SourceFile
    stem: Stem
    kind: MemoryKind | None

    @property
    def role(self) -> FileRole:
        """What the file would be to another memory."""
        if self.stem.suffix in RAW_SUFFIXES:
            return FileRole.RAW
        if self.kind is MemoryKind.VIDEO or self.file.role is FileRole.CLIP:
            return FileRole.CLIP
        return FileRole.EDITED if self.stem.is_edited else FileRole.ORIGINAL


def join(work: Work, memory_ids: Sequence[str]) -> Iterator[Progress]:
    """Look for the partners of these memories in their folders, and join what belongs together.

    Raises:
        JobCancelled: the work was interrupted; what was joined stays joined.
    """
    folders = {
        os.path.dirname(file.path) for memory_id in memory_ids for file in work.library.files.of_memory(memory_id)
    }
    if not folders:
        return
    found = _candidates(work.library, folders)
    for number, members in enumerate(found):
        yield Progress(Stage.METADATA, number, len(found), os.path.basename(members[0].file.path))
        if work.interrupted():
            raise JobCancelled
        _Group(work, members).settle()


def _candidates(library: Library, folders: set[str]) -> list[list[_Member]]:
    """Files of one folder whose names say that they belong together."""
    grouped: dict[tuple[str, str], list[tuple[SourceFile, Stem]]] = defaultdict(list)
    apart = split_contents(library)
    for root in library.files.roots():
        for file in library.files.of_root(root.id) if root.online else ():
            folder, name = os.path.split(file.path)
            stem = stem_of(name)
            if file.sha256 in apart:
                continue  # the person said that it is a memory of its own
            is_lost_raw = file.state is FileState.UNREADABLE and stem.suffix in RAW_SUFFIXES
            if folder in folders and (is_lost_raw or (file.state is FileState.PRESENT and file.memory_id)):
                grouped[folder, stem.key].append((file, stem))
    several = [files for files in grouped.values() if len(files) > 1]
    ids = {file.memory_id for files in several for file, _ in files if file.memory_id}
    kinds = {memory.id: memory.kind for memory in library.memories.many(sorted(ids))}
    return [[_Member(file, stem, kinds.get(file.memory_id or "")) for file, stem in files] for files in several]


@dataclass(slots=True)
class _Group:
    """The files of one folder that share a stem."""

    work: Work
    members: Sequence[_Member]
    _facts: dict[str, FileFacts | None] = field(default_factory=dict)

    def settle(self) -> None:
        """Join each clip, raw file and edited version with the picture it belongs to."""
        pictures = [each for each in self.members if each.role is FileRole.ORIGINAL and each.kind in _STILL]
        pictures.sort(key=lambda each: each.stem.suffix not in _JPEGS)
        for member in self.members:
            if member.role is FileRole.ORIGINAL or (
                member.file.role is not FileRole.ORIGINAL and self._is_at_home(member)
            ):
                continue
            picture = next((each for each in self._ordered(pictures, member) if self._belongs(member, each)), None)
            if picture is not None:
                _join(self.work.library, picture.file, member.file, member.role)

    def _ordered(self, pictures: Sequence[_Member], member: _Member) -> Iterable[_Member]:
        """The pictures a file may belong to, the likeliest first: an edited version to one of its own format."""
        if member.role is FileRole.EDITED:
            return sorted(pictures, key=lambda each: each.stem.suffix != member.stem.suffix)
        if member.role is FileRole.CLIP:
            mark = self._mark(member)
            return sorted(pictures, key=lambda each: not mark or self._mark(each) != mark)
        return pictures

    def _is_at_home(self, member: _Member) -> bool:
        """Whether the picture that the file was joined with is still there."""
        files = self.work.library.files.of_memory(member.file.memory_id or "")
        return any(file.role is FileRole.ORIGINAL and file.state is FileState.PRESENT for file in files)

    def _belongs(self, member: _Member, picture: _Member) -> bool:
        if member.file.memory_id == picture.file.memory_id:
            return False
        if member.role is FileRole.CLIP:
            return self._is_clip_of(member, picture)
        apart = _seconds_apart(self._taken(picture), self._taken(member))
        return apart is None or apart <= _SAME_SHOT_S

    def _is_clip_of(self, clip: _Member, picture: _Member) -> bool:
        """By Apple's mark where both carry one; else a short clip without a date that contradicts the picture's."""
        marks = self._mark(clip), self._mark(picture)
        if all(marks):
            return marks[0] == marks[1]
        if picture.stem.suffix not in _MOVING:
            return False
        facts = self._read(clip)
        if facts is None or facts.duration_s > _LONGEST_CLIP_S:
            return False
        apart = _seconds_apart(self._taken(picture), self._taken(clip))
        return apart is None or apart <= _CLOSE_S

    def _mark(self, member: _Member) -> str:
        facts = self._read(member)
        return facts.content_id if facts else ""

    def _read(self, member: _Member) -> FileFacts | None:
        """The file's facts; None when it cannot be read, then it is joined with nothing by them."""
        path = member.file.path
        if path not in self._facts:
            try:
                self._facts[path] = self.work.decoder.facts(path)
            except PhotoError:
                self._facts[path] = None
        return self._facts[path]

    def _taken(self, member: _Member) -> Taken | None:
        """The best time that a clock set; a file's name and last change are the same for all or mean nothing."""
        known = {
            value.origin: value.value
            for value in self.work.library.memories.values(member.file.memory_id or "")
            if value.field is Field.TAKEN
        }
        origin = next((each for each in _CLOCKS if each in known), None)
        return rows.taken_from(known[origin], origin) if origin else None


def _seconds_apart(one: Taken | None, other: Taken | None) -> float | None:
    """Seconds between two times; None when one is unknown.

    Where one of them has no zone, whole quarters of an hour between them are the zone's doing.
    """
    if one is None or other is None or one.wall is None or other.wall is None:
        return None
    if one.day_only or other.day_only:
        return abs((one.wall.date() - other.wall.date()).days) * 86_400.0
    if one.utc_offset_minutes is not None and other.utc_offset_minutes is not None:
        shift = timedelta(minutes=one.utc_offset_minutes - other.utc_offset_minutes)
        return abs((one.wall - other.wall - shift).total_seconds())
    apart = abs(one.wall - other.wall)
    if apart > _FARTHEST_ZONE or one.utc_offset_minutes == other.utc_offset_minutes:
        return apart.total_seconds()
    rest = apart.total_seconds() % _QUARTER_S
    return min(rest, _QUARTER_S - rest)


def _join(library: Library, picture: SourceFile, other: SourceFile, role: FileRole) -> None:
    """Make a file one of the picture's memory; the memory it had goes, unless it has other files or the person's word."""
    kept, given_up = picture.memory_id, other.memory_id
    if kept is None:
        return
    with library.database.write():
        if given_up is None or _lives_elsewhere(library, given_up, other) or other.role is not FileRole.ORIGINAL:
            library.files.put(replace(other, memory_id=kept, role=role, state=FileState.PRESENT, reason="", attempts=0))
            _do_again(library, kept, _AGAIN)
            _rename(library, given_up)
        elif not _has_persons_word(library, given_up):
            _take_over(library, kept, given_up, role)
            _do_again(library, kept, _AGAIN)
        elif not _has_persons_word(library, kept):
            # The person spoke about the other file first: that memory stays and becomes the picture's.
            content = library.memories.content_key(kept)
            for file in library.files.of_memory(given_up):
                library.files.put(replace(file, role=role))
            _take_over(library, given_up, kept, FileRole.ORIGINAL)
            if content:
                library.memories.set_content_key(given_up, content)
            with library.memories.edit(given_up) as editing:
                editing.set_file_name(os.path.basename(picture.path))
            _do_again(library, given_up, _ANEW)


def _rename(library: Library, memory_id: str | None) -> None:
    """Show a memory that lost a file under the name of one that it has."""
    for file in library.files.of_memory(memory_id) if memory_id else ():
        if file.role is FileRole.ORIGINAL and file.state is FileState.PRESENT:
            with library.memories.edit(file.memory_id or "") as editing:
                editing.set_file_name(os.path.basename(file.path))
            return


def _take_over(library: Library, kept: str, given_up: str, role: FileRole) -> None:
    for file in library.files.of_memory(given_up):
        moved = role if file.role is FileRole.ORIGINAL else file.role
        library.files.put(replace(file, memory_id=kept, role=moved))
    library.sidecars.give(given_up, kept)
    library.memories.delete(given_up)


def _do_again(library: Library, memory_id: str, stages: Iterable[Stage]) -> None:
    for stage in stages:
        library.stages.reset(stage, [memory_id])


def _lives_elsewhere(library: Library, memory_id: str, file: SourceFile) -> bool:
    """Whether the same content lies in another place too, where it is no part of this capture."""
    return any(
        each.id != file.id and each.role is FileRole.ORIGINAL and each.state is FileState.PRESENT
        for each in library.files.of_memory(memory_id)
    )


def _has_persons_word(library: Library, memory_id: str) -> bool:
    """Whether a person, or an import, said anything about the memory or put it somewhere."""
    if any(value.origin in _OF_PERSON for value in library.memories.values(memory_id)):
        return True
    if any(context.origin in _OF_PERSON for context in library.memories.contexts(memory_id)):
        return True
    return any(
        memory_id in (each.target_id, each.before, each.after) or memory_id in each.before + each.after
        for each in library.corrections.all()
    )
