"""What the person decides about the whole library: settings, folders, exclusions, privacy and the names of places."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from core import settings as files_of_settings
from core.augment.withdraw import erase, withdraw
from core.capture import named_places
from core.capture.exclusions import ALWAYS, PACKAGE_HINT, Exclusions
from core.capture.named_places import RADIUS_M, NamedPlace
from core.capture.privacy import HAND_TARGET, KINDS, NOT_PRIVATE, Privacy, read_domain
from core.capture.relocate import moved_path
from core.errors import RequestError, SettingsError
from core.records import Changes, Correction, FileState, Root
from core.settings import Settings, Value
from core.store.backups import renew_backups
from core.store.library import Library
from core.store.people import FACES_ON
from core.store.withhold import CHAT, UNDERSTANDING
from core.text_keys import printable

LEVELS = (CHAT, UNDERSTANDING)
_ALL = Changes(memories=True, events=True, knowledge=True, roots=True, people=True)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of the library and how its files stand."""

    root: Root
    present: int
    missing: int
    unreadable: int
    online_only: int


@dataclass(frozen=True, slots=True)
class PrivacyDomain:
    """A privacy domain as the person sees it.

    Attributes:
        text: `ids`, `person:Ann`, `folder:/photos/private`.
        says: what it covers.
        level: `chat`, `understanding`, or empty while it is off.
    """

    text: str
    says: str
    level: str


class Options:
    """Reads and changes them; every change holds at once, and what it makes due is done by the next `process`."""

    def __init__(
        self, library: Library, settings: Settings, choose_chat: Callable[[str], None] = lambda wish: None
    ) -> None:
        self._library = library
        self._choose_chat = choose_chat
        self.settings = _with_faces_as_noted(library, settings)
        try:
            self.privacy = Privacy(library, self.settings)
        except SettingsError as error:
            raise files_of_settings.in_file(library.home.settings, error) from error
        library.memories.guard = self.privacy.guard

    @property
    def exclusions(self) -> Exclusions:
        """What a scan leaves out."""
        return Exclusions(self.settings.exclusions)

    @property
    def always_excluded(self) -> tuple[str, ...]:
        """Patterns of what no scan reads: hidden files, trash cans, thumbnail caches, unfinished downloads, other programs' libraries."""
        return ALWAYS

    def other_libraries(self) -> list[tuple[str, str]]:
        """The libraries of other programs in the folders, each left out as one item, with what the person can do."""
        return [(path, PACKAGE_HINT) for path in self._library.files.ignored_because(PACKAGE_HINT)]

    # settings

    def values(self) -> Mapping[str, Value]:
        """Every setting with its value."""
        return files_of_settings.values_of(self.settings)

    def change(self, name: str, text: str) -> Changes:
        """Set one setting as the person wrote it.

        Raises:
            SettingsError: there is no such setting, or the text does not fit it.
            RequestError, ModelError: the language model that was chosen cannot be used.
        """
        return self._use(files_of_settings.changed(self.settings, name, text))

    def _use(self, settings: Settings) -> Changes:
        privacy = Privacy(self._library, settings)  # first: it refuses domains that do not exist
        if settings.chat_model != self.settings.chat_model:
            self._choose_chat(settings.chat_model)  # it refuses models that do not exist
        files_of_settings.save_settings(self._library.home.settings, settings)
        was_private = self.settings.never_understood, self.settings.hidden_from_chat
        self.settings, self.privacy = settings, privacy
        self._library.memories.guard = privacy.guard
        if settings.owner:
            self._library.stages.set_note("owner", settings.owner)
        if (settings.never_understood, settings.hidden_from_chat) != was_private:
            self.settle_privacy()
        return _ALL

    # folders

    def folders(self) -> list[Folder]:
        """The folders of the library."""
        return [self._folder(root) for root in self._library.files.roots()]

    def remove_folder(self, path: str, *, forget: bool = False) -> int:
        """Take a folder out of the library; its files are not touched.

        Args:
            forget: also forget the memories that lie nowhere else, with all that the person said about them. Otherwise they stay,
                and find their files again when the folder is added once more.

        Returns:
            How many memories were forgotten.

        Raises:
            RequestError: it is no folder of the library.
        """
        root = self._root(path)
        gone = self._library.files.only_in(root.id) if forget else []
        erase(self._library, gone)
        self._library.files.remove_root(root.id)
        if gone:
            renew_backups(self._library)
        return len(gone)

    def follow(self, old: str, new: str) -> None:
        """Let exclusions and private folders move along with a folder of the library that lies elsewhere now."""

        def moved(text: str) -> str:
            kind, colon, path = text.partition(":") if text.startswith("folder:") else ("", "", text)
            return f"{kind}{colon}{moved_path(path, old, new) if _lies_in(path, old) else path}"

        now = self.settings
        settings = replace(
            now,
            exclusions=tuple(map(moved, now.exclusions)),
            never_understood=tuple(map(moved, now.never_understood)),
            hidden_from_chat=tuple(map(moved, now.hidden_from_chat)),
        )
        if settings != now:
            self._use(settings)

    def exclude(self, pattern: str) -> Changes:
        """Leave a folder, or whatever a pattern fits, out of every scan from now on; what is known of it stays as it is."""
        plain = pattern.strip()
        if not plain:
            raise SettingsError("That excludes nothing.", "Name a folder, or a pattern like *.tmp or Drafts/*.")
        if os.path.isdir(os.path.expanduser(plain)) and os.sep in plain:
            plain = os.path.realpath(os.path.expanduser(plain))
        return self._use(replace(self.settings, exclusions=(*_without(self.settings.exclusions, plain), plain)))

    def include(self, pattern: str) -> Changes:
        """Take an exclusion back.

        Raises:
            RequestError: there is none like it.
        """
        plain = pattern.strip()
        real = os.path.realpath(os.path.expanduser(plain))
        found = [each for each in self.settings.exclusions if each in (plain, real)]
        if not found:
            raise RequestError(f"{plain!r} is not excluded.", _listed("Excluded are", self.settings.exclusions))
        return self._use(replace(self.settings, exclusions=_without(self.settings.exclusions, *found)))

    # privacy

    def domains(self) -> list[PrivacyDomain]:
        """Every kind of domain, and every person and folder that is kept private."""
        levels = {
            **dict.fromkeys(self.settings.hidden_from_chat, CHAT),
            **dict.fromkeys(self.settings.never_understood, UNDERSTANDING),
        }
        own = [PrivacyDomain(text, _says(text), level) for text, level in levels.items() if text not in KINDS]
        return [PrivacyDomain(kind, says, levels.get(kind, "")) for kind, says in KINDS.items()] + own

    def count_private(self, level: str) -> int:
        """How many memories are kept out of `chat` or `understanding`."""
        return sum(each.level == level for each in self._library.private.all().values())

    def keep_private(self, domain: str, level: str) -> Changes:
        """Keep a domain out of chat or out of understanding from now on; what was drawn from it is taken away.

        Raises:
            SettingsError: there is no such domain or level.
        """
        if level not in LEVELS:
            raise SettingsError(f"Things cannot be kept out of {level!r}.", f"Only out of {' or '.join(LEVELS)}.")
        read_domain(domain, level)
        plain = domain.strip()
        others = {
            CHAT: _without(self.settings.hidden_from_chat, plain),
            UNDERSTANDING: _without(self.settings.never_understood, plain),
        }
        others[level] = (*others[level], plain)
        return self._use(replace(self.settings, hidden_from_chat=others[CHAT], never_understood=others[UNDERSTANDING]))

    def allow(self, domain: str) -> Changes:
        """Keep a domain private no more; the next run understands it.

        Raises:
            RequestError: it is not private.
        """
        plain = domain.strip()
        on = (*self.settings.never_understood, *self.settings.hidden_from_chat)
        if plain not in on:
            raise RequestError(f"{plain!r} is not kept private.", _listed("Private are", on))
        return self._use(
            replace(
                self.settings,
                hidden_from_chat=_without(self.settings.hidden_from_chat, plain),
                never_understood=_without(self.settings.never_understood, plain),
            )
        )

    def keep_memory_private(self, memory_id: str, level: str) -> Changes:
        """Say of one memory that it is kept out of `chat` or `understanding`, or that it is not private (`none`); undoable."""
        if level not in (*LEVELS, NOT_PRIVATE):
            raise RequestError(
                f"A memory cannot be kept out of {level!r}.", f"Choose {', '.join(LEVELS)} or {NOT_PRIVATE}."
            )
        memory = self._library.memories.get(memory_id)
        self._library.corrections.add(
            Correction(
                id="",
                target_kind=HAND_TARGET,
                target_id=memory.id,
                action="private",
                after=json.dumps({"level": level}),
            )
        )
        self.settle_privacy()
        return _ALL

    def settle_privacy(self) -> None:
        """Bring every memory in step with what is private, and take away what was drawn from those that are."""
        self.privacy.settle()
        self.withdraw()

    def withdraw(self) -> None:
        """Take away what was drawn from memories that have become private since."""
        found = withdraw(self._library)
        if any(each.level == UNDERSTANDING for each in found):
            renew_backups(self._library)  # what may not be understood must not lie in a copy
            self._library.database.fold()

    # places

    def places(self) -> list[NamedPlace]:
        """The places that the person named."""
        return named_places.named_places(self._library)

    def name_place(self, name: str, latitude: float, longitude: float, radius_m: float = RADIUS_M) -> NamedPlace:
        """Name a place by its coordinates. Raises RequestError for what cannot be one."""
        return named_places.name_place(self._library, name, latitude, longitude, radius_m)

    def name_place_of(self, name: str, memory_id: str, radius_m: float = RADIUS_M) -> NamedPlace:
        """Name the place where a memory was captured. Raises RequestError when its position is not known."""
        return named_places.name_place_of(self._library, name, memory_id, radius_m)

    def unname_place(self, name: str) -> NamedPlace:
        """Let a name go. Raises RequestError when no place has it."""
        return named_places.unname_place(self._library, name)

    def _root(self, path: str) -> Root:
        roots = self._library.files.roots()
        wanted = {path, str(Path(path).expanduser().absolute()), os.path.realpath(os.path.expanduser(path))}
        found = next((root for root in roots if root.path in wanted or root.path.rstrip("/\\") in wanted), None)
        if found is None:
            known = tuple(printable(root.path) for root in roots)
            raise RequestError(f"{printable(path)} is not a folder of the library.", _listed("Its folders are", known))
        return found

    def _folder(self, root: Root) -> Folder:
        counts = self._library.files.counts(root.id)
        return Folder(
            root,
            *(
                counts.get(state, 0)
                for state in (FileState.PRESENT, FileState.MISSING, FileState.UNREADABLE, FileState.ONLINE_ONLY)
            ),
        )


def _with_faces_as_noted(library: Library, settings: Settings) -> Settings:
    """The settings, with what an older version noted in the library itself: that faces may be recognised."""
    if library.stages.note(FACES_ON) != "yes":
        return settings
    settings = replace(settings, recognise_faces=True)
    files_of_settings.save_settings(library.home.settings, settings)
    library.stages.set_note(FACES_ON, "")
    return settings


def _lies_in(path: str, folder: str) -> bool:
    """Whether a path, as the system that wrote it writes paths, is a folder or lies in it."""
    return path == folder or path.startswith((f"{folder.rstrip('/')}/", f"{folder}\\"))


def _without(texts: tuple[str, ...], *taken: str) -> tuple[str, ...]:
    return tuple(each for each in texts if each not in taken)


def _listed(beginning: str, names: tuple[str, ...]) -> str:
    return f"{beginning}: {', '.join(names)}." if names else "There is none."


def _says(text: str) -> str:
    kind, _, argument = text.partition(":")
    return f"pictures of {argument} and texts that name them" if kind == "person" else f"everything in {argument}"
