"""Finds out what lies in the person's folders and which memory each file belongs to. Identity is content, never path."""

import hashlib
import os
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from core.capture import sidecars
from core.capture.exclusions import NOTHING_EXCLUDED, PACKAGE_HINT, Exclusions, is_package
from core.capture.formats import HEAD_BYTES, MEDIA_SUFFIXES, Medium, describe, sniff
from core.capture.pace import Pace
from core.capture.sidecar_folders import RootView
from core.capture.walk import SeenFile, Walk
from core.errors import JobCancelled, PhotoMissingError, PhotoUnreadableError, RequestError
from core.ports import Interrupted, never
from core.records import FileRole, FileState, MemoryKind, Progress, Root, SourceFile, Stage
from core.store.files import KnownFile
from core.store.library import Library
from core.store.rows import new_id
from core.text_keys import printable
from core.volumes import has_coarse_times

SCAN_KEY = "1"
_FAT_STEP_S, _CLOCK_STEP_S, _MOST_CLOCK_S = 2.0, 1_800.0, 26 * 3_600.0
_CHUNK = 1 << 20
_NEWS_EVERY_BYTES = 64 << 20
_NEWS_EVERY_NAMES = 2_000
_KINDS = {
    Medium.IMAGE: MemoryKind.PHOTO, Medium.VIDEO: MemoryKind.VIDEO, Medium.AUDIO: MemoryKind.RECORDING, Medium.NOTE: MemoryKind.NOTE,
    Medium.PAGES: MemoryKind.DOCUMENT,
}  # fmt: skip


@dataclass(slots=True)
class Scanned:
    """What a scan found, in numbers of files; and how many folders were looked through for new sidecars."""

    seen: int = 0
    read: int = 0
    vanished: int = 0
    unreadable: int = 0
    offline_roots: int = 0
    online_only: int = 0
    folders_with_news: int = 0


def add_folder(library: Library, path: Path) -> Root:
    """Add a folder to the library; its files are read by the next scan. A folder inside one that was added is already there.

    Raises:
        PhotoMissingError: there is nothing at the path.
        PhotoUnreadableError: the folder may not be read.
        RequestError: it is no folder, or lies inside Madeleine's own.
    """
    folder = readable_folder(library, path)
    for root in library.files.roots():
        if is_inside(folder, root.path) or _is_same(folder, root.path):
            return root
    return library.files.add_root(folder)


def readable_folder(library: Library, path: Path) -> str:
    """The real path of a folder that the library may read. Raises as `add_folder`."""
    folder = os.path.realpath(os.path.expanduser(path))
    shown = printable(str(path))
    if not os.path.lexists(folder):
        raise PhotoMissingError(f"There is no folder {shown}.", "Check the name, or connect the drive it is on.")
    if not os.path.isdir(folder):
        raise RequestError(f"{shown} is a file, not a folder.", "Add the folder that it is in.")
    if is_package(os.path.basename(folder)):
        raise RequestError(f"{shown} is the library of another program.", PACKAGE_HINT)
    if is_inside(folder, os.path.realpath(library.home.folder)):
        raise RequestError(f"{shown} belongs to Madeleine itself.", "Add the folder that holds your own pictures.")
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
    except OSError as error:
        raise PhotoUnreadableError(
            f"The folder {shown} cannot be read ({error.strerror}).", "Give yourself the permission to read it."
        ) from error
    return folder


def scan(
    library: Library, interrupted: Interrupted = never, exclusions: Exclusions = NOTHING_EXCLUDED
) -> Generator[Progress, None, Scanned]:
    """Bring what is known of every root up to date with the disk.

    Files of known size and time are not read again; moved and copied ones find their memory by content; vanished ones are only
    marked. A root that cannot be reached is offline, and nothing of it changes.

    Raises:
        JobCancelled: `interrupted` said so; what was read is kept.
    """
    found = Scanned()
    views: list[RootView] = []
    for root in library.files.roots():
        yield from _RootScan(library, root, interrupted, found, exclusions, views).run()
    found.folders_with_news = sidecars.settle(library, views)
    return found


@dataclass(slots=True)
class _RootScan:
    library: Library
    root: Root
    interrupted: Interrupted
    found: Scanned
    exclusions: Exclusions
    views: list[RootView]

    def run(self) -> Iterator[Progress]:
        known = self.library.files.known_in_root(self.root.id)
        others = {root.path for root in self.library.files.roots()} - {self.root.path}
        walk = Walk(self.root.path, frozenset({*others, os.path.realpath(self.library.home.folder)}), self.exclusions)
        seen: dict[str, SeenFile] = {}
        for file in walk.files():
            seen[file.path] = file
            if len(seen) % _NEWS_EVERY_NAMES == 0:
                yield Progress(Stage.SCAN, 0, 0, file.name)
                self._leave_if_interrupted()
        is_online = self.root.path not in walk.closed and not (walk.entries == 0 and _has_present(known))
        if is_online != self.root.online:
            self.library.files.set_online(self.root.id, is_online)
        if not is_online:  # unplugged, or its mount point stands empty: never a deletion
            self.found.offline_roots += 1
            if os.path.isdir(self.root.path):
                self._note_closed(walk)
            return
        self.found.seen += len(seen)
        yield from self._read_changed(seen, known)
        self._note_closed(walk)
        self._note_packages(walk, known)
        if os.path.isdir(self.root.path):  # else it was unplugged while we read
            self._note_vanished(seen, known, walk)
            self.views.append(RootView(self.root, seen, walk))

    def _leave_if_interrupted(self) -> None:
        if self.interrupted():
            raise JobCancelled

    def _read_changed(self, seen: dict[str, SeenFile], known: dict[str, KnownFile]) -> Iterator[Progress]:
        changed = []
        is_coarse = has_coarse_times(self.root.path)
        for path, file in seen.items():
            before = known.get(path)
            if file.is_online_only:
                self._note_online_only(file, before)
            elif before is None or not before.is_settled or not _is_unchanged(file, before, is_coarse):
                changed.append(file)
            elif before.state in (FileState.MISSING, FileState.ONLINE_ONLY):
                self.library.files.set_state(before.id, FileState.PRESENT)
        pace = Pace()
        for number, file in enumerate(changed):
            yield Progress(
                Stage.SCAN, number, len(changed), printable(file.name), pace.seconds_left(len(changed) - number)
            )
            self._leave_if_interrupted()
            before_now = self.library.files.by_path(file.path)
            yield from self._read(file, before_now, Progress(Stage.SCAN, number, len(changed), printable(file.name)))
            pace.item_done()
        if changed:
            yield Progress(Stage.SCAN, len(changed), len(changed))

    def _read(self, file: SeenFile, before: SourceFile | None, news: Progress) -> Iterator[Progress]:
        """Sniff and hash one file and store what it is, in one transaction."""
        record = self._record(file, before)
        try:
            with open(file.path, "rb") as opened:
                head = opened.read(HEAD_BYTES)
                found = sniff(head, file.name)
                if found is None:
                    self._store_unsupported(file, record, head, before)
                    return
                digest = hashlib.sha256(head)
                since_news = 0
                while chunk := opened.read(_CHUNK):
                    digest.update(chunk)
                    since_news += len(chunk)
                    if since_news >= _NEWS_EVERY_BYTES:
                        since_news = 0
                        yield news
                        self._leave_if_interrupted()
                after = os.fstat(opened.fileno())
        except FileNotFoundError:
            return  # gone since the walk; the next scan knows more
        except OSError as error:
            # The time is not kept: permissions can be mended without changing it, so the next scan tries again.
            self._store_unreadable(
                replace(record, modified_ns=0), f"The file cannot be read ({error.strerror or error})."
            )
            return
        if (after.st_size, after.st_mtime_ns) != (file.size_bytes, file.modified_ns):
            return  # being written at this moment; the next scan will see it whole
        self._store(replace(record, sha256=digest.hexdigest()), _KINDS[found.medium], file.name)
        self.found.read += 1

    def _record(self, file: SeenFile, before: SourceFile | None) -> SourceFile:
        return SourceFile(
            id=before.id if before else new_id(),
            root_id=self.root.id,
            path=file.path,
            memory_id=before.memory_id if before else None,
            sha256=before.sha256 if before else "",
            size_bytes=file.size_bytes,
            modified_ns=file.modified_ns,
            attempts=before.attempts if before else 0,
        )

    def _store(self, record: SourceFile, kind: MemoryKind, name: str) -> None:
        memories = self.library.memories
        with self.library.database.write():
            memory_id, role = memories.id_of_content(record.sha256) or self._edited(record, kind), FileRole.ORIGINAL
            if memory_id is None:
                memory_id, role = self.library.files.known_content(record.sha256) or (None, role)
            if memory_id is None:
                memory_id = memories.create(kind=kind, file_name=printable(name), content_key=record.sha256)
            elif memories.is_forgotten(memory_id):
                return  # not even its path is kept; it is hashed at every scan instead
            elif role is FileRole.ORIGINAL and not self._is_there(memory_id):
                with memories.edit(memory_id) as editing:
                    editing.set_file_name(name)
            self.library.files.put(replace(record, memory_id=memory_id, state=FileState.PRESENT, attempts=0, role=role))
            with memories.edit(memory_id) as editing:
                editing.stage(Stage.SCAN, SCAN_KEY)

    def _is_there(self, memory_id: str) -> bool:
        """Whether the original of a memory, or a copy of it, lies where it was."""
        return any(
            file.role is FileRole.ORIGINAL and os.path.lexists(file.path)
            for file in self.library.files.of_memory(memory_id)
        )

    def _edited(self, record: SourceFile, kind: MemoryKind) -> str | None:
        """The memory of a note whose text the person went on writing: it stays the same note, read anew."""
        memory_id = record.memory_id
        if kind is not MemoryKind.NOTE or memory_id is None or len(self.library.files.of_memory(memory_id)) > 1:
            return None
        self.library.memories.set_content_key(memory_id, record.sha256)
        for stage in (Stage.METADATA, Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS):
            self.library.stages.reset(stage, [memory_id])
        return memory_id

    def _store_unsupported(self, file: SeenFile, record: SourceFile, head: bytes, before: SourceFile | None) -> None:
        """A file that promises a picture by its name and is none is told; any other is none of our business."""
        if os.path.splitext(file.name)[1].casefold() in MEDIA_SUFFIXES:
            self._store_unreadable(replace(record, memory_id=None, sha256=""), describe(head))
        elif before is not None:
            self.library.files.set_state(before.id, FileState.MISSING)

    def _store_unreadable(self, record: SourceFile, reason: str) -> None:
        self.found.unreadable += 1
        self.library.files.put(replace(record, state=FileState.UNREADABLE, reason=reason, attempts=record.attempts + 1))

    def _note_online_only(self, file: SeenFile, before: KnownFile | None) -> None:
        """A placeholder keeps what was understood of its file while it was here; one never seen whole is only counted."""
        self.found.online_only += 1
        if before is None:
            self.library.files.put(replace(self._record(file, None), state=FileState.ONLINE_ONLY))
        elif before.state is not FileState.ONLINE_ONLY:
            self.library.files.set_state(before.id, FileState.ONLINE_ONLY)

    def _note_closed(self, walk: Walk) -> None:
        """One problem a folder that may not be entered, and none any more when it may."""
        for path, reason in walk.closed.items():
            before = self.library.files.by_path(path)
            said = f"It cannot be read ({reason}); what lies in it is left as it was."
            if before is None or before.state is not FileState.UNREADABLE or before.reason != said:
                self._store_unreadable(self._record(SeenFile(path, "", 0, 0), before), said)

    def _note_packages(self, walk: Walk, known: dict[str, KnownFile]) -> None:
        for path in walk.packages:
            if path not in known:
                record = self._record(SeenFile(path, "", 0, 0), None)
                self.library.files.put(replace(record, state=FileState.IGNORED, reason=PACKAGE_HINT))

    def _note_vanished(self, seen: dict[str, SeenFile], known: dict[str, KnownFile], walk: Walk) -> None:
        packages = frozenset(walk.packages)
        for path, file in known.items():
            if path in seen or path in packages or file.state is FileState.MISSING or walk.is_hidden(path):
                continue
            if walk.exclusions and walk.exclusions.covers(path, self.root.path):
                continue  # not looked for: what is known of it stays as it is
            self.library.files.set_state(file.id, FileState.MISSING)
            self.found.vanished += file.state is FileState.PRESENT


def _is_unchanged(file: SeenFile, before: KnownFile, is_coarse: bool) -> bool:
    """Whether size and time are those known; on FAT the time may be rounded, or moved as a whole by daylight saving."""
    if file.size_bytes != before.size_bytes:
        return False
    if file.modified_ns == before.modified_ns:
        return True
    away_s = abs(file.modified_ns - before.modified_ns) / 1e9
    off_s = away_s % _CLOCK_STEP_S
    return is_coarse and away_s <= _MOST_CLOCK_S and min(off_s, _CLOCK_STEP_S - off_s) <= _FAT_STEP_S


def _has_present(known: dict[str, KnownFile]) -> bool:
    return any(file.state is FileState.PRESENT for file in known.values())


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is the folder or lies in it, as the system compares names."""
    return os.path.normcase(path) == os.path.normcase(folder) or os.path.normcase(path).startswith(
        os.path.join(os.path.normcase(folder), "")
    )


def _is_same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False
