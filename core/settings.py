"""What the person may set, declared once, kept in one readable TOML file."""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from core.errors import SettingsError

Value = str | bool | int | tuple[str, ...]
_HOURS = re.compile(r"(\d{1,2}):(\d{2}) ?[-–] ?(\d{1,2}):(\d{2})")
_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
_LONGEST = 2_000
_MEND = "Mend it, or move it away to start afresh."
GPU = ("auto", "none", "all")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one home.

    Attributes:
        chat_model: `auto` (the best installed one that fits into memory), `none`, or an id of the catalogue; holds at once.
        gpu: which layers of a language model go onto the graphics card: `auto` (all, where the runtime was built for one and it
            has room), `none` or `all`; holds from the next start.
        library_zone: IANA name of the time zone for times whose zone nothing tells; empty means this computer's.
        owner: the person's name as it appears in pictures and chats; never counted as a companion.
        exclusions: what a scan leaves out: folders by their path, names and paths by pattern (`*.tmp`, `Drafts/*`).
        never_understood: privacy domains of which nothing is kept but the file's name and date (see `core.capture.privacy`).
        hidden_from_chat: privacy domains that neither the chat, nor events and facts, may use.
        watch_folders: whether the library's folders are watched while the window is open.
        watch_network_drives: whether folders on other computers' drives are watched too, more rarely.
        pause_on_battery: whether background work stands still while the computer runs on its battery.
        idle_priority: whether background work takes only what other programs leave over.
        recognise_faces: whether faces are looked for and compared, on this computer only; off until the person turns it on.
        note_emotions: whether the vision model may say what people seem to feel; off, because only they know.
        quiet_hours: when background work stands still, as `09:00-17:30`; empty means never.
    """

    chat_model: str = "auto"
    gpu: str = "auto"
    library_zone: str = ""
    owner: str = ""
    exclusions: tuple[str, ...] = ()
    never_understood: tuple[str, ...] = ()
    hidden_from_chat: tuple[str, ...] = ()
    watch_folders: bool = True
    watch_network_drives: bool = True
    pause_on_battery: bool = False
    idle_priority: bool = False
    recognise_faces: bool = False
    note_emotions: bool = False
    quiet_hours: str = ""


def load_settings(path: Path) -> Settings:
    """Read the settings; a missing file means the defaults.

    Raises:
        SettingsError: unreadable, or a value of the wrong kind; unknown names are an error too, since a typo would be ignored.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings file {path} cannot be read ({error}).", _MEND) from error
    known = asdict(Settings())
    for name, value in found.items():
        if name not in known or not _is_alike(value, known[name]):
            raise SettingsError(
                f"The settings file {path} has an invalid entry {name!r}.", f"Known are: {', '.join(sorted(known))}."
            )
    given: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in found.items()}
    settings = Settings(**given)  # Any: checked one by one above
    try:
        check(settings)
    except SettingsError as error:
        raise in_file(path, error) from error
    return settings


def in_file(path: Path, error: SettingsError) -> SettingsError:
    """The error of a value, said of the file that holds it: until it is mended there, nothing else can mend it."""
    return SettingsError(f"The settings file {path} cannot be used: {error.message} {error.hint}".strip(), _MEND)


def save_settings(path: Path, settings: Settings) -> None:
    """Write the settings that differ from the defaults, all or nothing.

    Raises:
        SettingsError: one is invalid, or the file cannot be written.
    """
    check(settings)
    usual = asdict(Settings())
    lines = [f"{name} = {_toml(value)}\n" for name, value in asdict(settings).items() if value != usual[name]]
    new = path.with_suffix(".new")
    try:
        new.write_text("".join(lines), encoding="utf-8")
        os.replace(new, path)
    except OSError as error:
        raise SettingsError(
            f"The settings file {path} cannot be written ({error.strerror}).", "Check its disk and permissions."
        ) from error


def changed(settings: Settings, name: str, text: str) -> Settings:
    """The settings with one of them as the person wrote it: `yes` or `no`, a text, or a list with commas between.

    Raises:
        SettingsError: there is no such setting, or the text does not fit it.
    """
    values = asdict(settings)
    if name not in values:
        raise SettingsError(f"There is no setting {name!r}.", f"There are: {', '.join(values)}.")
    value = _read(name, text.strip(), values[name])
    found = replace(settings, **{name: value})  # type: ignore[arg-type]  # `_read` keeps the kind of each
    check(found)
    return found


def as_text(value: Value) -> str:
    """A value as a person writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def values_of(settings: Settings) -> Mapping[str, Value]:
    """Every setting with its value, in the order declared."""
    return {each.name: getattr(settings, each.name) for each in fields(settings)}


def hours_of(text: str) -> tuple[time, time] | None:
    """From when until when, of `22:00-07:00`; None when empty.

    Raises:
        SettingsError: it is something else.
    """
    if not text:
        return None
    found = _HOURS.fullmatch(text)
    if found is not None:
        first_hour, first_minute, last_hour, last_minute = map(int, found.groups())
        if max(first_hour, last_hour) < 24 and max(first_minute, last_minute) < 60:
            return time(first_hour, first_minute), time(last_hour, last_minute)
    raise SettingsError(f"{text!r} is no span of hours.", "Write it like 22:00-07:00, or leave it empty.")


def check(settings: Settings) -> None:
    """Make sure that every value can be used.

    Raises:
        SettingsError: one cannot.
    """
    check_zone(settings.library_zone)
    hours_of(settings.quiet_hours)
    if settings.gpu not in GPU:
        raise SettingsError(f"The setting gpu cannot be {settings.gpu!r}.", f"Choose one of {', '.join(GPU)}.")
    for value in values_of(settings).values():
        for text in value if isinstance(value, tuple) else (str(value),):
            if len(text) > _LONGEST or not text.isprintable():
                raise SettingsError(f"{text[:40]!r} cannot be a setting.", "Write one line of ordinary letters.")


def check_zone(name: str) -> None:
    """Make sure that a zone's name is known; empty is allowed.

    Raises:
        SettingsError: it is not.
    """
    if name:
        try:
            ZoneInfo(name)
        except (KeyError, ValueError, OSError) as error:
            raise SettingsError(f"There is no time zone {name!r}.", "Use a name like Europe/Stockholm.") from error


def _is_alike(value: object, usual: object) -> bool:
    """Whether a value of the file is of the kind of the default."""
    if isinstance(usual, tuple):
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return type(value) is type(usual)


def _read(name: str, text: str, known: object) -> Value:
    if isinstance(known, bool):
        if text.casefold() not in (*_YES, *_NO):
            raise SettingsError(f"{name} is yes or no, not {text!r}.")
        return text.casefold() in _YES
    if isinstance(known, int):
        try:
            return int(text)
        except ValueError as error:
            raise SettingsError(f"{name} is a whole number, not {text!r}.") from error
    if isinstance(known, tuple):
        return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    return text


def _toml(value: object) -> str:
    """A basic string of TOML is one of JSON; so are its truth values, numbers and lists."""
    return json.dumps(value, ensure_ascii=False)
