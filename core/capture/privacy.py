"""Which memories does the person keep private? Judges each by the privacy domains of the settings and by the person's own word.

A domain is a kind of picture (`ids`, `bank`, `health`, `intimate`), a person (`person:Ann`) or a folder (`folder:/photos/private`).
What is kept out of understanding leaves nothing but its file, date and size; what is kept out of chat is still searched by the
person, but no question, event or fact draws from it. In doubt a memory is private: that can be taken back, a leak cannot.
"""

import calendar
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.capture.private_documents import BANK_STATEMENT, HEALTH_DOCUMENT, ID_DOCUMENT, private_kind
from core.errors import SettingsError
from core.records import CapturedMemory, FileState
from core.settings import Settings
from core.store.library import Library
from core.store.private import Private
from core.store.withhold import CHAT, UNDERSTANDING
from core.text_keys import text_key

RULES_VERSION = "privacy/1"
IDS, BANK, HEALTH, INTIMATE, PERSON, FOLDER, BY_HAND = (
    "ids",
    "bank",
    "health",
    "intimate",
    "person",
    "folder",
    "by-hand",
)
KINDS: Mapping[str, str] = {
    IDS: "passports, identity cards, driving licences",
    BANK: "account statements, bank and credit cards",
    HEALTH: "prescriptions, findings, vaccination records",
    INTIMATE: "nudity and underwear, where a model or a keyword says so",
}
NOT_PRIVATE = "none"
HAND_TARGET = "privacy"
"""The target kind of a correction by which the person says of one memory how private it is."""

_DOCUMENTS = {ID_DOCUMENT: IDS, BANK_STATEMENT: BANK, HEALTH_DOCUMENT: HEALTH}
_INTIMATE = re.compile(
    r"(?<![^\W_])(?:nudes?|nudity|naked|topless|lingerie|underwear|undressed|bra|brassiere|panties|bikini briefs|g-?string|genitals?|"
    r"breasts|erotic(?:a)?|intimate|sexual|sexy|nsfw|nackt|unterwäsche|intim|nue?|desnud[oa]|ropa interior|裸体|內衣|内衣)(?![^\W_])",
    re.IGNORECASE,
)
_CARD = re.compile(r"(?<!\d)\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,7}(?!\d)")
_CALENDAR = frozenset(name.casefold() for name in (*calendar.month_name, *calendar.day_name) if name)
_BATCH = 500
_KEY_NOTE = "privacy_key"


@dataclass(frozen=True, slots=True)
class Domain:
    """A privacy domain of the settings.

    Attributes:
        argument: whose pictures, or of which folder; empty for a kind.
        level: `chat` or `understanding`.
    """

    kind: str
    argument: str
    level: str

    @property
    def key(self) -> str:
        """What is stored with a memory: it does not say the name or the folder."""
        if not self.argument:
            return self.kind
        return f"{self.kind}:{hashlib.sha256(self.argument.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def read_domain(text: str, level: str) -> Domain:
    """A domain as the person writes it.

    Raises:
        SettingsError: it is none.
    """
    kind, _, argument = (part.strip() for part in text.partition(":"))
    if kind in KINDS and not argument:
        return Domain(kind, "", level)
    if kind == PERSON and text_key(argument):
        return Domain(PERSON, text_key(argument), level)
    if kind == FOLDER and argument:
        return Domain(FOLDER, os.path.realpath(os.path.expanduser(argument)), level)
    raise SettingsError(
        f"{text!r} is no privacy domain.", f"There are: {', '.join(KINDS)}, person:NAME and folder:PATH."
    )


def domains_of(settings: Settings) -> tuple[Domain, ...]:
    """Every domain that is on, the stricter ones first.

    Raises:
        SettingsError: the settings name one that does not exist.
    """
    return (
        *(read_domain(text, UNDERSTANDING) for text in settings.never_understood),
        *(read_domain(text, CHAT) for text in settings.hidden_from_chat),
    )


def domain_for(memory: CapturedMemory, domains: Sequence[Domain]) -> Domain | None:
    """The first domain that a memory falls into by what is known of it; folders are judged by `Privacy`."""
    kinds = _kinds_of(memory)
    return next(
        (each for each in domains if each.kind in kinds or (each.kind == PERSON and _shows(memory, each.argument))),
        None,
    )


class Privacy:
    """Keeps memories private while they change (`library.memories.guard`) and brings the whole library in step with the settings."""

    def __init__(self, library: Library, settings: Settings) -> None:
        self._library = library
        self._domains = domains_of(settings)
        self._by_hand = _by_hand(library)

    @property
    def is_on(self) -> bool:
        """Whether anything is or was kept private."""
        return bool(self._domains or self._by_hand)

    def guard(self, memory_id: str) -> None:
        """Judge a memory that has just changed, inside the transaction that changed it."""
        if not self.is_on:
            return
        known = self._library.private.of(memory_id)
        if known is not None and known.level == UNDERSTANDING:
            return  # what it was judged by is gone
        found = self._library.memories.many([memory_id])
        if found:
            self._put(found[0].id, self._judged(found[0]), known)

    def settle(self) -> list[str]:
        """Judge what the settings, folders or the person's word changed for; returns the memories that are private no more.

        Whatever was drawn from those that became private is unsettled then (`library.private.unsettled`).
        """
        self._by_hand = _by_hand(self._library)
        known = self._library.private.all()
        if not (self.is_on or known):
            return []
        folders = self._folders()
        released = [each.memory_id for each in known.values() if not self._holds(each, folders)]
        for memory_id in released:
            self._release(memory_id)
        self._judge_all(folders)
        return [each for each in released if self._library.private.of(each) is None]

    def _judge_all(self, folders: Mapping[str, Domain]) -> None:
        """Memories in private folders and marked by hand at every run; all of them when the domains changed."""
        key = json.dumps([RULES_VERSION, sorted((each.key, each.level) for each in self._domains)])
        everything = self._library.stages.note(_KEY_NOTE) != key
        ids = self._library.memories.ids_matching() if everything else sorted({*folders, *self._by_hand})
        for start in range(0, len(ids), _BATCH):
            with self._library.database.write():
                for memory in self._library.memories.many(ids[start : start + _BATCH]):
                    known = self._library.private.of(memory.id)
                    if known is None or known.level != UNDERSTANDING:
                        self._put(memory.id, self._judged(memory, folders), known)
        if everything:
            self._library.stages.set_note(_KEY_NOTE, key)

    def _judged(self, memory: CapturedMemory, folders: Mapping[str, Domain] | None = None) -> tuple[str, str] | None:
        """(domain, level) of a memory; None when it is not private."""
        if said := self._by_hand.get(memory.id):
            return None if said == NOT_PRIVATE else (BY_HAND, said)
        by_folder = folders.get(memory.id) if folders is not None else self._folder_of(memory)
        found = [each for each in (by_folder, domain_for(memory, self._domains)) if each is not None]
        strictest = min(found, key=lambda each: each.level != UNDERSTANDING, default=None)
        return (strictest.key, strictest.level) if strictest else None

    def _put(self, memory_id: str, judged: tuple[str, str] | None, known: Private | None) -> None:
        if judged is None:
            if known is not None:
                self._library.private.release(memory_id)
        elif known is None or (known.domain, known.level) != judged:
            self._library.private.mark(memory_id, *judged)

    def _holds(self, private: Private, folders: Mapping[str, Domain]) -> bool:
        """Whether a memory is still private for the reason it became so."""
        said = self._by_hand.get(private.memory_id)
        if said is not None:
            return said == private.level
        if private.domain == BY_HAND:
            return False
        if private.domain.startswith(f"{FOLDER}:"):
            folder = folders.get(private.memory_id)
            return folder is not None and (folder.key, folder.level) == (private.domain, private.level)
        return any((each.key, each.level) == (private.domain, private.level) for each in self._domains)

    def _release(self, memory_id: str) -> None:
        with self._library.memories.edit(memory_id) as editing:
            self._library.private.release(memory_id)
            editing.show_again()

    def _folders(self) -> dict[str, Domain]:
        """The folder domain of each memory that lies in one, the strictest."""
        found: dict[str, Domain] = {}
        for domain in reversed(self._domains):
            if domain.kind == FOLDER:
                found |= dict.fromkeys(self._library.private.in_folder(domain.argument), domain)
        return found

    def _folder_of(self, memory: CapturedMemory) -> Domain | None:
        """The first folder domain that one of its files lies in; where it lay counts while it lies nowhere."""
        domains = [each for each in self._domains if each.kind == FOLDER]
        files = self._library.files.of_memory(memory.id) if domains else []
        paths = [file.path for file in files if file.state is not FileState.MISSING] or [file.path for file in files]
        return next(
            (each for each in domains if any(path.startswith(os.path.join(each.argument, "")) for path in paths)), None
        )


def _by_hand(library: Library) -> dict[str, str]:
    """The person's word by memory: a level, or that it is not private; the last one counts."""
    return {each.target_id: str(json.loads(each.after)["level"]) for each in library.corrections.standing(HAND_TARGET)}


def _kinds_of(memory: CapturedMemory) -> set[str]:
    """The kinds of domain that a memory belongs to."""
    found = {_DOCUMENTS[kind] for kind in (memory.document.get("kind", ""),) if kind in _DOCUMENTS}
    text = "\n".join((memory.visible_text, memory.speech, memory.caption, memory.title))
    if (document := private_kind(text.splitlines())) is not None:
        found.add(_DOCUMENTS[document[0]])
    if any(_is_card_number(match[0]) for match in _CARD.finditer(text)):
        found.add(BANK)
    if _INTIMATE.search("\n".join(_labels(memory))):
        found.add(INTIMATE)
    return found


def _labels(memory: CapturedMemory) -> Iterator[str]:
    """What is said about a picture; the words in it (a shop's sign, a film's poster) say nothing about what it shows."""
    yield from (memory.caption, memory.title, *memory.keywords, *memory.visual_elements, *memory.activities)


def _is_card_number(text: str) -> bool:
    """Whether the last digit checks the others, as it does on every bank card (Luhn)."""
    digits = [int(char) for char in text if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    doubled = [
        digit if number % 2 == 0 else sum(divmod(2 * digit, 10)) for number, digit in enumerate(reversed(digits))
    ]
    return sum(doubled) % 10 == 0


def _shows(memory: CapturedMemory, name: str) -> bool:
    """Whether a person is in a memory, or is named in it."""
    named = {text_key(each) for each in (*memory.people, *memory.keywords)}
    if name in named or any(name in each.split() for each in named if " " not in name):
        return True
    if name in _CALENDAR or len(name) < 3:
        return False  # "May" and "Al" stand in too many texts
    text = text_key(" \n".join((memory.title, memory.caption, memory.visible_text, memory.speech)))
    return re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", text) is not None
