"""What the person may set, declared once, kept in one readable TOML file."""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from zoneinfo import ZoneInfo

from core.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one home.

    Attributes:
        chat_model: `auto` (the best installed one that fits into memory), `none`, or an id of the catalogue.
        library_zone: IANA name of the time zone for times whose zone nothing tells; empty means this computer's.
        owner: the person's name as it appears in pictures and chats; never counted as a companion.
    """

    chat_model: str = "auto"
    library_zone: str = ""
    owner: str = ""


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
        raise SettingsError(
            f"The settings file {path} cannot be read ({error}).", "Mend it, or move it away to start afresh."
        ) from error
    known = {each.name for each in fields(Settings)}
    for name, value in found.items():
        if name not in known or not isinstance(value, str):
            raise SettingsError(
                f"The settings file {path} has an invalid entry {name!r}.", f"Known are: {', '.join(sorted(known))}."
            )
    settings = Settings(**found)
    check_zone(settings.library_zone)
    return settings


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
